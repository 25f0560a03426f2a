//! A live trace and its operations.

use super::feed::LiveFeed;
use super::followed_window::FollowedWindow;
use super::snapshot::{Snapshot, UnnumberedSnapshot, VersionedOverrides};
use super::snapshot_store::SnapshotStore;
use super::viewers::{Interest, Viewers};
use super::{snapshot_builder, status};
use crate::error::ApiError;
use axum::http::StatusCode;
use rtoscope_capture::{CaptureStatus, SourceState};
use rtoscope_decode::live::HostTime;
use rtoscope_decode::{DecodedRecording, TargetCommand, encode_commands};
use rtoscope_session::response::LiveStatus;
use rtoscope_session::{Command, Query, QueryResponse, RecordingIds, Session};
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockSource;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// Options of a live trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveTraceOptions {
    /// Maximum number of events shown at once.
    pub max_events: u64,
    /// The clock's frequency, and where it is from, if an option has it.
    pub given_clock: Option<(Frequency, ClockSource)>,
}

impl Default for LiveTraceOptions {
    fn default() -> Self {
        Self {
            max_events: 500_000,
            given_clock: None,
        }
    }
}

/// A trace that is still being recorded. Its builder thread ends when this is dropped.
pub(crate) struct LiveTrace {
    pub(super) shared: Arc<LiveState>,
}

/// State shared between the builder thread and requests.
pub(super) struct LiveState {
    name: String,
    pub(super) feed: Box<dyn LiveFeed>,
    options: LiveTraceOptions,
    pub(super) viewers: Viewers,
    snapshots: Mutex<SnapshotStore>,
    overrides: Mutex<Arc<VersionedOverrides>>,
    ids: RecordingIds,
    /// Locked while a snapshot for following viewers is built.
    followed: Mutex<FollowedWindow>,
    build_error: Mutex<BuildError>,
    pub(super) latest: watch::Sender<LatestVersions>,
    /// There is nothing on disk before the event with this number.
    oldest: AtomicU64,
}

/// The latest versions, for waiting requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LatestVersions {
    /// The snapshot of following viewers; 0 if there is none.
    pub(super) snapshot: u64,
    /// The version of the status.
    pub(super) version: u64,
}

/// Why there is no newer snapshot.
#[derive(Default)]
struct BuildError {
    /// Number of changes of the message.
    changes: u64,
    message: Option<String>,
}

impl LiveTrace {
    /// Sends settings of the filter and commands to the target.
    pub(crate) fn command_target(
        &self,
        settings: &[String],
        names: &[String],
    ) -> Result<(), ApiError> {
        let refused = |problem: String| ApiError::new(StatusCode::BAD_REQUEST, problem);
        let command = |name: &String| {
            TargetCommand::from_name(name)
                .ok_or_else(|| refused(format!("unknown command `{name}`")))
        };
        let commands: Vec<_> = names.iter().map(command).collect::<Result<_, _>>()?;
        let format = self.shared.feed.status().format;
        let bytes = encode_commands(settings, &commands, format);
        let bytes = bytes.map_err(|error| refused(error.to_string()))?;
        let sent = self.shared.feed.send(bytes);
        sent.map_err(|error| ApiError::new(StatusCode::CONFLICT, error.to_string()))
    }
}

impl LiveTrace {
    /// Follows a recording while there are viewers.
    ///
    /// # Errors
    ///
    /// If the system cannot create a thread.
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
            ids: RecordingIds::default(),
            followed: Mutex::new(FollowedWindow::new(settings)),
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

    /// Whether the recording has ended.
    pub(crate) fn has_ended(&self) -> bool {
        let connection = self.shared.feed.status().connection;
        matches!(connection, SourceState::Ended | SourceState::Failed(_))
    }

    /// Queries a snapshot; the newest by default.
    pub(crate) fn query(
        &self,
        snapshot: Option<u64>,
        query: &Query,
    ) -> Result<QueryResponse, ApiError> {
        let snapshot = self.snapshot(snapshot)?;
        let overrides = Arc::clone(&lock(&self.shared.overrides));
        Ok(snapshot.query(query, &overrides)?)
    }

    /// Applies a command to all snapshots.
    pub(crate) fn apply(&self, command: Command) -> Result<(), ApiError> {
        let mut current = lock(&self.shared.overrides);
        let mut overrides = VersionedOverrides::clone(&current);
        overrides.overrides.apply(command)?;
        overrides.version += 1;
        *current = Arc::new(overrides);
        Ok(())
    }

    /// Builds a snapshot of all events in memory and holds it.
    pub(crate) fn pause(&self) -> Result<LiveStatus, ApiError> {
        let shared = &self.shared;
        let last = shared.feed.last_events(shared.options.max_events);
        let last = last.map_err(undecodable)?;
        let Some((recording, received)) = last else {
            return Err(no_events());
        };
        Ok(shared.hold_snapshot(recording, Some(received)))
    }

    /// Builds a snapshot of events on disk before the event with this number and holds
    /// it.
    pub(crate) fn older(&self, before: u64) -> Result<LiveStatus, ApiError> {
        let shared = &self.shared;
        let older = shared.feed.older_events(before, shared.options.max_events);
        let older = older.map_err(|problem| {
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, problem.to_string())
        })?;
        // A part that starts at or after this event contains nothing older.
        let older = older.filter(|older| older.trace.origin.event < before);
        let Some(recording) = older else {
            shared.oldest.fetch_max(before, Ordering::Relaxed);
            let message = format!("no events before event {before} are on disk");
            return Err(ApiError::new(StatusCode::NOT_FOUND, message));
        };
        Ok(shared.hold_snapshot(recording, None))
    }

    fn snapshot(&self, number: Option<u64>) -> Result<Arc<Snapshot>, ApiError> {
        let shared = &self.shared;
        let Some(number) = number else {
            return shared.newest();
        };
        let (snapshot, is_followed) = {
            let snapshots = shared.snapshots();
            (
                snapshots.get(number, Instant::now()),
                snapshots.is_followed(number),
            )
        };
        if is_followed {
            shared.viewers.record_activity();
        }
        snapshot.ok_or_else(|| {
            let message = format!("snapshot {number} no longer exists");
            ApiError::new(StatusCode::GONE, message)
        })
    }
}

impl LiveState {
    pub(super) fn snapshots(&self) -> MutexGuard<'_, SnapshotStore> {
        lock(&self.snapshots)
    }

    /// The newest snapshot, built now if no viewer followed.
    fn newest(&self) -> Result<Arc<Snapshot>, ApiError> {
        let is_followed = self.viewers.interest() == Interest::NewestEvents;
        self.viewers.record_activity();
        let newest = self.snapshots().newest().cloned();
        match newest.filter(|_| is_followed) {
            Some(snapshot) => Ok(snapshot),
            None => self.refresh().map_err(undecodable)?.ok_or_else(no_events),
        }
    }

    /// Builds a snapshot for following viewers if there are newer events; returns the
    /// newest snapshot.
    pub(super) fn refresh(&self) -> Result<Option<Arc<Snapshot>>, String> {
        let mut followed = lock(&self.followed);
        let newest = self.snapshots().newest().cloned();
        if newest
            .as_ref()
            .is_some_and(|snapshot| !self.has_newer_events(snapshot))
        {
            return Ok(newest);
        }
        let built = followed.build(&self.name, &*self.feed, &self.ids);
        let Some(unnumbered) = built.map_err(|error| error.to_string())? else {
            return Ok(newest);
        };
        // A client that gets the new snapshot must not see the old error.
        self.set_build_error(None);
        let snapshot = self.snapshots().add_followed(unnumbered);
        self.latest
            .send_modify(|latest| latest.snapshot = snapshot.number);
        Ok(Some(snapshot))
    }

    /// Whether there are newer events than a snapshot contains.
    fn has_newer_events(&self, snapshot: &Snapshot) -> bool {
        snapshot.info.part.end() < self.feed.status().tally.events
    }

    /// Publishes the status to waiting requests.
    pub(super) fn publish(&self, status: &CaptureStatus) {
        let version = self.version(status);
        self.latest.send_if_modified(|latest| {
            let is_new = latest.version != version;
            latest.version = version;
            is_new
        });
    }

    /// Drops snapshots that no viewer follows.
    pub(super) fn drop_followed(&self) {
        lock(&self.followed).clear();
        self.snapshots().unfollow();
        self.latest.send_modify(|latest| latest.snapshot = 0);
    }

    /// Sets or clears the reason why there is no newer snapshot.
    pub(super) fn set_build_error(&self, message: Option<String>) {
        let mut problem = lock(&self.build_error);
        if problem.message != message {
            problem.changes += 1;
            problem.message = message;
        }
    }

    /// The version of the status, combined with that of the feed.
    pub(super) fn version(&self, status: &CaptureStatus) -> u64 {
        status.version.wrapping_add(lock(&self.build_error).changes)
    }

    /// The status of the live trace with respect to a snapshot.
    pub(super) fn status(&self, snapshot: Option<&Snapshot>) -> LiveStatus {
        let mut status = self.feed.status();
        let version = self.version(&status);
        if status.decode_error.is_none() {
            status
                .decode_error
                .clone_from(&lock(&self.build_error).message);
        }
        let start = snapshot.map_or(0, |snapshot| snapshot.info.part.base.event);
        let has_older = status.saved.is_some() && start > self.oldest.load(Ordering::Relaxed);
        let snapshot = snapshot.map(|snapshot| (snapshot.number, snapshot.info));
        status::status(
            status,
            version,
            snapshot,
            has_older,
            self.feed.takes_commands(),
        )
    }

    /// Analyses a part of the recording and holds it.
    fn hold_snapshot(&self, recording: DecodedRecording, received: Option<HostTime>) -> LiveStatus {
        let mut session = Session::new(&self.name, recording);
        session.note_given_clock(self.options.given_clock);
        session.join(&self.ids);
        let unnumbered = UnnumberedSnapshot::new(session, received);
        let snapshot = self.snapshots().add_held(unnumbered, Instant::now());
        self.status(Some(&snapshot))
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
    ApiError::new(StatusCode::NOT_FOUND, "no events have been received yet")
}

fn undecodable(reason: impl std::fmt::Display) -> ApiError {
    let message = format!("the received data cannot be shown: {reason}");
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message)
}
