//! State shared by all requests.

use crate::body::MemoryBudget;
use crate::guard::RequestGuard;
use crate::recent::RecentRecordings;
use crate::sql::{ProcessPool, SqlOptions};
use crate::traces::Traces;
use crate::work::WorkLimits;
use rtoscope_decode::DecodeOptions;
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockSource;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;

pub(crate) struct ServerState {
    pub(crate) traces: Arc<Traces>,
    pub(crate) work: WorkLimits,
    pub(crate) guard: RequestGuard,
    /// Memory for queries and commands.
    pub(crate) body_budget: MemoryBudget,
    /// Memory for uploads.
    pub(crate) upload_budget: MemoryBudget,
    /// In bytes.
    pub(crate) max_upload: u64,
    pub(crate) decode_options: DecodeOptions,
    pub(crate) given_clock: Option<(Frequency, ClockSource)>,
    pub(crate) sql: SqlOptions,
    pub(crate) sql_processes: ProcessPool,
    /// The recordings that were opened last, if the program keeps them.
    pub(crate) recent: OnceLock<Arc<dyn RecentRecordings>>,
    /// Differs for each run of the program, so that a page detects a restart.
    pub(crate) instance: String,
    /// Number of commands, so that a page detects changes by others.
    pub(crate) commands: AtomicU64,
    /// Set at shutdown, for waiting requests.
    pub(crate) shutdown: watch::Sender<bool>,
}
