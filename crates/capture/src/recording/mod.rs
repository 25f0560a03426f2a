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
mod facts;
mod folder;
mod index;
mod keeper;
mod loss;
mod part;
mod preface;
mod read;
mod recorder;
#[expect(clippy::module_inception, reason = "the subject of the folder")]
mod recording;
mod segment;
mod sync;

pub use error::{Problem, RecordingError};
pub use facts::Facts;
pub use keeper::Keeper;
pub use part::Part;
pub use recorder::{Finished, Recorder, RecordingSettings};
pub use recording::{Recording, Segment};
