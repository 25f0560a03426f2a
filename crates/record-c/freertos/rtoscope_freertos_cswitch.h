/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: FreeRTOS's recorder into the log of context switches, `rtoscope_cswitch_log`. Include
 * rtoscope_freertos.h. The log has the addresses of the tasks' names, in their control blocks: the
 * host finds the names if that memory is saved with the log.
 */
#include "rtoscope.h"

#ifndef RTOSCOPE_FREERTOS_CSWITCH_H
#define RTOSCOPE_FREERTOS_CSWITCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* The state of the recorder. All members are private. */
struct rto_freertos {
  /* The number of the idle task, and its name. */
  uint32_t idle;
  const char *idle_name;
  /* The name of the running task, NULL before the first one runs. */
  const char *running;
  /* Nested handlers, and whether the log has the core asleep. */
  uint32_t handlers;
  bool is_asleep;
  /* Why the running task will wait, if it does. */
  enum rto_freertos_wait reason;
  /* Tasks that are not ready, and those that were ready when others took their place. */
  struct rto_freertos_tasks waiting, preempted;
};

extern struct rto_freertos rto_freertos;

/* Starts the log in `size` entries: a ring that overwrites the oldest ones, or as many entries as
   fit. `counter` is as for rto_cswitch_init. */
bool rto_freertos_start(struct rto_cswitch_entry *entries, size_t size, const rto_counter *counter,
                        bool cyclic);

void rto_freertos_create(struct rto_freertos_task task, bool has_idle_priority);
void rto_freertos_switched_in(struct rto_freertos_task task);
void rto_freertos_switched_out(struct rto_freertos_task task, bool is_ready);
void rto_freertos_isr_enter(void);
void rto_freertos_isr_exit(bool is_switching);

/* The kernel calls this also for ready tasks whose priority changes, and for the running task if
   it becomes ready before it was switched out. */
static RTO_FREERTOS_INLINE void rto_freertos_ready(struct rto_freertos_task task, bool is_running)
{
  if (task.number < 256u ? rto_freertos_remove(&rto_freertos.waiting, task.number) : !is_running) {
    RTO_FREERTOS_UPDATE_CLOCK();
    rto_cswitch_ready(&rtoscope_cswitch_log, task.name);
  }
}

/* The running task will wait. */
static RTO_FREERTOS_INLINE void rto_freertos_block(enum rto_freertos_wait reason)
{
  rto_freertos.reason = reason;
}

/* A point of interest: `marker` is one of enum rto_freertos_marker. */
void rto_freertos_marker(uint32_t marker, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif /* RTOSCOPE_FREERTOS_CSWITCH_H */

#include "rtoscope_freertos_markers.h"

#if defined(RTO_FREERTOS_IMPLEMENTATION) && !defined(RTO_FREERTOS_IMPLEMENTED)
#define RTO_FREERTOS_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

struct rto_freertos rto_freertos;

bool rto_freertos_start(struct rto_cswitch_entry *entries, size_t size, const rto_counter *counter,
                        bool cyclic)
{
  rto_cswitch_init(&rtoscope_cswitch_log, counter);
  return rto_cswitch_start(&rtoscope_cswitch_log, entries, size, cyclic);
}

void rto_freertos_create(struct rto_freertos_task task, bool has_idle_priority)
{
  if (rto_freertos_is_idle(task.name, has_idle_priority)) {
    rto_freertos.idle = task.number;
    rto_freertos.idle_name = task.name;
    return;
  }
  rto_freertos_insert(&rto_freertos.waiting, task.number);
}

/* Interrupts nest at any point: each function changes the state and records the change while they
   are disabled. */
static void rto_freertos_enter_sleep(void)
{
  if (!rto_freertos.is_asleep) {
    rto_freertos.is_asleep = true;
    rto_cswitch_sleep(&rtoscope_cswitch_log, 0, rto_freertos.idle_name);
  }
}

static void rto_freertos_leave_sleep(void)
{
  if (rto_freertos.is_asleep) {
    rto_freertos.is_asleep = false;
    rto_cswitch_wake(&rtoscope_cswitch_log, 0, rto_freertos.idle_name);
  }
}

void rto_freertos_switched_in(struct rto_freertos_task task)
{
  uint32_t before;

  RTO_FREERTOS_DISABLE(before);
  rto_freertos.running = task.name;
  if (task.number == rto_freertos.idle) {
    rto_freertos_enter_sleep();
  } else {
    const bool was_preempted = rto_freertos_remove(&rto_freertos.preempted, task.number);

    rto_freertos_leave_sleep();
    rto_cswitch_record(was_preempted ? RTO_ASYNC_RESUME : RTO_SYNC_RESUME, &rtoscope_cswitch_log,
                       0, task.name);
  }
  RTO_FREERTOS_RESTORE(before);
}

void rto_freertos_switched_out(struct rto_freertos_task task, bool is_ready)
{
  if (!is_ready) {
    rto_freertos_insert(&rto_freertos.waiting, task.number);
    RTO_FREERTOS_UPDATE_CLOCK();
    rto_cswitch_wait(&rtoscope_cswitch_log, (uint32_t)rto_freertos.reason);
  } else {
    rto_freertos_insert(&rto_freertos.preempted, task.number);
  }
  rto_freertos.reason = RTO_FREERTOS_WAIT_OTHER;
}

/* The address of the running handler, or the number of its cause. */
static uintptr_t rto_freertos_handler_address(void)
{
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && !defined(__ARM_ARCH_6M__)
  const uint32_t *const vectors = *(const uint32_t *const volatile *)0xE000ED08u;

  return vectors[RTO_FREERTOS_HANDLER()];
#else
  return RTO_FREERTOS_HANDLER();
#endif
}

void rto_freertos_isr_enter(void)
{
  const uintptr_t handler = rto_freertos_handler_address();
  uint32_t before;

  RTO_FREERTOS_DISABLE(before);
  rto_freertos_leave_sleep();
  rto_freertos.handlers++;
  rto_cswitch_isr_enter(&rtoscope_cswitch_log, handler);
  RTO_FREERTOS_RESTORE(before);
}

void rto_freertos_isr_exit(bool is_switching)
{
  const uintptr_t handler = rto_freertos_handler_address();
  uint32_t before;

  RTO_FREERTOS_DISABLE(before);
  rto_cswitch_isr_exit(&rtoscope_cswitch_log, handler);
  if (rto_freertos.handlers > 0) {
    rto_freertos.handlers--;
  }
  if (rto_freertos.handlers == 0 && rto_freertos.running != NULL && !is_switching) {
    if (rto_freertos.running == rto_freertos.idle_name) {
      rto_freertos_enter_sleep();
    } else {
      rto_cswitch_record(RTO_ISR_RETURN, &rtoscope_cswitch_log, 0, rto_freertos.running);
    }
  }
  RTO_FREERTOS_RESTORE(before);
}

void rto_freertos_marker(uint32_t marker, uint32_t value)
{
  const uint32_t number = marker - (uint32_t)RTO_FREERTOS_SEND;

  if (number < RTO_FREERTOS_MARKERS) {
    RTO_FREERTOS_UPDATE_CLOCK();
    rto_cswitch_marker(&rtoscope_cswitch_log, rto_freertos_marker_names[number], value);
  }
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_FREERTOS_IMPLEMENTATION */
