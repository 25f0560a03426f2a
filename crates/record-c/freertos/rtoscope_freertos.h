/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: the trace macros of FreeRTOS. Include it as the last line of FreeRTOSConfig.h, with
 * configUSE_TRACE_FACILITY set to 1. One source file defines the recorder, before it includes
 * anything else:
 *
 *     #define RTO_FREERTOS_IMPLEMENTATION
 *     #include "FreeRTOS.h"
 *
 *     static uint32_t words[2048];
 *
 *     rto_freertos_start(words, 2048, &DWT->CYCCNT, configCPU_CLOCK_HZ);
 *
 * Call rto_freertos_start first in main, before tasks are created. A task of low priority sends what
 * rto_stream_read(&rto_freertos.stream, ...) returns, and passes what the host sends to
 * rto_stream_take.
 *
 * Handlers of the application begin with traceISR_ENTER(). They end with portYIELD_FROM_ISR(),
 * which calls traceISR_EXIT() from V11 on, or with traceISR_EXIT(). Before V11, the handler of the
 * tick is wrapped in the same way. On RISC-V and POSIX, link with -Wl,--wrap=xTaskIncrementTick and
 * define RTO_FREERTOS_WRAP_TICK 1 with RTO_FREERTOS_IMPLEMENTATION: the port has no hooks there.
 *
 * Before the header is included, may be defined:
 *
 *     RTO_FREERTOS_RECORDER   RTO_FREERTOS_STREAM (default): the compact stream.
 *                             RTO_FREERTOS_CSWITCH: the log of context switches (rto_cswitch_...).
 *                             RTO_FREERTOS_THREADX: the ThreadX event trace (rto_threadx_...), with
 *                             events of objects. Both need the library of rtoscope.h.
 *     RTO_FREERTOS_OBJECTS    0: omit operations on queues, semaphores, notifications, timers.
 */
#if !defined(__ASSEMBLER__) && !defined(__IASMARM__)

#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES > 1
#error "rtoscope_freertos.h records one core: configNUMBER_OF_CORES must be 1"
#endif
#if !defined(configUSE_TRACE_FACILITY) || configUSE_TRACE_FACILITY != 1
#error "set configUSE_TRACE_FACILITY to 1 in FreeRTOSConfig.h"
#endif

#define RTO_FREERTOS_STREAM 1
#define RTO_FREERTOS_CSWITCH 2
#define RTO_FREERTOS_THREADX 3
#ifndef RTO_FREERTOS_RECORDER
#define RTO_FREERTOS_RECORDER RTO_FREERTOS_STREAM
#endif
#ifndef RTO_FREERTOS_OBJECTS
#define RTO_FREERTOS_OBJECTS 1
#endif

#if RTO_FREERTOS_RECORDER == RTO_FREERTOS_STREAM
#if defined(RTO_STREAM_IMPLEMENTATION) && !defined(RTO_FREERTOS_IMPLEMENTATION)
#define RTO_FREERTOS_IMPLEMENTATION
#elif defined(RTO_FREERTOS_IMPLEMENTATION) && !defined(RTO_STREAM_IMPLEMENTATION)
#define RTO_STREAM_IMPLEMENTATION
#endif
#endif

#if RTO_FREERTOS_RECORDER == RTO_FREERTOS_STREAM
/* The kernel keeps this field for recorders: vTaskSetTaskNumber must not be called. */
#define RTO_FREERTOS_NUMBER(tcb) ((uint32_t)(tcb)->uxTaskNumber)
#endif

#include "rtoscope_freertos_port.h"

#if RTO_FREERTOS_RECORDER == RTO_FREERTOS_STREAM
#include "rtoscope_freertos_stream.h"
#elif RTO_FREERTOS_RECORDER == RTO_FREERTOS_CSWITCH
#include "rtoscope_freertos_cswitch.h"
#elif RTO_FREERTOS_RECORDER == RTO_FREERTOS_THREADX
#include "rtoscope_freertos_threadx.h"
#else
#error "RTO_FREERTOS_RECORDER: RTO_FREERTOS_STREAM, RTO_FREERTOS_CSWITCH or RTO_FREERTOS_THREADX"
#endif

#ifndef RTOSCOPE_FREERTOS_H
#define RTOSCOPE_FREERTOS_H

/* Tasks. The macros are expanded in tasks.c, where the members are known. */
#if RTO_FREERTOS_RECORDER == RTO_FREERTOS_STREAM
#define traceTASK_CREATE(task) \
    ((task)->uxTaskNumber = rto_freertos_create((const char *)(task)->pcTaskName, \
                                                (task)->uxPriority == tskIDLE_PRIORITY))
#define traceTASK_DELETE(task) \
    do { \
        rto_freertos_delete(RTO_FREERTOS_TASK(task), (task) == pxCurrentTCB); \
        rto_stream_delete_thread(&rto_freertos.stream, RTO_FREERTOS_NUMBER(task)); \
    } while (0)
#elif RTO_FREERTOS_RECORDER == RTO_FREERTOS_CSWITCH
#define traceTASK_CREATE(task) \
    rto_freertos_create(RTO_FREERTOS_TASK(task), (task)->uxPriority == tskIDLE_PRIORITY)
#define traceTASK_DELETE(task) \
    rto_freertos_delete(RTO_FREERTOS_TASK(task), (task) == pxCurrentTCB)
#endif
#define traceTASK_SWITCHED_IN() rto_freertos_switched_in(RTO_FREERTOS_TASK(pxCurrentTCB))
#define traceTASK_SWITCHED_OUT() \
    rto_freertos_switched_out( \
        RTO_FREERTOS_TASK(pxCurrentTCB), \
        listIS_CONTAINED_WITHIN(&pxReadyTasksLists[pxCurrentTCB->uxPriority], \
                                &pxCurrentTCB->xStateListItem) != 0)
#define traceMOVED_TASK_TO_READY_STATE(task) \
    rto_freertos_ready(RTO_FREERTOS_TASK(task), (task) == pxCurrentTCB)
#define traceTASK_SUSPEND(task) \
    rto_freertos_suspend(RTO_FREERTOS_TASK(task), (task) == pxCurrentTCB)
#define traceTASK_DELAY() rto_freertos_block(RTO_FREERTOS_WAIT_SLEEP)

/* While the scheduler is suspended, as it is while the idle task sleeps without ticks, a handler puts
   the task that it makes ready into a list; the macro above follows when the scheduler resumes. Queues
   have the hook from V11 on. */
#if RTO_FREERTOS_RECORDER == RTO_FREERTOS_THREADX
#define RTO_FREERTOS_MAKE_READY(task) rto_freertos_ready_later(RTO_FREERTOS_TASK(task))
#else
#define RTO_FREERTOS_MAKE_READY(task) traceMOVED_TASK_TO_READY_STATE(task)
#endif
#define RTO_FREERTOS_READY_LATER(task) \
    do { \
        if (uxSchedulerSuspended != 0) { \
            RTO_FREERTOS_MAKE_READY(task); \
        } \
    } while (0)
#define traceRETURN_xTaskRemoveFromEventList(is_switching) RTO_FREERTOS_READY_LATER(pxUnblockedTCB)
#define traceTASK_RESUME_FROM_ISR(task) RTO_FREERTOS_READY_LATER(task)
#define traceTASK_NOTIFY_FROM_ISR(index) \
    do { \
        traceTASK_NOTIFY(index); \
        if (ucOriginalNotifyState == taskWAITING_NOTIFICATION) { \
            RTO_FREERTOS_READY_LATER(pxTCB); \
        } \
    } while (0)
#define traceTASK_NOTIFY_GIVE_FROM_ISR(index) traceTASK_NOTIFY_FROM_ISR(index)

/* The task of the timers waits for its queue, and calls the same macro as a task that sleeps; before
   V11, the first hook does not exist. */
#define traceENTER_vQueueWaitForMessageRestricted(queue, ticks, indefinitely) \
    rto_freertos_block(RTO_FREERTOS_WAIT_QUEUE)
#define traceTASK_DELAY_UNTIL(time) \
    rto_freertos_block(rto_freertos.reason == RTO_FREERTOS_WAIT_OTHER ? RTO_FREERTOS_WAIT_SLEEP \
                                                                      : rto_freertos.reason)

/* Interrupt handlers. */
#define traceISR_ENTER() rto_freertos_isr_enter()
#define traceISR_EXIT() rto_freertos_isr_exit(false)
#define traceISR_EXIT_TO_SCHEDULER() rto_freertos_isr_exit(true)

#endif /* RTOSCOPE_FREERTOS_H */

#if defined(RTO_FREERTOS_IMPLEMENTATION) && defined(RTO_FREERTOS_WRAP_TICK) && \
    RTO_FREERTOS_WRAP_TICK && !defined(RTO_FREERTOS_TICK_WRAPPED)
#define RTO_FREERTOS_TICK_WRAPPED

#ifdef __cplusplus
extern "C" {
#endif

/* xTaskIncrementTick, as the port's handler calls it: BaseType_t is not known yet, and long on all
   ports that need this. */
extern long __real_xTaskIncrementTick(void);
long __wrap_xTaskIncrementTick(void);

long __wrap_xTaskIncrementTick(void)
{
  long is_switching;

  traceISR_ENTER();
  is_switching = __real_xTaskIncrementTick();
  rto_freertos_isr_exit(is_switching != 0);
  return is_switching;
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_FREERTOS_WRAP_TICK */

#endif /* __ASSEMBLER__ */
