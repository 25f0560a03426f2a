/* The variables and structures of ThreadX's trace that the drain uses. */
#ifndef TX_TRACE_H
#define TX_TRACE_H

#include "tx_api.h"

#define TX_TRACE_OBJECT_REGISTRY_NAME 32

typedef struct {
    ULONG tx_trace_header_id;
    ULONG tx_trace_header_timer_valid_mask;
    ULONG tx_trace_header_trace_base_address;
    ULONG tx_trace_header_registry_start_pointer;
    USHORT tx_trace_header_reserved1;
    USHORT tx_trace_header_object_name_size;
    ULONG tx_trace_header_registry_end_pointer;
    ULONG tx_trace_header_buffer_start_pointer;
    ULONG tx_trace_header_buffer_end_pointer;
    ULONG tx_trace_header_buffer_current_pointer;
    ULONG reserved[3];
} TX_TRACE_HEADER;

typedef struct {
    UCHAR available;
    UCHAR type;
    UCHAR reserved[2];
    ULONG pointer;
    ULONG parameters[2];
    UCHAR name[TX_TRACE_OBJECT_REGISTRY_NAME];
} TX_TRACE_OBJECT_ENTRY;

typedef struct {
    ULONG context;
    ULONG priority;
    ULONG event;
    ULONG time_stamp;
    ULONG info[4];
} TX_TRACE_BUFFER_ENTRY;

extern TX_TRACE_HEADER *_tx_trace_header_ptr;
extern TX_TRACE_BUFFER_ENTRY *_tx_trace_buffer_start_ptr;
extern TX_TRACE_BUFFER_ENTRY *_tx_trace_buffer_end_ptr;
extern TX_TRACE_BUFFER_ENTRY *_tx_trace_buffer_current_ptr;
extern ULONG _tx_trace_total_registry_entries;

#endif
