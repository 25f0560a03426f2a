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

/* The current state of the core. Each hook changes it and records the change with interrupts
   disabled, so that the next handler finds state and stream consistent. */
static const TX_THREAD *running;
static unsigned handlers;
static bool is_idle;

void rto_threadx_created(TX_THREAD *thread)
{
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    thread->rto_number = rto_stream_create_thread(&rto_threadx_stream, thread->tx_thread_name);
    RTO_STREAM_RESTORE(before);
}

void rto_threadx_deleted(TX_THREAD *thread)
{
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    rto_stream_delete_thread(&rto_threadx_stream, thread->rto_number);
    RTO_STREAM_RESTORE(before);
}

/* A suspension that is aborted before it is complete, by a resume in between, is none. */
void rto_threadx_state(TX_THREAD *thread, UINT state)
{
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    if (state == TX_READY) {
        if (thread->rto_is_ready == 0) {
            thread->rto_is_ready = 1;
            if (thread->rto_number <= 255u) {
                rto_stream_ready_short(&rto_threadx_stream, (uint8_t)thread->rto_number);
            } else {
                rto_stream_ready(&rto_threadx_stream, thread->rto_number);
            }
        }
    } else if (thread->rto_is_ready != 0) {
        thread->rto_is_ready = 0;
        /* The stream has no entry for a ready thread that another one suspends. */
        if (thread == running) {
            rto_stream_wait(&rto_threadx_stream, (enum rto_stream_wait_reason)state);
        }
    }
    RTO_STREAM_RESTORE(before);
}

static void enter_idle(void)
{
    if (!is_idle && _tx_thread_execute_ptr == TX_NULL) {
        is_idle = true;
        rto_stream_idle(&rto_threadx_stream);
    }
}

void _tx_execution_initialize(void)
{
}

void _tx_execution_thread_enter(void)
{
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    running = _tx_thread_current_ptr;
    is_idle = false;
    if (running->rto_number <= 255u) {
        rto_stream_resume_short(&rto_threadx_stream, (uint8_t)running->rto_number);
    } else {
        rto_stream_resume(&rto_threadx_stream, running->rto_number);
    }
    RTO_STREAM_RESTORE(before);
}

/* Also called when the scheduler runs for the first time. From here on, no thread runs,
   regardless of _tx_thread_current_ptr. */
void _tx_execution_thread_exit(void)
{
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    running = TX_NULL;
    enter_idle();
    RTO_STREAM_RESTORE(before);
}

void _tx_execution_isr_enter(void)
{
    const uint8_t handler = RTO_THREADX_HANDLER();
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    handlers++;
    rto_stream_isr_enter(&rto_threadx_stream, handler);
    RTO_STREAM_RESTORE(before);
}

void _tx_execution_isr_exit(void)
{
    const uint8_t handler = RTO_THREADX_HANDLER();
    uint32_t before;

    RTO_STREAM_DISABLE(before);
    rto_stream_isr_exit(&rto_threadx_stream, handler);
    handlers--;
    /* The handler may have suspended the thread that the scheduler had chosen. */
    if (handlers == 0 && running == TX_NULL) {
        enter_idle();
    }
    RTO_STREAM_RESTORE(before);
}
