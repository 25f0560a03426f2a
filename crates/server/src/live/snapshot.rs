//! A part of a live trace that can be asked.

use rtoscope_decode::DecodedRecording;
use rtoscope_decode::live::HostTime;
use rtoscope_session::{Overrides, Query, QueryError, QueryResponse, RecordingPart, Session};
use std::sync::{Arc, PoisonError, RwLock};

/// A part of a live trace, analysed. What it shows never changes; what was told
/// about the trace does.
pub(super) struct Snapshot {
    /// Later editions have higher numbers.
    pub(super) number: u64,
    pub(super) info: SnapshotInfo,
    current: RwLock<CurrentSession>,
}

/// What an edition is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SnapshotInfo {
    pub(super) part: RecordingPart,
    /// In ticks.
    pub(super) span: u64,
    /// When its newest byte came.
    pub(super) received: Option<HostTime>,
}

/// A session, and which remarks it knows.
struct CurrentSession {
    session: Session,
    overrides_version: u64,
}

/// What was told about a live trace, and how often something was.
#[derive(Debug, Clone, Default)]
pub(super) struct VersionedOverrides {
    pub(super) version: u64,
    pub(super) overrides: Overrides,
}

/// An edition that has no number yet.
pub(super) struct UnnumberedSnapshot {
    info: SnapshotInfo,
    session: Session,
}

impl UnnumberedSnapshot {
    /// Analyses a part of a recording.
    pub(super) fn new(name: &str, recording: DecodedRecording, received: Option<HostTime>) -> Self {
        let session = Session::new(name, recording);
        let made = SnapshotInfo {
            part: session.part(),
            span: session.span(),
            received,
        };
        Self {
            info: made,
            session,
        }
    }

    /// How many events it has.
    pub(super) fn events(&self) -> u64 {
        self.info.part.events.into()
    }

    pub(super) fn numbered(self, number: u64) -> Arc<Snapshot> {
        Arc::new(Snapshot {
            number,
            info: self.info,
            current: RwLock::new(CurrentSession {
                session: self.session,
                overrides_version: 0,
            }),
        })
    }
}

impl Snapshot {
    /// Answers a question, in view of what was told last.
    pub(super) fn query(
        &self,
        query: &Query,
        remarks: &VersionedOverrides,
    ) -> Result<QueryResponse, QueryError> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        if current.overrides_version >= remarks.version {
            return current.session.query(query);
        }
        drop(current);
        {
            let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
            if current.overrides_version < remarks.version {
                remarks.overrides.apply_to(&mut current.session);
                current.overrides_version = remarks.version;
            }
        }
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.session.query(query)
    }
}
