//! The ThreadX event trace buffer (TXTB), written by any kernel, or by a program without
//! a kernel.
//!
//! A [`ThreadXRecorder`] does the same as ThreadX with `TX_ENABLE_EVENT_TRACE`, including
//! the layout of its memory, so that every tool for such traces can read it: a debugger's
//! memory dump is a trace at any time. The header's pointer to the oldest event is
//! correct after every event. If the target is halted while an event is recorded, that
//! event is half written, as in ThreadX.
//!
//! # The running context
//! Every event contains the running context. ThreadX gets it from its scheduler at each
//! event. This recorder needs a call when it changes:
//! [`enter_thread`](ThreadXRecorder::enter_thread) and
//! [`enter_idle`](ThreadXRecorder::enter_idle) where the scheduler dispatches (also when
//! the priority of the running thread changes), and in handlers
//! [`isr_enter`](ThreadXRecorder::isr_enter) and [`isr_exit`](ThreadXRecorder::isr_exit),
//! or without events [`enter_interrupt`](ThreadXRecorder::enter_interrupt) and
//! [`leave_interrupt`](ThreadXRecorder::leave_interrupt). Until the first thread or idle,
//! the context is initialisation.
//!
//! # Context switches
//! The format has no event for context switches. Readers derive them from these events:
//!
//! 1. The running thread stops being ready: call [`suspend`](ThreadXRecorder::suspend)
//!    with its new state while it still runs; after the scheduler's decision, call
//!    [`complete_field`](ThreadXRecorder::complete_field) with the next thread, or 0 for
//!    none; then `enter_thread` or `enter_idle`.
//! 2. A thread becomes ready: call [`resume`](ThreadXRecorder::resume) with its previous
//!    state, in the context that resumes it, and `complete_field` with the ready thread of
//!    the highest priority. In an interrupt, the switch follows at the end of the outermost
//!    handler; in a thread, immediately.
//! 3. The running thread stays ready and gives way: call
//!    [`time_slice`](ThreadXRecorder::time_slice) in the interrupt that ends its time slice,
//!    [`thread_relinquish`](ThreadXRecorder::thread_relinquish) for its own call.
//! 4. The priority of a ready thread changes: call `suspend` and `resume` with
//!    [`ThreadState::PRIORITY_CHANGE`]; readers do not count these as switches.
//! 5. For a kernel that reports only switches, or a switch with none of these causes:
//!    call [`dispatch`](ThreadXRecorder::dispatch) instead of `enter_thread`. It costs an
//!    event and records when a thread starts running, not why.
//!
//! If the fields of `suspend` and `resume` are not completed, readers take the next
//! thread from the first event in its context.
//!
//! # Cost
//! Instructions on Armv7-M with interrupts masked by `PRIMASK` and `opt-level = "z"`: 28
//! to write an event, and 4 at each call for the test whether the event is recorded; a
//! filtered event costs only these. The words of the context are prepared when it
//! changes, not at each event.
//!
//! # Why there is no variant without a mask
//! Claiming an entry moves the header's pointer, one word, which needs no mask. Writing
//! the entry does. A thread that is preempted between its claim and its last word can be
//! overtaken by a whole lap, because threads of low priority wait as long as those of
//! higher priority run. Its late words would tear a newer event, or remain as an old
//! event among newer ones. Only a mark in every entry, which its writer acquires and
//! releases, could prevent this: two more atomic exchanges per event, and a lost event
//! whenever two writers collide. In addition, the application would read a full ring with
//! unfinished entries. Instead, the recorder holds the mask for about 20 instructions. A
//! recorder knows one running thread: several cores use one recorder each.
//!
//! # Sending the trace while it records
//! [`read_new`](ThreadXRecorder::read_new) returns what is new as a packet, to be sent in
//! any way. It costs the records nothing: the position of an entry is the ring's lap, which
//! the recorder counts when it fills the ring, and its slot.
//!
//! # Differences from ThreadX
//! - A pending field is only written to its own event. ThreadX compares the timestamp
//!   instead, and overwrites a field of another event if its own was filtered.
//! - All memory is set to 0 first, including the bytes after the end of a name.
//! - Unregistering marks all entries of a living object, not the first entry that ever
//!   had its address. A slot counts as free only if it is.
//! - Nothing is recorded while the application reads a full buffer.
//! - Only the calls that record a stack pointer in ThreadX do so: it is the recorder's
//!   own stack pointer at that time.

mod context;
mod control;
mod cursor;
mod dispatch;
mod event_list;
mod events;
mod full_buffer;
mod groups;
mod insert;
mod memory;
mod new_entries;
mod objects;
mod record_stack;
mod recorder;
mod registry;
mod stack;
mod state;
mod status;
mod word_width;

pub use context::Thread;
pub use cursor::TraceCursor;
pub use events::{ISR_ENTER, ISR_EXIT, RUNNING};
pub use full_buffer::FullBuffer;
pub use groups::EventGroups;
pub use insert::PendingField;
pub(crate) use memory::check_and_end;
pub use memory::{TraceMemory, buffer_words};
pub use new_entries::MIN_READ_BYTES;
pub use recorder::ThreadXRecorder;
pub use rtoscope_wire::threadx::{FIRST_USER_EVENT, LAST_USER_EVENT, ObjectType};
pub use state::{NO_WAIT, ThreadState, WAIT_FOREVER};
pub use status::TraceStatus;
pub use word_width::{InfoField, Ulong, WordWidth};

#[cfg(all(test, not(loom)))]
mod tests;
