//! Puts the entries of recorded stacks together and unwinds them.

use super::columns::AnomalyCount;
use super::context_ids::AddressUses;
use super::firmware::FirmwareFiles;
use super::log::EntryLayout;
use super::timeline::MergedTimeline;
use crate::symbols::StackSample;
use rtoscope_trace::call_stack::CallStacksBuilder;
use rtoscope_trace::{Address, CallStacks, CodeLocation, EventIndex};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{EntryKind, PointerSize, STACK_IS_COMPLETE};
use std::collections::HashMap;

/// Maximum number of stacks of a core each recorded while the one before it
/// was: one for each level of nested interrupts. The outermost are given up first.
const MAX_NESTED_STACKS: usize = 64;
/// Maximum number of words of a stack.
const MAX_WORDS: usize = 4096;

/// Reads the stacks from the entries of a log.
pub(super) struct CallStackReader<'a, W> {
    timeline: &'a MergedTimeline<W>,
    layout: EntryLayout,
}

/// The entries of a stack.
#[derive(Debug)]
struct RecordedStack {
    event: usize,
    stack_pointer: u32,
    link_register: u32,
    /// The program counter and R7.
    registers: Option<(u32, u32)>,
    words: Vec<u32>,
    /// R11, and whether the words reach the end of the stack; `None` if the entries do
    /// not belong together.
    end: Option<(u32, bool)>,
}

impl<'a, W: Word> CallStackReader<'a, W> {
    pub(super) fn new(timeline: &'a MergedTimeline<W>, layout: EntryLayout) -> Self {
        Self { timeline, layout }
    }

    /// The unwound stacks, and how many are incomplete.
    pub(super) fn read(&self, firmware: FirmwareFiles<'_>) -> (CallStacks, AnomalyCount) {
        let (stacks, mut incomplete) = self.recorded_stacks();
        let mut builder = CallStacksBuilder::default();
        for stack in &stacks {
            let event = u32::try_from(stack.event).unwrap_or(u32::MAX);
            builder.begin(EventIndex(event));
            match self.sample(stack) {
                None => incomplete.count_event(stack.event),
                Some(sample) => unwind(&sample, firmware, &mut builder),
            }
        }
        (builder.finish(), incomplete)
    }

    fn sample<'s>(&self, stack: &'s RecordedStack) -> Option<StackSample<'s>> {
        let (program_counter, thumb_frame_pointer) = stack.registers?;
        let (frame_pointer, is_complete) = stack.end?;
        // Registers of 64 bits do not fit.
        let words = match self.layout.pointer {
            PointerSize::Four => stack.words.as_slice(),
            PointerSize::Eight => return None,
        };
        Some(StackSample {
            program_counter,
            stack_pointer: stack.stack_pointer,
            link_register: stack.link_register,
            thumb_frame_pointer,
            frame_pointer,
            words,
            is_complete,
        })
    }

    /// The stacks by event, with those whose entries are incomplete; and the number of
    /// stacks whose first entries are missing.
    fn recorded_stacks(&self) -> (Vec<RecordedStack>, AnomalyCount) {
        let columns = &self.timeline.columns;
        let mut gaps = self.timeline.gaps.iter().peekable();
        let mut orphans = AnomalyCount::default();
        let mut stacks = Vec::new();
        // The unfinished stacks of each core, innermost last.
        let mut open: HashMap<u8, Vec<RecordedStack>> = HashMap::new();
        let events = columns.kind.iter().zip(&columns.arguments).enumerate();
        for (event, (kind, [first, second, ..])) in events {
            while let Some(gap) = gaps.next_if(|gap| gap.next_event.index() <= event) {
                match gap.core {
                    Some(core) => stacks.extend(open.remove(&core).into_iter().flatten()),
                    None => stacks.extend(open.drain().flat_map(|(_, open)| open)),
                }
            }
            let kind = EntryKind::from_number(kind.0).filter(|kind| kind.is_stack());
            let Some(kind) = kind else {
                continue;
            };
            let [first, second] = [*first, *second].map(|word| Into::<u64>::into(word) as u32);
            let core = self.timeline.core.get(event).copied().unwrap_or_default();
            let open = open.entry(core).or_default();
            if kind == EntryKind::StackBegin {
                if open.len() == MAX_NESTED_STACKS {
                    stacks.push(open.remove(0));
                }
                open.push(RecordedStack::begin(event, first, second));
                continue;
            }
            match (open.last_mut(), kind) {
                (Some(stack), EntryKind::StackRegisters) => {
                    stack.registers = Some((first, second));
                }
                (Some(stack), EntryKind::StackWords) => {
                    if stack.words.len() < MAX_WORDS {
                        stack.words.extend([first, second]);
                    }
                }
                (Some(stack), _) => {
                    stack.finish(first, second);
                    stacks.extend(open.pop());
                }
                (None, EntryKind::StackEnd) => orphans.count_event(event),
                (None, _) => {}
            }
        }
        stacks.extend(open.into_values().flatten());
        stacks.sort_by_key(|stack| stack.event);
        (stacks, orphans)
    }
}

impl RecordedStack {
    fn begin(event: usize, stack_pointer: u32, link_register: u32) -> Self {
        Self {
            event,
            stack_pointer,
            link_register,
            registers: None,
            words: Vec::new(),
            end: None,
        }
    }

    /// Applies the last entry.
    fn finish(&mut self, count: u32, frame_pointer: u32) {
        let words = (count & !STACK_IS_COMPLETE) as usize;
        // The last entry of words has one too many if their number is odd.
        if words.div_ceil(2) * 2 == self.words.len() {
            self.words.truncate(words);
            self.end = Some((frame_pointer, count & STACK_IS_COMPLETE != 0));
        }
    }
}

fn unwind(sample: &StackSample<'_>, firmware: FirmwareFiles<'_>, builder: &mut CallStacksBuilder) {
    let (frames, stop) = firmware.unwind(sample);
    for frame in frames {
        let address = Address(frame.address.into());
        let uses = match frame.is_return {
            true => AddressUses::RETURN,
            false => AddressUses::CODE,
        };
        builder.push(address, frame.is_return, || {
            let found = firmware.code_location(address.0, uses);
            found.unwrap_or(CodeLocation {
                address,
                function: None,
                file: None,
                line: None,
            })
        });
    }
    builder.end(stop);
}
