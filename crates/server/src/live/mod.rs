//! Live traces.
//!
//! ```text
//! feed ──builder──▶ snapshots ──query──▶ responses
//!           ▲            ▲
//!        viewers       leases
//! ```
//!
//! Viewers see snapshots: the last events at one moment, analysed. A thread per trace
//! builds one after the other while a viewer follows; a paused viewer holds one with a
//! lease.

mod feed;
mod followed_window;
#[expect(clippy::module_inception, reason = "the subject of the folder")]
mod live;
mod poll;
mod snapshot;
mod snapshot_builder;
mod snapshot_sizer;
mod snapshot_store;
mod status;
mod viewers;

pub use feed::{LiveFeed, OlderEventsError};
pub(crate) use live::LiveTrace;
pub use live::LiveTraceOptions;
pub(crate) use poll::PollRequest;
