//! Sequence diagrams: messages between active objects, and their steps.
//!
//! [`SequenceDiagram::new`] builds the model; [`svg`] and [`text_formats`]
//! render it.

mod builder;
mod options;
mod row_builder;
mod row_sources;
mod script_lines;
mod step_bars;
pub mod svg;
pub mod text_formats;

pub use options::{DiagramWindow, RowOptions, SequenceOptions, endpoints};

use rtoscope_analysis::active::ActiveObjects;
use rtoscope_trace::{Endpoint, EventIndex, Ticks, Trace};
use std::fmt;

/// The model of a sequence diagram.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SequenceDiagram {
    /// The lifelines from left to right: unknown senders first, then those other
    /// than active objects by their first row, then active objects by context.
    pub lifelines: Vec<Lifeline>,
    /// The rows from top to bottom, in trace order.
    pub rows: Vec<DiagramRow>,
    /// The steps of active objects, by first row.
    pub bars: Vec<StepBar>,
    /// The number of rows skipped at the end because of the limit.
    pub skipped_rows: usize,
}

/// A lifeline of a diagram: index into [`SequenceDiagram::lifelines`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LifelineId(pub usize);

impl fmt::Display for LifelineId {
    /// Its identifier in text formats.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "p{}", self.0)
    }
}

/// A row of a diagram: index into [`SequenceDiagram::rows`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub usize);

/// A participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifeline {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The name, or the address where there is none.
    pub name: String,
    /// The state at the start of the diagram, if known.
    pub state: Option<String>,
}

/// A row of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramRow {
    /// The event of the row.
    pub event: EventIndex,
    /// The event's number in the recording; the trace may be a part of it.
    pub number: u64,
    /// The time.
    pub time: Ticks,
    /// The formatted time since the first event of the recording.
    pub time_text: String,
    /// The kind of the row.
    pub kind: RowKind,
    /// The label.
    pub label: String,
    /// The complete event: number, time, kind and arguments.
    pub details: String,
}

/// The kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// An event is posted to a queue.
    Post {
        /// The lifeline.
        from: LifelineId,
        /// The receiver.
        to: LifelineId,
        /// Whether it was posted to the front; also true for a recalled event.
        to_front: bool,
        /// Whether an expired timer posted it.
        from_timer: bool,
        /// The row at which it is taken, if that is in the diagram.
        take_row: Option<RowId>,
    },
    /// An event is taken from a queue: a step starts. Also the initial transition.
    Take {
        /// The lifeline.
        on: LifelineId,
        /// The row at which it was posted, if that is in the diagram.
        post_row: Option<RowId>,
    },
    /// An event is deferred.
    Defer {
        /// The lifeline.
        on: LifelineId,
    },
    /// A function call that the application traces.
    Call {
        /// The lifeline.
        from: LifelineId,
        /// The callee; the caller itself for a plain function execution.
        to: LifelineId,
    },
    /// A timer is started.
    TimerStart {
        /// The receiver of its event.
        on: LifelineId,
    },
    /// A timer is stopped.
    TimerStop {
        /// The receiver of its event.
        on: LifelineId,
    },
    /// A timer expires, and the post of its event is not in the diagram.
    Timeout {
        /// The receiver of its event.
        on: LifelineId,
    },
    /// A state is entered.
    State {
        /// The lifeline.
        on: LifelineId,
    },
    /// An action runs.
    Action {
        /// The lifeline.
        on: LifelineId,
    },
    /// An event is not handled: it finds no transition, guard or branch, or the
    /// machine fails.
    Refused {
        /// The lifeline.
        on: LifelineId,
    },
    /// Records are missing before the next row.
    Gap,
    /// The target restarted.
    Restart,
}

/// A step: from the row at which an active object takes an event to the last row of
/// the step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepBar {
    /// The endpoint.
    pub on: LifelineId,
    /// The event that starts the step.
    pub event: EventIndex,
    /// The first row of the step.
    pub first: RowId,
    /// The last row of the step, at least its first one.
    pub last: RowId,
    /// Whether it starts before the diagram.
    pub starts_before: bool,
    /// Whether its end is after the diagram, or unknown.
    pub is_open_ended: bool,
    /// The number of enclosing bars on the same lifeline.
    pub depth: usize,
    /// The handled event, the time and the duration.
    pub details: String,
}

impl SequenceDiagram {
    /// Builds the diagram for these options.
    pub fn new(trace: &Trace, active: &ActiveObjects, options: &SequenceOptions) -> Self {
        builder::build(trace, active, options)
    }

    /// A note with the number of rows that the limit skipped; `None` if none.
    pub fn skipped_rows_note(&self) -> Option<String> {
        match self.skipped_rows {
            0 => None,
            1 => Some("1 more row skipped".to_owned()),
            count => Some(format!("{count} more rows skipped")),
        }
    }
}

impl RowKind {
    /// The lifelines of the row.
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
