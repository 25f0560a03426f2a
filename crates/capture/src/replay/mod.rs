//! Plays what was recorded, as a target would send it.
//!
//! ```text
//! recording of a capture ─┐
//! file ──pieces──────────▶ script ──pace──▶ receiver: socket, file, standard output
//! ```

mod chunks;
mod containers;
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
