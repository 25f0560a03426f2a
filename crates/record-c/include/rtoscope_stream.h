/*
 * rtoscope: a stream of context switches, readiness, interrupts and markers for hours, in
 * 4 to 8 bytes an event. A single header without a library.
 *
 *     #define RTO_STREAM_IMPLEMENTATION
 *     #include "rtoscope_stream.h"
 *
 * in one source file defines the functions; other files include the header only.
 *
 *     static uint32_t words[1024];
 *     static struct rto_stream stream;
 *
 *     rto_stream_start(&stream, words, 1024, &DWT->CYCCNT, 168000000);
 *     rto_stream_name(&stream, (uint32_t)task, "camera");
 *
 * Threads, interrupt handlers and scheduler call rto_stream_..., which disable interrupts for a
 * few instructions. When the core is otherwise idle, or in a thread of low priority, take the
 * bytes and send them:
 *
 *     while ((length = rto_stream_read(&stream, bytes, sizeof(bytes))) > 0) {
 *         uart_write(bytes, length);
 *     }
 *
 * Call rto_stream_read at least once while the counter wraps. The bytes are CSWL containers with
 * packed entries, which every command of rtoscope reads as a file or live.
 *
 * Arm Cortex-M and RISC-V in machine mode with GCC or Clang: complete. Elsewhere, define before
 * the header is included how interrupts are disabled and restored:
 *
 *     #define RTO_STREAM_DISABLE(before) ((before) = disable_interrupts())
 *     #define RTO_STREAM_RESTORE(before) restore_interrupts(before)
 */
#ifndef RTOSCOPE_STREAM_H
#define RTOSCOPE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of names, and size of a name with its NUL. */
#ifndef RTO_STREAM_NAMES
#define RTO_STREAM_NAMES 32
#endif
#define RTO_STREAM_NAME_SIZE 32

/* Minimum size of the buffer of rto_stream_read, in bytes. */
#define RTO_STREAM_MIN_READ 256u

#ifndef RTO_STREAM_DISABLE
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define RTO_STREAM_DISABLE(before) \
    __asm__ volatile("mrs %0, PRIMASK\n\tcpsid i" : "=r"(before) : : "memory")
#define RTO_STREAM_RESTORE(before) \
    __asm__ volatile("msr PRIMASK, %0" : : "r"(before) : "memory")
#elif defined(__GNUC__) && defined(__riscv)
#define RTO_STREAM_DISABLE(before) \
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory")
#define RTO_STREAM_RESTORE(before) \
    __asm__ volatile("csrs mstatus, %0" : : "r"((before) & 8u) : "memory")
#else
#error "define RTO_STREAM_DISABLE and RTO_STREAM_RESTORE"
#endif
#endif

#if defined(__GNUC__)
#define RTO_STREAM_INLINE inline __attribute__((always_inline, unused))
#else
#define RTO_STREAM_INLINE inline
#endif

/* The kinds of entries, with rtoscope's numbers. */
enum rto_stream_kind {
  RTO_STREAM_SLEEP = 1,
  RTO_STREAM_RESUME = 2,
  RTO_STREAM_ISR_RETURN = 4,
  RTO_STREAM_ISR_ENTER = 5,
  RTO_STREAM_ISR_EXIT = 6,
  RTO_STREAM_MARKER_BEGIN = 16,
  RTO_STREAM_MARKER_END = 17,
  RTO_STREAM_MARKER = 18,
  RTO_STREAM_READY = 19,
  RTO_STREAM_WAIT = 20,
  RTO_STREAM_TIME = 21
};

/* The reasons of waits: ThreadX's thread states. */
enum rto_stream_wait_reason {
  RTO_STREAM_WAIT_OTHER = 0,
  RTO_STREAM_WAIT_SUSPENDED = 3,
  RTO_STREAM_WAIT_SLEEP = 4,
  RTO_STREAM_WAIT_QUEUE = 5,
  RTO_STREAM_WAIT_SEMAPHORE = 6,
  RTO_STREAM_WAIT_EVENT_FLAGS = 7,
  RTO_STREAM_WAIT_MUTEX = 13
};

struct rto_stream_name {
  uint32_t id;
  bool is_handler;
  bool is_sent;
  char text[RTO_STREAM_NAME_SIZE];
};

/* The recorder of one core. All members are private. */
struct rto_stream {
  uint32_t *write;
  /* An entry that starts before this address has room for three words. */
  uint32_t *limit;
  volatile const uint32_t *counter;
  /* The counter at the last entry. */
  uint32_t last;
  uint32_t *begin;
  uint32_t *end;
  uint32_t *read;
  /* Entries that found no room since the last one that did. */
  uint32_t lost;
  uint32_t lost_total;
  /* Ticks until `last` that no entry contains, because entries were lost. */
  uint64_t ticks_pending;
  /* Entries lost before the reader's position. */
  uint64_t lost_before;
  uint64_t entries_read;
  uint64_t ticks_read;
  uint32_t frequency_hz;
  uint32_t session;
  uint16_t core;
  uint16_t names;
  struct rto_stream_name name[RTO_STREAM_NAMES];
};

/* Starts a stream in `size` words, at least 64, which only the stream uses until rto_stream_stop.
   `counter` is a register or variable that counts up `frequency_hz` times a second (0 if
   unknown) and wraps after 32 bits. Names remain. Returns false if the memory is too small. */
bool rto_stream_start(struct rto_stream *stream, uint32_t *words, size_t size,
                      volatile const uint32_t *counter, uint32_t frequency_hz);

/* Ends the stream. What was recorded can still be read. */
void rto_stream_stop(struct rto_stream *stream);

/* Names a thread or a marker by the number in its entries, or an interrupt handler. Names are
   cut after 31 bytes. Returns false if there are RTO_STREAM_NAMES already. */
bool rto_stream_name(struct rto_stream *stream, uint32_t id, const char *text);
bool rto_stream_name_handler(struct rto_stream *stream, uint32_t handler, const char *text);

/* Sends all names again with the next bytes, as for a host that has just connected. */
void rto_stream_resend_names(struct rto_stream *stream);

/* Moves the next bytes of the stream to `buffer` and returns their number: one container of at
   most `size` bytes, at least RTO_STREAM_MIN_READ; 0 if there is nothing new. One thread may
   call it, while others record. */
size_t rto_stream_read(struct rto_stream *stream, uint8_t *buffer, size_t size);

/* Number of entries that found no room since the start. */
uint32_t rto_stream_lost(const struct rto_stream *stream);

/* The part of the functions below for the end of the buffer, long pauses and a stream that is
   off. */
void rto_stream_record_slow(struct rto_stream *stream, uint32_t kind, uint32_t operand,
                            uint32_t value);

/* Writes an entry: 1 to 3 words. */
static RTO_STREAM_INLINE void rto_stream_write(struct rto_stream *stream, uint32_t kind,
                                               uint32_t operand, uint32_t value,
                                               uint32_t words)
{
  uint32_t before;
  uint32_t *at;

  RTO_STREAM_DISABLE(before);
  at = stream->write;
  if (at < stream->limit) {
    const uint32_t now = *stream->counter;
    const uint32_t ticks = now - stream->last;

    if (ticks >> (words == 1u ? 18 : 26) == 0) {
      at[0] = words == 1u ? kind | operand << 6 | ticks << 14 : kind | 0x20u | ticks << 6;
      if (words > 1u) {
        at[1] = operand;
      }
      if (words > 2u) {
        at[2] = value;
      }
      stream->last = now;
      stream->write = at + words;
      RTO_STREAM_RESTORE(before);
      return;
    }
  }
  RTO_STREAM_RESTORE(before);
  rto_stream_record_slow(stream, kind, operand, value);
}

/* Records an entry of two words. */
static RTO_STREAM_INLINE void rto_stream_record(struct rto_stream *stream, uint32_t kind,
                                                uint32_t operand)
{
  rto_stream_write(stream, kind, operand, 0, 2);
}

/* Records an entry of one word: its operand is 0 to 255. */
static RTO_STREAM_INLINE void rto_stream_record_short(struct rto_stream *stream, uint32_t kind,
                                                      uint32_t operand)
{
  rto_stream_write(stream, kind, operand, 0, 1);
}

/* The scheduler resumes a thread: a number that identifies it, such as its address. */
static RTO_STREAM_INLINE void rto_stream_resume(struct rto_stream *stream, uint32_t thread)
{
  rto_stream_record(stream, RTO_STREAM_RESUME, thread);
}

/* As rto_stream_resume, for a number from 0 to 255: half the bytes. */
static RTO_STREAM_INLINE void rto_stream_resume_short(struct rto_stream *stream, uint8_t thread)
{
  rto_stream_record_short(stream, RTO_STREAM_RESUME, thread);
}

/* The core enters the idle loop. */
static RTO_STREAM_INLINE void rto_stream_idle(struct rto_stream *stream)
{
  rto_stream_record_short(stream, RTO_STREAM_SLEEP, 0);
}

/* A thread becomes ready to run. */
static RTO_STREAM_INLINE void rto_stream_ready(struct rto_stream *stream, uint32_t thread)
{
  rto_stream_record(stream, RTO_STREAM_READY, thread);
}

static RTO_STREAM_INLINE void rto_stream_ready_short(struct rto_stream *stream, uint8_t thread)
{
  rto_stream_record_short(stream, RTO_STREAM_READY, thread);
}

/* The running thread stops being ready. */
static RTO_STREAM_INLINE void rto_stream_wait(struct rto_stream *stream,
                                              enum rto_stream_wait_reason reason)
{
  rto_stream_record_short(stream, RTO_STREAM_WAIT, (uint32_t)reason);
}

/* An interrupt handler begins and ends: its number from 0 to 255. */
static RTO_STREAM_INLINE void rto_stream_isr_enter(struct rto_stream *stream, uint8_t handler)
{
  rto_stream_record_short(stream, RTO_STREAM_ISR_ENTER, handler);
}

static RTO_STREAM_INLINE void rto_stream_isr_exit(struct rto_stream *stream, uint8_t handler)
{
  rto_stream_record_short(stream, RTO_STREAM_ISR_EXIT, handler);
}

/* An interrupt returns to the thread that it interrupted. Needed only where handlers do not
   record their ends. */
static RTO_STREAM_INLINE void rto_stream_isr_return(struct rto_stream *stream, uint32_t thread)
{
  rto_stream_record(stream, RTO_STREAM_ISR_RETURN, thread);
}

/* A span of interest begins and ends, and a point of interest: a number with a name, and a value
   such as the number of a frame. */
static RTO_STREAM_INLINE void rto_stream_marker_begin(struct rto_stream *stream, uint32_t marker,
                                                      uint32_t value)
{
  rto_stream_write(stream, RTO_STREAM_MARKER_BEGIN, marker, value, 3);
}

static RTO_STREAM_INLINE void rto_stream_marker_end(struct rto_stream *stream, uint32_t marker,
                                                    uint32_t value)
{
  rto_stream_write(stream, RTO_STREAM_MARKER_END, marker, value, 3);
}

static RTO_STREAM_INLINE void rto_stream_marker(struct rto_stream *stream, uint32_t marker,
                                                uint32_t value)
{
  rto_stream_write(stream, RTO_STREAM_MARKER, marker, value, 3);
}

#ifdef __cplusplus
}
#endif

#endif /* RTOSCOPE_STREAM_H */

#if defined(RTO_STREAM_IMPLEMENTATION) && !defined(RTO_STREAM_IMPLEMENTED)
#define RTO_STREAM_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* Words that are no entries: padding before the buffer's end, a number of lost entries, and a
   number of pauses of 2^31 ticks. */
#define RTO_STREAM_PADDING 31u
#define RTO_STREAM_OVERFLOW (30u | 0x20u)
#define RTO_STREAM_PAUSES (22u | 0x20u)

/* RTO_STREAM_TIME with an operand. */
#define RTO_STREAM_PAUSE (21u | 0x20u)

/* Room for an overflow, pauses, a time and an entry, each contiguous. */
#define RTO_STREAM_SLACK 16u

static uint32_t rto_stream_distance(const uint32_t *from, const uint32_t *to)
{
  return (uint32_t)((uintptr_t)to - (uintptr_t)from) / 4u;
}

static void rto_stream_set_limit(struct rto_stream *stream)
{
  uint32_t *last = stream->end;

  /* A full buffer must differ from an empty one. */
  if (stream->read > stream->write) {
    last = stream->read - 1;
  } else if (stream->read == stream->begin) {
    last = stream->end - 1;
  }
  stream->limit = rto_stream_distance(stream->begin, last) < 2u ? stream->begin : last - 2;
  if (stream->lost != 0) {
    stream->limit = stream->begin;
  }
}

/* Words that can be written without reaching the reader. */
static uint32_t rto_stream_room(const struct rto_stream *stream)
{
  const uint32_t size = rto_stream_distance(stream->begin, stream->end);
  const uint32_t used = stream->write >= stream->read
                            ? rto_stream_distance(stream->read, stream->write)
                            : size - rto_stream_distance(stream->write, stream->read);

  return size - used - 1u;
}

static void rto_stream_put(struct rto_stream *stream, uint32_t word)
{
  *stream->write = word;
  stream->write++;
  if (stream->write == stream->end) {
    stream->write = stream->begin;
  }
}

/* Makes the next `count` words contiguous. */
static void rto_stream_align(struct rto_stream *stream, uint32_t count)
{
  while (rto_stream_distance(stream->write, stream->end) < count) {
    rto_stream_put(stream, RTO_STREAM_PADDING);
  }
}

void rto_stream_record_slow(struct rto_stream *stream, uint32_t kind, uint32_t operand,
                            uint32_t value)
{
  const bool is_marker = kind >= RTO_STREAM_MARKER_BEGIN && kind <= RTO_STREAM_MARKER;
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  if (stream->counter != NULL) {
    const uint32_t now = *stream->counter;

    stream->ticks_pending += now - stream->last;
    stream->last = now;
    if (stream->write == stream->end) {
      stream->write = stream->begin;
    }
    if (rto_stream_room(stream) < RTO_STREAM_SLACK) {
      stream->lost++;
      stream->lost_total++;
    } else {
      const uint32_t pauses = (uint32_t)(stream->ticks_pending >> 31);
      uint32_t ticks = (uint32_t)stream->ticks_pending & 0x7FFFFFFFu;

      stream->ticks_pending = 0;
      if (stream->lost != 0) {
        rto_stream_align(stream, 2);
        rto_stream_put(stream, RTO_STREAM_OVERFLOW);
        rto_stream_put(stream, stream->lost);
        stream->lost = 0;
      }
      if (pauses != 0) {
        rto_stream_align(stream, 2);
        rto_stream_put(stream, RTO_STREAM_PAUSES);
        rto_stream_put(stream, pauses);
      }
      if (ticks >> 26 != 0) {
        rto_stream_align(stream, 2);
        rto_stream_put(stream, RTO_STREAM_PAUSE);
        rto_stream_put(stream, ticks);
        ticks = 0;
      }
      if (kind != RTO_STREAM_TIME) {
        rto_stream_align(stream, 3);
        rto_stream_put(stream, kind | 0x20u | ticks << 6);
        rto_stream_put(stream, operand);
        if (is_marker) {
          rto_stream_put(stream, value);
        }
      }
    }
    rto_stream_set_limit(stream);
  }
  RTO_STREAM_RESTORE(before);
}

bool rto_stream_start(struct rto_stream *stream, uint32_t *words, size_t size,
                      volatile const uint32_t *counter, uint32_t frequency_hz)
{
  uint32_t before;

  if (words == NULL || counter == NULL || size < 64u) {
    return false;
  }
  RTO_STREAM_DISABLE(before);
  stream->begin = words;
  stream->end = words + size;
  stream->read = words;
  stream->write = words;
  stream->counter = counter;
  stream->last = *counter;
  stream->lost = 0;
  stream->lost_total = 0;
  stream->ticks_pending = 0;
  stream->lost_before = 0;
  stream->entries_read = 0;
  stream->ticks_read = stream->last;
  stream->frequency_hz = frequency_hz;
  stream->session++;
  rto_stream_set_limit(stream);
  RTO_STREAM_RESTORE(before);
  rto_stream_resend_names(stream);
  return true;
}

void rto_stream_stop(struct rto_stream *stream)
{
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  stream->limit = stream->begin;
  stream->counter = NULL;
  RTO_STREAM_RESTORE(before);
}

static bool rto_stream_add_name(struct rto_stream *stream, uint32_t id, const char *text,
                                bool is_handler)
{
  struct rto_stream_name *name;
  size_t length;
  uint16_t number;

  for (number = 0; number < stream->names; number++) {
    if (stream->name[number].id == id && stream->name[number].is_handler == is_handler) {
      break;
    }
  }
  if (number == RTO_STREAM_NAMES) {
    return false;
  }
  name = &stream->name[number];
  name->id = id;
  name->is_handler = is_handler;
  name->is_sent = false;
  for (length = 0; length < RTO_STREAM_NAME_SIZE - 1 && text[length] != '\0'; length++) {
    name->text[length] = text[length];
  }
  name->text[length] = '\0';
  if (number == stream->names) {
    stream->names++;
  }
  return true;
}

bool rto_stream_name(struct rto_stream *stream, uint32_t id, const char *text)
{
  return rto_stream_add_name(stream, id, text, false);
}

bool rto_stream_name_handler(struct rto_stream *stream, uint32_t handler, const char *text)
{
  return rto_stream_add_name(stream, handler, text, true);
}

void rto_stream_resend_names(struct rto_stream *stream)
{
  uint16_t number;

  for (number = 0; number < stream->names; number++) {
    stream->name[number].is_sent = false;
  }
}

uint32_t rto_stream_lost(const struct rto_stream *stream)
{
  return stream->lost_total;
}

/* A container in a buffer. */
struct rto_stream_output {
  uint8_t *bytes;
  size_t size;
  size_t length;
};

static void rto_stream_bytes(struct rto_stream_output *to, const void *bytes, size_t count)
{
  const uint8_t *const from = (const uint8_t *)bytes;
  size_t byte;

  for (byte = 0; byte < count && to->length < to->size; byte++) {
    to->bytes[to->length++] = from[byte];
  }
}

static void rto_stream_u16(struct rto_stream_output *to, uint16_t number)
{
  rto_stream_bytes(to, &number, sizeof(number));
}

static void rto_stream_u32(struct rto_stream_output *to, uint32_t number)
{
  rto_stream_bytes(to, &number, sizeof(number));
}

static void rto_stream_u64(struct rto_stream_output *to, uint64_t number)
{
  rto_stream_bytes(to, &number, sizeof(number));
}

static void rto_stream_section(struct rto_stream_output *to, const char *tag, size_t length)
{
  rto_stream_bytes(to, tag, 4);
  rto_stream_u64(to, length);
}

/* The CRC-32 of zlib, four bits at a time. */
static uint32_t rto_stream_crc(const uint8_t *bytes, size_t count)
{
  static const uint32_t table[16] = {
      0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u,
      0x4DB26158u, 0x5005713Cu, 0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu,
      0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu};
  uint32_t crc = 0xFFFFFFFFu;
  size_t byte;

  for (byte = 0; byte < count; byte++) {
    crc ^= bytes[byte];
    crc = table[crc & 15u] ^ (crc >> 4);
    crc = table[crc & 15u] ^ (crc >> 4);
  }
  return ~crc;
}

/* Writes the names that were not sent, while there is room for `reserve` bytes after them. */
static void rto_stream_write_names(struct rto_stream *stream, struct rto_stream_output *to,
                                   size_t reserve)
{
  uint16_t number;

  for (number = 0; number < stream->names; number++) {
    struct rto_stream_name *const name = &stream->name[number];
    size_t length = 0;

    while (name->text[length] != '\0') {
      length++;
    }
    if (name->is_sent || to->length + 12u + 16u + length + reserve > to->size) {
      continue;
    }
    if (name->is_handler) {
      rto_stream_section(to, "SYMB", 16u + length);
      rto_stream_u64(to, name->id);
      rto_stream_u64(to, 1);
    } else {
      rto_stream_section(to, "NAME", 8u + length);
      rto_stream_u64(to, name->id);
    }
    rto_stream_bytes(to, name->text, length);
    name->is_sent = true;
  }
}

size_t rto_stream_read(struct rto_stream *stream, uint8_t *buffer, size_t size)
{
  /* Sections PAST and PACK without entries, and END. */
  const size_t fixed = 12u + 16u + 12u + 24u + 16u;
  struct rto_stream_output to;
  const uint32_t *at = stream->read;
  const uint32_t *write;
  uint32_t before, entries = 0;
  uint64_t ticks = stream->ticks_read;
  size_t length_at, payload_at;

  if (size < RTO_STREAM_MIN_READ || stream->begin == NULL) {
    return 0;
  }
  RTO_STREAM_DISABLE(before);
  write = stream->write;
  if (stream->counter != NULL && *stream->counter - stream->last > 0x40000000u) {
    RTO_STREAM_RESTORE(before);
    /* The counter must not wrap between two entries. */
    rto_stream_record_slow(stream, RTO_STREAM_TIME, 0, 0);
    RTO_STREAM_DISABLE(before);
    write = stream->write;
  }
  RTO_STREAM_RESTORE(before);
  if (write == stream->end) {
    write = stream->begin;
  }
  if (at == write) {
    return 0;
  }
  to.bytes = buffer;
  to.size = size;
  to.length = 0;
  rto_stream_bytes(&to, "CSWL", 4);
  rto_stream_u32(&to, 0x01020304u);
  rto_stream_u16(&to, 2);
  rto_stream_u16(&to, (uint16_t)(4u | 32u << 8));
  rto_stream_u16(&to, 1);
  rto_stream_u16(&to, 0);
  rto_stream_u64(&to, stream->frequency_hz);
  rto_stream_write_names(stream, &to, fixed + 64u);
  rto_stream_section(&to, "PAST", 16);
  rto_stream_u16(&to, stream->core);
  rto_stream_u16(&to, 0);
  rto_stream_u32(&to, stream->session);
  rto_stream_u64(&to, stream->entries_read);
  length_at = to.length + 4u;
  rto_stream_section(&to, "PACK", 0);
  payload_at = to.length;
  rto_stream_u16(&to, stream->core);
  rto_stream_u16(&to, 0);
  rto_stream_u32(&to, 0);
  rto_stream_u64(&to, ticks);
  rto_stream_u64(&to, 0);
  while (at != write && to.length + 12u + 16u <= size) {
    const uint32_t word = *at;
    const uint32_t kind = word & 31u;
    const uint32_t words = (word & 0x20u) == 0 ? 1u
                           : kind >= RTO_STREAM_MARKER_BEGIN && kind <= RTO_STREAM_MARKER ? 3u
                                                                                         : 2u;

    if (word == RTO_STREAM_OVERFLOW) {
      /* What follows is in the next container, which shows the gap. */
      if (entries > 0) {
        break;
      }
      stream->lost_before += at[1];
    } else if (kind != RTO_STREAM_PADDING) {
      rto_stream_bytes(&to, at, 4u * words);
      ticks += words == 1u ? word >> 14 : word >> 6;
      if (word == RTO_STREAM_PAUSES) {
        ticks += (uint64_t)at[1] << 31;
        entries += at[1] - 1u;
      } else if (kind == RTO_STREAM_TIME) {
        ticks += at[1];
      }
      entries++;
    }
    at += words;
    if (at == stream->end) {
      at = stream->begin;
    }
  }
  {
    const uint64_t length = to.length - payload_at;
    const uint64_t lost = stream->lost_before;
    size_t byte;

    for (byte = 0; byte < 8u; byte++) {
      buffer[length_at + byte] = ((const uint8_t *)&length)[byte];
      buffer[payload_at + 16u + byte] = ((const uint8_t *)&lost)[byte];
    }
    for (byte = 0; byte < 4u; byte++) {
      buffer[payload_at + 4u + byte] = ((const uint8_t *)&entries)[byte];
    }
  }
  rto_stream_section(&to, "END ", 4);
  rto_stream_u32(&to, rto_stream_crc(buffer, to.length));
  RTO_STREAM_DISABLE(before);
  stream->read = stream->begin + rto_stream_distance(stream->begin, at);
  stream->entries_read += entries;
  stream->ticks_read = ticks;
  if (stream->counter != NULL) {
    rto_stream_set_limit(stream);
  }
  RTO_STREAM_RESTORE(before);
  return to.length;
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_STREAM_IMPLEMENTATION */
