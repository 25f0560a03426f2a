//! The ThreadX event trace buffer (TXTB), written by any kernel, or by a
//! program without one.
//!
//! A [`ThreadxRecorder`] does what ThreadX does with `TX_ENABLE_EVENT_TRACE`, down to
//! the layout of its memory, so that every tool for such traces reads it: a
//! debugger's dump of the memory is a trace at any moment. Its header's pointer
//! to the oldest event is right after every event; a target that is halted
//! inside the recording of one shows that one half written, as with ThreadX.
//!
//! # In whose name
//! Events are recorded in the name of what runs. ThreadX asks its scheduler at
//! every event; a recorder is told when that changes: by
//! [`enter_thread`](ThreadxRecorder::enter_thread) and
//! [`enter_idle`](ThreadxRecorder::enter_idle) where the scheduler dispatches (also
//! when the priority of the running thread changes), by
//! [`isr_enter`](ThreadxRecorder::isr_enter) and [`isr_exit`](ThreadxRecorder::isr_exit), or
//! without events by [`enter_interrupt`](ThreadxRecorder::enter_interrupt) and
//! [`leave_interrupt`](ThreadxRecorder::leave_interrupt), in handlers. Until the first
//! of the former the program initialises itself.
//!
//! # Context switches
//! The format has no event for them. What readers go by:
//!
//! 1. The running thread stops being ready:
//!    [`suspend`](ThreadxRecorder::suspend) with its new state while it still runs;
//!    once the scheduler has chosen, [`complete`](ThreadxRecorder::complete) with the
//!    next thread, or 0 for none; then `enter_thread` or `enter_idle`.
//! 2. A thread becomes ready: [`resume`](ThreadxRecorder::resume) with the state it was
//!    in, in whoever's name does it, and `complete` with the highest thread
//!    that is ready now. In an interrupt the switch follows when the outermost
//!    ends, in a thread at once.
//! 3. The running thread stays ready and gives way:
//!    [`time_slice`](ThreadxRecorder::time_slice) in the interrupt that ends its time,
//!    [`thread_relinquish`](ThreadxRecorder::thread_relinquish) for its own call.
//! 4. A change of priority of a thread that is ready: `suspend` and `resume`
//!    with [`ThreadState::PRIORITY_CHANGE`]; nobody takes these for a switch.
//! 5. A kernel that only tells that it switches, or a switch for none of these
//!    reasons: [`dispatch`](ThreadxRecorder::dispatch) in place of `enter_thread`. It
//!    costs an event, and says when a thread began to run, not why.
//!
//! Where `suspend` and `resume` are not completed readers find the next thread
//! by the first event in its name.
//!
//! # What it costs
//! Measured as instructions on Armv7-M with interrupts masked by `PRIMASK` and
//! `opt-level = "z"`: 28 to write an event, and 4 at its place for the test
//! whether it is recorded, which is all there is if it is not. The context's
//! words are made ready when it changes, not at every event.
//!
//! # Why there is no variant without a mask
//! The ring is claimed by moving the header's pointer, one word, which needs no
//! mask. What follows does. A thread that is preempted between its claim and
//! its last word can be overtaken by a whole lap, since low threads wait for as
//! long as higher ones please; its late words would tear a newer event, or
//! stand as an old one between newer. Only a mark in every entry that its owner
//! takes and gives back could prevent that: two more atomic exchanges an event,
//! and a hole in the ring, an event lost, whenever they meet. And the
//! application would be shown a full ring with entries still to be written. So
//! a recorder masks for about 20 instructions instead. A recorder knows one
//! running thread: several cores take one each.
//!
//! # What differs from ThreadX
//! - A field that comes late is only written into its own event. ThreadX goes by
//!   its stamp, and overwrites a foreign event's when the own was filtered out.
//! - All memory is set to 0 first, and what is behind a name's end.
//! - Unregistering marks all entries of a living object, not the first that
//!   ever had its address; a slot counts as free only if it is.
//! - Nothing is recorded while the application looks at a full buffer.
//! - No stack pointers but those of the calls that have one in ThreadX: the
//!   recorder's own at that time.

mod context;
mod control;
mod dispatch;
mod events;
mod full_buffer;
mod groups;
mod insert;
mod memory;
mod objects;
mod recorder;
mod registry;
mod stack;
mod state;
mod status;
mod word_width;

pub use context::Thread;
pub use events::{ISR_ENTER, ISR_EXIT, RUNNING};
pub use full_buffer::FullBuffer;
pub use groups::EventGroups;
pub use insert::PendingField;
pub use memory::{TraceMemory, buffer_words};
pub use recorder::ThreadxRecorder;
pub use rtoscope_wire::threadx::{FIRST_USER_EVENT, LAST_USER_EVENT, ObjectType};
pub use state::{NO_WAIT, ThreadState, WAIT_FOREVER};
pub use status::TraceStatus;
pub use word_width::{InfoField, Ulong, WordWidth};

#[cfg(test)]
mod tests;
