/* The parts of ThreadX that the compact stream's hooks use, for a test without ThreadX. */
#ifndef TX_API_H
#define TX_API_H

#include "rtoscope_threadx_stream.h"

#include <stdint.h>

#define TX_NULL ((void *)0)

#define TX_READY 0u
#define TX_COMPLETED 1u
#define TX_SUSPENDED 3u
#define TX_QUEUE_SUSP 5u
#define TX_SEMAPHORE_SUSP 6u

typedef unsigned UINT;

typedef struct TX_THREAD_STRUCT {
  const char *tx_thread_name;
  UINT tx_thread_state;
  TX_THREAD_USER_EXTENSION
} TX_THREAD;

extern TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;

/* The test's machine: interrupts that are disabled, and the running handler. */
extern unsigned masked;
extern uint8_t running_handler;

#define RTO_STREAM_DISABLE(before) ((before) = masked++)
#define RTO_STREAM_RESTORE(before) (masked = (before))
#define RTO_THREADX_HANDLER() running_handler

#endif
