/* The parts of ThreadX's Cortex-M port that the hooks use, for a test without ThreadX. */
#ifndef TX_API_H
#define TX_API_H

#include <stdint.h>

typedef unsigned int UINT;

#define TX_INT_ENABLE 0
#define TX_INT_DISABLE 1

UINT _tx_thread_interrupt_control(UINT new_posture);

#define TX_NULL ((void *)0)
#define TX_READY 0

typedef struct {
    char *tx_thread_name;
    UINT tx_thread_state;
    void *tx_thread_stack_ptr;
    void (*tx_thread_entry)(unsigned long input);
} TX_THREAD;

#define TX_INTERRUPT_SAVE_AREA uint32_t before;
#define TX_DISABLE \
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before) : : "memory");
#define TX_RESTORE __asm__ volatile("msr primask, %0" : : "r"(before) : "memory");

#endif
