//! Cortex-R and Cortex-A in supervisor mode, with the MPU or MMU off.

use core::arch::global_asm;

// The vectors (Armv7-A and Armv7-R Architecture Reference Manual, B1.8.1). Programs are
// loaded into RAM unchanged, so that only variables without an initial value are cleared.
//
// An interrupt uses the stack of supervisor mode, so that a handler may enable interrupts.
global_asm!(
    ".section .vectors, \"ax\"",
    ".arm",
    "b Reset",
    "b DefaultHandler",
    "b DefaultHandler",
    "b DefaultHandler",
    "b DefaultHandler",
    "b DefaultHandler",
    "b IrqEntry",
    "b DefaultHandler",
    ".section .text.reset, \"ax\"",
    ".arm",
    ".global Reset",
    "Reset:",
    "cpsid if, #0x13",
    "ldr sp, =__stack_top",
    "ldr r0, =__bss_start",
    "ldr r1, =__bss_end",
    "mov r2, #0",
    "b 2f",
    "1:",
    "str r2, [r0], #4",
    "2:",
    "cmp r0, r1",
    "blo 1b",
    "bl main",
    ".global DefaultHandler",
    "DefaultHandler:",
    "b .",
    "IrqEntry:",
    "sub lr, lr, #4",
    "srsdb sp!, #0x13",
    "cps #0x13",
    "push {{r0-r3, r12, lr}}",
    "and r1, sp, #4",
    "sub sp, sp, r1",
    "push {{r1, r2}}",
    "bl Interrupt",
    "pop {{r1, r2}}",
    "add sp, sp, r1",
    "pop {{r0-r3, r12, lr}}",
    "rfeia sp!",
    ".pool",
);
