/* SPDX-License-Identifier: MIT OR Apache-2.0 */
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
 *     CoreDebug->DEMCR |= CoreDebug_DEMCR_TRCENA_Msk; // starts the cycle counter
 *     DWT->CTRL |= DWT_CTRL_CYCCNTENA_Msk;
 *     rto_stream_start(&stream, words, 1024, &DWT->CYCCNT, 168000000);
 *     rto_stream_name(&stream, (uint32_t)task, "camera");
 *
 * Threads, interrupt handlers and scheduler call rto_stream_..., which disable interrupts for a
 * few instructions, those above BASEPRI, too. Threads must be privileged: otherwise the processor
 * ignores it, and entries are damaged. Handlers of NMI and HardFault must not call them. A thread
 * of low priority sends the bytes every few milliseconds: at most some containers at a time, since
 * handlers record while the loop runs, and it might never end.
 *
 *     least = ++turns % 20 == 0 ? 0 : 512;
 *     for (count = 0; count < 4 && rto_stream_pending(&stream) >= least; count++) {
 *         uart_write(bytes, rto_stream_read(&stream, bytes, sizeof(bytes)));
 *     }
 *     rto_stream_take(&stream, bytes, uart_read(bytes, sizeof(bytes)));
 *
 * The last line is for a host that can send: it starts, stops and filters the recording, and asks
 * for names when it connects later. Call rto_stream_read at least once while the counter wraps. The
 * bytes are CSWL containers with packed entries, which every command of rtoscope reads as a file or
 * live.
 *
 * Arm Cortex-M and RISC-V in machine mode with GCC, Clang or Arm Compiler 6, Cortex-M with IAR or
 * Arm Compiler 5: complete. Elsewhere, define before
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

/* Maximum number of names at a time, and size of a name with its NUL. */
#ifndef RTO_STREAM_NAMES
#define RTO_STREAM_NAMES 32
#endif
#define RTO_STREAM_NAME_SIZE 32

/* The stream's clock is the counter divided by 2^RTO_STREAM_CLOCK_SHIFT, 0 to 6. An entry takes 4
   bytes more if it comes more than 2^18 ticks of this clock after the one before it: 0.5 ms at 480 MHz,
   35 ms with a shift of 6. */
#ifndef RTO_STREAM_CLOCK_SHIFT
#define RTO_STREAM_CLOCK_SHIFT 0
#endif
#if RTO_STREAM_CLOCK_SHIFT < 0 || RTO_STREAM_CLOCK_SHIFT > 6
#error "RTO_STREAM_CLOCK_SHIFT is 0 to 6"
#endif

/* Maximum number of markers that can be suppressed one by one. */
#ifndef RTO_STREAM_MARKER_FILTERS
#define RTO_STREAM_MARKER_FILTERS 8
#endif

/* Size of a command of the host in bytes. */
#define RTO_STREAM_COMMAND_SIZE 8

/* Minimum size of the buffer of rto_stream_read, in bytes. */
#define RTO_STREAM_MIN_READ 256u

/* Maximum number of values of a formatted event. */
#define RTO_STREAM_FMT_VALUES 8u

#ifndef RTO_STREAM_DISABLE
#if defined(__CC_ARM)
#define RTO_STREAM_DISABLE(before) ((before) = (uint32_t)__disable_irq())
#define RTO_STREAM_RESTORE(before) ((before) != 0 ? (void)0 : (void)__enable_irq())
#elif defined(__ICCARM__) && defined(__ARM_PROFILE_M__)
#include <intrinsics.h>
#define RTO_STREAM_DISABLE(before) ((before) = (uint32_t)__get_PRIMASK(), __disable_interrupt())
#define RTO_STREAM_RESTORE(before) __set_PRIMASK(before)
#elif defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
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
#define RTO_STREAM_NOINLINE __attribute__((noinline))
#define RTO_STREAM_LIKELY(condition) __builtin_expect(!!(condition), 1)
#else
#define RTO_STREAM_INLINE inline
#define RTO_STREAM_NOINLINE
#define RTO_STREAM_LIKELY(condition) (condition)
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
  RTO_STREAM_TIME = 21,
  RTO_STREAM_FILTER = 25,
  RTO_STREAM_RESUME_AT = 26,
  RTO_STREAM_WAIT_AT = 27,
  RTO_STREAM_FORMATTED = 28,
  RTO_STREAM_VALUES = 29
};

/* Groups of entries that can be suppressed: formatted events are markers. Context switches
   cannot. */
enum rto_stream_group {
  RTO_STREAM_INTERRUPTS = 1,
  RTO_STREAM_READINESS = 2,
  RTO_STREAM_MARKERS = 4
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
  /* With NULs up to its end. */
  char text[RTO_STREAM_NAME_SIZE];
  bool is_handler;
  bool is_sent;
  /* Whether its thread was deleted. */
  bool is_free;
};

/* The recorder of one core. All members are private. */
struct rto_stream {
  /* Compilers load and store the first three in pairs. */
  /* The counter at the last entry, without the bits that the clock does not have. */
  uint32_t last;
  uint32_t *write;
  /* An entry that starts before this address has room for three words. */
  uint32_t *limit;
  volatile const uint32_t *counter;
  uint32_t *begin;
  uint32_t *end;
  uint32_t *read;
  /* What the hooks of a kernel show as the running thread. */
  const void *running;
  /* Entries that found no room, or were overwritten, since the last one that did. */
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
  /* Number of cores whose streams are sent together. */
  uint16_t cores;
  uint16_t names;
  bool has_unsent_names;
  /* Number of threads with numbers of rto_stream_create_thread, and the last number without room
     for its name. */
  uint32_t threads;
  uint32_t nameless;
  bool has_nameless, is_nameless_new;
  struct rto_stream_name name[RTO_STREAM_NAMES];
  volatile bool is_paused;
  /* Whether the ring keeps the newest entries instead of the oldest, and the end of what
     rto_stream_read sends of it: NULL if nothing. */
  bool is_held;
  bool is_snapshot_new;
  uint32_t *snapshot_end;
  /* Suppressed groups, whether the host is to be informed of them, and whether anything is
     suppressed. */
  bool is_filter_new;
  bool has_filter;
  uint32_t suppressed;
  uint32_t marker_filter[RTO_STREAM_MARKER_FILTERS];
  /* A bit for each suppressed handler. */
  uint32_t handler_filter[8];
  uint16_t marker_filters;
  /* The command of the host that is being received. */
  uint16_t command_length;
  uint8_t command[RTO_STREAM_COMMAND_SIZE];
};

/* Starts a stream in `size` words, at least 64, which only the stream uses until rto_stream_stop.
   `counter` is a register or variable that counts up `frequency_hz` times a second (0 if
   unknown), also with RTO_STREAM_CLOCK_SHIFT, and wraps after 32 bits. Names remain. Returns false if the memory is too small. */
bool rto_stream_start(struct rto_stream *stream, uint32_t *words, size_t size,
                      volatile const uint32_t *counter, uint32_t frequency_hz);

/* Ends the stream. What was recorded can still be read. */
void rto_stream_stop(struct rto_stream *stream);

/* Sets the number of the stream's core and how many cores have streams, each one of its own, whose
   containers are sent one after the other. They need the same counter. Call it before the first
   rto_stream_read. */
void rto_stream_set_core(struct rto_stream *stream, uint8_t core, uint16_t cores);

/* Sets a number that differs each time the target starts: of a register of random numbers, or of a
   variable that a reset keeps and each start increments. The host recognises a restart without it
   as well, unless it misses the first containers after it. Call it before rto_stream_start. */
void rto_stream_set_boot(struct rto_stream *stream, uint16_t boot);

/* Names a thread or a marker by the number in its entries, or an interrupt handler. Names are
   cut after 31 bytes. Returns false if there are RTO_STREAM_NAMES already. */
bool rto_stream_name(struct rto_stream *stream, uint32_t id, const char *text);
bool rto_stream_name_handler(struct rto_stream *stream, uint32_t handler, const char *text);

/* A thread is created: names it, and returns its number for entries, from 1 on. A thread with the
   name of a deleted one has the number of that one, so that names last. Threads may call this and
   the next function while no other thread can run. */
uint32_t rto_stream_create_thread(struct rto_stream *stream, const char *text);

/* The thread with that number is deleted: another one may have the place of its name. */
void rto_stream_delete_thread(struct rto_stream *stream, uint32_t thread);

/* Sends all names again with the next bytes, as for a host that has just connected. */
void rto_stream_resend_names(struct rto_stream *stream);

/* Pauses or continues the recording. Entries of the meantime are lost, and counted. */
void rto_stream_pause(struct rto_stream *stream, bool pause);

/* Makes the stream a flight recorder, or no longer: the ring then keeps the newest entries and
   overwrites the oldest ones, which count as lost, and rto_stream_read returns nothing before
   rto_stream_snapshot. Unlike elsewhere, an entry may then have to make room: it overwrites at
   most RTO_STREAM_MAX_OVERWRITTEN words with interrupts disabled, about 40 instructions an entry. */
void rto_stream_hold(struct rto_stream *stream, bool hold);
#define RTO_STREAM_MAX_OVERWRITTEN 80u

/* Makes rto_stream_read return everything that is in the held ring, with all names. Meanwhile, new
   entries are lost if there is no room. May be called where entries are recorded. */
void rto_stream_snapshot(struct rto_stream *stream);

/* Suppresses groups of entries, or no longer does: a sum of RTO_STREAM_INTERRUPTS, _READINESS and
   _MARKERS. Suppressed entries use the ring, but rto_stream_read leaves them out. */
void rto_stream_filter(struct rto_stream *stream, uint32_t groups, bool suppress);

/* The same for a marker. Returns false if there are RTO_STREAM_MARKER_FILTERS already. */
bool rto_stream_filter_marker(struct rto_stream *stream, uint32_t marker, bool suppress);

/* The same for the begins and ends of an interrupt handler. */
void rto_stream_filter_handler(struct rto_stream *stream, uint8_t handler, bool suppress);

/* Takes bytes from the host, in any pieces, and carries out the commands in them: `live` sends
   them for --target-command and --target-filter. Only the thread that calls rto_stream_read may
   call this and the functions above, but for rto_stream_snapshot. */
void rto_stream_take(struct rto_stream *stream, const uint8_t *bytes, size_t count);

/* Moves the next bytes of the stream to `buffer` and returns their number: one container of at
   most `size` bytes, at least RTO_STREAM_MIN_READ; 0 if there is nothing new. One thread may
   call it, while others record. */
size_t rto_stream_read(struct rto_stream *stream, uint8_t *buffer, size_t size);

/* Number of bytes that rto_stream_read would find in the ring: a sender waits for some hundred, since
   each container has 112 bytes besides its entries. */
size_t rto_stream_pending(const struct rto_stream *stream);

/* Number of entries that found no room, or were overwritten, since the start. */
uint32_t rto_stream_lost(const struct rto_stream *stream);

/* Records the address of a text and up to RTO_STREAM_FMT_VALUES values: RTO_STREAM_FMT calls
   it. */
void rto_stream_format(struct rto_stream *stream, const uint32_t *words, uint32_t count);

/* The part of the functions below for the end of the buffer, long pauses and a stream that is
   off. In line, it would make their registers scarce. */
RTO_STREAM_NOINLINE
void rto_stream_record_slow(struct rto_stream *stream, uint32_t kind, uint32_t operand,
                            uint32_t value);

/* The counter as far as the stream's clock has its bits. */
#define RTO_STREAM_NOW(stream) \
    (*(stream)->counter & ~((1u << RTO_STREAM_CLOCK_SHIFT) - 1u))

/* rto_stream_write_words where rto_stream_try_words did not. */
RTO_STREAM_NOINLINE
void rto_stream_record_words_slow(struct rto_stream *stream, uint32_t first, uint32_t second);

/* Writes an entry of 1 to 3 words where interrupts are disabled, unless rto_stream_record_slow must
   do it. */
static RTO_STREAM_INLINE bool rto_stream_try(struct rto_stream *stream, uint32_t kind,
                                             uint32_t operand, uint32_t value, uint32_t words)
{
  uint32_t *const at = stream->write;

  if (at < stream->limit) {
    const uint32_t now = RTO_STREAM_NOW(stream);
    const uint32_t ticks = now - stream->last;

    if (words == 1u ? ticks >> (18 + RTO_STREAM_CLOCK_SHIFT) == 0
                    : (uint64_t)ticks >> (26 + RTO_STREAM_CLOCK_SHIFT) == 0) {
      at[0] = words == 1u ? kind | operand << 6 | ticks << (14 - RTO_STREAM_CLOCK_SHIFT)
                          : kind | 0x20u | ticks << (6 - RTO_STREAM_CLOCK_SHIFT);
      if (words > 1u) {
        at[1] = operand;
      }
      if (words > 2u) {
        at[2] = value;
      }
      stream->last = now;
      stream->write = at + words;
      return true;
    }
  }
  return false;
}

/* Writes two entries at the same time where interrupts are disabled, or only the second one if the first
   one is 0: their kinds, and their operands from bit 6 on. Writes nothing, and returns false, if an
   operand exceeds 255, or rto_stream_record_words_slow must do it. */
static RTO_STREAM_INLINE bool rto_stream_try_words(struct rto_stream *stream, uint32_t first,
                                                   uint32_t second)
{
  uint32_t *const at = stream->write;

  if (RTO_STREAM_LIKELY(at < stream->limit)) {
    const uint32_t now = RTO_STREAM_NOW(stream);
    const uint32_t ticks = now - stream->last;

    if (RTO_STREAM_LIKELY((ticks >> (18 + RTO_STREAM_CLOCK_SHIFT) | second >> 14) == 0)) {
      stream->last = now;
      if (RTO_STREAM_LIKELY(first != 0)) {
        at[0] = first | ticks << (14 - RTO_STREAM_CLOCK_SHIFT);
        at[1] = second;
        stream->write = at + 2;
      } else {
        at[0] = second | ticks << (14 - RTO_STREAM_CLOCK_SHIFT);
        stream->write = at + 1;
      }
      return true;
    }
  }
  return false;
}

/* As rto_stream_try_words, in any case, and where interrupts are enabled: a switch and the wait of the
   thread before. */
static RTO_STREAM_INLINE void rto_stream_write_words(struct rto_stream *stream, uint32_t first,
                                                     uint32_t second)
{
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  if (RTO_STREAM_LIKELY(rto_stream_try_words(stream, first, second))) {
    RTO_STREAM_RESTORE(before);
    return;
  }
  RTO_STREAM_RESTORE(before);
  rto_stream_record_words_slow(stream, first, second);
}

/* Writes an entry: 1 to 3 words. */
static RTO_STREAM_INLINE void rto_stream_write(struct rto_stream *stream, uint32_t kind,
                                               uint32_t operand, uint32_t value,
                                               uint32_t words)
{
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  if (rto_stream_try(stream, kind, operand, value, words)) {
    RTO_STREAM_RESTORE(before);
    return;
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

/* As rto_stream_resume, with the address at which the thread continues: its saved program
   counter. 4 bytes more. */
static RTO_STREAM_INLINE void rto_stream_resume_at(struct rto_stream *stream, uint32_t thread,
                                                   uint32_t address)
{
  rto_stream_write(stream, RTO_STREAM_RESUME_AT, thread, address, 3);
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

/* As rto_stream_wait, with the address to which the call returns that made the thread wait,
   such as __builtin_return_address(0). 8 bytes more. */
static RTO_STREAM_INLINE void rto_stream_wait_at(struct rto_stream *stream,
                                                 enum rto_stream_wait_reason reason,
                                                 uint32_t address)
{
  rto_stream_write(stream, RTO_STREAM_WAIT_AT, (uint32_t)reason, address, 3);
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

/* A formatted event: RTO_STREAM_FMT(&stream, "queue %u of %s", number, name). Only the address of
   the text and the values are recorded, up to 8 of 32 bits: 12 bytes, and 12 more for each two
   values after the first. `rtoscope --elf` reads the text, and strings of %s in constant memory,
   from the ELF file. Link with rtoscope.x, or the texts take memory on the target. GCC and Clang
   check the values as those of printf. */
#if defined(__GNUC__)
static inline void rto_stream_format_check(const char *format, ...)
    __attribute__((format(printf, 1, 2), unused));
#define RTO_STREAM_FMT_SECTION_ __attribute__((section(".rtoscope")))
#else
static inline void rto_stream_format_check(const char *format, ...);
#define RTO_STREAM_FMT_SECTION_
#endif
static inline void rto_stream_format_check(const char *format, ...)
{
  (void)format;
}
#define RTO_STREAM_FMT_PICK_(t, a, b, c, d, e, f, g, h, chosen, ...) chosen
#define RTO_STREAM_FMT_FIRST_(t, ...) t
#define RTO_STREAM_FMT_WORD_(x) , (uint32_t)(uintptr_t)(x)
#define RTO_STREAM_FMT_0_(t, z)
#define RTO_STREAM_FMT_1_(t, a, z) RTO_STREAM_FMT_WORD_(a)
#define RTO_STREAM_FMT_2_(t, a, b, z) RTO_STREAM_FMT_1_(t, a, z) RTO_STREAM_FMT_WORD_(b)
#define RTO_STREAM_FMT_3_(t, a, b, c, z) RTO_STREAM_FMT_2_(t, a, b, z) RTO_STREAM_FMT_WORD_(c)
#define RTO_STREAM_FMT_4_(t, a, b, c, d, z) \
    RTO_STREAM_FMT_3_(t, a, b, c, z) RTO_STREAM_FMT_WORD_(d)
#define RTO_STREAM_FMT_5_(t, a, b, c, d, e, z) \
    RTO_STREAM_FMT_4_(t, a, b, c, d, z) RTO_STREAM_FMT_WORD_(e)
#define RTO_STREAM_FMT_6_(t, a, b, c, d, e, f, z) \
    RTO_STREAM_FMT_5_(t, a, b, c, d, e, z) RTO_STREAM_FMT_WORD_(f)
#define RTO_STREAM_FMT_7_(t, a, b, c, d, e, f, g, z) \
    RTO_STREAM_FMT_6_(t, a, b, c, d, e, f, z) RTO_STREAM_FMT_WORD_(g)
#define RTO_STREAM_FMT_8_(t, a, b, c, d, e, f, g, h, z) \
    RTO_STREAM_FMT_7_(t, a, b, c, d, e, f, g, z) RTO_STREAM_FMT_WORD_(h)
#define RTO_STREAM_FMT_WORDS_(...) \
    RTO_STREAM_FMT_PICK_(__VA_ARGS__, RTO_STREAM_FMT_8_, RTO_STREAM_FMT_7_, RTO_STREAM_FMT_6_, \
                         RTO_STREAM_FMT_5_, RTO_STREAM_FMT_4_, RTO_STREAM_FMT_3_, \
                         RTO_STREAM_FMT_2_, RTO_STREAM_FMT_1_, RTO_STREAM_FMT_0_, 0) \
    (__VA_ARGS__, 0)
#define RTO_STREAM_FMT(stream, ...) \
    do { \
        static const char rto_text_[] RTO_STREAM_FMT_SECTION_ = \
            RTO_STREAM_FMT_FIRST_(__VA_ARGS__, 0); \
        const uint32_t rto_words_[] = { \
            (uint32_t)(uintptr_t)rto_text_ RTO_STREAM_FMT_WORDS_(__VA_ARGS__)}; \
        if (0) { \
            rto_stream_format_check(__VA_ARGS__); \
        } \
        rto_stream_format(stream, rto_words_, sizeof(rto_words_) / sizeof(rto_words_[0])); \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif /* RTOSCOPE_STREAM_H */

#if defined(RTO_STREAM_IMPLEMENTATION) && !defined(RTO_STREAM_IMPLEMENTED)
#define RTO_STREAM_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of words of a container's entries. */
#define RTO_STREAM_MAX_ROOM 8192u

/* Words that are no entries: padding before the buffer's end, a number of lost entries, and a
   number of pauses of 2^31 ticks. */
#define RTO_STREAM_PADDING 31u
#define RTO_STREAM_OVERFLOW (30u | 0x20u)
#define RTO_STREAM_PAUSES (22u | 0x20u)

/* RTO_STREAM_TIME with an operand. */
#define RTO_STREAM_PAUSE (21u | 0x20u)

/* Maximum number of words of an event: those of a formatted one. */
#define RTO_STREAM_EVENT_WORDS (3u + 3u * (RTO_STREAM_FMT_VALUES / 2u))

/* Room for an overflow, pauses, a time and an event, each contiguous. */
#define RTO_STREAM_SLACK(words) (10u + 2u * (words))

/* Room that overwriting makes in addition, so that it is rarely needed. */
#define RTO_STREAM_OVERWRITE 16u

/* Maximum number of words that rto_stream_read writes for an event. */
#define RTO_STREAM_MAX_WORDS (4u + RTO_STREAM_EVENT_WORDS)

/* The first bytes of a command of the host. */
#define RTO_STREAM_COMMAND_0 0xC5u
#define RTO_STREAM_COMMAND_1 0x5Cu

/* The commands of the host. */
enum rto_stream_host_command {
  RTO_STREAM_HOST_START = 1,
  RTO_STREAM_HOST_STOP = 2,
  RTO_STREAM_HOST_NAMES = 3,
  RTO_STREAM_HOST_SUPPRESS = 4,
  RTO_STREAM_HOST_RECORD = 5,
  RTO_STREAM_HOST_SUPPRESS_MARKER = 6,
  RTO_STREAM_HOST_RECORD_MARKER = 7,
  RTO_STREAM_HOST_SUPPRESS_HANDLER = 8,
  RTO_STREAM_HOST_RECORD_HANDLER = 9,
  RTO_STREAM_HOST_SNAPSHOT = 10
};

static uint32_t rto_stream_distance(const uint32_t *from, const uint32_t *to)
{
  return (uint32_t)((uintptr_t)to - (uintptr_t)from) / 4u;
}

static void rto_stream_set_limit(struct rto_stream *stream)
{
  uint32_t *const begin = stream->begin;
  uint32_t *last = stream->end;

  /* A full buffer must differ from an empty one. */
  if (stream->read > stream->write) {
    last = stream->read - 1;
  } else if (stream->read == begin) {
    last--;
  }
  stream->limit = last < begin + 2 || stream->lost != 0 || stream->ticks_pending != 0 ||
                          stream->is_paused
                      ? begin
                      : last - 2;
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

/* Number of words of an entry that starts with `word`. */
static uint32_t rto_stream_words(uint32_t word)
{
  /* Kinds with a third word: 16 to 18 and 26 to 29. */
  const uint32_t with_value = 0x3C070000u;

  return (word & 0x20u) == 0 ? 1u : 2u + ((with_value >> (word & 31u)) & 1u);
}

/* Overwrites the oldest events of a held ring until there is room. The reader does not read. */
static void rto_stream_make_room(struct rto_stream *stream, uint32_t room)
{
  uint32_t *at = stream->read;
  uint32_t free = rto_stream_room(stream);
  uint32_t lost = 0, overflow = 0, ticks = 0;

  /* A formatted event and its values are lost together. */
  while (at != stream->write && (free < room || (*at & 31u) == RTO_STREAM_VALUES)) {
    const uint32_t word = *at;
    const uint32_t words = rto_stream_words(word);

    if (word == RTO_STREAM_OVERFLOW) {
      overflow += at[1];
    } else if (word == RTO_STREAM_PAUSES) {
      stream->ticks_read += (uint64_t)at[1] << 31;
    } else if (word == RTO_STREAM_PAUSE) {
      stream->ticks_read += at[1];
    } else if (word != RTO_STREAM_PADDING) {
      /* Fewer than 64 entries of at most 2^26 ticks. */
      ticks += word >> (words == 1u ? 14 : 6);
      lost++;
    }
    at += words;
    free += words;
    if (at == stream->end) {
      at = stream->begin;
    }
  }
  stream->read = at;
  stream->ticks_read += ticks;
  stream->lost_before += (uint64_t)lost + overflow;
  stream->lost_total += lost;
}

/* Writes an event of up to RTO_STREAM_EVENT_WORDS, whose first word has no ticks. */
static void rto_stream_write_slow(struct rto_stream *stream, const uint32_t *event, uint32_t words)
{
  const bool is_time = (event[0] & 31u) == RTO_STREAM_TIME;
  const uint32_t needed = RTO_STREAM_SLACK(words);
  uint32_t before, word;

  RTO_STREAM_DISABLE(before);
  if (stream->counter != NULL) {
    const uint32_t now = RTO_STREAM_NOW(stream);
    const bool is_kept = stream->is_held && stream->snapshot_end == NULL;

    stream->ticks_pending += now - stream->last;
    stream->last = now;
    if (stream->write == stream->end) {
      stream->write = stream->begin;
    }
    if (is_kept && !is_time && !stream->is_paused && rto_stream_room(stream) < needed) {
      rto_stream_make_room(stream, needed + RTO_STREAM_OVERWRITE);
    }
    /* In a held ring, time passes without an entry, which would overwrite others. */
    if (rto_stream_room(stream) < needed || (is_time ? is_kept : stream->is_paused)) {
      /* Each entry counts: a formatted event has several. */
      const uint32_t entries = is_time ? 0 : (words + 2u) / 3u;

      stream->lost += entries;
      stream->lost_total += entries;
    } else {
      const uint64_t pending = stream->ticks_pending >> RTO_STREAM_CLOCK_SHIFT;
      const uint32_t pauses = (uint32_t)(pending >> 31);
      uint32_t ticks = (uint32_t)pending & 0x7FFFFFFFu;

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
      /* A time entry has no words of its own. */
      if (ticks >> 26 != 0 || (is_time && ticks != 0)) {
        rto_stream_align(stream, 2);
        rto_stream_put(stream, RTO_STREAM_PAUSE);
        rto_stream_put(stream, ticks);
        ticks = 0;
      }
      if (!is_time) {
        rto_stream_align(stream, words);
        rto_stream_put(stream, event[0] | ticks << 6);
        for (word = 1; word < words; word++) {
          rto_stream_put(stream, event[word]);
        }
      }
    }
    rto_stream_set_limit(stream);
  }
  RTO_STREAM_RESTORE(before);
}

static RTO_STREAM_NOINLINE void rto_stream_record_late(struct rto_stream *stream, uint32_t kind,
                                                       uint32_t operand, uint32_t value)
{
  const uint32_t event[3] = {kind | 0x20u, operand, value};
  const uint32_t words = rto_stream_words(event[0]);
  uint32_t before;
  bool is_written;

  /* The first entry after a pause, in its long form. */
  RTO_STREAM_DISABLE(before);
  is_written = kind != RTO_STREAM_TIME && (words == 2u
                   ? rto_stream_try(stream, kind, operand, value, 2)
                   : rto_stream_try(stream, kind, operand, value, 3));
  RTO_STREAM_RESTORE(before);
  if (!is_written) {
    rto_stream_write_slow(stream, event, words);
  }
}

/* A function of its own, so that a stream that is off takes few instructions. */
void rto_stream_record_slow(struct rto_stream *stream, uint32_t kind, uint32_t operand,
                            uint32_t value)
{
  if (stream->counter != NULL) {
    rto_stream_record_late(stream, kind, operand, value);
  }
}

void rto_stream_record_words_slow(struct rto_stream *stream, uint32_t first, uint32_t second)
{
  const uint32_t kind = second & 31u, operand = second >> 6;

  if (first != 0) {
    rto_stream_record_short(stream, first & 31u, first >> 6);
  }
  if (operand <= 255u) {
    rto_stream_record_short(stream, kind, operand);
  } else {
    rto_stream_record(stream, kind, operand);
  }
}

void rto_stream_format(struct rto_stream *stream, const uint32_t *words, uint32_t count)
{
  uint32_t event[RTO_STREAM_EVENT_WORDS];
  uint32_t before, length = 3, from = 2, word;
  uint32_t *at;

  event[0] = RTO_STREAM_FORMATTED | 0x20u;
  event[1] = words[0];
  event[2] = count > 1u ? words[1] : 0;
  while (from < count && length < RTO_STREAM_EVENT_WORDS) {
    event[length] = RTO_STREAM_VALUES | 0x20u;
    event[length + 1u] = words[from];
    event[length + 2u] = from + 1u < count ? words[from + 1u] : 0;
    length += 3u;
    from += 2u;
  }
  RTO_STREAM_DISABLE(before);
  at = stream->write;
  /* An entry before the limit has room for three words. */
  if (at < stream->limit && rto_stream_distance(at, stream->limit) + 2u >= length) {
    const uint32_t now = RTO_STREAM_NOW(stream);
    const uint32_t ticks = now - stream->last;

    if ((uint64_t)ticks >> (26 + RTO_STREAM_CLOCK_SHIFT) == 0) {
      at[0] = event[0] | ticks << (6 - RTO_STREAM_CLOCK_SHIFT);
      for (word = 1; word < length; word++) {
        at[word] = event[word];
      }
      stream->last = now;
      stream->write = at + length;
      RTO_STREAM_RESTORE(before);
      return;
    }
  }
  RTO_STREAM_RESTORE(before);
  rto_stream_write_slow(stream, event, length);
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
  stream->last = RTO_STREAM_NOW(stream);
  stream->lost = 0;
  stream->lost_total = 0;
  stream->ticks_pending = 0;
  stream->lost_before = 0;
  stream->entries_read = 0;
  stream->ticks_read = stream->last >> RTO_STREAM_CLOCK_SHIFT;
  stream->frequency_hz =
      (frequency_hz >> RTO_STREAM_CLOCK_SHIFT) +
      ((frequency_hz & ((1u << RTO_STREAM_CLOCK_SHIFT) - 1u)) * 2u >> RTO_STREAM_CLOCK_SHIFT);
  stream->session++;
  stream->cores = stream->cores == 0 ? 1 : stream->cores;
  stream->is_paused = false;
  stream->is_snapshot_new = false;
  stream->snapshot_end = NULL;
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

void rto_stream_set_core(struct rto_stream *stream, uint8_t core, uint16_t cores)
{
  stream->core = core;
  stream->cores = cores;
}

void rto_stream_set_boot(struct rto_stream *stream, uint16_t boot)
{
  stream->session = (uint32_t)boot << 16;
}

/* The place of the name of a number, or the first unused one. */
static uint16_t rto_stream_find_name(const struct rto_stream *stream, uint32_t id, bool is_handler)
{
  uint16_t number = 0;

  while (number < stream->names &&
         (stream->name[number].id != id || stream->name[number].is_handler != is_handler)) {
    number++;
  }
  return number;
}

static bool rto_stream_add_name(struct rto_stream *stream, uint32_t id, const char *text,
                                bool is_handler)
{
  struct rto_stream_name *name;
  uint16_t number = rto_stream_find_name(stream, id, is_handler);
  size_t length;

  if (number == RTO_STREAM_NAMES) {
    /* The name of a deleted thread makes room once it was sent. */
    number = 0;
    while (number < RTO_STREAM_NAMES &&
           !(stream->name[number].is_free && stream->name[number].is_sent)) {
      number++;
    }
  }
  if (number == RTO_STREAM_NAMES) {
    if (!is_handler) {
      stream->nameless = id;
      stream->has_nameless = true;
      stream->is_nameless_new = true;
      stream->has_unsent_names = true;
    }
    return false;
  }
  name = &stream->name[number];
  name->id = id;
  name->is_handler = is_handler;
  name->is_sent = false;
  name->is_free = false;
  for (length = 0; length < RTO_STREAM_NAME_SIZE - 1 && text[length] != '\0'; length++) {
    name->text[length] = text[length];
  }
  for (; length < RTO_STREAM_NAME_SIZE; length++) {
    name->text[length] = '\0';
  }
  stream->has_unsent_names = true;
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

uint32_t rto_stream_create_thread(struct rto_stream *stream, const char *text)
{
  uint16_t number;

  for (number = 0; text != NULL && number < stream->names; number++) {
    struct rto_stream_name *const name = &stream->name[number];
    size_t at = 0;

    while (at < RTO_STREAM_NAME_SIZE - 1 && text[at] != '\0' && name->text[at] == text[at]) {
      at++;
    }
    if (name->is_free &&
        name->text[at] == (at < RTO_STREAM_NAME_SIZE - 1 ? text[at] : '\0')) {
      name->is_free = false;
      return name->id;
    }
  }
  /* A marker may have the number. */
  do {
    stream->threads++;
  } while (rto_stream_find_name(stream, stream->threads, false) < stream->names);
  if (text != NULL) {
    (void)rto_stream_add_name(stream, stream->threads, text, false);
  }
  return stream->threads;
}

void rto_stream_delete_thread(struct rto_stream *stream, uint32_t thread)
{
  const uint16_t number = rto_stream_find_name(stream, thread, false);

  if (number < stream->names) {
    stream->name[number].is_free = true;
  }
}

void rto_stream_resend_names(struct rto_stream *stream)
{
  uint16_t number;

  for (number = 0; number < stream->names; number++) {
    stream->name[number].is_sent = false;
  }
  stream->has_unsent_names = true;
  stream->is_nameless_new = stream->has_nameless;
  stream->is_filter_new = stream->is_filter_new || stream->suppressed != 0;
}

void rto_stream_pause(struct rto_stream *stream, bool pause)
{
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  stream->is_paused = pause;
  if (stream->counter != NULL) {
    rto_stream_set_limit(stream);
  }
  RTO_STREAM_RESTORE(before);
}

void rto_stream_hold(struct rto_stream *stream, bool hold)
{
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  stream->is_held = hold;
  stream->snapshot_end = NULL;
  RTO_STREAM_RESTORE(before);
}

void rto_stream_snapshot(struct rto_stream *stream)
{
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  if (stream->is_held && stream->begin != NULL) {
    stream->is_snapshot_new = stream->is_snapshot_new || stream->snapshot_end == NULL;
    stream->snapshot_end = stream->write == stream->end ? stream->begin : stream->write;
  }
  RTO_STREAM_RESTORE(before);
}

static void rto_stream_set_has_filter(struct rto_stream *stream)
{
  uint32_t handlers = 0, word;

  for (word = 0; word < 8u; word++) {
    handlers |= stream->handler_filter[word];
  }
  stream->has_filter = (stream->suppressed | handlers | stream->marker_filters) != 0;
}

void rto_stream_filter(struct rto_stream *stream, uint32_t groups, bool suppress)
{
  groups &= (uint32_t)(RTO_STREAM_INTERRUPTS | RTO_STREAM_READINESS | RTO_STREAM_MARKERS);
  groups = suppress ? stream->suppressed | groups : stream->suppressed & ~groups;
  stream->is_filter_new = stream->is_filter_new || groups != stream->suppressed;
  stream->suppressed = groups;
  rto_stream_set_has_filter(stream);
}

/* Whether a marker is suppressed, and its place in the list. */
static bool rto_stream_find_marker(const struct rto_stream *stream, uint32_t marker,
                                   uint16_t *place)
{
  uint16_t number;

  for (number = 0; number < stream->marker_filters; number++) {
    if (stream->marker_filter[number] == marker) {
      *place = number;
      return true;
    }
  }
  *place = stream->marker_filters;
  return false;
}

bool rto_stream_filter_marker(struct rto_stream *stream, uint32_t marker, bool suppress)
{
  uint16_t place;

  if (rto_stream_find_marker(stream, marker, &place) == suppress) {
    return true;
  }
  if (!suppress) {
    stream->marker_filters--;
    stream->marker_filter[place] = stream->marker_filter[stream->marker_filters];
  } else if (place < RTO_STREAM_MARKER_FILTERS) {
    stream->marker_filter[place] = marker;
    stream->marker_filters++;
  }
  rto_stream_set_has_filter(stream);
  return place < RTO_STREAM_MARKER_FILTERS;
}

void rto_stream_filter_handler(struct rto_stream *stream, uint8_t handler, bool suppress)
{
  uint32_t *const word = &stream->handler_filter[handler >> 5];
  const uint32_t bit = (uint32_t)1 << (handler & 31u);

  *word = suppress ? *word | bit : *word & ~bit;
  rto_stream_set_has_filter(stream);
}

static void rto_stream_carry_out(struct rto_stream *stream, uint32_t command, uint32_t operand)
{
  switch (command) {
  case RTO_STREAM_HOST_START:
  case RTO_STREAM_HOST_STOP:
    rto_stream_pause(stream, command == RTO_STREAM_HOST_STOP);
    break;
  case RTO_STREAM_HOST_NAMES:
    rto_stream_resend_names(stream);
    break;
  case RTO_STREAM_HOST_SNAPSHOT:
    rto_stream_snapshot(stream);
    break;
  case RTO_STREAM_HOST_SUPPRESS:
  case RTO_STREAM_HOST_RECORD:
    rto_stream_filter(stream, operand, command == RTO_STREAM_HOST_SUPPRESS);
    break;
  case RTO_STREAM_HOST_SUPPRESS_MARKER:
  case RTO_STREAM_HOST_RECORD_MARKER:
    (void)rto_stream_filter_marker(stream, operand, command == RTO_STREAM_HOST_SUPPRESS_MARKER);
    break;
  case RTO_STREAM_HOST_SUPPRESS_HANDLER:
  case RTO_STREAM_HOST_RECORD_HANDLER:
    if (operand <= 255u) {
      rto_stream_filter_handler(stream, (uint8_t)operand,
                                command == RTO_STREAM_HOST_SUPPRESS_HANDLER);
    }
    break;
  default:
    break;
  }
}

void rto_stream_take(struct rto_stream *stream, const uint8_t *bytes, size_t count)
{
  uint8_t *const command = stream->command;
  size_t byte;

  for (byte = 0; byte < count; byte++) {
    uint32_t sum = 0, at;

    command[stream->command_length++] = bytes[byte];
    if (stream->command_length == RTO_STREAM_COMMAND_SIZE) {
      for (at = 0; at < RTO_STREAM_COMMAND_SIZE; at++) {
        sum += command[at];
      }
      if ((sum & 0xFFu) == 0xFFu) {
        rto_stream_carry_out(stream, command[2],
                             (uint32_t)command[4] | (uint32_t)command[5] << 8 |
                                 (uint32_t)command[6] << 16 | (uint32_t)command[7] << 24);
        stream->command_length = 0;
      }
    }
    /* Another command may start within bytes that are none. */
    while (stream->command_length > 0 &&
           (stream->command_length == RTO_STREAM_COMMAND_SIZE ||
            command[0] != RTO_STREAM_COMMAND_0 ||
            (stream->command_length > 1 && command[1] != RTO_STREAM_COMMAND_1))) {
      stream->command_length--;
      for (at = 0; at < stream->command_length; at++) {
        command[at] = command[at + 1];
      }
    }
  }
}

uint32_t rto_stream_lost(const struct rto_stream *stream)
{
  return stream->lost_total;
}

size_t rto_stream_pending(const struct rto_stream *stream)
{
  const uint32_t *write;
  uint32_t before, words = 0;

  RTO_STREAM_DISABLE(before);
  write = stream->is_held ? stream->snapshot_end : stream->write;
  if (write != NULL) {
    words = rto_stream_distance(stream->read, write);
    if (write < stream->read) {
      words += rto_stream_distance(stream->begin, stream->end);
    }
  }
  RTO_STREAM_RESTORE(before);
  return 4u * (size_t)words;
}

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define RTO_STREAM_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define RTO_STREAM_IS_BIG 0
#endif

/* Two half-words, and four bytes, one after the other in memory. */
#define RTO_STREAM_HALVES(a, b) \
    (RTO_STREAM_IS_BIG ? (uint32_t)(a) << 16 | (uint32_t)(b) : (uint32_t)(a) | (uint32_t)(b) << 16)
#define RTO_STREAM_BYTES(a, b, c, d) \
    RTO_STREAM_HALVES(RTO_STREAM_IS_BIG ? (uint32_t)(a) << 8 | (uint32_t)(b) \
                                        : (uint32_t)(a) | (uint32_t)(b) << 8, \
                      RTO_STREAM_IS_BIG ? (uint32_t)(c) << 8 | (uint32_t)(d) \
                                        : (uint32_t)(c) | (uint32_t)(d) << 8)

/* A word at any address. */
#if defined(__GNUC__)
struct rto_stream_unaligned {
  uint32_t word;
} __attribute__((packed, may_alias));
#define RTO_STREAM_LOAD(at) (((const struct rto_stream_unaligned *)(at))->word)
#define RTO_STREAM_STORE(at, value) (((struct rto_stream_unaligned *)(at))->word = (value))
/* Or GCC stores constants byte by byte. */
#define RTO_STREAM_OPAQUE(word) __asm__("" : "+r"(word))
#else
#define RTO_STREAM_LOAD(at) RTO_STREAM_BYTES((at)[0], (at)[1], (at)[2], (at)[3])
#define RTO_STREAM_STORE(at, value) rto_stream_store_bytes((at), (value))
#define RTO_STREAM_OPAQUE(word) ((void)0)
static void rto_stream_store_bytes(uint8_t *at, uint32_t value)
{
  const uint8_t *const from = (const uint8_t *)&value;
  size_t byte;

  for (byte = 0; byte < 4u; byte++) {
    at[byte] = from[byte];
  }
}
#endif

/* A container in a buffer: where its next word goes, and the sums of those before it. */
struct rto_stream_output {
  uint8_t *at;
  uint32_t first, second;
};

static RTO_STREAM_INLINE void rto_stream_out(struct rto_stream_output *to, uint32_t word)
{
  uint32_t stored = word;

  RTO_STREAM_OPAQUE(stored);
  RTO_STREAM_STORE(to->at, stored);
  to->at += 4;
  to->first = (to->first >> 7 | to->first << 25) + word;
  to->second += to->first;
}

static RTO_STREAM_INLINE void rto_stream_out_u64(struct rto_stream_output *to, uint64_t number)
{
  const uint32_t low = (uint32_t)number, high = (uint32_t)(number >> 32);

  rto_stream_out(to, RTO_STREAM_IS_BIG ? high : low);
  rto_stream_out(to, RTO_STREAM_IS_BIG ? low : high);
}

static RTO_STREAM_INLINE void rto_stream_section(struct rto_stream_output *to, uint32_t tag,
                                                 uint32_t length)
{
  rto_stream_out(to, tag);
  rto_stream_out_u64(to, length);
}

/* Bytes of the section END, and of PAST, PACK without entries and END. */
#define RTO_STREAM_END (12u + 8u)
#define RTO_STREAM_FIXED (12u + 16u + 12u + 24u + RTO_STREAM_END)

/* Writes the name of a thread, marker or handler, of `length` bytes with NULs. */
static void rto_stream_write_name(const struct rto_stream_name *name,
                                  struct rto_stream_output *to, uint32_t length)
{
  const uint8_t *const text = (const uint8_t *)name->text;
  uint32_t words[7], count = 5, at;

  words[0] = name->is_handler ? RTO_STREAM_BYTES('S', 'Y', 'M', 'B')
                              : RTO_STREAM_BYTES('N', 'A', 'M', 'E');
  for (at = 1; at < 7u; at++) {
    words[at] = 0;
  }
  words[1 + RTO_STREAM_IS_BIG] = 8u + length;
  words[3 + RTO_STREAM_IS_BIG] = name->id;
  if (name->is_handler) {
    /* The size of the function. */
    words[1 + RTO_STREAM_IS_BIG] = 16u + length;
    words[5 + RTO_STREAM_IS_BIG] = 1;
    count = 7;
  }
  for (at = 0; at < count + length / 4u; at++) {
    const uint8_t *const from = text + 4u * (at - (at < count ? at : count));

    rto_stream_out(to, at < count ? words[at] : RTO_STREAM_LOAD(from));
  }
}

/* Writes the names that were not sent, while there is room for an event after them. */
static void rto_stream_write_names(struct rto_stream *stream, struct rto_stream_output *to,
                                   const uint8_t *end)
{
  uint16_t number;

  stream->has_unsent_names = false;
  for (number = 0; number < stream->names; number++) {
    struct rto_stream_name *const name = &stream->name[number];
    uint32_t length = 0;

    while (length < RTO_STREAM_NAME_SIZE && name->text[length] != '\0') {
      length += 4u;
    }
    if (name->is_sent) {
      continue;
    }
    if ((size_t)(end - to->at) <
        12u + 16u + length + RTO_STREAM_FIXED + 4u * RTO_STREAM_MAX_WORDS) {
      stream->has_unsent_names = true;
      continue;
    }
    rto_stream_write_name(name, to, length);
    name->is_sent = true;
  }
  /* Without characters: there was no room for the name. */
  if (!stream->is_nameless_new) {
    return;
  }
  if ((size_t)(end - to->at) < 12u + 16u + RTO_STREAM_FIXED + 4u * RTO_STREAM_MAX_WORDS) {
    stream->has_unsent_names = true;
    return;
  }
  rto_stream_section(to, RTO_STREAM_BYTES('N', 'A', 'M', 'E'), 8u);
  rto_stream_out_u64(to, stream->nameless);
  stream->is_nameless_new = false;
}

/* Whether an entry is suppressed. */
static bool rto_stream_is_suppressed(const struct rto_stream *stream, uint32_t kind,
                                     uint32_t operand)
{
  uint16_t place;

  switch (kind) {
  case RTO_STREAM_ISR_RETURN:
    return (stream->suppressed & RTO_STREAM_INTERRUPTS) != 0;
  case RTO_STREAM_ISR_ENTER:
  case RTO_STREAM_ISR_EXIT:
    return (stream->suppressed & RTO_STREAM_INTERRUPTS) != 0 ||
           (operand <= 255u &&
            ((stream->handler_filter[operand >> 5] >> (operand & 31u)) & 1u) != 0);
  case RTO_STREAM_READY:
  case RTO_STREAM_WAIT:
  case RTO_STREAM_WAIT_AT:
    return (stream->suppressed & RTO_STREAM_READINESS) != 0;
  case RTO_STREAM_MARKER_BEGIN:
  case RTO_STREAM_MARKER_END:
  case RTO_STREAM_MARKER:
    return (stream->suppressed & RTO_STREAM_MARKERS) != 0 ||
           rto_stream_find_marker(stream, operand, &place);
  case RTO_STREAM_FORMATTED:
  case RTO_STREAM_VALUES:
    return (stream->suppressed & RTO_STREAM_MARKERS) != 0;
  default:
    return false;
  }
}

/* Entries of the ring for a container. */
struct rto_stream_part {
  uint32_t *at;
  /* The end of the words that follow one another. */
  uint32_t *end;
  uint32_t entries;
  /* The time of the last entry. */
  uint64_t ticks;
};

/* Number of words of an entry by the lowest six bits of its first word; 0 for those that need more
   than to be copied. */
static const uint8_t rto_stream_copied[64] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 2, 2, 0, 0, 2, 2, 2, 3, 3, 3, 3, 0, 0};

/* Counts the entry at `at`, which lets time pass; false if it ends the container. In line, so that the
   part stays in registers. */
static RTO_STREAM_INLINE bool rto_stream_count_time(struct rto_stream_part *part)
{
  const uint32_t word = *part->at;

  if (word == RTO_STREAM_PAUSES) {
    part->ticks += (uint64_t)part->at[1] << 31;
    part->entries += part->at[1];
  } else if (word != RTO_STREAM_PADDING && word != RTO_STREAM_OVERFLOW) {
    part->ticks += (uint64_t)part->at[1] + (word >> 6);
    part->entries++;
  } else {
    return false;
  }
  part->at += 2;
  return true;
}

/* Counts the entries that start before `stop`. The values of a formatted event are in the same
   container. */
static void rto_stream_count(struct rto_stream_part *part, const uint32_t *stop)
{
  /* Fewer than 2^14 entries of fewer than 2^18 ticks. */
  uint32_t short_ticks = 0;

  for (;;) {
    uint32_t word, words;

    if (part->at >= stop && (part->at == part->end || (*part->at & 31u) != RTO_STREAM_VALUES)) {
      break;
    }
    word = *part->at;
    words = rto_stream_copied[word & 63u];
    if (words == 1u) {
      short_ticks += word >> 14;
    } else if (words != 0) {
      part->ticks += word >> 6;
    } else {
      if (!rto_stream_count_time(part)) {
        break;
      }
      continue;
    }
    part->at += words;
    part->entries++;
  }
  part->ticks += short_ticks;
}

/* Copies words of the ring. */
static void rto_stream_copy(struct rto_stream_output *to, const uint32_t *from,
                            const uint32_t *end)
{
  struct rto_stream_output output = *to;
  const uint32_t *const fours = from + (rto_stream_distance(from, end) & ~3u);

  while (from != fours) {
    rto_stream_out(&output, from[0]);
    rto_stream_out(&output, from[1]);
    rto_stream_out(&output, from[2]);
    rto_stream_out(&output, from[3]);
    from += 4;
  }
  while (from != end) {
    rto_stream_out(&output, *from);
    from++;
  }
  *to = output;
}

static void rto_stream_store_next(uint8_t **to, uint32_t word)
{
  RTO_STREAM_STORE(*to, word);
  *to += 4;
}

/* Stores entries, but for suppressed ones, whose ticks are those of an entry after them, while there
   is room before `limit`. Returns the end of what it stored. */
static uint8_t *rto_stream_store_filtered(struct rto_stream *stream, struct rto_stream_part *part,
                                          uint8_t *to, const uint8_t *limit)
{
  uint64_t suppressed = 0;

  if (stream->is_filter_new) {
    rto_stream_store_next(&to, RTO_STREAM_FILTER | 0x20u);
    rto_stream_store_next(&to, stream->suppressed);
    stream->is_filter_new = false;
    part->entries = 1;
  }
  while (part->at != part->end &&
         ((size_t)(limit - to) >= 4u * RTO_STREAM_MAX_WORDS ||
          (*part->at & 31u) == RTO_STREAM_VALUES)) {
    const uint32_t *const at = part->at;
    uint32_t word = *at;
    const uint32_t words = rto_stream_words(word);
    const uint32_t shift = words == 1u ? 14u : 6u;
    const uint32_t operand = words == 1u ? (word >> 6) & 0xFFu : at[1];
    const uint64_t together = suppressed + (word >> shift);
    uint32_t copied;

    if (rto_stream_is_suppressed(stream, word & 31u, operand)) {
      suppressed = together;
      part->ticks += word >> shift;
      part->at += words;
      continue;
    }
    if (rto_stream_copied[word & 63u] != 0) {
      part->ticks += word >> shift;
      part->entries++;
      part->at += words;
    } else if (!rto_stream_count_time(part)) {
      break;
    }
    if (together >> (32u - shift) == 0) {
      word += (uint32_t)suppressed << shift;
    } else {
      /* Entries without an event for the ticks. */
      const uint32_t pauses = (uint32_t)(suppressed >> 31);

      if (pauses != 0) {
        rto_stream_store_next(&to, RTO_STREAM_PAUSES);
        rto_stream_store_next(&to, pauses);
      }
      rto_stream_store_next(&to, RTO_STREAM_PAUSE);
      rto_stream_store_next(&to, (uint32_t)suppressed & 0x7FFFFFFFu);
      part->entries += pauses + 1u;
    }
    suppressed = 0;
    rto_stream_store_next(&to, word);
    for (copied = 1; copied < words; copied++) {
      rto_stream_store_next(&to, at[copied]);
    }
  }
  return to;
}

/* Claims what was written, and skips padding and losses before the first entry. Returns false if
   there is no entry. */
static bool rto_stream_claim(struct rto_stream *stream, struct rto_stream_part *part)
{
  uint32_t *at, *write;
  uint32_t before;

  RTO_STREAM_DISABLE(before);
  if (stream->counter != NULL && *stream->counter - stream->last > 0x40000000u) {
    RTO_STREAM_RESTORE(before);
    /* The counter must not wrap between two entries. */
    rto_stream_record_slow(stream, RTO_STREAM_TIME, 0, 0);
    RTO_STREAM_DISABLE(before);
  }
  at = stream->read;
  write = stream->is_held ? stream->snapshot_end : stream->write;
  if (write == stream->end) {
    write = stream->begin;
  }
  if (write == at) {
    /* The snapshot is complete, or was empty. */
    stream->snapshot_end = NULL;
    stream->is_snapshot_new = false;
  }
  RTO_STREAM_RESTORE(before);
  part->entries = 0;
  part->ticks = stream->ticks_read;
  if (write == NULL) {
    return false;
  }
  while (at != write) {
    if (*at == RTO_STREAM_OVERFLOW) {
      /* An entry follows. */
      stream->lost_before += at[1];
      at += 2;
    } else if (*at != RTO_STREAM_PADDING) {
      part->at = at;
      part->end = at < write ? write : stream->end;
      return true;
    }
    if (at == stream->end || *at == RTO_STREAM_PADDING) {
      at = stream->begin;
    }
  }
  return false;
}

/* Writes the container of a part, or nothing if it has neither names nor entries. Returns its
   length. */
static size_t rto_stream_write_part(struct rto_stream *stream, struct rto_stream_part *part,
                                    uint8_t *buffer, size_t size)
{
  struct rto_stream_output to;
  uint32_t *const from = part->at;
  uint8_t *payload, *filtered_end = NULL;
  uint32_t words, room;
  bool has_names = false;

  to.at = buffer;
  to.first = 0;
  to.second = 0;
  rto_stream_out(&to, RTO_STREAM_BYTES('C', 'S', 'W', 'L'));
  rto_stream_out(&to, 0x01020304u);
  rto_stream_out(&to, RTO_STREAM_HALVES(3, RTO_STREAM_IS_BIG ? 4u << 8 | 32u : 4u | 32u << 8));
  rto_stream_out(&to, RTO_STREAM_HALVES(stream->cores, 0));
  rto_stream_out_u64(&to, stream->frequency_hz);
  if (stream->has_unsent_names) {
    payload = to.at;
    rto_stream_write_names(stream, &to, buffer + size);
    has_names = to.at != payload;
  }
  rto_stream_section(&to, RTO_STREAM_BYTES('P', 'A', 'S', 'T'), 16);
  rto_stream_out(&to, RTO_STREAM_HALVES(stream->core, 0));
  rto_stream_out(&to, stream->session);
  rto_stream_out_u64(&to, stream->entries_read);
  payload = to.at + 12 + 24;
  room = (uint32_t)((size_t)(buffer + size - payload) - RTO_STREAM_END) / 4u;
  if (room > RTO_STREAM_MAX_ROOM) {
    room = RTO_STREAM_MAX_ROOM;
  }
  if (stream->has_filter || stream->is_filter_new) {
    filtered_end = rto_stream_store_filtered(stream, part, payload, payload + 4u * room);
    words = (uint32_t)(filtered_end - payload) / 4u;
    if (part->entries == 0 && !has_names) {
      return 0;
    }
  } else {
    /* A formatted event that starts before the last words still has room. */
    rto_stream_count(part, rto_stream_distance(from, part->end) <= room
                               ? part->end
                               : from + (room - (RTO_STREAM_EVENT_WORDS - 1u)));
    words = rto_stream_distance(from, part->at);
  }
  rto_stream_section(&to, RTO_STREAM_BYTES('P', 'A', 'C', 'K'), 24u + 4u * words);
  rto_stream_out(&to, RTO_STREAM_HALVES(stream->core, 0));
  rto_stream_out(&to, part->entries);
  rto_stream_out_u64(&to, stream->ticks_read);
  rto_stream_out_u64(&to, stream->lost_before);
  if (filtered_end == NULL) {
    rto_stream_copy(&to, from, part->at);
  } else {
    while (to.at != filtered_end) {
      rto_stream_out(&to, RTO_STREAM_LOAD(to.at));
    }
  }
  rto_stream_section(&to, RTO_STREAM_BYTES('E', 'N', 'D', ' '), 8);
  RTO_STREAM_STORE(to.at, to.first);
  RTO_STREAM_STORE(to.at + 4, to.second);
  return (size_t)(to.at + 8 - buffer);
}

size_t rto_stream_read(struct rto_stream *stream, uint8_t *buffer, size_t size)
{
  struct rto_stream_part part;
  size_t length;
  uint32_t before;

  if (size < RTO_STREAM_MIN_READ) {
    return 0;
  }
  do {
    if (!rto_stream_claim(stream, &part)) {
      return 0;
    }
    if (stream->is_snapshot_new) {
      stream->is_snapshot_new = false;
      rto_stream_resend_names(stream);
    }
    length = rto_stream_write_part(stream, &part, buffer, size);
    RTO_STREAM_DISABLE(before);
    stream->read = part.at == stream->end ? stream->begin : part.at;
    stream->entries_read += part.entries;
    stream->ticks_read = part.ticks;
    if (stream->snapshot_end == stream->read) {
      stream->snapshot_end = NULL;
    }
    if (stream->counter != NULL) {
      rto_stream_set_limit(stream);
    }
    RTO_STREAM_RESTORE(before);
    /* If all entries were suppressed, the next container has their time. */
  } while (length == 0);
  return length;
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_STREAM_IMPLEMENTATION */
