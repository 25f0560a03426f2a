/* What the hooks use of ThreadX, for a test without it: a machine on which an
   interrupt may come wherever interrupts are not disabled. */
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

/* A place at which an interrupt may come. */
void interrupt_point(void);
/* The handler that runs. */
uintptr_t handler_here(void);

extern bool masked;

#define TX_INTERRUPT_SAVE_AREA bool before;
#define TX_DISABLE interrupt_point(); before = masked; masked = true;
#define TX_RESTORE masked = before; interrupt_point();

#define RTO_HANDLER_ADDRESS() handler_here()
#define RTO_RETURN_ADDRESS(thread) ((thread)->interrupted)

#endif
