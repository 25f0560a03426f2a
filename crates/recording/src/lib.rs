//! Recordings on disk: the received bytes and their times of arrival.
//!
//! ```text
//! folder/rtoscope.json     source and start time
//!        rtoscope.loss     how many bytes are missing at the end, and why
//!        000001.bin        the first segment: bytes, exactly as received
//!        000001.index      times of arrival, checksums, interruptions, and what was not read
//!        000002.preface    metadata needed to start at a later segment
//!        ...
//! ```
//!
//! Each write goes to the system at once, so that it survives the process; a separate
//! thread flushes it to disk, so that it survives a power failure.

#![forbid(unsafe_code)]

mod checksum;
mod damaged_block;
mod entry;
mod error;
mod folder;
mod index;
mod item;
mod loss_record;
mod manifest;
mod recorder;
mod recording;
mod retention;
mod segment;
mod segment_metadata;
mod segment_reader;
mod sync;
mod unread;

pub use damaged_block::DamagedBlock;
pub use error::{RecordingError, RecordingProblem};
pub use item::RecordingItem;
pub use manifest::Manifest;
pub use recorder::{Recorder, RecorderOptions, RecordingSummary};
pub use recording::Recording;
pub use retention::SegmentRetention;
pub use segment_reader::Segment;
pub use unread::Unread;
