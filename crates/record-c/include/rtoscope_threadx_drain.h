/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: sends the event trace that ThreadX itself writes (TX_ENABLE_EVENT_TRACE) while it
 * records, over anything that takes bytes. A single header without a library.
 *
 *     #include "tx_api.h"
 *     #include "tx_trace.h"
 *     #define RTO_THREADX_DRAIN_IMPLEMENTATION
 *     #include "rtoscope_threadx_drain.h"
 *
 * in one source file defines the functions; other files include the header only. Enable the
 * trace with rto_threadx_drain_enable in place of tx_trace_enable:
 *
 *     static ULONG memory[4096];
 *
 *     rto_threadx_drain_enable(memory, sizeof(memory), 32);
 *
 * In a thread of low priority, read what is new and send it:
 *
 *     for (;;) {
 *         while ((length = rto_threadx_drain_read(bytes, sizeof(bytes))) > 0) {
 *             uart_write(bytes, length);
 *         }
 *         tx_thread_sleep(1);
 *     }
 *
 * The bytes are TXTS packets, which every command of rtoscope reads as a file or live. Each
 * object of the registry is sent once, and again if it changes.
 *
 * Interrupts are disabled while one object or RTO_THREADX_DRAIN_BATCH entries are copied, and
 * no longer. The kernel is not changed and pays nothing for an event: it calls a function each
 * time that it has filled the ring. Entries that it overwrites before they are read are counted
 * exactly, and rtoscope reports them as missing.
 *
 * The kernel writes a field of some entries later. Those of the scheduler are complete in any
 * thread. An interrupt handler may read, too, but then misses some of these fields.
 */
#ifndef RTOSCOPE_THREADX_DRAIN_H
#define RTOSCOPE_THREADX_DRAIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of slots of the registry whose objects are sent: 4 bytes of memory each. */
#ifndef RTO_THREADX_DRAIN_OBJECTS
#define RTO_THREADX_DRAIN_OBJECTS 64
#endif

/* Number of entries that are copied while interrupts are disabled. */
#ifndef RTO_THREADX_DRAIN_BATCH
#define RTO_THREADX_DRAIN_BATCH 4u
#endif

/* Number of slots of the registry that are compared with what was sent, in each call that finds
   new entries. */
#ifndef RTO_THREADX_DRAIN_COMPARED
#define RTO_THREADX_DRAIN_COMPARED 8u
#endif

/* Minimum size of the buffer of rto_threadx_drain_read in bytes, with names of 32 bytes. */
#define RTO_THREADX_DRAIN_MIN_READ 256u

/* Enables the trace as tx_trace_enable, and starts a session. The kernel's function for a full
   buffer belongs to the drain: pass a function of your own to
   rto_threadx_drain_full_notify. */
UINT rto_threadx_drain_enable(VOID *memory, ULONG size, ULONG registry_entries);

/* Starts a session for a trace that tx_trace_enable has enabled, with the entries that the ring
   still has. How many it had overwritten before is unknown. */
UINT rto_threadx_drain_attach(VOID);

/* Calls a function whenever the ring is full, in place of tx_trace_buffer_full_notify; TX_NULL
   disables it. */
VOID rto_threadx_drain_full_notify(VOID (*function)(VOID *buffer));

/* Reads the entries that the last call did not, and objects that are new or have changed, as a
   packet of at most `size` bytes. Returns its length; 0 if nothing is new, before the trace is
   enabled, or if `size` is too small. One thread reads. After tx_trace_disable, the rest can be
   read as long as the memory of the trace is unchanged. */
size_t rto_threadx_drain_read(uint8_t *buffer, size_t size);

/* Sends all objects again with the next packets, as for a host that has just connected. A
   program whose host cannot ask for them calls it every few seconds. */
VOID rto_threadx_drain_resend_objects(VOID);

/* Number of entries of the session that were overwritten before they were read. */
uint64_t rto_threadx_drain_overwritten(VOID);

#ifdef RTO_THREADX_DRAIN_IMPLEMENTATION

#include <string.h>

#ifndef TX_ENABLE_EVENT_TRACE
#error "ThreadX and this file need TX_ENABLE_EVENT_TRACE"
#endif
#ifdef TX_THREAD_SMP_MAX_CORES
#error "ThreadX SMP is not supported: other cores write while this one reads"
#endif

/* The format: docs/src/reference/threadx-stream.md. */
#define RTO_THREADX_DRAIN_HEADER 32u
#define RTO_THREADX_DRAIN_SECTION 12u
#define RTO_THREADX_DRAIN_RING (RTO_THREADX_DRAIN_SECTION + 16u)
#define RTO_THREADX_DRAIN_END (RTO_THREADX_DRAIN_SECTION + 4u)

static struct {
  /* Laps of the ring in the session, counted by the kernel. */
  volatile uint32_t lap;
  /* The same up to the last call, without its wraps. */
  uint32_t last_lap;
  uint64_t laps;
  uint64_t next_entry;
  uint64_t overwritten;
  /* 0 before the first session. */
  uint32_t session;
  /* Slots of the registry: the next one to compare, and the checksum of what was sent of each,
     0 for nothing. */
  uint32_t next_slot;
  uint32_t sent[RTO_THREADX_DRAIN_OBJECTS];
  VOID (*volatile full_notify)(VOID *buffer);
} rto_threadx_drain;

/* A packet that is being written. */
struct rto_threadx_drain_packet {
  uint8_t *bytes;
  size_t size;
  size_t length;
  /* The start of the last section. */
  size_t section;
};

static void rto_threadx_drain_put(struct rto_threadx_drain_packet *packet, const void *bytes,
                                  size_t count)
{
    memcpy(packet->bytes + packet->length, bytes, count);
    packet->length += count;
}

static void rto_threadx_drain_put16(struct rto_threadx_drain_packet *packet, size_t value)
{
    const uint16_t word = value > 0xFFFFu ? 0xFFFFu : (uint16_t)value;

    rto_threadx_drain_put(packet, &word, sizeof(word));
}

static void rto_threadx_drain_put32(struct rto_threadx_drain_packet *packet, uint32_t value)
{
    rto_threadx_drain_put(packet, &value, sizeof(value));
}

static void rto_threadx_drain_put64(struct rto_threadx_drain_packet *packet, uint64_t value)
{
    rto_threadx_drain_put(packet, &value, sizeof(value));
}

static void rto_threadx_drain_begin(struct rto_threadx_drain_packet *packet, const char *tag)
{
    packet->section = packet->length;
    rto_threadx_drain_put(packet, tag, 4);
    rto_threadx_drain_put64(packet, 0);
}

static void rto_threadx_drain_end(struct rto_threadx_drain_packet *packet)
{
    const uint64_t content = packet->length - packet->section - RTO_THREADX_DRAIN_SECTION;

    memcpy(packet->bytes + packet->section + 4, &content, sizeof(content));
}

/* CRC-32 of Ethernet and zlib, half a byte at a time. */
static uint32_t rto_threadx_drain_crc(const uint8_t *bytes, size_t count)
{
    static const uint32_t table[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u,
        0x4DB26158u, 0x5005713Cu, 0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu,
        0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    uint32_t sum = 0xFFFFFFFFu;

    while (count-- > 0) {
        sum ^= *bytes++;
        sum = (sum >> 4) ^ table[sum & 15u];
        sum = (sum >> 4) ^ table[sum & 15u];
    }
    return ~sum;
}

/* The kernel calls it with interrupts disabled when it has filled the ring. */
static VOID rto_threadx_drain_full(VOID *buffer)
{
    VOID (*const function)(VOID *) = rto_threadx_drain.full_notify;

    rto_threadx_drain.lap = rto_threadx_drain.lap + 1u;
    if (function != TX_NULL) {
        function(buffer);
    }
}

VOID rto_threadx_drain_full_notify(VOID (*function)(VOID *buffer))
{
    rto_threadx_drain.full_notify = function;
}

VOID rto_threadx_drain_resend_objects(VOID)
{
    memset(rto_threadx_drain.sent, 0, sizeof(rto_threadx_drain.sent));
}

uint64_t rto_threadx_drain_overwritten(VOID)
{
    return rto_threadx_drain.overwritten;
}

/* Starts a session in which `lap` laps are already complete. */
static void rto_threadx_drain_start(uint32_t lap)
{
    rto_threadx_drain.lap = lap;
    rto_threadx_drain.last_lap = 0;
    rto_threadx_drain.laps = 0;
    rto_threadx_drain.next_entry = 0;
    rto_threadx_drain.overwritten = 0;
    rto_threadx_drain.next_slot = 0;
    rto_threadx_drain_resend_objects();
    rto_threadx_drain.session++;
    if (rto_threadx_drain.session == 0) {
        rto_threadx_drain.session = 1;
    }
}

UINT rto_threadx_drain_enable(VOID *memory, ULONG size, ULONG registry_entries)
{
    UINT status = tx_trace_buffer_full_notify(rto_threadx_drain_full);

    if (_tx_trace_buffer_current_ptr != TX_NULL) {
        return TX_NOT_DONE;
    }
    /* The kernel writes its first entries before it returns. */
    rto_threadx_drain_start(0);
    if (status == TX_SUCCESS) {
        status = tx_trace_enable(memory, size, registry_entries);
    }
    if (status != TX_SUCCESS) {
        rto_threadx_drain.session = 0;
    }
    return status;
}

UINT rto_threadx_drain_attach(VOID)
{
    TX_INTERRUPT_SAVE_AREA
    const TX_TRACE_BUFFER_ENTRY *current;
    UINT status = TX_NOT_DONE;

    TX_DISABLE
    current = _tx_trace_buffer_current_ptr;
    if (current != TX_NULL) {
        /* The kernel marks entries that it has not written. */
        rto_threadx_drain_start(*(const ULONG *)(const VOID *)current != 0 ? 1u : 0u);
        status = tx_trace_buffer_full_notify(rto_threadx_drain_full);
    }
    TX_RESTORE
    return status;
}

/* Number of slots of the ring. */
static uint32_t rto_threadx_drain_slots(void)
{
    return (uint32_t)(_tx_trace_buffer_end_ptr - _tx_trace_buffer_start_ptr);
}

/* The slot that the kernel writes next. Call it while interrupts are disabled. */
static uint32_t rto_threadx_drain_slot(void)
{
    const TX_TRACE_BUFFER_ENTRY *current = _tx_trace_buffer_current_ptr;
    ULONG from_start;

    if (current != TX_NULL) {
        return (uint32_t)(current - _tx_trace_buffer_start_ptr);
    }
    /* After tx_trace_disable. */
    from_start = _tx_trace_header_ptr->tx_trace_header_buffer_current_pointer -
                 _tx_trace_header_ptr->tx_trace_header_buffer_start_pointer;
    return (uint32_t)(from_start / sizeof(TX_TRACE_BUFFER_ENTRY));
}

/* Number of entries that the session wrote. Call it while interrupts are disabled, and at least
   once in 2^32 laps. */
static uint64_t rto_threadx_drain_written(void)
{
    const uint32_t lap = rto_threadx_drain.lap;

    rto_threadx_drain.laps += (uint32_t)(lap - rto_threadx_drain.last_lap);
    rto_threadx_drain.last_lap = lap;
    return rto_threadx_drain.laps * rto_threadx_drain_slots() + rto_threadx_drain_slot();
}

/* Adds slots of the registry that changed, as long as there is room; at most `compared` slots
   are compared. Returns the number of objects that were added. */
static uint32_t rto_threadx_drain_objects(struct rto_threadx_drain_packet *packet, size_t room,
                                          uint32_t compared)
{
    TX_INTERRUPT_SAVE_AREA
    const size_t slot_size = sizeof(TX_TRACE_OBJECT_ENTRY);
    /* They follow the header. */
    const TX_TRACE_OBJECT_ENTRY *const registry =
        (const TX_TRACE_OBJECT_ENTRY *)(const VOID *)(_tx_trace_header_ptr + 1);
    uint32_t slots = (uint32_t)_tx_trace_total_registry_entries;
    uint32_t continued = 0xFFFFFFFFu;
    uint32_t added = 0;

    if (slots > RTO_THREADX_DRAIN_OBJECTS) {
        slots = RTO_THREADX_DRAIN_OBJECTS;
    }
    for (compared = compared < slots ? compared : slots; compared > 0; compared--) {
        const uint32_t slot = rto_threadx_drain.next_slot < slots ? rto_threadx_drain.next_slot : 0;
        const size_t start = packet->length;
        const size_t extra = slot == continued ? 0 : RTO_THREADX_DRAIN_SECTION + 4u;
        uint8_t *const copy = packet->bytes + start + extra;
        uint32_t sum;

        if (room < packet->length + extra + slot_size) {
            break;
        }
        TX_DISABLE
        memcpy(copy, &registry[slot], slot_size);
        TX_RESTORE
        rto_threadx_drain.next_slot = slot + 1u;
        sum = rto_threadx_drain_crc(copy, slot_size);
        sum = sum == 0 ? 1u : sum;
        /* The second byte is the type of the object, 0 in a slot that was never used. */
        if (copy[1] == 0 || sum == rto_threadx_drain.sent[slot]) {
            continue;
        }
        if (extra > 0) {
            rto_threadx_drain_begin(packet, "OBJS");
            rto_threadx_drain_put32(packet, slot);
        }
        packet->length += slot_size;
        rto_threadx_drain_end(packet);
        rto_threadx_drain.sent[slot] = sum;
        continued = slot + 1u;
        added++;
    }
    return added;
}

/* Adds entries until there are no more, or no room, or until entries are missing. */
static void rto_threadx_drain_entries(struct rto_threadx_drain_packet *packet, size_t room)
{
    TX_INTERRUPT_SAVE_AREA
    const size_t entry_size = sizeof(TX_TRACE_BUFFER_ENTRY);
    const uint32_t slots = rto_threadx_drain_slots();
    /* The position precedes the entries, and is known with the first ones. */
    uint8_t *const position = packet->bytes + packet->length + RTO_THREADX_DRAIN_SECTION;
    int is_first = 1;

    rto_threadx_drain_begin(packet, "RING");
    rto_threadx_drain_put64(packet, 0);
    rto_threadx_drain_put64(packet, 0);
    for (;;) {
        const size_t entries_room = (room - packet->length) / entry_size;
        uint64_t written, lost;
        uint32_t count, slot;

        TX_DISABLE
        written = rto_threadx_drain_written();
        slot = rto_threadx_drain_slot();
        lost = 0;
        if (written - rto_threadx_drain.next_entry > slots) {
            lost = written - slots - rto_threadx_drain.next_entry;
        }
        if (lost > 0 && !is_first) {
            /* They are missing before the next packet. */
            TX_RESTORE
            break;
        }
        rto_threadx_drain.next_entry += lost;
        rto_threadx_drain.overwritten += lost;
        count = (uint32_t)(written - rto_threadx_drain.next_entry);
        slot = slot >= count ? slot - count : slot + slots - count;
        if (count > slots - slot) {
            count = slots - slot;
        }
        if (count > RTO_THREADX_DRAIN_BATCH) {
            count = RTO_THREADX_DRAIN_BATCH;
        }
        if (count > entries_room) {
            count = (uint32_t)entries_room;
        }
        memcpy(packet->bytes + packet->length, _tx_trace_buffer_start_ptr + slot,
               count * entry_size);
        TX_RESTORE
        if (is_first) {
            memcpy(position, &rto_threadx_drain.next_entry, 8);
            memcpy(position + 8, &rto_threadx_drain.overwritten, 8);
            is_first = 0;
        }
        if (count == 0) {
            break;
        }
        packet->length += count * entry_size;
        rto_threadx_drain.next_entry += count;
    }
    rto_threadx_drain_end(packet);
}

size_t rto_threadx_drain_read(uint8_t *buffer, size_t size)
{
    TX_INTERRUPT_SAVE_AREA
    const size_t fixed = RTO_THREADX_DRAIN_HEADER + RTO_THREADX_DRAIN_RING + RTO_THREADX_DRAIN_END;
    const size_t units = RTO_THREADX_DRAIN_SECTION + 4u + sizeof(TX_TRACE_OBJECT_ENTRY) +
                         sizeof(TX_TRACE_BUFFER_ENTRY);
    struct rto_threadx_drain_packet packet = {buffer, size, 0, 0};
    const uint8_t words[2] = {(uint8_t)sizeof(ULONG), 0};
    uint64_t written;
    uint32_t objects;
    size_t object_end;

    if (buffer == NULL || size < fixed + units || rto_threadx_drain.session == 0) {
        return 0;
    }
    TX_DISABLE
    written = rto_threadx_drain_written();
    TX_RESTORE

    rto_threadx_drain_put(&packet, "TXTS", 4);
    rto_threadx_drain_put32(&packet, 0x01020304u);
    rto_threadx_drain_put16(&packet, 1);
    rto_threadx_drain_put(&packet, words, sizeof(words));
    rto_threadx_drain_put16(&packet, TX_TRACE_OBJECT_REGISTRY_NAME);
    rto_threadx_drain_put16(&packet, (size_t)_tx_trace_total_registry_entries);
    rto_threadx_drain_put64(&packet, _tx_trace_header_ptr->tx_trace_header_timer_valid_mask);
    rto_threadx_drain_put32(&packet, rto_threadx_drain.session);
    rto_threadx_drain_put32(&packet, rto_threadx_drain_slots());

    /* Objects take at most half of the packet, and leave room for an entry. */
    object_end = size / 2u;
    if (object_end < RTO_THREADX_DRAIN_HEADER + units - sizeof(TX_TRACE_BUFFER_ENTRY)) {
        object_end = RTO_THREADX_DRAIN_HEADER + units - sizeof(TX_TRACE_BUFFER_ENTRY);
    }
    objects = rto_threadx_drain_objects(&packet, object_end,
                                        written == rto_threadx_drain.next_entry
                                            ? RTO_THREADX_DRAIN_OBJECTS
                                            : RTO_THREADX_DRAIN_COMPARED);
    if (objects == 0 && written == rto_threadx_drain.next_entry) {
        return 0;
    }
    rto_threadx_drain_entries(&packet, size - RTO_THREADX_DRAIN_END);

    rto_threadx_drain_begin(&packet, "END ");
    packet.length += 4;
    rto_threadx_drain_end(&packet);
    packet.length -= 4;
    rto_threadx_drain_put32(&packet, rto_threadx_drain_crc(buffer, packet.length));
    return packet.length;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
