//! What all requests share.

use crate::body::Budget;
use crate::guard::Guard;
use crate::traces::Traces;
use crate::work::Work;
use rtoscope_decode::Options;
use tokio::sync::watch;

pub(crate) struct State {
    pub(crate) traces: Traces,
    pub(crate) work: Work,
    pub(crate) guard: Guard,
    /// Memory for questions and commands.
    pub(crate) bodies: Budget,
    /// Memory for uploads.
    pub(crate) uploads: Budget,
    /// In bytes.
    pub(crate) max_upload: u64,
    pub(crate) options: Options,
    /// Another text for each run of the program, so that a page notices a restart.
    pub(crate) instance: String,
    /// Whether the server is about to end, for those who wait.
    pub(crate) ending: watch::Sender<bool>,
}
