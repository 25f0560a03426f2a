//! What a sequence diagram is to show.

use crate::naming;
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{Endpoint, EventIndex, Ticks, Trace};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a diagram is to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequenceOptions {
    /// Which part of the trace.
    pub window: DiagramWindow,
    /// Whose doings: rows that touch none of these are left out. Whom they
    /// exchange messages with is there too, but only with these messages. Empty
    /// for all.
    pub objects: Vec<Endpoint>,
    /// Which signals, by name, and what steps do that handle them; a signal has
    /// to fit one of these. Empty for all.
    pub signals: Vec<Glob>,
    /// What else than messages.
    pub show: RowOptions,
    /// How many rows at most.
    pub max_rows: usize,
}

/// A part of a trace. Ends are not included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum DiagramWindow {
    /// The whole trace.
    #[default]
    All,
    /// A time since the first event.
    Time(Range<Ticks>),
    /// Events by number.
    Events(Range<EventIndex>),
}

/// What a diagram shows beside messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowOptions {
    /// States that are reached.
    pub states: bool,
    /// Actions that are executed.
    pub actions: bool,
    /// Timers that are started and stopped. That they expire is a message.
    pub timers: bool,
    /// Functions of which the application tells that they are called.
    pub calls: bool,
}

impl Default for RowOptions {
    /// All but actions.
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
    /// The first 2000 rows of everything but actions.
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
    /// Whether something that touches these is wanted.
    pub(super) fn includes(&self, parties: &[Endpoint]) -> bool {
        self.objects.is_empty() || parties.iter().any(|party| self.objects.contains(party))
    }

    /// Whether something with a signal of that name, or with none, is wanted.
    pub(super) fn includes_signal(&self, signal: Option<&str>) -> bool {
        let fits = |name| self.signals.iter().any(|glob| glob.matches(name));
        self.signals.is_empty() || signal.is_some_and(fits)
    }
}

impl DiagramWindow {
    /// The numbers of its events.
    pub(super) fn events(&self, trace: &Trace) -> Range<EventIndex> {
        let times = &trace.events.time;
        let first_at = |time: Ticks| times.partition_point(|other| *other < time.0);
        let index = |number: usize| EventIndex(u32::try_from(number).unwrap_or(u32::MAX));
        match self {
            Self::All => index(0)..index(times.len()),
            Self::Time(range) => index(first_at(range.start))..index(first_at(range.end)),
            Self::Events(range) => range.start..range.end.min(index(times.len())),
        }
    }
}

/// Everyone who can have a lifeline, with the name: active objects by the order
/// of their context, then others by address. Timers have none.
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
        .map(|party| (party, naming::endpoint_name(trace, party)))
        .collect()
}
