/* Calls the hooks as ThreadX does. Writes the stream, kernel.cswl, and the events that must be in
   it, kernel.txt. */
#include <stdio.h>

#include "tx_thread.h"
#include "rtoscope_stream.h"

extern struct rto_stream rto_threadx_stream;

TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;
unsigned masked;
uint8_t running_handler;

/* The names are those of threads 1 to 300. */
static TX_THREAD threads[300];
static volatile uint32_t now = 0xFFFFFF00u;
static FILE *truth;

static void expect(unsigned kind, uint32_t operand)
{
  fprintf(truth, "%lu %u %lu 0\n", (unsigned long)now + (now < 0xFFFFFF00u ? 4294967296u : 0u),
          kind, (unsigned long)operand);
}

static void become_ready(TX_THREAD *thread)
{
  now += 3;
  expect(RTO_STREAM_READY, thread->rto_number);
  TX_THREAD_STATE_CHANGE(thread, TX_READY)
}

static void stop_being_ready(UINT state)
{
  now += 7;
  expect(RTO_STREAM_WAIT, state);
  TX_THREAD_STATE_CHANGE(_tx_thread_current_ptr, state)
}

/* PendSV: the scheduler leaves the running thread, and continues another one, or none. */
static void schedule(TX_THREAD *thread)
{
  now += 5;
  _tx_thread_execute_ptr = thread;
  if (thread == TX_NULL) {
    expect(RTO_STREAM_SLEEP, 0);
  }
  _tx_execution_thread_exit();
  _tx_thread_current_ptr = thread;
  if (thread != TX_NULL) {
    now += 4;
    expect(RTO_STREAM_RESUME, thread->rto_number);
    _tx_execution_thread_enter();
  }
}

static void enter(uint8_t number)
{
  now += 100;
  running_handler = number;
  expect(RTO_STREAM_ISR_ENTER, number);
  _tx_execution_isr_enter();
}

static void leave(uint8_t number)
{
  now += 9;
  running_handler = number;
  expect(RTO_STREAM_ISR_EXIT, number);
  _tx_execution_isr_exit();
}

static int write_stream(FILE *file)
{
  static uint8_t bytes[4096];
  size_t length;

  while ((length = rto_stream_read(&rto_threadx_stream, bytes, sizeof(bytes))) > 0) {
    if (fwrite(bytes, 1, length, file) != length) {
      return 2;
    }
  }
  fprintf(truth, "lost %lu\n", (unsigned long)rto_stream_lost(&rto_threadx_stream));
  return masked == 0 && fclose(file) == 0 && fclose(truth) == 0 ? 0 : 3;
}

/* A thread that is deleted and created again keeps its number, and so its name. */
static bool keeps_number(TX_THREAD *thread)
{
  const unsigned number = thread->rto_number;
  unsigned round;

  for (round = 0; round < 1000; round++) {
    TX_THREAD_DELETE_PORT_COMPLETION(thread)
    thread->rto_number = 0;
    TX_THREAD_CREATE_INTERNAL_EXTENSION(thread)
    if (thread->rto_number != number) {
      return false;
    }
  }
  return true;
}

int main(void)
{
  static uint32_t words[1024];
  TX_THREAD *const low = &threads[0], *const high = &threads[1], *const late = &threads[299];
  FILE *const file = fopen("kernel.cswl", "wb");
  unsigned thread;

  truth = fopen("kernel.txt", "w");
  if (truth == NULL || file == NULL) {
    return 1;
  }
  low->tx_thread_name = "low";
  high->tx_thread_name = "high";
  for (thread = 0; thread < 300; thread++) {
    TX_THREAD_CREATE_INTERNAL_EXTENSION(&threads[thread])
  }
  _tx_execution_initialize();
  rto_stream_start(&rto_threadx_stream, words, 1024, &now, 1000000);
  become_ready(low);
  become_ready(high);
  schedule(high);
  stop_being_ready(TX_QUEUE_SUSP);
  schedule(low);
  /* A handler makes a more important thread ready; another one interrupts it. */
  enter(15);
  enter(24);
  become_ready(high);
  leave(24);
  leave(15);
  schedule(high);
  /* It is resumed before it is suspended: it did not wait. */
  now += 10;
  TX_THREAD_STATE_CHANGE(high, TX_READY)
  stop_being_ready(TX_SEMAPHORE_SUSP);
  schedule(low);
  stop_being_ready(TX_SUSPENDED);
  schedule(TX_NULL);
  /* Handlers that return to idle, and one that ends it with a thread of a large number. */
  enter(15);
  leave(15);
  enter(15);
  become_ready(late);
  leave(15);
  schedule(late);
  /* Another thread suspends a ready one, for which there is no entry, and itself. */
  become_ready(low);
  now += 10;
  TX_THREAD_STATE_CHANGE(low, TX_SUSPENDED)
  stop_being_ready(TX_COMPLETED);
  TX_THREAD_STATE_CHANGE(late, TX_COMPLETED)
  /* The scheduler leaves a thread for one that a handler suspends before it runs. */
  now += 5;
  _tx_thread_execute_ptr = low;
  _tx_execution_thread_exit();
  enter(24);
  _tx_thread_execute_ptr = TX_NULL;
  now += 9;
  expect(RTO_STREAM_ISR_EXIT, 24);
  expect(RTO_STREAM_SLEEP, 0);
  _tx_execution_isr_exit();
  return keeps_number(high) ? write_stream(file) : 4;
}
