//! Functions whose instructions are known, as they are written one by one:
//! `cargo xtask cost` counts nothing if it counts these wrong.

use core::arch::global_asm;
use core::hint::black_box;

global_asm!(
    ".syntax unified",
    ".thumb",
    // One that does nothing: 1.
    ".section .text.cost_calibration_1, \"ax\"",
    ".global cost_calibration_1",
    ".type cost_calibration_1, %function",
    ".thumb_func",
    "cost_calibration_1:",
    "bx lr",
    // One that reads the clock, which is a device: 3.
    ".section .text.cost_calibration_3, \"ax\"",
    ".global cost_calibration_3",
    ".type cost_calibration_3, %function",
    ".thumb_func",
    "cost_calibration_3:",
    "ldr r0, =0xE0001004",
    "ldr r0, [r0]",
    "bx lr",
    ".pool",
    // A loop of three rounds (1 + 3 * 2), a call (1 + 1), an instruction that is
    // skipped after its `it` (2), and pushing and popping (2): 13.
    ".section .text.cost_calibration_13, \"ax\"",
    ".global cost_calibration_13",
    ".type cost_calibration_13, %function",
    ".thumb_func",
    "cost_calibration_13:",
    "push {{r4, lr}}",
    "movs r4, #3",
    "1:",
    "subs r4, #1",
    "bne 1b",
    "bl 2f",
    "it ne",
    "movne r0, #1",
    "pop {{r4, pc}}",
    "2:",
    "bx lr",
);

unsafe extern "C" {
    fn cost_calibration_1();
    fn cost_calibration_3();
    fn cost_calibration_13();
}

pub(crate) fn run() {
    // SAFETY: they touch no memory but the stack and the clock.
    unsafe {
        cost_calibration_1();
        cost_calibration_3();
        cost_calibration_13();
    }
    // A call that comes last would not be one.
    black_box(());
}
