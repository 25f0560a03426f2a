/* A port of RKH with its own scheduler, for a bare Cortex-M or a program of this machine. */
#ifndef RKHPORT_H
#define RKHPORT_H

#include "rkhtype.h"
#include "rkhqueue.h"
#include "rkhmempool.h"
#include "rkhsma_prio.h"

#if defined(__arm__)
#define RKH_CPUSR_TYPE uint32_t
#define RKH_DIS_INTERRUPT() __asm volatile("cpsid i" : : : "memory")
#define RKH_ENA_INTERRUPT() __asm volatile("cpsie i" : : : "memory")
#define RKH_ENTER_CRITICAL(sr_) \
    __asm volatile("mrs %0, PRIMASK\n\tcpsid i" : "=r"(sr_) : : "memory")
#define RKH_EXIT_CRITICAL(sr_) __asm volatile("msr PRIMASK, %0" : : "r"(sr_) : "memory")
#else
#define RKH_DIS_INTERRUPT()
#define RKH_ENA_INTERRUPT()
#define RKH_ENTER_CRITICAL(sr_)
#define RKH_EXIT_CRITICAL(sr_)
#endif

#define RKHROM const
#define RKH_OSSIGNAL_TYPE
#define RKH_THREAD_TYPE
#define RKH_THREAD_STK_TYPE

#define RKH_CFGPORT_SMA_THREAD_EN RKH_DISABLED
#define RKH_CFGPORT_SMA_THREAD_DATA_EN RKH_DISABLED
#define RKH_CFGPORT_NATIVE_SCHEDULER_EN RKH_ENABLED
#define RKH_CFGPORT_NATIVE_EQUEUE_EN RKH_ENABLED
#define RKH_CFGPORT_NATIVE_DYN_EVT_EN RKH_ENABLED
#define RKH_CFGPORT_REENTRANT_EN RKH_DISABLED
#define RKH_CFGPORT_TRC_SIZEOF_PTR 32u
#define RKH_CFGPORT_TRC_SIZEOF_FUN_PTR 32u
#define RKH_CFGPORT_TRC_SIZEOF_TSTAMP 32u
#define RKH_CFGPORT_SMA_QSTO_EN RKH_ENABLED
#define RKH_CFGPORT_SMA_STK_EN RKH_DISABLED

#endif
