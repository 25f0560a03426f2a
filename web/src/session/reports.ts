// Written by `cargo xtask check` from crates/analysis: change it there.

/**
 * The machine-readable contract `rtoscope/report/2`: the scope, the findings,
 * and the selected reports; the others are absent.
 */
export type ReportDocument = { 
/**
 * `rtoscope/report/2`.
 */
schema: string, 
/**
 * The name of the recording.
 */
source: string, 
/**
 * Events of the scope.
 */
events: number, 
/**
 * Ticks of the scope.
 */
span_ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
span_ns?: number, 
/**
 * Cores of the scope that recorded events.
 */
cores: number, 
/**
 * The scope's first tick.
 */
start_ticks: number, 
/**
 * The scope's last tick.
 */
end_ticks: number, 
/**
 * Frequency of the clock, if known and if the clock measures time.
 */
frequency_hz: number | null, 
/**
 * `good`, `static`, `event-counter` or `unknown`: ticks of a `static` or
 * `event-counter` clock are no durations, shares of time are null, and
 * reports about time are skipped.
 */
clock_quality: string, 
/**
 * The findings, the most severe first.
 */
findings: Array<Finding>, 
/**
 * See [`profile`].
 */
profile?: Array<ProfileRow>, 
/**
 * See [`performance`].
 */
performance?: Performance, 
/**
 * See [`threads`].
 */
threads?: Array<ThreadRow>, 
/**
 * See [`stacks`].
 */
stacks?: Array<StackRow>, 
/**
 * See [`services`]; of the selected context, if any.
 */
services?: Array<ServiceRow>, 
/**
 * See [`inversions`].
 */
inversions?: Array<InversionRow>, 
/**
 * See [`latency`].
 */
latency?: Latency, 
/**
 * See [`periods`](mod@periods).
 */
periods?: Array<PeriodRow>, 
/**
 * See [`deadlines`]. Skipped without declared deadlines.
 */
deadlines?: Array<DeadlineRow>, 
/**
 * See [`pipeline`]. Skipped without declared pipelines.
 */
pipeline?: Array<PipelineRow>, 
/**
 * See [`intervals`]. Skipped without declared intervals.
 */
intervals?: Array<IntervalRow>, 
/**
 * See [`isr`].
 */
isr?: Array<IsrRow>, 
/**
 * See [`locks`].
 */
locks?: Array<LockRow>, 
/**
 * See [`objects`].
 */
objects?: Array<ObjectRow>, 
/**
 * See [`communication`](mod@communication).
 */
communication?: Communication, 
/**
 * See [`load`].
 */
load?: Load, 
/**
 * See [`context_switches`]. Skipped for other traces than context-switch
 * logs, as most of the others are for these: [`ReportKind::applies_to`].
 */
context_switches?: ContextSwitches, 
/**
 * See [`markers`]. Skipped for a trace without points of interest.
 */
markers?: Array<MarkerRow>, 
/**
 * See [`hardware`]. Skipped without a timing file.
 */
hardware?: HardwareReport, 
/**
 * See [`active`]. Skipped for a trace without active objects, like the
 * next four.
 */
active?: Array<ActiveObjectRow>, 
/**
 * See [`signals`].
 */
signals?: Array<SignalRow>, 
/**
 * See [`states`].
 */
states?: Array<MachineStates>, 
/**
 * See [`transitions`].
 */
transitions?: Transitions, 
/**
 * See [`timers`].
 */
timers?: Array<TimerRow>, 
/**
 * The statistics of the file system, see [`components`].
 */
filex?: Record<string, number>, 
/**
 * The statistics of the network stack, see [`components`].
 */
netx?: Record<string, number>, 
/**
 * The statistics of the USB stack, see [`components`].
 */
usbx?: Record<string, number>, 
/**
 * See [`health`].
 */
health?: Health, };

/**
 * Something that needs attention.
 */
export type Finding = { 
/**
 * Its severity.
 */
severity: FindingSeverity, 
/**
 * Its category.
 */
category: FindingCategory, 
/**
 * A sentence that describes it.
 */
message: string, 
/**
 * The event where to look.
 */
event: number | null, 
/**
 * When it began; `None` if it is not an interval.
 */
start_ticks: number | null, 
/**
 * When it ended.
 */
end_ticks: number | null, };

/**
 * The severity of a finding.
 */
export type FindingSeverity = "critical" | "warning" | "note";

/**
 * The category of a finding.
 */
export type FindingCategory = "unbounded-inversion" | "bounded-inversion" | "stack-overflow" | "stack-use" | "stack-unknown" | "starvation" | "never-ran" | "full-load" | "interrupt-load" | "exhausted" | "unfinished-isr" | "interrupts-off" | "too-short" | "no-time" | "loss" | "filtered" | "failed-assertion" | "broken-machine" | "unhandled" | "missed-deadline" | "reset";

/**
 * CPU time of a context.
 */
export type ProfileRow = { 
/**
 * The name: a thread's, an ISR's, `ISR 7`, `ISR (unnumbered)`, `(interrupt
 * or scheduler)`, `(idle)`, `(initialize)` or `(unknown)`.
 */
context: string, 
/**
 * The kind of context.
 */
kind: ProfileKind, 
/**
 * The address of a thread, or of an ISR identified by it.
 */
address: Hex | null, 
/**
 * The number of an ISR.
 */
number?: number, 
/**
 * Time in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * Share of the time of all cores; `None` if no time passes.
 */
percent: number | null, };

/**
 * The kind of context of a row.
 */
export type ProfileKind = "thread" | "isr" | "kernel" | "idle" | "initialize" | "unknown";

/**
 * The counts.
 */
export type Performance = { 
/**
 * Number of times that a thread was given a core.
 */
dispatches: number, 
/**
 * Switches of a core from one thread to another, with or without idle in
 * between.
 */
context_switches: number, 
/**
 * Number of times that a ready thread gave way to a resumed one.
 */
preemptions: Preemptions, 
/**
 * Number of times that a thread gave way because its time slice had
 * expired.
 */
time_slices: number, 
/**
 * Calls by which threads let others of their priority run first.
 */
relinquishes: number, 
/**
 * Number of times that a thread stopped being ready.
 */
suspensions: number, 
/**
 * Number of times that a thread became ready.
 */
resumptions: number, 
/**
 * Number of times that the kernel changed the priority of a thread, as
 * with inheritance: recorded as a suspension and a resumption, and
 * neither.
 */
priority_changes: number, 
/**
 * Activations of interrupt service routines, nested ones included.
 */
interrupts: number, 
/**
 * Activations of ISRs that interrupted others.
 */
nested_interrupts: number, 
/**
 * Priority inversions that began, or were first known, in the scope.
 */
inversions: InversionCounts, };

/**
 * Preemptions by cause.
 */
export type Preemptions = { 
/**
 * By a call of the preempted thread.
 */
solicited: number, 
/**
 * By an interrupt.
 */
interrupt: number, };

/**
 * Priority inversions.
 */
export type InversionCounts = { 
/**
 * All.
 */
total: number, 
/**
 * Those prolonged by a thread that has nothing to do with the mutex.
 */
unbounded: number, };

/**
 * A thread. What a context-switch log does not record, which is when and why a thread
 * waits, is ready or gives way, is `None` for it.
 */
export type ThreadRow = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * The address of its control block.
 */
address: Hex, 
/**
 * Whether it is recorded as deleted.
 */
deleted: boolean, 
/**
 * Its priority in the registry, else the last recorded one (0 is the
 * highest).
 */
priority: number | null, 
/**
 * The highest effective priority of its events.
 */
highest_priority: number | null, 
/**
 * The lowest effective priority of its events.
 */
lowest_priority: number | null, 
/**
 * Events that it logged.
 */
events: number, 
/**
 * Number of dispatches.
 */
dispatches: number, 
/**
 * Number of times that it stopped being ready.
 */
suspensions: number | null, 
/**
 * Number of times that it became ready.
 */
resumptions: number | null, 
/**
 * Number of times that it gave way to a resumed thread.
 */
preemptions: Preemptions | null, 
/**
 * Number of times that it gave way because its time slice had expired.
 */
time_slices: number | null, 
/**
 * Calls by which it let others of its priority run first.
 */
relinquishes: number | null, 
/**
 * Inversions in which it was the blocked thread.
 */
inversions: InversionCounts | null, 
/**
 * Lengths of its uninterrupted runs.
 */
run: Distribution | null, 
/**
 * Its time by state.
 */
states: ThreadStateTimes, 
/**
 * Its stack; `None` if the recording does not describe it.
 */
stack: StackUsage | null, };

/**
 * A thread's time by state, in ticks. The sum is the time of the scope.
 */
export type ThreadStateTimes = { 
/**
 * It ran.
 */
running: number, 
/**
 * It had a core, on which an interrupt ran.
 */
interrupted: number, 
/**
 * It could run and had no core; `None` if that is not recorded.
 */
ready: number | null, 
/**
 * It could not run, by wait reason: `sleep`, `queue`, `mutex` …
 */
waiting: Record<string, number>, 
/**
 * Its state is unknown.
 */
unknown: number, };

/**
 * A thread and its stack.
 */
export type StackRow = { 
/**
 * The thread's name, or its address if it has none.
 */
thread: string, 
/**
 * The address of its control block.
 */
address: Hex, 
/**
 * Its lowest address.
 */
start: Hex, 
/**
 * Its size in bytes.
 */
size: number, 
/**
 * Bytes that stayed free at the deepest call; `None` if no event has a
 * stack pointer inside the stack.
 */
min_free: number | null, 
/**
 * The used part, in percent of the size.
 */
used_percent: number | null, 
/**
 * The event of the deepest call.
 */
event: number | null, 
/**
 * Stack pointers of the thread's events outside its stack: it has
 * overflowed, or the thread runs on another one.
 */
outside: number, };

/**
 * A thread's stack.
 *
 * The kernel records the address of a local variable of its own functions, in
 * the thread's own calls: the real high-water mark is deeper.
 */
export type StackUsage = { 
/**
 * Its lowest address.
 */
start: Hex, 
/**
 * Its size in bytes.
 */
size: number, 
/**
 * Bytes that stayed free at the deepest call; `None` if no event has a
 * stack pointer inside the stack.
 */
min_free: number | null, 
/**
 * The used part, in percent of the size.
 */
used_percent: number | null, 
/**
 * The event of the deepest call.
 */
event: number | null, 
/**
 * Stack pointers of the thread's events outside its stack: it has
 * overflowed, or the thread runs on another one.
 */
outside: number, };

/**
 * A kind of event and its frequency.
 */
export type ServiceRow = { 
/**
 * Its number in the format.
 */
id: number, 
/**
 * Its name, or its number if it is not in the catalogue.
 */
name: string, 
/**
 * The software component it belongs to.
 */
component: string, 
/**
 * Number of events.
 */
count: number, 
/**
 * The same in percent of all events of the scope.
 */
percent: number, 
/**
 * Number of contexts that logged it.
 */
contexts: number, };

/**
 * A thread was blocked on a mutex that a thread of lower priority owned.
 */
export type InversionRow = { 
/**
 * The mutex: its name, or its address if it has none.
 */
object: string, 
/**
 * The address of the mutex.
 */
object_address: Hex | null, 
/**
 * The blocked thread.
 */
blocked: string, 
/**
 * Its priority at the call (0 is the highest).
 */
blocked_priority: number, 
/**
 * The thread that owned the mutex at the start.
 */
owner: string | null, 
/**
 * The owner's priority at the call.
 */
owner_priority: number, 
/**
 * All owners during the inversion, in order.
 */
owners: Array<string>, 
/**
 * The thread that the first owner waited for, and so on.
 */
chain: Array<string>, 
/**
 * The call. `None` if it was before the known part of the trace.
 */
get_event: number | null, 
/**
 * The suspension. `None` as above.
 */
start_event: number | null, 
/**
 * The resumption. `None` if it was not recorded.
 */
end_event: number | null, 
/**
 * The time of the suspension, or the first known time.
 */
start_ticks: number, 
/**
 * The time of the resumption, or the last known time.
 */
end_ticks: number, 
/**
 * Its duration, as far as known.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * Whether a thread that has nothing to do with the mutex prolonged it;
 * `None` if unknown.
 */
unbounded: boolean | null, 
/**
 * The threads that prolonged it.
 */
culprits: Array<CulpritRow>, 
/**
 * `released`: the thread got the mutex. `gave-up`: its timeout expired,
 * its wait was aborted, or it was terminated. `lost`: events are missing,
 * or the trace ends.
 */
ending: string, };

/**
 * A thread that prolonged an inversion and has nothing to do with the mutex.
 */
export type CulpritRow = { 
/**
 * Its name.
 */
thread: string, 
/**
 * The event at which it first did so; `None` if that was before the known
 * part of the trace.
 */
event: number | null, };

/**
 * Durations in ticks with a recorded start and end, each in the window in
 * which it ends.
 */
export type Latency = { 
/**
 * Why the trace has no latencies of threads; `None` if it can have them.
 */
not_recorded: string | null, 
/**
 * The threads of the scope, in the order of the trace; none if latencies are not
 * recorded. They belong to no
 * core: with several cores, their time on all of them counts.
 */
threads: Array<ThreadLatency>, 
/**
 * The waits of all these threads: by object, then by wait reason if the
 * object is not known. Without waits that do not block.
 */
blocking: Array<WaitRow>, 
/**
 * From a resumption by an interrupt on the cores of the scope until the
 * thread runs.
 */
isr_to_thread: Distribution | null, 
/**
 * The longest interval in which a core of the scope ran only interrupt
 * service routines, each recorded from its entry to its exit.
 */
max_interrupt_burst: InterruptBurst | null, };

/**
 * A thread's durations.
 */
export type ThreadLatency = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * The address of its control block.
 */
address: Hex, 
/**
 * Wake-up latency: from its activation, which is its resumption, until it
 * runs.
 */
wake_up: Distribution | null, 
/**
 * From its activation to its next suspension.
 */
response: Distribution | null, 
/**
 * From one activation to the next.
 */
period: Distribution | null, 
/**
 * The difference of consecutive periods.
 */
jitter: Distribution | null, 
/**
 * Time in the ready state each time that it lost its core.
 */
preempted: Distribution | null, 
/**
 * Its waits, by object or reason.
 */
waited: Array<WaitRow>, };

/**
 * The waits for one object or reason.
 */
export type WaitRow = { 
/**
 * The reason: the class of the object, or `sleep`, `suspended`, `driver` …
 */
reason: string, 
/**
 * The name of the object, or its address if it has none; `None` if there
 * is no object or the trace does not identify it.
 */
object: string | null, 
/**
 * The address of the object.
 */
address: Hex | null, 
/**
 * Whether the thread was blocked: false for sleep and suspension.
 */
blocking: boolean, 
/**
 * The durations.
 */
duration: Distribution, };

/**
 * Consecutive interrupt service routines.
 */
export type InterruptBurst = { 
/**
 * The core that ran them.
 */
core: number, 
/**
 * The start of the first one.
 */
start_ticks: number, 
/**
 * Their total time, in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The entry of the first.
 */
first_event: number, 
/**
 * The exit of the last.
 */
event: number, };

/**
 * The activations of one source. A duration counts in the window in which it ends.
 */
export type PeriodRow = { 
/**
 * The name of the thread, routine, active object, state or event.
 */
name: string, 
/**
 * What recurs: `thread`, `interrupt`, `dispatch`, `state` or `event`.
 */
kind: string, 
/**
 * Number of activations.
 */
activations: number, 
/**
 * Activations whose period is unknown: the first one, and those before which
 * another may be missing.
 */
unjudged_periods: number, 
/**
 * Activations whose response time is unknown, as their end or their start is not
 * recorded.
 */
unjudged_responses: number, 
/**
 * From the start of one activation to the start of the next.
 */
period: Distribution | null, 
/**
 * The variation of the period.
 */
jitter: PeriodJitter | null, 
/**
 * From an activation's start to its end; of active objects, from the post to the
 * end of the step.
 */
response: Distribution | null, 
/**
 * CPU time of one activation, without interrupts; of active objects, from the start
 * of the step to its end.
 */
cpu_time: Distribution | null, 
/**
 * Lengths of its uninterrupted runs.
 */
run: Distribution | null, };

/**
 * The variation of a period.
 */
export type PeriodJitter = { 
/**
 * The longest period less the shortest, in ticks.
 */
peak_to_peak: number, 
/**
 * The standard deviation of the periods, in ticks.
 */
standard_deviation: number, };

/**
 * A declared deadline.
 */
export type DeadlineRow = { 
/**
 * Its name.
 */
name: string, 
/**
 * The name of the thread, routine, active object, state or event.
 */
source: string, 
/**
 * Its kind, as in `periods`.
 */
kind: string, 
/**
 * The declared period, in ticks.
 */
period_ticks: number | null, 
/**
 * The declared deviation from the period, in ticks.
 */
jitter_ticks: number | null, 
/**
 * The declared response time, in ticks.
 */
deadline_ticks: number | null, 
/**
 * `met`, `missed`, or `unknown` if no miss is known, but not all activations could
 * be judged or there are none.
 */
verdict: DeadlineVerdict, 
/**
 * Number of judged limits: up to two for each activation.
 */
judged: number, 
/**
 * Number of limits that could not be judged, as a start or an end is not recorded.
 */
unjudged: number, 
/**
 * The misses, in order of time.
 */
misses: Array<DeadlineMiss>, };

/**
 * Whether a deadline was met.
 */
export type DeadlineVerdict = "met" | "missed" | "unknown";

/**
 * An activation outside a limit.
 */
export type DeadlineMiss = { 
/**
 * The limit: `period` or `deadline`.
 */
limit: string, 
/**
 * The start of the activation.
 */
start_ticks: number, 
/**
 * Its event.
 */
event: number, 
/**
 * The observed period or response time, in ticks. Of an activation that lasts until
 * the end of the trace, a minimum.
 */
observed_ticks: number, 
/**
 * The limit, in ticks: of a period with jitter, the one that was exceeded.
 */
limit_ticks: number, 
/**
 * The first cause, as a sentence with its duration: that of the largest delay.
 */
cause: string, 
/**
 * The context that caused it, if known.
 */
culprit: string | null, 
/**
 * All causes, the largest delay first.
 */
causes: Array<MissCause>, };

/**
 * A cause of a miss.
 */
export type MissCause = { 
/**
 * As a phrase, such as `preempted by logger`.
 */
cause: string, 
/**
 * Its time, in ticks.
 */
ticks: number, 
/**
 * The event that began it, or the last before it.
 */
event: number, };

/**
 * A declared pipeline. An item counts in the window in which it ends.
 */
export type PipelineRow = { 
/**
 * Its name.
 */
name: string, 
/**
 * The declared period, in ticks.
 */
period_ticks: number | null, 
/**
 * The declared deadline, in ticks.
 */
deadline_ticks: number | null, 
/**
 * Whether all items ended within the deadline, or else within the period; `None`
 * without either. `unknown` if no miss is known, but not all items could be judged
 * or there are none.
 */
verdict: DeadlineVerdict | null, 
/**
 * Number of items.
 */
items: number, 
/**
 * Items that left the last stage, in time or late.
 */
completed: number, 
/**
 * Items that took longer than the limit, including those still in progress.
 */
late: number, 
/**
 * Items that were lost on their way.
 */
dropped: number, 
/**
 * Items that a stage did not send on.
 */
not_forwarded: number, 
/**
 * Items in progress at the end of the trace that are not late.
 */
in_progress: number, 
/**
 * Items whose way or start is not known.
 */
unknown: number, 
/**
 * From the start of a completed item to its end.
 */
latency: Distribution | null, 
/**
 * From the start of one item to the start of the next.
 */
period: Distribution | null, 
/**
 * The smallest time that a completed item in time had left, in ticks.
 */
min_slack_ticks: number | null, 
/**
 * The stages.
 */
stages: Array<PipelineStageRow>, 
/**
 * The late and the dropped items, in the order of their starts.
 */
misses: Array<PipelineMiss>, };

/**
 * A stage of a pipeline.
 */
export type PipelineStageRow = { 
/**
 * Its name.
 */
name: string, 
/**
 * Items that it took.
 */
items: number, 
/**
 * From an item's arrival until the stage takes it.
 */
queued: Distribution | null, 
/**
 * From when the stage takes an item until it sends it on.
 */
service: Distribution | null, 
/**
 * CPU time of the stage's thread in that time, without interrupts.
 */
cpu_time: Distribution | null, 
/**
 * Late and dropped items that this stage delayed most, or dropped.
 */
misses: number, 
/**
 * Why it is not known which items it sends on, and what to declare; `None` if it is.
 */
problem: string | null, };

/**
 * An item that is late or was dropped.
 */
export type PipelineMiss = { 
/**
 * The number of the item, or the value that the application gave it.
 */
item: number, 
/**
 * `late` or `dropped`.
 */
outcome: string, 
/**
 * Its start.
 */
start_ticks: number, 
/**
 * The event of its start.
 */
event: number, 
/**
 * From its start to its end, or to where it was lost. Of an item in progress, a
 * minimum.
 */
latency_ticks: number, 
/**
 * The stage that delayed it most compared with items in time, or in which it was
 * lost.
 */
stage: string, 
/**
 * The cause, as a sentence: the one with the largest delay compared with items in
 * time.
 */
cause: string, 
/**
 * The thread or interrupt service routine that caused the delay, if known.
 */
culprit: string | null, 
/**
 * All causes in the stage, the largest first.
 */
causes: Array<MissCause>, };

/**
 * The intervals that start in the scope. Durations are those of intervals that also end
 * in it, both ends recorded.
 */
export type IntervalRow = { 
/**
 * Their name.
 */
name: string, 
/**
 * The filter that selects the starts.
 */
from: string, 
/**
 * The filter that selects the ends.
 */
to: string, 
/**
 * What a start and an end have in common: `thread`, `object` or an argument; empty if
 * nothing.
 */
by: string, 
/**
 * The effect of a start while an interval is open: `restart`, `first` or `nested`.
 */
repeated: string, 
/**
 * The declared maximum duration, in ticks.
 */
deadline_ticks: number | null, 
/**
 * Number of intervals.
 */
intervals: number, 
/**
 * Intervals that last longer than the deadline.
 */
late: number, 
/**
 * Intervals without an end up to the end of the scope.
 */
open: number, 
/**
 * Intervals whose end is unknown because events are missing.
 */
lost: number, 
/**
 * Starts without an interval of their own, as one was open.
 */
repeated_starts: number, 
/**
 * Ends while no interval was open.
 */
unmatched_ends: number, 
/**
 * Ends whose start is not recorded.
 */
start_unknown: number, 
/**
 * Starts and ends without the object or argument that pairs them.
 */
unpaired: number, 
/**
 * The durations.
 */
duration: Distribution | null, 
/**
 * The 95th percentile of the durations, in ticks.
 */
p95_ticks: number | null, 
/**
 * The standard deviation of the durations, in ticks.
 */
standard_deviation: number | null, 
/**
 * The longest, at most 100, the longest first.
 */
longest: Array<IntervalEntry>, };

/**
 * An interval with a known duration.
 */
export type IntervalEntry = { 
/**
 * Its duration, in ticks.
 */
ticks: number, 
/**
 * The time of its start, in ticks.
 */
start_ticks: number, 
/**
 * The event of its start.
 */
event: number, 
/**
 * The event of its end.
 */
end_event: number, 
/**
 * The context of its start.
 */
context: string, };

/**
 * A distribution of durations, in ticks.
 *
 * A percentile is a duration that occurred: the smallest that this share of
 * all durations does not exceed.
 */
export type Distribution = { 
/**
 * Number of durations.
 */
count: number, 
/**
 * The minimum.
 */
min: number, 
/**
 * The mean.
 */
mean: number, 
/**
 * The median.
 */
p50: number, 
/**
 * The 90th percentile.
 */
p90: number, 
/**
 * The 99th percentile.
 */
p99: number, 
/**
 * The maximum.
 */
max: number, 
/**
 * The maximum in nanoseconds, if the clock's frequency is known.
 */
max_ns?: number, 
/**
 * The mean in nanoseconds, if the clock's frequency is known.
 */
mean_ns?: number, 
/**
 * The event at which the maximum ended.
 */
event: number, 
/**
 * Number of durations in each part of the range, the shortest first.
 */
histogram: Array<HistogramBin>, };

/**
 * Durations in a part of the range.
 */
export type HistogramBin = { 
/**
 * The smallest duration that belongs to it, in ticks.
 */
min: number, 
/**
 * The largest duration that belongs to it, in ticks.
 */
max: number, 
/**
 * Number of durations.
 */
count: number, };

/**
 * An address, as `"0x…"` in JSON.
 */
export type Hex = string;

/**
 * The ISRs with one number, or all without a number.
 *
 * Activations count where they start, durations where they end.
 */
export type IsrRow = { 
/**
 * The name: that of its function, `ISR 7` or `ISR (unnumbered)`.
 */
name: string, 
/**
 * Its address, if that identifies it.
 */
address?: Hex, 
/**
 * The number that the application gave it; for an ISR identified by its
 * address, its index. `None` if it did not record entry and exit: then
 * only groups of other records are known.
 */
number: number | null, 
/**
 * Number of activations.
 */
activations: number, 
/**
 * Activations that interrupted another ISR.
 */
nested: number, 
/**
 * Activations without a recorded entry or exit.
 */
unfinished: number, 
/**
 * Activations inferred from a group of records.
 */
inferred: number, 
/**
 * Maximum nesting of these activations, 1 without nesting; 0 if there are
 * none.
 */
max_nesting: number, 
/**
 * The cores that ran it.
 */
cores: Array<number>, 
/**
 * CPU time in ticks, without the ISRs that interrupted it.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The same as a share of the time of all cores; `None` if no time passes.
 */
percent: number | null, 
/**
 * From entry to exit, of complete activations.
 */
duration: Distribution | null, 
/**
 * Self time: the same without the ISRs that interrupted it.
 */
self_duration: Distribution | null, 
/**
 * From one entry to the next on the same core.
 */
interarrival: Distribution | null, };

/**
 * A mutex.
 *
 * If the scope has only some threads, only their holds and waits count.
 * Acquisitions and inversions count where they begin, durations where they
 * end.
 */
export type LockRow = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * Its address.
 */
address: Hex, 
/**
 * Number of acquisitions.
 */
acquisitions: number, 
/**
 * Acquisitions for which the thread had to wait.
 */
contended: number, 
/**
 * The same in percent; `None` if there are no acquisitions.
 */
contended_percent: number | null, 
/**
 * Durations of complete holds.
 */
hold: Distribution | null, 
/**
 * Durations of complete waits, with or without an acquisition.
 */
wait: Distribution | null, 
/**
 * Waits that ended without the mutex: the timeout expired, the wait was
 * aborted, or the thread was terminated.
 */
given_up: number, 
/**
 * The longest complete hold.
 */
max_hold: MaxHold | null, 
/**
 * Maximum number of threads that waited at once.
 */
max_waiting: number, 
/**
 * The owner at the end of the scope, if any.
 */
owner_at_end: string | null, 
/**
 * Priority inversions on it.
 */
inversions: InversionCounts, };

/**
 * The longest hold of a mutex.
 */
export type MaxHold = { 
/**
 * The name of the owner.
 */
thread: string, 
/**
 * The address of the owner.
 */
address: Hex | null, 
/**
 * Its duration, in ticks.
 */
ticks: number, 
/**
 * The event by which the owner got the mutex.
 */
first_event: number, 
/**
 * The event by which the owner released it.
 */
event: number, };

/**
 * An object and how it was used.
 */
export type ObjectRow = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * Its class, e.g. `queue`.
 */
class: string, 
/**
 * Its address.
 */
address: Hex, 
/**
 * Calls on it.
 */
calls: number, 
/**
 * Calls that add to it: messages, counts, blocks, bytes, flags.
 */
puts: number, 
/**
 * Calls that take from it.
 */
takes: number, 
/**
 * Calls that its level did not allow, and that waited.
 */
blocked: number, 
/**
 * Calls that its level did not allow, and that did not wait.
 */
refused: number, 
/**
 * Its level; `None` for an object without a level, or without a record of
 * it.
 */
level: LevelRow | null, 
/**
 * The level that it cannot exceed: messages, blocks or bytes.
 */
capacity: number | null, 
/**
 * High-water mark, in percent of its capacity: a queue's messages, the
 * used part of a pool. For a byte pool only the calls that release memory
 * record it.
 */
high_water_percent: number | null, 
/**
 * The threads that waited for it.
 */
waiters: WaiterTotals, 
/**
 * From the call that puts to the call that takes, or to the resumption of
 * the thread that waits.
 */
transfer: Distribution | null, };

/**
 * The level of an object: messages in a queue, a semaphore's count, free
 * blocks, free bytes. `None` is unknown.
 */
export type LevelRow = { 
/**
 * At the start of the scope.
 */
at_start: number | null, 
/**
 * At its end.
 */
at_end: number | null, 
/**
 * The minimum that is known.
 */
min: number, 
/**
 * The maximum that is known.
 */
max: number, 
/**
 * The mean over the time in which the level is known; `None` if there is
 * none.
 */
mean: number | null, 
/**
 * The call after which it was first at the minimum.
 */
min_event: number, 
/**
 * The call after which it was first at the maximum.
 */
max_event: number, 
/**
 * Share of the scope's time in which the level is known, in percent;
 * `None` if no time passes in it.
 */
known_percent: number | null, 
/**
 * The level over time: start in ticks, minimum and maximum from there on,
 * which differ if several changes share a point; `None` if unknown. At
 * most 512 points.
 */
graph: Array<[number, number | null, number | null]>, };

/**
 * Threads that waited for an object.
 */
export type WaiterTotals = { 
/**
 * Waits that began in the scope.
 */
count: number, 
/**
 * Total wait time in the scope, in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The longest wait, as far as it is in the scope.
 */
max_ticks: number, 
/**
 * The event at which it began, or the last before it.
 */
max_event: number | null, };

/**
 * The load of the cores of the scope over time, in windows of equal length.
 *
 * Window `i` of `n` lasts from `start + span * i / n` to the start of the
 * next, exclusive. No window is empty: there are never more windows than
 * ticks.
 */
export type Load = { 
/**
 * Ticks of the longest windows; others may have one less.
 */
window_ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
window_ns?: number, 
/**
 * The start of each window, in ticks.
 */
start_ticks: Array<number>, 
/**
 * The end of the last one, in ticks.
 */
end_ticks: number, 
/**
 * Share of each window's time on all cores that is neither idle nor
 * unknown, in percent; if the scope has only some threads, their share.
 * `None` if nothing is known about the window.
 */
busy: Array<number | null>, 
/**
 * The busiest window, the first of several.
 */
peak: LoadPeak | null, 
/**
 * Events of the scope in each window; events at the end of the last one
 * belong to it.
 */
events: Array<number>, 
/**
 * CPU time by context: threads in the order of the trace, then all
 * interrupts together, idle, initialisation and unknown, if they ran.
 */
contexts: Array<LoadRow>, };

/**
 * The busiest window.
 */
export type LoadPeak = { 
/**
 * Its index.
 */
window: number, 
/**
 * Its start, in ticks.
 */
start_ticks: number, 
/**
 * Its load, in percent.
 */
percent: number, };

/**
 * CPU time of a context in each window.
 */
export type LoadRow = { 
/**
 * The name: a thread's, `(other threads)`, `(interrupt)`, `(idle)`, `(initialize)` or
 * `(unknown)`.
 */
context: string, 
/**
 * The kind of context.
 */
kind: ProfileKind, 
/**
 * A thread's address.
 */
address: Hex | null, 
/**
 * The time in ticks.
 */
ticks: Array<number>, 
/**
 * Share of each window's time on all cores, in percent.
 */
percent: Array<number>, };

/**
 * The figures of a context-switch log in the scope.
 *
 * Times are those in the scope. An instantaneous event counts at its time, an
 * interval where it begins, and a duration where it ends.
 */
export type ContextSwitches = { 
/**
 * Idle time.
 */
idle: IdleTime, 
/**
 * Interrupts that wake a core from idle.
 */
wake_ups: IdleWakeUps, 
/**
 * Interrupts-off sections; `None` if the recording has no event that
 * disables interrupts.
 */
interrupts_off: InterruptsOffReport | null, 
/**
 * Time in interrupts and the scheduler, outside handlers.
 */
kernel: TimeShare, 
/**
 * The handlers, by number.
 */
handlers: Array<HandlerRow>, 
/**
 * Dispatches of a thread on a core that ran another thread or was idle.
 */
dispatches: number, 
/**
 * Switches of a core from one thread to another, with or without idle in
 * between.
 */
context_switches: number, 
/**
 * Dispatches per second; `None` if the clock's frequency is not known, or
 * no time passes.
 */
dispatches_per_second: number | null, 
/**
 * The events that resumed threads, by name: more than dispatches if a
 * thread follows itself.
 */
resumes: Record<string, number>, 
/**
 * The threads, those with the most CPU time first.
 */
threads: Array<ThreadSwitchRow>, 
/**
 * Gaps of the recording in the scope. The running context is unknown from
 * there to the next switch.
 */
gaps: number, 
/**
 * Time with an unknown running context.
 */
unknown: TimeShare, };

/**
 * A share of the time of all cores.
 */
export type TimeShare = { 
/**
 * The time in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The same in percent; `None` if no time passes.
 */
percent: number | null, };

/**
 * Idle periods.
 */
export type IdleTime = { 
/**
 * Number of times that a core became idle, for at least one tick.
 */
periods: number, 
/**
 * Duration of each, until an interrupt or a thread ran.
 */
duration: Distribution | null, 
/**
 * The time in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The same in percent; `None` if no time passes.
 */
percent: number | null, };

/**
 * Interrupts that wake a core from idle, for at least one tick.
 */
export type IdleWakeUps = { 
/**
 * From idle to the thread that runs after the interrupt.
 */
to_thread: Distribution | null, 
/**
 * From idle back to idle, for interrupts after which no thread runs.
 */
spurious: Distribution | null, };

/**
 * An interrupt handler.
 */
export type HandlerRow = { 
/**
 * The name or address of its function.
 */
name: string, 
/**
 * Its address, if that identifies it.
 */
address: Hex | null, 
/**
 * Number of activations.
 */
activations: number, 
/**
 * Number of activations that interrupted another handler.
 */
nested: number, 
/**
 * The maximum time from entry to exit, in ticks, of activations that ended
 * in the scope with both recorded.
 */
max_ticks: number | null, 
/**
 * The exit of that activation.
 */
max_event: number | null, 
/**
 * The time in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The same in percent; `None` if no time passes.
 */
percent: number | null, };

/**
 * The communication of the contexts.
 */
export type Communication = { 
/**
 * The use of objects, in the order of the schedule, then of the contexts.
 */
uses: Array<ObjectUse>, 
/**
 * The flows from cause to effect: messages, posts, wake-ups.
 */
flows: Array<FlowRow>, };

/**
 * How a context uses an object. Queues of active objects are not among the objects: posts
 * are flows. A scope of threads has only their calls; mutexes belong to no core.
 */
export type ObjectUse = { 
/**
 * The name of the object, or its address if it has none.
 */
object: string, 
/**
 * Its class, e.g. `queue`.
 */
class: string, 
/**
 * The name of the context.
 */
context: string, 
/**
 * Calls that add to the object, or release the mutex.
 */
puts: number, 
/**
 * Calls that take from it, or acquire the mutex.
 */
takes: number, 
/**
 * Puts that had to wait.
 */
blocked_puts: number, 
/**
 * Takes that had to wait.
 */
blocked_takes: number, 
/**
 * Puts that failed without a wait.
 */
refused_puts: number, 
/**
 * Takes that failed without a wait.
 */
refused_takes: number, 
/**
 * The first of these calls.
 */
first_event: number, };

/**
 * The flows of one kind from one context to another through one object.
 *
 * A flow counts in the window in which its effect is, and for the threads of the scope
 * if the cause or the effect is in one of them. Flows belong to no core.
 */
export type FlowRow = { 
/**
 * `wake`, `message` or `post`.
 */
kind: string, 
/**
 * The context of the causes; `None` if it is not recorded.
 */
from: string | null, 
/**
 * The object that held the messages or that the thread was blocked on, or the
 * signal of the posts; `None` if there is none.
 */
object: string | null, 
/**
 * The context of the effects.
 */
to: string | null, 
/**
 * Number of flows.
 */
count: number, 
/**
 * From cause to effect, if both times were recorded.
 */
latency: Distribution | null, 
/**
 * The first effect.
 */
first_event: number, };

/**
 * A thread.
 */
export type ThreadSwitchRow = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * The address of its name, or of the thread.
 */
address: Hex, 
/**
 * Number of dispatches.
 */
dispatches: number, 
/**
 * Number of events that resumed it.
 */
resumes: number, 
/**
 * The time in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The same in percent; `None` if no time passes.
 */
percent: number | null, };

/**
 * Interrupts-off sections, from the event that disables interrupts to the one
 * that enables them. Nested disabling does not count as a section.
 */
export type InterruptsOffReport = { 
/**
 * Number of sections, with recorded or unknown start.
 */
count: number, 
/**
 * Entries within them that leave interrupts disabled: two for each inner
 * pair of disabling and restoring.
 */
nested: number, 
/**
 * Durations of the sections with both ends recorded.
 */
duration: Distribution | null, 
/**
 * The longest sections that overlap the scope, the longest first; among
 * equals the earlier first.
 */
longest: Array<InterruptsOffRow>, 
/**
 * Sections with an unknown duration.
 */
unknown: UnknownDurations, 
/**
 * The time in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The same in percent; `None` if no time passes.
 */
percent: number | null, };

/**
 * Why the duration of a section is unknown. Each section counts once.
 */
export type UnknownDurations = { 
/**
 * Interrupts were already off at the start of the recording, or after a
 * gap or a switch.
 */
start_unknown: number, 
/**
 * The core switched to another thread or idle before interrupts were
 * enabled.
 */
switched: number, 
/**
 * They were enabled without a record.
 */
unrecorded: number, 
/**
 * Events are missing.
 */
lost: number, 
/**
 * Interrupts were off at the end of the recording.
 */
open: number, };

/**
 * An interrupts-off section.
 */
export type InterruptsOffRow = { 
/**
 * The thread that disabled interrupts, or `(idle)` or `(interrupt)`.
 */
context: string, 
/**
 * The handler that disabled them, if any.
 */
handler: string | null, 
/**
 * The core.
 */
core: number, 
/**
 * Its start, in ticks.
 */
start_ticks: number, 
/**
 * Its minimum duration in ticks, in the scope or not.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * Whether both ends are recorded, so that the duration is exact.
 */
complete: boolean, 
/**
 * Its start: `disabled`, or `found` if it was not recorded.
 */
beginning: string, 
/**
 * Its end: `restored`, or why it is unknown: `switched`, `unrecorded`,
 * `lost` or `open`.
 */
ending: string, 
/**
 * Entries within it that leave interrupts disabled: two for each inner
 * pair.
 */
nested: number, 
/**
 * The event that disabled interrupts.
 */
first_event: number, 
/**
 * The event that enabled them, or the last known event of the section.
 */
last_event: number, 
/**
 * Code location that disabled interrupts.
 */
disabled_at: CodeLocationRow | null, 
/**
 * Code location that enabled interrupts; `None` if it is not recorded.
 */
enabled_at: CodeLocationRow | null, };

/**
 * A code location.
 */
export type CodeLocationRow = { 
/**
 * Its address.
 */
address: Hex, 
/**
 * The function, if known.
 */
function: string | null, 
/**
 * The source file, if known.
 */
file: string | null, 
/**
 * The line in the file.
 */
line: number | null, 
/**
 * The whole location as text.
 */
text: string, };

/**
 * The spans and instants of a marker.
 *
 * A span counts in the window with its first recorded event, its duration in the window
 * with its end.
 */
export type MarkerRow = { 
/**
 * Its name, or the address of the name if that is not readable.
 */
name: string, 
/**
 * Number of spans.
 */
spans: number, 
/**
 * Number of instants.
 */
instants: number, 
/**
 * Spans whose begin is not recorded.
 */
begin_unknown: number, 
/**
 * Spans whose end is not recorded because events are missing.
 */
lost: number, 
/**
 * Spans that are open at the end of the trace.
 */
open: number, 
/**
 * Durations of the spans with both ends recorded.
 */
duration: Distribution | null, 
/**
 * From each begin or instant to the next.
 */
period: Distribution | null, };

/**
 * Declared hardware and slots.
 */
export type HardwareReport = { 
/**
 * The hardware, in the order of the timing file.
 */
units: Array<HardwareRow>, 
/**
 * The slots, in the order of the timing file.
 */
slots: Array<SlotRow>, };

/**
 * A piece of hardware: busy from a kick to the signal of its end.
 */
export type HardwareRow = { 
/**
 * Its name.
 */
name: string, 
/**
 * Kicks in the scope that found it idle.
 */
kicks: number, 
/**
 * Known busy time in the scope, in ticks.
 */
busy_ticks: number, 
/**
 * The same as a share of the scope's time, in percent.
 */
busy_percent: number | null, 
/**
 * Busy times that end in the scope.
 */
busy: Distribution | null, 
/**
 * Down times: from an end to the next kick, in the scope.
 */
down: Distribution | null, 
/**
 * Share of the busy time, over all cores, in which the CPU worked, in percent.
 */
cpu_worked_percent: number | null, 
/**
 * Share of the busy time, over all cores, in which the CPU was idle, in percent.
 */
cpu_idle_percent: number | null, 
/**
 * Busy times whose end is not recorded.
 */
end_unknown: number, 
/**
 * Kicks while it was busy, in the whole trace.
 */
kicks_while_busy: number, 
/**
 * Ends while it was idle, in the whole trace.
 */
ends_while_idle: number, };

/**
 * How hardware or a marker keeps to its slot.
 */
export type SlotRow = { 
/**
 * The schedule.
 */
schedule: string, 
/**
 * The hardware or marker.
 */
subject: string, 
/**
 * Complete spans of it that begin in the scope.
 */
spans: number, 
/**
 * Those outside of the slot, in part or wholly.
 */
outside: number, 
/**
 * The longest time before the start of the slot, in ticks.
 */
max_early_ticks: number, 
/**
 * The longest time after the end of the slot, in ticks.
 */
max_late_ticks: number, 
/**
 * The event at which the first of them begins.
 */
event: number | null, 
/**
 * Spans before the first cycle.
 */
unplanned: number, };

/**
 * An active object.
 *
 * A duration counts in the window in which it ends. Durations cover the events
 * with two certain ends: a gap, or a filter on the target, can exclude others.
 */
export type ActiveObjectRow = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * Its address.
 */
address: Hex, 
/**
 * Events posted to its queue.
 */
posted: number, 
/**
 * Run-to-completion steps that began: handled events, and the initial
 * transition.
 */
steps: number, 
/**
 * How they ended.
 */
endings: StepEndings, 
/**
 * Guards that were false, whether or not another transition was found.
 */
guards_false: number, 
/**
 * Events that it deferred, as far as known.
 */
deferred: number, 
/**
 * Events that were recalled.
 */
recalled: number, 
/**
 * Total time of its steps, in ticks, including interruptions.
 */
busy_ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
busy_ns?: number, 
/**
 * The same in percent of the time; `None` if no time passes.
 */
busy_percent: number | null, 
/**
 * From the start of a step to its end.
 */
duration: Distribution | null, 
/**
 * From the post of an event to the start of its step.
 */
queueing: Distribution | null, 
/**
 * From the post of an event to the end of its step.
 */
response: Distribution | null, 
/**
 * Maximum number of events in its queue after a post.
 */
max_queued: QueuePeak | null, 
/**
 * Its queue; `None` if the trace does not identify it.
 */
queue: ActiveObjectQueue | null, };

/**
 * The queue of an active object: the one whose record precedes that of a post.
 */
export type ActiveObjectQueue = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * Its address.
 */
address: Hex, 
/**
 * Number of events that it can hold, if recorded.
 */
capacity: number | null, 
/**
 * Minimum of free entries.
 */
min_free: number | null, };

/**
 * How steps ended.
 */
export type StepEndings = { 
/**
 * The event was processed.
 */
processed: number, 
/**
 * No transition for the event.
 */
unhandled: number, 
/**
 * A guard prevented the transition.
 */
guard_false: number, 
/**
 * No branch of a conditional or choice pseudostate was open.
 */
no_branch: number, 
/**
 * The machine is defective: an unknown state, too deep nesting, or too
 * many segments.
 */
failed: number, 
/**
 * Records are missing.
 */
lost: number, 
/**
 * The records of the end are filtered out on the target.
 */
unrecorded: number, 
/**
 * It lasted until the end of the trace.
 */
open: number, };

/**
 * The maximum fill of a queue.
 */
export type QueuePeak = { 
/**
 * Number of events.
 */
events: number, 
/**
 * The post that first reached it.
 */
event: number, };

/**
 * Events of one signal that one sender posts to an active object.
 *
 * A duration counts in the window in which it ends.
 */
export type SignalRow = { 
/**
 * The receiver.
 */
object: string, 
/**
 * The signal: its name, or `signal 7`.
 */
signal: string, 
/**
 * Its number.
 */
number: number, 
/**
 * The sender; `None` if it is not recorded.
 */
sender: string | null, 
/**
 * Number of posts.
 */
posted: number, 
/**
 * Posts at the front of the queue.
 */
front: number, 
/**
 * Posts that recalled a deferred event.
 */
recalled: number, 
/**
 * Posts with a known take.
 */
taken: number, 
/**
 * From the post to the start of the step.
 */
queueing: Distribution | null, 
/**
 * From the post to the end of the step.
 */
response: Distribution | null, 
/**
 * The maximum response time.
 */
slowest: SlowestResponse | null, };

/**
 * The step with the maximum response time.
 */
export type SlowestResponse = { 
/**
 * From the post to the end of the step, in ticks.
 */
ticks: number, 
/**
 * The post.
 */
post_event: number, 
/**
 * The first event of the step.
 */
first_event: number, 
/**
 * The last event of the step.
 */
last_event: number, };

/**
 * A state machine.
 */
export type MachineStates = { 
/**
 * Its active object.
 */
object: string, 
/**
 * Its address.
 */
address: Hex, 
/**
 * The states between steps, the longest time first. The time of a step
 * counts for the state that it leaves. Their ticks and the unknown ones
 * add up to the time of the scope.
 */
states: Array<StateRow>, 
/**
 * Time with an unknown state, in ticks: before the first record of it,
 * after gaps, and while the machine does not exist.
 */
unknown_ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
unknown_ns?: number, 
/**
 * The same in percent; `None` if no time passes.
 */
unknown_percent: number | null, 
/**
 * Time from entry to exit of states, including composite ones. Several are
 * active at once. Only states with both records in the trace.
 */
active: Array<StateRow>, };

/**
 * State residency in one state.
 */
export type StateRow = { 
/**
 * The state: its name, or its address if it has none.
 */
state: string, 
/**
 * Its address.
 */
address: Hex, 
/**
 * Time in ticks.
 */
ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
ns?: number, 
/**
 * The same in percent of the time; `None` if no time passes.
 */
percent: number | null, 
/**
 * Number of times that the machine entered it, or was first known to be in
 * it, in the scope.
 */
visits: number, 
/**
 * Visits with an unknown end, because records are missing: they count for
 * as long as the trace confirms them.
 */
uncertain: number, 
/**
 * The longest visit, as far as it is in the scope.
 */
max_ticks: number, 
/**
 * The event with which it began.
 */
max_event: number, };

/**
 * Transitions taken, states never entered, signals never received.
 */
export type Transitions = { 
/**
 * The transitions that were taken, in the order of the objects, the
 * initial ones first, then by source, trigger and target.
 */
taken: Array<TransitionRow>, 
/**
 * States with a name in the recording and no evidence in the scope that a
 * machine was in them.
 */
states_never_entered: Array<NeverEnteredState>, 
/**
 * Signals with a name in the recording that no object is known to have
 * received in the scope. A filter on the target can hide them.
 */
signals_never_received: Array<string>, };

/**
 * A transition that was taken.
 */
export type TransitionRow = { 
/**
 * The active object.
 */
object: string, 
/**
 * The source state.
 */
source: string, 
/**
 * The signal that triggered it; `None` for the initial one, and if
 * unknown.
 */
trigger: string | null, 
/**
 * The target, which can be a pseudostate; `None` for an internal
 * transition.
 */
target: string | null, 
/**
 * The state in which the machine remained; `None` if unknown.
 */
settled: string | null, 
/**
 * Whether it is the initial transition, which creates the machine.
 */
initial: boolean, 
/**
 * Number of times that it was taken.
 */
count: number, 
/**
 * Its first event in the trace.
 */
first_event: number, 
/**
 * Its last event.
 */
last_event: number, 
/**
 * The actions executed in it, as far as they are recorded.
 */
actions: Array<ActionCount>, };

/**
 * An action of a transition, with its count.
 */
export type ActionCount = { 
/**
 * Its role: `effect`, `entry`, `exit`, `initial`, `preprocess`, `guard` or
 * `other`.
 */
role: string, 
/**
 * The function's name, or its address.
 */
function: string, 
/**
 * Number of executions.
 */
count: number, };

/**
 * A state that no machine entered.
 */
export type NeverEnteredState = { 
/**
 * The active object that it belongs to, if known.
 */
object: string | null, 
/**
 * Its name, or its address if it has none.
 */
state: string, };

/**
 * A timer.
 *
 * A run lasts from the start, or from the last expiry of a periodic timer, to
 * its end, and counts in the window in which it ends.
 */
export type TimerRow = { 
/**
 * Its name, or its address if it has none.
 */
name: string, 
/**
 * Its address.
 */
address: Hex, 
/**
 * The active object that last received its event.
 */
object: string, 
/**
 * The signal that it last sent, if known.
 */
signal: string | null, 
/**
 * Number of runs.
 */
runs: number, 
/**
 * Runs that expired.
 */
expired: number, 
/**
 * Runs that were stopped.
 */
stopped: number, 
/**
 * Runs that another start ended.
 */
restarted: number, 
/**
 * Runs that the end of the trace, or of the scope, interrupts.
 */
running: number, 
/**
 * Runs with an unknown end, because records are missing.
 */
lost: number, 
/**
 * The expired runs, by nominal duration.
 */
nominal: Array<NominalRuns>, 
/**
 * The difference of consecutive runs of a periodic timer.
 */
jitter: Distribution | null, 
/**
 * From the expiry to the start of the step that handles its event.
 */
delay: Distribution | null, };

/**
 * Runs with the same nominal duration.
 */
export type NominalRuns = { 
/**
 * Nominal duration, in ticks of the framework's timer.
 */
timer_ticks: number, 
/**
 * Whether these are continuations of a periodic timer, rather than starts.
 */
periodic: boolean, 
/**
 * Actual durations, in ticks of the trace's clock.
 */
duration: Distribution, };

/**
 * Completeness and reliability of the whole recording, whatever the scope.
 */
export type Health = { 
/**
 * Events.
 */
events: number, 
/**
 * Ticks from the first event to the last.
 */
span_ticks: number, 
/**
 * The same in nanoseconds, if the clock's frequency is known.
 */
span_ns?: number, 
/**
 * Events per second, if the clock's frequency is known and time passes.
 */
events_per_second: number | null, 
/**
 * The time with a known running context.
 */
coverage: Coverage, 
/**
 * Whether older events were overwritten, so that the recording does not
 * begin with the first traced event.
 */
overwritten: boolean, 
/**
 * The gaps.
 */
gaps: Array<GapRow>, 
/**
 * The events with which the target restarted.
 */
restarts?: Array<number>, 
/**
 * Number of missing events in the gaps that record it.
 */
lost_events: number, 
/**
 * The clock of the timestamps.
 */
clock: ClockHealth, 
/**
 * The objects of the recording.
 */
registry: RegistryHealth, 
/**
 * Interrupt service routines with a recorded entry and no recorded exit.
 */
unfinished_isrs: number, 
/**
 * Interrupt service routines without a recorded entry.
 */
inferred_isrs: number, 
/**
 * What is unknown about active objects; absent for a trace without them.
 */
active?: ActiveObjectHealth, 
/**
 * Number of diagnostics.
 */
severities: SeverityCounts, 
/**
 * The diagnostics, in the order in which they were found.
 */
diagnostics: Array<DiagnosticRow>, };

/**
 * The time with a known running context.
 */
export type Coverage = { 
/**
 * The first known tick on any core.
 */
first_ticks: number | null, 
/**
 * The last known tick.
 */
last_ticks: number | null, 
/**
 * Share of the time of all cores that is known; `None` if no time passes.
 */
percent: number | null, };

/**
 * A gap: missing events.
 */
export type GapRow = { 
/**
 * The first event after the gap.
 */
before_event: number, 
/**
 * Maximum number of missing events; `None` if unknown.
 */
missing: number | null, };

/**
 * The clock of the timestamps.
 */
export type ClockHealth = { 
/**
 * Quality of the clock: `good`, `static`, `event-counter` or `unknown`.
 */
quality: string, 
/**
 * Direction of the counter: `up` or `down`.
 */
direction: string, 
/**
 * Number of valid bits of a timestamp.
 */
bits: number, 
/**
 * Ticks after which the counter shows the same value again; `None` for 2^64.
 */
period_ticks: number | null, 
/**
 * Number of wraps between two events.
 */
wraps: number, 
/**
 * Number of small steps against its direction.
 */
backward_steps: number, 
/**
 * Frequency, if known.
 */
frequency_hz: number | null, };

/**
 * The objects of the recording.
 */
export type RegistryHealth = { 
/**
 * Objects with a name or description.
 */
objects: number, 
/**
 * Objects that are recorded as deleted.
 */
deleted: number, 
/**
 * Threads that logged events and have no description.
 */
unnamed_threads: number, 
/**
 * Whether the registry was full.
 */
full: boolean, };

/**
 * What gaps, and filters on the target, leave unknown about active objects.
 */
export type ActiveObjectHealth = { 
/**
 * Posts without a known take.
 */
untaken_posts: number, 
/**
 * Steps without a known post, including those of completion events, which
 * are never posted.
 */
unposted_steps: number, 
/**
 * Steps with missing records.
 */
lost_steps: number, 
/**
 * Steps whose end is filtered out on the target.
 */
unrecorded_steps: number, 
/**
 * State intervals with an unknown end.
 */
uncertain_visits: number, 
/**
 * Timer runs with an unknown end.
 */
lost_timers: number, };

/**
 * Number of diagnostics by severity.
 */
export type SeverityCounts = { 
/**
 * Part of the input could not be used.
 */
error: number, 
/**
 * Something is missing, or was guessed.
 */
warning: number, 
/**
 * Worth knowing; all figures are right.
 */
info: number, };

/**
 * A diagnostic: something wrong or missing in the input.
 */
export type DiagnosticRow = { 
/**
 * `error`, `warning` or `info`.
 */
severity: string, 
/**
 * Its kind, e.g. `unregistered-thread`.
 */
kind: string, 
/**
 * A sentence that describes it.
 */
message: string, 
/**
 * The first affected event.
 */
event: number | null, 
/**
 * Offset in the input, in bytes.
 */
offset: number | null, 
/**
 * Number of affected events, entries or bytes.
 */
count: number, };

/**
 * The critical path of an event. Times are in ticks since the first event.
 */
export type CriticalPathReport = { 
/**
 * The event.
 */
event: number, 
/**
 * Start of the path.
 */
start_ticks: number, 
/**
 * The time of the event.
 */
end_ticks: number, 
/**
 * Ticks from start to end: the sum of the segments.
 */
ticks: number, 
/**
 * Why the path does not go back further, as a name.
 */
origin: string, 
/**
 * The same as a phrase: what the path goes back to.
 */
origin_text: string, 
/**
 * The segments, oldest first.
 */
segments: Array<PathSegmentRow>, 
/**
 * Time by context, longest first.
 */
contexts: Array<PathContextTotal>, 
/**
 * Time by context and cause, longest first.
 */
causes: Array<PathCauseTotal>, };

/**
 * A part of the path with one context and one cause.
 */
export type PathSegmentRow = { 
/**
 * Its start.
 */
start_ticks: number, 
/**
 * Its end.
 */
end_ticks: number, 
/**
 * Ticks from start to end.
 */
ticks: number, 
/**
 * The event that began it, or the last before it.
 */
event: number, 
/**
 * The context that the path follows.
 */
context: string, 
/**
 * The number of that context, unless it is an interrupt service routine.
 */
thread: number | null, 
/**
 * The core of that interrupt service routine.
 */
core: number | null, 
/**
 * The number of that interrupt service routine, if it has one.
 */
isr: number | null, 
/**
 * Whether the context runs.
 */
runs: boolean, 
/**
 * What it does, or what keeps it from running.
 */
cause: string, 
/**
 * Whose wait the path follows meanwhile, and for what.
 */
blocks: string | null, 
/**
 * The resumption that ends the segment.
 */
resumes: PathResumption | null, };

/**
 * A context ends the wait of another.
 */
export type PathResumption = { 
/**
 * The event that ends it.
 */
event: number, 
/**
 * The context that waited.
 */
context: string, 
/**
 * What it waited for.
 */
waited: string, };

/**
 * The time of a context on the path.
 */
export type PathContextTotal = { 
/**
 * The context.
 */
context: string, 
/**
 * Ticks in which the path follows it.
 */
ticks: number, 
/**
 * Its share of the path, in percent; `null` if the path takes no time.
 */
share: number | null, };

/**
 * The time of a cause on the path.
 */
export type PathCauseTotal = { 
/**
 * The context that the path follows.
 */
context: string, 
/**
 * What it does, or what keeps it from running.
 */
cause: string, 
/**
 * Ticks.
 */
ticks: number, 
/**
 * Its share of the path, in percent; `null` if the path takes no time.
 */
share: number | null, 
/**
 * The event that began the first such segment, or the last before it.
 */
event: number, };

/**
 * The kind of the cells of a column.
 */
export type CellKind = "text" | "thread" | "count" | "decimal" | "duration" | "percent" | "event" | "flag" | "distribution";

/**
 * A column of a table, or a figure of a list.
 */
export type ColumnDescription = { 
/**
 * The path of the value in the row.
 */
key: string, 
/**
 * The label.
 */
label: string, 
/**
 * The kind of the values.
 */
kind: CellKind, 
/**
 * The unit, unless the value is a duration.
 */
unit?: string, 
/**
 * An explanation.
 */
hint?: string, 
/**
 * Shown for a missing value.
 */
missing?: string, };

/**
 * A table of a report, or a list of figures.
 */
export type TableDescription = { 
/**
 * Its title.
 */
title: string, 
/**
 * An explanation of columns.
 */
note?: string, 
/**
 * The meaning of an empty table.
 */
empty?: string, 
/**
 * The columns, in order.
 */
columns: readonly ColumnDescription[], };

export const ISR_TO_THREAD_LABEL = "Interrupt to thread";

export const INTERRUPT_BURST_LABEL = "Longest uninterrupted interrupt time";

/** The findings and the reports, in display order. */
export const REPORTS = [
  {
    "kind": "findings",
    "title": "Findings"
  },
  {
    "kind": "profile",
    "title": "CPU time"
  },
  {
    "kind": "performance",
    "title": "Scheduler counts"
  },
  {
    "kind": "threads",
    "title": "Threads"
  },
  {
    "kind": "stacks",
    "title": "Stack usage"
  },
  {
    "kind": "services",
    "title": "Services and events"
  },
  {
    "kind": "inversions",
    "title": "Priority inversions"
  },
  {
    "kind": "latency",
    "title": "Latency"
  },
  {
    "kind": "periods",
    "title": "Periods"
  },
  {
    "kind": "deadlines",
    "title": "Deadlines"
  },
  {
    "kind": "pipeline",
    "title": "Pipelines"
  },
  {
    "kind": "intervals",
    "title": "Intervals"
  },
  {
    "kind": "isr",
    "title": "Interrupt service routines"
  },
  {
    "kind": "locks",
    "title": "Mutexes"
  },
  {
    "kind": "objects",
    "title": "Queues, semaphores and pools"
  },
  {
    "kind": "communication",
    "title": "Communication"
  },
  {
    "kind": "load",
    "title": "CPU load"
  },
  {
    "kind": "context-switches",
    "title": "Context switches"
  },
  {
    "kind": "markers",
    "title": "Points of interest"
  },
  {
    "kind": "hardware",
    "title": "Hardware"
  },
  {
    "kind": "active",
    "title": "Active objects"
  },
  {
    "kind": "signals",
    "title": "Signals"
  },
  {
    "kind": "states",
    "title": "States"
  },
  {
    "kind": "transitions",
    "title": "Transitions"
  },
  {
    "kind": "timers",
    "title": "Timers"
  },
  {
    "kind": "filex",
    "title": "FileX statistics"
  },
  {
    "kind": "netx",
    "title": "NetX statistics"
  },
  {
    "kind": "usbx",
    "title": "USBX statistics"
  },
  {
    "kind": "health",
    "title": "Recording health"
  }
] as const satisfies readonly { kind: string; title: string }[];

/** The tables by the path of their rows in a report document; `*` is any index. */
export const TABLES = {
  "profile": {
    "title": "CPU time",
    "empty": "No context ran",
    "columns": [
      {
        "key": "context",
        "label": "Context",
        "kind": "text"
      },
      {
        "key": "ticks",
        "label": "CPU time",
        "kind": "duration"
      },
      {
        "key": "percent",
        "label": "Share",
        "kind": "percent"
      }
    ]
  },
  "performance": {
    "title": "Scheduler counts",
    "columns": [
      {
        "key": "dispatches",
        "label": "Dispatches",
        "kind": "count"
      },
      {
        "key": "context_switches",
        "label": "Context switches",
        "kind": "count"
      },
      {
        "key": "preemptions.solicited",
        "label": "Solicited preemptions",
        "kind": "count"
      },
      {
        "key": "preemptions.interrupt",
        "label": "Interrupt preemptions",
        "kind": "count"
      },
      {
        "key": "time_slices",
        "label": "Time slices",
        "kind": "count"
      },
      {
        "key": "relinquishes",
        "label": "Relinquishes",
        "kind": "count"
      },
      {
        "key": "suspensions",
        "label": "Suspensions",
        "kind": "count"
      },
      {
        "key": "resumptions",
        "label": "Resumptions",
        "kind": "count"
      },
      {
        "key": "priority_changes",
        "label": "Priority changes",
        "kind": "count"
      },
      {
        "key": "interrupts",
        "label": "Interrupts",
        "kind": "count"
      },
      {
        "key": "nested_interrupts",
        "label": "Nested interrupts",
        "kind": "count"
      },
      {
        "key": "inversions.total",
        "label": "Priority inversions",
        "kind": "count"
      },
      {
        "key": "inversions.unbounded",
        "label": "Unbounded inversions",
        "kind": "count"
      }
    ]
  },
  "threads": {
    "title": "Threads",
    "note": "Solicited and by interrupt: preemptions by the thread's own calls, and by interrupts",
    "empty": "No threads",
    "columns": [
      {
        "key": "name",
        "label": "Thread",
        "kind": "text"
      },
      {
        "key": "priority",
        "label": "Priority",
        "kind": "count",
        "hint": "0 is the highest"
      },
      {
        "key": "highest_priority",
        "label": "Highest",
        "kind": "count",
        "hint": "Highest priority during the trace"
      },
      {
        "key": "lowest_priority",
        "label": "Lowest",
        "kind": "count",
        "hint": "Lowest priority during the trace"
      },
      {
        "key": "events",
        "label": "Events",
        "kind": "count"
      },
      {
        "key": "dispatches",
        "label": "Dispatches",
        "kind": "count"
      },
      {
        "key": "suspensions",
        "label": "Suspensions",
        "kind": "count"
      },
      {
        "key": "resumptions",
        "label": "Resumptions",
        "kind": "count"
      },
      {
        "key": "preemptions.solicited",
        "label": "Solicited",
        "kind": "count",
        "hint": "Preemptions by its own calls"
      },
      {
        "key": "preemptions.interrupt",
        "label": "By interrupt",
        "kind": "count",
        "hint": "Preemptions by interrupts"
      },
      {
        "key": "time_slices",
        "label": "Time slices",
        "kind": "count"
      },
      {
        "key": "relinquishes",
        "label": "Relinquishes",
        "kind": "count"
      },
      {
        "key": "inversions.total",
        "label": "Inversions",
        "kind": "count"
      },
      {
        "key": "states.running",
        "label": "Running",
        "kind": "duration"
      },
      {
        "key": "states.ready",
        "label": "Ready",
        "kind": "duration"
      }
    ]
  },
  "stacks": {
    "title": "Stack usage",
    "note": "The kernel records an address inside its own functions: the real usage is slightly higher",
    "empty": "The recording has no stack data",
    "columns": [
      {
        "key": "thread",
        "label": "Thread",
        "kind": "text"
      },
      {
        "key": "size",
        "label": "Size",
        "kind": "count",
        "unit": "bytes"
      },
      {
        "key": "min_free",
        "label": "Min free",
        "kind": "count",
        "unit": "bytes",
        "hint": "Free bytes at the deepest call"
      },
      {
        "key": "used_percent",
        "label": "Used",
        "kind": "percent"
      },
      {
        "key": "event",
        "label": "At event",
        "kind": "event"
      },
      {
        "key": "outside",
        "label": "Outside",
        "kind": "count",
        "hint": "Events with a stack pointer outside the stack"
      }
    ]
  },
  "services": {
    "title": "Services and events",
    "empty": "No events",
    "columns": [
      {
        "key": "name",
        "label": "Event",
        "kind": "text"
      },
      {
        "key": "id",
        "label": "Id",
        "kind": "count"
      },
      {
        "key": "component",
        "label": "Component",
        "kind": "text"
      },
      {
        "key": "count",
        "label": "Count",
        "kind": "count"
      },
      {
        "key": "percent",
        "label": "Share",
        "kind": "percent",
        "hint": "Share of all events"
      },
      {
        "key": "contexts",
        "label": "Contexts",
        "kind": "count",
        "hint": "Number of contexts that logged the event"
      }
    ]
  },
  "inversions": {
    "title": "Priority inversions",
    "note": "Priorities in parentheses; 0 is the highest",
    "empty": "No priority inversions",
    "columns": [
      {
        "key": "object",
        "label": "Mutex",
        "kind": "text"
      },
      {
        "key": "blocked",
        "label": "Blocked",
        "kind": "thread"
      },
      {
        "key": "owner",
        "label": "Owner",
        "kind": "thread"
      },
      {
        "key": "start_ticks",
        "label": "Start",
        "kind": "duration"
      },
      {
        "key": "ticks",
        "label": "Duration",
        "kind": "duration"
      },
      {
        "key": "unbounded",
        "label": "Unbounded",
        "kind": "flag",
        "missing": "unknown"
      },
      {
        "key": "culprits",
        "label": "Prolonged by",
        "kind": "text"
      },
      {
        "key": "start_event",
        "label": "Start event",
        "kind": "event"
      },
      {
        "key": "end_event",
        "label": "End event",
        "kind": "event"
      },
      {
        "key": "ending",
        "label": "Ending",
        "kind": "text"
      }
    ]
  },
  "latency.threads": {
    "title": "Latency",
    "empty": "No thread was resumed and suspended",
    "columns": [
      {
        "key": "name",
        "label": "Thread",
        "kind": "text"
      },
      {
        "key": "wake_up",
        "label": "Wake-up latency",
        "kind": "distribution",
        "hint": "from resumption to running"
      },
      {
        "key": "response",
        "label": "Response time",
        "kind": "distribution",
        "hint": "from resumption to the next suspension"
      },
      {
        "key": "period",
        "label": "Period",
        "kind": "distribution",
        "hint": "from one resumption to the next"
      },
      {
        "key": "jitter",
        "label": "Jitter",
        "kind": "distribution",
        "hint": "difference between successive periods"
      },
      {
        "key": "preempted",
        "label": "Preempted",
        "kind": "distribution",
        "hint": "ready after a preemption"
      }
    ]
  },
  "latency.blocking": {
    "title": "Blocking",
    "empty": "No thread was blocked",
    "columns": [
      {
        "key": "object",
        "label": "Blocked on",
        "kind": "text"
      },
      {
        "key": "reason",
        "label": "Wait reason",
        "kind": "text"
      },
      {
        "key": "duration",
        "label": "Duration",
        "kind": "distribution",
        "hint": "all threads"
      }
    ]
  },
  "periods": {
    "title": "Periods",
    "note": "Peak-to-peak jitter: the longest period less the shortest",
    "empty": "Nothing was activated",
    "columns": [
      {
        "key": "name",
        "label": "Name",
        "kind": "text"
      },
      {
        "key": "kind",
        "label": "Kind",
        "kind": "text"
      },
      {
        "key": "activations",
        "label": "Activations",
        "kind": "count"
      },
      {
        "key": "unjudged_periods",
        "label": "Unknown periods",
        "kind": "count",
        "hint": "The first, and those before which an activation may be missing"
      },
      {
        "key": "unjudged_responses",
        "label": "Unknown responses",
        "kind": "count",
        "hint": "Start or end not recorded"
      },
      {
        "key": "jitter.peak_to_peak",
        "label": "Peak-to-peak jitter",
        "kind": "duration",
        "hint": "Longest period less the shortest"
      },
      {
        "key": "jitter.standard_deviation",
        "label": "Standard deviation",
        "kind": "duration",
        "hint": "Of the periods"
      },
      {
        "key": "period",
        "label": "Period",
        "kind": "distribution",
        "hint": "from one start to the next"
      },
      {
        "key": "response",
        "label": "Response time",
        "kind": "distribution",
        "hint": "from ready to suspended, entry to exit, post to end of step"
      },
      {
        "key": "cpu_time",
        "label": "CPU time",
        "kind": "distribution",
        "hint": "of one activation"
      },
      {
        "key": "run",
        "label": "Run",
        "kind": "distribution",
        "hint": "uninterrupted"
      }
    ]
  },
  "deadlines": {
    "title": "Deadlines",
    "empty": "No deadlines were declared",
    "columns": [
      {
        "key": "name",
        "label": "Name",
        "kind": "text"
      },
      {
        "key": "source",
        "label": "Source",
        "kind": "text"
      },
      {
        "key": "kind",
        "label": "Kind",
        "kind": "text"
      },
      {
        "key": "period_ticks",
        "label": "Period",
        "kind": "duration"
      },
      {
        "key": "jitter_ticks",
        "label": "Jitter",
        "kind": "duration",
        "hint": "Deviation from the period, in both directions"
      },
      {
        "key": "deadline_ticks",
        "label": "Deadline",
        "kind": "duration"
      },
      {
        "key": "verdict",
        "label": "Verdict",
        "kind": "text"
      },
      {
        "key": "judged",
        "label": "Judged",
        "kind": "count"
      },
      {
        "key": "unjudged",
        "label": "Not judged",
        "kind": "count",
        "hint": "Start or end not recorded"
      }
    ]
  },
  "deadlines.*.misses": {
    "title": "Misses",
    "empty": "No activation missed it",
    "columns": [
      {
        "key": "limit",
        "label": "Limit",
        "kind": "text"
      },
      {
        "key": "event",
        "label": "Event",
        "kind": "event"
      },
      {
        "key": "start_ticks",
        "label": "Start",
        "kind": "duration"
      },
      {
        "key": "observed_ticks",
        "label": "Observed",
        "kind": "duration"
      },
      {
        "key": "limit_ticks",
        "label": "Limit value",
        "kind": "duration"
      },
      {
        "key": "cause",
        "label": "First cause",
        "kind": "text"
      },
      {
        "key": "culprit",
        "label": "Culprit",
        "kind": "text"
      }
    ]
  },
  "pipeline": {
    "title": "Pipelines",
    "empty": "No pipelines were declared",
    "columns": [
      {
        "key": "name",
        "label": "Name",
        "kind": "text"
      },
      {
        "key": "period_ticks",
        "label": "Declared period",
        "kind": "duration"
      },
      {
        "key": "deadline_ticks",
        "label": "Deadline",
        "kind": "duration"
      },
      {
        "key": "verdict",
        "label": "Verdict",
        "kind": "text"
      },
      {
        "key": "items",
        "label": "Items",
        "kind": "count"
      },
      {
        "key": "completed",
        "label": "Completed",
        "kind": "count"
      },
      {
        "key": "late",
        "label": "Late",
        "kind": "count"
      },
      {
        "key": "dropped",
        "label": "Dropped",
        "kind": "count"
      },
      {
        "key": "not_forwarded",
        "label": "Not forwarded",
        "kind": "count"
      },
      {
        "key": "in_progress",
        "label": "In progress",
        "kind": "count"
      },
      {
        "key": "unknown",
        "label": "Unknown",
        "kind": "count",
        "hint": "Start or way not recorded"
      },
      {
        "key": "min_slack_ticks",
        "label": "Min slack",
        "kind": "duration",
        "hint": "Of items in time"
      },
      {
        "key": "latency",
        "label": "Latency",
        "kind": "distribution",
        "hint": "from the start of an item to its end"
      },
      {
        "key": "period",
        "label": "Period",
        "kind": "distribution",
        "hint": "from the start of one item to the next"
      }
    ]
  },
  "pipeline.*.stages": {
    "title": "Stages",
    "empty": "It has no stages",
    "columns": [
      {
        "key": "name",
        "label": "Stage",
        "kind": "text"
      },
      {
        "key": "items",
        "label": "Items",
        "kind": "count"
      },
      {
        "key": "misses",
        "label": "Misses",
        "kind": "count",
        "hint": "Late and dropped items that it delayed most, or dropped"
      },
      {
        "key": "problem",
        "label": "Problem",
        "kind": "text",
        "hint": "Why it is not known which items it sends on"
      },
      {
        "key": "queued",
        "label": "Queued",
        "kind": "distribution",
        "hint": "from an item's arrival until the stage takes it"
      },
      {
        "key": "service",
        "label": "Service time",
        "kind": "distribution",
        "hint": "from when the stage takes an item until it sends it on"
      },
      {
        "key": "cpu_time",
        "label": "CPU time",
        "kind": "distribution",
        "hint": "of the stage's thread for one item"
      }
    ]
  },
  "pipeline.*.misses": {
    "title": "Misses",
    "empty": "No item is late or was dropped",
    "columns": [
      {
        "key": "item",
        "label": "Item",
        "kind": "count"
      },
      {
        "key": "outcome",
        "label": "Result",
        "kind": "text"
      },
      {
        "key": "event",
        "label": "Event",
        "kind": "event"
      },
      {
        "key": "start_ticks",
        "label": "Start",
        "kind": "duration"
      },
      {
        "key": "latency_ticks",
        "label": "Latency",
        "kind": "duration"
      },
      {
        "key": "stage",
        "label": "Stage",
        "kind": "text"
      },
      {
        "key": "cause",
        "label": "Cause",
        "kind": "text"
      },
      {
        "key": "culprit",
        "label": "Culprit",
        "kind": "text"
      }
    ]
  },
  "intervals": {
    "title": "Intervals",
    "empty": "No intervals are declared",
    "columns": [
      {
        "key": "name",
        "label": "Name",
        "kind": "text"
      },
      {
        "key": "intervals",
        "label": "Intervals",
        "kind": "count"
      },
      {
        "key": "deadline_ticks",
        "label": "Deadline",
        "kind": "duration"
      },
      {
        "key": "late",
        "label": "Late",
        "kind": "count",
        "hint": "Longer than the deadline"
      },
      {
        "key": "open",
        "label": "Open",
        "kind": "count",
        "hint": "Without an end in the scope"
      },
      {
        "key": "lost",
        "label": "Lost",
        "kind": "count",
        "hint": "End unknown, as events are missing"
      },
      {
        "key": "repeated_starts",
        "label": "Repeated starts",
        "kind": "count",
        "hint": "Starts while an interval was open"
      },
      {
        "key": "unmatched_ends",
        "label": "Unmatched ends",
        "kind": "count",
        "hint": "Ends while no interval was open"
      },
      {
        "key": "start_unknown",
        "label": "Start unknown",
        "kind": "count",
        "hint": "Ends whose start is not recorded"
      },
      {
        "key": "unpaired",
        "label": "Unpaired",
        "kind": "count",
        "hint": "Events without the object or argument that pairs them"
      },
      {
        "key": "p95_ticks",
        "label": "P95",
        "kind": "duration",
        "hint": "95 % of the durations do not exceed it"
      },
      {
        "key": "standard_deviation",
        "label": "Standard deviation",
        "kind": "duration"
      },
      {
        "key": "duration",
        "label": "Duration",
        "kind": "distribution",
        "hint": "from start to end"
      }
    ]
  },
  "intervals.*.longest": {
    "title": "Longest",
    "empty": "No interval ends in the scope",
    "columns": [
      {
        "key": "event",
        "label": "Event",
        "kind": "event"
      },
      {
        "key": "end_event",
        "label": "End event",
        "kind": "event"
      },
      {
        "key": "ticks",
        "label": "Duration",
        "kind": "duration"
      },
      {
        "key": "start_ticks",
        "label": "Start",
        "kind": "duration"
      },
      {
        "key": "context",
        "label": "Context",
        "kind": "text"
      }
    ]
  },
  "isr": {
    "title": "Interrupt service routines",
    "empty": "No interrupts were recorded",
    "columns": [
      {
        "key": "name",
        "label": "Routine",
        "kind": "text"
      },
      {
        "key": "activations",
        "label": "Activations",
        "kind": "count"
      },
      {
        "key": "nested",
        "label": "Nested",
        "kind": "count"
      },
      {
        "key": "max_nesting",
        "label": "Max nesting",
        "kind": "count"
      },
      {
        "key": "unfinished",
        "label": "Unfinished",
        "kind": "count"
      },
      {
        "key": "inferred",
        "label": "Inferred",
        "kind": "count"
      },
      {
        "key": "ticks",
        "label": "CPU time",
        "kind": "duration",
        "missing": "unknown"
      },
      {
        "key": "percent",
        "label": "Share",
        "kind": "percent",
        "missing": "unknown"
      },
      {
        "key": "cores",
        "label": "Cores",
        "kind": "text"
      },
      {
        "key": "duration",
        "label": "Total time",
        "kind": "distribution",
        "hint": "from entry to exit"
      },
      {
        "key": "self_duration",
        "label": "Self time",
        "kind": "distribution",
        "hint": "the same without nested routines"
      },
      {
        "key": "interarrival",
        "label": "Interval",
        "kind": "distribution",
        "hint": "from entry to entry"
      }
    ]
  },
  "locks": {
    "title": "Mutexes",
    "empty": "No mutexes were used",
    "columns": [
      {
        "key": "name",
        "label": "Mutex",
        "kind": "text"
      },
      {
        "key": "acquisitions",
        "label": "Acquired",
        "kind": "count",
        "hint": "Number of acquisitions"
      },
      {
        "key": "contended_percent",
        "label": "Contention",
        "kind": "percent",
        "hint": "Share of the acquisitions after a wait"
      },
      {
        "key": "given_up",
        "label": "Given up",
        "kind": "count",
        "hint": "Waits that ended without the mutex"
      },
      {
        "key": "max_waiting",
        "label": "Max waiting",
        "kind": "count",
        "hint": "Maximum number of threads that waited at once"
      },
      {
        "key": "inversions.total",
        "label": "Inversions",
        "kind": "count"
      },
      {
        "key": "inversions.unbounded",
        "label": "Unbounded",
        "kind": "count"
      },
      {
        "key": "max_hold.ticks",
        "label": "Longest hold",
        "kind": "duration"
      },
      {
        "key": "max_hold.thread",
        "label": "Held by",
        "kind": "text",
        "hint": "Owner in the longest hold"
      },
      {
        "key": "max_hold.event",
        "label": "At event",
        "kind": "event",
        "hint": "End of the longest hold"
      },
      {
        "key": "owner_at_end",
        "label": "Owner at end",
        "kind": "text"
      },
      {
        "key": "hold",
        "label": "Hold time",
        "kind": "distribution",
        "hint": "from acquisition to release"
      },
      {
        "key": "wait",
        "label": "Wait time",
        "kind": "distribution",
        "hint": "from suspension to resumption"
      }
    ]
  },
  "objects": {
    "title": "Queues, semaphores and pools",
    "note": "Blocked and refused: calls that the level did not allow",
    "empty": "No queues, semaphores, pools or event flags",
    "columns": [
      {
        "key": "name",
        "label": "Object",
        "kind": "text"
      },
      {
        "key": "class",
        "label": "Class",
        "kind": "text"
      },
      {
        "key": "puts",
        "label": "Puts",
        "kind": "count"
      },
      {
        "key": "takes",
        "label": "Takes",
        "kind": "count"
      },
      {
        "key": "calls",
        "label": "Calls",
        "kind": "count"
      },
      {
        "key": "blocked",
        "label": "Blocked",
        "kind": "count"
      },
      {
        "key": "refused",
        "label": "Refused",
        "kind": "count"
      },
      {
        "key": "level.min",
        "label": "Min level",
        "kind": "count"
      },
      {
        "key": "level.min_event",
        "label": "Min at event",
        "kind": "event"
      },
      {
        "key": "level.mean",
        "label": "Mean level",
        "kind": "decimal"
      },
      {
        "key": "level.max",
        "label": "Max level",
        "kind": "count"
      },
      {
        "key": "level.max_event",
        "label": "Max at event",
        "kind": "event"
      },
      {
        "key": "capacity",
        "label": "Capacity",
        "kind": "count"
      },
      {
        "key": "high_water_percent",
        "label": "High-water mark",
        "kind": "percent"
      },
      {
        "key": "waiters.count",
        "label": "Waits",
        "kind": "count"
      },
      {
        "key": "waiters.max_ticks",
        "label": "Longest wait",
        "kind": "duration"
      },
      {
        "key": "transfer",
        "label": "Transfer time",
        "kind": "distribution",
        "hint": "from put to take"
      }
    ]
  },
  "communication.uses": {
    "title": "Use of objects",
    "note": "Blocked calls had to wait; refused calls failed without a wait",
    "empty": "No queues, semaphores, event flags, pools or mutexes were used",
    "columns": [
      {
        "key": "object",
        "label": "Object",
        "kind": "text"
      },
      {
        "key": "class",
        "label": "Class",
        "kind": "text"
      },
      {
        "key": "context",
        "label": "Context",
        "kind": "text"
      },
      {
        "key": "puts",
        "label": "Puts",
        "kind": "count",
        "hint": "Calls that add to the object, or release the mutex"
      },
      {
        "key": "blocked_puts",
        "label": "Blocked puts",
        "kind": "count"
      },
      {
        "key": "refused_puts",
        "label": "Refused puts",
        "kind": "count"
      },
      {
        "key": "takes",
        "label": "Takes",
        "kind": "count",
        "hint": "Calls that take from the object, or acquire the mutex"
      },
      {
        "key": "blocked_takes",
        "label": "Blocked takes",
        "kind": "count"
      },
      {
        "key": "refused_takes",
        "label": "Refused takes",
        "kind": "count"
      },
      {
        "key": "first_event",
        "label": "First event",
        "kind": "event"
      }
    ]
  },
  "communication.flows": {
    "title": "From cause to effect",
    "empty": "No context sends to, posts to or wakes another one",
    "columns": [
      {
        "key": "kind",
        "label": "Kind",
        "kind": "text"
      },
      {
        "key": "from",
        "label": "From",
        "kind": "text",
        "missing": "unknown"
      },
      {
        "key": "object",
        "label": "Object or signal",
        "kind": "text"
      },
      {
        "key": "to",
        "label": "To",
        "kind": "text",
        "missing": "unknown"
      },
      {
        "key": "count",
        "label": "Count",
        "kind": "count"
      },
      {
        "key": "first_event",
        "label": "First event",
        "kind": "event"
      },
      {
        "key": "latency",
        "label": "Latency",
        "kind": "distribution",
        "hint": "from cause to effect"
      }
    ]
  },
  "context_switches": {
    "title": "Context switches",
    "columns": [
      {
        "key": "dispatches",
        "label": "Dispatches",
        "kind": "count"
      },
      {
        "key": "dispatches_per_second",
        "label": "Dispatches per second",
        "kind": "decimal"
      },
      {
        "key": "context_switches",
        "label": "Context switches",
        "kind": "count"
      },
      {
        "key": "idle.percent",
        "label": "Idle",
        "kind": "percent"
      },
      {
        "key": "kernel.percent",
        "label": "Kernel",
        "kind": "percent",
        "hint": "Interrupts and the scheduler, outside handlers"
      },
      {
        "key": "interrupts_off.percent",
        "label": "Interrupts off",
        "kind": "percent"
      },
      {
        "key": "unknown.percent",
        "label": "Unknown",
        "kind": "percent"
      },
      {
        "key": "gaps",
        "label": "Gaps",
        "kind": "count"
      },
      {
        "key": "interrupts_off.duration",
        "label": "Interrupts-off section",
        "kind": "distribution"
      },
      {
        "key": "idle.duration",
        "label": "Idle period",
        "kind": "distribution"
      },
      {
        "key": "wake_ups.to_thread",
        "label": "Idle to thread",
        "kind": "distribution"
      },
      {
        "key": "wake_ups.spurious",
        "label": "Idle to idle",
        "kind": "distribution"
      }
    ]
  },
  "context_switches.threads": {
    "title": "Threads",
    "empty": "No threads",
    "columns": [
      {
        "key": "name",
        "label": "Thread",
        "kind": "text"
      },
      {
        "key": "dispatches",
        "label": "Dispatches",
        "kind": "count"
      },
      {
        "key": "resumes",
        "label": "Resumptions",
        "kind": "count"
      },
      {
        "key": "ticks",
        "label": "CPU time",
        "kind": "duration"
      },
      {
        "key": "percent",
        "label": "Share",
        "kind": "percent"
      }
    ]
  },
  "context_switches.handlers": {
    "title": "Handlers",
    "empty": "No handlers were recorded",
    "columns": [
      {
        "key": "name",
        "label": "Handler",
        "kind": "text"
      },
      {
        "key": "activations",
        "label": "Activations",
        "kind": "count"
      },
      {
        "key": "nested",
        "label": "Nested",
        "kind": "count"
      },
      {
        "key": "ticks",
        "label": "CPU time",
        "kind": "duration"
      },
      {
        "key": "percent",
        "label": "Share",
        "kind": "percent"
      },
      {
        "key": "max_ticks",
        "label": "Longest",
        "kind": "duration",
        "hint": "Longest activation, from entry to exit"
      },
      {
        "key": "max_event",
        "label": "At event",
        "kind": "event",
        "hint": "Exit of the longest activation"
      }
    ]
  },
  "context_switches.interrupts_off.longest": {
    "title": "Longest interrupts-off sections",
    "empty": "Interrupts were never off",
    "columns": [
      {
        "key": "ticks",
        "label": "Duration",
        "kind": "duration"
      },
      {
        "key": "complete",
        "label": "Exact",
        "kind": "flag",
        "hint": "If not, the duration is a minimum"
      },
      {
        "key": "nested",
        "label": "Nested",
        "kind": "count",
        "hint": "Disabled again meanwhile"
      },
      {
        "key": "first_event",
        "label": "First event",
        "kind": "event"
      },
      {
        "key": "last_event",
        "label": "Last event",
        "kind": "event"
      },
      {
        "key": "context",
        "label": "Context",
        "kind": "text"
      },
      {
        "key": "handler",
        "label": "Handler",
        "kind": "text"
      },
      {
        "key": "disabled_at.text",
        "label": "Disabled at",
        "kind": "text"
      },
      {
        "key": "enabled_at.text",
        "label": "Enabled at",
        "kind": "text"
      },
      {
        "key": "ending",
        "label": "Ending",
        "kind": "text"
      }
    ]
  },
  "markers": {
    "title": "Points of interest",
    "empty": "No points of interest",
    "columns": [
      {
        "key": "name",
        "label": "Marker",
        "kind": "text"
      },
      {
        "key": "spans",
        "label": "Spans",
        "kind": "count"
      },
      {
        "key": "instants",
        "label": "Instants",
        "kind": "count"
      },
      {
        "key": "begin_unknown",
        "label": "Begin unknown",
        "kind": "count",
        "hint": "Ends without a recorded begin"
      },
      {
        "key": "lost",
        "label": "Lost",
        "kind": "count",
        "hint": "Open where events are missing"
      },
      {
        "key": "open",
        "label": "Open",
        "kind": "count",
        "hint": "Open at the end of the trace"
      },
      {
        "key": "duration",
        "label": "Duration",
        "kind": "distribution",
        "hint": "From begin to end"
      },
      {
        "key": "period",
        "label": "Period",
        "kind": "distribution",
        "hint": "From a begin or instant to the next"
      }
    ]
  },
  "hardware.units": {
    "title": "Hardware",
    "empty": "No hardware is declared",
    "columns": [
      {
        "key": "name",
        "label": "Hardware",
        "kind": "text"
      },
      {
        "key": "kicks",
        "label": "Kicks",
        "kind": "count"
      },
      {
        "key": "busy_ticks",
        "label": "Total busy time",
        "kind": "duration"
      },
      {
        "key": "busy_percent",
        "label": "Busy",
        "kind": "percent"
      },
      {
        "key": "cpu_worked_percent",
        "label": "CPU worked",
        "kind": "percent",
        "hint": "Share of the busy time in which the CPU worked"
      },
      {
        "key": "cpu_idle_percent",
        "label": "CPU idle",
        "kind": "percent",
        "hint": "Share of the busy time in which the CPU was idle"
      },
      {
        "key": "end_unknown",
        "label": "End unknown",
        "kind": "count"
      },
      {
        "key": "kicks_while_busy",
        "label": "Kicks while busy",
        "kind": "count"
      },
      {
        "key": "ends_while_idle",
        "label": "Ends while idle",
        "kind": "count"
      },
      {
        "key": "busy",
        "label": "Busy time",
        "kind": "distribution",
        "hint": "From kick to end"
      },
      {
        "key": "down",
        "label": "Down time",
        "kind": "distribution",
        "hint": "From an end to the next kick"
      }
    ]
  },
  "hardware.slots": {
    "title": "Slots",
    "empty": "No slots are declared",
    "columns": [
      {
        "key": "schedule",
        "label": "Schedule",
        "kind": "text"
      },
      {
        "key": "subject",
        "label": "Subject",
        "kind": "text"
      },
      {
        "key": "spans",
        "label": "Spans",
        "kind": "count"
      },
      {
        "key": "outside",
        "label": "Outside",
        "kind": "count"
      },
      {
        "key": "max_early_ticks",
        "label": "Earliest",
        "kind": "duration",
        "hint": "Longest time before the start of the slot"
      },
      {
        "key": "max_late_ticks",
        "label": "Latest",
        "kind": "duration",
        "hint": "Longest time after the end of the slot"
      },
      {
        "key": "event",
        "label": "First event",
        "kind": "event"
      },
      {
        "key": "unplanned",
        "label": "Unplanned",
        "kind": "count",
        "hint": "Before the first cycle"
      }
    ]
  },
  "active": {
    "title": "Active objects",
    "empty": "No active objects",
    "columns": [
      {
        "key": "name",
        "label": "Active object",
        "kind": "text"
      },
      {
        "key": "posted",
        "label": "Posted",
        "kind": "count",
        "hint": "Events posted to its queue"
      },
      {
        "key": "steps",
        "label": "Steps",
        "kind": "count",
        "hint": "Events handled"
      },
      {
        "key": "busy_ticks",
        "label": "Busy time",
        "kind": "duration",
        "hint": "Total time of its steps"
      },
      {
        "key": "busy_percent",
        "label": "Busy",
        "kind": "percent"
      },
      {
        "key": "endings.unhandled",
        "label": "Unhandled",
        "kind": "count",
        "hint": "No transition for the event"
      },
      {
        "key": "guards_false",
        "label": "Guards false",
        "kind": "count"
      },
      {
        "key": "endings.no_branch",
        "label": "No branch",
        "kind": "count"
      },
      {
        "key": "endings.failed",
        "label": "Failed",
        "kind": "count",
        "hint": "Error in the state machine"
      },
      {
        "key": "endings.lost",
        "label": "Lost",
        "kind": "count",
        "hint": "Missing records"
      },
      {
        "key": "endings.unrecorded",
        "label": "Filtered",
        "kind": "count",
        "hint": "The target does not record how the step ended"
      },
      {
        "key": "endings.open",
        "label": "Unfinished",
        "kind": "count",
        "hint": "At the end of the trace"
      },
      {
        "key": "deferred",
        "label": "Deferred",
        "kind": "count"
      },
      {
        "key": "recalled",
        "label": "Recalled",
        "kind": "count"
      },
      {
        "key": "max_queued.events",
        "label": "Max queued",
        "kind": "count"
      },
      {
        "key": "max_queued.event",
        "label": "At event",
        "kind": "event"
      },
      {
        "key": "queue.capacity",
        "label": "Capacity",
        "kind": "count",
        "hint": "Capacity of its queue"
      },
      {
        "key": "queue.min_free",
        "label": "Min free",
        "kind": "count",
        "hint": "Free entries of its queue"
      },
      {
        "key": "queueing",
        "label": "Queueing time",
        "kind": "distribution",
        "hint": "from the post of an event to the start of its step"
      },
      {
        "key": "duration",
        "label": "Step time",
        "kind": "distribution",
        "hint": "from the start of a step to its end"
      },
      {
        "key": "response",
        "label": "Response time",
        "kind": "distribution",
        "hint": "from the post of an event to the end of its step"
      }
    ]
  },
  "signals": {
    "title": "Signals",
    "empty": "No events were posted",
    "columns": [
      {
        "key": "signal",
        "label": "Signal",
        "kind": "text"
      },
      {
        "key": "sender",
        "label": "Sender",
        "kind": "text",
        "missing": "(unknown)"
      },
      {
        "key": "object",
        "label": "Receiver",
        "kind": "text"
      },
      {
        "key": "posted",
        "label": "Posted",
        "kind": "count"
      },
      {
        "key": "front",
        "label": "Front",
        "kind": "count",
        "hint": "Posted to the front of the queue"
      },
      {
        "key": "recalled",
        "label": "Recalled",
        "kind": "count",
        "hint": "Deferred before"
      },
      {
        "key": "taken",
        "label": "Taken",
        "kind": "count",
        "hint": "Events with a known step"
      },
      {
        "key": "slowest.ticks",
        "label": "Slowest response",
        "kind": "duration"
      },
      {
        "key": "slowest.post_event",
        "label": "Slowest post",
        "kind": "event"
      },
      {
        "key": "slowest.first_event",
        "label": "First event",
        "kind": "event",
        "hint": "First event of the slowest step"
      },
      {
        "key": "slowest.last_event",
        "label": "Last event",
        "kind": "event",
        "hint": "Last event of the slowest step"
      },
      {
        "key": "queueing",
        "label": "Queueing time",
        "kind": "distribution",
        "hint": "from post to start of step"
      },
      {
        "key": "response",
        "label": "Response time",
        "kind": "distribution",
        "hint": "from post to end of step"
      }
    ]
  },
  "states.*.states": {
    "title": "States",
    "empty": "No state machines",
    "columns": [
      {
        "key": "state",
        "label": "State",
        "kind": "text"
      },
      {
        "key": "ticks",
        "label": "Time",
        "kind": "duration"
      },
      {
        "key": "percent",
        "label": "Share",
        "kind": "percent"
      },
      {
        "key": "visits",
        "label": "Visits",
        "kind": "count"
      },
      {
        "key": "uncertain",
        "label": "Uncertain",
        "kind": "count",
        "hint": "Visits with an unknown end"
      },
      {
        "key": "max_ticks",
        "label": "Longest",
        "kind": "duration",
        "hint": "Longest visit"
      },
      {
        "key": "max_event",
        "label": "At event",
        "kind": "event",
        "hint": "Start of the longest visit"
      }
    ]
  },
  "transitions.taken": {
    "title": "Transitions",
    "empty": "No transitions were recorded",
    "columns": [
      {
        "key": "object",
        "label": "Active object",
        "kind": "text"
      },
      {
        "key": "source",
        "label": "Source",
        "kind": "text"
      },
      {
        "key": "trigger",
        "label": "Trigger",
        "kind": "text",
        "missing": "(unknown)"
      },
      {
        "key": "target",
        "label": "Target",
        "kind": "text",
        "missing": "(internal)"
      },
      {
        "key": "settled",
        "label": "Final state",
        "kind": "text"
      },
      {
        "key": "count",
        "label": "Count",
        "kind": "count"
      },
      {
        "key": "first_event",
        "label": "First event",
        "kind": "event"
      },
      {
        "key": "last_event",
        "label": "Last event",
        "kind": "event"
      },
      {
        "key": "actions",
        "label": "Actions",
        "kind": "text"
      }
    ]
  },
  "timers": {
    "title": "Timers",
    "empty": "No timers were started",
    "columns": [
      {
        "key": "name",
        "label": "Timer",
        "kind": "text"
      },
      {
        "key": "object",
        "label": "Receiver",
        "kind": "text"
      },
      {
        "key": "signal",
        "label": "Signal",
        "kind": "text",
        "missing": "(unknown)"
      },
      {
        "key": "runs",
        "label": "Runs",
        "kind": "count"
      },
      {
        "key": "expired",
        "label": "Expired",
        "kind": "count"
      },
      {
        "key": "stopped",
        "label": "Stopped",
        "kind": "count"
      },
      {
        "key": "restarted",
        "label": "Restarted",
        "kind": "count",
        "hint": "Started again before it expired"
      },
      {
        "key": "running",
        "label": "Running",
        "kind": "count",
        "hint": "At the end"
      },
      {
        "key": "lost",
        "label": "Lost",
        "kind": "count",
        "hint": "Missing records"
      },
      {
        "key": "jitter",
        "label": "Jitter",
        "kind": "distribution",
        "hint": "difference between successive periods"
      },
      {
        "key": "delay",
        "label": "Expiry to step",
        "kind": "distribution",
        "hint": "from the expiry to the step that handles its event"
      }
    ]
  },
  "timers.*.nominal": {
    "title": "Start to expiry",
    "empty": "No timer expired",
    "columns": [
      {
        "key": "timer_ticks",
        "label": "Nominal duration",
        "kind": "count",
        "unit": "timer ticks"
      },
      {
        "key": "periodic",
        "label": "Periodic",
        "kind": "flag"
      },
      {
        "key": "duration",
        "label": "Start to expiry",
        "kind": "distribution",
        "hint": "from the start, or the last expiry, to the expiry"
      }
    ]
  },
  "health": {
    "title": "Recording health",
    "columns": [
      {
        "key": "events",
        "label": "Events",
        "kind": "count"
      },
      {
        "key": "events_per_second",
        "label": "Events per second",
        "kind": "decimal"
      },
      {
        "key": "coverage.percent",
        "label": "Time with known context",
        "kind": "percent"
      },
      {
        "key": "coverage.first_ticks",
        "label": "Known from",
        "kind": "duration"
      },
      {
        "key": "coverage.last_ticks",
        "label": "Known to",
        "kind": "duration"
      },
      {
        "key": "overwritten",
        "label": "Older events overwritten",
        "kind": "flag"
      },
      {
        "key": "gaps",
        "label": "Gaps",
        "kind": "count"
      },
      {
        "key": "lost_events",
        "label": "Missing events",
        "kind": "count"
      },
      {
        "key": "clock.quality",
        "label": "Clock quality",
        "kind": "text"
      },
      {
        "key": "clock.direction",
        "label": "Clock direction",
        "kind": "text"
      },
      {
        "key": "clock.bits",
        "label": "Clock bits",
        "kind": "count"
      },
      {
        "key": "clock.wraps",
        "label": "Clock wraps",
        "kind": "count"
      },
      {
        "key": "clock.backward_steps",
        "label": "Backward steps",
        "kind": "count"
      },
      {
        "key": "registry.objects",
        "label": "Registered objects",
        "kind": "count"
      },
      {
        "key": "registry.deleted",
        "label": "Deleted objects",
        "kind": "count"
      },
      {
        "key": "registry.unnamed_threads",
        "label": "Unregistered threads",
        "kind": "count"
      },
      {
        "key": "registry.full",
        "label": "Registry full",
        "kind": "flag"
      },
      {
        "key": "unfinished_isrs",
        "label": "ISRs without an exit",
        "kind": "count"
      },
      {
        "key": "inferred_isrs",
        "label": "Inferred ISRs",
        "kind": "count"
      },
      {
        "key": "severities.error",
        "label": "Errors",
        "kind": "count"
      },
      {
        "key": "severities.warning",
        "label": "Warnings",
        "kind": "count"
      },
      {
        "key": "severities.info",
        "label": "Information",
        "kind": "count"
      }
    ]
  }
} as const satisfies Record<string, TableDescription>;
