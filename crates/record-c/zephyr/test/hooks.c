/* Calls Zephyr's hooks as its kernel does. Writes the stream, kernel.cswl, and the events that
   must be in it, kernel.txt. */
#include <stdio.h>

#include "rtoscope_zephyr.h"
#include <zephyr/tracing/tracing.h>

extern int (*const sys_init_POST_KERNEL)(void);

static struct k_thread main_thread = {{0, 0}, "main"}, worker = {{5, 0}, NULL},
                       idle = {{K_IDLE_PRIO, 0}, "idle"};
static struct k_thread *current = &main_thread;
static uint32_t now = 0xFFFFFF00u;
static unsigned locked, masked;
static FILE *truth;

k_tid_t k_sched_current_thread_query(void)
{
  return current;
}

const char *k_thread_name_get(k_tid_t thread)
{
  return thread->name;
}

uint32_t k_cycle_get_32(void)
{
  /* Wrong while interrupts are enabled: one before the entry would turn time back. */
  return masked > 0 || truth == NULL ? now : 0;
}

int sys_clock_hw_cycles_per_sec(void)
{
  return 1000000;
}

void k_sched_lock(void)
{
  locked++;
}

void k_sched_unlock(void)
{
  locked--;
}

unsigned int arch_irq_lock(void)
{
  return masked++;
}

void arch_irq_unlock(unsigned int key)
{
  masked = key;
}

static void expect(unsigned kind, uint32_t operand, uint32_t value)
{
  fprintf(truth, "%lu %u %lu %lu\n", (unsigned long)now + (now < 0xFFFFFF00u ? 4294967296u : 0u),
          kind, (unsigned long)operand, (unsigned long)value);
}

static uint32_t id(const struct k_thread *thread)
{
  return (uint32_t)(uintptr_t)thread;
}

/* Switches to a thread; the running one has a state and waits for `reason`. */
static void swap(struct k_thread *to, uint8_t state, unsigned reason)
{
  now += 10;
  current->base.thread_state = state;
  if (state != 0) {
    expect(RTO_STREAM_WAIT, reason, 0);
  }
  sys_trace_thread_switched_out_user();
  now += 5;
  current = to;
  if (to == &idle) {
    expect(RTO_STREAM_SLEEP, 0, 0);
  } else {
    expect(RTO_STREAM_RESUME, id(to), 0);
  }
  sys_trace_thread_switched_in_user();
}

static void interrupt(struct k_thread *thread)
{
  now += 100;
  expect(RTO_STREAM_ISR_ENTER, 0, 0);
  sys_trace_isr_enter_user();
  if (thread != NULL) {
    now += 3;
    thread->base.thread_state = 0;
    expect(RTO_STREAM_READY, id(thread), 0);
    sys_trace_thread_sched_ready_user(thread);
  }
  now += 4;
  expect(RTO_STREAM_ISR_EXIT, 0, 0);
  sys_trace_isr_exit_user();
}

int main(void)
{
  static uint8_t bytes[4096];
  const k_timeout_t forever = {-1};
  size_t length;
  FILE *file;

  sys_trace_thread_create_user(&idle);
  sys_trace_thread_create_user(&main_thread);
  sys_init_POST_KERNEL();
  truth = fopen("kernel.txt", "w");
  file = fopen("kernel.cswl", "wb");
  if (truth == NULL || file == NULL) {
    return 1;
  }
  expect(RTO_STREAM_RESUME, id(&main_thread), 0);
  sys_trace_thread_create_user(&worker);
  worker.name = "worker";
  sys_trace_thread_name_set_user(&worker);
  now += 20;
  expect(RTO_STREAM_READY, id(&worker), 0);
  sys_trace_thread_sched_ready_user(&worker);
  swap(&worker, _THREAD_SLEEPING, RTO_STREAM_WAIT_SLEEP);
  sys_trace_k_sem_take_blocking_user(NULL, forever);
  swap(&idle, _THREAD_PENDING, RTO_STREAM_WAIT_SEMAPHORE);
  interrupt(NULL);
  interrupt(&worker);
  swap(&worker, 0, 0);
  sys_trace_k_mutex_lock_blocking_user(NULL, forever);
  swap(&idle, _THREAD_PENDING, RTO_STREAM_WAIT_MUTEX);
  interrupt(&worker);
  swap(&worker, 0, 0);
  sys_trace_k_msgq_get_blocking_user(NULL, forever);
  swap(&idle, _THREAD_PENDING, RTO_STREAM_WAIT_QUEUE);
  interrupt(&main_thread);
  swap(&main_thread, 0, 0);
  sys_trace_k_msgq_put_blocking_user(NULL, forever);
  swap(&idle, _THREAD_PENDING, RTO_STREAM_WAIT_QUEUE);
  interrupt(&worker);
  swap(&worker, 0, 0);
  interrupt(&main_thread);
  /* The worker is preempted: it does not wait. */
  swap(&main_thread, 0, 0);
  sys_trace_k_event_wait_blocking_user(NULL, 1, 0, forever);
  swap(&worker, _THREAD_PENDING, RTO_STREAM_WAIT_EVENT_FLAGS);
  /* An object without a hook: the earlier reason must not return. */
  swap(&idle, _THREAD_PENDING, RTO_STREAM_WAIT_OTHER);
  interrupt(&worker);
  swap(&worker, 0, 0);
  now += 7;
  expect(RTO_STREAM_MARKER, 77, 99);
  rtoscope_marker(77, 99);
  swap(&idle, _THREAD_DEAD, RTO_STREAM_WAIT_SUSPENDED);
  while ((length = rtoscope_read(bytes, sizeof(bytes))) > 0) {
    if (fwrite(bytes, 1, length, file) != length) {
      return 2;
    }
  }
  fprintf(truth, "lost %lu\n", (unsigned long)rto_stream_lost(&rtoscope_stream));
  if (locked != 0 || masked != 0) {
    return 3;
  }
  return fclose(file) == 0 && fclose(truth) == 0 ? 0 : 4;
}
