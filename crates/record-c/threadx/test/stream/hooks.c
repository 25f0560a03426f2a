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

static void set_state(TX_THREAD *thread, UINT state)
{
  thread->tx_thread_state = state;
  TX_THREAD_STATE_CHANGE(thread, thread->tx_thread_state)
}

static void become_ready(TX_THREAD *thread)
{
  now += 3;
  expect(RTO_STREAM_READY, RTO_THREADX_NUMBER(thread));
  set_state(thread, TX_READY);
}

/* Its wait is recorded when the scheduler leaves it. */
static void stop_being_ready(UINT state)
{
  now += 7;
  set_state(_tx_thread_current_ptr, state);
}

static void expect_wait(const TX_THREAD *thread)
{
  if (thread != TX_NULL && thread->tx_thread_state != TX_READY) {
    expect(RTO_STREAM_WAIT, thread->tx_thread_state);
  }
}

/* PendSV: the scheduler leaves the running thread, and continues another one, or none. */
static void schedule(TX_THREAD *thread)
{
  const TX_THREAD *const left = _tx_thread_current_ptr;

  now += 5;
  _tx_thread_execute_ptr = thread;
  if (thread == TX_NULL) {
    expect_wait(left);
    expect(RTO_STREAM_SLEEP, 0);
  }
  _tx_execution_thread_exit();
  _tx_thread_current_ptr = thread;
  if (thread != TX_NULL) {
    now += 4;
    expect_wait(left);
    expect(RTO_STREAM_RESUME, RTO_THREADX_NUMBER(thread));
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
  const unsigned number = RTO_THREADX_NUMBER(thread);
  unsigned round;

  for (round = 0; round < 1000; round++) {
    TX_THREAD_DELETE_PORT_COMPLETION(thread)
    thread->rto_resume = 0;
    TX_THREAD_CREATE_INTERNAL_EXTENSION(thread)
    if (RTO_THREADX_NUMBER(thread) != number) {
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
    threads[thread].tx_thread_state = TX_SUSPENDED;
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
  become_ready(high);
  schedule(low);
  schedule(high);
  /* It is resumed before the scheduler leaves it: nor did it. */
  stop_being_ready(TX_QUEUE_SUSP);
  enter(24);
  become_ready(high);
  leave(24);
  schedule(high);
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
  set_state(low, TX_SUSPENDED);
  stop_being_ready(TX_COMPLETED);
  /* The scheduler leaves a thread for one that a handler suspends before it runs. */
  now += 5;
  _tx_thread_execute_ptr = low;
  _tx_execution_thread_exit();
  enter(24);
  _tx_thread_execute_ptr = TX_NULL;
  now += 9;
  expect(RTO_STREAM_ISR_EXIT, 24);
  expect_wait(late);
  expect(RTO_STREAM_SLEEP, 0);
  _tx_execution_isr_exit();
  return keeps_number(high) ? write_stream(file) : 4;
}
