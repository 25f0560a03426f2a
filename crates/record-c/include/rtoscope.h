/*
 * rtoscope: recorders of RTOS traces for the target.
 *
 * Three recorders, whose output `rtoscope` reads: the ThreadX event trace
 * (rto_threadx_...), RKH's trace stream (rto_rkh_...) and the context-switch log
 * (rto_cswitch_...). Link librtoscope_record_c.a.
 *
 * All functions may be called from threads and interrupt handlers alike unless
 * they say otherwise. On Arm Cortex-M and RISC-V they keep interrupts away for
 * the few instructions in which they write; call them in privileged (machine)
 * mode, not from NMI or HardFault, and use a recorder on one core only. On other
 * machines a lock keeps other threads away; call them from no signal handler.
 *
 * Made from Rust sources by `cargo xtask bless`: change those.
 */

#ifndef RTOSCOPE_H
#define RTOSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A counter that changes by itself: a register, or a variable that a timer's
   interrupt counts up. */
typedef volatile uint32_t rto_counter;

/* The context-switch log of one core: memory that rto_cswitch_init makes a log.
   Memory of zeros is no log yet; all functions refuse it. */
struct rto_cswitch {
  /* For the library alone. */
  uint64_t control[sizeof(void *) == 8 ? 9 : 7];
  volatile bool on;
  uint64_t rest[10];
};
typedef struct rto_cswitch rto_cswitch;

// Flag on `RTO_INT_DISABLE` and `RTO_INT_RESTORE`: up to this entry interrupts were
// disabled.
#define RTO_PREVIOUSLY_DISABLED 32

// Items that a record of the application's own may have.
#define RTO_RKH_ITEMS 16

// `TX_SUCCESS`.
#define RTO_SUCCESS 0

// `TX_PTR_ERROR`: an address that cannot be used.
#define RTO_POINTER_ERROR 3

// `TX_SIZE_ERROR`: the memory does not hold header, registry and one event.
#define RTO_SIZE_ERROR 5

// `TX_NOT_DONE`: the recorder is enabled already, or is not enabled.
#define RTO_NOT_DONE 32

// What an entry says.
enum rto_cswitch_kind {
  // The processor leaves the idle loop.
  RTO_WAKE = 0,
  // The processor enters the idle loop.
  RTO_SLEEP = 1,
  // The scheduler resumes a thread that gave the processor away itself.
  RTO_SYNC_RESUME = 2,
  // The scheduler resumes a thread that an interrupt took the processor from.
  RTO_ASYNC_RESUME = 3,
  // An interrupt returns to the thread that it interrupted.
  RTO_ISR_RETURN = 4,
  // An interrupt handler begins.
  RTO_ISR_ENTER = 5,
  // An interrupt handler ends.
  RTO_ISR_EXIT = 6,
  // Interrupts are disabled from here on.
  RTO_INT_DISABLE = 7,
  // Interrupts are enabled from here on.
  RTO_INT_RESTORE = 8,
};

// The form of an item.
enum rto_rkh_form {
  // A signed number of 8 bits.
  RTO_RKH_I8 = 0,
  // A number of 8 bits.
  RTO_RKH_U8 = 1,
  // A signed number of 16 bits.
  RTO_RKH_I16 = 2,
  // A number of 16 bits.
  RTO_RKH_U16 = 3,
  // A signed number of 32 bits.
  RTO_RKH_I32 = 4,
  // A number of 32 bits.
  RTO_RKH_U32 = 5,
  // A number of 32 bits, shown in hexadecimal.
  RTO_RKH_X32 = 6,
  // A text that ends with a NUL, at `bytes`; NULL for an empty one.
  RTO_RKH_STR = 7,
  // Memory, `number` bytes of it at `bytes`, at most 255.
  RTO_RKH_MEM = 8,
  // An object's address.
  RTO_RKH_OBJ = 9,
  // A function's address.
  RTO_RKH_FUN = 10,
  // A signal.
  RTO_RKH_SIG = 11,
};

// What is filtered.
enum rto_rkh_selection {
  // An event, by its id; letting it pass lets its group pass.
  RTO_RKH_EVENT = 0,
  // Every event and every group.
  RTO_RKH_ALL_EVENTS = 1,
  // A group, by its number, but none of its events.
  RTO_RKH_GROUP = 2,
  // A group, by its number, and all of its events.
  RTO_RKH_GROUP_EVENTS = 3,
  // Every group, but no event.
  RTO_RKH_ALL_GROUPS = 4,
  // An active object, by its priority, 0 to 63.
  RTO_RKH_OBJECT = 5,
  // Every active object.
  RTO_RKH_ALL_OBJECTS = 6,
  // A signal, 0 to 255.
  RTO_RKH_SIGNAL = 7,
  // Every signal.
  RTO_RKH_ALL_SIGNALS = 8,
};

// An entry of a log.
struct rto_cswitch_entry {
  // One of `enum rto_cswitch_kind`, maybe with `RTO_PREVIOUSLY_DISABLED`.
  uint32_t kind;
  // The counter's value, in ticks.
  uint32_t counter;
  // Where in the code: a return address, or an interrupt handler.
  uintptr_t address;
  // The name of the thread that executes; `"ISR"` in interrupt handlers.
  const char *name;
};

// Where a recording stands or stood when it ended.
struct rto_cswitch_position {
  // The first entry of the buffer.
  const struct rto_cswitch_entry *start;
  // The entry that would be written next.
  const struct rto_cswitch_entry *current;
  // Behind the last entry of the buffer.
  const struct rto_cswitch_entry *end;
  // Whether the buffer is used as a ring.
  bool cyclic;
  // Entries that were overwritten.
  uint64_t overwritten;
  // Entries that were written in all.
  uint64_t written;
  // Entries that were not taken, as the buffer was full.
  uint64_t lost;
  // Ticks spent idle.
  uint64_t idle;
};

// An item of the application's own record.
struct rto_rkh_item {
  // One of `enum rto_rkh_form`.
  uint8_t form;
  // Characters that a number is shown with at least, 0 to 15.
  uint8_t width;
  // The number, or how many bytes.
  uint32_t number;
  // The text or memory.
  const void *bytes;
};

// Memory from `start` to before `end`.
struct rto_region {
  // The first byte.
  const char *start;
  // Behind the last byte.
  const char *end;
};

// How logs are saved.
struct rto_cswitch_saving {
  // The logs, that of core 0 first.
  const rto_cswitch *const *logs;
  // How many there are.
  uint16_t cores;
  // Bits that the counter counts with, 1 to 32.
  uint8_t counter_bits;
  // The counter's frequency in Hz, 0 if unknown.
  uint64_t frequency;
  // The memory that names may be read from, usually the program's constants. A
  // name elsewhere stays an address.
  const struct rto_region *readable;
  // How many regions there are.
  size_t regions;
};

// Takes the next bytes of a file. `user` is what `rto_cswitch_save` was given.
typedef void (*rto_write)(void *user, const uint8_t *bytes, size_t count);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Says where the counter of the ThreadX event trace and of the RKH stream is: a
// register or variable of 32 bits that counts up and wraps, or NULL if there is
// none. To be called before they are used.
void rto_set_counter(const rto_counter *counter);

// Makes memory a log that is off, and says where its counter is: a register
// or variable of 32 bits that counts up and wraps, or NULL if there is none.
// No other code may use the log meanwhile. If `log` is NULL, nothing happens. If
// the counter's address is not aligned to 4 bytes, the log becomes memory of
// zeros, which is no log.
//
// Memory of zeros that was never initialised is safe to use: it records nothing,
// and all functions return false or 0. `rtoscope_cswitch_log` is initialised from
// the start, without a counter.
void rto_cswitch_init(rto_cswitch *log, const rto_counter *counter);

// Starts a recording in `buffer`. In a ring the newest entries overwrite the
// oldest; else the first stay and the others are counted as lost. Returns
// false, and does nothing, if the log was not initialised, if a recording is
// running, if `buffer` is NULL or not aligned as a pointer, or if `entries` are
// more than the address space holds. Until `rto_cswitch_stop` the buffer is the
// log's. Leave it as it is until the log is saved or started again.
bool rto_cswitch_start(const rto_cswitch *log,
                       struct rto_cswitch_entry *buffer,
                       size_t entries,
                       bool cyclic);

// Ends the recording and says where it stood. Returns false if none was
// running. `position` may be NULL. `rto_cswitch_save` saves what was recorded
// until the log is started or initialised again.
bool rto_cswitch_stop(const rto_cswitch *log, struct rto_cswitch_position *position);

// Says where the running recording stands. Returns false if there is none.
bool rto_cswitch_snapshot(const rto_cswitch *log, struct rto_cswitch_position *position);

// Records that the scheduler enters the idle loop; idle time begins.
void rto_cswitch_sleep(const rto_cswitch *log, uintptr_t address, const char *name);

// Records that the processor leaves the idle loop; idle time ends.
void rto_cswitch_wake(const rto_cswitch *log, uintptr_t address, const char *name);

// Records that an interrupt handler begins.
void rto_cswitch_isr_enter(const rto_cswitch *log, uintptr_t handler);

// Records that an interrupt handler ends.
void rto_cswitch_isr_exit(const rto_cswitch *log, uintptr_t handler);

// Records that interrupts are disabled; `before` says whether they were already.
void rto_cswitch_interrupts_disabled(const rto_cswitch *log,
                                     bool before,
                                     uintptr_t address,
                                     const char *name);

// Records that interrupts get back the state that they had before they were
// disabled; `still` says that this is disabled, as at the end of the inner of nested
// pairs.
void rto_cswitch_interrupts_restored(const rto_cswitch *log,
                                     bool still,
                                     uintptr_t address,
                                     const char *name);

// Ticks spent idle since the recording started.
uint64_t rto_cswitch_idle_total(const rto_cswitch *log);

// Begins a stream in `size` bytes, at least 64, which are the recorder's for
// ever. At first nothing passes that can be filtered. Returns false if the
// buffer is too small.
bool rto_rkh_start(uint8_t *buffer, size_t size);

// Begins the stream anew in the same buffer, as after a reset.
void rto_rkh_restart(void);

// Records nothing more. What was recorded can still be taken.
void rto_rkh_stop(void);

// Takes the next bytes of the stream for the host, and returns how many.
size_t rto_rkh_take(uint8_t *into, size_t size);

// Bytes that wait to be taken.
size_t rto_rkh_waiting(void);

// Frames that were lost since the start, as nobody took them in time.
uint32_t rto_rkh_lost(void);

// Lets what is selected pass, or suppresses it. `selection` is one of
// `enum rto_rkh_selection`; `number` is of no matter where all are selected.
// Returns false if there is no such thing.
bool rto_rkh_filter(uint32_t selection, uint32_t number, bool pass);

// Records an event of RKH by its id, with the numbers that its record has, in
// their order (`rtoscope catalogue --of rkh` lists them); of addresses the low
// 32 bits. Senders and low-water marks are there. `priority` is the active
// object's, by which it is filtered, and `text` is for records that have one,
// else NULL. Returns false, and records nothing, if there is no such record, or
// if `numbers` is NULL and `count` is not 0. Returns true also for a record that
// is filtered or that found no room (`rto_rkh_lost`).
bool rto_rkh_record(uint8_t event,
                    uint8_t priority,
                    const uint32_t *numbers,
                    size_t count,
                    const char *text);

// Records an event of the application's own, 0 to 31, with up to
// `RTO_RKH_ITEMS` items. Returns false, and records nothing, if `event` is
// above 31, if there are too many items, if `items` is NULL and `count` is not
// 0, or if an item has no such form, a width above 15, or bytes to show and
// NULL for their address. Returns true also for an event that is filtered or
// that found no room (`rto_rkh_lost`).
bool rto_rkh_user(uint8_t event, const struct rto_rkh_item *items, size_t count);

// Writes logs as a CSWL file, which `rtoscope` reads without knowing anything
// else of the target. Logs may run on meanwhile: what is overwritten before it
// could be written comes as an unfinished entry. Of a log that was stopped, what
// it had recorded is written, if its buffer is as it was then. A log that never
// recorded, was not initialised, or whose address is NULL comes without entries.
// Returns the bytes written, 0 if `saving` or `write` is NULL, or `logs` is and
// `cores` is not 0.
uint64_t rto_cswitch_save(const struct rto_cswitch_saving *saving,
                          rto_write write,
                          void *user);

// Lays a trace out in `size` bytes of memory, aligned as a pointer, with room
// for `registry_entries` objects, and records all events into it
// (`tx_trace_enable`). The memory is the recorder's until
// `rto_threadx_disable`; a copy of it is a trace for `rtoscope`.
uint32_t rto_threadx_enable(void *memory, size_t size, size_t registry_entries);

// Records nothing more (`tx_trace_disable`); the memory stays as it is.
uint32_t rto_threadx_disable(void);

// Records events of these groups (`TX_TRACE_..._EVENTS`) no more
// (`tx_trace_event_filter`).
void rto_threadx_event_filter(uint32_t groups);

// Records events of these groups again (`tx_trace_event_unfilter`).
void rto_threadx_event_unfilter(uint32_t groups);

// Calls a function whenever the ring has been written to its end, with the
// address of the memory, while interrupts wait
// (`tx_trace_buffer_full_notify`). NULL ends that.
void rto_threadx_buffer_full_notify(void (*function)(void *memory));

// Says who executes from now on: a thread by its address, its priority and
// preemption threshold, 0 for nobody. Within an interrupt handler: who will when
// it has ended. The first call ends the initialisation.
void rto_threadx_enter_thread(uintptr_t thread, uint16_t priority, uint16_t threshold);

// Records that an interrupt handler begins (`tx_trace_isr_enter_insert`);
// `number` is for its source. Calls nest.
void rto_threadx_isr_enter(uint32_t number);

// Records that an interrupt handler ends (`tx_trace_isr_exit_insert`).
void rto_threadx_isr_exit(uint32_t number);

// Records that a thread can run again. `previous` is the `tx_thread_state` in
// which it was, `next` the thread that is to run now, 0 if none.
void rto_threadx_resume(uintptr_t thread, uint32_t previous, uintptr_t next);

// Records that a thread can run no more. `state` is its `tx_thread_state` from
// now on, `next` the thread that is to run now, 0 if none.
void rto_threadx_suspend(uintptr_t thread, uint32_t state, uintptr_t next);

// `rto_threadx_insert` where the event is recorded. The number comes last, where
// it moves the fewest arguments.
void rto_threadx_write(uintptr_t info_1,
                       uintptr_t info_2,
                       uintptr_t info_3,
                       uintptr_t info_4,
                       uint32_t event);

// Records an event of the application's own, numbered from 4096 to 65535
// (`tx_trace_user_event_insert`).
uint32_t rto_threadx_user_event(uint32_t event,
                                uintptr_t info_1,
                                uintptr_t info_2,
                                uintptr_t info_3,
                                uintptr_t info_4);

// Names an object: its type (`TX_TRACE_OBJECT_TYPE_...`), address and name, of
// which 31 bytes are kept, and two parameters that depend on the type. To be
// called while the trace is enabled.
uint32_t rto_threadx_register(uint8_t object_type,
                              uintptr_t object,
                              const char *name,
                              uintptr_t parameter_1,
                              uintptr_t parameter_2);

// Names a thread, with its priority and its stack, as `rto_threadx_register`.
uint32_t rto_threadx_register_thread(uintptr_t thread,
                                     const char *name,
                                     uint16_t priority,
                                     uintptr_t stack_start,
                                     size_t stack_size);

// The object at this address is no more.
void rto_threadx_unregister(uintptr_t object);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RTOSCOPE_H */

#ifndef RTOSCOPE_INLINE
#define RTOSCOPE_INLINE

/* The log of a program that has one core, or logs one of them. Its name is where
   `rtoscope --elf` looks for it. */
extern struct rto_cswitch rtoscope_cswitch_log;

/* Groups of events that the trace records; for rto_threadx_insert alone. */
extern volatile uint32_t rtoscope_threadx_trace;

#ifdef __cplusplus
#define RTOSCOPE_C extern "C"
#else
#define RTOSCOPE_C extern
#endif

RTOSCOPE_C void rto_cswitch_write(uint32_t kind, const struct rto_cswitch *log,
                                  uintptr_t address, const char *name);

/* Records an entry. `kind` is one of `enum rto_cswitch_kind`, maybe with
   RTO_PREVIOUSLY_DISABLED. `name` must stay where it is. */
static inline void rto_cswitch_record(uint32_t kind, const struct rto_cswitch *log,
                                      uintptr_t address, const char *name)
{
  if (log->on) {
    rto_cswitch_write(kind, log, address, name);
  }
}

/* Records any event of ThreadX, FileX, NetX Duo or USBX: its groups
   (TX_TRACE_..._EVENTS), its number and its four information fields (`rtoscope
   catalogue` lists them). */
static inline void rto_threadx_insert(uint32_t groups, uint32_t event, uintptr_t info_1,
                                      uintptr_t info_2, uintptr_t info_3, uintptr_t info_4)
{
  if ((rtoscope_threadx_trace & groups) != 0) {
    rto_threadx_write(info_1, info_2, info_3, info_4, event);
  }
}

#endif
