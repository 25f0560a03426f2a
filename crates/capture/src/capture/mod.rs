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

mod decoder;
mod host_clock;
mod older;
mod queue;
mod rates;
mod reader;
mod shared;
mod watch;

pub use host_clock::HostClock;
pub use older::OlderError;
pub use watch::Watch;

use crate::{Connection, Recorder, Source, Status};
use queue::Queue;
use rtoscope_decode::live::{News, Settings};
use shared::Shared;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// How to capture.
pub struct CaptureSettings {
    /// How what comes is decoded.
    pub live: Settings,
    /// Where it is saved, if it is.
    pub recorder: Option<Recorder>,
}

/// What a capture tells, in the order in which it happened.
#[derive(Debug)]
pub enum Told<'a> {
    /// Events came.
    News(&'a News),
    /// The target is there, or is not.
    Connection(&'a Connection),
    /// Something that the user should know.
    Remark(&'a str),
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The capture goes on.
    GoOn,
    /// It ends here.
    Stop,
}

/// A capture under way. It ends when this is dropped.
pub struct Capture {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Capture {
    /// Starts taking what comes from a source. `listen` is told everything once,
    /// in a thread of its own; while it takes its time, nothing is decoded, but
    /// what comes is still saved.
    pub fn start(
        source: Box<dyn Source>,
        settings: CaptureSettings,
        listen: impl FnMut(Told<'_>) -> Flow + Send + 'static,
    ) -> Self {
        let CaptureSettings { live, recorder } = settings;
        let shared = Arc::new(Shared::new(live, recorder.as_ref()));
        let queue = Arc::new(Queue::new(recorder.is_some()));
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
    pub fn watch(&self) -> Watch {
        Watch::new(Arc::clone(&self.shared))
    }

    /// Ends it, when all that came is decoded or the time of
    /// [`Watch::stop_within`] is over, and says how it stands then.
    pub fn stop(mut self) -> Status {
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
