//! The entries of recorded stacks.

use super::log::EntryLayout;
use super::timeline::MergedTimeline;
use crate::call_stacks::{StackAssembler, StackEntry};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{EntryKind, PointerSize};

/// Number of words in an entry.
const WORDS: usize = 2;

/// Reads the entries of stacks from a log.
pub(super) fn read<W: Word>(timeline: &MergedTimeline<W>, layout: EntryLayout) -> StackAssembler {
    let mut stacks = StackAssembler::new(WORDS);
    let columns = &timeline.columns;
    let mut gaps = timeline.gaps.iter().peekable();
    let events = columns.kind.iter().zip(&columns.arguments).enumerate();
    for (event, (kind, [first, second, ..])) in events {
        while let Some(gap) = gaps.next_if(|gap| gap.next_event.index() <= event) {
            stacks.interrupt(gap);
        }
        let kind = EntryKind::from_number(kind.0).filter(|kind| kind.is_stack());
        let Some(kind) = kind else {
            continue;
        };
        let words = [*first, *second].map(|word| Into::<u64>::into(word) as u32);
        let [first, second] = words;
        let entry = match kind {
            EntryKind::StackBegin => StackEntry::Begin {
                stack_pointer: first,
                link_register: second,
            },
            // Registers of 64 bits do not fit: the stack remains incomplete.
            EntryKind::StackRegisters if layout.pointer == PointerSize::Eight => continue,
            EntryKind::StackRegisters => StackEntry::Registers {
                program_counter: first,
                thumb_frame_pointer: second,
            },
            EntryKind::StackWords => StackEntry::Words(&words),
            _ => StackEntry::End {
                words: first,
                frame_pointer: second,
            },
        };
        let core = timeline.core.get(event).copied().unwrap_or_default();
        stacks.push(event, core, entry);
    }
    stacks
}
