/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: FreeRTOS's recorder into the compact stream. Include rtoscope_freertos.h.
 */
#ifndef RTO_STREAM_NAMES
#define RTO_STREAM_NAMES 48
#endif
#ifndef RTO_STREAM_DISABLE
#define RTO_STREAM_DISABLE(before) RTO_FREERTOS_DISABLE(before)
#define RTO_STREAM_RESTORE(before) RTO_FREERTOS_RESTORE(before)
#endif

#include "rtoscope_stream.h"

#ifndef RTOSCOPE_FREERTOS_STREAM_H
#define RTOSCOPE_FREERTOS_STREAM_H

#ifdef __cplusplus
extern "C" {
#endif

/* The recorder. All members but `stream` are private. */
struct rto_freertos {
  struct rto_stream stream;
  /* Why the running task will wait, if it does. */
  enum rto_freertos_wait reason;
  /* The entry that the task waits which was switched out last, 0 if it does not. */
  uint32_t wait;
  /* Tasks that are not ready. */
  struct rto_freertos_tasks waiting;
};

extern struct rto_freertos rto_freertos;

/* Starts the stream, as rto_stream_start does. */
bool rto_freertos_start(uint32_t *words, size_t size, volatile const uint32_t *counter,
                        uint32_t frequency_hz);

/* Names a task that was created, and returns its number: 0 for the idle task. */
uint32_t rto_freertos_create(const char *name, bool has_idle_priority);

static RTO_FREERTOS_INLINE void rto_freertos_switched_in(struct rto_freertos_task task)
{
  const uint32_t wait = rto_freertos.wait;

  rto_freertos.wait = 0;
  rto_stream_write_words(&rto_freertos.stream, wait,
                         task.number == 0
                             ? (uint32_t)RTO_STREAM_SLEEP
                             : (uint32_t)RTO_STREAM_RESUME | task.number << 6);
}

/* The kernel calls this before each switch, also if the task is still ready. */
static RTO_FREERTOS_INLINE void rto_freertos_switched_out(struct rto_freertos_task task,
                                                          bool is_ready)
{
  if (!is_ready) {
    rto_freertos_insert(&rto_freertos.waiting, task.number);
    rto_freertos.wait = (uint32_t)RTO_STREAM_WAIT | (uint32_t)rto_freertos.reason << 6;
  }
  rto_freertos.reason = RTO_FREERTOS_WAIT_OTHER;
}

/* The kernel calls this also for ready tasks whose priority changes, and for the running task if
   it becomes ready before it was switched out. */
static RTO_FREERTOS_INLINE void rto_freertos_ready(struct rto_freertos_task task, bool is_running)
{
  if (task.number < 256u) {
    if (rto_freertos_remove(&rto_freertos.waiting, task.number)) {
      rto_stream_ready_short(&rto_freertos.stream, (uint8_t)task.number);
    }
  } else if (!is_running) {
    rto_stream_ready(&rto_freertos.stream, task.number);
  }
}

static RTO_FREERTOS_INLINE void rto_freertos_isr_enter(void)
{
  rto_stream_isr_enter(&rto_freertos.stream, RTO_FREERTOS_HANDLER());
}

static RTO_FREERTOS_INLINE void rto_freertos_isr_exit(bool is_switching)
{
  (void)is_switching;
  rto_stream_isr_exit(&rto_freertos.stream, RTO_FREERTOS_HANDLER());
}

/* The running task will wait. */
static RTO_FREERTOS_INLINE void rto_freertos_block(enum rto_freertos_wait reason)
{
  rto_freertos.reason = reason;
}

/* A point of interest: `marker` is one of enum rto_freertos_marker. */
static RTO_FREERTOS_INLINE void rto_freertos_marker(uint32_t marker, uint32_t value)
{
  rto_stream_marker(&rto_freertos.stream, marker, value);
}

#ifdef __cplusplus
}
#endif

#endif /* RTOSCOPE_FREERTOS_STREAM_H */

#include "rtoscope_freertos_markers.h"

#if defined(RTO_FREERTOS_IMPLEMENTATION) && !defined(RTO_FREERTOS_IMPLEMENTED)
#define RTO_FREERTOS_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

struct rto_freertos rto_freertos;

bool rto_freertos_start(uint32_t *words, size_t size, volatile const uint32_t *counter,
                        uint32_t frequency_hz)
{
  uint32_t number;

  for (number = 0; number < RTO_FREERTOS_MARKERS; number++) {
    (void)rto_stream_name(&rto_freertos.stream, (uint32_t)RTO_FREERTOS_SEND + number,
                          rto_freertos_marker_names[number]);
  }
  if (RTO_FREERTOS_TICK_HANDLER >= 0) {
    (void)rto_stream_name_handler(&rto_freertos.stream, (uint32_t)RTO_FREERTOS_TICK_HANDLER,
                                  RTO_FREERTOS_TICK_HANDLER == 15 ? "SysTick" : "tick");
  }
  return rto_stream_start(&rto_freertos.stream, words, size, counter, frequency_hz);
}

uint32_t rto_freertos_create(const char *name, bool has_idle_priority)
{
  uint32_t number;

  if (rto_freertos_is_idle(name, has_idle_priority)) {
    return 0;
  }
  number = rto_stream_create_thread(&rto_freertos.stream, name);
  rto_freertos_insert(&rto_freertos.waiting, number);
  return number;
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_FREERTOS_IMPLEMENTATION */
