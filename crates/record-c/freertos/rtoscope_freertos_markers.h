/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: operations on FreeRTOS's objects as markers, for the recorders without events of objects.
 * Include rtoscope_freertos.h.
 */
#ifndef RTOSCOPE_FREERTOS_MARKERS_H
#define RTOSCOPE_FREERTOS_MARKERS_H

/* Markers of operations; their value is the address of the object, or the number of the task. */
enum rto_freertos_marker {
  RTO_FREERTOS_SEND = 0x70000000,
  RTO_FREERTOS_RECEIVE,
  RTO_FREERTOS_GIVE,
  RTO_FREERTOS_TAKE,
  RTO_FREERTOS_UNLOCK,
  RTO_FREERTOS_LOCK,
  RTO_FREERTOS_NOTIFY,
  RTO_FREERTOS_STREAM_SEND,
  RTO_FREERTOS_STREAM_RECEIVE,
  RTO_FREERTOS_EVENTS,
  RTO_FREERTOS_TIMER,
  RTO_FREERTOS_INHERIT,
  RTO_FREERTOS_DISINHERIT,
  RTO_FREERTOS_SUSPEND,
  RTO_FREERTOS_DELETE
};

#define RTO_FREERTOS_MARKERS 15u

/* The names, in order. */
extern const char *const rto_freertos_marker_names[RTO_FREERTOS_MARKERS];

static RTO_FREERTOS_INLINE void rto_freertos_object(enum rto_freertos_marker marker,
                                                    const volatile void *object)
{
  rto_freertos_marker((uint32_t)marker, (uint32_t)(uintptr_t)object);
}

static RTO_FREERTOS_INLINE void rto_freertos_queue(uint8_t type, bool is_send, const void *queue)
{
  enum rto_freertos_marker marker = is_send ? RTO_FREERTOS_SEND : RTO_FREERTOS_RECEIVE;

  if (rto_freertos_is_mutex(type)) {
    marker = is_send ? RTO_FREERTOS_UNLOCK : RTO_FREERTOS_LOCK;
  } else if (rto_freertos_is_semaphore(type)) {
    marker = is_send ? RTO_FREERTOS_GIVE : RTO_FREERTOS_TAKE;
  }
  rto_freertos_object(marker, queue);
}

/* Another task that is suspended becomes ready again later. */
static RTO_FREERTOS_INLINE void rto_freertos_suspend(struct rto_freertos_task task, bool is_running)
{
  if (is_running) {
    rto_freertos_block(RTO_FREERTOS_WAIT_SUSPENDED);
  } else {
    rto_freertos_insert(&rto_freertos.waiting, task.number);
    rto_freertos_marker(RTO_FREERTOS_SUSPEND, task.number);
  }
}

static RTO_FREERTOS_INLINE void rto_freertos_delete(struct rto_freertos_task task, bool is_running)
{
  (void)is_running;
  rto_freertos_marker(RTO_FREERTOS_DELETE, task.number);
}

/* Why the running task waits. */
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) \
    rto_freertos_block(rto_freertos_queue_wait((queue)->ucQueueType))
#define traceBLOCKING_ON_QUEUE_PEEK(queue) traceBLOCKING_ON_QUEUE_RECEIVE(queue)
#define traceBLOCKING_ON_QUEUE_SEND(queue) traceBLOCKING_ON_QUEUE_RECEIVE(queue)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer) rto_freertos_block(RTO_FREERTOS_WAIT_QUEUE)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(buffer) \
    rto_freertos_block(RTO_FREERTOS_WAIT_QUEUE)
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, wait) \
    rto_freertos_block(RTO_FREERTOS_WAIT_EVENT_FLAGS)
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, wait) \
    rto_freertos_block(RTO_FREERTOS_WAIT_EVENT_FLAGS)
#define traceTASK_NOTIFY_TAKE_BLOCK(index) rto_freertos_block(RTO_FREERTOS_WAIT_EVENT_FLAGS)
#define traceTASK_NOTIFY_WAIT_BLOCK(index) rto_freertos_block(RTO_FREERTOS_WAIT_EVENT_FLAGS)

#if RTO_FREERTOS_OBJECTS
#define traceQUEUE_SEND(queue) rto_freertos_queue((queue)->ucQueueType, true, (queue))
#define traceQUEUE_SEND_FROM_ISR(queue) traceQUEUE_SEND(queue)
#define traceQUEUE_RECEIVE(queue) rto_freertos_queue((queue)->ucQueueType, false, (queue))
#define traceQUEUE_RECEIVE_FROM_ISR(queue) traceQUEUE_RECEIVE(queue)
#define traceTASK_NOTIFY(index) \
    rto_freertos_marker(RTO_FREERTOS_NOTIFY, RTO_FREERTOS_NUMBER(pxTCB))
#define traceSTREAM_BUFFER_SEND(buffer, sent) \
    rto_freertos_object(RTO_FREERTOS_STREAM_SEND, (buffer))
#define traceSTREAM_BUFFER_SEND_FROM_ISR(buffer, sent) traceSTREAM_BUFFER_SEND(buffer, sent)
#define traceSTREAM_BUFFER_RECEIVE(buffer, received) \
    rto_freertos_object(RTO_FREERTOS_STREAM_RECEIVE, (buffer))
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(buffer, received) \
    traceSTREAM_BUFFER_RECEIVE(buffer, received)
#define traceEVENT_GROUP_SET_BITS(group, bits) rto_freertos_object(RTO_FREERTOS_EVENTS, (group))
#define traceTIMER_EXPIRED(timer) rto_freertos_object(RTO_FREERTOS_TIMER, (timer))
#define traceTASK_PRIORITY_INHERIT(task, priority) \
    rto_freertos_marker(RTO_FREERTOS_INHERIT, RTO_FREERTOS_NUMBER(task))
#define traceTASK_PRIORITY_DISINHERIT(task, priority) \
    rto_freertos_marker(RTO_FREERTOS_DISINHERIT, RTO_FREERTOS_NUMBER(task))
#endif

#endif /* RTOSCOPE_FREERTOS_MARKERS_H */

#if defined(RTO_FREERTOS_IMPLEMENTATION) && !defined(RTO_FREERTOS_MARKERS_IMPLEMENTED)
#define RTO_FREERTOS_MARKERS_IMPLEMENTED

const char *const rto_freertos_marker_names[RTO_FREERTOS_MARKERS] = {
    "queue send",          "queue receive",  "semaphore give",        "semaphore take",
    "mutex give",          "mutex take",     "notify",                "stream buffer send",
    "stream buffer receive", "event group set", "timer expired",      "priority inherit",
    "priority disinherit", "task suspend",   "task delete"};

#endif /* RTO_FREERTOS_IMPLEMENTATION */
