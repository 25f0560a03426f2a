//! The options of a sequence diagram.

use crate::naming;
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{Endpoint, EventIndex, Ticks, Trace};
use std::collections::BTreeSet;
use std::ops::Range;

/// The contents of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequenceOptions {
    /// The part of the trace.
    pub window: DiagramWindow,
    /// Only rows in which these objects take part. Their communication partners are
    /// included, but only with these messages. Empty: all objects.
    pub objects: Vec<Endpoint>,
    /// Only events of signals whose name matches one of these, and the steps that
    /// handle them. Empty: all signals.
    pub signals: Vec<Glob>,
    /// The rows in addition to messages.
    pub show: RowOptions,
    /// The maximum number of rows.
    pub max_rows: usize,
}

/// A part of a trace. The end is exclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum DiagramWindow {
    /// The whole trace.
    #[default]
    All,
    /// A range of times since the first event.
    Time(Range<Ticks>),
    /// A range of event numbers.
    Events(Range<EventIndex>),
}

/// The rows in addition to messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowOptions {
    /// States that are entered.
    pub states: bool,
    /// Actions that run.
    pub actions: bool,
    /// Timer starts and stops. Their expiry is a message.
    pub timers: bool,
    /// Function calls that the application traces.
    pub calls: bool,
}

impl Default for RowOptions {
    /// Everything except actions.
    fn default() -> Self {
        Self {
            states: true,
            actions: false,
            timers: true,
            calls: true,
        }
    }
}

impl Default for SequenceOptions {
    /// The first 2000 rows of everything except actions.
    fn default() -> Self {
        Self {
            window: DiagramWindow::All,
            objects: Vec::new(),
            signals: Vec::new(),
            show: RowOptions::default(),
            max_rows: 2000,
        }
    }
}

impl SequenceOptions {
    /// Whether to include a row with these endpoints.
    pub(super) fn includes(&self, endpoints: &[Endpoint]) -> bool {
        self.objects.is_empty()
            || endpoints
                .iter()
                .any(|endpoint| self.objects.contains(endpoint))
    }

    /// Whether to include a row with this signal, or without one.
    pub(super) fn includes_signal(&self, signal: Option<&str>) -> bool {
        let fits = |name| self.signals.iter().any(|glob| glob.matches(name));
        self.signals.is_empty() || signal.is_some_and(fits)
    }
}

impl DiagramWindow {
    /// The numbers of the events in the window.
    pub(super) fn events(&self, trace: &Trace) -> Range<EventIndex> {
        let events = &trace.events;
        let end = EventIndex(u32::try_from(events.len()).unwrap_or(u32::MAX));
        match self {
            Self::All => EventIndex(0)..end,
            Self::Time(range) => {
                events.index_at_or_after(range.start)..events.index_at_or_after(range.end)
            }
            Self::Events(range) => range.start..range.end.min(end),
        }
    }
}

/// All possible endpoints of lifelines, with their names: active objects by
/// context, then others by address. Timers have no lifeline.
pub fn endpoints(trace: &Trace, active: &ActiveObjects) -> Vec<(Endpoint, String)> {
    let posts = active.posts.iter().map(|post| post.from);
    let calls = active.calls.iter().flat_map(|call| [call.from, call.to]);
    let objects = active.objects.iter().copied().map(Endpoint::Object);
    let mut all: BTreeSet<_> = posts.chain(calls).chain(objects).collect();
    all.remove(&Endpoint::Unknown);
    for run in &active.timer_runs {
        all.remove(&Endpoint::Other(run.timer));
    }
    all.into_iter()
        .map(|endpoint| (endpoint, naming::endpoint_name(trace, endpoint)))
        .collect()
}
