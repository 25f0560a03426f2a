//! A live trace, and what can be done with it.

use super::feed::LiveFeed;
use super::snapshot::{Snapshot, UnnumberedSnapshot, VersionedOverrides};
use super::snapshot_sizer::SnapshotSizer;
use super::snapshot_store::SnapshotStore;
use super::viewers::{Interest, Viewers};
use super::{snapshot_builder, status};
use crate::error::ApiError;
use axum::http::StatusCode;
use rtoscope_capture::{CaptureStatus, SourceState};
use rtoscope_session::response::LiveStatus;
use rtoscope_session::{Command, Query, QueryResponse};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// How a live trace is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveTraceOptions {
    /// Events that are shown at the same time, at most.
    pub max_events: u64,
}

impl Default for LiveTraceOptions {
    fn default() -> Self {
        Self {
            max_events: 500_000,
        }
    }
}

/// A trace that is still recorded. The thread that follows it ends when this is
/// dropped.
pub(crate) struct LiveTrace {
    pub(super) shared: Arc<LiveState>,
}

/// What the thread shares with those who ask.
pub(super) struct LiveState {
    name: String,
    pub(super) feed: Box<dyn LiveFeed>,
    options: LiveTraceOptions,
    pub(super) viewers: Viewers,
    snapshots: Mutex<SnapshotStore>,
    overrides: Mutex<Arc<VersionedOverrides>>,
    /// Held while an edition is made for those who follow.
    pub(super) sizer: Mutex<SnapshotSizer>,
    build_error: Mutex<BuildError>,
    pub(super) latest: watch::Sender<LatestVersions>,
    /// There is nothing on disk before the event of this number.
    oldest: AtomicU64,
}

/// The newest of what somebody may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LatestVersions {
    /// The edition of those who follow; 0 if there is none.
    pub(super) snapshot: u64,
    /// The version of the status.
    pub(super) version: u64,
}

/// Why there is no newer edition.
#[derive(Default)]
struct BuildError {
    /// How often that was another reason.
    changes: u64,
    message: Option<String>,
}

impl LiveTrace {
    /// Follows a recording while somebody looks.
    ///
    /// # Errors
    ///
    /// If the system has no thread for it.
    pub(crate) fn start(
        name: String,
        feed: Box<dyn LiveFeed>,
        settings: LiveTraceOptions,
    ) -> io::Result<Self> {
        let shared = Arc::new(LiveState {
            name,
            feed,
            options: settings,
            viewers: Viewers::default(),
            snapshots: Mutex::default(),
            overrides: Mutex::default(),
            sizer: Mutex::new(SnapshotSizer::new(settings.max_events)),
            build_error: Mutex::default(),
            latest: watch::Sender::default(),
            oldest: AtomicU64::new(0),
        });
        let builder = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("live trace".to_owned())
            .spawn(move || snapshot_builder::run(&builder))?;
        Ok(Self { shared })
    }

    pub(crate) fn name(&self) -> &str {
        &self.shared.name
    }

    /// Whether nothing will come any more.
    pub(crate) fn has_ended(&self) -> bool {
        let connection = self.shared.feed.status().connection;
        matches!(connection, SourceState::Ended | SourceState::Failed(_))
    }

    /// Asks an edition; the newest if none is named.
    pub(crate) fn query(
        &self,
        edition: Option<u64>,
        query: &Query,
    ) -> Result<QueryResponse, ApiError> {
        let edition = self.snapshot(edition)?;
        let remarks = Arc::clone(&lock(&self.shared.overrides));
        Ok(edition.query(query, &remarks)?)
    }

    /// Does what is told in view of an edition; of the newest if none is named.
    pub(crate) fn apply(&self, edition: Option<u64>, command: Command) -> Result<(), ApiError> {
        let part = match (edition, &command) {
            // The clock is that of all parts.
            (None, Command::Clock { .. }) => Default::default(),
            _ => self.snapshot(edition)?.info.part,
        };
        let mut current = lock(&self.shared.overrides);
        let mut remarks = VersionedOverrides::clone(&current);
        remarks.overrides.apply(command, part)?;
        remarks.version += 1;
        *current = Arc::new(remarks);
        Ok(())
    }

    /// Makes an edition of all events that are kept in memory, and holds it.
    pub(crate) fn pause(&self) -> Result<LiveStatus, ApiError> {
        let shared = &self.shared;
        let last = shared.feed.last_events(shared.options.max_events);
        let last = last.map_err(undecodable)?;
        let Some((recording, received)) = last else {
            return Err(no_events());
        };
        Ok(shared.hold_snapshot(UnnumberedSnapshot::new(
            &shared.name,
            recording,
            Some(received),
        )))
    }

    /// Makes an edition of events on disk before the one of that number, and
    /// holds it.
    pub(crate) fn older(&self, before: u64) -> Result<LiveStatus, ApiError> {
        let shared = &self.shared;
        let older = shared.feed.older_events(before, shared.options.max_events);
        let older = older.map_err(|problem| {
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, problem.to_string())
        })?;
        // What begins there or behind it is nothing older.
        let older = older.filter(|older| older.trace.origin.event < before);
        let Some(recording) = older else {
            shared.oldest.fetch_max(before, Ordering::Relaxed);
            let sentence = format!("no events before event {before} are on disk");
            return Err(ApiError::new(StatusCode::NOT_FOUND, sentence));
        };
        Ok(shared.hold_snapshot(UnnumberedSnapshot::new(&shared.name, recording, None)))
    }

    fn snapshot(&self, number: Option<u64>) -> Result<Arc<Snapshot>, ApiError> {
        let shared = &self.shared;
        let Some(number) = number else {
            return shared.newest();
        };
        let (edition, is_followed) = {
            let editions = shared.snapshots();
            (
                editions.get(number, Instant::now()),
                editions.is_followed(number),
            )
        };
        if is_followed {
            shared.viewers.record_activity();
        }
        edition.ok_or_else(|| {
            let sentence = format!("edition {number} is no longer there");
            ApiError::new(StatusCode::GONE, sentence)
        })
    }
}

impl LiveState {
    pub(super) fn snapshots(&self) -> MutexGuard<'_, SnapshotStore> {
        lock(&self.snapshots)
    }

    /// The newest edition, made now if nobody followed.
    fn newest(&self) -> Result<Arc<Snapshot>, ApiError> {
        let is_followed = self.viewers.interest() == Interest::NewestEvents;
        self.viewers.record_activity();
        let newest = self.snapshots().newest().cloned();
        match newest.filter(|_| is_followed) {
            Some(edition) => Ok(edition),
            None => self.refresh().map_err(undecodable)?.ok_or_else(no_events),
        }
    }

    /// Makes an edition for those who follow, if there are newer events; gives
    /// the newest edition.
    pub(super) fn refresh(&self) -> Result<Option<Arc<Snapshot>>, String> {
        let mut pace = lock(&self.sizer);
        let newest = self.snapshots().newest().cloned();
        if newest
            .as_ref()
            .is_some_and(|edition| !self.has_newer_events(edition))
        {
            return Ok(newest);
        }
        let began = Instant::now();
        let last = self.feed.last_events(pace.events());
        let Some((recording, received)) = last.map_err(|error| error.to_string())? else {
            return Ok(newest);
        };
        let draft = UnnumberedSnapshot::new(&self.name, recording, Some(received));
        pace.record_build(draft.events(), began.elapsed());
        // Who hears of the edition hears of no problem before it.
        self.set_build_error(None);
        let edition = self.snapshots().add_followed(draft);
        self.latest
            .send_modify(|latest| latest.snapshot = edition.number);
        Ok(Some(edition))
    }

    /// Whether there are newer events than an edition has.
    fn has_newer_events(&self, edition: &Snapshot) -> bool {
        edition.info.part.end() < self.feed.status().tally.events
    }

    /// Tells those who wait how the recording stands.
    pub(super) fn publish(&self, status: &CaptureStatus) {
        let version = self.version(status);
        self.latest.send_if_modified(|latest| {
            let is_new = latest.version != version;
            latest.version = version;
            is_new
        });
    }

    /// Lets go of editions that nobody follows.
    pub(super) fn drop_followed(&self) {
        self.snapshots().unfollow();
        self.latest.send_modify(|latest| latest.snapshot = 0);
    }

    /// Takes down why there is no newer edition, or that there is one.
    pub(super) fn set_build_error(&self, sentence: Option<String>) {
        let mut problem = lock(&self.build_error);
        if problem.message != sentence {
            problem.changes += 1;
            problem.message = sentence;
        }
    }

    /// The version of the status, with that of the feed.
    pub(super) fn version(&self, status: &CaptureStatus) -> u64 {
        status.version.wrapping_add(lock(&self.build_error).changes)
    }

    /// How it stands, seen with an edition.
    pub(super) fn status(&self, edition: Option<&Snapshot>) -> LiveStatus {
        let mut stands = self.feed.status();
        let version = self.version(&stands);
        if stands.decode_error.is_none() {
            stands
                .decode_error
                .clone_from(&lock(&self.build_error).message);
        }
        let begins = edition.map_or(0, |edition| edition.info.part.base.event);
        let has_older = stands.saved.is_some() && begins > self.oldest.load(Ordering::Relaxed);
        let edition = edition.map(|edition| (edition.number, edition.info));
        status::status(stands, version, edition, has_older)
    }

    fn hold_snapshot(&self, draft: UnnumberedSnapshot) -> LiveStatus {
        let edition = self.snapshots().add_held(draft, Instant::now());
        self.status(Some(&edition))
    }
}

impl Drop for LiveTrace {
    fn drop(&mut self) {
        self.shared.viewers.close();
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_events() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "no events have come yet")
}

fn undecodable(reason: impl std::fmt::Display) -> ApiError {
    let sentence = format!("what came cannot be shown: {reason}");
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
}
