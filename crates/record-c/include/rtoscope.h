/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: recorders of RTOS traces for the target.
 *
 * Three recorders, whose output `rtoscope` reads: the ThreadX event trace
 * (rto_threadx_...), RKH's trace stream (rto_rkh_...) and the context-switch log
 * (rto_cswitch_...). Link librtoscope_record_c.a.
 *
 * Threads and interrupt handlers may call all functions unless stated otherwise. On
 * microcontrollers (Arm Cortex-M, Cortex-R and Cortex-A, RISC-V, MIPS), the functions
 * disable interrupts for the few instructions in which they write, on Cortex-M by PRIMASK,
 * which also delays interrupts above BASEPRI. Call them in privileged (machine, kernel)
 * mode, since unprivileged threads cannot disable interrupts and would damage the
 * recording, and use each recorder on one core only. Handlers of
 * exceptions that cannot be masked (NMI, HardFault; aborts, and FIQ unless the library is
 * built with the feature arm-fiq; cache errors of MIPS) may call
 * rto_black_box_freeze_... and rto_fault_cortex_m, and no other function. On other
 * machines, a lock excludes other threads; do not call the functions from signal handlers.
 *
 * Generated from Rust sources by `cargo xtask check`: change those.
 */

#ifndef RTOSCOPE_H
#define RTOSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A counter that changes independently of the program: a register, or a variable that
   a timer's interrupt increments. */
typedef volatile uint32_t rto_counter;

/* The cycle counter of the core, in place of the address of a counter: DWT_CYCCNT from
   Armv7-M on, PMCCNTR of Cortex-A and Cortex-R (the program starts both), mcycle of RISC-V,
   Count of MIPS, which counts every CCRes-th cycle, usually every second. */
#if !defined(__linux__)
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define RTO_CORE_COUNTER ((rto_counter *)0xE0001004)
#elif defined(__arm__) || defined(__riscv) || defined(__mips__)
#define RTO_CORE_COUNTER ((rto_counter *)4)
#endif
#endif

/* The context-switch log of one core, initialised by rto_cswitch_init. All functions
   reject memory of zeros. */
struct rto_cswitch {
  /* Private. */
  struct rto_cswitch_entry *current;
  struct rto_cswitch_entry *end;
  uint64_t control[sizeof(void *) == 8 ? 7 : 6];
  volatile bool on;
  /* On Arm Cortex-M; elsewhere its place is another one. */
  const rto_counter *counter;
  uint64_t reserved[10];
};
typedef struct rto_cswitch rto_cswitch;

// Flag on `RTO_INT_DISABLE` and `RTO_INT_RESTORE`: interrupts were disabled before this
// entry.
#define RTO_PREVIOUSLY_DISABLED 32

// Size of the text of a message in bytes, with its NUL.
#define RTO_RKH_MESSAGE_TEXT_SIZE 60

// `RKH_TE_USER`: RKH's number of the application's event 0.
#define RTO_RKH_TE_USER 192

// Maximum size of a record's arguments in bytes, except in `rto_rkh_record`.
#define RTO_RKH_MAX_BYTES 248

// `TX_SUCCESS`.
#define RTO_SUCCESS 0

// `TX_PTR_ERROR`: an invalid address.
#define RTO_POINTER_ERROR 3

// `TX_SIZE_ERROR`: the memory is too small for header, registry and one event.
#define RTO_SIZE_ERROR 5

// `TX_NOT_DONE`: the recorder is already enabled, or is not enabled.
#define RTO_NOT_DONE 32

// The kind of an entry.
enum rto_cswitch_kind {
  // The core leaves the idle loop.
  RTO_WAKE = 0,
  // The core enters the idle loop.
  RTO_SLEEP = 1,
  // The scheduler resumes a thread that had suspended itself.
  RTO_SYNC_RESUME = 2,
  // The scheduler resumes a thread that an interrupt had preempted.
  RTO_ASYNC_RESUME = 3,
  // An interrupt returns to the interrupted thread.
  RTO_ISR_RETURN = 4,
  // An interrupt handler begins.
  RTO_ISR_ENTER = 5,
  // An interrupt handler ends.
  RTO_ISR_EXIT = 6,
  // Interrupts are disabled from here on.
  RTO_INT_DISABLE = 7,
  // Interrupts are enabled from here on.
  RTO_INT_RESTORE = 8,
  // A span of interest begins.
  RTO_MARKER_BEGIN = 16,
  // The span of the same name and value ends.
  RTO_MARKER_END = 17,
  // A point of interest without a duration.
  RTO_MARKER = 18,
  // A thread becomes ready to run.
  RTO_READY = 19,
  // The running thread stops being ready.
  RTO_WAIT = 20,
};

// The format of an item.
enum rto_rkh_format {
  // A signed 8-bit number.
  RTO_RKH_I8 = 0,
  // An 8-bit number.
  RTO_RKH_U8 = 1,
  // A signed 16-bit number.
  RTO_RKH_I16 = 2,
  // A 16-bit number.
  RTO_RKH_U16 = 3,
  // A signed 32-bit number.
  RTO_RKH_I32 = 4,
  // A 32-bit number.
  RTO_RKH_U32 = 5,
  // A 32-bit number, shown in hexadecimal.
  RTO_RKH_X32 = 6,
  // A NUL-terminated text at `bytes`; NULL for an empty one.
  RTO_RKH_STR = 7,
  // `number` bytes of memory at `bytes`, at most 255.
  RTO_RKH_MEM = 8,
  // An object's address.
  RTO_RKH_OBJ = 9,
  // A function's address.
  RTO_RKH_FUN = 10,
  // A signal.
  RTO_RKH_SIG = 11,
};

// The kind of a message from the host.
enum rto_rkh_message_kind {
  // UT SUCCESS: the unit test passes, or passes so far.
  RTO_RKH_UT_SUCCESS = 0,
  // UT FAIL: the unit test does not pass.
  RTO_RKH_UT_FAIL = 1,
  // A command, which has set the filter.
  RTO_RKH_FILTER_SET = 2,
  // A command for an event, group, priority or signal that the filter does not have.
  RTO_RKH_FILTER_INVALID = 3,
  // The message is damaged or unknown.
  RTO_RKH_MESSAGE_INVALID = 4,
};

// The records to filter.
enum rto_rkh_selection {
  // An event, by its id; letting it pass also lets its group pass.
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

// Memory for a black box: aligned to 8 bytes, and in a section that the startup code
// does not initialise.
struct rto_black_box {
  // The first byte.
  void *memory;
  // The size in bytes: 144 and those of the recording.
  size_t bytes;
};

// The registers of a fault.
struct rto_fault {
  // 0: nothing froze the recording; 1: Cortex-M; 2: RISC-V; 3: the application.
  uint32_t origin;
  // Exception number (Cortex-M), `mcause` (RISC-V).
  uint32_t exception;
  // The code address.
  uint64_t pc;
  // The return address.
  uint64_t lr;
  // xPSR, `mstatus`.
  uint64_t status;
  // The stack pointer before the fault.
  uint64_t sp;
  // CFSR, HFSR, MMFAR and BFAR; `mcause` and `mtval`.
  uint64_t registers[4];
  // Words of the application.
  uint32_t words[4];
};

// Memory from `start` up to, but not including, `end`.
struct rto_memory_region {
  // The first byte.
  const char *start;
  // The end, after the last byte.
  const char *end;
};

// Writes the next bytes of a file. `user` is the argument of `rto_cswitch_save`.
typedef void (*rto_write_fn)(void *user, const uint8_t *bytes, size_t count);

// The registers from which a stack is unwound: those of `rto_stack_capture`, or those
// that a suspended thread has saved.
struct rto_stack_registers {
  // The program counter, in the function whose frame the stack pointer is in.
  uintptr_t program_counter;
  // The stack pointer.
  uintptr_t stack_pointer;
  // The link register.
  uintptr_t link_register;
  // R7, the frame pointer of Thumb code; 0 on other processors.
  uintptr_t thumb_frame_pointer;
  // R11, the frame pointer of ARM code, or that of another processor.
  uintptr_t frame_pointer;
};

// An entry of a log.
struct rto_cswitch_entry {
  // One of `enum rto_cswitch_kind`, optionally with `RTO_PREVIOUSLY_DISABLED`.
  uint32_t kind;
  // The value of the counter in ticks.
  uint32_t counter;
  // The code address: a return address, or an interrupt handler. The value of a
  // marker.
  uintptr_t address;
  // The name of the running thread, `"ISR"` in interrupt handlers; or that of a
  // marker.
  const char *name;
};

// The position of a running or finished session.
struct rto_cswitch_position {
  // The first entry of the buffer.
  const struct rto_cswitch_entry *start;
  // The entry to write next.
  const struct rto_cswitch_entry *current;
  // The end of the buffer, after its last entry.
  const struct rto_cswitch_entry *end;
  // Whether the buffer is a ring.
  bool cyclic;
  // Number of overwritten entries.
  uint64_t overwritten;
  // Number of written entries.
  uint64_t written;
  // Number of lost entries: those that found the buffer full.
  uint64_t lost;
  // Idle time in ticks.
  uint64_t idle_ticks;
};

// A message from the host.
struct rto_rkh_message {
  // One of `enum rto_rkh_message_kind`.
  uint8_t kind;
  // UT SUCCESS and UT FAIL: the line of the test's source, or 0.
  uint32_t line;
  // UT FAIL: the reason, possibly cut; else empty.
  char text[RTO_RKH_MESSAGE_TEXT_SIZE];
};

// An item of the application's own record.
struct rto_rkh_item {
  // One of `enum rto_rkh_format`.
  uint8_t format;
  // Minimum number of characters to show a number with, 0 to 15.
  uint8_t width;
  // The number, or the length of the memory in bytes.
  uint32_t number;
  // The text or memory.
  const void *bytes;
};

// Options for saving logs.
struct rto_cswitch_save_options {
  // The logs, starting with that of core 0.
  const rto_cswitch *const *logs;
  // The number of logs.
  uint16_t cores;
  // Width of the counter in bits, 1 to 32.
  uint8_t counter_bits;
  // Frequency of the counter in Hz, 0 if unknown.
  uint64_t frequency_hz;
  // The memory in which names may be read, usually the program's constants. A name
  // elsewhere is saved as an address only.
  const struct rto_memory_region *readable;
  // The number of regions.
  size_t regions;
};

// The position up to which a log was sent, and the names that were sent. Zeros are the
// start of any log.
struct rto_cswitch_cursor {
  uint64_t position;
  uint32_t session;
  const char *names[32];
};

// The position up to which the trace was read, and the objects that were read. Zeros are the
// start of any trace.
struct rto_threadx_cursor {
  uint64_t position[3];
  uint32_t state[4];
};

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Starts a session of a log in a black box, as `rto_cswitch_start`. Call
// `rto_black_box_recover` first: the memory's content is overwritten.
bool rto_black_box_start_cswitch(struct rto_black_box black_box,
                                 const rto_cswitch *log,
                                 bool cyclic);

// Enables the ThreadX event trace in a black box, as `rto_threadx_enable`. Call
// `rto_black_box_recover` first: the memory's content is overwritten.
uint32_t rto_black_box_start_threadx(struct rto_black_box black_box,
                                     size_t registry_entries);

// Stops the session in a black box and stores the fault, which may be NULL. The log ends
// with an entry at the fault's code address. Returns false if there is no session, or if
// it was frozen before.
//
// Handlers of HardFault and NMI may call this function: it acquires no mask and waits for
// nothing, and may interrupt a recorder at any instruction. The handler should end in a
// reset.
bool rto_black_box_freeze_cswitch(struct rto_black_box black_box,
                                  const rto_cswitch *log,
                                  const struct rto_fault *fault);

// As `rto_black_box_freeze_cswitch`, for the ThreadX event trace. Handlers of HardFault
// and NMI may call it.
bool rto_black_box_freeze_threadx(struct rto_black_box black_box,
                                  const struct rto_fault *fault);

// Stores the registers of a Cortex-M exception: `frame` is the address of the eight words
// that the core stacked, or NULL; `exc_return` the value of LR in the handler. Handlers
// of HardFault and NMI may call it.
void rto_fault_cortex_m(const uint32_t *frame,
                        uint32_t exc_return,
                        struct rto_fault *fault);

// Returns the number of the recording that survived the last reset, and stores its fault;
// `fault` may be NULL. Returns 0 if there is none: after power-on, or if the memory is
// damaged. Call it before a recorder is started in this memory.
uint32_t rto_black_box_recover(struct rto_black_box black_box, struct rto_fault *fault);

// Writes the recording that survived the last reset as a file: a log as a CSWL file with
// the names in the readable regions, a trace as it is in memory. `frequency_hz` and
// `counter_bits` describe the log's counter. Returns the number of bytes written, 0 if
// there is no recording. Call it before a recorder is started in this memory.
uint64_t rto_black_box_save(struct rto_black_box black_box,
                            uint64_t frequency_hz,
                            uint8_t counter_bits,
                            const struct rto_memory_region *readable,
                            size_t regions,
                            rto_write_fn write,
                            void *user);

// Forgets the recording that survived the last reset.
void rto_black_box_discard(struct rto_black_box black_box);

// Records the call stack that belongs to the entry before: three entries, and one for
// every two of at most `max_words` words. The stack is the memory from `stack_start` up to
// and without `stack_end`; no word outside is read. Does nothing if `registers` is NULL.
void rto_cswitch_record_stack(const rto_cswitch *log,
                              const struct rto_stack_registers *registers,
                              uintptr_t stack_start,
                              uintptr_t stack_end,
                              size_t max_words);

// Records the call stack that belongs to the event before: user events 65532 to 65534, two
// and one for every four of at most `max_words` words. For the rest, see
// `rto_cswitch_record_stack`.
void rto_threadx_record_stack(const struct rto_stack_registers *registers,
                              uintptr_t stack_start,
                              uintptr_t stack_end,
                              size_t max_words);

// Sets the counter of the ThreadX event trace and of the RKH stream: a 32-bit register
// or variable that counts up and wraps, `RTO_CORE_COUNTER`, or NULL if there is none. Call
// it before using them.
void rto_set_counter(const rto_counter *counter);

// Initialises a log that is off, and sets its counter: a 32-bit register or variable
// that counts up and wraps, `RTO_CORE_COUNTER`, or NULL if there is none. No other code
// may use the log meanwhile. Does nothing if `log` is NULL. If the address of the counter
// is not aligned to 4 bytes, the log becomes memory of zeros, which is not a log.
//
// Memory of zeros that was never initialised is safe to use: it records nothing, and all
// functions return false or 0. `rtoscope_cswitch_log` is initialised from the start,
// without a counter.
void rto_cswitch_init(rto_cswitch *log, const rto_counter *counter);

// Starts a session in `buffer`. In a ring, new entries overwrite the oldest ones;
// otherwise the first entries are kept and the others are counted as lost. Returns false
// and does nothing if the log was not initialised, if a session is running, if `buffer`
// is NULL or not aligned like a pointer, or if the entries would extend beyond the
// address space. Until `rto_cswitch_stop`, only the log may use the buffer. Do not
// modify it until the log is saved or started again.
bool rto_cswitch_start(const rto_cswitch *log,
                       struct rto_cswitch_entry *buffer,
                       size_t entries,
                       bool cyclic);

// Ends the session and stores its position. Returns false if no session is running.
// `position` may be NULL. `rto_cswitch_save` saves the session until the log is started
// or initialised again.
bool rto_cswitch_stop(const rto_cswitch *log, struct rto_cswitch_position *position);

// Stores the position of the running session. Returns false if there is none.
bool rto_cswitch_snapshot(const rto_cswitch *log, struct rto_cswitch_position *position);

// The part of `rto_cswitch_sleep` in the library.
void rto_cswitch_write_sleep(const rto_cswitch *log, uintptr_t address, const char *name);

// The part of `rto_cswitch_wake` in the library.
void rto_cswitch_write_wake(const rto_cswitch *log, uintptr_t address, const char *name);

// Idle time since the session started, in ticks.
uint64_t rto_cswitch_idle_ticks(const rto_cswitch *log);

// Takes a byte that the host sent over the stream's connection: answers to unit tests
// and commands for the filter (`rtoscope check --live`, `--target-filter`), which are
// applied at once. Returns true if the byte completes a message, which is then in
// `message`, unless that is NULL. Only one thread or interrupt handler may call this
// function.
bool rto_rkh_receive(uint8_t byte, struct rto_rkh_message *message);

// Starts a stream in `size` bytes, at least 64, which the recorder keeps for ever.
// Initially, the filter suppresses everything that it can filter. Returns false if the
// buffer is too small.
bool rto_rkh_start(uint8_t *buffer, size_t size);

// Restarts the stream in the same buffer, as after a reset.
void rto_rkh_restart(void);

// Stops recording. The recorded bytes can still be taken.
void rto_rkh_stop(void);

// `RKH_TR_FWK_TCFG`: sends the stream's configuration with the frequency of the counter in Hz,
// modulo 65536, now and at each start. It replaces the first record of a stream without another
// one.
void rto_rkh_fwk_tcfg(uint32_t timestamp_hz);

// The same with the 13 bytes that RKH's own macro sends after the id, for a program that
// encodes all its records with RKH's sizes, as the headers in `rkh` do.
void rto_rkh_fwk_tcfg_of(const uint8_t *content);

// Moves the next bytes of the stream to `into` and returns their number.
size_t rto_rkh_take(uint8_t *into, size_t size);

// Number of bytes available to `rto_rkh_take`.
size_t rto_rkh_available(void);

// Number of frames lost since the start because they were not taken in time.
uint32_t rto_rkh_lost(void);

// Lets the selected records pass, or suppresses them. `selection` is one of
// `enum rto_rkh_selection`; `number` is ignored if all are selected. Returns false if
// the selection is invalid.
bool rto_rkh_filter(uint32_t selection, uint32_t number, bool pass);

// Records an event of RKH by its id. `numbers` are the numbers of its record in order
// (`rtoscope catalogue --of rkh` lists them), including senders and low-water marks; of
// addresses, the low 32 bits. The filter uses `priority` as the priority of the active
// object. `text` is for records with a text, otherwise NULL. Returns false and records
// nothing if there is no such record, if `count` is wrong, if an event of the application
// among the numbers does not exist, or if `numbers` is NULL and `count` is not 0. Also
// returns true for a record that is filtered or finds no room (`rto_rkh_lost`).
bool rto_rkh_record(uint32_t event,
                    uint8_t priority,
                    const uint32_t *numbers,
                    size_t count,
                    const char *text);

// Counts a record with more than `RTO_RKH_MAX_BYTES` as lost, if it passes the filter.
void rto_rkh_lose(uint8_t priority, uint32_t signal);

// Appends a text and its NUL to `length` bytes of a record's arguments, and returns the
// new length.
uint32_t rto_rkh_append_text(uint32_t *words, uint32_t length, const char *text);

// Appends the size of a memory block and its first 255 bytes to `length` bytes of a
// record's arguments, and returns the new length.
uint32_t rto_rkh_append_memory(uint32_t *words,
                               uint32_t length,
                               const void *memory,
                               uint32_t size);

// Records an event of the application with items of at most `RTO_RKH_MAX_BYTES` bytes: a
// byte and the value of each, and a byte more for a text or memory. `event` is 0 to 31, or
// RKH's own number: `RTO_RKH_TE_USER` + 0 to 31, or 0x600 or 0x6000000 + 0 to 31 as in an
// RKH with ids of 2 or 4 bytes. Returns false and records nothing if `event` is any other
// number, if `items` is NULL and `count` is not 0, or if an item has an invalid format, a
// width above 15, or memory at NULL. Also returns true for an event that is filtered, is too
// large, or finds no room (`rto_rkh_lost`). The macro RKH_TRC_USR_BEGIN is faster.
bool rto_rkh_user_event(uint32_t event,
                        const struct rto_rkh_item *items,
                        size_t count);

// Records a record with any list of arguments of at most `RTO_RKH_MAX_BYTES` bytes: the
// program's own, which the host learns from a declaration (`-O custom-events`), or a
// predefined one. The formats of the items determine their sizes, but are not in the
// stream; widths must be 0 to 15 and are ignored. Returns false and records nothing as
// `rto_rkh_user_event`, or if `event` is neither a number of the application's events from
// `RTO_RKH_TE_USER` on nor that of a predefined record. Also returns true for a record that
// is filtered, is too large, or finds no room.
bool rto_rkh_own_record(uint32_t event,
                        const struct rto_rkh_item *items,
                        size_t count);

// The part of `RTO_RKH_FMT` in the library: the address of a text and up to 8 values.
void rto_rkh_format(const uint32_t *words, size_t count);

// Whether a record passes the filter, before its arguments are computed. `priority` is
// that of its active object, `signal` its signal; -1 if it has none.
bool rto_rkh_passes(uint32_t event, int32_t priority, int32_t signal);

// Whether the filter lets the priority of an active object and a signal pass, 255 and
// 0xFFFFFFFF if there is none, whatever the event.
bool rto_rkh_passes_object_and_signal(uint8_t priority, uint32_t signal);

// Saves logs as a self-contained CSWL file. Logs may keep recording meanwhile: an entry
// that is overwritten before it is saved appears as an unfinished entry. A stopped log
// is saved with its last session, if its buffer is unchanged. A log that was never
// started, was not initialised, or whose address is NULL, is saved without entries.
// Returns the number of bytes written; 0 if `options` or `write` is NULL, or if `logs`
// is NULL and `cores` is not 0.
uint64_t rto_cswitch_save(const struct rto_cswitch_save_options *options,
                          rto_write_fn write,
                          void *user);

// Reads the entries that the last call did not, as a CSWL container of at most `size`
// bytes, and moves the cursors past them: call it again and again, and send the containers
// one after the other. Each name is sent once. `cursors` has one cursor for each log. Logs
// may keep recording meanwhile; the host reports entries that were overwritten before they
// were read. Returns the number of bytes; 0 if there are no new entries, if `options`,
// `cursors` or `buffer` is NULL, or if `size` is less than 256 bytes for each log.
size_t rto_cswitch_read(const struct rto_cswitch_save_options *options,
                        struct rto_cswitch_cursor *cursors,
                        uint8_t *buffer,
                        size_t size);

// Initialises a trace in `size` bytes of memory, aligned like a pointer, with room for
// `registry_entries` objects, and records all events into it (`tx_trace_enable`). Only
// the recorder may use the memory until `rto_threadx_disable`; a copy of it is a trace
// for `rtoscope`.
uint32_t rto_threadx_enable(void *memory, size_t size, size_t registry_entries);

// Sets the valid bits of the counter (`TX_TRACE_TIME_MASK`), 0xFFFF for a 16-bit counter,
// for traces that are enabled from now on. Without it, all 32 bits are valid.
void rto_threadx_set_timer_mask(uint32_t timer_mask);

// Stops recording (`tx_trace_disable`); the memory keeps its content.
uint32_t rto_threadx_disable(void);

// Stops recording events of these groups (`TX_TRACE_..._EVENTS`;
// `tx_trace_event_filter`).
void rto_threadx_event_filter(uint32_t groups);

// Records events of these groups again (`tx_trace_event_unfilter`).
void rto_threadx_event_unfilter(uint32_t groups);

// Calls a function whenever the ring was written to its end, with the address of the
// memory, while interrupts wait (`tx_trace_buffer_full_notify`). NULL disables the
// notification.
void rto_threadx_buffer_full_notify(void (*function)(void *memory));

// Sets the running thread: its address, its priority and its preemption threshold;
// address 0 for none. Inside an interrupt handler, it sets the thread that runs
// afterwards. The first call ends the initialisation.
void rto_threadx_enter_thread(uintptr_t thread, uint16_t priority, uint16_t threshold);

// Records that an interrupt handler begins (`tx_trace_isr_enter_insert`); `number`
// identifies the interrupt. Calls nest.
void rto_threadx_isr_enter(uint32_t number);

// Records that an interrupt handler ends (`tx_trace_isr_exit_insert`).
void rto_threadx_isr_exit(uint32_t number);

// Records that a thread becomes ready. `previous` is its previous `tx_thread_state`,
// `next` the thread to run now, 0 if none.
void rto_threadx_resume(uintptr_t thread, uint32_t previous, uintptr_t next);

// Records that a thread stops being ready. `state` is its new `tx_thread_state`, `next`
// the thread to run now, 0 if none.
void rto_threadx_suspend(uintptr_t thread, uint32_t state, uintptr_t next);

// The part of `rto_threadx_insert` for an event that is recorded. The number comes last,
// because this moves the fewest arguments.
void rto_threadx_write(uintptr_t info_1,
                       uintptr_t info_2,
                       uintptr_t info_3,
                       uintptr_t info_4,
                       uint32_t event);

// Records an event of the application, numbered from 4096 to 65535
// (`tx_trace_user_event_insert`).
uint32_t rto_threadx_user_event(uint32_t event,
                                uintptr_t info_1,
                                uintptr_t info_2,
                                uintptr_t info_3,
                                uintptr_t info_4);

// The part of `RTO_THREADX_FMT` in the library: the address of a text and up to 3 values.
void rto_threadx_format(const uint32_t *words, size_t count);

// Registers an object: its type (`TX_TRACE_OBJECT_TYPE_...`), its address, the first 31
// bytes of its name (fewer or more if the library was built with
// `RTOSCOPE_THREADX_NAME_BYTES`), and two parameters that depend on the type. Call it while
// the trace is enabled.
uint32_t rto_threadx_register(uint8_t object_type,
                              uintptr_t object,
                              const char *name,
                              uintptr_t parameter_1,
                              uintptr_t parameter_2);

// Registers a thread with its priority and its stack, as `rto_threadx_register`.
uint32_t rto_threadx_register_thread(uintptr_t thread,
                                     const char *name,
                                     uint16_t priority,
                                     uintptr_t stack_start,
                                     size_t stack_size);

// Unregisters the object at this address.
void rto_threadx_unregister(uintptr_t object);

// Reads the entries that the last call did not, and objects that are new or have changed, as a
// TXTS packet of at most `size` bytes, and moves the cursor past them: call it again and again,
// and send the packets one after the other. The trace may keep recording meanwhile; entries
// that were overwritten before they were read are counted, and the host reports them. Call it
// in a thread of low priority, where all entries of the scheduler are complete. Returns the
// number of bytes; 0 if nothing is new, if the trace is not enabled, if `cursor` or `buffer` is
// NULL, or if `size` is less than 256 bytes (more with a larger
// `RTOSCOPE_THREADX_NAME_BYTES`).
size_t rto_threadx_read(struct rto_threadx_cursor *cursor,
                        uint8_t *buffer,
                        size_t size);

// Reads all objects again with the next entries, as for a host that has just connected.
void rto_threadx_resend_objects(struct rto_threadx_cursor *cursor);

// Number of entries of the session that were overwritten before they were read.
uint64_t rto_threadx_overwritten(const struct rto_threadx_cursor *cursor);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RTOSCOPE_H */

#ifndef RTOSCOPE_INLINE
#define RTOSCOPE_INLINE

#include "rtoscope_ids.h"
#include "rtoscope_inline.h"
#include "rtoscope_rkh.h"

/* Define one of these as 0 to remove every trace of a recorder: all its calls become
   empty, without evaluating their arguments. */
#ifndef RTO_CSWITCH
#define RTO_CSWITCH 1
#endif
#ifndef RTO_THREADX
#define RTO_THREADX 1
#endif
#ifndef RTO_RKH
#define RTO_RKH 1
#endif

#if !RTO_CSWITCH
#define rto_cswitch_record_stack(...) ((void)0)
#define rto_cswitch_init(...) ((void)0)
#define rto_cswitch_start(...) ((bool)true)
#define rto_cswitch_stop(...) ((bool)false)
#define rto_cswitch_snapshot(...) ((bool)false)
#define rto_cswitch_write_sleep(...) ((void)0)
#define rto_cswitch_write_wake(...) ((void)0)
#define rto_cswitch_idle_ticks(...) ((uint64_t)0)
#define rto_cswitch_save(...) ((uint64_t)0)
#define rto_cswitch_read(...) ((size_t)0)
#define rto_cswitch_admits(...) ((bool)true)
#define rto_cswitch_write_entry(...) ((void)0)
#define rto_cswitch_record(...) ((void)0)
#define rto_cswitch_sleep(...) ((void)0)
#define rto_cswitch_wake(...) ((void)0)
#define rto_cswitch_isr_enter(...) ((void)0)
#define rto_cswitch_isr_exit(...) ((void)0)
#define rto_cswitch_interrupts_disabled(...) ((void)0)
#define rto_cswitch_interrupts_restored(...) ((void)0)
#define rto_cswitch_ready(...) ((void)0)
#define rto_cswitch_wait(...) ((void)0)
#define rto_cswitch_marker_begin(...) ((void)0)
#define rto_cswitch_marker_end(...) ((void)0)
#define rto_cswitch_marker(...) ((void)0)
#endif

#if !RTO_THREADX
#define rto_threadx_record_stack(...) ((void)0)
#define rto_threadx_enable(...) ((uint32_t)0)
#define rto_threadx_set_timer_mask(...) ((void)0)
#define rto_threadx_disable(...) ((uint32_t)0)
#define rto_threadx_event_filter(...) ((void)0)
#define rto_threadx_event_unfilter(...) ((void)0)
#define rto_threadx_buffer_full_notify(...) ((void)0)
#define rto_threadx_enter_thread(...) ((void)0)
#define rto_threadx_isr_enter(...) ((void)0)
#define rto_threadx_isr_exit(...) ((void)0)
#define rto_threadx_resume(...) ((void)0)
#define rto_threadx_suspend(...) ((void)0)
#define rto_threadx_write(...) ((void)0)
#define rto_threadx_user_event(...) ((uint32_t)0)
#define rto_threadx_format(...) ((void)0)
#define rto_threadx_register(...) ((uint32_t)0)
#define rto_threadx_register_thread(...) ((uint32_t)0)
#define rto_threadx_unregister(...) ((void)0)
#define rto_threadx_read(...) ((size_t)0)
#define rto_threadx_resend_objects(...) ((void)0)
#define rto_threadx_overwritten(...) ((uint64_t)0)
#define rto_threadx_insert(...) ((void)0)
#endif

#if !RTO_RKH
#define rto_rkh_receive(...) ((bool)false)
#define rto_rkh_start(...) ((bool)true)
#define rto_rkh_restart(...) ((void)0)
#define rto_rkh_stop(...) ((void)0)
#define rto_rkh_fwk_tcfg(...) ((void)0)
#define rto_rkh_fwk_tcfg_of(...) ((void)0)
#define rto_rkh_take(...) ((size_t)0)
#define rto_rkh_available(...) ((size_t)0)
#define rto_rkh_lost(...) ((uint32_t)0)
#define rto_rkh_filter(...) ((bool)true)
#define rto_rkh_record(...) ((bool)true)
#define rto_rkh_lose(...) ((void)0)
#define rto_rkh_append_memory(...) ((uint32_t)0)
#define rto_rkh_user_event(...) ((bool)true)
#define rto_rkh_own_record(...) ((bool)true)
#define rto_rkh_format(...) ((void)0)
#define rto_rkh_passes(...) ((bool)false)
#define rto_rkh_passes_object_and_signal(...) ((bool)false)
#define rto_rkh_records(...) ((bool)false)
#define rto_rkh_is_recording(...) ((bool)false)
#define rto_rkh_mp_init(...) ((void)0)
#define rto_rkh_mp_get(...) ((void)0)
#define rto_rkh_mp_put(...) ((void)0)
#define rto_rkh_que_init(...) ((void)0)
#define rto_rkh_que_get(...) ((void)0)
#define rto_rkh_que_fifo(...) ((void)0)
#define rto_rkh_que_lifo(...) ((void)0)
#define rto_rkh_que_full(...) ((void)0)
#define rto_rkh_que_dpt(...) ((void)0)
#define rto_rkh_que_get_last(...) ((void)0)
#define rto_rkh_sma_act(...) ((void)0)
#define rto_rkh_sma_term(...) ((void)0)
#define rto_rkh_sma_get(...) ((void)0)
#define rto_rkh_sma_fifo(...) ((void)0)
#define rto_rkh_sma_lifo(...) ((void)0)
#define rto_rkh_sma_reg(...) ((void)0)
#define rto_rkh_sma_unreg(...) ((void)0)
#define rto_rkh_sma_defer(...) ((void)0)
#define rto_rkh_sma_rcall(...) ((void)0)
#define rto_rkh_sm_init(...) ((void)0)
#define rto_rkh_sm_clrh(...) ((void)0)
#define rto_rkh_sm_trn(...) ((void)0)
#define rto_rkh_sm_state(...) ((void)0)
#define rto_rkh_sm_enstate(...) ((void)0)
#define rto_rkh_sm_exstate(...) ((void)0)
#define rto_rkh_sm_nenex(...) ((void)0)
#define rto_rkh_sm_ntrnact(...) ((void)0)
#define rto_rkh_sm_ts_state(...) ((void)0)
#define rto_rkh_sm_evt_proc(...) ((void)0)
#define rto_rkh_sm_evt_nfound(...) ((void)0)
#define rto_rkh_sm_grd_false(...) ((void)0)
#define rto_rkh_sm_cnd_nfound(...) ((void)0)
#define rto_rkh_sm_unkn_state(...) ((void)0)
#define rto_rkh_sm_ex_hlevel(...) ((void)0)
#define rto_rkh_sm_ex_tseg(...) ((void)0)
#define rto_rkh_sm_exe_act(...) ((void)0)
#define rto_rkh_sm_dch(...) ((void)0)
#define rto_rkh_tmr_init(...) ((void)0)
#define rto_rkh_tmr_start(...) ((void)0)
#define rto_rkh_tmr_stop(...) ((void)0)
#define rto_rkh_tmr_tout(...) ((void)0)
#define rto_rkh_tmr_rem(...) ((void)0)
#define rto_rkh_fwk_en(...) ((void)0)
#define rto_rkh_fwk_ex(...) ((void)0)
#define rto_rkh_fwk_epreg(...) ((void)0)
#define rto_rkh_fwk_ae(...) ((void)0)
#define rto_rkh_fwk_gc(...) ((void)0)
#define rto_rkh_fwk_gcr(...) ((void)0)
#define rto_rkh_fwk_obj(...) ((void)0)
#define rto_rkh_fwk_sig(...) ((void)0)
#define rto_rkh_fwk_fun(...) ((void)0)
#define rto_rkh_fwk_exe_fun(...) ((void)0)
#define rto_rkh_fwk_sync_evt(...) ((void)0)
#define rto_rkh_fwk_tusr(...) ((bool)true)
#define rto_rkh_fwk_assert(...) ((void)0)
#define rto_rkh_fwk_ao(...) ((void)0)
#define rto_rkh_fwk_state(...) ((void)0)
#define rto_rkh_fwk_pstate(...) ((void)0)
#define rto_rkh_fwk_timer(...) ((void)0)
#define rto_rkh_fwk_epool(...) ((void)0)
#define rto_rkh_fwk_queue(...) ((void)0)
#define rto_rkh_fwk_actor(...) ((void)0)
#define rto_rkh_ut_init(...) ((void)0)
#define rto_rkh_ut_cleanup(...) ((void)0)
#define rto_rkh_ut_verify(...) ((void)0)
#define rto_rkh_ut_ignore_group(...) ((void)0)
#define rto_rkh_ut_expect_anyargs(...) ((bool)true)
#define rto_rkh_ut_ignore(...) ((bool)true)
#define rto_rkh_ut_ignore_arg(...) ((bool)true)
#endif

#endif
