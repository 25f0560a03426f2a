/*
 * A program on ThreadX for Arm's MPS2+ with image AN385, which QEMU emulates. It sends a compact
 * stream, and counts by itself what the stream should contain: interrupts, and the context switches
 * with ThreadX's own run counts. Markers have these numbers, so that a reader can compare.
 *
 * It runs for SECONDS, writes the counters to truth.json by semihosting, and ends. Compiled with
 * -DENDLESS it runs for ever, and takes commands of the host. It sends through the serial port, or
 * with -DRTT through a debug probe.
 */
#include "rtoscope_stream.h"

#ifdef RTT
#define RTO_RTT_IMPLEMENTATION
#include "rtoscope_rtt.h"
#endif

#include "tx_api.h"
#include "tx_initialize.h"
#include "tx_thread.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef SECONDS
#define SECONDS 1
#endif

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* 25 MHz; QEMU lacks DWT_CYCCNT. */
#define COUNTER ((volatile const uint32_t *)0x40028018u)
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
#define SYSTICK_VALUE REGISTER(0xE000E018u)
#define VECTOR_TABLE REGISTER(0xE000ED08u)
#define SYSTEM_PRIORITY_2 REGISTER(0xE000ED1Cu)
#define SYSTEM_PRIORITY_3 REGISTER(0xE000ED20u)

enum { TIMER_HANDLER = 24, SYSTICK_HANDLER = 15, STACK_SIZE = 2048 };

/* Numbers of markers: threads have those from 1 on. */
enum { FRAME = 0x1000, SWITCHES, INTERRUPTS };

extern struct rto_stream rto_threadx_stream;
extern VOID _tx_timer_interrupt(VOID);
extern VOID _tx_execution_isr_enter(VOID);
extern VOID _tx_execution_isr_exit(VOID);

static uint32_t words[8192];
static volatile uint32_t timer_interrupts, tick_interrupts;
static TX_THREAD sampler, filter, urgent, hog, sleeper, sender;
static TX_QUEUE frames;
static TX_SEMAPHORE samples;
static TX_MUTEX bus;
static TX_TIMER blink;

void timer_handler(void)
{
    _tx_execution_isr_enter();
    TIMER_CLEAR = 1;
    timer_interrupts = timer_interrupts + 1u;
    tx_semaphore_put(&samples);
    _tx_execution_isr_exit();
}

void systick_handler(void)
{
    _tx_execution_isr_enter();
    tick_interrupts = tick_interrupts + 1u;
    _tx_timer_interrupt();
    _tx_execution_isr_exit();
}

static void work(uint32_t ticks)
{
    const uint32_t start = *COUNTER;

    while (*COUNTER - start < ticks) {
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
        rto_stream_marker_begin(&rto_threadx_stream, FRAME, (uint32_t)sample);
        work(1500);
        rto_stream_marker_end(&rto_threadx_stream, FRAME, (uint32_t)sample);
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

static void run_hog(ULONG unused)
{
    (void)unused;
    for (;;) {
        tx_mutex_get(&bus, TX_WAIT_FOREVER);
        work(30000);
        tx_mutex_put(&bus);
        tx_thread_sleep(3);
    }
}

static void run_sleeper(ULONG unused)
{
    (void)unused;
    for (;;) {
        tx_thread_suspend(&sleeper);
    }
}

static void expire(ULONG unused)
{
    (void)unused;
    tx_thread_resume(&sleeper);
}

#ifdef RTT

static void start_transport(void)
{
    static uint8_t to_host[65536], to_target[64];

    rto_rtt_start(to_host, sizeof(to_host), to_target, sizeof(to_target));
}

static bool has_room(size_t count)
{
    return rto_rtt_room() >= count;
}

static void send(const uint8_t *bytes, size_t count)
{
    (void)rto_rtt_write(bytes, count);
}

static size_t receive(uint8_t *bytes, size_t size)
{
    return rto_rtt_read(bytes, size);
}

#else

static void start_transport(void)
{
    UART_DIVIDER = 16;
    UART_CONTROL = 3;
}

static bool has_room(size_t count)
{
    (void)count;
    return true;
}

static void send(const uint8_t *bytes, size_t count)
{
    size_t byte;

    for (byte = 0; byte < count; byte++) {
        while ((UART_STATE & 1u) != 0) {
        }
        UART_DATA = bytes[byte];
    }
}

static size_t receive(uint8_t *bytes, size_t size)
{
    size_t count = 0;

    while (count < size && (UART_STATE & 2u) != 0) {
        bytes[count++] = (uint8_t)UART_DATA;
    }
    return count;
}

#endif

/* Sends what was recorded, and carries out what the host asks for. While there is no room, entries
   stay in the ring. */
static void transfer(void)
{
    static uint8_t bytes[1024];
    size_t count;

    while (has_room(sizeof(bytes))
           && (count = rto_stream_read(&rto_threadx_stream, bytes, sizeof(bytes))) > 0) {
        send(bytes, count);
    }
    while ((count = receive(bytes, sizeof(bytes))) > 0) {
        rto_stream_take(&rto_threadx_stream, bytes, count);
    }
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

#ifndef ENDLESS

static FILE *file;

static void write_truth(void)
{
    static const TX_THREAD *const threads[] = {&sampler, &filter, &urgent,
                                               &hog,     &sleeper, &sender};
    size_t at;

    fprintf(file, "{\n  \"threads\": [\n");
    for (at = 0; at < sizeof(threads) / sizeof(threads[0]); at++) {
        fprintf(file, "    { \"name\": \"%s\", \"id\": %u, \"resumes\": %lu }%s\n",
                threads[at]->tx_thread_name, threads[at]->rto_number,
                threads[at]->tx_thread_run_count,
                at + 1 < sizeof(threads) / sizeof(threads[0]) ? "," : "");
    }
    fprintf(file, "  ],\n  \"handlers\": [\n    { \"number\": 24, \"entries\": %lu },\n",
            (unsigned long)timer_interrupts);
    fprintf(file, "    { \"number\": 15, \"entries\": %lu }\n  ],\n",
            (unsigned long)tick_interrupts);
    fprintf(file, "  \"lost\": %lu\n}\n", (unsigned long)rto_stream_lost(&rto_threadx_stream));
    fclose(file);
}

#endif

static void run_sender(ULONG unused)
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
#ifndef ENDLESS
    /* No interrupt comes any more. */
    __asm__ volatile("cpsid i" : : : "memory");
    rto_stream_stop(&rto_threadx_stream);
    transfer();
    write_truth();
    exit(0);
#endif
}

static void create(TX_THREAD *thread, CHAR *name, VOID (*entry)(ULONG), UINT priority,
                   ULONG time_slice)
{
    static ULONG stacks[6][STACK_SIZE / sizeof(ULONG)];
    static unsigned created;

    if (tx_thread_create(thread, name, entry, 0, stacks[created++], STACK_SIZE, priority,
                         priority, time_slice, TX_AUTO_START) != TX_SUCCESS) {
        abort();
    }
}

void tx_application_define(void *unused)
{
    static ULONG messages[4];

    (void)unused;
    tx_queue_create(&frames, "frames", TX_1_ULONG, messages, sizeof(messages));
    tx_semaphore_create(&samples, "samples", 0);
    tx_mutex_create(&bus, "bus", TX_INHERIT);
    create(&sampler, "sampler", run_sampler, 6, TX_NO_TIME_SLICE);
    create(&filter, "filter", run_filter, 8, TX_NO_TIME_SLICE);
    create(&urgent, "urgent", run_urgent, 9, TX_NO_TIME_SLICE);
    create(&sleeper, "sleeper", run_sleeper, 10, TX_NO_TIME_SLICE);
    create(&hog, "hog", run_hog, 10, 4);
    create(&sender, "sender", run_sender, 20, TX_NO_TIME_SLICE);
    tx_timer_create(&blink, "blink", expire, 0, 10, 10, TX_AUTO_ACTIVATE);
    NVIC_PRIORITY = 0x80;
    NVIC_ENABLE = 1u << 8;
    TIMER_RELOAD = COUNTER_HZ / 2000u;
    TIMER_CONTROL = 9;
}

int main(void)
{
#ifndef ENDLESS
    static char buffer[512];

    file = fopen("truth.json", "w");
    if (file == NULL || setvbuf(file, buffer, _IOFBF, sizeof(buffer)) != 0) {
        return 1;
    }
#endif
    start_transport();
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

/* The vectors. */
extern void _start(void);
extern void PendSV_Handler(void);
extern uint32_t stack_top;

static void stop(void)
{
    for (;;) {
    }
}

struct vectors {
    uint32_t *stack;
    void (*handlers[24])(void);
};

__attribute__((section(".vectors"), used))
static const struct vectors vectors = {
    &stack_top,
    {_start, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop,
     PendSV_Handler, systick_handler, stop, stop, stop, stop, stop, stop, stop, stop,
     timer_handler},
};

/* What the port leaves to the board. */
VOID _tx_initialize_low_level(VOID)
{
    static ULONG unused[1];

    _tx_initialize_unused_memory = unused;
    _tx_thread_system_stack_ptr = &stack_top;
    VECTOR_TABLE = (uint32_t)(uintptr_t)&vectors;
    SYSTICK_RELOAD = COUNTER_HZ / TX_TIMER_TICKS_PER_SECOND - 1u;
    SYSTICK_VALUE = 0;
    SYSTEM_PRIORITY_2 = 0xFF000000u;
    SYSTEM_PRIORITY_3 = 0x40FF0000u;
    SYSTICK_CONTROL = 7;
}
