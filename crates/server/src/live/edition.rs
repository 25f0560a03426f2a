//! A part of a live trace that can be asked.

use rtoscope_decode::Recording;
use rtoscope_decode::live::Moment;
use rtoscope_session::{Answer, AskError, Part, Query, Session, Told};
use std::sync::{Arc, PoisonError, RwLock};

/// A part of a live trace, analysed. What it shows never changes; what was told
/// about the trace does.
pub(super) struct Edition {
    /// Later editions have higher numbers.
    pub(super) number: u64,
    pub(super) made: Made,
    current: RwLock<Current>,
}

/// What an edition is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Made {
    pub(super) part: Part,
    /// In ticks.
    pub(super) span: u64,
    /// When its newest byte came.
    pub(super) received: Option<Moment>,
}

/// A session, and which remarks it knows.
struct Current {
    session: Session,
    remarks: u64,
}

/// What was told about a live trace, and how often something was.
#[derive(Debug, Clone, Default)]
pub(super) struct Remarks {
    pub(super) version: u64,
    pub(super) told: Told,
}

/// An edition that has no number yet.
pub(super) struct Draft {
    made: Made,
    session: Session,
}

impl Draft {
    /// Analyses a part of a recording.
    pub(super) fn new(name: &str, recording: Recording, received: Option<Moment>) -> Self {
        let session = Session::new(name, recording);
        let made = Made {
            part: session.part(),
            span: session.span(),
            received,
        };
        Self { made, session }
    }

    /// How many events it has.
    pub(super) fn events(&self) -> u64 {
        self.made.part.events.into()
    }

    pub(super) fn numbered(self, number: u64) -> Arc<Edition> {
        Arc::new(Edition {
            number,
            made: self.made,
            current: RwLock::new(Current {
                session: self.session,
                remarks: 0,
            }),
        })
    }
}

impl Edition {
    /// Answers a question, in view of what was told last.
    pub(super) fn ask(&self, query: &Query, remarks: &Remarks) -> Result<Answer, AskError> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        if current.remarks >= remarks.version {
            return current.session.ask(query);
        }
        drop(current);
        {
            let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
            if current.remarks < remarks.version {
                remarks.told.pass_on(&mut current.session);
                current.remarks = remarks.version;
            }
        }
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.session.ask(query)
    }
}
