/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: an entry of the context-switch log from assembly, for a scheduler of your own.
 * For GNU assembler sources with the C preprocessor (.S), on Arm Cortex-M and RISC-V.
 *
 *     #include "rtoscope_asm.h"
 *
 *     rto_cswitch_entry RTO_SYNC_RESUME, rtoscope_cswitch_log, r4, r5
 *
 * records the kind with the code address in the first register and the address of the
 * thread's name in the second. It is a call of a C function: it changes the registers that
 * a call may change (r0 to r3, r12, lr and flags; ra, a0 to a7, t0 to t6), needs a stack
 * aligned as for a call, and does nothing but a test while the log is off. On RISC-V, the
 * two registers must not be a0 to a3; on Arm, not r0 to r3.
 *
 * A last argument names a macro of your own, which runs after each entry, also while the
 * log is off.
 */
#ifndef RTOSCOPE_ASM_H
#define RTOSCOPE_ASM_H

#define RTO_WAKE 0
#define RTO_SLEEP 1
#define RTO_SYNC_RESUME 2
#define RTO_ASYNC_RESUME 3
#define RTO_ISR_RETURN 4
#define RTO_ISR_ENTER 5
#define RTO_ISR_EXIT 6
#define RTO_INT_DISABLE 7
#define RTO_INT_RESTORE 8

/* The offset of the flag in struct rto_cswitch. */
#if defined(__riscv_xlen) && __riscv_xlen == 64
#define RTO_CSWITCH_ON 72
#else
#define RTO_CSWITCH_ON 56
#endif

    .macro rto_cswitch_nothing
    .endm

#ifdef __riscv
    .macro rto_cswitch_entry kind:req, log:req, address:req, name:req, after=rto_cswitch_nothing
    la      a1, \log
    lbu     a0, RTO_CSWITCH_ON(a1)
    beqz    a0, .Lrto_off\@
    li      a0, \kind
    mv      a2, \address
    mv      a3, \name
    call    rto_cswitch_write
.Lrto_off\@:
    \after
    .endm
#else
    .macro rto_cswitch_entry kind:req, log:req, address:req, name:req, after=rto_cswitch_nothing
    ldr     r1, .Lrto_log\@
    mov     r0, r1
    adds    r0, #RTO_CSWITCH_ON
    ldrb    r0, [r0]
    cmp     r0, #0
    beq     .Lrto_off\@
    movs    r0, #\kind
    mov     r2, \address
    mov     r3, \name
    bl      rto_cswitch_write
    b       .Lrto_off\@
    .balign 4
.Lrto_log\@:
    .word   \log
.Lrto_off\@:
    \after
    .endm
#endif

#endif
