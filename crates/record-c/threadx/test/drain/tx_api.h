/* The parts of ThreadX that the drain uses, for a test without ThreadX: a machine on which an
   interrupt may occur wherever interrupts are enabled. */
#ifndef TX_API_H
#define TX_API_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned int UINT;
typedef unsigned char UCHAR;
typedef unsigned short USHORT;
typedef unsigned long ULONG;
#define VOID void

#define TX_NULL ((void *)0)
#define TX_SUCCESS 0x00u
#define TX_SIZE_ERROR 0x05u
#define TX_NOT_DONE 0x20u
#define TX_ENABLE_EVENT_TRACE

/* A point at which an interrupt may occur. */
void interrupt_point(void);

extern bool masked;

#define TX_INTERRUPT_SAVE_AREA bool before;
#define TX_DISABLE interrupt_point(); before = masked; masked = true;
#define TX_RESTORE masked = before; interrupt_point();

UINT tx_trace_enable(VOID *memory, ULONG size, ULONG registry_entries);
UINT tx_trace_disable(VOID);
UINT tx_trace_buffer_full_notify(VOID (*function)(VOID *buffer));

#endif
