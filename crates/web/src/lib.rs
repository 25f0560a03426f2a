//! The session of a recording for a page without a server. It opens the files that the user gives
//! to the page, as the command opens those on disk, and answers the requests that the server
//! answers.
//!
//! One instance holds one recording: the page runs it in a worker of its own, and closing the
//! recording gives all of its memory back.

#[cfg(target_family = "wasm")]
mod exports;
mod open;
mod reply;

pub use open::{OpenRecording, OpenRequest, open};
pub use reply::Reply;
