/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: what the trace macros of FreeRTOS need from the processor, and the tasks and waits that
 * all recorders know. Include rtoscope_freertos.h.
 */
#ifndef RTOSCOPE_FREERTOS_PORT_H
#define RTOSCOPE_FREERTOS_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define RTO_FREERTOS_INLINE inline __attribute__((always_inline, unused))
#else
#define RTO_FREERTOS_INLINE inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(RTO_STREAM_DISABLE) && !defined(RTO_FREERTOS_DISABLE)
#define RTO_FREERTOS_DISABLE(before) RTO_STREAM_DISABLE(before)
#define RTO_FREERTOS_RESTORE(before) RTO_STREAM_RESTORE(before)
#endif

/* The POSIX port: the tick is the signal SIGALRM, and one thread at a time runs. No counter exists
   as a variable, so that the functions that mask the signal also set one. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(RTO_FREERTOS_DISABLE)
#define RTO_FREERTOS_POSIX 1
#define RTO_FREERTOS_CLOCK_HZ 10000000u
extern volatile uint32_t rto_freertos_clock;
uint32_t rto_freertos_disable(void);
void rto_freertos_restore(uint32_t before);
#define RTO_FREERTOS_DISABLE(before) ((before) = rto_freertos_disable())
#define RTO_FREERTOS_RESTORE(before) rto_freertos_restore(before)
#endif

#ifndef RTO_FREERTOS_DISABLE
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define RTO_FREERTOS_DISABLE(before) \
    __asm__ volatile("mrs %0, PRIMASK\n\tcpsid i" : "=r"(before) : : "memory")
#define RTO_FREERTOS_RESTORE(before) \
    __asm__ volatile("msr PRIMASK, %0" : : "r"(before) : "memory")
#elif defined(__GNUC__) && defined(__riscv)
#define RTO_FREERTOS_DISABLE(before) \
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory")
#define RTO_FREERTOS_RESTORE(before) \
    __asm__ volatile("csrs mstatus, %0" : : "r"((before) & 8u) : "memory")
#else
#error "define RTO_FREERTOS_DISABLE and RTO_FREERTOS_RESTORE"
#endif
#endif

/* Recorders that read the counter without the functions above call this first. */
#ifdef RTO_FREERTOS_POSIX
#define RTO_FREERTOS_UPDATE_CLOCK() rto_freertos_restore(rto_freertos_disable())
#else
#define RTO_FREERTOS_UPDATE_CLOCK() ((void)0)
#endif

/* The number of the handler that runs: of the exception, or of the cause. */
#ifndef RTO_FREERTOS_HANDLER
static RTO_FREERTOS_INLINE uint8_t rto_freertos_handler(void)
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

/* The number of the handler of the tick, for its name; -1 if the port does not define it. */
#ifndef RTO_FREERTOS_TICK_HANDLER
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define RTO_FREERTOS_TICK_HANDLER 15
#elif defined(__riscv)
#define RTO_FREERTOS_TICK_HANDLER 7
#elif defined(RTO_FREERTOS_POSIX)
#define RTO_FREERTOS_TICK_HANDLER 0
#else
#define RTO_FREERTOS_TICK_HANDLER (-1)
#endif
#endif

/* A task's number. Unlike address and name, it is not that of a deleted task, except in the compact
   stream, where a deleted task of the same name had it. */
#ifndef RTO_FREERTOS_NUMBER
#define RTO_FREERTOS_NUMBER(tcb) ((uint32_t)(tcb)->uxTCBNumber)
#endif

/* A task. */
struct rto_freertos_task {
  uint32_t number;
  uint32_t priority;
  uintptr_t address;
  const char *name;
};

static RTO_FREERTOS_INLINE struct rto_freertos_task
rto_freertos_task(uint32_t number, const void *tcb, const char *name, uint32_t priority)
{
  struct rto_freertos_task task;

  task.number = number;
  task.priority = priority;
  task.address = (uintptr_t)tcb;
  task.name = name;
  return task;
}

/* The members are known where the macro is used, in tasks.c. */
#define RTO_FREERTOS_TASK(tcb) \
    rto_freertos_task(RTO_FREERTOS_NUMBER(tcb), (tcb), (const char *)(tcb)->pcTaskName, \
                      (uint32_t)(tcb)->uxPriority)

/* Why tasks wait: ThreadX's thread states, with 0 for a reason that is not known. */
enum rto_freertos_wait {
  RTO_FREERTOS_WAIT_OTHER = 0,
  RTO_FREERTOS_WAIT_TERMINATED = 2,
  RTO_FREERTOS_WAIT_SUSPENDED = 3,
  RTO_FREERTOS_WAIT_SLEEP = 4,
  RTO_FREERTOS_WAIT_QUEUE = 5,
  RTO_FREERTOS_WAIT_SEMAPHORE = 6,
  RTO_FREERTOS_WAIT_EVENT_FLAGS = 7,
  RTO_FREERTOS_WAIT_MUTEX = 13
};

/* What a queue is. In FreeRTOS, mutexes are types 1 and 4, semaphores 2 and 3. */
static RTO_FREERTOS_INLINE bool rto_freertos_is_mutex(uint8_t type)
{
  return type == 1u || type == 4u;
}

static RTO_FREERTOS_INLINE bool rto_freertos_is_semaphore(uint8_t type)
{
  return type == 2u || type == 3u;
}

static RTO_FREERTOS_INLINE enum rto_freertos_wait rto_freertos_queue_wait(uint8_t type)
{
  return rto_freertos_is_mutex(type)       ? RTO_FREERTOS_WAIT_MUTEX
         : rto_freertos_is_semaphore(type) ? RTO_FREERTOS_WAIT_SEMAPHORE
                                           : RTO_FREERTOS_WAIT_QUEUE;
}

/* A set of tasks with numbers below 256, one bit each. */
struct rto_freertos_tasks {
  uint32_t bits[8];
};

static RTO_FREERTOS_INLINE void rto_freertos_insert(struct rto_freertos_tasks *tasks,
                                                    uint32_t number)
{
  if (number < 256u) {
    tasks->bits[number / 32u] |= 1u << number % 32u;
  }
}

/* Removes a task. Returns whether the set had it. */
static RTO_FREERTOS_INLINE bool rto_freertos_remove(struct rto_freertos_tasks *tasks,
                                                    uint32_t number)
{
  const uint32_t bit = 1u << number % 32u;
  bool had = false;

  if (number < 256u) {
    had = (tasks->bits[number / 32u] & bit) != 0;
    tasks->bits[number / 32u] &= ~bit;
  }
  return had;
}

/* Whether a task is the idle task. */
bool rto_freertos_is_idle(const char *name, bool has_idle_priority);

#ifdef __cplusplus
}
#endif

#endif /* RTOSCOPE_FREERTOS_PORT_H */

#if defined(RTO_FREERTOS_IMPLEMENTATION) && !defined(RTO_FREERTOS_PORT_IMPLEMENTED)
#define RTO_FREERTOS_PORT_IMPLEMENTED

#ifdef RTO_FREERTOS_POSIX
#include <pthread.h>
#include <signal.h>
#include <time.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

bool rto_freertos_is_idle(const char *name, bool has_idle_priority)
{
#ifdef configIDLE_TASK_NAME
  static const char idle[] = configIDLE_TASK_NAME;
#else
  static const char idle[] = "IDLE";
#endif
  bool is_idle = has_idle_priority;
  size_t at;

  /* The kernel cuts names. */
  for (at = 0; is_idle && name[at] != '\0'; at++) {
    is_idle = at < sizeof(idle) && idle[at] == name[at];
  }
  return is_idle && at > 0;
}

#ifdef RTO_FREERTOS_POSIX
volatile uint32_t rto_freertos_clock;

uint32_t rto_freertos_disable(void)
{
  sigset_t tick, before;
  struct timespec now;

  sigemptyset(&tick);
  sigaddset(&tick, SIGALRM);
  (void)pthread_sigmask(SIG_BLOCK, &tick, &before);
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  rto_freertos_clock =
      (uint32_t)((uint64_t)now.tv_sec * RTO_FREERTOS_CLOCK_HZ + (uint64_t)now.tv_nsec / 100u);
  return sigismember(&before, SIGALRM) == 1 ? 0u : 1u;
}

void rto_freertos_restore(uint32_t before)
{
  sigset_t tick;

  if (before != 0) {
    sigemptyset(&tick);
    sigaddset(&tick, SIGALRM);
    (void)pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
  }
}
#endif

#ifdef __cplusplus
}
#endif

#endif /* RTO_FREERTOS_IMPLEMENTATION */
