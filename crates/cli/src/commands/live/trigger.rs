//! When a capture ends by itself.

use rtoscope_trace::filter::{Filter, FilterProblem};
use rtoscope_trace::{EventIndex, Trace};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When a capture ends: after a time, or some time after an event.
#[derive(Clone)]
pub(super) struct Deadline {
    at: Arc<Mutex<Option<Instant>>>,
    after: Duration,
}

impl Deadline {
    pub(super) fn new(duration: Option<Duration>, after: Duration) -> Self {
        let at = duration.and_then(|duration| Instant::now().checked_add(duration));
        Self {
            at: Arc::new(Mutex::new(at)),
            after,
        }
    }

    /// The event came that it was waited for.
    pub(super) fn trigger(&self) {
        let end = Instant::now() + self.after;
        let mut at = self.at();
        *at = Some(at.map_or(end, |at| at.min(end)));
    }

    pub(super) fn is_over(&self) -> bool {
        self.at().is_some_and(|at| Instant::now() >= at)
    }

    fn at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An expression about events of which not all names are known from the start.
pub(super) struct Condition {
    filter: Filter,
    /// What could not be found so far.
    pub(super) unknown: Option<String>,
}

impl Condition {
    pub(super) fn parse(option: &str, text: &str) -> anyhow::Result<Self> {
        let filter = Filter::parse(text).map_err(|error| anyhow::anyhow!("{option}: {error}"))?;
        Ok(Self {
            filter,
            unknown: None,
        })
    }

    /// The expression for the events of a part; `None` while the recording has
    /// not named what the expression names, so that no event can match.
    pub(super) fn bind<'t>(
        &mut self,
        trace: &'t Trace,
    ) -> anyhow::Result<Option<rtoscope_trace::filter::BoundFilter<'t>>> {
        match self.filter.bind(trace) {
            Ok(bound) => {
                self.unknown = None;
                Ok(Some(bound))
            }
            Err(error) if matches!(error.problem(), FilterProblem::UnknownName { .. }) => {
                self.unknown = Some(error.problem().to_string());
                Ok(None)
            }
            Err(error) => Err(anyhow::anyhow!("{error}")),
        }
    }

    /// The first event from a number on that matches.
    pub(super) fn first(&mut self, trace: &Trace, from: u32) -> anyhow::Result<Option<EventIndex>> {
        let bound = self.bind(trace)?;
        Ok(bound.and_then(|bound| bound.matching().find(|event| event.0 >= from)))
    }
}
