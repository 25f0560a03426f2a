//! The frame that a Cortex-M pushes when it takes an exception.

use super::FrameState;
use rtoscope_trace::call_stack::StackStop;

/// Size of the frame in bytes: R0 to R3, R12, LR, PC and xPSR.
const BASIC_FRAME_LEN: u32 = 32;
/// Size with S0 to S15, FPSCR and a reserved word.
const EXTENDED_FRAME_LEN: u32 = 104;
/// In EXC_RETURN: the frame is on the process stack (PSP).
const ON_PROCESS_STACK: u32 = 1 << 2;
/// In EXC_RETURN: the frame has no floating-point registers.
const IS_BASIC: u32 = 1 << 4;
/// In xPSR: a word was skipped to align the stack.
const IS_ALIGNED: u32 = 1 << 9;

/// Whether an address is a value of EXC_RETURN, with bit 0 or without.
pub(super) fn is_exception_return(address: u32) -> bool {
    (0xFFFF_FF80..0xFFFF_FFFE).contains(&address)
}

/// The interrupted frame, from the state at the return from the exception.
pub(super) fn interrupted<'a>(state: &FrameState<'a>) -> Result<FrameState<'a>, StackStop> {
    if state.pc & ON_PROCESS_STACK != 0 {
        return Err(StackStop::OtherStack);
    }
    let mut next = state.clone();
    let word = |index: u32| state.word(state.sp.wrapping_add(index * 4));
    for (number, index) in [(0, 0), (1, 1), (2, 2), (3, 3), (12, 4), (14, 5)] {
        next.set(number, Some(word(index)?));
    }
    next.pc = word(6)?;
    let length = match state.pc & IS_BASIC != 0 {
        true => BASIC_FRAME_LEN,
        false => EXTENDED_FRAME_LEN,
    };
    let padding = if word(7)? & IS_ALIGNED != 0 { 4 } else { 0 };
    next.sp = state.sp.saturating_add(length + padding);
    next.set(13, Some(next.sp));
    next.is_return = false;
    Ok(next)
}
