//! Cortex-M, with instructions of Armv6-M only.

use core::arch::global_asm;

// Exceptions 1 to 15 (Armv7-M Architecture Reference Manual, B1.5.2), then 32
// interrupts. Interrupts 8 and 9 are the board's two timers (Application Note
// AN385, "Interrupts").
global_asm!(
    ".section .vectors, \"a\"",
    ".word __stack_top",
    ".word Reset",
    ".word NonMaskableInt",
    ".word HardFault",
    ".rept 7",
    ".word DefaultHandler",
    ".endr",
    ".word SVCall",
    ".rept 2",
    ".word DefaultHandler",
    ".endr",
    ".word PendSV",
    ".word SysTick",
    ".rept 8",
    ".word DefaultHandler",
    ".endr",
    ".word Timer0",
    ".word Timer1",
    ".rept 21",
    ".word DefaultHandler",
    ".endr",
    ".word LastInterrupt",
);

// Copies initialised variables and clears the others.
global_asm!(
    ".section .text.reset, \"ax\"",
    ".syntax unified",
    ".thumb",
    ".global Reset",
    ".type Reset, %function",
    ".thumb_func",
    "Reset:",
    "ldr r0, =__data_start",
    "ldr r1, =__data_end",
    "ldr r2, =__data_load",
    "b 2f",
    "1:",
    "ldmia r2!, {{r3}}",
    "stmia r0!, {{r3}}",
    "2:",
    "cmp r0, r1",
    "blo 1b",
    "ldr r0, =__bss_start",
    "ldr r1, =__bss_end",
    "movs r2, #0",
    "b 4f",
    "3:",
    "stmia r0!, {{r2}}",
    "4:",
    "cmp r0, r1",
    "blo 3b",
    "bl main",
    ".global DefaultHandler",
    ".type DefaultHandler, %function",
    ".thumb_func",
    "DefaultHandler:",
    "b .",
    ".pool",
);
