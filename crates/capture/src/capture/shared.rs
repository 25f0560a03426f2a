//! State shared by the threads of a capture.

use super::rate_meter::RateMeter;
use super::requests::SendRequests;
use crate::status::{CaptureStatus, RecordingStatus};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_recording::{Recorder, SegmentRetention};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// State shared by the threads of a capture.
pub(super) struct CaptureState {
    pub(super) settings: LiveOptions,
    /// The folder of the recording, if there is one.
    pub(super) folder: Option<PathBuf>,
    /// The retention of its segments.
    pub(super) retention: Option<Arc<SegmentRetention>>,
    /// Whether the source takes bytes for the target.
    pub(super) is_writable: bool,
    /// Bytes to send to the target.
    pub(super) requests: SendRequests,
    decoder_state: Mutex<DecoderState>,
    status_state: Mutex<StatusState>,
    changed: Condvar,
    /// [`RUNNING`], or how the capture is to end.
    stop: AtomicU8,
    has_read: AtomicBool,
    /// When decoding stops, whatever is queued.
    deadline: Mutex<Option<Instant>>,
    /// Number of decoded bytes, once the decoder has ended.
    decoded: AtomicU64,
}

const RUNNING: u8 = 0;
const STOP_AFTER_SENT: u8 = 1;
const STOP_AT_ONCE: u8 = 2;

/// State of the decoder.
pub(super) struct DecoderState {
    pub(super) live: LiveDecoder,
    /// When the newest decoded bytes arrived.
    pub(super) newest_received: Option<HostTime>,
}

struct StatusState {
    status: CaptureStatus,
    rates: RateMeter,
}

impl CaptureState {
    pub(super) fn new(
        settings: LiveOptions,
        recorder: Option<&Recorder>,
        is_writable: bool,
    ) -> Self {
        let folder = recorder.map(|recorder| recorder.folder().to_owned());
        let saved = folder.clone().map(|folder| RecordingStatus {
            folder,
            ..RecordingStatus::default()
        });
        Self {
            decoder_state: Mutex::new(DecoderState {
                live: LiveDecoder::new(settings.clone()),
                newest_received: None,
            }),
            settings,
            is_writable,
            requests: SendRequests::new(),
            folder,
            retention: recorder.map(Recorder::keeper),
            status_state: Mutex::new(StatusState {
                status: CaptureStatus {
                    saved,
                    ..CaptureStatus::default()
                },
                rates: RateMeter::default(),
            }),
            changed: Condvar::new(),
            stop: AtomicU8::new(RUNNING),
            has_read: AtomicBool::new(false),
            deadline: Mutex::default(),
            decoded: AtomicU64::new(0),
        }
    }

    pub(super) fn decoder_state(&self) -> MutexGuard<'_, DecoderState> {
        self.decoder_state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn status(&self) -> CaptureStatus {
        self.status_state().status.clone()
    }

    /// Waits until the status differs from `version`.
    pub(super) fn wait(&self, version: u64, most: Duration) -> CaptureStatus {
        let same = |standing: &mut StatusState| standing.status.version == version;
        let waited = self
            .changed
            .wait_timeout_while(self.status_state(), most, same);
        let (standing, _) = waited.unwrap_or_else(PoisonError::into_inner);
        standing.status.clone()
    }

    /// Changes the status and its version.
    pub(super) fn update(&self, change: impl FnOnce(&mut CaptureStatus)) {
        let mut standing = self.status_state();
        change(&mut standing.status);
        standing.status.version += 1;
        drop(standing);
        self.changed.notify_all();
    }

    /// Updates the rates, and the status if they changed.
    pub(super) fn update_rates(&self) {
        let mut standing = self.status_state();
        let StatusState { status, rates } = &mut *standing;
        rates.sample(Instant::now(), [status.bytes, status.tally.events]);
        let [bytes, events] = rates.per_second();
        if [bytes, events] != [status.bytes_per_second, status.events_per_second] {
            status.bytes_per_second = bytes;
            status.events_per_second = events;
            status.version += 1;
            drop(standing);
            self.changed.notify_all();
        }
    }

    /// Requests the end of the capture, after what the target has sent until now.
    pub(super) fn stop(&self) {
        self.request_stop(STOP_AFTER_SENT);
    }

    /// Requests the end of the capture, whatever the target has sent.
    pub(super) fn stop_at_once(&self) {
        self.request_stop(STOP_AT_ONCE);
    }

    fn request_stop(&self, stop: u8) {
        // The first request counts.
        let order = Ordering::Relaxed;
        let _ = self.stop.compare_exchange(RUNNING, stop, order, order);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != RUNNING
    }

    /// Whether what the target has sent until the end is wanted.
    pub(super) fn wants_sent(&self) -> bool {
        self.stop.load(Ordering::Relaxed) == STOP_AFTER_SENT
    }

    /// Requests the end of the capture, and of decoding after a time.
    pub(super) fn stop_within(&self, time: Duration) {
        self.stop();
        let mut deadline = self.deadline();
        deadline.get_or_insert_with(|| Instant::now() + time);
    }

    /// Whether the time for decoding is over.
    pub(super) fn is_overdue(&self) -> bool {
        // Most captures have no deadline.
        self.is_stopped() && self.deadline().is_some_and(|it| Instant::now() >= it)
    }

    /// The decoder has ended after `decoded` bytes.
    pub(super) fn end_decoding(&self, decoded: u64) {
        self.decoded.store(decoded, Ordering::Release);
    }

    /// The status after all threads have ended.
    pub(super) fn final_status(&self) -> CaptureStatus {
        let mut status = self.status();
        let decoded = self.decoded.load(Ordering::Acquire);
        status.undecoded_bytes = status.bytes.saturating_sub(decoded);
        status
    }

    /// The source is no longer read, and received bytes are safe.
    pub(super) fn end_reading(&self) {
        self.has_read.store(true, Ordering::Release);
    }

    pub(super) fn has_read(&self) -> bool {
        self.has_read.load(Ordering::Acquire)
    }

    fn deadline(&self) -> MutexGuard<'_, Option<Instant>> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status_state(&self) -> MutexGuard<'_, StatusState> {
        self.status_state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
