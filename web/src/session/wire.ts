// Written by `cargo xtask check` from crates/session: change it there.

import type { Durations, RecordingFigures } from "./documents";

/**
 * The unit of positions.
 */
export type Axis = "time" | "index";

/**
 * A part of the trace, in the units of an [`Axis`].
 */
export type Window = { 
/**
 * The unit of `start` and `end`.
 */
axis: Axis, 
/**
 * Start; may be before the trace.
 */
start: number, 
/**
 * End; may be after the trace.
 */
end: number, };

/**
 * A query. All results are JSON, except that of [`Query::Lanes`].
 */
export type Query = { "query": "overview" } | { "query": "legend" } | { "query": "lanes", 
/**
 * The window.
 */
window: Window, 
/**
 * Its width in pixels, 1 to 8192.
 */
width: number, 
/**
 * The lanes, by their number in the overview, at most 256.
 */
lanes: Array<number>, 
/**
 * Marks the pixels with hits of a search.
 */
search: Search | null, } | { "query": "probe", 
/**
 * The unit of `at`.
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
 * The unit of `at`.
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
 * The first row: the number of an event, or of a hit if there is a search.
 */
offset: number, 
/**
 * Maximum number of rows, at most 1000.
 */
limit: number, 
/**
 * Only the hits of a search.
 */
search: Search | null, } | { "query": "step", 
/**
 * The event to start from, exclusive.
 */
from: number, 
/**
 * The direction.
 */
direction: Direction, 
/**
 * Which events match.
 */
by: StepBy, } | { "query": "search", 
/**
 * The search.
 */
search: Search, 
/**
 * The window in which hits are counted by pixel.
 */
window: Window, 
/**
 * Its width in pixels, 1 to 8192.
 */
width: number, } | { "query": "report", 
/**
 * Their names; all reports if empty.
 */
kinds: Array<string>, 
/**
 * Start in ticks.
 */
start: number | null, 
/**
 * End in ticks, inclusive.
 */
end: number | null, 
/**
 * Only these threads, by context number.
 */
threads: Array<number> | null, 
/**
 * Only this core.
 */
core: number | null, 
/**
 * Only the services of this context.
 */
context: number | null, 
/**
 * The name of the handler, thread or marker with which cycles begin; `null` for
 * the most regular one.
 */
anchor: string | null, 
/**
 * Whether the result has tables with described columns.
 */
tables: boolean, } | { "query": "critical-path", 
/**
 * Its number.
 */
event: number, 
/**
 * The thread or active object that the path follows; `null` for the context of
 * the event.
 */
context: number | null, 
/**
 * Goes back to this tick, also beyond the first cause; `null` ends the path at
 * the first cause.
 */
from: number | null, 
/**
 * Maximum number of segments, 1 to 10,000.
 */
limit: number, } | { "query": "graph", 
/**
 * The value.
 */
source: GraphSource, 
/**
 * The window.
 */
window: Window, 
/**
 * Maximum number of points, 1 to 8192.
 */
width: number, } | { "query": "intervals", 
/**
 * Which events start and end one.
 */
filters: IntervalFilters, 
/**
 * Their name in the answer.
 */
name: string, 
/**
 * The maximum duration in ticks, if there is one.
 */
deadline: number | null, 
/**
 * Start of the scope in ticks.
 */
start: number | null, 
/**
 * End of the scope in ticks, inclusive.
 */
end: number | null, } | { "query": "interval-bars", 
/**
 * Which events start and end one.
 */
filters: IntervalFilters, 
/**
 * The window.
 */
window: Window, 
/**
 * Its width in pixels, 1 to 8192.
 */
width: number, } | { "query": "plot", 
/**
 * The durations or values.
 */
source: PlotSource, 
/**
 * The window.
 */
window: Window, 
/**
 * Its width in pixels, 1 to 8192.
 */
width: number, } | { "query": "raw-events", 
/**
 * The window.
 */
window: Window, 
/**
 * Number of events to skip.
 */
offset: number, 
/**
 * Maximum number of events, 1 to 50,000.
 */
limit: number, } | { "query": "messages", 
/**
 * The object, by its resource number in the overview.
 */
resource: number, 
/**
 * The window.
 */
window: Window, 
/**
 * Maximum number of messages, 1 to 8192; if there are more, only their number is
 * in the response.
 */
limit: number, } | { "query": "cpu-load", 
/**
 * Only this core; all if `null`.
 */
core: number | null, 
/**
 * The window.
 */
window: Window, 
/**
 * Maximum number of parts, 1 to 8192.
 */
width: number, 
/**
 * Number of contexts that are apart; the others are summed. At most 131,072
 * divided by `width`.
 */
limit: number, } | { "query": "history", 
/**
 * The object, by its number in the overview.
 */
object: number, 
/**
 * The first row.
 */
offset: number, 
/**
 * Maximum number of rows, at most 1000.
 */
limit: number, } | { "query": "posts", 
/**
 * The window that the arrows overlap.
 */
window: Window, 
/**
 * Maximum number of posts, at most 10,000; if there are more, none are
 * returned.
 */
limit: number, } | { "query": "sequence", 
/**
 * The window.
 */
window: Window, 
/**
 * Only these active objects and those they exchange events with, by context
 * number; all if empty.
 */
objects: Array<number>, 
/**
 * The output format.
 */
format: SequenceFormat, 
/**
 * Whether to show states that are reached.
 */
states: boolean, 
/**
 * Whether to show actions.
 */
actions: boolean, 
/**
 * Whether to show starts and stops of timers.
 */
timers: boolean, 
/**
 * Maximum number of rows, 1 to 5000.
 */
limit: number, } | { "query": "machine", 
/**
 * The active object's context.
 */
context: number, 
/**
 * The output format.
 */
format: GraphFormat, } | { "query": "communication", 
/**
 * Start of the part, in ticks; the start of the trace if `null`.
 */
start: number | null, 
/**
 * End of the part, inclusive; the end of the trace if `null`.
 */
end: number | null, 
/**
 * The output format.
 */
format: GraphFormat, } | { "query": "figures" } | { "query": "comparison", 
/**
 * The result of [`Query::Figures`] for the baseline.
 */
baseline: RecordingFigures, } | { "query": "figure", 
/**
 * Which figure.
 */
of: FigureName, } | { "query": "overlaid-histogram", 
/**
 * Which figure.
 */
of: FigureName, 
/**
 * The durations of the baseline.
 */
baseline: Durations, } | { "query": "clock" } | { "query": "bookmarks" } | { "query": "lane-looks" };

/**
 * A command that changes a session.
 */
export type Command = { "command": "clock", 
/**
 * Ticks per second, at least 1.
 */
frequency_hz: number | null, } | { "command": "put-bookmark", 
/**
 * The bookmark.
 */
bookmark: Bookmark, 
/**
 * The note that the client knows at this place; `null` if it knows none. If another
 * client has changed it, both notes are kept.
 */
replaces: string | null, } | { "command": "remove-bookmark", 
/**
 * The bookmark, with the note that the client knows.
 */
bookmark: Bookmark, } | { "command": "put-lane-look", 
/**
 * The choice; one without any value removes it.
 */
look: LaneLook, };

/**
 * A note at an event, at a time between two events, or on a range.
 */
export type Bookmark = { 
/**
 * The event; for a time, the last event at or before it.
 */
event: number, 
/**
 * Ticks from the event to the bookmark's time; none at the event itself.
 */
ticks_after?: number, 
/**
 * The end of a range.
 */
end?: BookmarkEnd, 
/**
 * The note, at most 4096 bytes.
 */
note: string, };

/**
 * The end of a bookmarked range, not before its start.
 */
export type BookmarkEnd = { 
/**
 * The last event at or before the end.
 */
event: number, 
/**
 * Ticks from the event to the end; none at the event itself.
 */
ticks_after?: number, };

/**
 * What a user chose for a lane of the viewer, where that is not the default.
 */
export type LaneLook = { 
/**
 * What identifies the lane: its kind, its name and, for a thread, its address. At most
 * 2048 bytes.
 */
lane: string, 
/**
 * A name that is shown beside the recorded one, 1 to 256 bytes.
 */
name?: string, 
/**
 * The colour, `#rrggbb`.
 */
colour?: string, 
/**
 * The height in pixels, 16 to 400.
 */
height?: number, 
/**
 * The group that the lane belongs to, 1 to 256 bytes.
 */
group?: string, };

/**
 * Direction of a step.
 */
export type Direction = "next" | "previous";

/**
 * The events that a step visits.
 */
export type StepBy = { "mode": "event" } | { "mode": "context", 
/**
 * The context.
 */
context: number, } | { "mode": "object", 
/**
 * The object, by its number in the overview.
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
 * The state, by its number in the overview's machine.
 */
state: number, } | { "mode": "search", 
/**
 * The search.
 */
search: Search, };

/**
 * A search for events.
 */
export type Search = { 
/**
 * An expression in the [filter language](rtoscope_trace::filter), at most 4096
 * bytes.
 */
filter: string, };

/**
 * A figure of a comparison.
 */
export type FigureName = { 
/**
 * The path of its table.
 */
table: string, 
/**
 * Its subject; empty if it is the recording.
 */
subject: string, 
/**
 * The key of its column, such as `wake_up.p99`.
 */
figure: string, };

/**
 * Which events start and end an interval.
 */
export type IntervalFilters = { 
/**
 * The filter of the starts, as in a [`Search`].
 */
from: string, 
/**
 * The filter of the ends.
 */
to: string, 
/**
 * What a start and an end have in common: `thread`, `object` or the name of an
 * argument; empty if nothing.
 */
by: string, 
/**
 * The effect of a start while an interval is open: `restart`, `first` or `nested`.
 */
repeated: string, };

/**
 * The durations or values that a plot shows.
 */
export type PlotSource = { "kind": "thread", 
/**
 * The thread's context.
 */
context: number, 
/**
 * Which of their durations.
 */
measure: ThreadMeasure, } | { "kind": "isr", 
/**
 * The number of the routine.
 */
number: number, 
/**
 * Which of their durations.
 */
measure: IsrMeasure, } | { "kind": "intervals", 
/**
 * Which events start and end one.
 */
filters: IntervalFilters, } | { "kind": "marker", 
/**
 * The number of the marker.
 */
marker: number, 
/**
 * Which of its durations, or its values.
 */
measure: MarkerMeasure, } | { "kind": "event", 
/**
 * The format's number of the kind of events.
 */
number: number, 
/**
 * `info1` to `info4`, `item1` and so on, or the argument's name.
 */
argument: string, };

/**
 * A duration of a thread's activations or runs, as in the reports on latencies and
 * periods.
 */
export type ThreadMeasure = "response" | "wake-up" | "period" | "jitter" | "run";

/**
 * A duration of the activations of an interrupt service routine, as in the report on
 * periods.
 */
export type IsrMeasure = "duration" | "period" | "run";

/**
 * A figure of a marker, as in the report on markers.
 */
export type MarkerMeasure = "duration" | "period" | "value";

/**
 * The value that a graph shows.
 */
export type GraphSource = { "kind": "load", 
/**
 * Of this core; of all cores if `null`.
 */
core: number | null, } | { "kind": "level", 
/**
 * The object, by its number in the overview's levels.
 */
resource: number, };

/**
 * Output formats of sequence diagrams.
 */
export type SequenceFormat = "svg" | "mermaid" | "plantuml" | "msc-generator";

/**
 * Output formats of state machines and communication graphs.
 */
export type GraphFormat = "dot" | "mermaid";

/**
 * The properties of a trace: the contract `rtoscope/session/1`.
 */
export type Overview = { 
/**
 * `rtoscope/session/1`.
 */
schema: string, 
/**
 * The name of the recording.
 */
name: string, 
/**
 * The name of the recording's format.
 */
format: string, 
/**
 * The format and its variant, for people.
 */
format_description: string, 
/**
 * Facts that only the format has.
 */
facts: Array<FormatFact>, 
/**
 * How a command opens the recording; null if it has no file, or another name in this
 * system.
 */
source: RecordingSource | null, 
/**
 * The position in a longer recording; else 0.
 */
base: RecordingOffset, 
/**
 * Changes when a live recording assigns numbers of contexts, lanes, objects and so on
 * anew. Until then they stay: entries that a part does not have are empty.
 */
ids_generation: number, 
/**
 * Number of events.
 */
events: number, 
/**
 * Ticks from the first event to the last.
 */
span: number, 
/**
 * The clock.
 */
clock: Clock, 
/**
 * The numbers of the cores.
 */
cores: Array<number>, 
/**
 * The contexts, by number: interrupt, initialisation, idle, threads.
 */
contexts: Array<Context>, 
/**
 * The lanes, by number.
 */
lanes: Array<Lane>, 
/**
 * The lanes that the trace has, in their default order.
 */
lane_order: Array<number>, 
/**
 * The kinds of events that occur.
 */
kinds: Array<EventKind>, 
/**
 * The objects that the recording names, by number.
 */
objects: Array<NamedObject>, 
/**
 * The objects with a known level.
 */
levels: Array<LevelResource>, 
/**
 * The meaning of the class codes of bars.
 */
classes: Array<BarClassName>, 
/**
 * The gaps.
 */
gaps: Array<Gap>, 
/**
 * Problems and limitations of the recording.
 */
diagnostics: Array<Diagnostic>, 
/**
 * Number of priority inversions.
 */
inversions: number, 
/**
 * The state machines with a known state, by context.
 */
machines: Array<StateMachine>, 
/**
 * Whether there are any state machines.
 */
has_machines: boolean, 
/**
 * The markers, by number.
 */
markers: Array<Marker>, 
/**
 * The kinds of events that the application defines, with the arguments that are
 * numbers.
 */
user_events: Array<UserEventKind>, 
/**
 * The declared intervals.
 */
intervals: Array<DeclaredInterval>, 
/**
 * The names of the reports that apply to the trace.
 */
reports: Array<ReportName>, };

/**
 * The findings or a report.
 */
export type ReportName = { 
/**
 * Its name in queries and on the command line.
 */
kind: string, 
/**
 * Its title.
 */
title: string, };

/**
 * A fact about a recording that only its format has.
 */
export type FormatFact = { 
/**
 * What it is about.
 */
label: string, 
/**
 * The fact.
 */
value: string, };

/**
 * The position of a trace within a longer recording.
 */
export type RecordingOffset = { 
/**
 * The number of its first event in the recording.
 */
event: number, 
/**
 * The time of that event, in ticks since the first event of the recording.
 */
time: number, };

/**
 * How a command opens the recording of a session.
 */
export type RecordingSource = { 
/**
 * The path of its file.
 */
file: string, 
/**
 * The options with which it was opened.
 */
options: Array<string>, };

/**
 * A trace's clock.
 */
export type Clock = { 
/**
 * Ticks per second, if known.
 */
frequency_hz: number | null, 
/**
 * Where the frequency is from: `recording`, `command-line`, `project-file`, `notes` or
 * `page`; null if it is unknown.
 */
source: string | null, 
/**
 * Why ticks do not measure time; null if they do. The frequency is null then.
 */
no_time: string | null, 
/**
 * `good`, `static`, `event-counter`, `lossy`, `uneven` or `unknown`.
 */
quality: string, 
/**
 * `up` or `down`.
 */
direction: string, 
/**
 * Number of significant bits of a timestamp.
 */
bits: number, };

/**
 * A context: what runs on a core.
 */
export type Context = { 
/**
 * `interrupt`, `initialize`, `idle`, `thread` or `active-object`.
 */
kind: string, 
/**
 * Its name, truncated with an ellipsis if long.
 */
name: string, 
/**
 * Its address, or the constant that represents it.
 */
address: string, 
/**
 * The object that names the thread.
 */
object: number | null, 
/**
 * Number of events that it logged.
 */
events: number, 
/**
 * A thread's priority at its registration, else its first recorded one; 0 is the
 * highest.
 */
priority: number | null, 
/**
 * CPU time in ticks; of a thread, without interrupts.
 */
cpu_time: number, };

/**
 * What a lane shows.
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
 * The number that the application gave it, or its index among the routines
 * identified by address; `null` for all routines without a number.
 */
number: number | null, } | { "kind": "interrupts-off", 
/**
 * The core's number.
 */
core: number, } | { "kind": "marker", 
/**
 * The marker's number.
 */
marker: number, } | { "kind": "pipeline-stage", 
/**
 * The pipeline's number.
 */
pipeline: number, 
/**
 * The stage's place in it, from 0.
 */
stage: number, } | { "kind": "text-log", 
/**
 * The log's number.
 */
log: number, } | { "kind": "initialize-idle", 
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
 * A lane of the timeline.
 */
export type Lane = { 
/**
 * Its display name.
 */
name: string, 
/**
 * Number of events that it shows.
 */
events: number, 
/**
 * Busy time in ticks; of a machine, the time in known states; of a marker, the time
 * in which a span is open; of a stage, the time in which it has an item.
 */
busy_time: number, 
/**
 * Busy time in percent, as in reports: of the trace's length for lanes of one core,
 * machines, markers and stages, of the time of all cores for threads and the summary. `null` if no
 * time passes.
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
 * The number that the application gave it, or its index among the routines
 * identified by address; `null` for all routines without a number.
 */
number: number | null, } | { "kind": "interrupts-off", 
/**
 * The core's number.
 */
core: number, } | { "kind": "marker", 
/**
 * The marker's number.
 */
marker: number, } | { "kind": "pipeline-stage", 
/**
 * The pipeline's number.
 */
pipeline: number, 
/**
 * The stage's place in it, from 0.
 */
stage: number, } | { "kind": "text-log", 
/**
 * The log's number.
 */
log: number, } | { "kind": "initialize-idle", 
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
 * Its display name, e.g. `tx_queue_send`.
 */
name: string, 
/**
 * Its software component.
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
 * The icon's lower colour.
 */
lower_colour: string, 
/**
 * The names of its arguments, by position; `null` if none is recorded.
 */
arguments: [string | null, string | null, string | null, string | null], 
/**
 * Number of events of this kind.
 */
events: number, };

/**
 * A marker: spans and instants of one name.
 */
export type Marker = { 
/**
 * Its name, truncated if long.
 */
name: string, 
/**
 * Number of spans.
 */
spans: number, 
/**
 * Number of instants.
 */
instants: number, };

/**
 * A kind of events that the application defines.
 */
export type UserEventKind = { 
/**
 * The format's number.
 */
number: number, 
/**
 * Its display name.
 */
name: string, 
/**
 * The names of the arguments that are numbers.
 */
arguments: Array<string>, };

/**
 * An object that the recording names.
 */
export type NamedObject = { 
/**
 * Its class, e.g. `queue`.
 */
class: string, 
/**
 * Its name, truncated if long, or its address if it has none.
 */
name: string, 
/**
 * Its address on the target.
 */
address: string, 
/**
 * Its recorded parameters, e.g. `stack bytes`, 1024.
 */
parameters: Array<[string, number]>, 
/**
 * Whether it was deleted.
 */
deleted: boolean, 
/**
 * The context, if it is a thread that ran.
 */
context: number | null, };

/**
 * An object with a known level.
 */
export type LevelResource = { 
/**
 * Its number in [`GraphSource::Level`](crate::query::GraphSource::Level).
 */
resource: number, 
/**
 * Its class.
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
 * Its maximum level, if known.
 */
capacity: number | null, 
/**
 * The active object that owns the queue.
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
 * Its visited states, by number: the `subject` of its lane's bars.
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
 * Number of state intervals.
 */
visits: number, 
/**
 * Time in the state, in ticks.
 */
residency: number, 
/**
 * Time in the state, in percent of the trace's length, as in the report of states;
 * `null` if no time passes.
 */
share: number | null, };

/**
 * The name of a bar class.
 */
export type BarClassName = { 
/**
 * The code.
 */
code: number, 
/**
 * The name, e.g. `running`, `ready`, `mutex`.
 */
name: string, };

/**
 * A gap: events are missing between two adjacent events.
 */
export type Gap = { 
/**
 * The first event after the gap.
 */
event: number, 
/**
 * Its time.
 */
time: number, 
/**
 * Maximum number of missing events, if known.
 */
missing: number | null, 
/**
 * Whether the target restarted here, which need not lose events.
 */
restart: boolean, };

/**
 * A problem with the recording.
 */
export type Diagnostic = { 
/**
 * `info`, `warning` or `error`.
 */
severity: string, 
/**
 * Its kind.
 */
kind: string, 
/**
 * A sentence for the user.
 */
message: string, 
/**
 * The event concerned.
 */
event: number | null, 
/**
 * Number of occurrences.
 */
count: number, };

/**
 * The state of a lane at a position.
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
 * Display text: `waits for mutex spi`, `runs sensor`.
 */
text: string, 
/**
 * Start in ticks.
 */
start: number, 
/**
 * End in ticks.
 */
end: number, 
/**
 * The event at its start, or the last before it.
 */
event: number, 
/**
 * Whether the start was recorded; if not, it may have started earlier.
 */
start_known: boolean, 
/**
 * For the item of a pipeline, the stages that it passes; else empty.
 */
path: Array<ItemVisit>, };

/**
 * An item's time in a stage of a pipeline.
 */
export type ItemVisit = { 
/**
 * The lane of the stage.
 */
lane: number, 
/**
 * When the item arrives at the stage.
 */
arrived: Moment, 
/**
 * When the stage takes it, if it does.
 */
received: Moment | null, 
/**
 * When it leaves the stage, if it does.
 */
left: Moment | null, };

/**
 * An event and its time.
 */
export type Moment = { 
/**
 * The event's number.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, };

/**
 * The position of an event.
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
 * The details of an event.
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
 * Its time with all digits, and in time units if the clock's frequency is known.
 */
time_text: string, 
/**
 * The timestamp as recorded.
 */
timestamp: string, 
/**
 * The core that recorded it.
 */
core: number, 
/**
 * The context that logged it.
 */
context: number, 
/**
 * The running thread's priority; 0 is the highest.
 */
priority: number | null, 
/**
 * The running thread's preemption threshold.
 */
threshold: number | null, 
/**
 * The context that the interrupt interrupted.
 */
interrupted: number | null, 
/**
 * The number of its kind.
 */
kind: number, 
/**
 * The name of its kind.
 */
name: string, 
/**
 * The name of its kind in the kernel's source; empty if there is none.
 */
symbol: string, 
/**
 * Its software component.
 */
component: string, 
/**
 * Its arguments; the raw words if the catalogue does not define its kind.
 */
arguments: Array<EventArgument>, 
/**
 * The context that runs on the core after the event, as display text.
 */
next_running: string, 
/**
 * The same as a context, if it is one.
 */
next_context: number | null, 
/**
 * Ticks since the previous event.
 */
since_previous: number | null, 
/**
 * Ticks until the next event.
 */
until_next: number | null, 
/**
 * Its causes and effects.
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
 * Its decoded value.
 */
text: string, 
/**
 * The word as recorded: `0x…`.
 */
raw: string, 
/**
 * The object that it refers to.
 */
object: number | null, 
/**
 * The line of source code that it refers to.
 */
source: SourceLine | null, };

/**
 * A line of source code.
 */
export type SourceLine = { 
/**
 * The file, as in the symbols.
 */
file: string, 
/**
 * The line in that file, from 1.
 */
line: number | null, };

/**
 * A link to a related event.
 */
export type EventLink = { 
/**
 * Whether it is a cause rather than an effect.
 */
cause: boolean, 
/**
 * The relation, as display text: `woke sensor`, `message taken by`.
 */
text: string, 
/**
 * The related event.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, };

/**
 * Rows of the event table.
 */
export type EventRows = { 
/**
 * Total number of rows.
 */
total: number, 
/**
 * The requested rows.
 */
rows: Array<EventRow>, };

/**
 * A row of the event table.
 */
export type EventRow = { 
/**
 * The event's number.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, 
/**
 * Its core.
 */
core: number, 
/**
 * The context that logged it.
 */
context: number, 
/**
 * The number of its kind.
 */
kind: number, 
/**
 * The name of its kind.
 */
name: string, 
/**
 * Its decoded arguments.
 */
arguments: string, };

/**
 * The hits of a search.
 */
export type SearchHits = { 
/**
 * Number of hits in the whole trace.
 */
total: number, 
/**
 * Number of hits in each pixel of the window.
 */
counts: Array<number>, };

/**
 * Posts to active objects.
 */
export type Posts = { 
/**
 * Number of posts that overlap the window.
 */
total: number, 
/**
 * All of them, in the order of events; empty if there are more than the limit.
 */
posts: Array<Post>, };

/**
 * An event posted to an active object's queue.
 */
export type Post = { 
/**
 * The event of the post.
 */
event: number, 
/**
 * Its time in ticks.
 */
time: number, 
/**
 * The context of the active object that posted it; `null` for other senders.
 */
sender_context: number | null, 
/**
 * The sender's name, address or `unknown`.
 */
sender_name: string, 
/**
 * The context of the receiving active object.
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
 * Whether it was posted at the front of the queue.
 */
front: boolean, 
/**
 * Whether it is a recalled deferred event.
 */
recalled: boolean, 
/**
 * The first event of the step that handles it; `null` if unknown.
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
 * The text of the diagram in the requested format.
 */
text: string, 
/**
 * Number of shown rows of a sequence, or states and transitions of a machine.
 */
shown: number, 
/**
 * Number of skipped ones beyond the limit; a machine beyond the limit is skipped
 * entirely, and `text` is empty.
 */
skipped: number, };

/**
 * A value over a window.
 */
export type Graph = { 
/**
 * The starts of the points, in units of the window, in ascending order. Each point
 * lasts until the next.
 */
positions: Array<number>, 
/**
 * The minimum value of the point; `null` if unknown.
 */
min: Array<number | null>, 
/**
 * The maximum value of the point.
 */
max: Array<number | null>, 
/**
 * The upper bound of the value, if known.
 */
limit: number | null, };

/**
 * CPU time by context over the parts of a window; on the event axis, the events at which
 * each context runs.
 */
export type CpuLoad = { 
/**
 * The edges of the parts: one more than there are parts, or none. On the time axis
 * they are whole ticks, on the event axis whole events, so that zooming in leaves
 * fewer parts. They ascend.
 */
positions: Array<number>, 
/**
 * Number of cores whose time is counted.
 */
cores: number, 
/**
 * The contexts that run in the window, the busiest of the whole trace first; then
 * the sum of the other contexts, idle time and unknown time. For each part, their
 * lengths add up to its own times the number of cores.
 */
contexts: Array<ContextLoad>, };

/**
 * CPU time of a context.
 */
export type ContextLoad = { 
/**
 * `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown` or `other`.
 */
kind: string, 
/**
 * Its name in the profile.
 */
name: string, 
/**
 * Its context, if it is a thread.
 */
context: number | null, 
/**
 * Its length in each part: CPU time in ticks, or events.
 */
lengths: Array<number>, };

/**
 * The bars of intervals in a window, in the order of their starts.
 */
export type IntervalBars = { 
/**
 * The starts of the bars, in units of the window.
 */
starts: Array<number>, 
/**
 * Their ends.
 */
ends: Array<number>, 
/**
 * The event that starts the first interval of each bar.
 */
events: Array<number>, 
/**
 * Number of intervals that start in the bar. If there are too many to list, a bar is
 * a pixel in which an interval is open: then it can be 0.
 */
counts: Array<number>, 
/**
 * Whether the end is recorded.
 */
ended: Array<boolean>, };

/**
 * Durations or values of events over a window. A duration is where it ends.
 */
export type Plot = { 
/**
 * The positions of the points, in units of the window, in ascending order.
 */
positions: Array<number>, 
/**
 * The durations in ticks, or the values.
 */
values: Array<number>, 
/**
 * The events of the values, or at which the durations end.
 */
events: Array<number>, 
/**
 * Number of points in the window. If there are more than two a pixel, the smallest and
 * the largest of each pixel are listed.
 */
total: number, };

/**
 * The messages that are in an object in a window, in the order of their puts. All lists
 * have an entry for each message, and none if there are more messages than requested.
 */
export type MessageBars = { 
/**
 * Number of messages.
 */
total: number, 
/**
 * The positions of their puts, in units of the window.
 */
starts: Array<number>, 
/**
 * The positions of their ends.
 */
ends: Array<number>, 
/**
 * From put to end, in ticks.
 */
ticks: Array<number>, 
/**
 * A row, from 0, that no other message has at the same time.
 */
rows: Array<number>, 
/**
 * The events of their puts.
 */
puts: Array<number>, 
/**
 * The events of their ends.
 */
end_events: Array<number>, 
/**
 * The contexts that put them; `null` if not recorded.
 */
putters: Array<number | null>, 
/**
 * The contexts that take them; `null` if not taken or not recorded.
 */
takers: Array<number | null>, 
/**
 * How they end.
 */
endings: Array<MessageEnd>, };

/**
 * The events of a window as text: CSV with the columns of `rtoscope events`.
 */
export type RawEvents = { 
/**
 * The line with the names of the columns.
 */
header: string, 
/**
 * A line for each requested event.
 */
lines: string, 
/**
 * Number of events in the window.
 */
total: number, };

/**
 * How a message ends.
 */
export type MessageEnd = "taken" | "gave-up" | "flushed" | "trace-ended" | "unknown";

/**
 * Intervals that were declared when the trace was opened.
 */
export type DeclaredInterval = { 
/**
 * Their name.
 */
name: string, 
/**
 * Which events start and end one.
 */
filters: IntervalFilters, 
/**
 * The maximum duration, in ticks.
 */
deadline: number | null, };

/**
 * Status of a live trace: the contract `rtoscope/live/1`.
 *
 * A snapshot is a part of the recording that can be queried. Snapshots have
 * ascending numbers and never change.
 */
export type LiveStatus = { 
/**
 * `rtoscope/live/1`.
 */
schema: string, 
/**
 * Changes with every member other than `snapshot`. A client that passes it back as
 * `version` misses no change.
 */
version: number, 
/**
 * The number of the snapshot; 0 if there is none yet.
 */
snapshot: number, 
/**
 * The start of the snapshot.
 */
base: RecordingOffset, 
/**
 * Number of events in the snapshot.
 */
events: number, 
/**
 * Ticks from its first event to its last.
 */
span: number, 
/**
 * Number of events in the whole recording.
 */
total_events: number, 
/**
 * Minimum number of missing events.
 */
missing: number, 
/**
 * Number of gaps.
 */
gaps: number, 
/**
 * Number of frames or buffers that could not be decoded.
 */
invalid_frames: number, 
/**
 * Number of received bytes.
 */
bytes: number, 
/**
 * Received bytes per second, averaged over about a second.
 */
bytes_per_second: number, 
/**
 * Received events per second, averaged over about a second.
 */
events_per_second: number, 
/**
 * The connection to the target.
 */
connection: ConnectionStatus, 
/**
 * When the newest byte of the snapshot arrived, in milliseconds since 1970 by the
 * host's clock; `null` if unknown.
 */
received_at: number | null, 
/**
 * The recording on disk, if there is one.
 */
saved: SavedRecording | null, 
/**
 * Number of bytes that wait for decoding.
 */
queued_bytes: number, 
/**
 * Why the bytes cannot be decoded or shown, if so.
 */
decode_error: string | null, 
/**
 * Whether there may be events on disk that are older than the snapshot.
 */
has_older: boolean, 
/**
 * Whether commands can be sent to the target.
 */
takes_commands: boolean, };

/**
 * The connection to the target.
 */
export type ConnectionStatus = { 
/**
 * Its state.
 */
state: ConnectionState, 
/**
 * What the source waits for, the target's name, or the reason; empty at the end.
 */
text: string, };

/**
 * State of the connection to the target.
 */
export type ConnectionState = "waiting" | "connected" | "lost" | "ended" | "failed";

/**
 * A recording on disk.
 */
export type SavedRecording = { 
/**
 * Its folder.
 */
folder: string, 
/**
 * Number of written bytes.
 */
bytes: number, 
/**
 * Why writing has stopped, if so. Written bytes stay.
 */
error: string | null, };

/**
 * Progress of opening a trace.
 */
export type OpeningProgress = { 
/**
 * The current phase.
 */
phase: OpeningPhase, 
/**
 * What the phase has processed so far: bytes when decoding, events when analysing.
 */
done: number, 
/**
 * What it processes in all; `null` if unknown.
 */
total: number | null, 
/**
 * Number of events of the recording; `null` before it is known.
 */
events: number | null, 
/**
 * The events over time, preliminary until the recording is decoded; `null` before
 * their times are known.
 */
density: OpeningDensity | null, };

/**
 * A phase of opening a trace.
 */
export type OpeningPhase = "reading" | "decoding" | "analysis" | "indexing";

/**
 * Number of events over time.
 */
export type OpeningDensity = { 
/**
 * Ticks from the first event to the last.
 */
span: number, 
/**
 * Number of events in each of several equal parts of the span.
 */
counts: Array<number>, };

/**
 * The formats of recordings, in the plural.
 */
export const FORMATS = ["ThreadX event traces", "RKH trace streams", "context-switch logs", "SystemView streams", "TraceRecorder recordings", "BTF traces", "CTF traces", "logic analyser captures", "texts with events", "Tonbandgeraet streams"];

/**
 * The extensions of recordings that few other files have.
 */
export const EXTENSIONS = ["btf", "cswl", "ctf", "psf", "psfs", "rkh", "sr", "svdat", "tband", "trx", "txts"];

/**
 * Those that more files of other programs have.
 */
export const SHARED_EXTENSIONS = ["bin", "csv", "jsonl", "mem", "tar", "vcd", "zip"];
