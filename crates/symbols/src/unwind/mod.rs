//! Unwinds a recorded part of a stack into frames, with the unwind information of the
//! firmware: DWARF call frame information, or the tables of ARM's exception handling ABI.
//!
//! Only the recorded registers and words are known, so every step may end the stack; the
//! reason is part of the result. No file and no words make it panic or take long: each
//! frame is above the one before it, and their number is limited.

mod dwarf_frames;
mod ehabi;
mod exception_frame;
mod machine;
#[cfg(test)]
mod tests;

pub(crate) use dwarf_frames::FRAME_SECTIONS;

use crate::elf::ElfLayout;
use crate::lines::DebugSections;
use dwarf_frames::DwarfFrames;
use ehabi::IndexTable;
use machine::Machine;
use rtoscope_trace::call_stack::{MAX_FRAMES, StackStop};

/// Number of registers that are followed.
const REGISTERS: usize = 32;

/// The registers and words that were recorded of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackSample<'a> {
    /// The program counter, inside the function that recorded the stack.
    pub program_counter: u32,
    /// The stack pointer: the address of the first word.
    pub stack_pointer: u32,
    /// The link register.
    pub link_register: u32,
    /// The frame pointer of Thumb code (R7).
    pub thumb_frame_pointer: u32,
    /// The frame pointer of ARM code (R11) and of other processors.
    pub frame_pointer: u32,
    /// The words of the stack from the stack pointer on.
    pub words: &'a [u32],
    /// Whether the words reach the end of the stack.
    pub is_complete: bool,
}

/// A frame of an unwound stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnwoundFrame {
    /// The address in the frame's function, without the Thumb bit.
    pub address: u32,
    /// Whether it is a return address: that of the instruction after a call.
    pub is_return: bool,
}

/// The unwind information of a program.
#[derive(Debug)]
pub(crate) struct UnwindTables {
    machine: Machine,
    dwarf: DwarfFrames,
    index: Option<IndexTable>,
}

/// The state of one frame.
#[derive(Debug, Clone)]
struct FrameState<'a> {
    sample: &'a StackSample<'a>,
    registers: [Option<u32>; REGISTERS],
    pc: u32,
    sp: u32,
    /// Whether `pc` is a return address.
    is_return: bool,
}

impl FrameState<'_> {
    fn register(&self, number: u16) -> Option<u32> {
        *self.registers.get(usize::from(number))?
    }

    fn set(&mut self, number: u16, value: Option<u32>) {
        if let Some(register) = self.registers.get_mut(usize::from(number)) {
            *register = value;
        }
    }

    /// The word of the stack at an address.
    fn word(&self, address: u32) -> Result<u32, StackStop> {
        let offset = address.checked_sub(self.sample.stack_pointer);
        let offset = offset.ok_or(StackStop::ImplausibleStackPointer)?;
        if offset % 4 != 0 {
            return Err(StackStop::ImplausibleStackPointer);
        }
        let word = self.sample.words.get(offset as usize / 4).copied();
        word.ok_or(match self.sample.is_complete {
            true => StackStop::ImplausibleStackPointer,
            false => StackStop::Truncated,
        })
    }

    /// The address to look up: inside the call for a return address.
    fn lookup_address(&self) -> u32 {
        self.pc.wrapping_sub(u32::from(self.is_return))
    }

    fn is_at_end(&self) -> bool {
        let length = u32::try_from(self.sample.words.len()).unwrap_or(u32::MAX);
        let end = self
            .sample
            .stack_pointer
            .saturating_add(length.saturating_mul(4));
        self.sample.is_complete && self.sp >= end
    }
}

impl UnwindTables {
    pub(crate) fn new(bytes: &[u8], layout: &ElfLayout) -> Option<Self> {
        Some(Self {
            machine: Machine::new(layout.target)?,
            dwarf: DwarfFrames::new(
                bytes,
                DebugSections::load(bytes, &layout.frames, layout.target.byte_order),
                layout.eh_frame.clone(),
            ),
            index: layout
                .exception_index
                .clone()
                .map(|section| IndexTable::new(section, layout.target.byte_order)),
        })
    }

    /// The frames of a recorded stack, innermost first, and why there are no more.
    /// `is_code` is whether the program has code at an address, without the Thumb bit.
    pub(crate) fn unwind(
        &self,
        bytes: &[u8],
        layout: &ElfLayout,
        sample: &StackSample<'_>,
        is_code: impl Fn(u32) -> bool,
    ) -> (Vec<UnwoundFrame>, StackStop) {
        let mut frames = Vec::new();
        let mut state = self.machine.first_frame(sample);
        loop {
            state.pc &= self.machine.code_mask();
            if frames.len() == MAX_FRAMES {
                return (frames, StackStop::TooManyFrames);
            }
            if !is_code(state.lookup_address()) {
                // Kernels start threads with a return address that is none.
                let ends = state.is_at_end() || state.pc == 0 || state.pc >= !1;
                let stop = match ends && !frames.is_empty() {
                    true => StackStop::EndOfStack,
                    false => StackStop::NoUnwindInfo,
                };
                return (frames, stop);
            }
            frames.push(UnwoundFrame {
                address: state.pc,
                is_return: state.is_return,
            });
            match self.caller(bytes, layout, &state) {
                Ok(next) => state = next,
                Err(stop) => {
                    let ends = state.is_at_end() && stop == StackStop::NoUnwindInfo;
                    return (frames, if ends { StackStop::EndOfStack } else { stop });
                }
            }
        }
    }

    /// The frame of the caller.
    fn caller<'a>(
        &self,
        bytes: &[u8],
        layout: &ElfLayout,
        state: &FrameState<'a>,
    ) -> Result<FrameState<'a>, StackStop> {
        let address = state.lookup_address();
        let mut next = match self.dwarf.caller(bytes, &self.machine, address, state) {
            Some(found) => found?,
            None => {
                let index = self.index.as_ref().ok_or(StackStop::NoUnwindInfo)?;
                index.caller(bytes, layout, address, state)?
            }
        };
        let moved = next.sp > state.sp || (next.sp == state.sp && !state.is_return);
        let is_same = next.sp == state.sp && next.pc == state.pc;
        if !moved || is_same || next.sp % 4 != 0 {
            return Err(StackStop::ImplausibleStackPointer);
        }
        next.is_return = true;
        next.set(self.machine.stack_pointer, Some(next.sp));
        if self.machine.is_arm && exception_frame::is_exception_return(next.pc) {
            return exception_frame::interrupted(&next);
        }
        // The callee's return address is not that of the caller.
        if self.machine.return_address != self.machine.program_counter {
            next.set(self.machine.return_address, None);
        }
        Ok(next)
    }
}
