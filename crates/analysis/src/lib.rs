//! Who executed, who waited for whom and for how long, and what went wrong.
//!
//! A [`Schedule`] is one pass over a trace; every report is a fold over the
//! two. Nothing here knows a format: what events mean to a scheduler is said by
//! an [`Interpret`](rtoscope_trace::Interpret) of the decoder.

#![forbid(unsafe_code)]

mod analysis;
pub mod census;
#[cfg(test)]
mod fixture;
pub mod levels;
mod moment;
pub mod report;
pub mod schedule;

pub use analysis::Analysis;
pub use census::Census;
pub use levels::Levels;
pub use report::{Scope, View};
pub use schedule::{Builder, Schedule};
