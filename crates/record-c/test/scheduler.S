/* The entries of a scheduler: resume(address, name). The log may be on or off. */
#include "rtoscope_asm.h"

    .syntax unified
    .thumb
    .macro count_entry
    ldr     r0, =after_entries
    ldr     r1, [r0]
    adds    r1, #1
    str     r1, [r0]
    .endm

    .text
    .global resume
    .type resume, %function
    .thumb_func
resume:
    push    {r4, r5, r6, lr}
    mov     r4, r0
    mov     r5, r1
    rto_cswitch_entry RTO_SYNC_RESUME, rtoscope_cswitch_log, r4, r5
    rto_cswitch_entry RTO_ISR_ENTER, rtoscope_cswitch_log, r4, r5, count_entry
    pop     {r4, r5, r6, pc}
    .ltorg
    .size resume, . - resume
