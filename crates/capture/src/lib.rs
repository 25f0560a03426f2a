//! Captures traces while they are recorded.
//!
//! ```text
//! target ──source──▶ bytes ──┬─▶ recording on disk
//!                            └─▶ Live ──▶ news, cuts
//! ```
//!
//! [`Address`] says where a trace comes from, [`source::open`] goes there,
//! [`Capture`] takes what comes, [`Watch`] lets others see it. [`replay::play`]
//! sends what was recorded, as a target would.

#![forbid(unsafe_code)]

pub mod address;
mod capture;
pub mod recording;
pub mod replay;
mod sentence;
pub mod source;
mod status;

pub use address::{Address, AddressError};
pub use capture::{Capture, CaptureSettings, Flow, HostClock, OlderError, Told, Watch};
pub use recording::{Recorder, Recording};
pub use sentence::sentence;
pub use source::{Happened, Source, SourceError, SourceSettings};
pub use status::{Connection, Saved, Status};
