//! Declared deadlines, with the names of their sources resolved.

use crate::AnalyzedRecording;
use crate::naming::{NameFormatter, find_named};
use crate::report::periods::{ActivationSource, event_kinds_named};
use crate::schedule::Schedule;
use crate::timing::{DeadlineDeclaration, DeadlineSubject, DeclaredDuration};
use rtoscope_trace::{ContextId, Ticks, Trace};
use std::collections::BTreeSet;

/// Limits for the activations of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    /// Its name.
    pub name: String,
    /// The source.
    pub source: ActivationSource,
    /// The period: a maximum, or with `jitter` the nominal one.
    pub period: Option<Ticks>,
    /// The maximum deviation from the period, in both directions.
    pub jitter: Option<Ticks>,
    /// The maximum response time.
    pub deadline: Option<Ticks>,
}

impl AnalyzedRecording {
    /// Adds a declared deadline; an error describes which name or time is unknown.
    pub(crate) fn add_deadline(&mut self, declared: &DeadlineDeclaration) -> Result<(), String> {
        let ticks = |duration: Option<DeclaredDuration>| {
            duration.map(|it| it.ticks(&self.trace)).transpose()
        };
        let deadline = Deadline {
            name: declared.name.clone(),
            period: ticks(declared.period)?,
            jitter: ticks(declared.jitter)?,
            deadline: ticks(declared.deadline)?,
            source: self.source(&declared.subject)?,
        };
        self.deadlines.push(deadline);
        Ok(())
    }

    fn source(&self, subject: &DeadlineSubject) -> Result<ActivationSource, String> {
        let trace = &self.trace;
        match subject {
            DeadlineSubject::Thread(name) => {
                let threads = trace.contexts.threads().map(|it| it.id);
                Ok(ActivationSource::Thread(context(
                    trace, "thread", threads, name,
                )?))
            }
            DeadlineSubject::Object(name) => self.object(name).map(ActivationSource::Dispatch),
            DeadlineSubject::State { object, state } => {
                let object = self.object(object)?;
                let intervals = self.active.state_intervals.get(object.index());
                let states = intervals.into_iter().flatten().map(|it| it.state);
                let states: BTreeSet<_> = states.collect();
                let states = states
                    .into_iter()
                    .map(|it| (it, NameFormatter(trace).vertex(it)));
                find_named("state", states, state).map(|it| ActivationSource::State(object, it))
            }
            DeadlineSubject::Isr(name) => isr(&self.schedule, name),
            DeadlineSubject::Event(name) => match event_kinds_named(trace, name).as_slice() {
                [kind] => Ok(ActivationSource::Event(*kind)),
                [] => Err(format!("the trace has no event {name:?}")),
                _ => Err(format!("several kinds of events are named {name:?}")),
            },
        }
    }

    fn object(&self, name: &str) -> Result<ContextId, String> {
        let objects = self.active.objects.iter().copied();
        context(&self.trace, "active object", objects, name)
    }
}

fn context(
    trace: &Trace,
    what: &str,
    contexts: impl Iterator<Item = ContextId>,
    name: &str,
) -> Result<ContextId, String> {
    find_named(what, contexts.map(|id| (id, trace.context_name(id))), name)
}

fn isr(schedule: &Schedule, name: &str) -> Result<ActivationSource, String> {
    let numbers = schedule.activations.iter().filter_map(|it| it.number);
    let numbers: BTreeSet<_> = numbers.collect();
    let by_number = name.parse().ok().filter(|it| numbers.contains(it));
    let found = by_number.map_or_else(
        || {
            let names = numbers.iter().map(|it| (*it, schedule.isr_name(Some(*it))));
            find_named("interrupt service routine", names, name)
        },
        Ok,
    );
    found.map(|number| ActivationSource::Isr(Some(number)))
}
