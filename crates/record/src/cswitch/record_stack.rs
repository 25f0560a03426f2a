#[cfg(any(target_arch = "arm", target_arch = "riscv32"))]
use super::EntryHook;
use super::{EntryKind, SwitchRecorder};
use crate::Name;
use crate::call_stack::{StackBounds, StackRegisters, StackWords};

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
    // SAFETY: the caller guarantees it.
    let mut words = unsafe { StackWords::new(registers, bounds, max_words) };
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
    while let Some(first) = words.next() {
        record(EntryKind::StackWords, first, words.next().unwrap_or(0));
    }
    record(
        EntryKind::StackEnd,
        words.end_word() as usize,
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
    use core::mem::size_of;
    use rtoscope_wire::cswitch::STACK_IS_COMPLETE;
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
