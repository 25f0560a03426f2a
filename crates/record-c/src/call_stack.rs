//! Call stacks in context-switch logs and ThreadX traces.

use crate::c::size_t;
use crate::cswitch::{core_log, rto_cswitch};
use crate::threadx::TRACE;
use core::mem::{align_of, size_of};
use rtoscope_record::call_stack::{StackBounds, StackRegisters};
use rtoscope_record::cswitch::record_stack;

/// The registers from which a stack is unwound: those of `rto_stack_capture`, or those
/// that a suspended thread has saved.
#[repr(C)]
pub struct rto_stack_registers {
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

const _: () = assert!(size_of::<rto_stack_registers>() == size_of::<StackRegisters>());
const _: () = assert!(align_of::<rto_stack_registers>() == align_of::<StackRegisters>());

/// Records the call stack that belongs to the entry before: three entries, and one for
/// every two of at most `max_words` words. The stack is the memory from `stack_start` up to
/// and without `stack_end`; no word outside is read. Does nothing if `registers` is NULL.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_record_stack(
    log: *const rto_cswitch,
    registers: *const rto_stack_registers,
    stack_start: usize,
    stack_end: usize,
    max_words: size_t,
) {
    let bounds = StackBounds {
        start: stack_start,
        end: stack_end,
    };
    // SAFETY: the caller guarantees the log, the registers, and that the stack is readable.
    unsafe {
        if let (Some(log), false) = (core_log(log), registers.is_null()) {
            let registers = registers.cast::<StackRegisters>().read();
            record_stack(log.log(), registers, bounds, max_words);
        }
    }
}

/// Records the call stack that belongs to the event before: user events 65532 to 65534, two
/// and one for every four of at most `max_words` words. For the rest, see
/// `rto_cswitch_record_stack`.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_record_stack(
    registers: *const rto_stack_registers,
    stack_start: usize,
    stack_end: usize,
    max_words: size_t,
) {
    let bounds = StackBounds {
        start: stack_start,
        end: stack_end,
    };
    if registers.is_null() {
        return;
    }
    // SAFETY: the caller guarantees the registers, and that the stack is readable.
    unsafe {
        let registers = registers.cast::<StackRegisters>().read();
        TRACE.record_stack(registers, bounds, max_words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cswitch::{rto_cswitch_entry, rto_cswitch_init, rto_cswitch_start};
    use core::mem::MaybeUninit;
    use core::ptr::null;
    use std::boxed::Box;

    #[test]
    fn a_stack_follows_the_entry() {
        let log = Box::leak(Box::new(MaybeUninit::<rto_cswitch>::zeroed())).as_mut_ptr();
        let buffer = Box::leak(Box::new(MaybeUninit::<[rto_cswitch_entry; 8]>::zeroed()));
        let buffer = buffer.as_mut_ptr().cast::<rto_cswitch_entry>();
        let stack = [10_usize, 11, 12];
        let start = stack.as_ptr() as usize;
        let registers = rto_stack_registers {
            program_counter: 1,
            stack_pointer: start,
            link_register: 2,
            thumb_frame_pointer: 3,
            frame_pointer: 4,
        };
        // SAFETY: the log is initialised, its buffer lives for ever, and the stack is that
        // of the array.
        unsafe {
            rto_cswitch_init(log, null());
            assert!(rto_cswitch_start(log, buffer, 8, false));
            let end = start + core::mem::size_of_val(&stack);
            rto_cswitch_record_stack(log, null(), start, end, 8);
            rto_cswitch_record_stack(null(), &registers, start, end, 8);
            rto_cswitch_record_stack(log, &registers, start, end, 8);
            let entry = |at: usize| &*buffer.add(at);
            let kinds = [0, 1, 2, 3, 4, 5].map(|at| entry(at).kind);
            assert_eq!(kinds, [64, 65, 66, 66, 67, 0]);
            assert_eq!((entry(0).address, entry(0).name as usize), (start, 2));
            assert_eq!((entry(3).address, entry(3).name as usize), (12, 0));
        }
    }
}
