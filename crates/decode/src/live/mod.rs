//! Recordings decoded as they come.
//!
//! ```text
//! bytes ──push──▶ stream of a format ──advance──▶ what is new
//!                                    └──cut─────▶ the last of it, decoded elsewhere
//! ```
//!
//! A stream of RKH comes frame by frame; the others as whole buffers, one after
//! the other, which are stitched by their overlap. What goes missing on the way
//! is a [`Gap`](rtoscope_trace::Gap).

mod checkpoints;
mod detect;
mod format_decoder;
mod host_time;
mod live_decoder;
mod missed_wraps;

pub use checkpoints::Checkpoint;
pub use format_decoder::LiveStats;
pub use host_time::HostTime;
pub use live_decoder::{EventWindow, LiveDecoder, LiveOptions, LiveUpdate};

pub(crate) use format_decoder::{EventChunk, FormatDecoder, ResumePoint, ResumeState};
pub(crate) use missed_wraps::missed_wraps;
