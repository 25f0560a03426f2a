//! Captures in progress.
//!
//! ```text
//! reader: source ──▶ recorder
//!                └─▶ queue ──▶ decoder: Live ──▶ listener
//!                                         └────▶ CaptureWatch
//! ```
//!
//! The reader never waits for the others. If more waits for the decoder than the queue
//! holds, the decoder reads the rest from the recording on disk; without a recording, the
//! source has to wait.

mod capture_queue;
mod decoder;
mod event;
mod host_clock;
mod older_events;
mod rate_meter;
mod reader;
mod requests;
mod shared;
mod watch;

pub use event::{CaptureControl, CaptureEvent};
pub use host_clock::HostClock;
pub use older_events::OlderEventsError;
pub use requests::SendError;
pub use watch::CaptureWatch;

use crate::{CaptureStatus, Source};
use capture_queue::CaptureQueue;
use rtoscope_decode::live::LiveOptions;
use rtoscope_recording::Recorder;
use shared::CaptureState;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Received bytes that wait in memory for the decoder, unless options say otherwise.
pub const DEFAULT_MAX_QUEUED_BYTES: usize = 32 << 20;

/// Options of a capture.
pub struct CaptureOptions {
    /// Options for decoding.
    pub live_options: LiveOptions,
    /// The recorder, if the capture is saved.
    pub recorder: Option<Recorder>,
    /// Maximum number of received bytes that wait in memory for the decoder.
    pub max_queued_bytes: usize,
    /// What to send to the target each time it connects; empty for nothing.
    pub commands: Vec<u8>,
    /// Whether the source takes bytes for the target.
    pub is_writable: bool,
}

/// A capture in progress. It ends when this is dropped.
pub struct Capture {
    shared: Arc<CaptureState>,
    threads: Vec<JoinHandle<()>>,
}

impl Capture {
    /// Starts capturing from a source. `listener` is called once for each event, in a
    /// thread of its own. While it blocks, nothing is decoded, but received bytes are
    /// still saved.
    pub fn start(
        source: Box<dyn Source>,
        settings: CaptureOptions,
        listen: impl FnMut(CaptureEvent<'_>) -> CaptureControl + Send + 'static,
    ) -> Self {
        let CaptureOptions {
            live_options: live,
            recorder,
            max_queued_bytes,
            commands,
            is_writable,
        } = settings;
        let shared = Arc::new(CaptureState::new(live, recorder.as_ref(), is_writable));
        let queue = Arc::new(CaptureQueue::new(max_queued_bytes, recorder.is_some()));
        let reader = {
            let (shared, queue) = (Arc::clone(&shared), Arc::clone(&queue));
            thread::spawn(move || reader::run(source, recorder, &commands, &shared, &queue))
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

    /// A view of the capture for other threads.
    pub fn watch(&self) -> CaptureWatch {
        CaptureWatch::new(Arc::clone(&self.shared))
    }

    /// Stops the capture once all received bytes are decoded or the time of
    /// [`CaptureWatch::stop_within`] is over, and returns the final status.
    pub fn stop(mut self) -> CaptureStatus {
        self.end();
        self.shared.final_status()
    }

    fn end(&mut self) {
        self.shared.stop();
        for thread in self.threads.drain(..) {
            // A thread that panicked has printed its message.
            let _ = thread.join();
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.end();
    }
}
