//! Sequence diagrams: who sent what to whom, and what came of it.
//!
//! [`SequenceDiagram::new`] makes the model; [`svg`], [`mermaid`], [`plantuml`] and
//! [`msc_generator`] write it down.

mod builder;
pub mod mermaid;
pub mod msc_generator;
mod options;
pub mod plantuml;
mod row_builder;
mod row_sources;
mod script_lines;
mod step_bars;
pub mod svg;

pub use options::{DiagramWindow, RowOptions, SequenceOptions, endpoints};

use rtoscope_analysis::active::ActiveObjects;
use rtoscope_trace::{Endpoint, EventIndex, Ticks, Trace};

/// A sequence diagram, whatever draws it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SequenceDiagram {
    /// Who takes part, from left to right: whoever is unknown, then those that
    /// are no active objects by their first row, then active objects by the
    /// order of their context.
    pub lifelines: Vec<Lifeline>,
    /// What happened, from top to bottom, in trace order.
    pub rows: Vec<DiagramRow>,
    /// When active objects handled events, by their first row.
    pub bars: Vec<StepBar>,
    /// How many further rows the wish's limit left out, at the end.
    pub skipped_rows: usize,
}

/// A lifeline of a diagram: index into [`SequenceDiagram::lifelines`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LifelineId(pub usize);

/// A row of a diagram: index into [`SequenceDiagram::rows`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub usize);

/// Someone who takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifeline {
    /// Who.
    pub endpoint: Endpoint,
    /// The name, or the address where there is none.
    pub name: String,
    /// The state in which it stayed when the diagram begins, where that is known.
    pub state: Option<String>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramRow {
    /// The event of the trace that tells.
    pub event: EventIndex,
    /// The number of that in the recording of which the trace may be a part.
    pub number: u64,
    /// When.
    pub time: Ticks,
    /// The time since the first event of that, for people.
    pub time_text: String,
    /// What it is.
    pub kind: RowKind,
    /// What to write at it.
    pub label: String,
    /// The event in full: number, time, kind and arguments.
    pub details: String,
}

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// An event is put into a queue.
    Post {
        /// By whom.
        from: LifelineId,
        /// Whose queue.
        to: LifelineId,
        /// Whether it was put at the front, a recalled one too.
        to_front: bool,
        /// Whether a timer that expired sent it.
        from_timer: bool,
        /// The row at which it is taken, if that is in the diagram.
        take_row: Option<RowId>,
    },
    /// An event is taken from a queue: a step begins. The initial transition too.
    Take {
        /// By whom.
        on: LifelineId,
        /// The row at which it was put there, if that is in the diagram.
        post_row: Option<RowId>,
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
pub struct StepBar {
    /// Who.
    pub on: LifelineId,
    /// The event of the trace with which it begins.
    pub event: EventIndex,
    /// The first row of it.
    pub first: RowId,
    /// The last row of it; its own first at least.
    pub last: RowId,
    /// Whether it began before the diagram does.
    pub starts_before: bool,
    /// Whether its end is not in the diagram, or not known.
    pub is_open_ended: bool,
    /// How many bars of the same lifeline it lies in.
    pub depth: usize,
    /// What it handles, when, and for how long.
    pub details: String,
}

impl SequenceDiagram {
    /// The diagram of what a wish asks for.
    pub fn new(trace: &Trace, active: &ActiveObjects, wish: &SequenceOptions) -> Self {
        builder::build(trace, active, wish)
    }

    /// The note that says how many rows the limit left out; `None` if none.
    pub fn skipped_rows_note(&self) -> Option<String> {
        match self.skipped_rows {
            0 => None,
            1 => Some("1 more row left out".to_owned()),
            count => Some(format!("{count} more rows left out")),
        }
    }
}

impl RowKind {
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
