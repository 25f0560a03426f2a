//! Sends recordings as a target would.
//!
//! ```text
//! recording of a capture ─┐
//! file ──chunks──────────▶ script ──speed──▶ receiver: socket, file, standard output
//! ```

mod chunks;
mod error;
mod play;
mod receiver;
mod script;
mod speed;

pub use chunks::TimedChunks;
pub use error::ReplayError;
pub use play::{ReplayEvent, ReplayOptions, ReplaySummary, play};
pub use receiver::ReplayReceiver;
pub use script::ReplayScript;
pub use speed::ReplaySpeed;
