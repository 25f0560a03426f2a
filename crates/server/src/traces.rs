//! The open traces.

use crate::Notes;
use crate::live::LiveTrace;
use rtoscope_session::Session;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{
    Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

/// Traces that can be open at the same time.
pub const MOST_TRACES: usize = 64;

/// There are [`MOST_TRACES`] open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{MOST_TRACES} traces are open; close one first")]
pub struct TooManyTraces;

/// The open traces by number; a number is never used again.
#[derive(Default)]
pub(crate) struct Traces(Mutex<Shelf>);

#[derive(Default)]
struct Shelf {
    last: u64,
    open: BTreeMap<u64, Open>,
}

/// A trace that can be asked.
#[derive(Clone)]
pub(crate) enum Open {
    /// The recording has come to its end.
    Whole(Arc<OpenTrace>),
    /// It is still under way, or was when it was opened.
    Live(Arc<LiveTrace>),
}

/// One of them in a list.
#[derive(Serialize)]
pub(crate) struct Listed {
    id: u64,
    name: String,
    /// Whether it is an [`Open::Live`] one.
    live: bool,
}

/// A trace that is open, or about to be: whoever asks it waits until it is.
pub(crate) struct OpenTrace {
    name: String,
    opened: LazyLock<Opened, Opening>,
}

/// What opens a trace.
type Opening = Box<dyn FnOnce() -> Opened + Send>;

/// A session, and where its notes are kept.
struct Opened {
    session: RwLock<Session>,
    notes: Option<Mutex<Notes>>,
}

impl Traces {
    /// `open` is called when the trace is first asked, or [`OpenTrace::open`]ed.
    pub(crate) fn add(
        &self,
        name: String,
        open: impl FnOnce() -> (Session, Option<Notes>) + Send + 'static,
    ) -> Result<Listed, TooManyTraces> {
        let opening: Opening = Box::new(move || {
            let (session, notes) = open();
            Opened {
                session: RwLock::new(session),
                notes: notes.map(Mutex::new),
            }
        });
        let opened = LazyLock::new(opening);
        self.put(Open::Whole(Arc::new(OpenTrace { name, opened })))
    }

    /// A trace that is still recorded.
    pub(crate) fn add_live(&self, trace: LiveTrace) -> Result<Listed, TooManyTraces> {
        self.put(Open::Live(Arc::new(trace)))
    }

    fn put(&self, trace: Open) -> Result<Listed, TooManyTraces> {
        let mut shelf = self.shelf();
        if shelf.open.len() >= MOST_TRACES {
            return Err(TooManyTraces);
        }
        shelf.last += 1;
        let id = shelf.last;
        let listed = Listed::new(id, &trace);
        shelf.open.insert(id, trace);
        Ok(listed)
    }

    /// Whether another could be added now.
    pub(crate) fn has_room(&self) -> Result<(), TooManyTraces> {
        if self.shelf().open.len() < MOST_TRACES {
            Ok(())
        } else {
            Err(TooManyTraces)
        }
    }

    pub(crate) fn list(&self) -> Vec<Listed> {
        let shelf = self.shelf();
        let listed = shelf.open.iter();
        let listed = listed.map(|(id, trace)| Listed::new(*id, trace));
        listed.collect()
    }

    pub(crate) fn get(&self, id: u64) -> Option<Open> {
        self.shelf().open.get(&id).cloned()
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<Open> {
        self.shelf().open.values().cloned().collect()
    }

    pub(crate) fn close(&self, id: u64) -> Option<Open> {
        self.shelf().open.remove(&id)
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listed {
    fn new(id: u64, trace: &Open) -> Self {
        let (name, live) = match trace {
            Open::Whole(trace) => (trace.name.as_str(), false),
            Open::Live(trace) => (trace.name(), true),
        };
        Self {
            id,
            name: name.to_owned(),
            live,
        }
    }
}

impl OpenTrace {
    /// Opens it, or waits for whoever does.
    pub(crate) fn open(&self) {
        LazyLock::force(&self.opened);
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Session> {
        let session = self.opened.session.read();
        session.unwrap_or_else(PoisonError::into_inner)
    }

    /// To change it.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Session> {
        let session = self.opened.session.write();
        session.unwrap_or_else(PoisonError::into_inner)
    }

    /// Where its notes are kept. Whoever changes the session holds this first,
    /// so that the last change is the last one saved.
    pub(crate) fn notes(&self) -> Option<MutexGuard<'_, Notes>> {
        let notes = self.opened.notes.as_ref()?;
        Some(notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
