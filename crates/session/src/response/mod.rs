//! What a session answers. Ticks are since the first event. Numbers above 2^53
//! lose their last digits in JavaScript; where that matters, a text has them all.

mod active;
mod live;

pub use active::{Diagram, MachineState, Post, Posts, StateMachine};
pub use live::{ConnectionState, ConnectionStatus, LiveStatus, RecordingOffset, SavedRecording};

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// What a trace is. The contract `rtoscope/session/2`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Overview {
    /// `rtoscope/session/2`.
    pub schema: &'static str,
    /// The name of the recording.
    pub name: String,
    /// The format of the recording: `threadx`, `rkh`, `cswitch`.
    pub format: &'static str,
    /// Where it begins, if it is a part of a longer recording; else 0.
    pub base: RecordingOffset,
    /// How many events there are.
    pub events: u32,
    /// Ticks from the first event to the last.
    pub span: u64,
    /// What the clock is worth.
    pub clock: Clock,
    /// The numbers of the cores.
    pub cores: Vec<u8>,
    /// What executes, by number: interrupt, initialisation, idle, threads.
    pub contexts: Vec<Context>,
    /// The lanes, by number, in the order in which they are best shown.
    pub lanes: Vec<Lane>,
    /// The kinds of events that occur.
    pub kinds: Vec<EventKind>,
    /// What the recording names, by number.
    pub objects: Vec<NamedObject>,
    /// The objects whose level is known over time.
    pub levels: Vec<LevelResource>,
    /// What the numbers of the classes of a lane's bars stand for.
    pub classes: Vec<BarClassName>,
    /// Where events are missing.
    pub gaps: Vec<Gap>,
    /// What is wrong with the recording, or limits what can be said.
    pub diagnostics: Vec<Diagnostic>,
    /// How many priority inversions there are.
    pub inversions: u32,
    /// The state machines that came to stay in a state, by context.
    pub machines: Vec<StateMachine>,
    /// Whether there are any.
    pub has_machines: bool,
    /// The reports that have something to say about the trace, by name.
    pub reports: Vec<&'static str>,
}

/// A trace's clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Clock {
    /// How often it ticks in a second, if that is known.
    pub frequency_hz: Option<u64>,
    /// `good`, `static`, `event-counter` or `unknown`.
    pub quality: String,
    /// `up` or `down`.
    pub direction: String,
    /// How many bits of a stamp count.
    pub bits: u32,
}

/// What executes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Context {
    /// `interrupt`, `initialize`, `idle`, `thread` or `active-object`.
    pub kind: &'static str,
    /// Its name; of a long one, the beginning and an ellipsis.
    pub name: String,
    /// Its address, or the word that stands for it.
    pub address: String,
    /// The object that names the thread.
    pub object: Option<u32>,
    /// How many events it logged.
    pub events: u32,
    /// A thread's priority when it was registered or, failing that, first seen;
    /// 0 is the highest.
    pub priority: Option<u16>,
    /// Ticks in which it executed; of a thread, without interrupts.
    pub cpu_time: u64,
}

/// What a lane is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LaneKind {
    /// All events on one line; its bars are the core's where there is only one.
    Summary,
    /// What a core executes.
    Core {
        /// The core's number.
        core: u8,
    },
    /// The interrupt service routines of a core, and the events of all.
    Interrupt {
        /// The core's number.
        core: u8,
    },
    /// One interrupt service routine of a core.
    Isr {
        /// The core's number.
        core: u8,
        /// The number that the application gave it, or its place among those that
        /// are known by their address; `null` for all without one.
        number: Option<u32>,
    },
    /// When a core takes no interrupts, in a trace that tells that.
    InterruptsOff {
        /// The core's number.
        core: u8,
    },
    /// Before the scheduler started, and where no thread was ready.
    InitializeIdle {
        /// The core's number.
        core: u8,
    },
    /// A thread, or an active object: it executes a step, or is ready as events
    /// wait in its queue.
    Thread {
        /// Its context.
        context: u32,
    },
    /// The states in which an active object's machine stays.
    Machine {
        /// The active object's context.
        context: u32,
    },
}

/// A row of the timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Lane {
    /// What it is of.
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub kind: LaneKind,
    /// Its name for people.
    pub name: String,
    /// How many events it shows.
    pub events: u32,
    /// Ticks in which it executes; of a machine, in which its state is known.
    pub busy_time: u64,
    /// The same in percent, as reports have it: of what belongs to one core, and of
    /// a machine, of the trace's length; of a thread and of the summary, of the
    /// time of all cores. `null` if no time passes.
    pub share: Option<f64>,
}

/// A kind of event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventKind {
    /// The format's number.
    pub id: u32,
    /// Its name for people, e.g. `tx_queue_send`.
    pub name: String,
    /// The software component it belongs to.
    pub component: String,
    /// The one to three characters of its icon.
    pub letters: String,
    /// The icon's upper, or only, colour: `#rrggbb`.
    pub colour: String,
    /// Its lower colour.
    pub lower_colour: String,
    /// The names of its arguments, by position; `null` where none is recorded.
    pub arguments: [Option<String>; 4],
    /// How many events are of it.
    pub events: u32,
}

/// Something that the recording names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct NamedObject {
    /// What it is, e.g. `queue`.
    pub class: &'static str,
    /// Its name or, if it has none, its address; a long one is cut.
    pub name: String,
    /// Where it lies on the target.
    pub address: String,
    /// What is recorded about it, e.g. `stack bytes`, 1024.
    pub parameters: Vec<(&'static str, u64)>,
    /// Whether it was deleted.
    pub deleted: bool,
    /// The context, if it is a thread that executed.
    pub context: Option<u32>,
}

/// An object whose level is known over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LevelResource {
    /// Its number in [`CurveOf::Level`](crate::query::CurveOf::Level).
    pub resource: u32,
    /// What it is.
    pub class: &'static str,
    /// Its name or address.
    pub name: String,
    /// The object, if the recording names it.
    pub object: Option<u32>,
    /// The level that it cannot exceed, if that is known.
    pub capacity: Option<u64>,
    /// The active object whose queue it is.
    pub context: Option<u32>,
}

/// What a class of bars stands for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct BarClassName {
    /// The number.
    pub code: u8,
    /// The name, e.g. `running`, `ready`, `mutex`.
    pub name: &'static str,
}

/// Events are missing between two that follow each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Gap {
    /// The first event behind it.
    pub event: u32,
    /// Its time.
    pub time: u64,
    /// How many events are missing at most, if that is known.
    pub missing: Option<u64>,
    /// Whether the target started again here, which need not lose any.
    pub restart: bool,
}

/// What is wrong with the recording.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Diagnostic {
    /// `info`, `warning` or `error`.
    pub severity: String,
    /// What it is about.
    pub kind: String,
    /// A sentence for people.
    pub message: String,
    /// The event it is about.
    pub event: Option<u32>,
    /// How often it was so.
    pub count: u64,
}

/// What a lane does at a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Probe {
    /// The lane.
    pub lane: u32,
    /// The class of the bar.
    pub class: u8,
    /// What it does, for people: `waits for mutex spi`, `executes sensor`.
    pub text: String,
    /// Since when, in ticks.
    pub start: u64,
    /// Until when.
    pub end: u64,
    /// The event that began it, or the last before it.
    pub event: u32,
    /// Whether it is known when it began; if not, it may have begun earlier.
    pub start_known: bool,
}

/// Where an event lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventPosition {
    /// Its number.
    pub event: u32,
    /// Its time in ticks.
    pub time: u64,
    /// Its context.
    pub context: u32,
    /// The number of its kind.
    pub kind: u32,
}

/// Everything about an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventDetails {
    /// Its number.
    pub event: u32,
    /// Its time in ticks.
    pub time: u64,
    /// The same, all digits, with the time if the clock's frequency is known.
    pub time_text: String,
    /// The stamp as recorded.
    pub timestamp: String,
    /// The core that recorded it.
    pub core: u8,
    /// What executed.
    pub context: u32,
    /// The running thread's priority; 0 is the highest.
    pub priority: Option<u16>,
    /// Its preemption threshold.
    pub threshold: Option<u16>,
    /// What the interrupt interrupted.
    pub interrupted: Option<u32>,
    /// The number of its kind.
    pub kind: u32,
    /// Its kind's name.
    pub name: String,
    /// Its kind's name in the kernel's source; empty if there is none.
    pub symbol: String,
    /// The software component.
    pub component: String,
    /// Its arguments; of a kind that the catalogue does not know, the words.
    pub arguments: Vec<EventArgument>,
    /// Who executes on the core behind the event, for people.
    pub next_running: String,
    /// The same as a context, if it is one.
    pub next_context: Option<u32>,
    /// Ticks since the event before.
    pub since_previous: Option<u64>,
    /// Ticks to the event behind.
    pub until_next: Option<u64>,
    /// Events that have to do with this one.
    pub links: Vec<EventLink>,
}

/// An argument of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventArgument {
    /// Its name.
    pub name: String,
    /// Its value in words.
    pub text: String,
    /// The word as recorded: `0x…`.
    pub raw: String,
    /// The object that it points to.
    pub object: Option<u32>,
}

/// An event that has to do with another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventLink {
    /// Whether it is the cause of the other, rather than an effect.
    pub cause: bool,
    /// How, for people: `woke sensor`, `message taken by`.
    pub text: String,
    /// The event.
    pub event: u32,
    /// Its time in ticks.
    pub time: u64,
}

/// Rows of a table of events.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventRows {
    /// How many there are in all.
    pub total: u32,
    /// Some of them.
    pub rows: Vec<EventRow>,
}

/// A row of a table of events.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EventRow {
    /// Its number.
    pub event: u32,
    /// Its time in ticks.
    pub time: u64,
    /// The core.
    pub core: u8,
    /// What executed.
    pub context: u32,
    /// The number of its kind.
    pub kind: u32,
    /// Its kind's name.
    pub name: String,
    /// Its arguments in words.
    pub arguments: String,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SearchHits {
    /// How many events in the whole trace.
    pub total: u32,
    /// How many in each pixel of the window.
    pub counts: Vec<u32>,
}

/// A value over a window.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Graph {
    /// Where the points lie, in the units of the window, rising. Each holds
    /// until the next.
    pub positions: Vec<f64>,
    /// The lowest value since then, or the only one; `null` if it is not known.
    pub min: Vec<Option<f64>>,
    /// The highest value since then.
    pub max: Vec<Option<f64>>,
    /// The value that it cannot exceed, if that is known.
    pub limit: Option<f64>,
}
