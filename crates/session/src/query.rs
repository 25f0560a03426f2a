//! Queries and commands of a session.

use rtoscope_analysis::compare::{Durations, RecordingFigures};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;
#[cfg(test)]
use ts_rs::TS;

/// The unit of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// Ticks since the first event of the recording: the time view.
    Time,
    /// Events at equal distances: event `n` covers the interval from `n` to `n + 1`.
    /// The sequential view.
    Index,
}

/// A part of the trace, in the units of an [`Axis`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Window {
    /// The unit of `start` and `end`.
    pub axis: Axis,
    /// Start; may be before the trace.
    pub start: f64,
    /// End; may be after the trace.
    pub end: f64,
}

/// A query. All results are JSON, except that of [`Query::Lanes`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "query", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Query {
    /// The properties of the trace: its lanes, contexts, objects and kinds of events,
    /// its clock and its diagnostics. Result: [`Overview`](crate::response::Overview).
    Overview,
    /// Every kind of event that the format defines. Result: a list of
    /// [`EventKind`](crate::response::EventKind).
    Legend,
    /// The content of lanes in a window. Result: [binary format](crate::lanes::binary).
    Lanes {
        /// The window.
        window: Window,
        /// Its width in pixels, 1 to 8192.
        width: u32,
        /// The lanes, by their number in the overview, at most 256.
        lanes: Vec<u32>,
        /// Marks the pixels with hits of a search.
        #[serde(default)]
        search: Option<Search>,
    },
    /// The state of lanes at a position. Result: a list of
    /// [`Probe`](crate::response::Probe).
    Probe {
        /// The unit of `at`.
        axis: Axis,
        /// The position.
        at: f64,
        /// The lanes, at most 256.
        lanes: Vec<u32>,
    },
    /// The event at or before a position. Result:
    /// [`EventPosition`](crate::response::EventPosition), or `null` if there is no
    /// event.
    Locate {
        /// The unit of `at`.
        axis: Axis,
        /// The position.
        at: f64,
    },
    /// The details of an event. Result:
    /// [`EventDetails`](crate::response::EventDetails), or `null` if there is no such
    /// event.
    Event {
        /// Its number.
        event: u64,
    },
    /// Rows of the event table. Result: [`EventRows`](crate::response::EventRows).
    Events {
        /// The first row: the number of an event, or of a hit if there is a search.
        offset: u64,
        /// Maximum number of rows, at most 1000.
        limit: u32,
        /// Only the hits of a search.
        #[serde(default)]
        search: Option<Search>,
    },
    /// The next or previous event of a kind. Result: its
    /// [`EventPosition`](crate::response::EventPosition), or `null` if there is none.
    Step {
        /// The event to start from, exclusive.
        from: u64,
        /// The direction.
        direction: Direction,
        /// Which events match.
        by: StepBy,
    },
    /// The hits of a search. Result: [`SearchHits`](crate::response::SearchHits).
    Search {
        /// The search.
        search: Search,
        /// The window in which hits are counted by pixel.
        window: Window,
        /// Its width in pixels, 1 to 8192.
        width: u32,
    },
    /// Reports. Result: [`rtoscope_analysis::report::ReportDocument`], or the tables of the
    /// reports, [`rtoscope_analysis::report::DescribedTable`].
    Report {
        /// Their names; all reports if empty.
        #[serde(default)]
        kinds: Vec<String>,
        /// Start in ticks.
        #[serde(default)]
        start: Option<u64>,
        /// End in ticks, inclusive.
        #[serde(default)]
        end: Option<u64>,
        /// Only these threads, by context number.
        #[serde(default)]
        threads: Option<Vec<u32>>,
        /// Only this core.
        #[serde(default)]
        core: Option<u8>,
        /// Only the services of this context.
        #[serde(default)]
        context: Option<u32>,
        /// The name of the handler, thread or marker with which cycles begin; `null` for
        /// the most regular one.
        #[serde(default)]
        anchor: Option<String>,
        /// Whether the result has tables with described columns.
        #[serde(default)]
        tables: bool,
    },
    /// The critical path of an event: what led to it. Result:
    /// [`rtoscope_analysis::report::critical_path::CriticalPathReport`], or `null` if
    /// there is no such event.
    CriticalPath {
        /// Its number.
        event: u64,
        /// The thread or active object that the path follows; `null` for the context of
        /// the event.
        #[serde(default)]
        context: Option<u32>,
        /// Goes back to this tick, also beyond the first cause; `null` ends the path at
        /// the first cause.
        #[serde(default)]
        from: Option<u64>,
        /// Maximum number of segments, 1 to 10,000.
        limit: u32,
    },
    /// The load of cores, or the level of an object, over a window. Result:
    /// [`Graph`](crate::response::Graph).
    Graph {
        /// The value.
        source: GraphSource,
        /// The window.
        window: Window,
        /// Maximum number of points, 1 to 8192.
        width: u32,
    },
    /// The figures of intervals between the events that two filters select. Result: their
    /// list of figures and the table of the longest,
    /// [`rtoscope_analysis::report::DescribedTable`].
    Intervals {
        /// Which events start and end one.
        filters: IntervalFilters,
        /// Their name in the answer.
        #[serde(default)]
        name: String,
        /// The maximum duration in ticks, if there is one.
        #[serde(default)]
        deadline: Option<u64>,
        /// Start of the scope in ticks.
        #[serde(default)]
        start: Option<u64>,
        /// End of the scope in ticks, inclusive.
        #[serde(default)]
        end: Option<u64>,
    },
    /// The bars of intervals in a window. Result:
    /// [`IntervalBars`](crate::response::IntervalBars).
    IntervalBars {
        /// Which events start and end one.
        filters: IntervalFilters,
        /// The window.
        window: Window,
        /// Its width in pixels, 1 to 8192.
        width: u32,
    },
    /// Durations or values of events over a window, one point each. Result: [`Plot`](crate::response::Plot).
    Plot {
        /// The durations or values.
        source: PlotSource,
        /// The window.
        window: Window,
        /// Its width in pixels, 1 to 8192.
        width: u32,
    },
    /// The events of a window as recorded. Result:
    /// [`RawEvents`](crate::response::RawEvents).
    RawEvents {
        /// The window.
        window: Window,
        /// Number of events to skip.
        offset: u32,
        /// Maximum number of events, 1 to 50,000.
        limit: u32,
    },
    /// The messages of an object in a window, one by one. Result:
    /// [`MessageBars`](crate::response::MessageBars).
    Messages {
        /// The object, by its resource number in the overview.
        resource: u32,
        /// The window.
        window: Window,
        /// Maximum number of messages, 1 to 8192; if there are more, only their number is
        /// in the response.
        limit: u32,
    },
    /// CPU time by context over the parts of a window, as in the profile of each part.
    /// Result: [`CpuLoad`](crate::response::CpuLoad).
    CpuLoad {
        /// Only this core; all if `null`.
        core: Option<u8>,
        /// The window.
        window: Window,
        /// Maximum number of parts, 1 to 8192.
        width: u32,
        /// Number of contexts that are apart; the others are summed. At most 131,072
        /// divided by `width`.
        limit: u32,
    },
    /// The events that refer to an object, oldest first. Result:
    /// [`EventRows`](crate::response::EventRows).
    History {
        /// The object, by its number in the overview.
        object: u32,
        /// The first row.
        offset: u32,
        /// Maximum number of rows, at most 1000.
        limit: u32,
    },
    /// Posts to active objects, as arrows from the post to the step that handles it.
    /// Result: [`Posts`](crate::response::Posts).
    Posts {
        /// The window that the arrows overlap.
        window: Window,
        /// Maximum number of posts, at most 10,000; if there are more, none are
        /// returned.
        limit: u32,
    },
    /// A sequence diagram of active objects. Recorded calls are always shown. Result:
    /// [`Diagram`](crate::response::Diagram).
    Sequence {
        /// The window.
        window: Window,
        /// Only these active objects and those they exchange events with, by context
        /// number; all if empty.
        #[serde(default)]
        objects: Vec<u32>,
        /// The output format.
        format: SequenceFormat,
        /// Whether to show states that are reached.
        states: bool,
        /// Whether to show actions.
        actions: bool,
        /// Whether to show starts and stops of timers.
        timers: bool,
        /// Maximum number of rows, 1 to 5000.
        limit: u32,
    },
    /// The state machine of an active object as observed in the trace. Result:
    /// [`Diagram`](crate::response::Diagram).
    Machine {
        /// The active object's context.
        context: u32,
        /// The output format.
        format: GraphFormat,
    },
    /// The communication of contexts in a part of the trace, as a graph. Result:
    /// [`Diagram`](crate::response::Diagram), which is empty if there is none.
    Communication {
        /// Start of the part, in ticks; the start of the trace if `null`.
        start: Option<u64>,
        /// End of the part, inclusive; the end of the trace if `null`.
        end: Option<u64>,
        /// The output format.
        format: GraphFormat,
    },
    /// The figures that are compared with those of other recordings. Result:
    /// [`RecordingFigures`].
    Figures,
    /// The figures beside those of a baseline. Result:
    /// [`rtoscope_analysis::compare::ComparisonDocument`].
    Comparison {
        /// The result of [`Query::Figures`] for the baseline.
        #[cfg_attr(test, ts(type = "RecordingFigures"))]
        baseline: RecordingFigures,
    },
    /// Where a figure of a comparison is from, and its durations. Result:
    /// [`rtoscope_analysis::compare::FigureDetails`], or `null` if the trace does not have it.
    Figure {
        /// Which figure.
        of: FigureName,
    },
    /// The durations of a figure in the same bins as those of a baseline. Result:
    /// [`rtoscope_analysis::compare::OverlaidHistogram`], or `null` if they cannot be compared.
    OverlaidHistogram {
        /// Which figure.
        of: FigureName,
        /// The durations of the baseline.
        #[cfg_attr(test, ts(type = "Durations"))]
        baseline: Durations,
    },
    /// The clock. Result: [`Clock`](crate::response::Clock).
    Clock,
    /// The bookmarks. Result: a list of [`Bookmark`].
    Bookmarks,
    /// What users chose for lanes. Result: a list of [`LaneLook`].
    LaneLooks,
}

/// A figure of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct FigureName {
    /// The path of its table.
    pub table: String,
    /// Its subject; empty if it is the recording.
    pub subject: String,
    /// The key of its column, such as `wake_up.p99`.
    pub figure: String,
}

/// Output formats of sequence diagrams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum SequenceFormat {
    /// SVG picture.
    Svg,
    /// Mermaid `sequenceDiagram`.
    Mermaid,
    /// PlantUML sequence diagram.
    Plantuml,
    /// Msc-generator signalling chart.
    MscGenerator,
}

/// Output formats of state machines and communication graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum GraphFormat {
    /// Graphviz text.
    Dot,
    /// Mermaid text.
    Mermaid,
}

/// A command that changes a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Sets the clock's frequency; `null` if unknown.
    Clock {
        /// Ticks per second, at least 1.
        frequency_hz: Option<u64>,
    },
    /// Adds a bookmark or changes its note. Each place has at most one; there are at most
    /// 10,000.
    PutBookmark {
        /// The bookmark.
        bookmark: Bookmark,
        /// The note that the client knows at this place; `null` if it knows none. If another
        /// client has changed it, both notes are kept.
        replaces: Option<String>,
    },
    /// Removes a bookmark; fails if another client has changed its note.
    RemoveBookmark {
        /// The bookmark, with the note that the client knows.
        bookmark: Bookmark,
    },
    /// Replaces what a user chose for a lane. There are at most 10,000 such lanes.
    PutLaneLook {
        /// The choice; one without any value removes it.
        look: LaneLook,
    },
}

/// A note at an event, at a time between two events, or on a range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Bookmark {
    /// The event; for a time, the last event at or before it.
    pub event: u64,
    /// Ticks from the event to the bookmark's time; none at the event itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub ticks_after: Option<NonZeroU64>,
    /// The end of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub end: Option<BookmarkEnd>,
    /// The note, at most 4096 bytes.
    pub note: String,
}

/// The end of a bookmarked range, not before its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct BookmarkEnd {
    /// The last event at or before the end.
    pub event: u64,
    /// Ticks from the event to the end; none at the event itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub ticks_after: Option<NonZeroU64>,
}

/// What a user chose for a lane of the viewer, where that is not the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct LaneLook {
    /// What identifies the lane: its kind, its name and, for a thread, its address. At most
    /// 2048 bytes.
    pub lane: String,
    /// A name that is shown beside the recorded one, 1 to 256 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// The colour, `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub colour: Option<String>,
    /// The height in pixels, 16 to 400.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub height: Option<u16>,
    /// The group that the lane belongs to, 1 to 256 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub group: Option<String>,
}

/// Direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// To later events.
    Next,
    /// To earlier events.
    Previous,
}

/// The events that a step visits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "mode", rename_all = "kebab-case", deny_unknown_fields)]
pub enum StepBy {
    /// All events.
    Event,
    /// Events of a context.
    Context {
        /// The context.
        context: u32,
    },
    /// Events that refer to an object.
    Object {
        /// The object, by its number in the overview.
        object: u32,
    },
    /// Context switches: the first event of each context that a core runs.
    Switch,
    /// Events of a kind.
    Kind {
        /// The format's number of the kind.
        kind: u32,
    },
    /// Transitions of a state machine.
    Transition {
        /// The active object's context.
        context: u32,
    },
    /// Entries of a state.
    State {
        /// The active object's context.
        context: u32,
        /// The state, by its number in the overview's machine.
        state: u32,
    },
    /// Hits of a search.
    Search {
        /// The search.
        search: Search,
    },
}

/// A search for events.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Search {
    /// An expression in the [filter language](rtoscope_trace::filter), at most 4096
    /// bytes.
    pub filter: String,
}

/// Which events start and end an interval.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct IntervalFilters {
    /// The filter of the starts, as in a [`Search`].
    pub from: String,
    /// The filter of the ends.
    pub to: String,
    /// What a start and an end have in common: `thread`, `object` or the name of an
    /// argument; empty if nothing.
    pub by: String,
    /// The effect of a start while an interval is open: `restart`, `first` or `nested`.
    pub repeated: String,
}

/// The durations or values that a plot shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PlotSource {
    /// Of the activations of a thread.
    Thread {
        /// The thread's context.
        context: u32,
        /// Which of their durations.
        measure: ThreadMeasure,
    },
    /// Of the activations of an interrupt service routine, on all cores.
    Isr {
        /// The number of the routine.
        number: u32,
        /// Which of their durations.
        measure: IsrMeasure,
    },
    /// Of user-defined intervals.
    Intervals {
        /// Which events start and end one.
        filters: IntervalFilters,
    },
    /// Of a marker.
    Marker {
        /// The number of the marker.
        marker: u32,
        /// Which of its durations, or its values.
        measure: MarkerMeasure,
    },
    /// The numbers in an argument of events.
    Event {
        /// The format's number of the kind of events.
        number: u32,
        /// `info1` to `info4`, `item1` and so on, or the argument's name.
        argument: String,
    },
}

impl PlotSource {
    /// Whether the points are durations.
    pub(crate) const fn is_duration(&self) -> bool {
        !matches!(
            self,
            Self::Event { .. }
                | Self::Marker {
                    measure: MarkerMeasure::Value,
                    ..
                }
        )
    }
}

/// A figure of a marker, as in the report on markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum MarkerMeasure {
    /// From the begin of a span to its end.
    Duration,
    /// From one begin or instant to the next.
    Period,
    /// The value of each begin and instant.
    Value,
}

/// A duration of a thread's activations or runs, as in the reports on latencies and
/// periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum ThreadMeasure {
    /// From its resumption to its next suspension.
    Response,
    /// From its resumption until it runs.
    WakeUp,
    /// From one activation to the next.
    Period,
    /// The difference of consecutive periods.
    Jitter,
    /// The length of an uninterrupted run.
    Run,
}

/// A duration of the activations of an interrupt service routine, as in the report on
/// periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum IsrMeasure {
    /// From its entry to its exit.
    Duration,
    /// From one entry to the next on the same core.
    Period,
    /// The length of an uninterrupted run.
    Run,
}

/// The value that a graph shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum GraphSource {
    /// The share of time in which threads and interrupts run, in percent.
    Load {
        /// Of this core; of all cores if `null`.
        core: Option<u8>,
    },
    /// The level of an object: messages, counts, free blocks or bytes.
    Level {
        /// The object, by its number in the overview's levels.
        resource: u32,
    },
}
