//! A live recording of a stream that a test sends.

use rtoscope_capture::{CaptureStatus, SourceState};
use rtoscope_decode::live::{EventWindow, HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::{DecodeError, DecodeOptions, DecodedRecording, Format};
use rtoscope_server::{LiveFeed, OlderEventsError};
use rtoscope_trace::TraceOrigin;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// A feed that decodes what a test sends.
#[derive(Clone)]
pub(crate) struct StreamFeed(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    decoder: LiveDecoder,
    status: CaptureStatus,
}

impl StreamFeed {
    /// A feed of a stream that has not begun.
    pub(crate) fn new(format: Format) -> Self {
        let decoder = LiveDecoder::new(LiveOptions {
            options: DecodeOptions::default(),
            format: Some(format),
            max_events: u64::MAX,
        });
        let status = CaptureStatus {
            version: 1,
            format: Some(format),
            connection: SourceState::Connected("a test".to_owned()),
            bytes: 0,
            refused_connections: 0,
            other_data: None,
            tally: decoder.stats(),
            bytes_per_second: 0.0,
            events_per_second: 0.0,
            newest_received: Some(HostTime(0)),
            queued_bytes: 0,
            undecoded_bytes: 0,
            saved: None,
            decode_error: None,
        };
        Self(Arc::new(Inner {
            state: Mutex::new(State { decoder, status }),
            changed: Condvar::new(),
        }))
    }

    /// Sends bytes. Returns the number of events so far.
    pub(crate) fn send(&self, bytes: &[u8]) -> u64 {
        let mut state = self.0.state.lock().unwrap();
        state.decoder.push(bytes, HostTime(0));
        state.decoder.next_update().unwrap();
        state.status.tally = state.decoder.stats();
        state.status.version += 1;
        self.0.changed.notify_all();
        state.status.tally.events
    }

    /// Decodes the events from one on.
    pub(crate) fn decode_from(&self, base: TraceOrigin) -> DecodedRecording {
        let state = self.0.state.lock().unwrap();
        state.decoder.window_from(base).unwrap().decode().unwrap()
    }

    fn decode(
        &self,
        window: impl FnOnce(&LiveDecoder) -> Option<EventWindow>,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        let window = window(&self.0.state.lock().unwrap().decoder);
        let recording = window.map(EventWindow::decode).transpose()?;
        Ok(recording.map(|recording| (recording, HostTime(0))))
    }
}

impl LiveFeed for StreamFeed {
    fn status(&self) -> CaptureStatus {
        self.0.state.lock().unwrap().status.clone()
    }

    fn wait(&self, version: u64, timeout: Duration) -> CaptureStatus {
        let state = self.0.state.lock().unwrap();
        let is_same = |state: &mut State| state.status.version == version;
        let waited = self.0.changed.wait_timeout_while(state, timeout, is_same);
        waited.unwrap().0.status.clone()
    }

    fn last_events(
        &self,
        events: u64,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        self.decode(|decoder| decoder.window(events))
    }

    fn events_from(
        &self,
        base: TraceOrigin,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        self.decode(|decoder| decoder.window_from(base))
    }

    fn older_events(&self, _: u64, _: u64) -> Result<Option<DecodedRecording>, OlderEventsError> {
        Ok(None)
    }
}
