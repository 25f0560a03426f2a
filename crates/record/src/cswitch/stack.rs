#[cfg(any(target_arch = "arm", target_arch = "riscv32"))]
use super::EntryHook;
use super::{EntryKind, SwitchRecorder};
use crate::Name;
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

/// Records a stack after the entry before it: three entries, and one for every two of at
/// most `max_words` words. A stack pointer outside `bounds` gives no words.
///
/// # Safety
/// The memory in `bounds` must be readable.
pub unsafe fn record_stack<R: SwitchRecorder>(
    log: &R,
    registers: StackRegisters,
    bounds: StackBounds,
    max_words: usize,
) {
    const WORD: usize = size_of::<usize>();
    let start = registers.stack_pointer;
    let is_inside = (bounds.start..=bounds.end).contains(&start) && start % WORD == 0;
    let available = bounds.end.saturating_sub(start) / WORD;
    let words = if is_inside {
        available.min(max_words)
    } else {
        0
    };
    let record = |kind: EntryKind, first: usize, second: usize| {
        log.record(kind as u32, first, Name::from_ptr(second as *const u8));
    };
    record(
        EntryKind::StackBegin,
        registers.stack_pointer,
        registers.link_register,
    );
    record(
        EntryKind::StackRegisters,
        registers.program_counter,
        registers.thumb_frame_pointer,
    );
    // SAFETY: the caller guarantees it for addresses within the bounds.
    let word = |index: usize| unsafe { ((start + index * WORD) as *const usize).read_volatile() };
    let mut index = 0;
    while index < words {
        let second = if index + 1 < words {
            word(index + 1)
        } else {
            0
        };
        record(EntryKind::StackWords, word(index), second);
        index += 2;
    }
    let is_complete = is_inside && words == available;
    let flag = if is_complete { STACK_IS_COMPLETE } else { 0 };
    record(
        EntryKind::StackEnd,
        words | flag as usize,
        registers.frame_pointer,
    );
}

/// A hook that records a stack after each entry of chosen kinds, for a
/// [`HookedRecorder`](super::HookedRecorder). `KINDS` has a bit for each kind below 32,
/// `WORDS` is the number of words of the stack to record.
///
/// `R` is the log itself, to which the hook adds the stack; `B` returns the bounds of the
/// running stack.
#[cfg(any(target_arch = "arm", target_arch = "riscv32"))]
#[derive(Debug, Clone, Copy)]
pub struct StackHook<R, B, const KINDS: u32, const WORDS: usize> {
    log: R,
    bounds: B,
}

#[cfg(any(target_arch = "arm", target_arch = "riscv32"))]
impl<R, B, const KINDS: u32, const WORDS: usize> StackHook<R, B, KINDS, WORDS> {
    /// # Safety
    /// The memory in the bounds that `bounds` returns must be readable.
    pub const unsafe fn new(log: R, bounds: B) -> Self {
        Self { log, bounds }
    }
}

#[cfg(any(target_arch = "arm", target_arch = "riscv32"))]
impl<R, B, const KINDS: u32, const WORDS: usize> EntryHook for StackHook<R, B, KINDS, WORDS>
where
    R: SwitchRecorder,
    B: Fn() -> StackBounds,
{
    #[inline(always)]
    fn recorded(&self, kind: u32, _: usize, _: Name) {
        let kind = kind & !super::PREVIOUSLY_DISABLED;
        if kind < 32 && KINDS >> kind & 1 != 0 {
            let registers = StackRegisters::capture();
            // SAFETY: the caller of `new` guarantees it.
            unsafe { record_stack(&self.log, registers, (self.bounds)(), WORDS) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::vec::Vec;

    #[derive(Default)]
    struct Entries(RefCell<Vec<(u32, usize, usize)>>);

    impl SwitchRecorder for Entries {
        fn record(&self, kind: u32, address: usize, name: Name) {
            let entry = (kind, address, name.as_ptr() as usize);
            self.0.borrow_mut().push(entry);
        }

        fn sleep(&self, _: usize, _: Name) {}

        fn wake(&self, _: usize, _: Name) {}
    }

    fn recorded(stack: &[usize], skip: usize, max_words: usize) -> Vec<(u32, usize, usize)> {
        let start = stack.as_ptr() as usize;
        let registers = StackRegisters {
            program_counter: 1,
            stack_pointer: start.wrapping_add_signed(skip as isize),
            link_register: 2,
            thumb_frame_pointer: 3,
            frame_pointer: 4,
        };
        let end = start + core::mem::size_of_val(stack);
        let log = Entries::default();
        // SAFETY: the bounds are those of the slice.
        unsafe { record_stack(&log, registers, StackBounds { start, end }, max_words) };
        let mut entries = log.0.take();
        let words = entries.split_off(2);
        assert_eq!(entries, [(64, registers.stack_pointer, 2), (65, 1, 3)]);
        assert_eq!(words.last().map(|it| it.2), Some(4));
        words
    }

    #[test]
    fn words_end_at_the_limit_and_at_the_stack() {
        let stack = [10, 11, 12, 13, 14];
        let word = size_of::<usize>();
        assert_eq!(
            recorded(&stack, 0, 4),
            [(66, 10, 11), (66, 12, 13), (67, 4, 4)]
        );
        let complete = STACK_IS_COMPLETE as usize;
        assert_eq!(
            recorded(&stack, 2 * word, 8),
            [(66, 12, 13), (66, 14, 0), (67, 3 | complete, 4)]
        );
        assert_eq!(recorded(&stack, 5 * word, 8), [(67, complete, 4)]);
    }

    #[test]
    fn nothing_outside_the_bounds_is_read() {
        let stack = [10, 11];
        let word = size_of::<usize>();
        assert_eq!(
            recorded(&stack, 0_usize.wrapping_sub(word), 8),
            [(67, 0, 4)]
        );
        assert_eq!(recorded(&stack, 1, 8), [(67, 0, 4)]);
        let above = recorded(&stack, 9 * word, 8);
        assert_eq!(above, [(67, 0, 4)]);
    }
}
