/*
 * What the demonstrations on ThreadX for Arm's MPS2+ with image AN385 share: the board, which QEMU
 * emulates, threads with a queue, a semaphore, a mutex and two timers, and the file truth.json,
 * which is written by semihosting.
 *
 * A program defines before it includes this: HOG_TICKS, the ticks for which `hog` holds the mutex;
 * ENTER_HANDLER(number) and LEAVE_HANDLER(number); and afterwards filter_frame, run_sender, tasks,
 * start and systick_handler.
 */
/* Not the models of these in this folder. */
#include <tx_api.h>
#include <tx_initialize.h>
#include <tx_thread.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

enum { SAMPLER, FILTER, URGENT, SLEEPER, HOG, SENDER, THREADS };

static const struct task {
    UINT priority;
    ULONG time_slice;
} tasks[THREADS];

static TX_THREAD threads[THREADS];
static TX_SEMAPHORE samples;
static TX_QUEUE frames;
static TX_MUTEX bus;
static TX_TIMER blink;
static volatile uint32_t timer_interrupts, expirations;

void filter_frame(ULONG frame);
void run_sender(ULONG unused);
/* Starts the recorder, before the objects are created. */
void start(void);
void systick_handler(void);

void timer_handler(void)
{
    ENTER_HANDLER(TIMER_HANDLER);
    TIMER_CLEAR = 1;
    timer_interrupts = timer_interrupts + 1u;
    tx_semaphore_put(&samples);
    LEAVE_HANDLER(TIMER_HANDLER);
}

static void work(uint32_t ticks)
{
    const uint32_t begin = *COUNTER;

    while (*COUNTER - begin < ticks) {
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
        filter_frame(sample);
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
        tx_thread_suspend(&threads[SLEEPER]);
    }
}

static void run_hog(ULONG unused)
{
    (void)unused;
    for (;;) {
        tx_mutex_get(&bus, TX_WAIT_FOREVER);
        work(HOG_TICKS);
        tx_mutex_put(&bus);
        tx_thread_sleep(3);
    }
}

static void expire(ULONG unused)
{
    (void)unused;
    expirations = expirations + 1u;
    tx_thread_resume(&threads[SLEEPER]);
}

static void send(const uint8_t *bytes, size_t count)
{
    for (; count > 0; count--) {
        while ((UART_STATE & 1u) != 0) {
        }
        UART_DATA = *bytes++;
    }
}

/* Opened before threads run: the C library finds no memory from a thread's stack. */
static FILE *file;

static void open_truth(void)
{
    static char buffer[512];

    file = fopen("truth.json", "w");
    if (file == NULL || setvbuf(file, buffer, _IOFBF, sizeof(buffer)) != 0) {
        abort();
    }
}

/* The beginning of truth.json: threads, with their ids in the recording, and the timer. */
static void write_threads(unsigned long (*id)(const TX_THREAD *thread))
{
    unsigned at;

    fprintf(file, "{\n  \"threads\": [\n");
    for (at = 0; at < THREADS; at++) {
        fprintf(file, "    { \"name\": \"%s\", \"id\": %lu, \"resumes\": %lu }%s\n",
                threads[at].tx_thread_name, id(&threads[at]),
                (unsigned long)threads[at].tx_thread_run_count, at + 1 < THREADS ? "," : "");
    }
    fprintf(file, "  ],\n  \"handlers\": [\n    { \"number\": 24, \"entries\": %lu }",
            (unsigned long)timer_interrupts);
}

static void write_count(const char *name, unsigned long count, const char *next)
{
    fprintf(file, "  \"%s\": %lu%s\n", name, count, next);
}

void tx_application_define(void *unused)
{
    static const char *const names[THREADS] = {"sampler", "filter", "urgent",
                                               "sleeper", "hog",    "sender"};
    static void (*const runs[THREADS])(ULONG) = {run_sampler, run_filter, run_urgent,
                                                 run_sleeper, run_hog,    run_sender};
    static ULONG messages[4], stacks[THREADS][STACK_SIZE / sizeof(ULONG)];
    unsigned at;

    (void)unused;
    start();
    tx_semaphore_create(&samples, "samples", 0);
    tx_queue_create(&frames, "frames", TX_1_ULONG, messages, sizeof(messages));
    tx_mutex_create(&bus, "bus", TX_INHERIT);
    for (at = 0; at < THREADS; at++) {
        if (tx_thread_create(&threads[at], (CHAR *)names[at], runs[at], 0, stacks[at], STACK_SIZE,
                             tasks[at].priority, tasks[at].priority, tasks[at].time_slice,
                             TX_AUTO_START) != TX_SUCCESS) {
            abort();
        }
    }
    tx_timer_create(&blink, "blink", expire, 0, 10, 10, TX_AUTO_ACTIVATE);
    NVIC_PRIORITY = 0x80;
    NVIC_ENABLE = 1u << 8;
    TIMER_RELOAD = COUNTER_HZ / 1000000u * PERIOD;
    TIMER_CONTROL = 9;
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

    __asm__ volatile("cpsid i" : : : "memory");
    _tx_initialize_unused_memory = unused;
    _tx_thread_system_stack_ptr = &stack_top;
    VECTOR_TABLE = (uint32_t)(uintptr_t)&vectors;
    SYSTICK_RELOAD = COUNTER_HZ / TX_TIMER_TICKS_PER_SECOND - 1u;
    SYSTICK_VALUE = 0;
    /* Switches have the lowest priority, then the tick. */
    SYSTEM_PRIORITY_2 = 0xFF000000u;
    SYSTEM_PRIORITY_3 = 0x40FF0000u;
    SYSTICK_CONTROL = 7;
}
