//! Functions with a known number of instructions, because they are written in assembly:
//! `cargo xtask cost` fails if it counts them wrong.

use core::arch::global_asm;
use core::hint::black_box;

global_asm!(
    ".syntax unified",
    ".thumb",
    // Returns immediately: 1.
    ".section .text.cost_calibration_1, \"ax\"",
    ".global cost_calibration_1",
    ".type cost_calibration_1, %function",
    ".thumb_func",
    "cost_calibration_1:",
    "bx lr",
    // Reads the clock, which is a device: 3.
    ".section .text.cost_calibration_3, \"ax\"",
    ".global cost_calibration_3",
    ".type cost_calibration_3, %function",
    ".thumb_func",
    "cost_calibration_3:",
    "ldr r0, =0xE0001004",
    "ldr r0, [r0]",
    "bx lr",
    ".pool",
    // A loop of three rounds (1 + 3 * 2), a call (1 + 1), an instruction skipped after
    // its `it` (2), and a push and a pop (2): 13.
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
    // SAFETY: they access only the stack and the clock.
    unsafe {
        cost_calibration_1();
        cost_calibration_3();
        cost_calibration_13();
    }
    // A call at the end would be compiled as a jump.
    black_box(());
}
