//! Decodes recordings while their bytes arrive.
//!
//! ```text
//! bytes ──push──▶ FormatDecoder ──next_update──▶ new events
//!                               └──window──────▶ the last events, decoded elsewhere
//! ```
//!
//! An RKH stream arrives frame by frame, and packets of a ThreadX trace contain only new
//! entries. Otherwise whole buffers arrive, one after the other, which are stitched by their
//! overlap. Lost data becomes a [`Gap`](rtoscope_trace::Gap).

mod checkpoints;
mod event_store;
mod format_decoder;
mod host_time;
mod live_decoder;
mod no_live_stream;
mod sent_input;

pub use checkpoints::Checkpoint;
pub use format_decoder::LiveStats;
pub use host_time::HostTime;
pub use live_decoder::{EventWindow, LiveDecoder, LiveOptions, LiveUpdate};

pub(crate) use event_store::{EventLayout, EventSlice, EventStore};
pub(crate) use format_decoder::{EventChunk, FormatDecoder, ResumePoint, ResumeState};
pub(crate) use host_time::missed_wraps;
pub(crate) use no_live_stream::NoLiveStream;
pub(crate) use sent_input::decode_sent;
