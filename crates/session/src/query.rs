//! What can be asked of a session.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What positions are measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// In ticks since the first event: the time view.
    Time,
    /// In events, equally far apart: event `n` takes the place from `n` to
    /// `n + 1`. The sequential view.
    Index,
}

/// A part of the trace, in the units of an [`Axis`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Window {
    /// What `from` and `end` are measured in.
    pub axis: Axis,
    /// Where it begins; may lie before the trace.
    pub start: f64,
    /// Where it ends; may lie behind the trace.
    pub end: f64,
}

/// A question. All answers are JSON but that of [`Query::Lanes`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "query", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Query {
    /// What the trace is: its lanes, contexts, objects and kinds of events, its
    /// clock and what is wrong with it. Answer:
    /// [`Overview`](crate::answer::Overview).
    Overview,
    /// Every kind of event that the format knows. Answer: a list of
    /// [`Kind`](crate::answer::Kind).
    Legend,
    /// What lanes show in a window. Answer: [the binary form](crate::lanes::answer).
    Lanes {
        /// The window.
        window: Window,
        /// How many pixels it is divided into, from 1 to 8192.
        width: u32,
        /// The lanes, by the numbers of the overview, at most 256.
        lanes: Vec<u32>,
    },
    /// What each of some lanes does at a position. Answer: a list of
    /// [`Probe`](crate::answer::Probe).
    Probe {
        /// What `at` is measured in.
        axis: Axis,
        /// The position.
        at: f64,
        /// The lanes, at most 256.
        lanes: Vec<u32>,
    },
    /// The event at or before a position, and where it lies on both axes.
    /// Answer: [`Place`](crate::answer::Place), or `null` if there is no event.
    Locate {
        /// What `at` is measured in.
        axis: Axis,
        /// The position.
        at: f64,
    },
    /// Everything about an event. Answer:
    /// [`Details`](crate::answer::Details), or `null` if there is no such event.
    Event {
        /// Its number.
        event: u32,
    },
    /// Rows of the table of events. Answer: [`Rows`](crate::answer::Rows).
    Events {
        /// The number of the first row: of the event, or of the hit if there is
        /// a search.
        offset: u32,
        /// How many rows, at most 1000.
        limit: u32,
        /// Only the hits of a search.
        #[serde(default)]
        search: Option<Search>,
    },
    /// The next event, or the one before, of a kind. Answer: its
    /// [`Place`](crate::answer::Place), or `null` if there is none.
    Step {
        /// From this event, itself excluded.
        from: u32,
        /// Which way.
        direction: Direction,
        /// Which events count.
        by: StepBy,
    },
    /// How many events a search finds, and where they lie. Answer:
    /// [`SearchHits`](crate::answer::SearchHits).
    Search {
        /// What is searched for.
        search: Search,
        /// The part of the trace whose hits are counted by pixel.
        window: Window,
        /// How many pixels it is divided into, from 1 to 8192.
        width: u32,
    },
    /// Reports: [`rtoscope_analysis::report::Document`].
    Report {
        /// Which, by name; all if empty.
        #[serde(default)]
        kinds: Vec<String>,
        /// From this tick on.
        #[serde(default)]
        start: Option<u64>,
        /// Up to this tick, itself included.
        #[serde(default)]
        end: Option<u64>,
        /// Only these threads, by the numbers of their contexts.
        #[serde(default)]
        threads: Option<Vec<u32>>,
        /// Only this core.
        #[serde(default)]
        core: Option<u8>,
        /// The services of this context alone.
        #[serde(default)]
        context: Option<u32>,
    },
    /// How loaded the cores are, or how full an object is, over a window.
    /// Answer: [`Graph`](crate::answer::Graph).
    Graph {
        /// Of what.
        source: GraphSource,
        /// The window.
        window: Window,
        /// How many points at most, from 1 to 8192.
        width: u32,
    },
    /// What events did to an object, oldest first. Answer:
    /// [`Rows`](crate::answer::Rows).
    History {
        /// The object, by the number of the overview.
        object: u32,
        /// The number of the first row.
        offset: u32,
        /// How many rows, at most 1000.
        limit: u32,
    },
    /// Events that were put into queues of active objects, as arrows from the
    /// post to the step that took it. Answer: [`Posts`](crate::answer::Posts).
    Posts {
        /// The window that the arrows touch.
        window: Window,
        /// How many at most, up to 10,000: if there are more, none.
        limit: u32,
    },
    /// A sequence diagram of active objects: who sent what to whom. Calls that
    /// the application tells of are always shown. Answer:
    /// [`Diagram`](crate::answer::Diagram).
    Sequence {
        /// The window.
        window: Window,
        /// Only these active objects, and whom they exchange events with, by the
        /// numbers of their contexts; all if empty.
        #[serde(default)]
        objects: Vec<u32>,
        /// What it is written in.
        format: SequenceFormat,
        /// Whether states that are reached are shown.
        states: bool,
        /// Whether actions that are executed are shown.
        actions: bool,
        /// Whether it is shown that timers are started and stopped.
        timers: bool,
        /// How many rows at most, from 1 to 5000.
        limit: u32,
    },
    /// The state machine of an active object as the trace shows it. Answer:
    /// [`Diagram`](crate::answer::Diagram).
    Machine {
        /// The active object's context.
        context: u32,
        /// What it is written in.
        format: MachineFormat,
    },
    /// The bookmarks. Answer: a list of [`Bookmark`].
    Bookmarks,
}

/// What a sequence diagram is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum SequenceFormat {
    /// A picture.
    Svg,
    /// A `sequenceDiagram` of Mermaid.
    Mermaid,
    /// A sequence diagram of PlantUML.
    Plantuml,
    /// A signalling chart of Msc-generator.
    MscGenerator,
}

/// What a state machine is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum MachineFormat {
    /// A graph of Graphviz.
    Dot,
    /// A `stateDiagram-v2` of Mermaid.
    Mermaid,
}

/// What changes a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// How often the clock ticks, in hertz, from 1; `null` if that is not known.
    Clock {
        /// Ticks in a second.
        frequency_hz: Option<u64>,
    },
    /// The bookmarks, instead of those that were.
    Bookmarks {
        /// At most 10,000.
        bookmarks: Vec<Bookmark>,
    },
}

/// A note about a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Bookmark {
    /// The event at it.
    pub event: u32,
    /// The note, at most 4096 bytes.
    pub note: String,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// To later events.
    Next,
    /// To earlier events.
    Previous,
}

/// Which events count as neighbours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "mode", rename_all = "kebab-case", deny_unknown_fields)]
pub enum StepBy {
    /// All.
    Event,
    /// Those of a context.
    Context {
        /// The context.
        context: u32,
    },
    /// Those with an object among their arguments.
    Object {
        /// The object, by the number of the overview.
        object: u32,
    },
    /// The first of each context that a core executes: where it switches.
    Switch,
    /// Those of a kind.
    Kind {
        /// The format's number of the kind.
        kind: u32,
    },
    /// The transitions of a state machine.
    Transition {
        /// The active object's context.
        context: u32,
    },
    /// Where a state machine comes to stay in a state.
    State {
        /// The active object's context.
        context: u32,
        /// The state, by its number among those of the overview's machine.
        state: u32,
    },
    /// The hits of a search.
    Search {
        /// What is searched for.
        search: Search,
    },
}

/// Which events are searched for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Search {
    /// An expression in the [language of filters](rtoscope_trace::filter), at
    /// most 4096 bytes.
    pub filter: String,
}

/// What a curve is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum GraphSource {
    /// The part of the time in which threads and interrupts execute, in percent.
    Load {
        /// Of this core; of all if `null`.
        core: Option<u8>,
    },
    /// How full an object is: messages, counts, free blocks or bytes.
    Level {
        /// The object, by the number of the overview's levels.
        resource: u32,
    },
}
