//! Sequence diagrams: who sent what to whom, and what came of it.
//!
//! [`Sequence::of`] makes the model; [`svg`], [`mermaid`], [`plantuml`] and
//! [`msc_generator`] write it down.

mod bars;
mod build;
mod collect;
mod describe;
pub mod mermaid;
pub mod msc_generator;
pub mod plantuml;
mod script;
pub mod svg;
mod wish;

pub use wish::{Show, Window, Wish, parties};

use rtoscope_analysis::active::Active;
use rtoscope_trace::{EventIndex, Party, Ticks, Trace};

/// A sequence diagram, whatever draws it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Who takes part, from left to right: whoever is unknown, then those that
    /// are no active objects by their first row, then active objects by the
    /// order of their context.
    pub lifelines: Vec<Lifeline>,
    /// What happened, from top to bottom, in trace order.
    pub rows: Vec<Row>,
    /// When active objects handled events, by their first row.
    pub bars: Vec<Bar>,
    /// How many further rows the wish's limit left out, at the end.
    pub left_out: usize,
}

/// A lifeline of a diagram: index into [`Sequence::lifelines`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LifelineId(pub usize);

/// A row of a diagram: index into [`Sequence::rows`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub usize);

/// Someone who takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifeline {
    /// Who.
    pub party: Party,
    /// The name, or the address where there is none.
    pub name: String,
    /// The state in which it stayed when the diagram begins, where that is known.
    pub state: Option<String>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The event of the trace that tells.
    pub event: EventIndex,
    /// The number of that in the recording of which the trace may be a part.
    pub number: u64,
    /// When.
    pub time: Ticks,
    /// The time since the first event of that, for people.
    pub clock: String,
    /// What it is.
    pub mark: Mark,
    /// What to write at it.
    pub label: String,
    /// The event in full: number, time, kind and arguments.
    pub details: String,
}

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// An event is put into a queue.
    Post {
        /// By whom.
        from: LifelineId,
        /// Whose queue.
        to: LifelineId,
        /// Whether it was put at the front, a recalled one too.
        front: bool,
        /// Whether a timer that expired sent it.
        timer: bool,
        /// The row at which it is taken, if that is in the diagram.
        taken: Option<RowId>,
    },
    /// An event is taken from a queue: a step begins. The initial transition too.
    Take {
        /// By whom.
        on: LifelineId,
        /// The row at which it was put there, if that is in the diagram.
        posted: Option<RowId>,
    },
    /// An event is put aside.
    Defer {
        /// By whom.
        on: LifelineId,
    },
    /// A function is called, of which the application tells.
    Call {
        /// By whom.
        from: LifelineId,
        /// Who is called; the caller itself if the function only executes.
        to: LifelineId,
    },
    /// A timer is started.
    TimerStart {
        /// Whom it will send to.
        on: LifelineId,
    },
    /// A timer is stopped.
    TimerStop {
        /// Whom it would have sent to.
        on: LifelineId,
    },
    /// A timer expires, and no post of its event is in the diagram.
    Timeout {
        /// Whom it sends to.
        on: LifelineId,
    },
    /// A state is reached.
    State {
        /// By whom.
        on: LifelineId,
    },
    /// An action was executed.
    Action {
        /// By whom.
        on: LifelineId,
    },
    /// An event came to nothing: no transition, no guard, no branch took it, or
    /// the machine failed.
    Refused {
        /// By whom.
        on: LifelineId,
    },
    /// Records are missing before this.
    Gap,
    /// The target started again.
    Restart,
}

/// A step: from the row where an active object takes an event to the last row
/// that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// Who.
    pub on: LifelineId,
    /// The event of the trace with which it begins.
    pub event: EventIndex,
    /// The first row of it.
    pub first: RowId,
    /// The last row of it; its own first at least.
    pub last: RowId,
    /// Whether it began before the diagram does.
    pub from_before: bool,
    /// Whether its end is not in the diagram, or not known.
    pub open: bool,
    /// How many bars of the same lifeline it lies in.
    pub depth: usize,
    /// What it handles, when, and for how long.
    pub details: String,
}

impl Sequence {
    /// The diagram of what a wish asks for.
    pub fn of(trace: &Trace, active: &Active, wish: &Wish) -> Self {
        build::build(trace, active, wish)
    }

    /// The note that says how many rows the limit left out; `None` if none.
    pub fn left_out_note(&self) -> Option<String> {
        match self.left_out {
            0 => None,
            1 => Some("1 more row left out".to_owned()),
            count => Some(format!("{count} more rows left out")),
        }
    }
}

impl Mark {
    /// The lifelines that it touches.
    fn lifelines(&mut self) -> impl Iterator<Item = &mut LifelineId> {
        let [first, second] = match self {
            Self::Post { from, to, .. } | Self::Call { from, to } => [Some(from), Some(to)],
            Self::Take { on, .. }
            | Self::Defer { on }
            | Self::TimerStart { on }
            | Self::TimerStop { on }
            | Self::Timeout { on }
            | Self::State { on }
            | Self::Action { on }
            | Self::Refused { on } => [Some(on), None],
            Self::Gap | Self::Restart => [None, None],
        };
        first.into_iter().chain(second)
    }
}
