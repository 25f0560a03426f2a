/* The addresses that the hooks record on a Cortex-M: a thread runs on the process
   stack, an exception interrupts it, and it continues. */
#include <stdio.h>

#include "tx_thread.h"
#include "rtoscope.h"

void _tx_execution_thread_enter(void);
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

/* Code around the point at which a thread was suspended, and whether it had called the
   scheduler itself. */
struct suspension {
    uint16_t before[4];
    uint16_t after[2];
    bool is_sync;
};

static const struct suspension suspensions[] = {
    /* CPSIE i | MSR PRIMASK, r1, as in _tx_thread_system_return. */
    {{0xBF00, 0xBF00, 0xBF00, 0xB662}, {0xF381, 0x8810}, true},
    /* CPSIE i; MSR PRIMASK, r3 | */
    {{0xBF00, 0xB662, 0xF383, 0x8810}, {0xBF00, 0xBF00}, true},
    /* MSR BASEPRI, r0 | MSR BASEPRI, r1. */
    {{0xBF00, 0xBF00, 0xF380, 0x8811}, {0xF381, 0x8811}, true},
    {{0xF380, 0x8811, 0xF381, 0x8811}, {0xBF00, 0xBF00}, true},
    /* TX_RESTORE, and an application that enables interrupts. */
    {{0xBF00, 0xBF00, 0xF381, 0x8810}, {0xBF00, 0xBF00}, false},
    {{0xBF00, 0xBF00, 0xF381, 0x8811}, {0xBF00, 0xBF00}, false},
    {{0xBF00, 0xBF00, 0xBF00, 0xB662}, {0xBF00, 0xBF00}, false},
    {{0xBF00, 0xBF00, 0xBF00, 0xBF00}, {0xBF00, 0xBF00}, false},
};

enum { SUSPENSIONS = sizeof(suspensions) / sizeof(suspensions[0]) };

/* Resumes a thread from each of the points; returns whether a kind is wrong. */
static int kinds(TX_THREAD *thread, uint32_t *saved)
{
    static struct rto_cswitch_entry entries[SUSPENSIONS];
    int wrong = 0;

    rto_cswitch_start(&rtoscope_cswitch_log, entries, SUSPENSIONS, false);
    _tx_thread_current_ptr = _tx_thread_execute_ptr = thread;
    for (unsigned number = 0; number < SUSPENSIONS; number++) {
        saved[9 + 6] = (uint32_t)(uintptr_t)suspensions[number].after;
        _tx_execution_thread_enter();
    }
    rto_cswitch_stop(&rtoscope_cswitch_log, NULL);
    for (unsigned number = 0; number < SUSPENSIONS; number++) {
        const uint32_t expected =
            suspensions[number].is_sync ? RTO_SYNC_RESUME : RTO_ASYNC_RESUME;

        if (entries[number].kind != expected) {
            printf("suspension %u has kind %u\n", number, (unsigned)entries[number].kind);
            wrong = 1;
        }
    }
    return wrong;
}

int main(void)
{
    static struct rto_cswitch_entry entries[8];
    /* A thread as saved by the port: LR, R4 to R11, and the frame of an exception with
       the program counter. */
    static uint32_t saved[17] = {0xFFFFFFFDu};
    static TX_THREAD thread = {"worker", saved, entry};
    struct rto_cswitch_position position;
    const uintptr_t handler = (uintptr_t)supervisor_call;
    uintptr_t expected[] = {0x1234, handler, handler, 0};
    int wrong = 0;

    saved[9 + 6] = 0x1234;
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
