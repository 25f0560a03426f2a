//! A snapshot of a live trace.

use rtoscope_decode::live::HostTime;
use rtoscope_session::{Overrides, Query, QueryError, QueryResponse, RecordingPart, Session};
use std::sync::{Arc, PoisonError, RwLock};

/// An analysed part of a live trace. Its events never change; the user's overrides do.
pub(super) struct Snapshot {
    /// Later snapshots have higher numbers.
    pub(super) number: u64,
    pub(super) info: SnapshotInfo,
    current: RwLock<CurrentSession>,
}

/// Properties of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SnapshotInfo {
    pub(super) part: RecordingPart,
    /// In ticks.
    pub(super) span: u64,
    /// When its newest byte arrived.
    pub(super) received: Option<HostTime>,
}

/// A session and the version of the overrides applied to it.
struct CurrentSession {
    session: Session,
    overrides_version: u64,
}

/// The user's overrides for a live trace, with a version.
#[derive(Debug, Clone, Default)]
pub(super) struct VersionedOverrides {
    pub(super) version: u64,
    pub(super) overrides: Overrides,
}

/// A snapshot without a number.
pub(super) struct UnnumberedSnapshot {
    info: SnapshotInfo,
    session: Session,
}

impl UnnumberedSnapshot {
    /// A snapshot of a part of a recording.
    pub(super) fn new(session: Session, received: Option<HostTime>) -> Self {
        let info = SnapshotInfo {
            part: session.part(),
            span: session.span(),
            received,
        };
        Self { info, session }
    }

    /// Number of events.
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
    /// Answers a query with the latest overrides.
    pub(super) fn query(
        &self,
        query: &Query,
        overrides: &VersionedOverrides,
    ) -> Result<QueryResponse, QueryError> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        if current.overrides_version >= overrides.version {
            return current.session.query(query);
        }
        drop(current);
        {
            let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
            if current.overrides_version < overrides.version {
                overrides.overrides.apply_to(&mut current.session);
                current.overrides_version = overrides.version;
            }
        }
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.session.query(query)
    }
}
