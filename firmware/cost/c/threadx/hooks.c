/* The hooks for ThreadX as the kernel calls them: of the compact stream with STREAM, else of the
   context-switch log. */

#include "cost.h"
#include "tx_thread.h"

#ifdef STREAM
#include "rtoscope_stream.h"
#define JUMP(name_) cost_jump_threadx_stream_##name_
#else
#include "rtoscope.h"
#define JUMP(name_) cost_jump_threadx_log_##name_
#endif

TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;

void _tx_thread_schedule(void)
{
}

CASE void JUMP(exit)(void) { _tx_execution_thread_exit(); }
CASE void JUMP(enter)(void) { _tx_execution_thread_enter(); }
CASE void JUMP(isr_enter)(void) { _tx_execution_isr_enter(); }
CASE void JUMP(isr_exit)(void) { _tx_execution_isr_exit(); }

#ifdef STREAM
CASE void cost_threadx_stream_ready(TX_THREAD *thread)
{
    TX_THREAD_STATE_CHANGE(thread, TX_READY)
}

CASE void cost_threadx_stream_wait(TX_THREAD *thread)
{
    TX_THREAD_STATE_CHANGE(thread, thread->tx_thread_state)
}

extern struct rto_stream rto_threadx_stream;
static uint32_t BUFFER[256];
static uint8_t CONTAINER_BUFFER[512];
#else
static struct rto_cswitch_entry BUFFER[64];
#endif

/* The frame of a thread that was interrupted in some function. */
static uint32_t FRAME_BUFFER[17];
static TX_THREAD THREADS_BUFFER[2] = {{.tx_thread_name = "worker"}, {.tx_thread_name = "logger"}};

int record(void)
{
    TX_THREAD *const worker = &THREADS_BUFFER[0], *const logger = &THREADS_BUFFER[1];
#ifndef STREAM
    static const struct rto_cswitch *const logs[] = {&rtoscope_cswitch_log};
    static const struct rto_cswitch_save_options options = {
        .logs = logs, .cores = 1, .counter_bits = 32, .frequency_hz = 25000000,
    };
#endif

    FRAME_BUFFER[0] = 0x10;
    FRAME_BUFFER[15] = (uint32_t)(uintptr_t)record;
    worker->tx_thread_stack_ptr = FRAME_BUFFER;
    logger->tx_thread_stack_ptr = FRAME_BUFFER;
#ifdef STREAM
    TX_THREAD_CREATE_INTERNAL_EXTENSION(worker)
    TX_THREAD_CREATE_INTERNAL_EXTENSION(logger)
    rto_stream_start(&rto_threadx_stream, BUFFER, 256, &CYCLE_COUNTER, 25000000);
#else
    rto_cswitch_init(&rtoscope_cswitch_log, (const rto_counter *)&CYCLE_COUNTER);
    rto_cswitch_start(&rtoscope_cswitch_log, BUFFER, 64, true);
#endif
    _tx_thread_current_ptr = worker;
    _tx_thread_execute_ptr = worker;
    _tx_execution_thread_enter();
    _tx_thread_execute_ptr = logger;
#ifdef STREAM
    cost_threadx_stream_ready(logger);
    worker->tx_thread_state = TX_QUEUE_SUSP;
    cost_threadx_stream_wait(worker);
#endif
    JUMP(exit)();
    _tx_thread_current_ptr = logger;
    JUMP(enter)();
    JUMP(isr_enter)();
    JUMP(isr_exit)();
#ifdef STREAM
    /* Resumed, ready, waiting and resumed, entered and left. */
    return BUFFER[1] == (RTO_STREAM_READY | 2u << 6)
           && BUFFER[2] == (RTO_STREAM_WAIT | TX_QUEUE_SUSP << 6)
           && BUFFER[3] == (RTO_STREAM_RESUME | 2u << 6) && BUFFER[5] == RTO_STREAM_ISR_EXIT
           && rto_stream_read(&rto_threadx_stream, CONTAINER_BUFFER, 512) > 0;
#else
    return BUFFER[1].kind == RTO_ASYNC_RESUME && rto_cswitch_save(&options, discard, NULL) > 0;
#endif
}
