/* What the hooks record on a Cortex-M: addresses, of a thread that runs on the process stack, is
   interrupted by an exception and continues; and whether a resumed thread had been preempted. */
#include <stdio.h>

#include "tx_thread.h"
#include "rtoscope.h"

void _tx_execution_thread_enter(void);
void _tx_execution_thread_exit(void);
void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);

TX_THREAD *_tx_thread_current_ptr;
TX_THREAD *_tx_thread_execute_ptr;

void _tx_thread_schedule(void)
{
}

static void entry(unsigned long input)
{
    (void)input;
}

void supervisor_call(void)
{
    _tx_execution_isr_enter();
    _tx_execution_isr_exit();
}

static uint32_t process_stack[64];

/* Interrupts itself on the process stack; returns the address of the next instruction. */
static uint32_t interrupted_at(void)
{
    uint32_t after;

    __asm__ volatile("msr psp, %1\n\t"
                     "mov %0, #2\n\t"
                     "msr control, %0\n\t"
                     "isb\n\t"
                     "svc 0\n"
                     "1:\tmov %0, #0\n\t"
                     "msr control, %0\n\t"
                     "isb\n\t"
                     "ldr %0, =1b\n\t"
                     : "=&r"(after)
                     : "r"(process_stack + 64)
                     : "r0", "r1", "r2", "r3", "r12", "lr", "memory", "cc");
    return after & ~1u;
}

/* What happens while a thread runs, up to its resumption: the thread sets PendSV pending (p), or
   waits (w); handlers begin and end, and set PendSV pending (h); PendSV begins (s), and calls the
   hook (x). */
struct suspension {
    const char *steps;
    bool is_sync;
};

static const struct suspension suspensions[] = {
    /* A thread that starts. */
    {"", false},
    {"psx", true},
    {"(h)sx", false},
    {"((h))sx", false},
    {"(h)()sx", false},
    /* Handlers between the call and PendSV, and before the call of a thread that waits. */
    {"p()sx", true},
    {"p(h)sx", true},
    {"w(h)sx", true},
    /* Handlers interrupt PendSV before the hook, or between the hooks. If it is then pending, the
       thread does not run before the next one. */
    {"ps(h)x", true},
    {"sx", false},
    {"(h)s(h)x", false},
    {"sx", false},
    {"psx(h)s", true},
    {"psx(h)", true},
    {"sx", false},
};

enum { SUSPENSIONS = sizeof(suspensions) / sizeof(suspensions[0]), ENTRIES = 64 };

static void take(char step, TX_THREAD *thread)
{
    volatile uint32_t *const state = (volatile uint32_t *)0xE000ED04u;

    switch (step) {
    case 'p':
    case 'h':
        *state = 1u << 28;
        break;
    case 's':
        *state = 1u << 27;
        break;
    case 'w':
        thread->tx_thread_state = TX_READY + 1;
        break;
    case '(':
        _tx_execution_isr_enter();
        break;
    case ')':
        _tx_execution_isr_exit();
        break;
    default:
        _tx_execution_thread_exit();
        break;
    }
}

/* Resumes a thread after each of the suspensions; returns whether a kind is wrong. */
static int kinds(TX_THREAD *thread, uint32_t *saved)
{
    static struct rto_cswitch_entry entries[ENTRIES];
    struct rto_cswitch_position position;
    unsigned number, resumed = 0;
    int wrong = 0;

    rto_cswitch_start(&rtoscope_cswitch_log, entries, ENTRIES, false);
    /* PendSV is not taken. */
    __asm__ volatile("cpsid i\n\tmsr psp, %0" : : "r"(saved + 9) : "memory");
    for (number = 0; number < SUSPENSIONS; number++) {
        for (const char *step = suspensions[number].steps; *step != '\0'; step++) {
            take(*step, thread);
        }
        thread->tx_thread_state = TX_READY;
        _tx_execution_thread_enter();
    }
    take('s', thread);
    __asm__ volatile("cpsie i" : : : "memory");
    rto_cswitch_stop(&rtoscope_cswitch_log, &position);
    for (number = 0; number < position.written; number++) {
        const uint32_t kind = entries[number].kind;

        if (kind == RTO_SYNC_RESUME || kind == RTO_ASYNC_RESUME) {
            if ((kind == RTO_SYNC_RESUME) != suspensions[resumed].is_sync) {
                printf("suspension %s has kind %u\n", suspensions[resumed].steps, (unsigned)kind);
                wrong = 1;
            }
            resumed++;
        }
    }
    return wrong || resumed != SUSPENSIONS || saved[9 + 7] != 1u << 24;
}

int main(void)
{
    static struct rto_cswitch_entry entries[8];
    /* A thread as saved by the port: LR, R4 to R11, and the frame of an exception with
       the program counter. */
    static uint32_t saved[17] = {0xFFFFFFFDu};
    static TX_THREAD thread = {"worker", TX_READY, saved, entry};
    struct rto_cswitch_position position;
    const uintptr_t handler = (uintptr_t)supervisor_call;
    uintptr_t expected[] = {0x1234, handler, handler, 0};
    int wrong = 0;

    saved[9 + 6] = 0x1234;
    saved[9 + 7] = 1u << 24;
    rto_cswitch_start(&rtoscope_cswitch_log, entries, 8, false);
    _tx_thread_current_ptr = _tx_thread_execute_ptr = &thread;
    _tx_execution_thread_enter();
    expected[3] = interrupted_at();

    rto_cswitch_stop(&rtoscope_cswitch_log, &position);
    for (unsigned number = 0; number < 4; number++) {
        if (position.written != 4 || entries[number].address != expected[number]) {
            printf("%u entries; entry %u has address %#lx, expected %#lx\n",
                   (unsigned)position.written, number, (unsigned long)entries[number].address,
                   (unsigned long)expected[number]);
            wrong = 1;
        }
    }
    return wrong | kinds(&thread, saved);
}
