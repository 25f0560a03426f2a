/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The functions and macros of rtoscope.h that are compiled into the program: those that a
 * scheduler, an interrupt handler or an RKH state machine calls. Include rtoscope.h.
 */
#ifndef RTOSCOPE_INLINE_H
#define RTOSCOPE_INLINE_H

#if defined(__CC_ARM) && defined(__GNUC__)
#error "Arm Compiler 5 with --gnu misreads GCC's assembly: compile without --gnu"
#endif

#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifdef __cplusplus
#define RTOSCOPE_C extern "C"
#else
#define RTOSCOPE_C extern
#endif

#if defined(__GNUC__)
#define RTO_INLINE inline __attribute__((always_inline, unused))
#else
#define RTO_INLINE inline
#endif

/* The log of a program with one core, or with one recorded core. `rtoscope --elf`
   finds it by its name. */
RTOSCOPE_C struct rto_cswitch rtoscope_cswitch_log;

/* The recorded groups of events; only for rto_threadx_insert. */
RTOSCOPE_C volatile uint32_t rtoscope_threadx_trace;

/* The recorded events, one bit each, by group; then whether any record is recorded. */
RTOSCOPE_C const volatile uint32_t rtoscope_rkh_stream[9];

/*
 * The context-switch log.
 *
 * Define RTO_CSWITCH_KINDS before the header is included to record only some kinds of
 * entries: bit n admits kind n; kinds above 31 are always admitted. A constant removes
 * the code of all other entries, a variable selects while the program runs. Without
 * RTO_SLEEP and RTO_WAKE, the log does not measure idle time.
 *
 * Define RTO_CSWITCH_AFTER(kind, log, address, name) as a call of your own function: it
 * runs after each entry, even if the entry was not admitted or found no room.
 */
#ifndef RTO_CSWITCH_AFTER
#define RTO_CSWITCH_AFTER(kind, log, address, name) ((void)0)
#endif

static RTO_INLINE bool rto_cswitch_admits(uint32_t kind)
{
#ifdef RTO_CSWITCH_KINDS
  const uint32_t plain = kind & ~(uint32_t)RTO_PREVIOUSLY_DISABLED;

  return plain > 31u || (((uint32_t)(RTO_CSWITCH_KINDS) >> plain) & 1u) != 0;
#else
  (void)kind;
  return true;
#endif
}

RTOSCOPE_C void rto_cswitch_write(uint32_t kind, const struct rto_cswitch *log,
                                  uintptr_t address, const char *name);

/* Writes an entry if the log is on. On Arm Cortex-M, a call is needed only where the buffer
   ends. */
static RTO_INLINE void rto_cswitch_write_entry(uint32_t kind, const struct rto_cswitch *log,
                                               uintptr_t address, const char *name)
{
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  if (log->on) {
    /* The log changes only while interrupts are disabled. */
    struct rto_cswitch *const own = (struct rto_cswitch *)(uintptr_t)log;
    struct rto_cswitch_entry *entry;
    uint32_t before;

    __asm__ volatile("mrs %0, PRIMASK\n\tcpsid i" : "=r"(before) : : "memory");
    entry = own->current;
    if (entry != own->end) {
      entry->kind = kind;
      entry->counter = *own->counter;
      entry->address = address;
      entry->name = name;
      /* The entry precedes the position, for a fault handler that stops the writer. */
      __asm__ volatile("" : : : "memory");
      own->current = entry + 1;
      __asm__ volatile("msr PRIMASK, %0" : : "r"(before) : "memory");
    } else {
      __asm__ volatile("msr PRIMASK, %0" : : "r"(before) : "memory");
      rto_cswitch_write(kind, log, address, name);
    }
  }
#else
  if (log->on) {
    rto_cswitch_write(kind, log, address, name);
  }
#endif
}

/* Records an entry. `kind` is one of `enum rto_cswitch_kind`, optionally with
   RTO_PREVIOUSLY_DISABLED. The text at `name` must not move. */
static RTO_INLINE void rto_cswitch_record(uint32_t kind, const struct rto_cswitch *log,
                                          uintptr_t address, const char *name)
{
  if (rto_cswitch_admits(kind)) {
    rto_cswitch_write_entry(kind, log, address, name);
  }
  RTO_CSWITCH_AFTER(kind, log, address, name);
}

/* Records that the scheduler enters the idle loop; the idle time starts. */
static RTO_INLINE void rto_cswitch_sleep(const struct rto_cswitch *log, uintptr_t address,
                                         const char *name)
{
  if (rto_cswitch_admits(RTO_SLEEP)) {
    rto_cswitch_write_sleep(log, address, name);
  }
  RTO_CSWITCH_AFTER(RTO_SLEEP, log, address, name);
}

/* Records that the core leaves the idle loop; the idle time ends. */
static RTO_INLINE void rto_cswitch_wake(const struct rto_cswitch *log, uintptr_t address,
                                        const char *name)
{
  if (rto_cswitch_admits(RTO_WAKE)) {
    rto_cswitch_write_wake(log, address, name);
  }
  RTO_CSWITCH_AFTER(RTO_WAKE, log, address, name);
}

/* Records that an interrupt handler begins. */
static RTO_INLINE void rto_cswitch_isr_enter(const struct rto_cswitch *log, uintptr_t handler)
{
  rto_cswitch_record(RTO_ISR_ENTER, log, handler, "ISR");
}

/* Records that an interrupt handler ends. */
static RTO_INLINE void rto_cswitch_isr_exit(const struct rto_cswitch *log, uintptr_t handler)
{
  rto_cswitch_record(RTO_ISR_EXIT, log, handler, "ISR");
}

/* Records that interrupts are disabled; `before` is true if they were disabled already. */
static RTO_INLINE void rto_cswitch_interrupts_disabled(const struct rto_cswitch *log,
                                                       bool before, uintptr_t address,
                                                       const char *name)
{
  const uint32_t flag = before ? (uint32_t)RTO_PREVIOUSLY_DISABLED : 0;

  rto_cswitch_record((uint32_t)RTO_INT_DISABLE | flag, log, address, name);
}

/* Records that the interrupt state is restored; `still` is true if interrupts remain
   disabled, as at the end of the inner of two nested sections. */
static RTO_INLINE void rto_cswitch_interrupts_restored(const struct rto_cswitch *log,
                                                       bool still, uintptr_t address,
                                                       const char *name)
{
  const uint32_t kind = still ? (uint32_t)RTO_INT_DISABLE : (uint32_t)RTO_INT_RESTORE;

  rto_cswitch_record(kind | (uint32_t)RTO_PREVIOUSLY_DISABLED, log, address, name);
}

/* Records that a thread becomes ready to run. Record it together with rto_cswitch_wait: the host
   then shows the states of threads, and their wake-up latency. */
static RTO_INLINE void rto_cswitch_ready(const struct rto_cswitch *log, const char *thread)
{
  rto_cswitch_record(RTO_READY, log, 0, thread);
}

/* Records that the running thread stops being ready, for a reason: a number of ThreadX's thread
   states (RTO_TX_QUEUE_SUSP and others), or 0. */
static RTO_INLINE void rto_cswitch_wait(const struct rto_cswitch *log, uint32_t reason)
{
  rto_cswitch_record(RTO_WAIT, log, reason, NULL);
}

/* Records that a span of interest begins. `name` is a string that never moves. Spans of
   the same name overlap if their values differ (the number of a frame, of a buffer), and
   nest if they are equal. */
static RTO_INLINE void rto_cswitch_marker_begin(const struct rto_cswitch *log,
                                                const char *name, uint32_t value)
{
  rto_cswitch_record(RTO_MARKER_BEGIN, log, value, name);
}

/* Records that the span of the same name and value ends, in whichever context it began. */
static RTO_INLINE void rto_cswitch_marker_end(const struct rto_cswitch *log,
                                              const char *name, uint32_t value)
{
  rto_cswitch_record(RTO_MARKER_END, log, value, name);
}

/* Records a point of interest without a duration. */
static RTO_INLINE void rto_cswitch_marker(const struct rto_cswitch *log, const char *name,
                                          uint32_t value)
{
  rto_cswitch_record(RTO_MARKER, log, value, name);
}

/* Stores the registers of the calling function for rto_cswitch_record_stack and
   rto_threadx_record_stack: call it where the stack is to be recorded, e.g. in the function
   of RTO_CSWITCH_AFTER. */
#if defined(__GNUC__) && defined(__arm__)
static RTO_INLINE void rto_stack_capture(struct rto_stack_registers *to)
{
  __asm__ volatile(
      "mov r3, pc\n\tstr r3, [%0]\n\t"
      "mov r3, sp\n\tstr r3, [%0, #4]\n\t"
      "mov r3, lr\n\tstr r3, [%0, #8]\n\t"
      "mov r3, r7\n\tstr r3, [%0, #12]\n\t"
      "mov r3, r11\n\tstr r3, [%0, #16]"
      : : "l"(to) : "r3", "memory");
}
#elif defined(__GNUC__) && defined(__riscv)
static RTO_INLINE void rto_stack_capture(struct rto_stack_registers *to)
{
  __asm__ volatile("auipc %0, 0" : "=r"(to->program_counter));
  __asm__ volatile("mv %0, sp" : "=r"(to->stack_pointer));
  __asm__ volatile("mv %0, ra" : "=r"(to->link_register));
  to->thumb_frame_pointer = 0;
  __asm__ volatile("mv %0, s0" : "=r"(to->frame_pointer));
}
#endif

/* Formatted events: RTO_RKH_FMT("queue %u of %s", number, name) and RTO_THREADX_FMT. Only
   the address of the text and the values are recorded, as 32-bit numbers: up to 8 in an RKH
   stream, up to 3 in a ThreadX trace. `rtoscope --elf` reads the text, and strings of %s in
   constant memory, from the ELF file. Link with rtoscope.x, or the texts take memory on the
   target. GCC and Clang check the values as those of printf. */
#if defined(__GNUC__)
static inline void rto_format_check(const char *format, ...)
    __attribute__((format(printf, 1, 2), unused));
#define RTO_FMT_SECTION_ __attribute__((section(".rtoscope")))
#else
static inline void rto_format_check(const char *format, ...);
#define RTO_FMT_SECTION_
#endif
static inline void rto_format_check(const char *format, ...)
{
  (void)format;
}
#define RTO_FMT_PICK_(t, a, b, c, d, e, f, g, h, chosen, ...) chosen
#define RTO_FMT_FIRST_(t, ...) t
#define RTO_FMT_WORD_(x) , (uint32_t)(uintptr_t)(x)
#define RTO_FMT_0_(t, z)
#define RTO_FMT_1_(t, a, z) RTO_FMT_WORD_(a)
#define RTO_FMT_2_(t, a, b, z) RTO_FMT_1_(t, a, z) RTO_FMT_WORD_(b)
#define RTO_FMT_3_(t, a, b, c, z) RTO_FMT_2_(t, a, b, z) RTO_FMT_WORD_(c)
#define RTO_FMT_4_(t, a, b, c, d, z) RTO_FMT_3_(t, a, b, c, z) RTO_FMT_WORD_(d)
#define RTO_FMT_5_(t, a, b, c, d, e, z) RTO_FMT_4_(t, a, b, c, d, z) RTO_FMT_WORD_(e)
#define RTO_FMT_6_(t, a, b, c, d, e, f, z) RTO_FMT_5_(t, a, b, c, d, e, z) RTO_FMT_WORD_(f)
#define RTO_FMT_7_(t, a, b, c, d, e, f, g, z) \
    RTO_FMT_6_(t, a, b, c, d, e, f, z) RTO_FMT_WORD_(g)
#define RTO_FMT_8_(t, a, b, c, d, e, f, g, h, z) \
    RTO_FMT_7_(t, a, b, c, d, e, f, g, z) RTO_FMT_WORD_(h)
#define RTO_FMT_VALUES_(...) \
    RTO_FMT_PICK_(__VA_ARGS__, RTO_FMT_8_, RTO_FMT_7_, RTO_FMT_6_, RTO_FMT_5_, RTO_FMT_4_, \
                  RTO_FMT_3_, RTO_FMT_2_, RTO_FMT_1_, RTO_FMT_0_, 0)(__VA_ARGS__, 0)
#define RTO_FMT_(record, most, ...) \
    do { \
        static const char rto_text_[] RTO_FMT_SECTION_ = RTO_FMT_FIRST_(__VA_ARGS__, 0); \
        const uint32_t rto_words_[] = { \
            (uint32_t)(uintptr_t)rto_text_ RTO_FMT_VALUES_(__VA_ARGS__)}; \
        (void)sizeof(char[sizeof(rto_words_) <= 4u * (1u + (most)) ? 1 : -1]); \
        if (0) { \
            rto_format_check(__VA_ARGS__); \
        } \
        (void)rto_words_; \
        record(rto_words_, sizeof(rto_words_) / sizeof(rto_words_[0])); \
    } while (0)
#define RTO_RKH_FMT(...) RTO_FMT_(rto_rkh_format, 8, __VA_ARGS__)
#define RTO_THREADX_FMT(...) RTO_FMT_(rto_threadx_format, 3, __VA_ARGS__)

/* Records any event of ThreadX, FileX, NetX Duo or USBX: its groups
   (TX_TRACE_..._EVENTS), its number and its four information fields (`rtoscope
   catalogue` lists them). */
static RTO_INLINE void rto_threadx_insert(uint32_t groups, uint32_t event,
                                          uintptr_t info_1, uintptr_t info_2,
                                          uintptr_t info_3, uintptr_t info_4)
{
  if ((rtoscope_threadx_trace & groups) != 0) {
    rto_threadx_write(info_1, info_2, info_3, info_4, event);
  }
}


/*
 * Records of the RKH stream. rtoscope_rkh.h has a function for each of RKH's records. A
 * record with other arguments is encoded on the stack:
 *
 *     RTO_RKH_BEGIN(RTO_RKH_TE_USER + 1, RTO_RKH_NO_PRIORITY, RTO_RKH_NO_SIGNAL)
 *         RTO_RKH_NUMBER(speed, 2);
 *         RTO_RKH_TEXT("rpm");
 *     RTO_RKH_END();
 */

/* A record without an active object or signal by which it could be filtered. */
#define RTO_RKH_NO_PRIORITY 255u
#define RTO_RKH_NO_SIGNAL 0xFFFFFFFFu

/* The id of one byte of any of RKH's numbers of an event, as of an event of the application;
   256 if there is no such event. Both are computed at compile time. */
static RTO_INLINE uint32_t rto_rkh_id(uint32_t event)
{
  const uint32_t shift = event > 0xFFFFu ? 24u : 8u;
  const uint32_t group = event >> shift;

  return event <= 0xFFu                                             ? event
         : group <= 7u && (event & ((1u << shift) - 1u)) <= 31u ? group << 5 | (event & 31u)
                                                                    : 256u;
}

static RTO_INLINE uint32_t rto_rkh_user_id(uint32_t event)
{
  return event <= 31u ? RTO_RKH_TE_USER | event
         : (rto_rkh_id(event) & ~31u) == RTO_RKH_TE_USER ? rto_rkh_id(event) : 256u;
}

/* Whether an event is recorded, unless its active object or signal is filtered. */
static RTO_INLINE bool rto_rkh_records(uint32_t id)
{
  return id <= 0xFFu && ((rtoscope_rkh_stream[id >> 5] >> (id & 31u)) & 1u) != 0;
}

/* Whether events are recorded that are never filtered. */
static RTO_INLINE bool rto_rkh_is_recording(void)
{
  return rtoscope_rkh_stream[8] != 0;
}

/* Appends the low `width` bytes of a number to arguments of `length` bytes, and returns
   their new length: 255 if they do not fit. */
static RTO_INLINE uint32_t rto_rkh_append(uint32_t *words, uint32_t length, uint32_t number,
                                          uint32_t width)
{
  uint8_t *const to = (uint8_t *)words + length;

  if (length + width > RTO_RKH_MAX_BYTES) {
    return 255u;
  }
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  __builtin_memcpy(to, &number, sizeof(number));
#else
  to[0] = (uint8_t)number;
  to[1] = (uint8_t)(number >> 8);
  to[2] = (uint8_t)(number >> 16);
  to[3] = (uint8_t)(number >> 24);
#endif
  return length + width;
}

RTOSCOPE_C void rto_rkh_write(const volatile uint32_t *stream, uint32_t record,
                              const uint32_t *words, uint32_t signal);

/* Records encoded arguments. */
static RTO_INLINE void rto_rkh_write_encoded(uint32_t id, uint32_t priority, uint32_t signal,
                                             uint32_t *words, uint32_t length)
{
  if (length <= RTO_RKH_MAX_BYTES) {
    if (length % 4u != 0) {
      (void)rto_rkh_append(words, length, 0, 0);
    }
    rto_rkh_write(rtoscope_rkh_stream, id | length << 8 | priority << 16, words, signal);
  } else {
    rto_rkh_lose((uint8_t)priority, signal);
  }
}

#define RTO_RKH_BEGIN_IF_(records_, id_, priority_, signal_) \
    do { \
        const uint32_t rto_id_ = (id_); \
        if (records_) { \
            const uint32_t rto_priority_ = (uint8_t)(priority_); \
            const uint32_t rto_signal_ = (uint32_t)(signal_); \
            uint32_t rto_length_ = 0; \
            uint32_t rto_words_[RTO_RKH_MAX_BYTES / 4 + 1];
#define RTO_RKH_BEGIN(event_, priority_, signal_) \
    RTO_RKH_BEGIN_IF_(rto_rkh_records(rto_id_), rto_rkh_id(event_), priority_, signal_)
#define RTO_RKH_NUMBER(number_, width_) \
    rto_length_ = rto_rkh_append(rto_words_, rto_length_, (uint32_t)(number_), (width_))
#define RTO_RKH_TEXT(text_) \
    rto_length_ = rto_rkh_append_text(rto_words_, rto_length_, (text_))
#define RTO_RKH_MEMORY(memory_, size_) \
    rto_length_ = rto_rkh_append_memory(rto_words_, rto_length_, (memory_), (uint32_t)(size_))
#define RTO_RKH_END() \
            rto_rkh_write_encoded(rto_id_, rto_priority_, rto_signal_, rto_words_, \
                                  rto_length_); \
        } \
    } while (0)

#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

#endif
