/*
 * rtoscope: the trace macros of FreeRTOS for the compact stream. Include it as the
 * last line of FreeRTOSConfig.h, with configUSE_TRACE_FACILITY set to 1. One source file defines
 * the recorder, before it includes anything else:
 *
 *     #define RTO_STREAM_IMPLEMENTATION
 *     #include "FreeRTOS.h"
 *
 *     static uint32_t words[2048];
 *
 *     rto_freertos_start(words, 2048, &DWT->CYCCNT, configCPU_CLOCK_HZ);
 *
 * Call rto_freertos_start first in main, before tasks are created, and send what
 * rto_stream_read(&rto_freertos.stream, ...) returns from a task of low priority.
 *
 * Handlers of the application begin with traceISR_ENTER() and end with portYIELD_FROM_ISR(),
 * which calls traceISR_EXIT(), or with traceISR_EXIT().
 *
 * RTO_FREERTOS_OBJECTS 0, before the header is included, omits operations on queues,
 * semaphores, notifications and timers.
 */
#if !defined(__ASSEMBLER__) && !defined(__IASMARM__)

#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES > 1
#error "rtoscope_freertos.h records one core: configNUMBER_OF_CORES must be 1"
#endif
#if !defined(configUSE_TRACE_FACILITY) || configUSE_TRACE_FACILITY != 1
#error "set configUSE_TRACE_FACILITY to 1 in FreeRTOSConfig.h"
#endif

#ifndef RTO_FREERTOS_OBJECTS
#define RTO_FREERTOS_OBJECTS 1
#endif
#ifndef RTO_STREAM_NAMES
#define RTO_STREAM_NAMES 48
#endif

#include "rtoscope_stream.h"

#ifndef RTOSCOPE_FREERTOS_H
#define RTOSCOPE_FREERTOS_H

#ifdef __cplusplus
extern "C" {
#endif

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

/* The recorder. All members but `stream` are private. */
struct rto_freertos {
  struct rto_stream stream;
  /* The number of the idle task. */
  uint32_t idle;
  /* Why the running task will wait, if it does. */
  enum rto_stream_wait_reason reason;
  /* Tasks with numbers below 256 that are not ready, one bit each. */
  uint32_t waiting[8];
};

extern struct rto_freertos rto_freertos;

/* Starts the stream, as rto_stream_start does. */
bool rto_freertos_start(uint32_t *words, size_t size, volatile const uint32_t *counter,
                        uint32_t frequency_hz);

/* Names a task that was created. */
void rto_freertos_create(uint32_t task, const char *name, bool is_idle);

static RTO_STREAM_INLINE void rto_freertos_set_waiting(uint32_t task)
{
  if (task < 256u) {
    rto_freertos.waiting[task / 32u] |= 1u << task % 32u;
  }
}

static RTO_STREAM_INLINE void rto_freertos_switched_in(uint32_t task)
{
  if (task == rto_freertos.idle) {
    rto_stream_idle(&rto_freertos.stream);
  } else if (task < 256u) {
    rto_stream_resume_short(&rto_freertos.stream, (uint8_t)task);
  } else {
    rto_stream_resume(&rto_freertos.stream, task);
  }
}

/* The kernel calls this for each switch, also if the task is still ready. */
static RTO_STREAM_INLINE void rto_freertos_switched_out(uint32_t task, bool is_ready)
{
  if (!is_ready) {
    rto_freertos_set_waiting(task);
    rto_stream_wait(&rto_freertos.stream, rto_freertos.reason);
  }
  rto_freertos.reason = RTO_STREAM_WAIT_OTHER;
}

/* The kernel calls this also for ready tasks whose priority changes, and for the running task if
   it becomes ready before it was switched out. */
static RTO_STREAM_INLINE void rto_freertos_ready(uint32_t task, bool is_running)
{
  if (task < 256u) {
    const uint32_t bit = 1u << task % 32u;

    if ((rto_freertos.waiting[task / 32u] & bit) != 0) {
      rto_freertos.waiting[task / 32u] &= ~bit;
      rto_stream_ready_short(&rto_freertos.stream, (uint8_t)task);
    }
  } else if (!is_running) {
    rto_stream_ready(&rto_freertos.stream, task);
  }
}

static RTO_STREAM_INLINE void rto_freertos_object(enum rto_freertos_marker marker,
                                                  uint32_t object)
{
  rto_stream_marker(&rto_freertos.stream, (uint32_t)marker, object);
}

/* An operation on a queue: mutexes are types 1 and 4, semaphores 2 and 3. */
static RTO_STREAM_INLINE void rto_freertos_queue(uint8_t type, bool is_send, const void *queue)
{
  enum rto_freertos_marker marker = is_send ? RTO_FREERTOS_SEND : RTO_FREERTOS_RECEIVE;

  if (type == 1u || type == 4u) {
    marker = is_send ? RTO_FREERTOS_UNLOCK : RTO_FREERTOS_LOCK;
  } else if (type == 2u || type == 3u) {
    marker = is_send ? RTO_FREERTOS_GIVE : RTO_FREERTOS_TAKE;
  }
  rto_freertos_object(marker, (uint32_t)(uintptr_t)queue);
}

static RTO_STREAM_INLINE void rto_freertos_block_on_queue(uint8_t type)
{
  rto_freertos.reason = type == 1u || type == 4u   ? RTO_STREAM_WAIT_MUTEX
                        : type == 2u || type == 3u ? RTO_STREAM_WAIT_SEMAPHORE
                                                   : RTO_STREAM_WAIT_QUEUE;
}

static RTO_STREAM_INLINE void rto_freertos_block(enum rto_stream_wait_reason reason)
{
  rto_freertos.reason = reason;
}

/* The number of the handler that runs: of the exception, or of the cause. */
#ifndef RTO_FREERTOS_HANDLER
static RTO_STREAM_INLINE uint8_t rto_freertos_handler(void)
{
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  uint32_t number;

  __asm__ volatile("mrs %0, ipsr" : "=r"(number));
  return (uint8_t)number;
#elif defined(__GNUC__) && defined(__riscv)
  unsigned long number;

  __asm__ volatile("csrr %0, mcause" : "=r"(number));
  return (uint8_t)number;
#else
  return 0;
#endif
}
#define RTO_FREERTOS_HANDLER() rto_freertos_handler()
#endif

#ifdef __cplusplus
}
#endif

/* Tasks. The macros are expanded in tasks.c, where the members are known. */
#define traceTASK_CREATE(task) \
    rto_freertos_create((uint32_t)(task)->uxTCBNumber, (task)->pcTaskName, \
                        (task)->uxPriority == tskIDLE_PRIORITY)
#define traceTASK_SWITCHED_IN() rto_freertos_switched_in((uint32_t)pxCurrentTCB->uxTCBNumber)
#define traceTASK_SWITCHED_OUT() \
    rto_freertos_switched_out( \
        (uint32_t)pxCurrentTCB->uxTCBNumber, \
        listIS_CONTAINED_WITHIN(&pxReadyTasksLists[pxCurrentTCB->uxPriority], \
                                &pxCurrentTCB->xStateListItem) != 0)
#define traceMOVED_TASK_TO_READY_STATE(task) \
    rto_freertos_ready((uint32_t)(task)->uxTCBNumber, (task) == pxCurrentTCB)

/* Interrupt handlers. */
#define traceISR_ENTER() rto_stream_isr_enter(&rto_freertos.stream, RTO_FREERTOS_HANDLER())
#define traceISR_EXIT() rto_stream_isr_exit(&rto_freertos.stream, RTO_FREERTOS_HANDLER())
#define traceISR_EXIT_TO_SCHEDULER() traceISR_EXIT()

/* Why the running task waits. */
#define traceTASK_DELAY() rto_freertos_block(RTO_STREAM_WAIT_SLEEP)
#define traceTASK_DELAY_UNTIL(time) rto_freertos_block(RTO_STREAM_WAIT_SLEEP)
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) rto_freertos_block_on_queue((queue)->ucQueueType)
#define traceBLOCKING_ON_QUEUE_PEEK(queue) rto_freertos_block_on_queue((queue)->ucQueueType)
#define traceBLOCKING_ON_QUEUE_SEND(queue) rto_freertos_block_on_queue((queue)->ucQueueType)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer) rto_freertos_block(RTO_STREAM_WAIT_QUEUE)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(buffer) rto_freertos_block(RTO_STREAM_WAIT_QUEUE)
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, wait) \
    rto_freertos_block(RTO_STREAM_WAIT_EVENT_FLAGS)
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, wait) \
    rto_freertos_block(RTO_STREAM_WAIT_EVENT_FLAGS)
#define traceTASK_NOTIFY_TAKE_BLOCK(index) rto_freertos_block(RTO_STREAM_WAIT_EVENT_FLAGS)
#define traceTASK_NOTIFY_WAIT_BLOCK(index) rto_freertos_block(RTO_STREAM_WAIT_EVENT_FLAGS)

/* Another task that is suspended becomes ready again later. */
#define traceTASK_SUSPEND(task) \
    do { \
        if ((task) == pxCurrentTCB) { \
            rto_freertos_block(RTO_STREAM_WAIT_SUSPENDED); \
        } else { \
            rto_freertos_set_waiting((uint32_t)(task)->uxTCBNumber); \
            rto_freertos_object(RTO_FREERTOS_SUSPEND, (uint32_t)(task)->uxTCBNumber); \
        } \
    } while (0)
#define traceTASK_DELETE(task) \
    rto_freertos_object(RTO_FREERTOS_DELETE, (uint32_t)(task)->uxTCBNumber)

#if RTO_FREERTOS_OBJECTS
#define traceQUEUE_SEND(queue) rto_freertos_queue((queue)->ucQueueType, true, (queue))
#define traceQUEUE_SEND_FROM_ISR(queue) rto_freertos_queue((queue)->ucQueueType, true, (queue))
#define traceQUEUE_RECEIVE(queue) rto_freertos_queue((queue)->ucQueueType, false, (queue))
#define traceQUEUE_RECEIVE_FROM_ISR(queue) rto_freertos_queue((queue)->ucQueueType, false, (queue))
#define traceTASK_NOTIFY(index) \
    rto_freertos_object(RTO_FREERTOS_NOTIFY, (uint32_t)pxTCB->uxTCBNumber)
#define traceTASK_NOTIFY_FROM_ISR(index) traceTASK_NOTIFY(index)
#define traceTASK_NOTIFY_GIVE_FROM_ISR(index) traceTASK_NOTIFY(index)
#define traceSTREAM_BUFFER_SEND(buffer, sent) \
    rto_freertos_object(RTO_FREERTOS_STREAM_SEND, (uint32_t)(uintptr_t)(buffer))
#define traceSTREAM_BUFFER_SEND_FROM_ISR(buffer, sent) traceSTREAM_BUFFER_SEND(buffer, sent)
#define traceSTREAM_BUFFER_RECEIVE(buffer, received) \
    rto_freertos_object(RTO_FREERTOS_STREAM_RECEIVE, (uint32_t)(uintptr_t)(buffer))
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(buffer, received) \
    traceSTREAM_BUFFER_RECEIVE(buffer, received)
#define traceEVENT_GROUP_SET_BITS(group, bits) \
    rto_freertos_object(RTO_FREERTOS_EVENTS, (uint32_t)(uintptr_t)(group))
#define traceTIMER_EXPIRED(timer) \
    rto_freertos_object(RTO_FREERTOS_TIMER, (uint32_t)(uintptr_t)(timer))
#define traceTASK_PRIORITY_INHERIT(task, priority) \
    rto_freertos_object(RTO_FREERTOS_INHERIT, (uint32_t)(task)->uxTCBNumber)
#define traceTASK_PRIORITY_DISINHERIT(task, priority) \
    rto_freertos_object(RTO_FREERTOS_DISINHERIT, (uint32_t)(task)->uxTCBNumber)
#endif

#endif /* RTOSCOPE_FREERTOS_H */

#if defined(RTO_STREAM_IMPLEMENTATION) && !defined(RTO_FREERTOS_IMPLEMENTED)
#define RTO_FREERTOS_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

struct rto_freertos rto_freertos;

bool rto_freertos_start(uint32_t *words, size_t size, volatile const uint32_t *counter,
                        uint32_t frequency_hz)
{
  static const char *const names[] = {
      "queue send",         "queue receive",         "semaphore give",
      "semaphore take",     "mutex give",            "mutex take",
      "notify",             "stream buffer send",    "stream buffer receive",
      "event group set",    "timer expired",         "priority inherit",
      "priority disinherit", "task suspend",         "task delete"};
  uint32_t number;

  for (number = 0; number < sizeof(names) / sizeof(names[0]); number++) {
    (void)rto_stream_name(&rto_freertos.stream, (uint32_t)RTO_FREERTOS_SEND + number,
                          names[number]);
  }
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  (void)rto_stream_name_handler(&rto_freertos.stream, 15, "SysTick");
#endif
  return rto_stream_start(&rto_freertos.stream, words, size, counter, frequency_hz);
}

void rto_freertos_create(uint32_t task, const char *name, bool is_idle)
{
#ifdef configIDLE_TASK_NAME
  static const char idle[] = configIDLE_TASK_NAME;
#else
  static const char idle[] = "IDLE";
#endif
  size_t at;

  /* The kernel cuts names. */
  for (at = 0; name[at] != '\0'; at++) {
    is_idle = is_idle && idle[at] == name[at];
  }
  if (is_idle && at > 0) {
    rto_freertos.idle = task;
    return;
  }
  (void)rto_stream_name(&rto_freertos.stream, task, name);
  rto_freertos_set_waiting(task);
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_STREAM_IMPLEMENTATION */

#endif /* __ASSEMBLER__ */
