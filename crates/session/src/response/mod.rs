//! Responses of a session. Events and ticks count from the first event of the recording, also
//! if the trace is a part of it. JavaScript loses the last
//! digits of numbers above 2^53; where that matters, a text has all digits.

mod active;
mod cpu_load;
mod intervals;
mod live;
mod messages;
mod opening;
mod plot;
mod raw_events;

pub use active::{Diagram, MachineState, Post, Posts, StateMachine};
pub use cpu_load::{ContextLoad, CpuLoad};
pub use intervals::{DeclaredInterval, IntervalBars};
pub use live::{ConnectionState, ConnectionStatus, LiveStatus, RecordingOffset, SavedRecording};
pub use messages::{MessageBars, MessageEnd};
pub use opening::{OpeningDensity, OpeningPhase, OpeningProgress};
pub use plot::Plot;
pub use raw_events::RawEvents;

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The properties of a trace: the contract `rtoscope/session/1`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Overview {
    /// `rtoscope/session/1`.
    pub schema: &'static str,
    /// The name of the recording.
    pub name: String,
    /// The name of the recording's format.
    pub format: &'static str,
    /// The format and its variant, for people.
    pub format_description: String,
    /// Facts that only the format has.
    pub facts: Vec<FormatFact>,
    /// How a command opens the recording; null if it has no file, or another name in this
    /// system.
    pub source: Option<RecordingSource>,
    /// The position in a longer recording; else 0.
    pub base: RecordingOffset,
    /// Changes when a live recording assigns numbers of contexts, lanes, objects and so on
    /// anew. Until then they stay: entries that a part does not have are empty.
    pub ids_generation: u32,
    /// Number of events.
    pub events: u32,
    /// Ticks from the first event to the last.
    pub span: u64,
    /// The clock.
    pub clock: Clock,
    /// The numbers of the cores.
    pub cores: Vec<u8>,
    /// The contexts, by number: interrupt, initialisation, idle, threads.
    pub contexts: Vec<Context>,
    /// The lanes, by number.
    pub lanes: Vec<Lane>,
    /// The lanes that the trace has, in their default order.
    pub lane_order: Vec<u32>,
    /// The kinds of events that occur.
    pub kinds: Vec<EventKind>,
    /// The objects that the recording names, by number.
    pub objects: Vec<NamedObject>,
    /// The objects with a known level.
    pub levels: Vec<LevelResource>,
    /// The meaning of the class codes of bars.
    pub classes: Vec<BarClassName>,
    /// The gaps.
    pub gaps: Vec<Gap>,
    /// Problems and limitations of the recording.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of priority inversions.
    pub inversions: u32,
    /// The state machines with a known state, by context.
    pub machines: Vec<StateMachine>,
    /// Whether there are any state machines.
    pub has_machines: bool,
    /// The markers, by number.
    pub markers: Vec<Marker>,
    /// The kinds of events that the application defines, with the arguments that are
    /// numbers.
    pub user_events: Vec<UserEventKind>,
    /// The declared intervals.
    pub intervals: Vec<DeclaredInterval>,
    /// The names of the reports that apply to the trace.
    pub reports: Vec<ReportName>,
}

/// The findings or a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReportName {
    /// Its name in queries and on the command line.
    pub kind: &'static str,
    /// Its title.
    pub title: &'static str,
}

/// A fact about a recording that only its format has.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct FormatFact {
    /// What it is about.
    pub label: &'static str,
    /// The fact.
    pub value: String,
}

/// How a command opens the recording of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RecordingSource {
    /// The path of its file.
    pub file: String,
    /// The options with which it was opened.
    pub options: Vec<String>,
}

/// A trace's clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Clock {
    /// Ticks per second, if known.
    pub frequency_hz: Option<u64>,
    /// Where the frequency is from: `recording`, `command-line`, `project-file`, `notes` or
    /// `page`; null if it is unknown.
    pub source: Option<&'static str>,
    /// Why ticks do not measure time; null if they do. The frequency is null then.
    pub no_time: Option<String>,
    /// `good`, `static`, `event-counter`, `lossy`, `uneven` or `unknown`.
    pub quality: String,
    /// `up` or `down`.
    pub direction: String,
    /// Number of significant bits of a timestamp.
    pub bits: u32,
}

/// A context: what runs on a core.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Context {
    /// `interrupt`, `initialize`, `idle`, `thread` or `active-object`.
    pub kind: &'static str,
    /// Its name, truncated with an ellipsis if long.
    pub name: String,
    /// Its address, or the constant that represents it.
    pub address: String,
    /// The object that names the thread.
    pub object: Option<u32>,
    /// Number of events that it logged.
    pub events: u32,
    /// A thread's priority at its registration, else its first recorded one; 0 is the
    /// highest.
    pub priority: Option<u16>,
    /// CPU time in ticks; of a thread, without interrupts.
    pub cpu_time: u64,
}

/// What a lane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LaneKind {
    /// All events on one line; with a single core, its bars are the core's.
    Summary,
    /// The running context of a core.
    Core {
        /// The core's number.
        core: u8,
    },
    /// All interrupt service routines of a core, and their events.
    Interrupt {
        /// The core's number.
        core: u8,
    },
    /// One interrupt service routine of a core.
    Isr {
        /// The core's number.
        core: u8,
        /// The number that the application gave it, or its index among the routines
        /// identified by address; `null` for all routines without a number.
        number: Option<u32>,
    },
    /// Interrupts-off sections of a core, if the trace records them.
    InterruptsOff {
        /// The core's number.
        core: u8,
    },
    /// The spans and instants of a point of interest.
    Marker {
        /// The marker's number.
        marker: u32,
    },
    /// The items in a stage of a declared pipeline.
    PipelineStage {
        /// The pipeline's number.
        pipeline: u32,
        /// The stage's place in it, from 0.
        stage: u32,
    },
    /// The lines of a text log: the last one that was printed.
    TextLog {
        /// The log's number.
        log: u32,
    },
    /// Initialisation and idle time.
    InitializeIdle {
        /// The core's number.
        core: u8,
    },
    /// A thread, or an active object: running a step, or ready while events wait in its
    /// queue.
    Thread {
        /// Its context.
        context: u32,
    },
    /// The states of an active object's machine.
    Machine {
        /// The active object's context.
        context: u32,
    },
}

/// A lane of the timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Lane {
    /// What it shows.
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub kind: LaneKind,
    /// Its display name.
    pub name: String,
    /// Number of events that it shows.
    pub events: u32,
    /// Busy time in ticks; of a machine, the time in known states; of a marker, the time
    /// in which a span is open; of a stage, the time in which it has an item.
    pub busy_time: u64,
    /// Busy time in percent, as in reports: of the trace's length for lanes of one core,
    /// machines, markers and stages, of the time of all cores for threads and the summary. `null` if no
    /// time passes.
    pub share: Option<f64>,
}

/// A kind of event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventKind {
    /// The format's number.
    pub id: u32,
    /// Its display name, e.g. `tx_queue_send`.
    pub name: String,
    /// Its software component.
    pub component: String,
    /// The one to three characters of its icon.
    pub letters: String,
    /// The icon's upper, or only, colour: `#rrggbb`.
    pub colour: String,
    /// The icon's lower colour.
    pub lower_colour: String,
    /// The names of its arguments, by position; `null` if none is recorded.
    pub arguments: [Option<String>; 4],
    /// Number of events of this kind.
    pub events: u32,
}

/// A marker: spans and instants of one name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Marker {
    /// Its name, truncated if long.
    pub name: String,
    /// Number of spans.
    pub spans: u32,
    /// Number of instants.
    pub instants: u32,
}

/// A kind of events that the application defines.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct UserEventKind {
    /// The format's number.
    pub number: u32,
    /// Its display name.
    pub name: String,
    /// The names of the arguments that are numbers.
    pub arguments: Vec<String>,
}

/// An object that the recording names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct NamedObject {
    /// Its class, e.g. `queue`.
    pub class: &'static str,
    /// Its name, truncated if long, or its address if it has none.
    pub name: String,
    /// Its address on the target.
    pub address: String,
    /// Its recorded parameters, e.g. `stack bytes`, 1024.
    pub parameters: Vec<(&'static str, u64)>,
    /// Whether it was deleted.
    pub deleted: bool,
    /// The context, if it is a thread that ran.
    pub context: Option<u32>,
}

/// An object with a known level.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LevelResource {
    /// Its number in [`GraphSource::Level`](crate::query::GraphSource::Level).
    pub resource: u32,
    /// Its class.
    pub class: &'static str,
    /// Its name or address.
    pub name: String,
    /// The object, if the recording names it.
    pub object: Option<u32>,
    /// Its maximum level, if known.
    pub capacity: Option<u64>,
    /// The active object that owns the queue.
    pub context: Option<u32>,
}

/// The name of a bar class.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct BarClassName {
    /// The code.
    pub code: u8,
    /// The name, e.g. `running`, `ready`, `mutex`.
    pub name: &'static str,
}

/// A gap: events are missing between two adjacent events.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Gap {
    /// The first event after the gap.
    pub event: u64,
    /// Its time.
    pub time: u64,
    /// Maximum number of missing events, if known.
    pub missing: Option<u64>,
    /// Whether the target restarted here, which need not lose events.
    pub restart: bool,
}

/// A problem with the recording.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Diagnostic {
    /// `info`, `warning` or `error`.
    pub severity: String,
    /// Its kind.
    pub kind: String,
    /// A sentence for the user.
    pub message: String,
    /// The event concerned.
    pub event: Option<u64>,
    /// Number of occurrences.
    pub count: u64,
}

/// The state of a lane at a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Probe {
    /// The lane.
    pub lane: u32,
    /// The class of the bar.
    pub class: u8,
    /// Display text: `waits for mutex spi`, `runs sensor`.
    pub text: String,
    /// Start in ticks.
    pub start: u64,
    /// End in ticks.
    pub end: u64,
    /// The event at its start, or the last before it.
    pub event: u64,
    /// Whether the start was recorded; if not, it may have started earlier.
    pub start_known: bool,
    /// For the item of a pipeline, the stages that it passes; else empty.
    pub path: Vec<ItemVisit>,
}

/// An item's time in a stage of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ItemVisit {
    /// The lane of the stage.
    pub lane: u32,
    /// When the item arrives at the stage.
    pub arrived: Moment,
    /// When the stage takes it, if it does.
    pub received: Option<Moment>,
    /// When it leaves the stage, if it does.
    pub left: Option<Moment>,
}

/// An event and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Moment {
    /// The event's number.
    pub event: u64,
    /// Its time in ticks.
    pub time: u64,
}

/// The position of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventPosition {
    /// Its number.
    pub event: u64,
    /// Its time in ticks.
    pub time: u64,
    /// Its context.
    pub context: u32,
    /// The number of its kind.
    pub kind: u32,
}

/// The details of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventDetails {
    /// Its number.
    pub event: u64,
    /// Its time in ticks.
    pub time: u64,
    /// Its time with all digits, and in time units if the clock's frequency is known.
    pub time_text: String,
    /// The timestamp as recorded.
    pub timestamp: String,
    /// The core that recorded it.
    pub core: u8,
    /// The context that logged it.
    pub context: u32,
    /// The running thread's priority; 0 is the highest.
    pub priority: Option<u16>,
    /// The running thread's preemption threshold.
    pub threshold: Option<u16>,
    /// The context that the interrupt interrupted.
    pub interrupted: Option<u32>,
    /// The number of its kind.
    pub kind: u32,
    /// The name of its kind.
    pub name: String,
    /// The name of its kind in the kernel's source; empty if there is none.
    pub symbol: String,
    /// Its software component.
    pub component: String,
    /// Its arguments; the raw words if the catalogue does not define its kind.
    pub arguments: Vec<EventArgument>,
    /// The context that runs on the core after the event, as display text.
    pub next_running: String,
    /// The same as a context, if it is one.
    pub next_context: Option<u32>,
    /// Ticks since the previous event.
    pub since_previous: Option<u64>,
    /// Ticks until the next event.
    pub until_next: Option<u64>,
    /// Its causes and effects.
    pub links: Vec<EventLink>,
}

/// An argument of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventArgument {
    /// Its name.
    pub name: String,
    /// Its decoded value.
    pub text: String,
    /// The word as recorded: `0x…`.
    pub raw: String,
    /// The object that it refers to.
    pub object: Option<u32>,
    /// The line of source code that it refers to.
    pub source: Option<SourceLine>,
}

/// A line of source code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SourceLine {
    /// The file, as in the symbols.
    pub file: String,
    /// The line in that file, from 1.
    pub line: Option<u32>,
}

/// A link to a related event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventLink {
    /// Whether it is a cause rather than an effect.
    pub cause: bool,
    /// The relation, as display text: `woke sensor`, `message taken by`.
    pub text: String,
    /// The related event.
    pub event: u64,
    /// Its time in ticks.
    pub time: u64,
}

/// Rows of the event table.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventRows {
    /// Total number of rows.
    pub total: u32,
    /// The requested rows.
    pub rows: Vec<EventRow>,
}

/// A row of the event table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventRow {
    /// The event's number.
    pub event: u64,
    /// Its time in ticks.
    pub time: u64,
    /// Its core.
    pub core: u8,
    /// The context that logged it.
    pub context: u32,
    /// The number of its kind.
    pub kind: u32,
    /// The name of its kind.
    pub name: String,
    /// Its decoded arguments.
    pub arguments: String,
}

/// The hits of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SearchHits {
    /// Number of hits in the whole trace.
    pub total: u32,
    /// Number of hits in each pixel of the window.
    pub counts: Vec<u32>,
}

/// A value over a window.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Graph {
    /// The starts of the points, in units of the window, in ascending order. Each point
    /// lasts until the next.
    pub positions: Vec<f64>,
    /// The minimum value of the point; `null` if unknown.
    pub min: Vec<Option<f64>>,
    /// The maximum value of the point.
    pub max: Vec<Option<f64>>,
    /// The upper bound of the value, if known.
    pub limit: Option<f64>,
}
