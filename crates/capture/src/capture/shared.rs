//! What the threads of a capture share.

use super::rates::Rates;
use crate::recording::{Keeper, Recorder};
use crate::status::{Connection, Saved, Status};
use rtoscope_decode::live::{Live, Moment, Settings, Tally};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the threads of a capture share.
pub(super) struct Shared {
    pub(super) settings: Settings,
    /// Where it is saved, if it is.
    pub(super) folder: Option<PathBuf>,
    /// What keeps its segments.
    pub(super) keeper: Option<Arc<Keeper>>,
    live: Mutex<Decoding>,
    standing: Mutex<Standing>,
    changed: Condvar,
    is_stopped: AtomicBool,
    has_read: AtomicBool,
    /// When decoding ends, whatever waits.
    deadline: Mutex<Option<Instant>>,
    /// Bytes that the decoder has taken, once it has ended.
    decoded: AtomicU64,
}

/// The decoder's state.
pub(super) struct Decoding {
    pub(super) live: Live,
    /// When the newest bytes came that were pushed.
    pub(super) newest: Option<Moment>,
}

struct Standing {
    status: Status,
    rates: Rates,
}

impl Shared {
    pub(super) fn new(settings: Settings, recorder: Option<&Recorder>) -> Self {
        let folder = recorder.map(|recorder| recorder.folder().to_owned());
        let saved = folder.clone().map(|folder| Saved {
            folder,
            ..Saved::default()
        });
        Self {
            live: Mutex::new(Decoding {
                live: Live::new(settings.clone()),
                newest: None,
            }),
            settings,
            folder,
            keeper: recorder.map(Recorder::keeper),
            standing: Mutex::new(Standing {
                status: Status {
                    version: 0,
                    format: None,
                    connection: Connection::Waiting("the source".to_owned()),
                    bytes: 0,
                    refused: 0,
                    tally: Tally::default(),
                    bytes_per_second: 0.0,
                    events_per_second: 0.0,
                    newest: None,
                    waiting: 0,
                    undecoded: 0,
                    saved,
                    undecodable: None,
                },
                rates: Rates::default(),
            }),
            changed: Condvar::new(),
            is_stopped: AtomicBool::new(false),
            has_read: AtomicBool::new(false),
            deadline: Mutex::default(),
            decoded: AtomicU64::new(0),
        }
    }

    pub(super) fn decoding(&self) -> MutexGuard<'_, Decoding> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn status(&self) -> Status {
        self.standing().status.clone()
    }

    /// Waits until the status is another than that of a version.
    pub(super) fn wait(&self, version: u64, most: Duration) -> Status {
        let same = |standing: &mut Standing| standing.status.version == version;
        let waited = self.changed.wait_timeout_while(self.standing(), most, same);
        let (standing, _) = waited.unwrap_or_else(PoisonError::into_inner);
        standing.status.clone()
    }

    /// Changes the status.
    pub(super) fn change(&self, change: impl FnOnce(&mut Status)) {
        let mut standing = self.standing();
        change(&mut standing.status);
        standing.status.version += 1;
        drop(standing);
        self.changed.notify_all();
    }

    /// Measures how fast bytes and events come. Tells whether that has changed.
    pub(super) fn measure(&self) {
        let mut standing = self.standing();
        let Standing { status, rates } = &mut *standing;
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

    /// Ends the capture soon.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Ends the capture soon, and decoding after a time, whatever waits then.
    pub(super) fn stop_within(&self, time: Duration) {
        self.stop();
        let mut deadline = self.deadline();
        deadline.get_or_insert_with(|| Instant::now() + time);
    }

    /// Whether decoding ends now.
    pub(super) fn is_overdue(&self) -> bool {
        // Most captures have all the time they need.
        self.is_stopped() && self.deadline().is_some_and(|it| Instant::now() >= it)
    }

    /// The decoder has ended; `decoded` is the number of bytes that it has taken.
    pub(super) fn end_decoding(&self, decoded: u64) {
        self.decoded.store(decoded, Ordering::Release);
    }

    /// How it stands when all threads have ended.
    pub(super) fn final_status(&self) -> Status {
        let mut status = self.status();
        let decoded = self.decoded.load(Ordering::Acquire);
        status.undecoded = status.bytes.saturating_sub(decoded);
        status
    }

    /// Nothing more is taken from the source, and what was taken is safe.
    pub(super) fn end_reading(&self) {
        self.has_read.store(true, Ordering::Release);
    }

    pub(super) fn has_read(&self) -> bool {
        self.has_read.load(Ordering::Acquire)
    }

    fn deadline(&self) -> MutexGuard<'_, Option<Instant>> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
