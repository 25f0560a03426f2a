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

mod audience;
mod builder;
mod edition;
mod editions;
mod feed;
#[expect(clippy::module_inception, reason = "the subject of the folder")]
mod live;
mod pace;
mod poll;
mod status;

pub use feed::{Feed, OlderProblem};
pub use live::LiveSettings;
pub(crate) use live::LiveTrace;
pub(crate) use poll::Poll;
