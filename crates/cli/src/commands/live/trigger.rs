//! Automatic ends of a capture.

use rtoscope_trace::filter::{BoundFilter, Filter, FilterProblem};
use rtoscope_trace::{EventIndex, Trace};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The end of a capture: after a time, or some time after an event.
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

    /// Starts the countdown: the awaited event has arrived.
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

/// A filter expression in which some names may still be unknown.
pub(super) struct Condition {
    filter: Filter,
    /// The names not found so far; `None` before the first part.
    unresolved: Option<Vec<FilterProblem>>,
}

impl Condition {
    pub(super) fn parse(option: &str, text: &str) -> anyhow::Result<Self> {
        let filter = Filter::parse(text).map_err(|error| anyhow::anyhow!("{option}: {error}"))?;
        Ok(Self {
            filter,
            unresolved: None,
        })
    }

    /// Binds the expression to a part. An unknown name matches nothing.
    pub(super) fn bind<'t>(&mut self, trace: &'t Trace) -> anyhow::Result<BoundFilter<'t>> {
        let mut unknown = Vec::new();
        let bound = self.filter.bind_partial(trace, &mut unknown);
        let bound = bound.map_err(|error| anyhow::anyhow!("{error}"))?;
        match &mut self.unresolved {
            // A part may lack names that earlier parts had.
            Some(known) => {
                known.retain(|it| unknown.iter().any(|other| is_same_problem(it, other)));
            }
            None => self.unresolved = Some(unknown),
        }
        Ok(bound)
    }

    /// The first matching event from `from`.
    pub(super) fn first_match(
        &mut self,
        trace: &Trace,
        from: u32,
    ) -> anyhow::Result<Option<EventIndex>> {
        let bound = self.bind(trace)?;
        Ok(bound.matching().find(|event| event.0 >= from))
    }

    /// Messages about names that are still unknown.
    pub(super) fn unresolved_names(&self) -> impl Iterator<Item = String> + '_ {
        self.unresolved.iter().flatten().map(ToString::to_string)
    }
}

/// Whether both problems are about the same name, whatever suggestions they
/// contain.
fn is_same_problem(one: &FilterProblem, other: &FilterProblem) -> bool {
    match (one, other) {
        (
            FilterProblem::UnknownName {
                noun: what, name, ..
            },
            FilterProblem::UnknownName {
                noun: other_what,
                name: other_name,
                ..
            },
        ) => (what, name) == (other_what, other_name),
        _ => one == other,
    }
}
