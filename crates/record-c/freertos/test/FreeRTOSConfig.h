/* FreeRTOS for demo.c and inversion.c. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#if defined(__riscv)
/* The counter of QEMU's machine "virt". */
#define configCPU_CLOCK_HZ 10000000
#define configMTIME_BASE_ADDRESS 0x0200BFF8UL
#define configMTIMECMP_BASE_ADDRESS 0x02004000UL
#define configISR_STACK_SIZE_WORDS 1024
#else
#define configCPU_CLOCK_HZ 25000000ul
#endif
#define configTICK_RATE_HZ 1000
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configUSE_IDLE_HOOK 0
#ifdef TICKLESS
#define configUSE_TICKLESS_IDLE 1
#endif
#define configMAX_PRIORITIES 8
#define configMAX_TASK_NAME_LEN 16
#define configUSE_16_BIT_TICKS 0
#define configTOTAL_HEAP_SIZE (256 * 1024)
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 5
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_TASK_STACK_DEPTH 256
#define configMINIMAL_STACK_SIZE 256
#define configQUEUE_REGISTRY_SIZE 8
#define configUSE_TRACE_FACILITY 1
#define configKERNEL_INTERRUPT_PRIORITY 0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x40
#define configCHECK_HANDLER_INSTALLATION 0
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_xTimerGetTimerDaemonTaskHandle 1

/* Cortex-M3 has an interrupt of the application, the other boards only the tick. */
#if defined(__arm__)
#define configUSE_TICK_HOOK 0
#define vPortSVCHandler SVC_Handler
#define xPortPendSVHandler PendSV_Handler
#else
#define configUSE_TICK_HOOK 1
#define RTO_FREERTOS_WRAP_TICK 1
#endif

/* Memory of the heap is the program's own, as names of tasks are read from it. */
#define configAPPLICATION_ALLOCATED_HEAP 1

#include "rtoscope_freertos.h"

#endif
