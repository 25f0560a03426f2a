//! Recordings on disk: the bytes as they came, and when.
//!
//! ```text
//! folder/rtoscope.json     the source, when it was begun
//!        rtoscope.loss     how many bytes are missing at the end, and why
//!        000001.bin        the first segment: bytes, exactly as they came
//!        000001.index      which of them came when, where the connection broke
//!        000002.preface    what has to be known to begin with a later segment
//!        ...
//! ```
//!
//! Each write goes to the system at once, so that it survives the process; a
//! thread of its own brings it to the disk, so that it survives the machine.

mod entry;
mod error;
mod folder;
mod index;
mod item;
mod loss_record;
mod manifest;
mod recorder;
#[expect(clippy::module_inception, reason = "the subject of the folder")]
mod recording;
mod retention;
mod segment;
mod segment_metadata;
mod segment_reader;
mod sync;

pub use error::{RecordingError, RecordingProblem};
pub use item::RecordingItem;
pub use manifest::Manifest;
pub use recorder::{Recorder, RecorderOptions, RecordingSummary};
pub use recording::{Recording, Segment};
pub use retention::SegmentRetention;
