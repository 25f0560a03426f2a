//! A capture under way.
//!
//! ```text
//! reader: source ──▶ recorder
//!                └─▶ queue ──▶ decoder: Live ──▶ listener
//!                                         └────▶ Watch
//! ```
//!
//! The reader takes what comes, whatever the others do. When the decoder falls
//! behind by more than the queue holds, it reads from the recording on disk what
//! did not fit; without a recording the source has to wait.

mod capture_queue;
mod decoder;
mod host_clock;
mod older_events;
mod rate_meter;
mod reader;
mod shared;
mod watch;

pub use host_clock::HostClock;
pub use older_events::OlderEventsError;
pub use watch::CaptureWatch;

use crate::{CaptureStatus, Recorder, Source, SourceState};
use capture_queue::CaptureQueue;
use rtoscope_decode::live::{LiveOptions, LiveUpdate};
use shared::CaptureState;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// How to capture.
pub struct CaptureOptions {
    /// How what comes is decoded.
    pub live_options: LiveOptions,
    /// Where it is saved, if it is.
    pub recorder: Option<Recorder>,
}

/// What a capture tells, in the order in which it happened.
#[derive(Debug)]
pub enum CaptureEvent<'a> {
    /// Events came.
    News(&'a LiveUpdate),
    /// The target is there, or is not.
    Connection(&'a SourceState),
    /// Something that the user should know.
    Message(&'a str),
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureControl {
    /// The capture goes on.
    Continue,
    /// It ends here.
    Stop,
}

/// A capture under way. It ends when this is dropped.
pub struct Capture {
    shared: Arc<CaptureState>,
    threads: Vec<JoinHandle<()>>,
}

impl Capture {
    /// Starts taking what comes from a source. `listen` is told everything once,
    /// in a thread of its own; while it takes its time, nothing is decoded, but
    /// what comes is still saved.
    pub fn start(
        source: Box<dyn Source>,
        settings: CaptureOptions,
        listen: impl FnMut(CaptureEvent<'_>) -> CaptureControl + Send + 'static,
    ) -> Self {
        let CaptureOptions {
            live_options: live,
            recorder,
        } = settings;
        let shared = Arc::new(CaptureState::new(live, recorder.as_ref()));
        let queue = Arc::new(CaptureQueue::new(recorder.is_some()));
        let reader = {
            let (shared, queue) = (Arc::clone(&shared), Arc::clone(&queue));
            thread::spawn(move || reader::run(source, recorder, &shared, &queue))
        };
        let decoder = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || decoder::run(&shared, &queue, listen))
        };
        Self {
            shared,
            threads: vec![reader, decoder],
        }
    }

    /// Lets others see it.
    pub fn watch(&self) -> CaptureWatch {
        CaptureWatch::new(Arc::clone(&self.shared))
    }

    /// Ends it, when all that came is decoded or the time of
    /// [`CaptureWatch::stop_within`] is over, and says how it stands then.
    pub fn stop(mut self) -> CaptureStatus {
        self.end();
        self.shared.final_status()
    }

    fn end(&mut self) {
        self.shared.stop();
        for thread in self.threads.drain(..) {
            // One that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.end();
    }
}
