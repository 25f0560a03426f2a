/* Drains a trace that is written at every point at which an interrupt may occur, into
   drain.txts, and writes what it recorded into drain.txt: for each entry its number, event and
   remaining fields, and for each object its address and name. The ring is lapped again and
   again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tx_api.h"
#include "tx_trace.h"
#define RTO_THREADX_DRAIN_OBJECTS 24
#define RTO_THREADX_DRAIN_IMPLEMENTATION
#include "rtoscope_threadx_drain.h"

enum { SLOTS = 40, OBJECTS = 20, STEPS = 3000, THREAD = 0x1000 };

TX_TRACE_HEADER *_tx_trace_header_ptr;
TX_TRACE_BUFFER_ENTRY *_tx_trace_buffer_start_ptr;
TX_TRACE_BUFFER_ENTRY *_tx_trace_buffer_end_ptr;
TX_TRACE_BUFFER_ENTRY *_tx_trace_buffer_current_ptr;
ULONG _tx_trace_total_registry_entries;
bool masked;

static VOID (*full_notify)(VOID *);
static TX_TRACE_OBJECT_ENTRY *registry;
static unsigned interrupts_every;
static unsigned entries_per_interrupt;
static unsigned written;
static unsigned full;
static unsigned drained;
static FILE *truth;

static void check(bool ok, int line)
{
    if (!ok) {
        printf("drain.c: line %d failed\n", line);
        exit(1);
    }
}

#define CHECK(what) check(what, __LINE__)

UINT tx_trace_buffer_full_notify(VOID (*function)(VOID *))
{
    full_notify = function;
    return TX_SUCCESS;
}

/* As the kernel's macro. */
static void insert(ULONG event)
{
    TX_TRACE_BUFFER_ENTRY *entry = _tx_trace_buffer_current_ptr;
    const bool before = masked;

    if (entry == NULL) {
        return;
    }
    masked = true;
    entry->context = THREAD;
    entry->priority = 0x80050005u;
    entry->event = event;
    entry->time_stamp = written * 10u;
    entry->info[0] = written;
    entry->info[1] = written ^ 0x5A5A5A5Au;
    entry->info[2] = ~written & 0xFFFFFFFFu;
    entry->info[3] = written * 3u;
    fprintf(truth, "entry %u %lu %u %u\n", written, event, written ^ 0x5A5A5A5Au, written * 3u);
    written++;
    entry++;
    if (entry >= _tx_trace_buffer_end_ptr) {
        entry = _tx_trace_buffer_start_ptr;
        _tx_trace_buffer_current_ptr = entry;
        _tx_trace_header_ptr->tx_trace_header_buffer_current_pointer = (ULONG)(uintptr_t)entry;
        if (full_notify != NULL) {
            full_notify(_tx_trace_header_ptr);
        }
    } else {
        _tx_trace_buffer_current_ptr = entry;
        _tx_trace_header_ptr->tx_trace_header_buffer_current_pointer = (ULONG)(uintptr_t)entry;
    }
    masked = before;
}

UINT tx_trace_enable(VOID *memory, ULONG size, ULONG registry_entries)
{
    ULONG slot;

    if (_tx_trace_buffer_current_ptr != NULL) {
        return TX_NOT_DONE;
    }
    _tx_trace_header_ptr = memory;
    registry = (TX_TRACE_OBJECT_ENTRY *)(void *)(_tx_trace_header_ptr + 1);
    _tx_trace_total_registry_entries = registry_entries;
    for (slot = 0; slot < registry_entries; slot++) {
        registry[slot].available = 1;
        registry[slot].type = 0;
    }
    _tx_trace_buffer_start_ptr = (TX_TRACE_BUFFER_ENTRY *)(void *)(registry + registry_entries);
    size -= (ULONG)((uintptr_t)_tx_trace_buffer_start_ptr - (uintptr_t)memory);
    _tx_trace_buffer_end_ptr = _tx_trace_buffer_start_ptr + size / sizeof(TX_TRACE_BUFFER_ENTRY);
    for (slot = 0; slot < size / sizeof(TX_TRACE_BUFFER_ENTRY); slot++) {
        _tx_trace_buffer_start_ptr[slot].context = 0;
    }
    _tx_trace_header_ptr->tx_trace_header_timer_valid_mask = 0xFFFFFFFFu;
    _tx_trace_header_ptr->tx_trace_header_object_name_size = TX_TRACE_OBJECT_REGISTRY_NAME;
    _tx_trace_header_ptr->tx_trace_header_buffer_start_pointer =
        (ULONG)(uintptr_t)_tx_trace_buffer_start_ptr;
    _tx_trace_buffer_current_ptr = _tx_trace_buffer_start_ptr;
    insert(4095);
    insert(4095);
    return TX_SUCCESS;
}

UINT tx_trace_disable(VOID)
{
    _tx_trace_buffer_current_ptr = NULL;
    return TX_SUCCESS;
}

static void object(unsigned slot, unsigned number)
{
    TX_TRACE_OBJECT_ENTRY *const entry = &registry[slot];

    entry->available = 0;
    entry->type = 1;
    entry->reserved[0] = 0x80;
    entry->reserved[1] = 5;
    entry->pointer = 0x1000 + 16 * number;
    entry->parameters[0] = number;
    entry->parameters[1] = 0;
    sprintf((char *)entry->name, "thread %u", number);
    fprintf(truth, "object %u thread %u\n", 0x1000 + 16 * number, number);
}

static unsigned random_number(unsigned below)
{
    static uint32_t state = 0x12345678u;

    state = state * 1664525u + 1013904223u;
    return (unsigned)((state >> 8) % below);
}

void interrupt_point(void)
{
    static bool inside;
    unsigned count;

    if (masked || inside || interrupts_every == 0 || random_number(interrupts_every) != 0) {
        return;
    }
    inside = true;
    for (count = random_number(entries_per_interrupt + 1); count > 0; count--) {
        insert(5000);
    }
    inside = false;
}

static void count_full(VOID *buffer)
{
    CHECK(masked && buffer == _tx_trace_header_ptr);
    full++;
}

static void drain(FILE *file, size_t size, unsigned packets)
{
    static uint8_t bytes[2048];
    size_t length;

    do {
        memset(bytes, 0xEE, sizeof(bytes));
        length = rto_threadx_drain_read(bytes, size);
        CHECK(length <= size && bytes[size] == 0xEE);
        CHECK(fwrite(bytes, 1, length, file) == length);
        drained += length > 0;
    } while (--packets > 0 && length > 0);
}

int main(void)
{
    static ULONG memory[(sizeof(TX_TRACE_HEADER) + OBJECTS * sizeof(TX_TRACE_OBJECT_ENTRY) +
                         SLOTS * sizeof(TX_TRACE_BUFFER_ENTRY)) / sizeof(ULONG)];
    uint8_t bytes[1024];
    unsigned step, objects = 0;
    FILE *const file = fopen("drain.txts", "wb");

    truth = fopen("drain.txt", "w");
    CHECK(file != NULL && truth != NULL);
    CHECK(rto_threadx_drain_read(bytes, sizeof(bytes)) == 0);
    CHECK(rto_threadx_drain_attach() == TX_NOT_DONE);
    rto_threadx_drain_full_notify(count_full);
    CHECK(rto_threadx_drain_enable(memory, sizeof(memory), OBJECTS) == TX_SUCCESS);
    CHECK(rto_threadx_drain_enable(memory, sizeof(memory), OBJECTS) == TX_NOT_DONE);
    CHECK(_tx_trace_buffer_end_ptr - _tx_trace_buffer_start_ptr == SLOTS);
    CHECK(rto_threadx_drain_read(NULL, sizeof(bytes)) == 0);
    CHECK(rto_threadx_drain_read(bytes, 100) == 0);
    for (step = 0; step < STEPS; step++) {
        if (step % 100 == 0 && objects < OBJECTS) {
            object(objects, objects);
            objects++;
        }
        /* Calm, frequent interrupts, and interrupts that lap the ring. */
        interrupts_every = 1 + random_number(20);
        entries_per_interrupt = step % 300 < 290 ? 3 : 3 * SLOTS;
        insert(4096 + random_number(50));
        if (step % 7 == 0) {
            drain(file, RTO_THREADX_DRAIN_MIN_READ + random_number(1000), 1 + step % 3);
        }
        if (step % 500 == 499) {
            /* The trace is not drained for a while. */
            for (; written % 977 != 0;) {
                insert(4200);
            }
        }
    }
    interrupts_every = 0;
    drain(file, 1024, 1000);
    tx_trace_disable();
    drain(file, 1024, 1000);
    CHECK(rto_threadx_drain_read(bytes, sizeof(bytes)) == 0);
    CHECK(full == written / SLOTS && drained > 100);
    CHECK(rto_threadx_drain_overwritten() > 0);
    rto_threadx_drain_resend_objects();
    drain(file, 1024, 1000);
    fprintf(truth, "overwritten %lu\n", (unsigned long)rto_threadx_drain_overwritten());
    CHECK(fclose(file) == 0 && fclose(truth) == 0);
    return 0;
}
