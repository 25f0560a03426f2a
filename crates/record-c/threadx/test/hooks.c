/* Calls the hooks as ThreadX's scheduler and interrupts do, triggers another interrupt
   at each possible point, and checks the log. */
#include <stdio.h>
#include <string.h>

#include "tx_thread.h"
#include "rtoscope.h"

/* Interrupts may occur before and after each entry. */
#define rto_cswitch_sleep(log, address, name) \
    (interrupt_point(), rto_cswitch_sleep(log, address, name), interrupt_point())
#define rto_cswitch_wake(log, address, name) \
    (interrupt_point(), rto_cswitch_wake(log, address, name), interrupt_point())
#define rto_cswitch_isr_enter(log, handler) \
    (interrupt_point(), rto_cswitch_isr_enter(log, handler), interrupt_point())
#define rto_cswitch_isr_exit(log, handler) \
    (interrupt_point(), rto_cswitch_isr_exit(log, handler), interrupt_point())
#define rto_cswitch_record(kind, log, address, name) \
    (interrupt_point(), rto_cswitch_record(kind, log, address, name), interrupt_point())

#include "../rtoscope_execution.c"

TX_THREAD *threadx_current;
TX_THREAD *threadx_execute;
bool masked;

void _tx_thread_schedule(void)
{
}

static void entry(unsigned long input)
{
    (void)input;
}

static TX_THREAD low = {"low", NULL, entry, 0x1110}, high = {"high", NULL, entry, 0x2220};
static rto_counter ticks;

enum { TIMER = 0x100, NESTED = 0x200, NEVER = -1 };

/* The running handlers, the innermost last. */
static uintptr_t running_handlers[4];
static unsigned depth;
/* Whether the scheduler runs: it has the lowest priority, so it never nests. */
static bool scheduling, idling;
/* The point at which the other interrupt occurs, and the thread that it makes
   ready. */
static int points, chosen = NEVER;
static TX_THREAD *readied;

uintptr_t handler_here(void)
{
    interrupt_point();
    return running_handlers[depth - 1];
}

static void handler(uintptr_t address, TX_THREAD *ready)
{
    running_handlers[depth++] = address;
    _tx_execution_isr_enter();
    ticks = ticks + 1;
    if (ready != NULL) {
        threadx_execute = ready;
    }
    _tx_execution_isr_exit();
    depth--;
}

void interrupt_point(void)
{
    if (!masked && points++ == chosen) {
        handler(NESTED, readied);
    }
}

/* The scheduler: dispatches the next thread. */
static void schedule(void)
{
    if (scheduling || depth > 0) {
        return;
    }
    scheduling = true;
    if (!idling) {
        _tx_execution_thread_exit();
        interrupt_point();
        threadx_current = TX_NULL;
    }
    interrupt_point();
    idling = threadx_execute == TX_NULL;
    if (!idling) {
        threadx_current = threadx_execute;
        interrupt_point();
        _tx_execution_thread_enter();
    }
    scheduling = false;
    /* An interrupt may have occurred in the meantime. */
    if (threadx_execute != threadx_current) {
        schedule();
    }
}

/* An interrupt, which makes `ready`, if not null, the next thread. */
static void interrupt(TX_THREAD *ready)
{
    handler(TIMER, ready);
    if (threadx_current != threadx_execute) {
        schedule();
    }
}

static void wait_for(TX_THREAD *next)
{
    threadx_execute = next;
    ticks = ticks + 1;
    schedule();
}

static struct rto_cswitch_entry entries[96];

/* Threads run, wait and are interrupted; returns the number of entries. */
static unsigned run(void)
{
    struct rto_cswitch_position position;

    threadx_current = threadx_execute = TX_NULL;
    running = TX_NULL;
    asleep = idling = false;
    points = 0;
    rto_cswitch_init(&rtoscope_cswitch_log, &ticks);
    rto_cswitch_start(&rtoscope_cswitch_log, entries, 96, false);

    schedule();
    interrupt(&low);
    interrupt(TX_NULL);
    interrupt(&high);
    wait_for(&low);
    wait_for(TX_NULL);
    interrupt(TX_NULL);
    interrupt(TX_NULL);

    rto_cswitch_stop(&rtoscope_cswitch_log, &position);
    return (unsigned)position.written;
}

struct expected {
    uint32_t kind;
    uintptr_t address;
    const char *name;
};

static int check_uninterrupted(void)
{
    const uintptr_t thread = (uintptr_t)entry, idle = (uintptr_t)_tx_thread_schedule;
    const struct expected expected[] = {
        /* No thread is ready when the scheduler starts. */
        {RTO_SLEEP, idle, "idle"},
        {RTO_WAKE, TIMER, "idle"}, {RTO_ISR_ENTER, TIMER, "ISR"}, {RTO_ISR_EXIT, TIMER, "ISR"},
        {RTO_SYNC_RESUME, thread, "low"},
        /* An interrupt that changes nothing: the interrupted thread continues. */
        {RTO_ISR_ENTER, TIMER, "ISR"}, {RTO_ISR_EXIT, TIMER, "ISR"},
        {RTO_ISR_RETURN, 0x1110, "low"},
        /* A preemption. */
        {RTO_ISR_ENTER, TIMER, "ISR"}, {RTO_ISR_EXIT, TIMER, "ISR"},
        {RTO_SYNC_RESUME, thread, "high"},
        /* Both threads wait. */
        {RTO_SYNC_RESUME, thread, "low"}, {RTO_SLEEP, idle, "idle"},
        /* Interrupts that make no thread ready. */
        {RTO_WAKE, TIMER, "idle"}, {RTO_ISR_ENTER, TIMER, "ISR"}, {RTO_ISR_EXIT, TIMER, "ISR"},
        {RTO_SLEEP, idle, "idle"},
        {RTO_WAKE, TIMER, "idle"}, {RTO_ISR_ENTER, TIMER, "ISR"}, {RTO_ISR_EXIT, TIMER, "ISR"},
        {RTO_SLEEP, idle, "idle"},
    };
    const unsigned count = sizeof expected / sizeof expected[0];
    const unsigned written = run();
    int wrong = 0;

    if (written != count) {
        printf("%u entries, not %u\n", written, count);
        wrong = 1;
    }
    for (unsigned number = 0; number < count; number++) {
        const struct rto_cswitch_entry *found = &entries[number];

        if (found->kind != expected[number].kind || found->address != expected[number].address
            || found->name == NULL || strcmp(found->name, expected[number].name) != 0) {
            printf("entry %u is of kind %u, at %#lx, of %s\n", number, (unsigned)found->kind,
                   (unsigned long)found->address, found->name == NULL ? "?" : found->name);
            wrong = 1;
        }
    }
    return wrong;
}

/* Invariants of every log: sleep and wake alternate, no handler runs and no thread is
   resumed while asleep, handlers nest, and after the outermost handler only the
   running thread is returned to. */
static int check_invariants(unsigned written)
{
    bool sleeps = false;
    const char *thread = NULL;
    uintptr_t nested[4];
    unsigned inside = 0;

    for (unsigned number = 0; number < written; number++) {
        const struct rto_cswitch_entry *found = &entries[number];
        bool right = false;

        switch (found->kind) {
        case RTO_SLEEP:
            right = !sleeps && inside == 0;
            sleeps = true;
            thread = NULL;
            break;
        case RTO_WAKE:
            right = sleeps && inside == 0;
            sleeps = false;
            break;
        case RTO_SYNC_RESUME:
            right = !sleeps && inside == 0;
            thread = found->name;
            break;
        case RTO_ISR_ENTER:
            right = !sleeps && inside < 4;
            nested[inside & 3] = found->address;
            inside++;
            break;
        case RTO_ISR_EXIT:
            right = !sleeps && inside > 0 && nested[(inside - 1) & 3] == found->address;
            inside--;
            break;
        case RTO_ISR_RETURN:
            right = !sleeps && inside == 0 && thread == found->name
                && found->address == (thread == low.tx_thread_name ? low : high).interrupted;
            break;
        }
        if (!right) {
            printf("with an interrupt at point %d, entry %u of %u is of kind %u\n", chosen, number,
                   written, (unsigned)found->kind);
            return 1;
        }
    }
    if (inside != 0 || sleeps != (threadx_current == TX_NULL)) {
        printf("with an interrupt at point %d, the log and the program end in different states\n", chosen);
        return 1;
    }
    return 0;
}

int main(void)
{
    TX_THREAD *const readies[] = {TX_NULL, &high};
    int wrong = check_uninterrupted();
    const int all = points;

    for (unsigned which = 0; which < 2; which++) {
        readied = readies[which];
        for (chosen = 0; chosen < all; chosen++) {
            const unsigned written = run();

            wrong |= written == 0 || check_invariants(written);
        }
    }
    printf("%d interrupt points\n", all);
    return wrong || all < 50;
}
