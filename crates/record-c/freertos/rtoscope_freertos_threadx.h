/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: FreeRTOS's recorder into the ThreadX event trace: tasks as threads, with their priorities,
 * and operations on objects. Include rtoscope_freertos.h.
 *
 * FreeRTOS numbers priorities from the lowest one, ThreadX from the highest one: in the trace,
 * priority p is configMAX_PRIORITIES - 1 - p.
 */
#include "rtoscope.h"

#ifndef RTOSCOPE_FREERTOS_THREADX_H
#define RTOSCOPE_FREERTOS_THREADX_H

/* Maximum number of tasks at a time whose waits are known. */
#ifndef RTO_FREERTOS_TASKS
#define RTO_FREERTOS_TASKS 32u
#endif

/* Maximum number of binary semaphores that are locks: rto_freertos_lock. */
#ifndef RTO_FREERTOS_LOCKS
#define RTO_FREERTOS_LOCKS 8u
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A binary semaphore that is used as a lock, 0 if none, and the task that took it. */
struct rto_freertos_lock {
  uintptr_t address, holder;
};

/* What the recorder knows of a task. */
struct rto_freertos_task_state {
  /* The task's number, 0 if the entry is free. */
  uint32_t number;
  /* Its thread state of ThreadX: 0 is ready. */
  uint8_t state;
  /* Whether it waits to send, and whether the mutex it waited for was given to it. */
  bool is_sending, is_given;
  /* The object of its last call, if it has to wait in it. */
  uintptr_t object;
};

/* The recorder. All members are private. */
struct rto_freertos {
  struct rto_freertos_task_state tasks[RTO_FREERTOS_TASKS];
  struct rto_freertos_task_state no_task;
  struct rto_freertos_lock locks[RTO_FREERTOS_LOCKS];
  struct rto_freertos_task_state *current;
  /* The number of the idle task. */
  uint32_t idle;
  /* The running task, 0 for none, and the one that runs next unless more happens. */
  uintptr_t running, next;
  uint32_t next_priority;
  /* Why the running task will wait, if it does; then why it waits. */
  enum rto_freertos_wait reason, waits;
  /* The mutex that was just released while tasks wait for it. */
  uintptr_t released;
  bool is_started;
};

extern struct rto_freertos rto_freertos;

/* Starts the trace, as rto_threadx_enable does. `counter` is as for rto_set_counter. */
bool rto_freertos_start(void *memory, size_t size, size_t registry_entries,
                        const rto_counter *counter);

void rto_freertos_create(struct rto_freertos_task task, bool has_idle_priority, uintptr_t stack,
                         size_t stack_size, uintptr_t notification);
void rto_freertos_switched_in(struct rto_freertos_task task);
void rto_freertos_switched_out(struct rto_freertos_task task, bool is_ready);
void rto_freertos_ready(struct rto_freertos_task task, bool is_running);
void rto_freertos_ready_later(struct rto_freertos_task task);
void rto_freertos_suspend(struct rto_freertos_task task, bool is_running);
void rto_freertos_delete(struct rto_freertos_task task, bool is_running, uintptr_t notification);
void rto_freertos_set_priority(struct rto_freertos_task task, uint32_t priority);
void rto_freertos_inherit(struct rto_freertos_task task, uint32_t priority);

static RTO_FREERTOS_INLINE void rto_freertos_isr_enter(void)
{
  RTO_FREERTOS_UPDATE_CLOCK();
  rto_threadx_isr_enter(RTO_FREERTOS_HANDLER());
}

static RTO_FREERTOS_INLINE void rto_freertos_isr_exit(bool is_switching)
{
  (void)is_switching;
  RTO_FREERTOS_UPDATE_CLOCK();
  rto_threadx_isr_exit(RTO_FREERTOS_HANDLER());
}

/* The running task will wait. */
static RTO_FREERTOS_INLINE void rto_freertos_block(enum rto_freertos_wait reason)
{
  rto_freertos.reason = reason;
}

#ifdef __cplusplus
}
#endif

/* The address and the size of a task's stack, as far as the kernel stores it. */
#if defined(configRECORD_STACK_HIGH_ADDRESS) && configRECORD_STACK_HIGH_ADDRESS == 1
#define RTO_FREERTOS_STACK_SIZE(tcb) \
    ((size_t)((uintptr_t)(tcb)->pxEndOfStack - (uintptr_t)(tcb)->pxStack))
#else
#define RTO_FREERTOS_STACK_SIZE(tcb) 0u
#endif

/* Notifications of a task are a group of event flags, at the address of their values. */
#if RTO_FREERTOS_OBJECTS && \
    (!defined(configUSE_TASK_NOTIFICATIONS) || configUSE_TASK_NOTIFICATIONS == 1)
#define RTO_FREERTOS_NOTIFICATION(tcb) ((uintptr_t)&(tcb)->ulNotifiedValue)
#else
#define RTO_FREERTOS_NOTIFICATION(tcb) ((uintptr_t)0)
#endif

#define traceTASK_CREATE(task) \
    rto_freertos_create(RTO_FREERTOS_TASK(task), (task)->uxPriority == tskIDLE_PRIORITY, \
                        (uintptr_t)(task)->pxStack, RTO_FREERTOS_STACK_SIZE(task), \
                        RTO_FREERTOS_NOTIFICATION(task))
#define traceTASK_DELETE(task) \
    rto_freertos_delete(RTO_FREERTOS_TASK(task), (task) == pxCurrentTCB, \
                        RTO_FREERTOS_NOTIFICATION(task))
#define traceTASK_PRIORITY_SET(task, priority) \
    rto_freertos_set_priority(RTO_FREERTOS_TASK(task), (uint32_t)(priority))
#define traceTASK_PRIORITY_INHERIT(task, priority) \
    rto_freertos_inherit(RTO_FREERTOS_TASK(task), (uint32_t)(priority))
#define traceTASK_PRIORITY_DISINHERIT(task, priority) \
    rto_freertos_inherit(RTO_FREERTOS_TASK(task), (uint32_t)(priority))

#endif /* RTOSCOPE_FREERTOS_THREADX_H */

#include "rtoscope_freertos_objects.h"

#if defined(RTO_FREERTOS_IMPLEMENTATION) && !defined(RTO_FREERTOS_IMPLEMENTED)
#define RTO_FREERTOS_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

struct rto_freertos rto_freertos;

bool rto_freertos_start(void *memory, size_t size, size_t registry_entries,
                        const rto_counter *counter)
{
  rto_freertos.current = &rto_freertos.no_task;
  RTO_FREERTOS_UPDATE_CLOCK();
  rto_set_counter(counter);
  return rto_threadx_enable(memory, size, registry_entries) == RTO_SUCCESS;
}

static uint16_t rto_freertos_threadx_priority(uint32_t priority)
{
  return (uint16_t)((uint32_t)configMAX_PRIORITIES - 1u - priority);
}

/* What is known of a task: a free entry for a new one. */
static struct rto_freertos_task_state *rto_freertos_state(uint32_t number)
{
  struct rto_freertos_task_state *found = &rto_freertos.no_task;
  uint32_t at;

  for (at = 0; at < RTO_FREERTOS_TASKS; at++) {
    struct rto_freertos_task_state *const state =
        &rto_freertos.tasks[(number + at) % RTO_FREERTOS_TASKS];

    if (state->number == number) {
      return state;
    }
    if (state->number == 0 && found->number == 0 && found == &rto_freertos.no_task) {
      found = state;
    }
  }
  found->number = found == &rto_freertos.no_task ? 0 : number;
  found->state = RTO_TX_READY;
  found->is_given = false;
  found->object = 0;
  return found;
}

void rto_freertos_create(struct rto_freertos_task task, bool has_idle_priority, uintptr_t stack,
                         size_t stack_size, uintptr_t notification)
{
  const uint16_t priority = rto_freertos_threadx_priority(task.priority);

  if (rto_freertos_is_idle(task.name, has_idle_priority)) {
    rto_freertos.idle = task.number;
    return;
  }
  (void)rto_threadx_register_thread(task.address, task.name, priority, stack, stack_size);
  if (notification != 0) {
    (void)rto_threadx_register(RTO_TX_TRACE_OBJECT_TYPE_EVENT_FLAGS, notification, task.name, 0, 0);
  }
  rto_freertos_event(RTO_TX_TRACE_THREAD_EVENTS, RTO_TX_TRACE_THREAD_CREATE, task.address, priority,
                     stack, stack_size);
  rto_freertos_state(task.number)->state = RTO_TX_SUSPENDED;
}

/* The kernel calls this for each switch, also if the task is still ready, before it chooses the next
   one: the event waits until it has. */
void rto_freertos_switched_out(struct rto_freertos_task task, bool is_ready)
{
  rto_freertos.waits = RTO_FREERTOS_WAIT_OTHER;
  if (!is_ready && task.number != rto_freertos.idle) {
    /* The kernel has no hook for the wait of the timers' task. */
    rto_freertos.waits = rto_freertos.reason == RTO_FREERTOS_WAIT_OTHER ? RTO_FREERTOS_WAIT_QUEUE
                                                                        : rto_freertos.reason;
    rto_freertos.current->state = (uint8_t)rto_freertos.waits;
    rto_freertos.current->is_given = false;
    if (rto_freertos.waits == RTO_FREERTOS_WAIT_TERMINATED) {
      rto_freertos.current->number = 0;
    }
  }
  rto_freertos.reason = RTO_FREERTOS_WAIT_OTHER;
}

void rto_freertos_switched_in(struct rto_freertos_task task)
{
  const uintptr_t next = task.number == rto_freertos.idle ? 0 : task.address;
  const bool is_announced = rto_freertos.waits != RTO_FREERTOS_WAIT_OTHER ||
                            next == rto_freertos.running || next == rto_freertos.next;

  RTO_FREERTOS_UPDATE_CLOCK();
  if (rto_freertos.waits != RTO_FREERTOS_WAIT_OTHER) {
    rto_threadx_suspend(rto_freertos.running, (uint32_t)rto_freertos.waits, next);
    rto_freertos.waits = RTO_FREERTOS_WAIT_OTHER;
  }
  rto_freertos.current =
      next == 0 ? &rto_freertos.no_task : rto_freertos_state(task.number);
  if (next == 0) {
    rto_threadx_enter_thread(0, 0, 0);
  } else {
    const uint16_t priority = rto_freertos_threadx_priority(task.priority);

    rto_threadx_enter_thread(next, priority, priority);
    if (!is_announced || !rto_freertos.is_started) {
      /* Its turn among equals, or the scheduler starts: no event says that it runs. */
      rto_freertos_event(RTO_TX_TRACE_INTERNAL_EVENTS, RTO_TX_TRACE_RUNNING, 0, 0, 0, 0);
    }
  }
  rto_freertos.is_started = true;
  rto_freertos.running = next;
  rto_freertos.next = next;
  rto_freertos.next_priority = task.priority;
}

static void rto_freertos_make_ready(struct rto_freertos_task task, bool is_scheduling)
{
  struct rto_freertos_task_state *const state = rto_freertos_state(task.number);
  const uint32_t before = state->state;

  if (task.number == rto_freertos.idle || before == RTO_TX_READY) {
    return;
  }
  state->state = RTO_TX_READY;
  state->is_given = before == RTO_TX_MUTEX_SUSP && state->object == rto_freertos.released;
  rto_freertos.released = 0;
#if !defined(configUSE_PREEMPTION) || configUSE_PREEMPTION == 1
  if (is_scheduling && rto_freertos.is_started &&
      (rto_freertos.next == 0 || task.priority > rto_freertos.next_priority)) {
    rto_freertos.next = task.address;
    rto_freertos.next_priority = task.priority;
  }
#endif
  RTO_FREERTOS_UPDATE_CLOCK();
  rto_threadx_resume(task.address, before, rto_freertos.next);
}

/* The kernel calls this also for ready tasks whose priority changes, and for the running task if
   it becomes ready before it was switched out. */
void rto_freertos_ready(struct rto_freertos_task task, bool is_running)
{
  (void)is_running;
  rto_freertos_make_ready(task, true);
}

/* The scheduler is suspended: the running task stays. */
void rto_freertos_ready_later(struct rto_freertos_task task)
{
  rto_freertos_make_ready(task, false);
}

/* Another task that is suspended becomes ready again later. */
void rto_freertos_suspend(struct rto_freertos_task task, bool is_running)
{
  if (is_running) {
    rto_freertos_block(RTO_FREERTOS_WAIT_SUSPENDED);
  } else {
    struct rto_freertos_task_state *const state = rto_freertos_state(task.number);

    state->state = RTO_TX_SUSPENDED;
    state->object = 0;
    RTO_FREERTOS_UPDATE_CLOCK();
    rto_threadx_suspend(task.address, RTO_TX_SUSPENDED, rto_freertos.running);
  }
}

/* The host still finds the names of deleted tasks, until their entries are used again. */
void rto_freertos_delete(struct rto_freertos_task task, bool is_running, uintptr_t notification)
{
  if (is_running) {
    rto_freertos_block(RTO_FREERTOS_WAIT_TERMINATED);
  } else {
    struct rto_freertos_task_state *const state = rto_freertos_state(task.number);

    rto_freertos_event(RTO_TX_TRACE_THREAD_EVENTS, RTO_TX_TRACE_THREAD_TERMINATE, task.address,
                       state->state, 0, 0);
    RTO_FREERTOS_UPDATE_CLOCK();
    rto_threadx_suspend(task.address, RTO_TX_TERMINATED, rto_freertos.running);
    rto_freertos_event(RTO_TX_TRACE_THREAD_EVENTS, RTO_TX_TRACE_THREAD_DELETE, task.address, 0, 0,
                       0);
    state->number = 0;
  }
  rto_threadx_unregister(task.address);
  if (notification != 0) {
    rto_threadx_unregister(notification);
  }
}

void rto_freertos_set_priority(struct rto_freertos_task task, uint32_t priority)
{
  const uint16_t now = rto_freertos_threadx_priority(priority);

  rto_freertos_event(RTO_TX_TRACE_THREAD_EVENTS, RTO_TX_TRACE_THREAD_PRIORITY_CHANGE, task.address,
                     now, rto_freertos_threadx_priority(task.priority),
                     rto_freertos_state(task.number)->state);
  if (task.address == rto_freertos.running) {
    rto_threadx_enter_thread(task.address, now, now);
  }
}

/* A task inherits a priority, or no longer does: as in ThreadX, a ready thread leaves its list for
   another one. */
void rto_freertos_inherit(struct rto_freertos_task task, uint32_t priority)
{
  const uint16_t now = rto_freertos_threadx_priority(priority);

  RTO_FREERTOS_UPDATE_CLOCK();
  if (rto_freertos_state(task.number)->state == RTO_TX_READY) {
    rto_threadx_suspend(task.address, RTO_TX_PRIORITY_CHANGE, rto_freertos.running);
    rto_threadx_resume(task.address, RTO_TX_PRIORITY_CHANGE, rto_freertos.next);
  }
  if (task.address == rto_freertos.running) {
    rto_threadx_enter_thread(task.address, now, now);
  }
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_FREERTOS_IMPLEMENTATION */
