// Written by `cargo xtask bless` from crates/session: change it there.

/**
 * What positions are measured in.
 */
export type Axis = "time" | "index";

/**
 * A part of the trace, in the units of an [`Axis`].
 */
export type Window = { 
/**
 * What `from` and `end` are measured in.
 */
axis: Axis, 
/**
 * Where it begins; may lie before the trace.
 */
start: number, 
/**
 * Where it ends; may lie behind the trace.
 */
end: number, };

/**
 * A question. All answers are JSON but that of [`Query::Lanes`].
 */
export type Query = { "query": "overview" } | { "query": "legend" } | { "query": "lanes", 
/**
 * The window.
 */
window: Window, 
/**
 * How many pixels it is divided into, from 1 to 8192.
 */
width: number, 
/**
 * The lanes, by the numbers of the overview, at most 256.
 */
lanes: Array<number>, } | { "query": "probe", 
/**
 * What `at` is measured in.
 */
axis: Axis, 
/**
 * The position.
 */
at: number, 
/**
 * The lanes, at most 256.
 */
lanes: Array<number>, } | { "query": "locate", 
/**
 * What `at` is measured in.
 */
axis: Axis, 
/**
 * The position.
 */
at: number, } | { "query": "event", 
/**
 * Its number.
 */
event: number, } | { "query": "events", 
/**
 * The number of the first row: of the event, or of the hit if there is
 * a search.
 */
offset: number, 
/**
 * How many rows, at most 1000.
 */
limit: number, 
/**
 * Only the hits of a search.
 */
search: Search | null, } | { "query": "step", 
/**
 * From this event, itself excluded.
 */
from: number, 
/**
 * Which way.
 */
direction: Direction, 
/**
 * Which events count.
 */
by: StepBy, } | { "query": "search", 
/**
 * What is searched for.
 */
search: Search, 
/**
 * The part of the trace whose hits are counted by pixel.
 */
window: Window, 
/**
 * How many pixels it is divided into, from 1 to 8192.
 */
width: number, } | { "query": "report", 
/**
 * Which, by name; all if empty.
 */
kinds: Array<string>, 
/**
 * From this tick on.
 */
start: number | null, 
/**
 * Up to this tick, itself included.
 */
end: number | null, 
/**
 * Only these threads, by the numbers of their contexts.
 */
threads: Array<number> | null, 
/**
 * Only this core.
 */
core: number | null, 
/**
 * The services of this context alone.
 */
context: number | null, } | { "query": "graph", 
/**
 * Of what.
 */
source: GraphSource, 
/**
 * The window.
 */
window: Window, 
/**
 * How many points at most, from 1 to 8192.
 */
width: number, } | { "query": "history", 
/**
 * The object, by the number of the overview.
 */
object: number, 
/**
 * The number of the first row.
 */
offset: number, 
/**
 * How many rows, at most 1000.
 */
limit: number, } | { "query": "posts", 
/**
 * The window that the arrows touch.
 */
window: Window, 
/**
 * How many at most, up to 10,000: if there are more, none.
 */
limit: number, } | { "query": "sequence", 
/**
 * The window.
 */
window: Window, 
/**
 * Only these active objects, and whom they exchange events with, by the
 * numbers of their contexts; all if empty.
 */
objects: Array<number>, 
/**
 * What it is written in.
 */
format: SequenceFormat, 
/**
 * Whether states that are reached are shown.
 */
states: boolean, 
/**
 * Whether actions that are executed are shown.
 */
actions: boolean, 
/**
 * Whether it is shown that timers are started and stopped.
 */
timers: boolean, 
/**
 * How many rows at most, from 1 to 5000.
 */
limit: number, } | { "query": "machine", 
/**
 * The active object's context.
 */
context: number, 
/**
 * What it is written in.
 */
format: MachineFormat, } | { "query": "bookmarks" };

/**
 * What changes a session.
 */
export type Command = { "command": "clock", 
/**
 * Ticks in a second.
 */
frequency_hz: number | null, } | { "command": "bookmarks", 
/**
 * At most 10,000.
 */
bookmarks: Array<Bookmark>, };

/**
 * A note about a moment.
 */
export type Bookmark = { 
/**
 * The event at it.
 */
event: number, 
/**
 * The note, at most 4096 bytes.
 */
note: string, };

/**
 * Which way.
 */
export type Direction = "next" | "previous";

/**
 * Which events count as neighbours.
 */
export type StepBy = { "mode": "event" } | { "mode": "context", 
/**
 * The context.
 */
context: number, } | { "mode": "object", 
/**
 * The object, by the number of the overview.
 */
object: number, } | { "mode": "switch" } | { "mode": "kind", 
/**
 * The format's number of the kind.
 */
kind: number, } | { "mode": "transition", 
/**
 * The active object's context.
 */
context: number, } | { "mode": "state", 
/**
 * The active object's context.
 */
context: number, 
/**
 * The state, by its number among those of the overview's machine.
 */
state: number, } | { "mode": "search", 
/**
 * What is searched for.
 */
search: Search, };

/**
 * Which events are searched for.
 */
export type Search = { 
/**
 * An expression in the [language of filters](rtoscope_trace::filter), at
 * most 4096 bytes.
 */
filter: string, };

/**
 * What a curve is of.
 */
export type GraphSource = { "kind": "load", 
/**
 * Of this core; of all if `null`.
 */
core: number | null, } | { "kind": "level", 
/**
 * The object, by the number of the overview's levels.
 */
resource: number, };

/**
 * What a sequence diagram is written in.
 */
export type SequenceFormat = "svg" | "mermaid" | "plantuml" | "msc-generator";

/**
 * What a state machine is written in.
 */
export type MachineFormat = "dot" | "mermaid";

/**
 * What a trace is. The contract `rtoscope/session/2`.
 */
export type Overview = { 
/**
 * `rtoscope/session/2`.
 */
schema: string, 
/**
 * The name of the recording.
 */
name: string, 
/**
 * The format of the recording: `threadx`, `rkh`, `cswitch`.
 */
format: string, 
/**
 * Where it begins, if it is a part of a longer recording; else 0.
 */
base: RecordingOffset, 
/**
 * How many events there are.
 */
events: number, 
/**
 * Ticks from the first event to the last.
 */
span: number, 
/**
 * What the clock is worth.
 */
clock: Clock, 
/**
 * The numbers of the cores.
 */
cores: Array<number>, 
/**
 * What executes, by number: interrupt, initialisation, idle, threads.
 */
contexts: Array<Context>, 
/**
 * The lanes, by number, in the order in which they are best shown.
 */
lanes: Array<Lane>, 
/**
 * The kinds of events that occur.
 */
kinds: Array<EventKind>, 
/**
 * What the recording names, by number.
 */
objects: Array<NamedObject>, 
/**
 * The objects whose level is known over time.
 */
levels: Array<LevelResource>, 
/**
 * What the numbers of the classes of a lane's bars stand for.
 */
classes: Array<BarClassName>, 
/**
 * Where events are missing.
 */
gaps: Array<Gap>, 
/**
 * What is wrong with the recording, or limits what can be said.
 */
diagnostics: Array<Diagnostic>, 
/**
 * How many priority inversions there are.
 */
inversions: number, 
/**
 * The state machines that came to stay in a state, by context.
 */
machines: Array<StateMachine>, 
/**
 * Whether there are any.
 */
has_machines: boolean, 
/**
 * The reports that have something to say about the trace, by name.
 */
reports: Array<string>, };

/**
 * Where a trace begins that is a part of a longer recording. Questions and
 * answers count from the part's first event; this is added to say it to people.
 */
export type RecordingOffset = { 
/**
 * The number of its first event in the recording.
 */
event: number, 
/**
 * The time of that event, in ticks since the first of the recording.
 */
time: number, };

/**
 * A trace's clock.
 */
export type Clock = { 
/**
 * How often it ticks in a second, if that is known.
 */
frequency_hz: number | null, 
/**
 * `good`, `static`, `event-counter` or `unknown`.
 */
quality: string, 
/**
 * `up` or `down`.
 */
direction: string, 
/**
 * How many bits of a stamp count.
 */
bits: number, };

/**
 * What executes.
 */
export type Context = { 
/**
 * `interrupt`, `initialize`, `idle`, `thread` or `active-object`.
 */
kind: string, 
/**
 * Its name; of a long one, the beginning and an ellipsis.
 */
name: string, 
/**
 * Its address, or the word that stands for it.
 */
address: string, 
/**
 * The object that names the thread.
 */
object: number | null, 
/**
 * How many events it logged.
 */
events: number, 
/**
 * A thread's priority when it was registered or, failing that, first seen;
 * 0 is the highest.
 */
priority: number | null, 
/**
 * Ticks in which it executed; of a thread, without interrupts.
 */
cpu_time: number, };

/**
 * What a lane is of.
 */
export type LaneKind = { "kind": "summary" } | { "kind": "core", 
/**
 * The core's number.
 */
core: number, } | { "kind": "interrupt", 
/**
 * The core's number.
 */
core: number, } | { "kind": "isr", 
/**
 * The core's number.
 */
core: number, 
/**
 * The number that the application gave it, or its place among those that
 * are known by their address; `null` for all without one.
 */
number: number | null, } | { "kind": "interrupts-off", 
/**
 * The core's number.
 */
core: number, } | { "kind": "initialize-idle", 
/**
 * The core's number.
 */
core: number, } | { "kind": "thread", 
/**
 * Its context.
 */
context: number, } | { "kind": "machine", 
/**
 * The active object's context.
 */
context: number, };

/**
 * A row of the timeline.
 */
export type Lane = { 
/**
 * Its name for people.
 */
name: string, 
/**
 * How many events it shows.
 */
events: number, 
/**
 * Ticks in which it executes; of a machine, in which its state is known.
 */
busy_time: number, 
/**
 * The same in percent, as reports have it: of what belongs to one core, and of
 * a machine, of the trace's length; of a thread and of the summary, of the
 * time of all cores. `null` if no time passes.
 */
share: number | null, } & ({ "kind": "summary" } | { "kind": "core", 
/**
 * The core's number.
 */
core: number, } | { "kind": "interrupt", 
/**
 * The core's number.
 */
core: number, } | { "kind": "isr", 
/**
 * The core's number.
 */
core: number, 
/**
 * The number that the application gave it, or its place among those that
 * are known by their address; `null` for all without one.
 */
number: number | null, } | { "kind": "interrupts-off", 
/**
 * The core's number.
 */
core: number, } | { "kind": "initialize-idle", 
/**
 * The core's number.
 */
core: number, } | { "kind": "thread", 
/**
 * Its context.
 */
context: number, } | { "kind": "machine", 
/**
 * The active object's context.
 */
context: number, });

/**
 * A kind of event.
 */
export type EventKind = { 
/**
 * The format's number.
 */
id: number, 
/**
 * Its name for people, e.g. `tx_queue_send`.
 */
name: string, 
/**
 * The software component it belongs to.
 */
component: string, 
/**
 * The one to three characters of its icon.
 */
letters: string, 
/**
 * The icon's upper, or only, colour: `#rrggbb`.
 */
colour: string, 
/**
 * Its lower colour.
 */
lower_colour: string, 
/**
 * The names of its arguments, by position; `null` where none is recorded.
 */
arguments: [string | null, string | null, string | null, string | null], 
/**
 * How many events are of it.
 */
events: number, };

/**
 * Something that the recording names.
 */
export type NamedObject = { 
/**
 * What it is, e.g. `queue`.
 */
class: string, 
/**
 * Its name or, if it has none, its address; a long one is cut.
 */
name: string, 
/**
 * Where it lies on the target.
 */
address: string, 
/**
 * What is recorded about it, e.g. `stack bytes`, 1024.
 */
parameters: Array<[string, number]>, 
/**
 * Whether it was deleted.
 */
deleted: boolean, 
/**
 * The context, if it is a thread that executed.
 */
context: number | null, };

/**
 * An object whose level is known over time.
 */
export type LevelResource = { 
/**
 * Its number in [`CurveOf::Level`](crate::query::CurveOf::Level).
 */
resource: number, 
/**
 * What it is.
 */
class: string, 
/**
 * Its name or address.
 */
name: string, 
/**
 * The object, if the recording names it.
 */
object: number | null, 
/**
 * The level that it cannot exceed, if that is known.
 */
capacity: number | null, 
/**
 * The active object whose queue it is.
 */
context: number | null, };

/**
 * A state machine.
 */
export type StateMachine = { 
/**
 * The active object's context.
 */
context: number, 
/**
 * The states in which it came to stay, by number: `what` of its lane's bars.
 */
states: Array<MachineState>, };

/**
 * A state of a machine.
 */
export type MachineState = { 
/**
 * The object that names it.
 */
object: number | null, 
/**
 * Its name, or its address.
 */
name: string, 
/**
 * The class of its bars.
 */
class: number, 
/**
 * How often the machine came to stay in it.
 */
visits: number, 
/**
 * Ticks that it stayed.
 */
residency: number, 
/**
 * The same in percent of the trace's length, as the state report has it;
 * `null` if no time passes.
 */
share: number | null, };

/**
 * What a class of bars stands for.
 */
export type BarClassName = { 
/**
 * The number.
 */
code: number, 
/**
 * The name, e.g. `running`, `ready`, `mutex`.
 */
name: string, };

/**
 * Events are missing between two that follow each other.
 */
export type Gap = { 
/**
 * The first event behind it.
 */
event: number, 
/**
 * Its time.
 */
time: number, 
/**
 * How many events are missing at most, if that is known.
 */
missing: number | null, 
/**
 * Whether the target started again here, which need not lose any.
 */
restart: boolean, };

/**
 * What is wrong with the recording.
 */
export type Diagnostic = { 
/**
 * `info`, `warning` or `error`.
 */
severity: string, 
/**
 * What it is about.
 */
kind: string, 
/**
 * A sentence for people.
 */
message: string, 
/**
 * The event it is about.
 */
event: number | null, 
/**
 * How often it was so.
 */
count: number, };

/**
 * What a lane does at a position.
 */
export type Probe = { 
/**
 * The lane.
 */
lane: number, 
/**
 * The class of the bar.
 */
class: number, 
/**
 * What it does, for people: `waits for mutex spi`, `executes sensor`.
 */
text: string, 
/**
 * Since when, in ticks.
 */
start: number, 
/**
 * Until when.
 */
end: number, 
/**
 * The event that began it, or the last before it.
 */
event: number, 
/**
 * Whether it is known when it began; if not, it may have begun earlier.
 */
start_known: boolean, };

/**
 * Where an event lies.
 */
export type EventPosition = { 
/**
 * Its number.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, 
/**
 * Its context.
 */
context: number, 
/**
 * The number of its kind.
 */
kind: number, };

/**
 * Everything about an event.
 */
export type EventDetails = { 
/**
 * Its number.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, 
/**
 * The same, all digits, with the time if the clock's frequency is known.
 */
time_text: string, 
/**
 * The stamp as recorded.
 */
timestamp: string, 
/**
 * The core that recorded it.
 */
core: number, 
/**
 * What executed.
 */
context: number, 
/**
 * The running thread's priority; 0 is the highest.
 */
priority: number | null, 
/**
 * Its preemption threshold.
 */
threshold: number | null, 
/**
 * What the interrupt interrupted.
 */
interrupted: number | null, 
/**
 * The number of its kind.
 */
kind: number, 
/**
 * Its kind's name.
 */
name: string, 
/**
 * Its kind's name in the kernel's source; empty if there is none.
 */
symbol: string, 
/**
 * The software component.
 */
component: string, 
/**
 * Its arguments; of a kind that the catalogue does not know, the words.
 */
arguments: Array<EventArgument>, 
/**
 * Who executes on the core behind the event, for people.
 */
next_running: string, 
/**
 * The same as a context, if it is one.
 */
next_context: number | null, 
/**
 * Ticks since the event before.
 */
since_previous: number | null, 
/**
 * Ticks to the event behind.
 */
until_next: number | null, 
/**
 * Events that have to do with this one.
 */
links: Array<EventLink>, };

/**
 * An argument of an event.
 */
export type EventArgument = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value in words.
 */
text: string, 
/**
 * The word as recorded: `0x…`.
 */
raw: string, 
/**
 * The object that it points to.
 */
object: number | null, };

/**
 * An event that has to do with another.
 */
export type EventLink = { 
/**
 * Whether it is the cause of the other, rather than an effect.
 */
cause: boolean, 
/**
 * How, for people: `woke sensor`, `message taken by`.
 */
text: string, 
/**
 * The event.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, };

/**
 * Rows of a table of events.
 */
export type EventRows = { 
/**
 * How many there are in all.
 */
total: number, 
/**
 * Some of them.
 */
rows: Array<EventRow>, };

/**
 * A row of a table of events.
 */
export type EventRow = { 
/**
 * Its number.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, 
/**
 * The core.
 */
core: number, 
/**
 * What executed.
 */
context: number, 
/**
 * The number of its kind.
 */
kind: number, 
/**
 * Its kind's name.
 */
name: string, 
/**
 * Its arguments in words.
 */
arguments: string, };

/**
 * What a search found.
 */
export type SearchHits = { 
/**
 * How many events in the whole trace.
 */
total: number, 
/**
 * How many in each pixel of the window.
 */
counts: Array<number>, };

/**
 * Events on their way to active objects.
 */
export type Posts = { 
/**
 * How many touch the window.
 */
total: number, 
/**
 * All of them by event; none if there are more than wanted.
 */
posts: Array<Post>, };

/**
 * An event that was put into an active object's queue.
 */
export type Post = { 
/**
 * The event of the trace that tells.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, 
/**
 * The active object that sent it; `null` if it was something else.
 */
sender_context: number | null, 
/**
 * The sender's name, address or `unknown`.
 */
sender_name: string, 
/**
 * The context of the active object that gets it.
 */
receiver: number, 
/**
 * The signal's number.
 */
signal: number, 
/**
 * The signal's name.
 */
signal_name: string, 
/**
 * Whether it was put at the front.
 */
front: boolean, 
/**
 * Whether it is a deferred event that came back.
 */
recalled: boolean, 
/**
 * The event with which the step that took it begins; `null` if that is not
 * known.
 */
step_event: number | null, 
/**
 * The time of that event in ticks.
 */
step_time: number | null, };

/**
 * A diagram.
 */
export type Diagram = { 
/**
 * What it is written in: a picture, or the source of one.
 */
text: string, 
/**
 * How many rows of a sequence, or states and transitions of a machine, it
 * shows.
 */
shown: number, 
/**
 * How many more there are, left out as there are too many: of a machine all,
 * and `text` is empty.
 */
skipped: number, };

/**
 * A value over a window.
 */
export type Graph = { 
/**
 * Where the points lie, in the units of the window, rising. Each holds
 * until the next.
 */
positions: Array<number>, 
/**
 * The lowest value since then, or the only one; `null` if it is not known.
 */
min: Array<number | null>, 
/**
 * The highest value since then.
 */
max: Array<number | null>, 
/**
 * The value that it cannot exceed, if that is known.
 */
limit: number | null, };

/**
 * How a recording stands that is still under way, and what of it can be asked.
 * The contract `rtoscope/live/2`.
 *
 * A part of the recording that can be asked is an edition; each has a number,
 * and later ones have higher numbers. An edition never changes.
 */
export type LiveStatus = { 
/**
 * `rtoscope/live/2`.
 */
schema: string, 
/**
 * Another one whenever something here but the edition is. Who tells it back
 * as `seen` misses no change.
 */
version: number, 
/**
 * The edition that this tells of; 0 if there is none yet.
 */
snapshot: number, 
/**
 * Where the edition begins.
 */
base: RecordingOffset, 
/**
 * How many events it has.
 */
events: number, 
/**
 * Ticks from its first event to its last.
 */
span: number, 
/**
 * Events of the whole recording.
 */
total_events: number, 
/**
 * Events that are known to be missing, at least.
 */
missing: number, 
/**
 * Places where events are missing.
 */
gaps: number, 
/**
 * Frames or buffers that could not be used.
 */
invalid_frames: number, 
/**
 * Bytes that came.
 */
bytes: number, 
/**
 * Bytes that came in the last second or so.
 */
bytes_per_second: number, 
/**
 * Events that came in the last second or so.
 */
events_per_second: number, 
/**
 * Whether a target is there.
 */
connection: ConnectionStatus, 
/**
 * When the newest byte of the edition came, in milliseconds since 1970 by
 * the clock of the host; `null` if that is not known.
 */
received_at: number | null, 
/**
 * What is on disk, if it is saved.
 */
saved: SavedRecording | null, 
/**
 * Bytes that wait to be decoded.
 */
queued_bytes: number, 
/**
 * Why what came cannot be decoded or shown, if it cannot.
 */
decode_error: string | null, 
/**
 * Whether there may be older events on disk than the edition has.
 */
has_older: boolean, };

/**
 * Whether a target is there.
 */
export type ConnectionStatus = { 
/**
 * Whether it is.
 */
state: ConnectionState, 
/**
 * What is waited for, who is there, or why not; empty at the end.
 */
text: string, };

/**
 * Whether a target is there.
 */
export type ConnectionState = "waiting" | "connected" | "lost" | "ended" | "failed";

/**
 * What of a recording is on disk.
 */
export type SavedRecording = { 
/**
 * Where.
 */
folder: string, 
/**
 * Bytes that were written.
 */
bytes: number, 
/**
 * Why no more is written, if that is so. What was written stays.
 */
error: string | null, };
