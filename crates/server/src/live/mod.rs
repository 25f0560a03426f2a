//! Traces that are still recorded.
//!
//! ```text
//! feed ──builder──▶ editions ──ask──▶ answers
//!           ▲           ▲
//!       audience      leases
//! ```
//!
//! What viewers see is an edition: the last events at some moment, analysed. A
//! thread a trace makes one after the other while somebody follows; who pauses
//! holds one by a lease.

mod feed;
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
