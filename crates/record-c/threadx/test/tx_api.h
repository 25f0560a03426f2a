/* What the hooks use of ThreadX, for a test without it. */
#ifndef TX_API_H
#define TX_API_H

#define TX_NULL ((void *)0)

typedef struct {
    char *tx_thread_name;
    void *tx_thread_stack_ptr;
    void (*tx_thread_entry)(unsigned long input);
} TX_THREAD;

#endif
