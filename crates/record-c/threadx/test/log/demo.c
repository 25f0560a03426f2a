/*
 * A program on ThreadX that records a context-switch log for TICKS, and saves it as log.cswl. In
 * truth.json is why threads had stopped when they were resumed, by their own calls of the scheduler:
 * link it with --wrap=PendSV_Handler,--wrap=_tx_thread_system_return.
 */
#include "rtoscope.h"

#ifndef TICKS
#define TICKS 1000
#endif

/* Entries of the log, which must not be full at the end. */
#ifndef ENTRIES
#define ENTRIES 100000
#endif

#define PERIOD 2300
#define HOG_TICKS 100000
#define ENTER_HANDLER(number) _tx_execution_isr_enter()
#define LEAVE_HANDLER(number) _tx_execution_isr_exit()
extern void _tx_execution_isr_enter(void);
extern void _tx_execution_isr_exit(void);
#include "../demo.h"

static const struct task tasks[THREADS] = {
    [SAMPLER] = {6, TX_NO_TIME_SLICE},  [FILTER] = {8, TX_NO_TIME_SLICE},
    [URGENT] = {9, TX_NO_TIME_SLICE},   [SLEEPER] = {10, TX_NO_TIME_SLICE},
    [HOG] = {20, 2},                    [SENDER] = {20, TX_NO_TIME_SLICE},
};

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
    (void)frame;
    work(1500);
}

static void write_bytes(void *to, const uint8_t *bytes, size_t count)
{
    fwrite(bytes, 1, count, to);
}

static void save_log(void)
{
    static char buffer[1024];
    const struct rto_cswitch *const logs[] = {&rtoscope_cswitch_log};
    /* The program's constants. */
    const struct rto_memory_region constants = {NULL, (const void *)0x00400000};
    const struct rto_cswitch_save_options options = {
        .logs = logs, .cores = 1, .counter_bits = 32, .frequency_hz = COUNTER_HZ,
        .readable = &constants, .regions = 1,
    };
    FILE *log = fopen("log.cswl", "wb");

    if (log == NULL || setvbuf(log, buffer, _IOFBF, sizeof(buffer)) != 0) {
        abort();
    }
    rto_cswitch_save(&options, write_bytes, log);
    fclose(log);
}

/* Switches away from each thread, the kernel's timer included, and what they left. */
static struct stops {
    const TX_THREAD *thread;
    ULONG calls, preemptions;
    bool has_called;
} stops[THREADS + 2];

/* The running thread has called the scheduler. */
static volatile bool is_calling;

extern VOID __real__tx_thread_system_return(VOID);
extern void __real_PendSV_Handler(void);

VOID __wrap__tx_thread_system_return(VOID)
{
    TX_INTERRUPT_SAVE_AREA

    /* No interrupt comes between the two. */
    TX_DISABLE
    is_calling = is_calling || TX_THREAD_GET_SYSTEM_STATE() == 0;
    __real__tx_thread_system_return();
    TX_RESTORE
}

void count_switch(void)
{
    const TX_THREAD *const thread = _tx_thread_current_ptr;
    struct stops *stop = stops;

    if (thread != TX_NULL) {
        while (stop->thread != thread && stop->thread != TX_NULL) {
            stop++;
        }
        stop->thread = thread;
        stop->has_called = is_calling || thread->tx_thread_state != TX_READY;
        is_calling = false;
        stop->calls += stop->has_called;
        stop->preemptions += !stop->has_called;
    }
}

__attribute__((naked)) void __wrap_PendSV_Handler(void)
{
    __asm__("push {r0, lr}\n\t"
            "bl count_switch\n\t"
            "pop {r0, r1}\n\t"
            "mov lr, r1\n\t"
            "ldr r0, =__real_PendSV_Handler\n\t"
            "bx r0");
}

static unsigned long address(const TX_THREAD *thread)
{
    return (unsigned long)(uintptr_t)thread->tx_thread_name;
}

static void write_truth(void)
{
    const struct stops *stop;
    ULONG calls = 0, preemptions = 0;

    /* A thread starts as if it had been preempted. All but the running one have stopped. */
    for (stop = stops; stop->thread != TX_NULL; stop++) {
        const bool is_stopped = stop->thread != _tx_thread_current_ptr;

        calls += stop->calls - (is_stopped && stop->has_called);
        preemptions += 1 + stop->preemptions - (is_stopped && !stop->has_called);
    }
    write_threads(address);
    fprintf(file, ",\n    { \"number\": 15, \"entries\": %lu }\n  ],\n",
            (unsigned long)tick_interrupts);
    write_count("synchronous", calls, ",");
    write_count("asynchronous", preemptions, "\n}");
    fclose(file);
}

/* Works, gives way to `hog`, which has its priority, and waits. */
void run_sender(ULONG unused)
{
    (void)unused;
    while (tx_time_get() < TICKS) {
        work(20000);
        tx_thread_relinquish();
        tx_thread_sleep(1);
    }
    /* No interrupt comes any more. */
    __asm__ volatile("cpsid i" : : : "memory");
    rto_cswitch_stop(&rtoscope_cswitch_log, NULL);
    save_log();
    write_truth();
    exit(0);
}

void start(void)
{
}

int main(void)
{
    static struct rto_cswitch_entry entries[ENTRIES];

    open_truth();
    rto_cswitch_init(&rtoscope_cswitch_log, COUNTER);
    rto_cswitch_start(&rtoscope_cswitch_log, entries, ENTRIES, false);
    tx_kernel_enter();
    return 1;
}
