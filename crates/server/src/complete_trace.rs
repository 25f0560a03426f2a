//! A trace of a complete recording, and the progress of opening it.

use crate::NotesFile;
use crate::error::ApiError;
use crate::sql::RecordingFile;
use crate::traces::Traces;
use axum::http::StatusCode;
use rtoscope_session::Session;
use rtoscope_trace::Progress;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
};
use tokio::sync::watch;

/// A trace that is open or being opened.
pub(crate) struct CompleteTrace {
    name: String,
    file: RecordingFile,
    progress: Progress,
    outcome: watch::Receiver<Option<OpeningOutcome>>,
}

/// The outcome of opening a trace: its session, or a message for the user.
type OpeningOutcome = Result<Arc<LoadedSession>, String>;

/// A session and its notes file.
pub(crate) struct LoadedSession {
    session: RwLock<Session>,
    notes: Option<Mutex<NotesFile>>,
}

/// Finishes the opening of a listed trace. If it is dropped before, the opening has
/// failed.
pub struct TraceOpener {
    name: String,
    progress: Progress,
    outcome: watch::Sender<Option<OpeningOutcome>>,
    /// The list of traces, and the trace's number in it.
    listed: (Weak<Traces>, u64),
}

impl CompleteTrace {
    /// Creates a trace that is being opened.
    pub(crate) fn opening(name: String, file: RecordingFile) -> (Arc<Self>, TraceOpener) {
        let progress = Progress::default();
        let (sender, outcome) = watch::channel(None);
        let opener = TraceOpener {
            name: name.clone(),
            progress: progress.clone(),
            outcome: sender,
            listed: (Weak::new(), 0),
        };
        let trace = Self {
            name,
            file,
            progress,
            outcome,
        };
        (Arc::new(trace), opener)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its file, for SQL queries.
    pub(crate) fn file(&self) -> &RecordingFile {
        &self.file
    }

    /// The progress of opening it; `None` once it is open.
    pub(crate) fn progress(&self) -> Option<&Progress> {
        self.outcome.borrow().is_none().then_some(&self.progress)
    }

    /// The session; waits until it is open.
    pub(crate) async fn session(&self) -> Result<Arc<LoadedSession>, ApiError> {
        let mut outcome = self.outcome.clone();
        let outcome = outcome.wait_for(Option::is_some).await;
        let outcome = outcome.ok().and_then(|outcome| outcome.clone());
        match outcome {
            Some(Ok(session)) => Ok(session),
            Some(Err(message)) => Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message)),
            None => {
                let message = format!("{}: internal error; see standard error", self.name);
                Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message))
            }
        }
    }
}

impl TraceOpener {
    pub(crate) fn listed_in(mut self, traces: &Arc<Traces>, id: u64) -> Self {
        self.listed = (Arc::downgrade(traces), id);
        self
    }

    /// The name of the trace.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where to report the progress.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Opens the trace. Changes of its notes are saved if there is a notes file.
    pub fn finish(self, session: Session, notes: Option<NotesFile>) {
        self.outcome.send_replace(Some(Ok(Arc::new(LoadedSession {
            session: RwLock::new(session),
            notes: notes.map(Mutex::new),
        }))));
    }

    /// Gives up: the trace is no longer listed, and whoever waits for it gets the
    /// message.
    pub fn fail(self, message: String) {
        self.outcome.send_replace(Some(Err(message)));
    }
}

impl Drop for TraceOpener {
    fn drop(&mut self) {
        let is_open = matches!(&*self.outcome.borrow(), Some(Ok(_)));
        if !is_open && let Some(traces) = self.listed.0.upgrade() {
            traces.close(self.listed.1);
        }
    }
}

impl LoadedSession {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Session> {
        let session = self.session.read();
        session.unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, for changes.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Session> {
        let session = self.session.write();
        session.unwrap_or_else(PoisonError::into_inner)
    }

    /// The notes file. Lock it before changing the session, so that the last change is
    /// also the last one saved.
    pub(crate) fn notes(&self) -> Option<MutexGuard<'_, NotesFile>> {
        let notes = self.notes.as_ref()?;
        Some(notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse as _;

    fn no_file() -> RecordingFile {
        RecordingFile::Unavailable("no file".to_owned())
    }

    #[tokio::test]
    async fn who_waits_gets_the_reason_of_a_failure() {
        let (trace, opener) = CompleteTrace::opening("bad.trx".to_owned(), no_file());
        assert!(trace.progress().is_some());
        let waiting = {
            let trace = Arc::clone(&trace);
            tokio::spawn(async move { trace.session().await.map(drop) })
        };
        opener.fail("bad.trx: no record".to_owned());
        let error = waiting.await.unwrap().unwrap_err();
        assert!(format!("{error:?}").contains("bad.trx: no record"));
        assert_eq!(error.into_response().status(), 422);
        assert!(trace.progress().is_none());
    }

    #[tokio::test]
    async fn a_panic_while_opening_is_an_internal_error() {
        let (trace, opener) = CompleteTrace::opening("odd.trx".to_owned(), no_file());
        drop(opener);
        let error = trace.session().await.map(drop).unwrap_err();
        assert_eq!(error.into_response().status(), 500);
    }
}
