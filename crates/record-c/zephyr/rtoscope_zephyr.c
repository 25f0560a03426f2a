/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The hooks of Zephyr's CONFIG_TRACING_USER, recorded into a compact stream. */
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_zephyr.h"

#include <zephyr/init.h>
#include <zephyr/tracing/tracing.h>

struct rto_stream rtoscope_stream;

static uint32_t words[CONFIG_RTOSCOPE_WORDS];

#ifdef CONFIG_RTOSCOPE_DWT
#define DWT_CYCCNT ((volatile const uint32_t *)0xE0001004u)
#define RECORD(call) (call)
#else
/* The time of the entry that is being recorded. Interrupts stay disabled from the clock to the
   entry, so that times never go back. */
static volatile uint32_t cycles;

#define RECORD(call) \
  do { \
    uint32_t key; \
    RTO_STREAM_DISABLE(key); \
    cycles = k_cycle_get_32(); \
    (call); \
    RTO_STREAM_RESTORE(key); \
  } while (0)
#endif

/* What the running thread is about to wait for. The kernel calls the hooks that set it with the
   scheduler locked, immediately before it switches. */
static enum rto_stream_wait_reason wait_reason = RTO_STREAM_WAIT_OTHER;

static uint32_t thread_id(const struct k_thread *thread)
{
  return (uint32_t)(uintptr_t)thread;
}

/* The number of the running handler: the exception on Cortex-M, the cause on RISC-V. */
static uint8_t handler_number(void)
{
  uint32_t number = 0;

#if defined(CONFIG_CPU_CORTEX_M)
  __asm__ volatile("mrs %0, IPSR" : "=r"(number));
#elif defined(CONFIG_RISCV)
  unsigned long cause;

  __asm__ volatile("csrr %0, mcause" : "=r"(cause));
  number = (uint32_t)cause;
#endif
  return (uint8_t)number;
}

/* No thread sends names meanwhile: rtoscope_read locks the scheduler. */
static void set_name(struct k_thread *thread)
{
  const char *const name = k_thread_name_get(thread);

  if (name != NULL && name[0] != '\0') {
    (void)rto_stream_name(&rtoscope_stream, thread_id(thread), name);
  }
}

static void record_running(void)
{
  const struct k_thread *const thread = k_sched_current_thread_query();

  if (thread->base.prio == K_IDLE_PRIO) {
    RECORD(rto_stream_idle(&rtoscope_stream));
  } else {
    RECORD(rto_stream_resume(&rtoscope_stream, thread_id(thread)));
  }
}

void sys_trace_thread_switched_in_user(void)
{
  record_running();
}

void sys_trace_thread_switched_out_user(void)
{
  const struct k_thread *const thread = k_sched_current_thread_query();
  const uint32_t state = thread->base.thread_state;
  const enum rto_stream_wait_reason reason = wait_reason;

  wait_reason = RTO_STREAM_WAIT_OTHER;
  if ((state & _THREAD_PENDING) != 0) {
    RECORD(rto_stream_wait(&rtoscope_stream, reason));
#ifdef _THREAD_SLEEPING
  } else if ((state & _THREAD_SLEEPING) != 0) {
    RECORD(rto_stream_wait(&rtoscope_stream, RTO_STREAM_WAIT_SLEEP));
#endif
  } else if ((state & (_THREAD_SUSPENDED | _THREAD_DEAD)) != 0) {
    RECORD(rto_stream_wait(&rtoscope_stream, RTO_STREAM_WAIT_SUSPENDED));
  }
}

void sys_trace_thread_create_user(struct k_thread *thread)
{
  set_name(thread);
}

/* The name of a thread that has ended makes room. */
void sys_trace_thread_abort_user(struct k_thread *thread)
{
  rto_stream_delete_thread(&rtoscope_stream, thread_id(thread));
}

void sys_trace_thread_name_set_user(struct k_thread *thread)
{
  set_name(thread);
}

void sys_trace_thread_sched_ready_user(struct k_thread *thread)
{
  RECORD(rto_stream_ready(&rtoscope_stream, thread_id(thread)));
}

void sys_trace_isr_enter_user(void)
{
  RECORD(rto_stream_isr_enter(&rtoscope_stream, handler_number()));
}

void sys_trace_isr_exit_user(void)
{
  RECORD(rto_stream_isr_exit(&rtoscope_stream, handler_number()));
}

/* Zephyr calls the following hooks from the version on that declares them; before, waits have no
   reason. */
void sys_trace_k_sem_take_blocking_user(struct k_sem *sem, k_timeout_t timeout)
{
  ARG_UNUSED(sem);
  ARG_UNUSED(timeout);
  wait_reason = RTO_STREAM_WAIT_SEMAPHORE;
}

void sys_trace_k_mutex_lock_blocking_user(struct k_mutex *mutex, k_timeout_t timeout)
{
  ARG_UNUSED(mutex);
  ARG_UNUSED(timeout);
  wait_reason = RTO_STREAM_WAIT_MUTEX;
}

void sys_trace_k_msgq_get_blocking_user(struct k_msgq *msgq, k_timeout_t timeout)
{
  ARG_UNUSED(msgq);
  ARG_UNUSED(timeout);
  wait_reason = RTO_STREAM_WAIT_QUEUE;
}

void sys_trace_k_msgq_put_blocking_user(struct k_msgq *msgq, k_timeout_t timeout)
{
  ARG_UNUSED(msgq);
  ARG_UNUSED(timeout);
  wait_reason = RTO_STREAM_WAIT_QUEUE;
}

void sys_trace_k_event_wait_blocking_user(struct k_event *event, uint32_t events,
                                          uint32_t options, k_timeout_t timeout)
{
  ARG_UNUSED(event);
  ARG_UNUSED(events);
  ARG_UNUSED(options);
  ARG_UNUSED(timeout);
  wait_reason = RTO_STREAM_WAIT_EVENT_FLAGS;
}

void rtoscope_marker(uint32_t marker, uint32_t value)
{
  RECORD(rto_stream_marker(&rtoscope_stream, marker, value));
}

size_t rtoscope_read(uint8_t *buffer, size_t size)
{
  size_t length;

  k_sched_lock();
#ifndef CONFIG_RTOSCOPE_DWT
  /* The stream records the time itself if nothing happens for long. */
  RECORD((void)0);
#endif
  length = rto_stream_read(&rtoscope_stream, buffer, size);
  k_sched_unlock();
  return length;
}

static int start(void)
{
#ifdef CONFIG_RTOSCOPE_DWT
  volatile const uint32_t *const counter = DWT_CYCCNT;

  /* DEMCR.TRCENA and DWT_CTRL.CYCCNTENA. */
  *(volatile uint32_t *)0xE000EDFCu |= 1u << 24;
  *(volatile uint32_t *)0xE0001000u |= 1u;
#else
  volatile const uint32_t *const counter = &cycles;

  cycles = k_cycle_get_32();
#endif
  (void)rto_stream_start(&rtoscope_stream, words, CONFIG_RTOSCOPE_WORDS, counter,
                         (uint32_t)sys_clock_hw_cycles_per_sec());
  record_running();
  return 0;
}

SYS_INIT(start, POST_KERNEL, 0);
