//! A live trace, and what can be done with it.

use super::audience::{Audience, Interest};
use super::edition::{Draft, Edition, Remarks};
use super::editions::Editions;
use super::feed::Feed;
use super::pace::Pace;
use super::{builder, status};
use crate::refusal::Refusal;
use axum::http::StatusCode;
use rtoscope_capture::{Connection, Status};
use rtoscope_session::answer::LiveStatus;
use rtoscope_session::{Answer, Command, Query};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// How a live trace is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveSettings {
    /// Events that are shown at the same time, at most.
    pub most_events: u64,
}

impl Default for LiveSettings {
    fn default() -> Self {
        Self {
            most_events: 500_000,
        }
    }
}

/// A trace that is still recorded. The thread that follows it ends when this is
/// dropped.
pub(crate) struct LiveTrace {
    pub(super) shared: Arc<Shared>,
}

/// What the thread shares with those who ask.
pub(super) struct Shared {
    name: String,
    pub(super) feed: Box<dyn Feed>,
    settings: LiveSettings,
    pub(super) audience: Audience,
    editions: Mutex<Editions>,
    remarks: Mutex<Arc<Remarks>>,
    /// Held while an edition is made for those who follow.
    pub(super) pace: Mutex<Pace>,
    problem: Mutex<Problem>,
    pub(super) latest: watch::Sender<Latest>,
    /// There is nothing on disk before the event of this number.
    oldest: AtomicU64,
}

/// The newest of what somebody may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Latest {
    /// The edition of those who follow; 0 if there is none.
    pub(super) edition: u64,
    /// The version of the status.
    pub(super) version: u64,
}

/// Why there is no newer edition.
#[derive(Default)]
struct Problem {
    /// How often that was another reason.
    changes: u64,
    sentence: Option<String>,
}

impl LiveTrace {
    /// Follows a recording while somebody looks.
    ///
    /// # Errors
    ///
    /// If the system has no thread for it.
    pub(crate) fn start(
        name: String,
        feed: Box<dyn Feed>,
        settings: LiveSettings,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            name,
            feed,
            settings,
            audience: Audience::default(),
            editions: Mutex::default(),
            remarks: Mutex::default(),
            pace: Mutex::new(Pace::new(settings.most_events)),
            problem: Mutex::default(),
            latest: watch::Sender::default(),
            oldest: AtomicU64::new(0),
        });
        let builder = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("live trace".to_owned())
            .spawn(move || builder::run(&builder))?;
        Ok(Self { shared })
    }

    pub(crate) fn name(&self) -> &str {
        &self.shared.name
    }

    /// Whether nothing will come any more.
    pub(crate) fn has_ended(&self) -> bool {
        let connection = self.shared.feed.status().connection;
        matches!(connection, Connection::Ended | Connection::Failed(_))
    }

    /// Asks an edition; the newest if none is named.
    pub(crate) fn ask(&self, edition: Option<u64>, query: &Query) -> Result<Answer, Refusal> {
        let edition = self.edition(edition)?;
        let remarks = Arc::clone(&lock(&self.shared.remarks));
        Ok(edition.ask(query, &remarks)?)
    }

    /// Does what is told in view of an edition; of the newest if none is named.
    pub(crate) fn tell(&self, edition: Option<u64>, command: Command) -> Result<(), Refusal> {
        let part = match (edition, &command) {
            // The clock is that of all parts.
            (None, Command::Clock { .. }) => Default::default(),
            _ => self.edition(edition)?.made.part,
        };
        let mut current = lock(&self.shared.remarks);
        let mut remarks = Remarks::clone(&current);
        remarks.told.tell(command, part)?;
        remarks.version += 1;
        *current = Arc::new(remarks);
        Ok(())
    }

    /// Makes an edition of all events that are kept in memory, and holds it.
    pub(crate) fn pause(&self) -> Result<LiveStatus, Refusal> {
        let shared = &self.shared;
        let last = shared.feed.last(shared.settings.most_events);
        let last = last.map_err(unusable)?;
        let Some((recording, received)) = last else {
            return Err(no_events());
        };
        Ok(shared.hold(Draft::new(&shared.name, recording, Some(received))))
    }

    /// Makes an edition of events on disk before the one of that number, and
    /// holds it.
    pub(crate) fn older(&self, before: u64) -> Result<LiveStatus, Refusal> {
        let shared = &self.shared;
        let older = shared.feed.older(before, shared.settings.most_events);
        let older = older.map_err(|problem| {
            Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, problem.to_string())
        })?;
        // What begins there or behind it is nothing older.
        let older = older.filter(|older| older.trace.base.event < before);
        let Some(recording) = older else {
            shared.oldest.fetch_max(before, Ordering::Relaxed);
            let sentence = format!("no events before event {before} are on disk");
            return Err(Refusal::new(StatusCode::NOT_FOUND, sentence));
        };
        Ok(shared.hold(Draft::new(&shared.name, recording, None)))
    }

    fn edition(&self, number: Option<u64>) -> Result<Arc<Edition>, Refusal> {
        let shared = &self.shared;
        let Some(number) = number else {
            return shared.newest();
        };
        let (edition, is_followed) = {
            let editions = shared.editions();
            (
                editions.get(number, Instant::now()),
                editions.is_followed(number),
            )
        };
        if is_followed {
            shared.audience.look();
        }
        edition.ok_or_else(|| {
            let sentence = format!("edition {number} is no longer there");
            Refusal::new(StatusCode::GONE, sentence)
        })
    }
}

impl Shared {
    pub(super) fn editions(&self) -> MutexGuard<'_, Editions> {
        lock(&self.editions)
    }

    /// The newest edition, made now if nobody followed.
    fn newest(&self) -> Result<Arc<Edition>, Refusal> {
        let is_followed = self.audience.interest() == Interest::Newest;
        self.audience.look();
        let newest = self.editions().newest().cloned();
        match newest.filter(|_| is_followed) {
            Some(edition) => Ok(edition),
            None => self.refresh().map_err(unusable)?.ok_or_else(no_events),
        }
    }

    /// Makes an edition for those who follow, if there are newer events; gives
    /// the newest edition.
    pub(super) fn refresh(&self) -> Result<Option<Arc<Edition>>, String> {
        let mut pace = lock(&self.pace);
        let newest = self.editions().newest().cloned();
        if newest
            .as_ref()
            .is_some_and(|edition| !self.is_behind(edition))
        {
            return Ok(newest);
        }
        let began = Instant::now();
        let last = self.feed.last(pace.events());
        let Some((recording, received)) = last.map_err(|error| error.to_string())? else {
            return Ok(newest);
        };
        let draft = Draft::new(&self.name, recording, Some(received));
        pace.took(draft.events(), began.elapsed());
        // Who hears of the edition hears of no problem before it.
        self.report(None);
        let edition = self.editions().follow(draft);
        self.latest
            .send_modify(|latest| latest.edition = edition.number);
        Ok(Some(edition))
    }

    /// Whether there are newer events than an edition has.
    fn is_behind(&self, edition: &Edition) -> bool {
        edition.made.part.end() < self.feed.status().tally.events
    }

    /// Tells those who wait how the recording stands.
    pub(super) fn publish(&self, status: &Status) {
        let version = self.version(status);
        self.latest.send_if_modified(|latest| {
            let is_new = latest.version != version;
            latest.version = version;
            is_new
        });
    }

    /// Lets go of editions that nobody follows.
    pub(super) fn unfollow(&self) {
        self.editions().unfollow();
        self.latest.send_modify(|latest| latest.edition = 0);
    }

    /// Takes down why there is no newer edition, or that there is one.
    pub(super) fn report(&self, sentence: Option<String>) {
        let mut problem = lock(&self.problem);
        if problem.sentence != sentence {
            problem.changes += 1;
            problem.sentence = sentence;
        }
    }

    /// The version of the status, with that of the feed.
    pub(super) fn version(&self, status: &Status) -> u64 {
        status.version.wrapping_add(lock(&self.problem).changes)
    }

    /// How it stands, seen with an edition.
    pub(super) fn status(&self, edition: Option<&Edition>) -> LiveStatus {
        let mut stands = self.feed.status();
        let version = self.version(&stands);
        if stands.undecodable.is_none() {
            stands.undecodable.clone_from(&lock(&self.problem).sentence);
        }
        let begins = edition.map_or(0, |edition| edition.made.part.base.event);
        let has_older = stands.saved.is_some() && begins > self.oldest.load(Ordering::Relaxed);
        let edition = edition.map(|edition| (edition.number, edition.made));
        status::status(stands, version, edition, has_older)
    }

    fn hold(&self, draft: Draft) -> LiveStatus {
        let edition = self.editions().hold(draft, Instant::now());
        self.status(Some(&edition))
    }
}

impl Drop for LiveTrace {
    fn drop(&mut self) {
        self.shared.audience.close();
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_events() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "no events have come yet")
}

fn unusable(reason: impl std::fmt::Display) -> Refusal {
    let sentence = format!("what came cannot be shown: {reason}");
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
}
