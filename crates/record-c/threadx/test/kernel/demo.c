/*
 * A program on ThreadX that sends the trace that the kernel writes through the serial port while it
 * records. After SECONDS it writes what the kernel counted to truth.json, and ends.
 */
#ifndef SECONDS
#define SECONDS 5
#endif

/* Microseconds between two interrupts of the timer. */
#ifndef PERIOD
#define PERIOD 1000
#endif

/* Entries of the ring. */
#ifndef ENTRIES
#define ENTRIES 1000
#endif

#define HOG_TICKS 100000
#define ENTER_HANDLER(number) _tx_trace_isr_enter_insert(number)
#define LEAVE_HANDLER(number) _tx_trace_isr_exit_insert(number)
#include "tx_api.h"
#include "tx_trace.h"
#include "../demo.h"

#define RTO_THREADX_DRAIN_IMPLEMENTATION
#include "rtoscope_threadx_drain.h"

#include <limits.h>

static const struct task tasks[THREADS] = {
    [SAMPLER] = {4, TX_NO_TIME_SLICE},  [FILTER] = {8, TX_NO_TIME_SLICE},
    [URGENT] = {10, TX_NO_TIME_SLICE},  [SLEEPER] = {12, TX_NO_TIME_SLICE},
    [HOG] = {14, TX_NO_TIME_SLICE},     [SENDER] = {20, TX_NO_TIME_SLICE},
};

extern void _tx_timer_interrupt(void);

void systick_handler(void)
{
    _tx_timer_interrupt();
}

void filter_frame(ULONG frame)
{
    (void)frame;
    work(1500);
}

/* Sends packets until nothing is new, at most this many: there may always be something new. */
static void send_trace(unsigned packets)
{
    static uint8_t bytes[1024];
    size_t length;

    while (packets-- > 0 && (length = rto_threadx_drain_read(bytes, sizeof(bytes))) > 0) {
        send(bytes, length);
    }
}

static unsigned long address(const TX_THREAD *thread)
{
    return (unsigned long)(uintptr_t)thread;
}

static void write_truth(void)
{
    ULONG resumptions, suspensions, solicited, preemptions, inversions;
    ULONG puts, gets, sent, received;

    tx_thread_performance_system_info_get(&resumptions, &suspensions, &solicited, &preemptions,
                                          TX_NULL, TX_NULL, TX_NULL, TX_NULL, TX_NULL, TX_NULL,
                                          TX_NULL);
    tx_mutex_performance_system_info_get(TX_NULL, TX_NULL, TX_NULL, TX_NULL, &inversions, TX_NULL);
    tx_semaphore_performance_system_info_get(&puts, &gets, TX_NULL, TX_NULL);
    tx_queue_performance_system_info_get(&sent, &received, TX_NULL, TX_NULL, TX_NULL, TX_NULL);
    write_threads(address);
    fprintf(file, "\n  ],\n");
    write_count("resumptions", resumptions, ",");
    write_count("suspensions", suspensions, ",");
    write_count("solicited_preemptions", solicited, ",");
    write_count("interrupt_preemptions", preemptions, ",");
    write_count("priority_inversions", inversions, ",");
    write_count("expirations", expirations, ",");
    write_count("semaphore_puts", puts, ",");
    write_count("semaphore_gets", gets, ",");
    write_count("queue_sends", sent, ",");
    write_count("queue_receives", received, ",");
    write_count("lost", rto_threadx_drain_overwritten(), "\n}");
    fclose(file);
}

void run_sender(ULONG unused)
{
    (void)unused;
    while (tx_time_get() < SECONDS * TX_TIMER_TICKS_PER_SECOND) {
        send_trace(10);
        tx_thread_sleep(4);
    }
    /* No interrupt comes any more. */
    __asm__ volatile("cpsid i" : : : "memory");
    tx_trace_disable();
    send_trace(UINT_MAX);
    write_truth();
    exit(0);
}

void start(void)
{
    enum { OBJECTS = 16 };
    static ULONG trace[(sizeof(TX_TRACE_HEADER) + OBJECTS * sizeof(TX_TRACE_OBJECT_ENTRY) +
                        ENTRIES * sizeof(TX_TRACE_BUFFER_ENTRY)) / sizeof(ULONG)];

    rto_threadx_drain_enable(trace, sizeof(trace), OBJECTS);
}

int main(void)
{
    open_truth();
    UART_DIVIDER = 16;
    UART_CONTROL = 1;
    tx_kernel_enter();
    return 1;
}
