//! The open traces.

use crate::complete_trace::{CompleteTrace, TraceOpener};
use crate::live::LiveTrace;
use crate::sql::RecordingFile;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    Complete(Arc<CompleteTrace>),
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

impl Traces {
    /// Adds a trace that is being opened: the opener reports its progress and finishes
    /// it. Queries wait until then.
    pub(crate) fn add_opening(
        self: &Arc<Self>,
        name: String,
        file: RecordingFile,
    ) -> Result<(TraceListEntry, TraceOpener), TooManyTraces> {
        let (trace, opener) = CompleteTrace::opening(name, file);
        let listed = self.insert(TraceEntry::Complete(trace))?;
        let opener = opener.listed_in(self, listed.id);
        Ok((listed, opener))
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
            TraceEntry::Complete(trace) => (trace.name(), false),
            TraceEntry::Live(trace) => (trace.name(), true),
        };
        Self {
            id,
            name: name.to_owned(),
            live,
        }
    }
}
