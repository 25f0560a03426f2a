/*
 * A program on ThreadX that sends a compact stream, and counts by itself what the stream should
 * contain: interrupts, and the context switches with ThreadX's own run counts. Markers have these
 * numbers, so that a reader can compare.
 *
 * It runs for SECONDS, writes the counters to truth.json, and ends. Compiled with -DENDLESS it runs
 * for ever, and takes commands of the host. It sends through the serial port, or with -DRTT through
 * a debug probe.
 */
#include "rtoscope_stream.h"

#ifdef RTT
#define RTO_RTT_IMPLEMENTATION
#include "rtoscope_rtt.h"
#endif

#ifndef SECONDS
#define SECONDS 1
#endif

#define PERIOD 500
#define HOG_TICKS 30000
#define ENTER_HANDLER(number) _tx_execution_isr_enter()
#define LEAVE_HANDLER(number) _tx_execution_isr_exit()
extern void _tx_execution_isr_enter(void);
extern void _tx_execution_isr_exit(void);
#include "../demo.h"

static const struct task tasks[THREADS] = {
    [SAMPLER] = {6, TX_NO_TIME_SLICE},  [FILTER] = {8, TX_NO_TIME_SLICE},
    [URGENT] = {9, TX_NO_TIME_SLICE},   [SLEEPER] = {10, TX_NO_TIME_SLICE},
    [HOG] = {10, 4},                    [SENDER] = {20, TX_NO_TIME_SLICE},
};

/* Numbers of markers: threads have those from 1 on. */
enum { FRAME = 0x1000, SWITCHES, INTERRUPTS };

extern struct rto_stream rto_threadx_stream;
extern VOID _tx_timer_interrupt(VOID);

static volatile uint32_t tick_interrupts;

void systick_handler(void)
{
    _tx_execution_isr_enter();
    tick_interrupts = tick_interrupts + 1u;
    _tx_timer_interrupt();
    _tx_execution_isr_exit();
}

void filter_frame(ULONG frame)
{
    rto_stream_marker_begin(&rto_threadx_stream, FRAME, (uint32_t)frame);
    work(1500);
    rto_stream_marker_end(&rto_threadx_stream, FRAME, (uint32_t)frame);
}

/* Sends what was recorded, and carries out what the host asks for. While there is no room, entries
   stay in the ring. At most four containers, or handlers that record meanwhile keep the loop from its
   end; every twentieth time, also a short one. */
static void transfer(void)
{
    static uint8_t bytes[1024];
    static unsigned turns;
    const size_t least = ++turns % 20u == 0 ? 0 : 512;
    unsigned containers;
    size_t count;

#ifdef RTT
    for (containers = 0; containers < 4u && rto_stream_pending(&rto_threadx_stream) >= least
                         && rto_rtt_room() >= sizeof(bytes); containers++) {
        count = rto_stream_read(&rto_threadx_stream, bytes, sizeof(bytes));
        (void)rto_rtt_write(bytes, count);
    }
    while ((count = rto_rtt_read(bytes, sizeof(bytes))) > 0) {
        rto_stream_take(&rto_threadx_stream, bytes, count);
    }
#else
    for (containers = 0; containers < 4u && rto_stream_pending(&rto_threadx_stream) >= least;
         containers++) {
        count = rto_stream_read(&rto_threadx_stream, bytes, sizeof(bytes));
        send(bytes, count);
    }
    while ((UART_STATE & 2u) != 0) {
        bytes[0] = (uint8_t)UART_DATA;
        rto_stream_take(&rto_threadx_stream, bytes, 1);
    }
#endif
}

/* ThreadX's own number of context switches. */
static uint32_t run_counts(void)
{
    const TX_THREAD *thread = _tx_thread_created_ptr;
    uint32_t sum = 0, left = _tx_thread_created_count;

    for (; left > 0; left--) {
        sum += (uint32_t)thread->tx_thread_run_count;
        thread = thread->tx_thread_created_next;
    }
    return sum;
}

static void mark_counts(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
    rto_stream_marker(&rto_threadx_stream, SWITCHES, run_counts());
    rto_stream_marker(&rto_threadx_stream, INTERRUPTS, timer_interrupts + tick_interrupts);
    __asm__ volatile("cpsie i" : : : "memory");
}

static unsigned long number(const TX_THREAD *thread)
{
    return RTO_THREADX_NUMBER(thread);
}

static void write_truth(void)
{
    write_threads(number);
    fprintf(file, ",\n    { \"number\": 15, \"entries\": %lu }\n  ],\n",
            (unsigned long)tick_interrupts);
    write_count("lost", rto_stream_lost(&rto_threadx_stream), "\n}");
    fclose(file);
}

void run_sender(ULONG unused)
{
    ULONG marked = 0;

    (void)unused;
#ifdef ENDLESS
    for (;;) {
#else
    while (tx_time_get() < SECONDS * TX_TIMER_TICKS_PER_SECOND) {
#endif
        if (tx_time_get() - marked >= 64) {
            marked = tx_time_get();
            mark_counts();
        }
        transfer();
        tx_thread_sleep(2);
    }
    /* No interrupt comes any more. */
    __asm__ volatile("cpsid i" : : : "memory");
    rto_stream_stop(&rto_threadx_stream);
    while (rto_stream_pending(&rto_threadx_stream) > 0) {
        transfer();
    }
    write_truth();
    exit(0);
}

void start(void)
{
}

int main(void)
{
    static uint32_t words[8192];
#ifdef RTT
    static uint8_t to_host[65536], to_target[64];

    rto_rtt_start(to_host, sizeof(to_host), to_target, sizeof(to_target));
#else
    UART_DIVIDER = 16;
    UART_CONTROL = 3;
#endif
#ifndef ENDLESS
    open_truth();
#endif
    rto_stream_name(&rto_threadx_stream, FRAME, "frame");
    rto_stream_name(&rto_threadx_stream, SWITCHES, "switches");
    rto_stream_name(&rto_threadx_stream, INTERRUPTS, "interrupts");
    rto_stream_name_handler(&rto_threadx_stream, TIMER_HANDLER, "TIMER0");
    rto_stream_name_handler(&rto_threadx_stream, SYSTICK_HANDLER, "SysTick");
    rto_stream_start(&rto_threadx_stream, words, sizeof(words) / sizeof(words[0]), COUNTER,
                     COUNTER_HZ);
    tx_kernel_enter();
    return 1;
}
