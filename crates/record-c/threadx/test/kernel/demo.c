/*
 * A program on ThreadX for Arm's MPS2+ with image AN385, which QEMU emulates. It sends the trace
 * that the kernel writes through the serial port while it records. After SECONDS it writes what
 * the kernel counted to truth.json, by semihosting, and ends.
 */
#include "tx_api.h"
#include "tx_thread.h"
#include "tx_trace.h"

#define RTO_THREADX_DRAIN_IMPLEMENTATION
#include "rtoscope_threadx_drain.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

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

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define COUNTER_HZ 25000000u

#define UART_DATA REGISTER(0x40004000u)
#define UART_STATE REGISTER(0x40004004u)
#define UART_CONTROL REGISTER(0x40004008u)
#define UART_DIVIDER REGISTER(0x40004010u)

/* A timer whose interrupt, 8, has exception number 24. */
#define TIMER_CONTROL REGISTER(0x40000000u)
#define TIMER_RELOAD REGISTER(0x40000008u)
#define TIMER_CLEAR REGISTER(0x4000000Cu)
#define NVIC_ENABLE REGISTER(0xE000E100u)
#define NVIC_PRIORITY REGISTER(0xE000E408u)
#define SYSTICK_CONTROL REGISTER(0xE000E010u)
#define SYSTICK_RELOAD REGISTER(0xE000E014u)
#define VECTOR_TABLE REGISTER(0xE000ED08u)
#define SYSTEM_PRIORITY_2 REGISTER(0xE000ED1Cu)
#define SYSTEM_PRIORITY_3 REGISTER(0xE000ED20u)

enum { TIMER_HANDLER = 24, STACK = 2048, THREADS = 6, OBJECTS = 16 };

static ULONG trace[(sizeof(TX_TRACE_HEADER) + OBJECTS * sizeof(TX_TRACE_OBJECT_ENTRY) +
                    ENTRIES * sizeof(TX_TRACE_BUFFER_ENTRY)) / sizeof(ULONG)];
static TX_THREAD threads[THREADS];
static ULONG stacks[THREADS][STACK / sizeof(ULONG)];
static TX_SEMAPHORE samples;
static TX_QUEUE frames;
static ULONG frames_memory[4];
static TX_MUTEX bus;
static TX_TIMER blink;
static volatile uint32_t interrupts, expirations;

static TX_THREAD *const sampler = &threads[0], *const filter = &threads[1],
                        *const urgent = &threads[2], *const sleeper = &threads[3],
                        *const hog = &threads[4], *const sender = &threads[5];

void timer_handler(void)
{
    _tx_trace_isr_enter_insert(TIMER_HANDLER);
    TIMER_CLEAR = 1;
    interrupts = interrupts + 1u;
    tx_semaphore_put(&samples);
    _tx_trace_isr_exit_insert(TIMER_HANDLER);
}

static void work(uint32_t ticks)
{
    const uint32_t start = TX_TRACE_TIME_SOURCE;

    while (TX_TRACE_TIME_SOURCE - start < ticks) {
    }
}

static void run_sampler(ULONG unused)
{
    ULONG sample = 0;

    (void)unused;
    for (;;) {
        tx_semaphore_get(&samples, TX_WAIT_FOREVER);
        work(500);
        sample++;
        tx_queue_send(&frames, &sample, TX_NO_WAIT);
    }
}

static void run_filter(ULONG unused)
{
    ULONG sample;

    (void)unused;
    for (;;) {
        tx_queue_receive(&frames, &sample, TX_WAIT_FOREVER);
        work(1500);
    }
}

/* Takes a mutex that a less important thread holds, which inherits its priority. */
static void run_urgent(ULONG unused)
{
    (void)unused;
    for (;;) {
        tx_thread_sleep(5);
        tx_mutex_get(&bus, TX_WAIT_FOREVER);
        work(800);
        tx_mutex_put(&bus);
    }
}

static void run_sleeper(ULONG unused)
{
    (void)unused;
    for (;;) {
        tx_thread_suspend(sleeper);
    }
}

static void run_hog(ULONG unused)
{
    (void)unused;
    for (;;) {
        tx_mutex_get(&bus, TX_WAIT_FOREVER);
        work(100000);
        tx_mutex_put(&bus);
        tx_thread_sleep(3);
    }
}

static void expire(ULONG unused)
{
    (void)unused;
    expirations = expirations + 1u;
    tx_thread_resume(sleeper);
}

/* Sends packets until nothing is new, at most this many: there may always be something new. */
static void send_trace(unsigned packets)
{
    static uint8_t bytes[1024];
    size_t length, byte;

    while (packets-- > 0 && (length = rto_threadx_drain_read(bytes, sizeof(bytes))) > 0) {
        for (byte = 0; byte < length; byte++) {
            while ((UART_STATE & 1u) != 0) {
            }
            UART_DATA = bytes[byte];
        }
    }
}

/* Opened before threads run: the C library finds no memory from a thread's stack. */
static FILE *file;
static char file_buffer[512];

static void write_truth(void)
{
    static const char *const names[THREADS] = {"sampler", "filter", "urgent",
                                               "sleeper", "hog",    "sender"};
    ULONG resumptions, suspensions, solicited, preemptions, inversions;
    ULONG puts, gets, sent, received;
    unsigned at;

    tx_thread_performance_system_info_get(&resumptions, &suspensions, &solicited, &preemptions,
                                          TX_NULL, TX_NULL, TX_NULL, TX_NULL, TX_NULL, TX_NULL,
                                          TX_NULL);
    tx_mutex_performance_system_info_get(TX_NULL, TX_NULL, TX_NULL, TX_NULL, &inversions, TX_NULL);
    tx_semaphore_performance_system_info_get(&puts, &gets, TX_NULL, TX_NULL);
    tx_queue_performance_system_info_get(&sent, &received, TX_NULL, TX_NULL, TX_NULL, TX_NULL);
    fprintf(file, "{\n  \"threads\": [\n");
    for (at = 0; at < THREADS; at++) {
        fprintf(file, "    { \"name\": \"%s\", \"id\": %lu, \"resumes\": %lu }%s\n", names[at],
                (unsigned long)(uintptr_t)&threads[at],
                (unsigned long)threads[at].tx_thread_run_count, at + 1 < THREADS ? "," : "");
    }
    fprintf(file, "  ],\n  \"handlers\": [{ \"number\": 24, \"entries\": %lu }],\n",
            (unsigned long)interrupts);
    fprintf(file, "  \"resumptions\": %lu,\n  \"suspensions\": %lu,\n", resumptions, suspensions);
    fprintf(file, "  \"solicited_preemptions\": %lu,\n  \"interrupt_preemptions\": %lu,\n",
            solicited, preemptions);
    fprintf(file, "  \"priority_inversions\": %lu,\n  \"expirations\": %lu,\n", inversions,
            (unsigned long)expirations);
    fprintf(file, "  \"semaphore_puts\": %lu,\n  \"semaphore_gets\": %lu,\n", puts, gets);
    fprintf(file, "  \"queue_sends\": %lu,\n  \"queue_receives\": %lu,\n", sent, received);
    fprintf(file, "  \"lost\": %lu\n}\n", (unsigned long)rto_threadx_drain_overwritten());
    fclose(file);
}

static void run_sender(ULONG unused)
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

void tx_application_define(void *unused)
{
    static const struct {
        const char *name;
        void (*run)(ULONG);
        UINT priority;
    } tasks[THREADS] = {
        {"sampler", run_sampler, 4}, {"filter", run_filter, 8},   {"urgent", run_urgent, 10},
        {"sleeper", run_sleeper, 12}, {"hog", run_hog, 14},        {"sender", run_sender, 20},
    };
    unsigned at;

    (void)unused;
    rto_threadx_drain_enable(trace, sizeof(trace), OBJECTS);
    tx_semaphore_create(&samples, "samples", 0);
    tx_queue_create(&frames, "frames", TX_1_ULONG, frames_memory, sizeof(frames_memory));
    tx_mutex_create(&bus, "bus", TX_INHERIT);
    for (at = 0; at < THREADS; at++) {
        tx_thread_create(&threads[at], (CHAR *)tasks[at].name, tasks[at].run, 0, stacks[at], STACK,
                         tasks[at].priority, tasks[at].priority, TX_NO_TIME_SLICE, TX_AUTO_START);
    }
    tx_timer_create(&blink, "blink", expire, 0, 10, 10, TX_AUTO_ACTIVATE);
    NVIC_PRIORITY = 0x80;
    NVIC_ENABLE = 1u << 8;
    TIMER_RELOAD = COUNTER_HZ / 1000000u * PERIOD;
    TIMER_CONTROL = 9;
}

int main(void)
{
    file = fopen("truth.json", "w");
    if (file == NULL || setvbuf(file, file_buffer, _IOFBF, sizeof(file_buffer)) != 0) {
        return 1;
    }
    UART_DIVIDER = 16;
    UART_CONTROL = 1;
    tx_kernel_enter();
    return 1;
}

/* The board: vectors, and the kernel's initialisation. */
extern void _start(void);
extern void __tx_PendSVHandler(void);
extern void _tx_timer_interrupt(void);
extern VOID *_tx_thread_system_stack_ptr;
extern VOID *_tx_initialize_unused_memory;
extern uint32_t stack_top;

static void stop(void)
{
    for (;;) {
    }
}

static void systick_handler(void)
{
    _tx_timer_interrupt();
}

struct vectors {
    uint32_t *stack;
    void (*handlers[24])(void);
};

__attribute__((section(".vectors"), used))
static const struct vectors vectors = {
    &stack_top,
    {_start, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop,
     __tx_PendSVHandler, systick_handler, stop, stop, stop, stop, stop, stop, stop, stop,
     timer_handler},
};

VOID _tx_initialize_low_level(VOID)
{
    static ULONG unused[1];

    __asm__ volatile("cpsid i" : : : "memory");
    _tx_initialize_unused_memory = unused;
    _tx_thread_system_stack_ptr = &stack_top;
    VECTOR_TABLE = (uint32_t)(uintptr_t)&vectors;
    SYSTICK_RELOAD = COUNTER_HZ / TX_TIMER_TICKS_PER_SECOND - 1u;
    SYSTICK_CONTROL = 7;
    /* Switches have the lowest priority, then the tick. */
    SYSTEM_PRIORITY_2 = 0xFF000000u;
    SYSTEM_PRIORITY_3 = 0x40FF0000u;
}
