//! Captures traces while they are recorded.
//!
//! ```text
//! target ──source──▶ bytes ──┬─▶ recording on disk
//!                            └─▶ Live ──▶ news, windows
//! ```
//!
//! An [`Address`] names a source, [`source::open`] opens it, [`Capture`] reads and
//! decodes it, and [`CaptureWatch`] shows it to other threads. [`replay::play`] sends a
//! recording as a target would.

#![forbid(unsafe_code)]

pub mod address;
mod capture;
mod error_chain;
pub mod replay;
pub mod source;
mod status;

pub use address::{Address, AddressError};
pub use capture::{
    Capture, CaptureControl, CaptureEvent, CaptureOptions, CaptureWatch, DEFAULT_MAX_QUEUED_BYTES,
    HostClock, OlderEventsError, SendError,
};
pub use error_chain::error_chain;
pub use rtoscope_recording::Unread;
pub use source::{Source, SourceError, SourceEvent, SourceOptions};
pub use status::{CaptureStatus, RecordingStatus, SourceState};
