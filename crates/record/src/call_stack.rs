//! The registers and words of a call stack, for the recorders.

use core::mem::size_of;
use rtoscope_wire::cswitch::STACK_IS_COMPLETE;

/// The memory of the running stack: words outside it are never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackBounds {
    /// The lowest address.
    pub start: usize,
    /// The address after the highest.
    pub end: usize,
}

/// The registers from which a stack is unwound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StackRegisters {
    /// The program counter, in the function whose frame the stack pointer is in.
    pub program_counter: usize,
    /// The stack pointer.
    pub stack_pointer: usize,
    /// The link register.
    pub link_register: usize,
    /// R7, the frame pointer of Thumb code; 0 on other processors.
    pub thumb_frame_pointer: usize,
    /// R11, the frame pointer of ARM code, or that of another processor.
    pub frame_pointer: usize,
}

impl StackRegisters {
    /// The registers of the calling function.
    #[cfg(target_arch = "arm")]
    #[inline(always)]
    pub fn capture() -> Self {
        let (program_counter, stack_pointer, link_register);
        let (thumb_frame_pointer, frame_pointer);
        // SAFETY: only reads registers.
        unsafe {
            core::arch::asm!(
                "mov {pc}, pc",
                "mov {sp}, sp",
                "mov {lr}, lr",
                "mov {r7}, r7",
                "mov {r11}, r11",
                pc = out(reg) program_counter,
                sp = out(reg) stack_pointer,
                lr = out(reg) link_register,
                r7 = out(reg) thumb_frame_pointer,
                r11 = out(reg) frame_pointer,
                options(nomem, nostack, preserves_flags),
            );
        }
        Self {
            program_counter,
            stack_pointer,
            link_register,
            thumb_frame_pointer,
            frame_pointer,
        }
    }

    /// The registers of the calling function.
    #[cfg(target_arch = "riscv32")]
    #[inline(always)]
    pub fn capture() -> Self {
        let (program_counter, stack_pointer, link_register, frame_pointer);
        // SAFETY: only reads registers.
        unsafe {
            core::arch::asm!(
                "auipc {pc}, 0",
                "mv {sp}, sp",
                "mv {ra}, ra",
                "mv {fp}, s0",
                pc = out(reg) program_counter,
                sp = out(reg) stack_pointer,
                ra = out(reg) link_register,
                fp = out(reg) frame_pointer,
                options(nomem, nostack, preserves_flags),
            );
        }
        Self {
            program_counter,
            stack_pointer,
            link_register,
            thumb_frame_pointer: 0,
            frame_pointer,
        }
    }
}

/// The words of a stack from the stack pointer on. A stack pointer outside the bounds
/// gives none.
pub(crate) struct StackWords {
    next: usize,
    /// Number of words still to read.
    left: usize,
    /// See [`StackWords::end_word`].
    end_word: u32,
}

impl StackWords {
    /// # Safety
    /// The memory in `bounds` must be readable.
    #[inline(always)]
    pub(crate) unsafe fn new(
        registers: StackRegisters,
        bounds: StackBounds,
        max_words: usize,
    ) -> Self {
        const WORD: usize = size_of::<usize>();
        let start = registers.stack_pointer;
        let is_inside = (bounds.start..=bounds.end).contains(&start) && start % WORD == 0;
        let available = bounds.end.saturating_sub(start) / WORD;
        let words = if is_inside {
            available.min(max_words)
        } else {
            0
        };
        let is_complete = is_inside && words == available;
        let flag = if is_complete { STACK_IS_COMPLETE } else { 0 };
        Self {
            next: start,
            left: words,
            end_word: words as u32 | flag,
        }
    }

    /// The number of words, with [`STACK_IS_COMPLETE`] if they reach the end of the stack.
    pub(crate) fn end_word(&self) -> u32 {
        self.end_word
    }
}

impl Iterator for StackWords {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let address = self.next as *const usize;
        self.next += size_of::<usize>();
        // SAFETY: an aligned address within the bounds, which are readable.
        Some(unsafe { address.read_volatile() })
    }
}
