/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Records in the context-switch log where ThreadX disables and restores interrupts
 * (INT_DISABLE and INT_RESTORE), without changes to ThreadX: compile ThreadX's C files
 * with
 *
 *     -include rtoscope_interrupts.h
 *
 * ThreadX's TX_DISABLE and TX_RESTORE then become calls of _tx_thread_interrupt_control,
 * which every port has, followed or preceded by an entry. Do not compile
 * rtoscope_execution.c with it, and remove it from normal builds: these are by far the
 * most frequent entries.
 */
#ifndef RTOSCOPE_INTERRUPTS_H
#define RTOSCOPE_INTERRUPTS_H

#ifndef TX_SOURCE_CODE
#define TX_SOURCE_CODE
#endif
#include "tx_api.h"
#include "tx_thread.h"
#include "rtoscope.h"

#ifdef TX_THREAD_SMP_MAX_CORES
#error "ThreadX SMP is not supported: the log has the state of one core"
#endif

/* The running thread's name; NULL before the first. */
static inline const char *rto_running_name(void)
{
    const TX_THREAD *thread = _tx_thread_current_ptr;

    return thread == TX_NULL ? "system" : thread->tx_thread_name;
}

static inline UINT rto_interrupts_disable(uintptr_t address)
{
    const UINT before = _tx_thread_interrupt_control(TX_INT_DISABLE);

    rto_cswitch_interrupts_disabled(&rtoscope_cswitch_log, before != TX_INT_ENABLE, address,
                                    rto_running_name());
    return before;
}

static inline void rto_interrupts_restore(UINT before, uintptr_t address)
{
    rto_cswitch_interrupts_restored(&rtoscope_cswitch_log, before != TX_INT_ENABLE, address,
                                    rto_running_name());
    (void)_tx_thread_interrupt_control(before);
}

#define RTO_HERE ((uintptr_t)__builtin_return_address(0))

#undef TX_DISABLE
#undef TX_RESTORE
#define TX_DISABLE interrupt_save = rto_interrupts_disable(RTO_HERE);
#define TX_RESTORE rto_interrupts_restore(interrupt_save, RTO_HERE);

#endif
