//! Plays what was recorded, as a target would send it.
//!
//! ```text
//! recording of a capture ─┐
//! file ──pieces──────────▶ script ──pace──▶ receiver: socket, file, standard output
//! ```

mod containers;
mod error;
mod pieces;
mod play;
mod receiver;
mod script;
mod speed;

pub use error::ReplayError;
pub use pieces::Pieces;
pub use play::{Sent, Told, Wish, play};
pub use receiver::Receiver;
pub use script::Script;
pub use speed::Speed;
