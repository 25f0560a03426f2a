/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: operations on FreeRTOS's objects as events of the ThreadX trace. Include
 * rtoscope_freertos.h.
 *
 * A call that has to wait is an event with the wait, and one that is repeated after it is another
 * event: FreeRTOS's tasks are not handed what they wait for, but try again. A repeated send is none,
 * as ThreadX's are complete when there is room.
 */
#ifndef RTOSCOPE_FREERTOS_OBJECTS_H
#define RTOSCOPE_FREERTOS_OBJECTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A queue, semaphore or mutex at the time of a call. */
struct rto_freertos_queue {
  uintptr_t address;
  /* The task that holds the mutex, 0 if none. */
  uintptr_t holder;
  uint32_t level, length, item_size;
  uint8_t type;
  bool has_receivers;
};

/* A number of messages that is not known. */
#define RTO_FREERTOS_NO_LEVEL 0xFFFFFFFFu

static RTO_FREERTOS_INLINE void rto_freertos_event(uint32_t groups, uint32_t event,
                                                   uintptr_t info_1, uintptr_t info_2,
                                                   uintptr_t info_3, uintptr_t info_4)
{
  RTO_FREERTOS_UPDATE_CLOCK();
  rto_threadx_insert(groups, event, info_1, info_2, info_3, info_4);
}

static RTO_FREERTOS_INLINE struct rto_freertos_queue
rto_freertos_queue(const volatile void *address, uint8_t type, const void *holder, uint32_t level,
                   uint32_t length, uint32_t item_size, bool has_receivers)
{
  struct rto_freertos_queue queue;

  queue.address = (uintptr_t)address;
  queue.holder = rto_freertos_is_mutex(type) ? (uintptr_t)holder : 0;
  queue.level = level;
  queue.length = length;
  queue.item_size = item_size;
  queue.type = type;
  queue.has_receivers = has_receivers;
  return queue;
}

/* The members are known where the macro is used, in queue.c. */
#define RTO_FREERTOS_QUEUE(queue) \
    rto_freertos_queue((queue), (queue)->ucQueueType, (queue)->u.xSemaphore.xMutexHolder, \
                       (uint32_t)(queue)->uxMessagesWaiting, (uint32_t)(queue)->uxLength, \
                       (uint32_t)(queue)->uxItemSize, \
                       listLIST_IS_EMPTY(&(queue)->xTasksWaitingToReceive) == 0)

/* Names an event group, or a stream or message buffer, which the kernel's registry of queues does not
   have. Call these after the objects are created. */
void rto_freertos_name_event_group(const void *group, const char *name);
void rto_freertos_name_buffer(const void *buffer, const char *name);

/* A binary semaphore that the program uses as a lock is a mutex without inheritance in the trace from
   now on, so that its holders, waits and priority inversions are known. Call it before the semaphore
   is first taken. Returns false if there are RTO_FREERTOS_LOCKS already. */
bool rto_freertos_lock(const void *semaphore, const char *name);

/* Registers an object; its name is known later, or never. */
void rto_freertos_name_queue(struct rto_freertos_queue queue, const char *name);
void rto_freertos_create_queue(struct rto_freertos_queue queue);
void rto_freertos_delete_queue(struct rto_freertos_queue queue);

/* A call succeeds, has to wait, or fails. `ticks` is the maximum time to wait. */
void rto_freertos_send(struct rto_freertos_queue queue, uint32_t ticks, bool is_handler);
void rto_freertos_receive(struct rto_freertos_queue queue, uint32_t ticks, bool is_handler);
void rto_freertos_wait(struct rto_freertos_queue queue, uint32_t ticks, bool is_sending);
void rto_freertos_fail(struct rto_freertos_queue queue, bool is_sending, bool is_handler);

/* The same for stream buffers and message buffers, whose levels are not known. */
void rto_freertos_buffer(uintptr_t buffer, bool is_sending, bool is_handler);
void rto_freertos_wait_for_buffer(uintptr_t buffer, bool is_sending);

/* The running task waits for flags of an event group, or of its notifications, and gets them. */
void rto_freertos_wait_for_flags(uintptr_t group, uint32_t flags);
void rto_freertos_get_flags(uintptr_t group, uint32_t flags);

/* A call for a timer, by the kernel's number of the command. */
void rto_freertos_timer(uintptr_t timer, int32_t command, uint32_t ticks);

#ifdef __cplusplus
}
#endif

/* Waits for all objects: the event of the call shows what for. */
#if RTO_FREERTOS_OBJECTS
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) \
    rto_freertos_wait(RTO_FREERTOS_QUEUE(queue), (uint32_t)xTicksToWait, false)
#define traceBLOCKING_ON_QUEUE_SEND(queue) \
    rto_freertos_wait(RTO_FREERTOS_QUEUE(queue), (uint32_t)xTicksToWait, true)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer) \
    rto_freertos_wait_for_buffer((uintptr_t)(buffer), true)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(buffer) \
    rto_freertos_wait_for_buffer((uintptr_t)(buffer), false)
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, wait) \
    rto_freertos_wait_for_flags((uintptr_t)(group), (uint32_t)(wait))
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, wait) \
    rto_freertos_wait_for_flags((uintptr_t)(group), (uint32_t)(wait))
#define traceTASK_NOTIFY_TAKE_BLOCK(index) \
    rto_freertos_wait_for_flags(RTO_FREERTOS_NOTIFICATION(pxCurrentTCB), 0xFFFFFFFFu)
#else
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) \
    rto_freertos_block(rto_freertos_queue_wait((queue)->ucQueueType))
#define traceBLOCKING_ON_QUEUE_SEND(queue) traceBLOCKING_ON_QUEUE_RECEIVE(queue)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer) rto_freertos_block(RTO_FREERTOS_WAIT_QUEUE)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(buffer) \
    rto_freertos_block(RTO_FREERTOS_WAIT_QUEUE)
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, wait) \
    rto_freertos_block(RTO_FREERTOS_WAIT_EVENT_FLAGS)
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, wait) \
    rto_freertos_block(RTO_FREERTOS_WAIT_EVENT_FLAGS)
#define traceTASK_NOTIFY_TAKE_BLOCK(index) rto_freertos_block(RTO_FREERTOS_WAIT_EVENT_FLAGS)
#endif
#define traceTASK_NOTIFY_WAIT_BLOCK(index) traceTASK_NOTIFY_TAKE_BLOCK(index)
/* The message stays in the queue: ThreadX has no such call. */
#define traceBLOCKING_ON_QUEUE_PEEK(queue) \
    rto_freertos_block(rto_freertos_queue_wait((queue)->ucQueueType))

#if RTO_FREERTOS_OBJECTS
#define traceQUEUE_CREATE(queue) rto_freertos_create_queue(RTO_FREERTOS_QUEUE(queue))
#define traceQUEUE_DELETE(queue) rto_freertos_delete_queue(RTO_FREERTOS_QUEUE(queue))
#define traceQUEUE_REGISTRY_ADD(queue, name) \
    rto_freertos_name_queue(RTO_FREERTOS_QUEUE(queue), (name))
#define traceQUEUE_SEND(queue) \
    rto_freertos_send(RTO_FREERTOS_QUEUE(queue), (uint32_t)xTicksToWait, false)
#define traceQUEUE_RECEIVE(queue) \
    rto_freertos_receive(RTO_FREERTOS_QUEUE(queue), (uint32_t)xTicksToWait, false)
#define traceQUEUE_SEND_FAILED(queue) rto_freertos_fail(RTO_FREERTOS_QUEUE(queue), true, false)
#define traceQUEUE_RECEIVE_FAILED(queue) rto_freertos_fail(RTO_FREERTOS_QUEUE(queue), false, false)
#define traceQUEUE_SEND_FROM_ISR(queue) rto_freertos_send(RTO_FREERTOS_QUEUE(queue), 0, true)
#define traceQUEUE_RECEIVE_FROM_ISR(queue) rto_freertos_receive(RTO_FREERTOS_QUEUE(queue), 0, true)
#define traceQUEUE_SEND_FROM_ISR_FAILED(queue) \
    rto_freertos_fail(RTO_FREERTOS_QUEUE(queue), true, true)
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(queue) \
    rto_freertos_fail(RTO_FREERTOS_QUEUE(queue), false, true)
#define traceQUEUE_SET_SEND(queue) rto_freertos_send(RTO_FREERTOS_QUEUE(queue), 0, true)

/* A mutex that its holder takes and gives more than once. The last give is a send. */
#define traceTAKE_MUTEX_RECURSIVE(queue) \
    do { \
        if ((uintptr_t)(queue)->u.xSemaphore.xMutexHolder == rto_freertos.running) { \
            rto_freertos_event(RTO_TX_TRACE_MUTEX_EVENTS, RTO_TX_TRACE_MUTEX_GET, \
                               (uintptr_t)(queue), (uint32_t)xTicksToWait, rto_freertos.running, \
                               (queue)->u.xSemaphore.uxRecursiveCallCount); \
        } \
    } while (0)
#define traceGIVE_MUTEX_RECURSIVE(queue) \
    do { \
        if ((queue)->u.xSemaphore.uxRecursiveCallCount > 1) { \
            rto_freertos_event(RTO_TX_TRACE_MUTEX_EVENTS, RTO_TX_TRACE_MUTEX_PUT, \
                               (uintptr_t)(queue), rto_freertos.running, \
                               (queue)->u.xSemaphore.uxRecursiveCallCount, 0); \
        } \
    } while (0)

#define traceSTREAM_BUFFER_CREATE(buffer, type) \
    (void)rto_threadx_register(RTO_TX_TRACE_OBJECT_TYPE_QUEUE, (uintptr_t)(buffer), "", 0, 0)
#define traceSTREAM_BUFFER_DELETE(buffer) rto_threadx_unregister((uintptr_t)(buffer))
#define traceSTREAM_BUFFER_SEND(buffer, sent) rto_freertos_buffer((uintptr_t)(buffer), true, false)
#define traceSTREAM_BUFFER_SEND_FROM_ISR(buffer, sent) \
    rto_freertos_buffer((uintptr_t)(buffer), true, true)
#define traceSTREAM_BUFFER_RECEIVE(buffer, received) \
    rto_freertos_buffer((uintptr_t)(buffer), false, false)
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(buffer, received) \
    rto_freertos_buffer((uintptr_t)(buffer), false, true)

#define traceEVENT_GROUP_CREATE(group) \
    (void)rto_threadx_register(RTO_TX_TRACE_OBJECT_TYPE_EVENT_FLAGS, (uintptr_t)(group), "", 0, 0)
#define traceEVENT_GROUP_DELETE(group) rto_threadx_unregister((uintptr_t)(group))
#define traceEVENT_GROUP_SET_BITS(group, bits) \
    rto_freertos_event(RTO_TX_TRACE_EVENT_FLAGS_EVENTS, RTO_TX_TRACE_EVENT_FLAGS_SET, \
                       (uintptr_t)(group), (uint32_t)(bits), 0, 0)
/* TX_AND with the flags that remain. */
#define traceEVENT_GROUP_CLEAR_BITS(group, bits) \
    rto_freertos_event(RTO_TX_TRACE_EVENT_FLAGS_EVENTS, RTO_TX_TRACE_EVENT_FLAGS_SET, \
                       (uintptr_t)(group), (uint32_t)~(bits), 2, 0)
#define traceEVENT_GROUP_WAIT_BITS_END(group, bits, timeout) \
    do { \
        (void)(timeout); \
        rto_freertos_get_flags((uintptr_t)(group), (uint32_t)(bits)); \
    } while (0)
#define traceEVENT_GROUP_SYNC_END(group, set, bits, timeout) \
    traceEVENT_GROUP_WAIT_BITS_END(group, bits, timeout)

#define traceTASK_NOTIFY(index) \
    rto_freertos_event(RTO_TX_TRACE_EVENT_FLAGS_EVENTS, RTO_TX_TRACE_EVENT_FLAGS_SET, \
                       RTO_FREERTOS_NOTIFICATION(pxTCB), 0xFFFFFFFFu, 0, 0)
#define traceTASK_NOTIFY_TAKE(index) \
    rto_freertos_get_flags(RTO_FREERTOS_NOTIFICATION(pxCurrentTCB), 0xFFFFFFFFu)
#define traceTASK_NOTIFY_WAIT(index) traceTASK_NOTIFY_TAKE(index)

#define traceTIMER_CREATE(timer) \
    do { \
        (void)rto_threadx_register(RTO_TX_TRACE_OBJECT_TYPE_TIMER, (uintptr_t)(timer), \
                                   (const char *)(timer)->pcTimerName, 0, 0); \
        rto_freertos_event(RTO_TX_TRACE_TIMER_EVENTS, RTO_TX_TRACE_TIMER_CREATE, \
                           (uintptr_t)(timer), (uint32_t)(timer)->xTimerPeriodInTicks, \
                           (uint32_t)(timer)->xTimerPeriodInTicks, 0); \
    } while (0)
#define traceTIMER_COMMAND_SEND(timer, command, value, status) \
    do { \
        if ((status) != 0) { \
            rto_freertos_timer((uintptr_t)(timer), (int32_t)(command), (uint32_t)(value)); \
        } \
    } while (0)
#endif

#endif /* RTOSCOPE_FREERTOS_OBJECTS_H */

#include "rtoscope_freertos_object_events.h"
