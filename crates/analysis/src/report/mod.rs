//! What a trace tells, a module a report.
//!
//! Every report is a fold over the trace, the schedule, the active objects and
//! the census, all in a [`View`], and is plain data that serialises into its part of the JSON
//! document `rtoscope/report/1`.

pub mod active;
pub mod components;
pub mod cswitch;
pub mod findings;
pub mod health;
pub mod inversions;
pub mod isr;
pub mod latency;
pub mod load;
pub mod locks;
pub mod objects;
pub mod performance;
pub mod profile;
pub mod services;
pub mod signals;
pub mod stacks;
pub mod states;
pub mod threads;
pub mod timers;
pub mod transitions;

mod address;
mod distribution;
mod document;
mod kind;
mod round;
mod shares;
mod view;

pub use address::Hex;
pub use distribution::{Bin, Distribution, Samples, bins};
pub use document::{Document, Wish};
pub use kind::Kind;
pub use round::share_of_time;
pub use shares::{CoreShares, Shares};
pub use view::{Scope, View};
