//! Who executed, who waited for whom and for how long, and what went wrong.
//!
//! A [`Schedule`] is one pass over a trace, and so is what became of its
//! [`ActiveObjects`] objects; every report is a fold over the three. Nothing here knows
//! a format: what events mean to a scheduler and to state machines is said by
//! an [`Interpret`](rtoscope_trace::Interpret) of the decoder.

#![forbid(unsafe_code)]

pub mod active;
mod analysis;
pub mod event_counts;
mod event_time;
pub mod expect;
#[cfg(test)]
mod fixture;
pub mod levels;
pub mod naming;
pub mod report;
pub mod schedule;

pub use active::ActiveObjects;
pub use analysis::Analysis;
pub use event_counts::EventCounts;
pub use levels::Levels;
pub use report::{Scope, View};
pub use schedule::{Schedule, ScheduleBuilder};
