/* The parts of ThreadX that the hooks use. */
#ifndef TX_API_H
#define TX_API_H

#include <stdint.h>

#ifdef STREAM
#include "rtoscope_threadx_stream.h"
#else
#define TX_THREAD_USER_EXTENSION
#endif

#define TX_NULL ((void *)0)
#define TX_READY 0u
#define TX_QUEUE_SUSP 5u

#define TX_INTERRUPT_SAVE_AREA uint32_t before;
#define TX_DISABLE __asm__ volatile("mrs %0, PRIMASK\n\tcpsid i" : "=r"(before) : : "memory");
#define TX_RESTORE __asm__ volatile("msr PRIMASK, %0" : : "r"(before) : "memory");

typedef unsigned UINT;

typedef struct TX_THREAD_STRUCT {
    char *tx_thread_name;
    UINT tx_thread_state;
    void *tx_thread_stack_ptr;
    TX_THREAD_USER_EXTENSION
} TX_THREAD;

#endif
