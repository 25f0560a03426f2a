//! 32-bit RISC-V in machine mode.

use core::arch::global_asm;

// Programs are loaded into RAM unchanged, so that only variables without an initial value
// are cleared.
global_asm!(
    ".section .text.reset, \"ax\"",
    ".global Reset",
    "Reset:",
    "csrw mie, zero",
    "la t0, DefaultHandler",
    "csrw mtvec, t0",
    "la sp, __stack_top",
    "la t0, __bss_start",
    "la t1, __bss_end",
    "j 2f",
    "1:",
    "sw zero, 0(t0)",
    "addi t0, t0, 4",
    "2:",
    "bltu t0, t1, 1b",
    "call main",
    ".balign 4",
    ".global DefaultHandler",
    "DefaultHandler:",
    "j DefaultHandler",
);
