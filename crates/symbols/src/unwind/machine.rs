//! The registers of processors, by their numbers in DWARF.

use super::{FrameState, REGISTERS, StackSample};
use crate::target::TargetInfo;
use object::elf;
use rtoscope_wire::PointerSize;

/// The registers of a processor that take part in unwinding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Machine {
    pub(super) is_arm: bool,
    pub(super) stack_pointer: u16,
    /// The register with a leaf function's return address.
    pub(super) return_address: u16,
    /// The program counter; equal to `return_address` if it has no number.
    pub(super) program_counter: u16,
    frame_pointer: u16,
    code_mask: u32,
}

impl Machine {
    /// `None` for processors whose stacks are not unwound.
    pub(super) fn new(target: TargetInfo) -> Option<Self> {
        if target.pointer_size != PointerSize::Four {
            return None;
        }
        let code_mask = target.code_mask() as u32;
        let machine = |[
            stack_pointer,
            return_address,
            program_counter,
            frame_pointer,
        ]: [u16; 4]| {
            Self {
                is_arm: target.machine == elf::EM_ARM.0,
                stack_pointer,
                return_address,
                program_counter,
                frame_pointer,
                code_mask,
            }
        };
        Some(machine(match elf::Machine(target.machine) {
            elf::EM_ARM => [13, 14, 15, 11],
            elf::EM_RISCV => [2, 1, 1, 8],
            elf::EM_MIPS => [29, 31, 31, 30],
            _ => return None,
        }))
    }

    pub(super) fn code_mask(self) -> u32 {
        self.code_mask
    }

    /// The frame that recorded the stack.
    pub(super) fn first_frame<'a>(self, sample: &'a StackSample<'a>) -> FrameState<'a> {
        let mut state = FrameState {
            sample,
            registers: [None; REGISTERS],
            pc: sample.program_counter,
            sp: sample.stack_pointer,
            is_return: false,
        };
        state.set(self.stack_pointer, Some(sample.stack_pointer));
        state.set(self.return_address, Some(sample.link_register));
        state.set(self.frame_pointer, Some(sample.frame_pointer));
        if self.is_arm {
            state.set(THUMB_FRAME_POINTER, Some(sample.thumb_frame_pointer));
        }
        state
    }
}

/// R7.
const THUMB_FRAME_POINTER: u16 = 7;
