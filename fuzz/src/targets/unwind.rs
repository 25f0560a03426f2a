//! Any stack, unwound by the tables of any program: the number of words, whether they are
//! complete, five registers, the words, and the program.

use rtoscope_symbols::{Firmware, StackSample};
use rtoscope_trace::call_stack::MAX_FRAMES;

pub(crate) fn run(data: &[u8]) {
    let Some(([count, is_complete], rest)) = data.split_first_chunk::<2>() else {
        return;
    };
    let stack_bytes = 4 * (5 + usize::from(*count));
    let Some((stack, program)) = rest.split_at_checked(stack_bytes) else {
        return;
    };
    let (stack, _) = stack.as_chunks::<4>();
    let stack: Vec<_> = stack.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let [pc, sp, lr, r7, r11, ref words @ ..] = *stack else {
        return;
    };
    let Ok(firmware) = Firmware::read(program.to_vec()) else {
        return;
    };
    let (frames, _) = firmware.unwind(&StackSample {
        program_counter: pc,
        stack_pointer: sp,
        link_register: lr,
        thumb_frame_pointer: r7,
        frame_pointer: r11,
        words,
        is_complete: is_complete & 1 != 0,
    });
    assert!(frames.len() <= MAX_FRAMES);
    assert!(frames.first().is_none_or(|innermost| !innermost.is_return));
}
