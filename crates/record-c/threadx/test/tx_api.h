/* The parts of ThreadX that the hooks use, for a test without ThreadX: a machine on
   which an interrupt may occur wherever interrupts are enabled. */
#ifndef TX_API_H
#define TX_API_H

#include <stdbool.h>
#include <stdint.h>

#define TX_NULL ((void *)0)

typedef struct {
    char *tx_thread_name;
    void *tx_thread_stack_ptr;
    void (*tx_thread_entry)(unsigned long input);
    /* Where the thread was interrupted. */
    uintptr_t interrupted;
} TX_THREAD;

/* A point at which an interrupt may occur. */
void interrupt_point(void);
/* The running handler. */
uintptr_t handler_here(void);

extern bool masked;

#define TX_INTERRUPT_SAVE_AREA bool before;
#define TX_DISABLE interrupt_point(); before = masked; masked = true;
#define TX_RESTORE masked = before; interrupt_point();

#define RTO_HANDLER_ADDRESS() handler_here()
#define RTO_RETURN_ADDRESS(thread) ((thread)->interrupted)

#endif
