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
    return wrong;
}
