//! The open traces.

use crate::NotesFile;
use crate::live::LiveTrace;
use rtoscope_session::Session;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{
    Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

/// Maximum number of open traces.
pub const MAX_TRACES: usize = 64;

/// There are already [`MAX_TRACES`] open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{MAX_TRACES} traces are open; close one first")]
pub struct TooManyTraces;

/// The open traces by number; a number is never reused.
#[derive(Default)]
pub(crate) struct Traces(Mutex<TraceTable>);

#[derive(Default)]
struct TraceTable {
    last: u64,
    open: BTreeMap<u64, TraceEntry>,
}

/// An open trace.
#[derive(Clone)]
pub(crate) enum TraceEntry {
    /// A complete recording.
    Complete(Arc<LazyTrace>),
    /// A recording that is, or was when it was opened, still in progress.
    Live(Arc<LiveTrace>),
}

/// A trace in the list of traces.
#[derive(Serialize)]
pub(crate) struct TraceListEntry {
    id: u64,
    name: String,
    /// Whether it is a [`TraceEntry::Live`] one.
    live: bool,
}

/// A trace that is opened on first use; concurrent users wait for it.
pub(crate) struct LazyTrace {
    name: String,
    loaded: LazyLock<LoadedSession, OpenFn>,
}

/// Opens a trace.
type OpenFn = Box<dyn FnOnce() -> LoadedSession + Send>;

/// A session and its notes file.
struct LoadedSession {
    session: RwLock<Session>,
    notes: Option<Mutex<NotesFile>>,
}

impl Traces {
    /// Adds a trace; `open` is called on first use or by [`LazyTrace::open`].
    pub(crate) fn add(
        &self,
        name: String,
        open: impl FnOnce() -> (Session, Option<NotesFile>) + Send + 'static,
    ) -> Result<TraceListEntry, TooManyTraces> {
        let opening: OpenFn = Box::new(move || {
            let (session, notes) = open();
            LoadedSession {
                session: RwLock::new(session),
                notes: notes.map(Mutex::new),
            }
        });
        let opened = LazyLock::new(opening);
        self.insert(TraceEntry::Complete(Arc::new(LazyTrace {
            name,
            loaded: opened,
        })))
    }

    /// Adds a live trace.
    pub(crate) fn add_live(&self, trace: LiveTrace) -> Result<TraceListEntry, TooManyTraces> {
        self.insert(TraceEntry::Live(Arc::new(trace)))
    }

    fn insert(&self, trace: TraceEntry) -> Result<TraceListEntry, TooManyTraces> {
        let mut table = self.table();
        if table.open.len() >= MAX_TRACES {
            return Err(TooManyTraces);
        }
        table.last += 1;
        let id = table.last;
        let listed = TraceListEntry::new(id, &trace);
        table.open.insert(id, trace);
        Ok(listed)
    }

    /// Whether another trace can be added now.
    pub(crate) fn has_room(&self) -> Result<(), TooManyTraces> {
        if self.table().open.len() < MAX_TRACES {
            Ok(())
        } else {
            Err(TooManyTraces)
        }
    }

    pub(crate) fn list(&self) -> Vec<TraceListEntry> {
        let table = self.table();
        let listed = table.open.iter();
        let listed = listed.map(|(id, trace)| TraceListEntry::new(*id, trace));
        listed.collect()
    }

    pub(crate) fn get(&self, id: u64) -> Option<TraceEntry> {
        self.table().open.get(&id).cloned()
    }

    /// All traces.
    pub(crate) fn all(&self) -> Vec<TraceEntry> {
        self.table().open.values().cloned().collect()
    }

    pub(crate) fn close(&self, id: u64) -> Option<TraceEntry> {
        self.table().open.remove(&id)
    }

    fn table(&self) -> MutexGuard<'_, TraceTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TraceListEntry {
    fn new(id: u64, trace: &TraceEntry) -> Self {
        let (name, live) = match trace {
            TraceEntry::Complete(trace) => (trace.name.as_str(), false),
            TraceEntry::Live(trace) => (trace.name(), true),
        };
        Self {
            id,
            name: name.to_owned(),
            live,
        }
    }
}

impl LazyTrace {
    /// Opens the trace, or waits until it is open.
    pub(crate) fn open(&self) {
        LazyLock::force(&self.loaded);
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Session> {
        let session = self.loaded.session.read();
        session.unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, for changes.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Session> {
        let session = self.loaded.session.write();
        session.unwrap_or_else(PoisonError::into_inner)
    }

    /// The notes file. Lock it before changing the session, so that the last change is
    /// also the last one saved.
    pub(crate) fn notes(&self) -> Option<MutexGuard<'_, NotesFile>> {
        let notes = self.loaded.notes.as_ref()?;
        Some(notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
