//! What the commands of rtoscope share, those of `rtoscope` and of
//! `rtoscope-sql`: how their arguments name recordings and parts of them, and
//! how they write what comes out.

#![forbid(unsafe_code)]

mod ending;
pub mod export;
pub mod input;
mod opened;
pub mod output;
pub mod progress;
pub mod query;
pub mod scope;
pub mod signals;
mod usage;

pub use ending::{end, is_broken_pipe};
pub use opened::Opened;
pub use usage::parse;
