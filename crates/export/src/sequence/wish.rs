//! What a sequence diagram is to show.

use crate::naming;
use rtoscope_analysis::active::Active;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{EventIndex, Party, Ticks, Trace};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a diagram is to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// Which part of the trace.
    pub window: Window,
    /// Whose doings: rows that touch none of these are left out. Whom they
    /// exchange messages with is there too, but only with these messages. Empty
    /// for all.
    pub objects: Vec<Party>,
    /// Which signals, by name, and what steps do that handle them; a signal has
    /// to fit one of these. Empty for all.
    pub signals: Vec<Glob>,
    /// What else than messages.
    pub show: Show,
    /// How many rows at most.
    pub most: usize,
}

/// A part of a trace. Ends are not included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Window {
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
pub struct Show {
    /// States that are reached.
    pub states: bool,
    /// Actions that are executed.
    pub actions: bool,
    /// Timers that are started and stopped. That they expire is a message.
    pub timers: bool,
    /// Functions of which the application tells that they are called.
    pub calls: bool,
}

impl Default for Show {
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

impl Default for Wish {
    /// The first 2000 rows of everything but actions.
    fn default() -> Self {
        Self {
            window: Window::All,
            objects: Vec::new(),
            signals: Vec::new(),
            show: Show::default(),
            most: 2000,
        }
    }
}

impl Wish {
    /// Whether something that touches these is wanted.
    pub(super) fn wants(&self, parties: &[Party]) -> bool {
        self.objects.is_empty() || parties.iter().any(|party| self.objects.contains(party))
    }

    /// Whether something with a signal of that name, or with none, is wanted.
    pub(super) fn fits(&self, signal: Option<&str>) -> bool {
        let fits = |name| self.signals.iter().any(|glob| glob.matches(name));
        self.signals.is_empty() || signal.is_some_and(fits)
    }
}

impl Window {
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
pub fn parties(trace: &Trace, active: &Active) -> Vec<(Party, String)> {
    let posts = active.posts.iter().map(|post| post.from);
    let calls = active.calls.iter().flat_map(|call| [call.from, call.to]);
    let objects = active.objects.iter().copied().map(Party::Object);
    let mut all: BTreeSet<_> = posts.chain(calls).chain(objects).collect();
    all.remove(&Party::Unknown);
    for run in &active.timers {
        all.remove(&Party::Other(run.timer));
    }
    all.into_iter()
        .map(|party| (party, naming::party(trace, party)))
        .collect()
}
