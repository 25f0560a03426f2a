//! Call stacks that the application records as user events.

use super::catalogue::built_in_kinds;
use crate::call_stacks::{StackAssembler, StackEntry};
use rtoscope_symbols::Firmware;
use rtoscope_trace::{EventIndex, EventKindId, Trace};
use rtoscope_wire::threadx::{
    STACK_BEGIN_EVENT, STACK_END_EVENT, STACK_END_MARK, STACK_WORDS_EVENT,
};
use std::sync::Arc;

/// Number of words in an event.
const WORDS: usize = 4;

/// Reads the stacks of a trace and describes their events. The application may use the
/// numbers for events of its own: unless an event ends a stack, there are none.
pub(super) fn read(trace: &mut Trace, firmware: &[Arc<Firmware>]) {
    let is_stack = |kind: EventKindId| (STACK_BEGIN_EVENT..=STACK_END_EVENT).contains(&kind.0);
    let is_defined = trace.catalogue.iter().any(|kind| is_stack(kind.id));
    let counts = trace.events.kind_counts();
    let mut kinds = (STACK_BEGIN_EVENT..=STACK_END_EVENT).map(EventKindId);
    if !kinds.any(|kind| counts.may_occur(kind)) || is_defined || trace.events.word_bits() != 32 {
        return;
    }
    let mut events = Vec::new();
    trace.events.visit(0..trace.events.len(), |event| {
        if is_stack(event.kind) {
            let arguments = event.arguments.map(|word| word as u32);
            events.push((event.index, event.kind.0, arguments));
        }
    });
    let ends_a_stack = |(_, kind, [.., mark]): &(EventIndex, u32, [u32; 4])| {
        *kind == STACK_END_EVENT && *mark == STACK_END_MARK
    };
    if !events.iter().any(ends_a_stack) {
        return;
    }
    let mut stacks = StackAssembler::new(WORDS);
    let mut gaps = trace.gaps.iter().peekable();
    for (index, kind, words) in events {
        while let Some(gap) = gaps.next_if(|gap| gap.next_event <= index) {
            stacks.interrupt(gap);
        }
        let core = trace.events.core(index).unwrap_or_default();
        let [first, second, third, fourth] = words;
        let mut push = |entry| stacks.push(index.index(), core, entry);
        match kind {
            STACK_BEGIN_EVENT => {
                push(StackEntry::Begin {
                    stack_pointer: first,
                    link_register: second,
                });
                push(StackEntry::Registers {
                    program_counter: third,
                    thumb_frame_pointer: fourth,
                });
            }
            STACK_WORDS_EVENT => push(StackEntry::Words(&words)),
            _ => push(StackEntry::End {
                words: first,
                frame_pointer: second,
            }),
        }
    }
    let (call_stacks, incomplete) = stacks.unwind(firmware);
    trace.call_stacks = call_stacks;
    trace.diagnostics.extend(incomplete);
    let kinds = built_in_kinds(("user", include_str!("call_stacks.tsv")));
    trace.catalogue.extend(kinds);
}
