//! Puts the entries of recorded stacks together and unwinds them.

use rtoscope_symbols::{Firmware, StackSample, UnwoundFrame};
use rtoscope_trace::call_stack::CallStacksBuilder;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{
    Address, CallStacks, CodeLocation, Diagnostic, DiagnosticKind, EventIndex, Gap, StackStop,
};
use rtoscope_wire::cswitch::STACK_IS_COMPLETE;
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of stacks of a core each recorded while the one before it
/// was: one for each level of nested interrupts. The outermost are given up first.
const MAX_NESTED_STACKS: usize = 64;
/// Maximum number of words of a stack.
const MAX_WORDS: usize = 4096;

/// Collects the entries of stacks, in the order of a recording.
#[derive(Debug)]
pub(crate) struct StackAssembler {
    words_per_entry: usize,
    /// The unfinished stacks of each core, innermost last.
    open: HashMap<u8, Vec<RecordedStack>>,
    finished: Vec<RecordedStack>,
    missing: MissingEntries,
}

/// An entry of a stack.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StackEntry<'a> {
    Begin {
        stack_pointer: u32,
        link_register: u32,
    },
    Registers {
        program_counter: u32,
        thumb_frame_pointer: u32,
    },
    /// The next words; the last of an odd number may be followed by others.
    Words(&'a [u32]),
    /// The number of words, with [`STACK_IS_COMPLETE`].
    End { words: u32, frame_pointer: u32 },
}

/// The stacks with missing entries.
#[derive(Debug, Default)]
struct MissingEntries {
    count: u64,
    first: Option<usize>,
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

impl MissingEntries {
    fn count_event(&mut self, event: usize) {
        self.count += 1;
        self.first = Some(self.first.map_or(event, |first| first.min(event)));
    }

    fn diagnostic(&self) -> Option<Diagnostic> {
        let first = EventIndex(u32::try_from(self.first?).unwrap_or(u32::MAX));
        let message = format!(
            "entries of {} are missing",
            pluralise(self.count, "call stack", "call stacks")
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::IncompleteStack, message);
        Some(diagnostic.with_count(self.count).at_event(first))
    }
}

impl StackAssembler {
    /// For a format whose entries have this many words of the stack.
    pub(crate) fn new(words_per_entry: usize) -> Self {
        Self {
            words_per_entry,
            open: HashMap::new(),
            finished: Vec::new(),
            missing: MissingEntries::default(),
        }
    }

    /// Ends the stacks that a gap interrupts.
    pub(crate) fn interrupt(&mut self, gap: &Gap) {
        match gap.core {
            Some(core) => self
                .finished
                .extend(self.open.remove(&core).into_iter().flatten()),
            None => self
                .finished
                .extend(self.open.drain().flat_map(|(_, open)| open)),
        }
    }

    /// Adds the entry of event `event`.
    pub(crate) fn push(&mut self, event: usize, core: u8, entry: StackEntry<'_>) {
        let open = self.open.entry(core).or_default();
        match (entry, open.last_mut()) {
            (
                StackEntry::Begin {
                    stack_pointer,
                    link_register,
                },
                _,
            ) => {
                if open.len() == MAX_NESTED_STACKS {
                    self.finished.push(open.remove(0));
                }
                open.push(RecordedStack {
                    event,
                    stack_pointer,
                    link_register,
                    registers: None,
                    words: Vec::new(),
                    end: None,
                });
            }
            (
                StackEntry::Registers {
                    program_counter,
                    thumb_frame_pointer,
                },
                Some(stack),
            ) => stack.registers = Some((program_counter, thumb_frame_pointer)),
            (StackEntry::Words(words), Some(stack)) => {
                if stack.words.len() < MAX_WORDS {
                    stack.words.extend(words);
                }
            }
            (
                StackEntry::End {
                    words,
                    frame_pointer,
                },
                Some(stack),
            ) => {
                stack.finish(words, frame_pointer, self.words_per_entry);
                self.finished.extend(open.pop());
            }
            (StackEntry::End { .. }, None) => self.missing.count_event(event),
            (_, None) => {}
        }
    }

    /// The unwound stacks, and a diagnostic if there are stacks with missing entries.
    pub(crate) fn unwind(mut self, firmware: &[Arc<Firmware>]) -> (CallStacks, Option<Diagnostic>) {
        self.finished.extend(self.open.into_values().flatten());
        self.finished.sort_by_key(|stack| stack.event);
        let mut builder = CallStacksBuilder::default();
        for stack in &self.finished {
            let event = u32::try_from(stack.event).unwrap_or(u32::MAX);
            builder.begin(EventIndex(event));
            match stack.sample() {
                None => self.missing.count_event(stack.event),
                Some(sample) => unwind(&sample, firmware, &mut builder),
            }
        }
        (builder.finish(), self.missing.diagnostic())
    }
}

impl RecordedStack {
    /// Applies the last entry.
    fn finish(&mut self, count: u32, frame_pointer: u32, words_per_entry: usize) {
        let words = (count & !STACK_IS_COMPLETE) as usize;
        // The last entry of words may have some too many.
        if words.next_multiple_of(words_per_entry) == self.words.len() {
            self.words.truncate(words);
            self.end = Some((frame_pointer, count & STACK_IS_COMPLETE != 0));
        }
    }

    fn sample(&self) -> Option<StackSample<'_>> {
        let (program_counter, thumb_frame_pointer) = self.registers?;
        let (frame_pointer, is_complete) = self.end?;
        Some(StackSample {
            program_counter,
            stack_pointer: self.stack_pointer,
            link_register: self.link_register,
            thumb_frame_pointer,
            frame_pointer,
            words: &self.words,
            is_complete,
        })
    }
}

/// Adds the frames of a stack: those of the file with the most.
fn unwind(sample: &StackSample<'_>, firmware: &[Arc<Firmware>], builder: &mut CallStacksBuilder) {
    let unwound = firmware.iter().map(|file| file.unwind(sample));
    let most = unwound.reduce(|best, other| match other.0.len() > best.0.len() {
        true => other,
        false => best,
    });
    let (frames, stop) = most.unwrap_or((Vec::new(), StackStop::NoFirmware));
    for UnwoundFrame { address, is_return } in frames {
        let address = Address(address.into());
        builder.push(address, is_return, || {
            let found = code_location(firmware, address, is_return);
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

/// The location of a code address. The location of a return address is that of the call.
pub(crate) fn code_location(
    firmware: &[Arc<Firmware>],
    address: Address,
    is_return: bool,
) -> Option<CodeLocation> {
    let inside = call_site(address, is_return);
    let function = firmware.iter().find_map(|file| file.function(inside));
    let line = firmware.iter().find_map(|file| file.line(inside));
    if function.is_none() && line.is_none() {
        return None;
    }
    let number = line.as_ref().and_then(|line| line.line);
    Some(CodeLocation {
        address,
        function: function.map(|function| function.name),
        line: number.and_then(|number| u32::try_from(number).ok()),
        file: line.map(|line| line.file),
    })
}

/// An address inside the instruction that an address refers to: a return address is one
/// after the call.
pub(crate) fn call_site(address: Address, is_return: bool) -> Address {
    Address(address.0.saturating_sub(u64::from(is_return)))
}
