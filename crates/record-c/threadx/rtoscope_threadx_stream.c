/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compact stream of a ThreadX program: implements ThreadX's execution change hooks, and what
 * rtoscope_threadx_stream.h adds to the kernel. Start the counter (on Cortex-M3 and later:
 * DEMCR.TRCENA, then DWT_CTRL.CYCCNTENA) and call
 *
 *     rto_stream_start(&rto_threadx_stream, words, 1024, &DWT_CYCCNT, core_hz);
 *
 * before tx_kernel_enter. A thread of low priority sends what
 * rto_stream_read(&rto_threadx_stream, ...) returns, and passes what the host sends to
 * rto_stream_take.
 */
#include "tx_api.h"
#include "tx_thread.h"

#ifdef TX_THREAD_SMP_MAX_CORES
#error "ThreadX SMP is not supported: the stream has the state of one core"
#endif
#ifdef __CC_ARM
#error "Arm Compiler 5 is not supported: use Arm Compiler 6, GCC, Clang or IAR"
#endif

#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"

/* The recorder. */
struct rto_stream rto_threadx_stream;

/* The number of the running interrupt handler, from 0 to 255: on Arm the exception, on RISC-V
   the cause. */
#ifndef RTO_THREADX_HANDLER
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
static uint8_t handler_number(void)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return (uint8_t)exception;
}
#elif defined(__riscv)
static uint8_t handler_number(void)
{
    uintptr_t cause;

    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    return (uint8_t)cause;
}
#else
#error "define RTO_THREADX_HANDLER() as the number of the running handler"
#endif
#define RTO_THREADX_HANDLER() handler_number()
#endif

/* The kernel makes threads ready with interrupts disabled, though with BASEPRI not all of them. */
#ifdef TX_PORT_USE_BASEPRI
#define DISABLE_ALL(before) RTO_STREAM_DISABLE(before)
#define RESTORE_ALL(before) RTO_STREAM_RESTORE(before)
#else
#define DISABLE_ALL(before) ((before) = 0)
#define RESTORE_ALL(before) ((void)(before))
#endif

/* The stream has the thread that it shows as running, NULL if none: its wait is recorded when another
   one resumes, or the core becomes idle. */
static unsigned handlers;
static bool was_idle;

void rto_threadx_created(TX_THREAD *thread)
{
    uint32_t before, number;

    RTO_STREAM_DISABLE(before);
    number = rto_stream_create_thread(&rto_threadx_stream, thread->tx_thread_name);
    thread->rto_resume = RTO_STREAM_RESUME | number << 6;
    thread->rto_ready = RTO_STREAM_READY | number << 6;
    RTO_STREAM_RESTORE(before);
}

void rto_threadx_deleted(TX_THREAD *thread)
{
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    rto_stream_delete_thread(&rto_threadx_stream, RTO_THREADX_NUMBER(thread));
    RTO_STREAM_RESTORE(before);
}

/* The entry of the running thread's wait, 0 if it does not wait. */
static inline uint32_t wait_of(const TX_THREAD *thread)
{
    if (RTO_STREAM_LIKELY(thread != TX_NULL)) {
        const uint32_t state = thread->tx_thread_state;

        if (RTO_STREAM_LIKELY(state != TX_READY)) {
            return RTO_STREAM_WAIT | state << 6;
        }
    }
    return 0;
}

/* A suspension that a resume ends before the scheduler has left the thread has no wait: the host ignores
   that a running thread becomes ready. */
void rto_threadx_ready(TX_THREAD *thread)
{
    uint32_t before;

    DISABLE_ALL(before);
    if (!RTO_STREAM_LIKELY(rto_stream_try_words(&rto_threadx_stream, 0, thread->rto_ready))) {
        rto_stream_record_words_slow(&rto_threadx_stream, 0, thread->rto_ready);
    }
    RESTORE_ALL(before);
}

static RTO_STREAM_NOINLINE void enter_idle(void)
{
    const TX_THREAD *left;
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    left = (const TX_THREAD *)rto_threadx_stream.running;
    if (left != TX_NULL || !was_idle) {
        was_idle = true;
        rto_threadx_stream.running = TX_NULL;
        rto_stream_record_words_slow(&rto_threadx_stream, wait_of(left), RTO_STREAM_SLEEP);
    }
    RTO_STREAM_RESTORE(before);
}

void _tx_execution_initialize(void)
{
}

void _tx_execution_thread_enter(void)
{
    const TX_THREAD *thread;
    uint32_t before, wait;

    RTO_STREAM_DISABLE(before);
    thread = _tx_thread_current_ptr;
    wait = wait_of((const TX_THREAD *)rto_threadx_stream.running);
    rto_threadx_stream.running = thread;
    if (!RTO_STREAM_LIKELY(rto_stream_try_words(&rto_threadx_stream, wait, thread->rto_resume))) {
        rto_stream_record_words_slow(&rto_threadx_stream, wait, thread->rto_resume);
    }
    RTO_STREAM_RESTORE(before);
}

/* Also called when the scheduler runs for the first time. */
void _tx_execution_thread_exit(void)
{
    if (_tx_thread_execute_ptr == TX_NULL) {
        enter_idle();
    }
}

void _tx_execution_isr_enter(void)
{
    handlers++;
    rto_stream_isr_enter(&rto_threadx_stream, RTO_THREADX_HANDLER());
}

void _tx_execution_isr_exit(void)
{
    rto_stream_isr_exit(&rto_threadx_stream, RTO_THREADX_HANDLER());
    handlers--;
    /* The handler may have suspended the thread that the scheduler had chosen. */
    if (handlers == 0 && _tx_thread_execute_ptr == TX_NULL) {
        enter_idle();
    }
}
