//! Wake-up latency, response time, period and waits of threads.

use super::{Distribution, Hex, Samples, View};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Html, Text, Viewer};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::{ThreadState, ThreadStateInterval, WakeUp};
use rtoscope_trace::{Context, ContextId, EventIndex, ResourceId, Ticks, WaitReason, parallel};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Durations in ticks with a recorded start and end, each in the window in
/// which it ends.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Latency {
    /// Why the trace has no latencies of threads; `None` if it can have them.
    pub not_recorded: Option<&'static str>,
    /// The threads of the scope, in the order of the trace; none if latencies are not
    /// recorded. They belong to no
    /// core: with several cores, their time on all of them counts.
    pub threads: Vec<ThreadLatency>,
    /// The waits of all these threads: by object, then by wait reason if the
    /// object is not known. Without waits that do not block.
    pub blocking: Vec<WaitRow>,
    /// From a resumption by an interrupt on the cores of the scope until the
    /// thread runs.
    pub isr_to_thread: Option<Distribution>,
    /// The longest interval in which a core of the scope ran only interrupt
    /// service routines, each recorded from its entry to its exit.
    pub max_interrupt_burst: Option<InterruptBurst>,
}

impl TableRow for Latency {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "latency",
        title: "Interrupts",
        note: "",
        empty: "",
        rank: "",
        columns: &[
            column!(
                Duration,
                max_interrupt_burst?.duration,
                "Longest uninterrupted interrupt time"
            ),
            column!(Count, max_interrupt_burst?.core, "On core"),
            column!(Event, max_interrupt_burst?.first_event, "From event"),
            column!(Distribution, isr_to_thread, "Interrupt to thread"),
        ],
    };
}

/// A thread's durations.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThreadLatency {
    /// Its name, or its address if it has none.
    pub name: String,
    /// The address of its control block.
    pub address: Hex,
    /// Wake-up latency: from its activation, which is its resumption, until it
    /// runs.
    pub wake_up: Option<Distribution>,
    /// From its activation to its next suspension.
    pub response: Option<Distribution>,
    /// From one activation to the next.
    pub period: Option<Distribution>,
    /// The difference of consecutive periods.
    pub jitter: Option<Distribution>,
    /// Time in the ready state each time that it lost its core.
    pub preempted: Option<Distribution>,
    /// Its waits, by object or reason.
    pub waited: Vec<WaitRow>,
}

impl TableRow for ThreadLatency {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "latency.threads",
        title: ReportKind::Latency.title(),
        note: "",
        empty: "No thread was resumed and suspended",
        rank: "wake_up",
        columns: &[
            column!(Text, name, "Thread"),
            column!(Distribution, wake_up, "Wake-up latency").hint("from resumption to running"),
            column!(Distribution, response, "Response time")
                .hint("from resumption to the next suspension"),
            column!(Distribution, period, "Period").hint("from one resumption to the next"),
            column!(Distribution, jitter, "Jitter")
                .hint("difference between successive periods")
                .only(&[Text, Viewer]),
            column!(Distribution, preempted, "Preempted").hint("ready after a preemption"),
        ],
    };
}

/// The waits for one object or reason.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WaitRow {
    /// The reason: the class of the object, or `sleep`, `suspended`, `driver` …
    pub reason: &'static str,
    /// The name of the object, or its address if it has none; `None` if there
    /// is no object or the trace does not identify it.
    pub object: Option<String>,
    /// The address of the object.
    pub address: Option<Hex>,
    /// Whether the thread was blocked: false for sleep and suspension.
    pub blocking: bool,
    /// The durations.
    pub duration: Distribution,
}

impl TableRow for WaitRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "latency.blocking",
        title: "Blocking",
        note: "",
        empty: "No thread was blocked",
        rank: "duration",
        columns: &[
            column!(Text, object, "Blocked on", |row| match &row.object {
                Some(object) => Cell::name(object),
                None => Some(Cell::Note(row.reason.into())),
            }),
            column!(Text, reason, "Wait reason"),
            column!(Count, duration.count, "Waits").only(&[Html]),
            column!(Distribution, duration, "Duration").hint("of complete waits"),
            column!(Event, duration.event, "Longest ended at event").only(&[Html]),
        ],
    };
}

/// Consecutive interrupt service routines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InterruptBurst {
    /// The core that ran them.
    pub core: u8,
    /// The start of the first one.
    pub start: u64,
    /// Their total time, in ticks.
    pub duration: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<u64>,
    /// The entry of the first.
    pub first_event: u32,
    /// The exit of the last.
    pub event: u32,
}

/// An activation of a thread: it is resumed, runs, and is suspended again. A
/// duration is present if its start and end were recorded and it ends in the
/// window. In a trace that does not record readiness: it gets a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadActivation {
    /// The thread.
    pub thread: ContextId,
    /// The time of its resumption.
    pub start: Ticks,
    /// The event that resumed it.
    pub event: EventIndex,
    /// Whether an interrupt resumed it; `None` if readiness is not recorded.
    pub by_interrupt: Option<bool>,
    /// From its resumption until it runs.
    pub wake_up: Option<MeasuredDuration>,
    /// From its resumption to its next suspension.
    pub response: Option<MeasuredDuration>,
    /// From the previous activation.
    pub period: Option<MeasuredDuration>,
    /// The difference from the previous period.
    pub jitter: Option<MeasuredDuration>,
}

/// A duration, and the event at which it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredDuration {
    /// The duration.
    pub duration: Ticks,
    /// The event.
    pub event: EventIndex,
}

/// Builds the report for the scope.
pub fn latency(view: &View<'_>) -> Latency {
    let clock = &view.trace.clock;
    let not_recorded = not_recorded(view);
    let threads = view.threads().filter(|_| not_recorded.is_none());
    let found = parallel::map(threads.collect(), |context| thread_latency(view, context));
    let mut all_waits = BTreeMap::<usize, Samples>::new();
    let mut isr_to_thread = Samples::default();
    let mut threads = Vec::with_capacity(found.len());
    for (thread, waits, from_isrs) in found {
        threads.push(thread);
        isr_to_thread.append(from_isrs);
        for (slot, samples) in waits {
            all_waits.entry(slot).or_default().append(samples);
        }
    }
    let blocking = parallel::map(all_waits.into_iter().collect(), |(slot, mut samples)| {
        wait_row(view, slot, &mut samples)
    });
    Latency {
        not_recorded,
        threads,
        blocking: blocking
            .into_iter()
            .flatten()
            .filter(|row| row.blocking)
            .collect(),
        isr_to_thread: isr_to_thread.distribution(clock),
        max_interrupt_burst: max_interrupt_burst(view),
    }
}

/// The durations of a thread; its waits by slot, and the latencies after interrupts on the
/// cores of the scope.
fn thread_latency(
    view: &View<'_>,
    context: &Context,
) -> (ThreadLatency, BTreeMap<usize, Samples>, Samples) {
    let clock = &view.trace.clock;
    let thread = Some(context.id);
    let [
        mut wake_up,
        mut response,
        mut period,
        mut jitter,
        mut isr_to_thread,
    ] = std::array::from_fn(|_| Samples::default());
    for_each_activation(view, context.id, |it| {
        let after = |measured: MeasuredDuration| {
            [
                it.start,
                Ticks(it.start.0.saturating_add(measured.duration.0)),
            ]
        };
        if let Some(measured) = it.wake_up {
            wake_up.add_interval(after(measured), measured.event, thread);
            if it.by_interrupt == Some(true) && is_shown(view, it.event) {
                isr_to_thread.add_interval(after(measured), measured.event, thread);
            }
        }
        if let Some(measured) = it.response {
            response.add_interval(after(measured), measured.event, thread);
        }
        if let Some(measured) = it.period {
            let before = Ticks(it.start.0.saturating_sub(measured.duration.0));
            period.add_interval([before, it.start], measured.event, thread);
        }
        if let Some(measured) = it.jitter {
            jitter.add(measured.duration, measured.event);
        }
    });
    let mut waits = BTreeMap::new();
    let preempted = preempted(view, context.id, &mut waits);
    let waited = waits.iter_mut();
    let waited = waited.filter_map(|(slot, samples)| wait_row(view, *slot, samples));
    let latency = ThreadLatency {
        name: view.trace.context_name(context.id),
        address: Hex(context.address),
        wake_up: wake_up.distribution(clock),
        response: response.distribution(clock),
        period: period.distribution(clock),
        jitter: jitter.distribution(clock),
        preempted: preempted.distribution(clock),
        waited: waited.collect(),
    };
    (latency, waits, isr_to_thread)
}

/// Why the trace has no latencies of threads.
fn not_recorded(view: &View<'_>) -> Option<&'static str> {
    (!view.trace.switch_model.records_states()).then_some(
        "This log records when a thread runs, but neither when it becomes ready nor what it \
         waits for: wake-up latency, response time and waits are unknown. The report `periods` \
         has its periods and run lengths.",
    )
}

/// Time in the ready state each time that a thread lost its core. Adds its waits to
/// `waits`, by slot: one for each resource, then one for each reason.
fn preempted(view: &View<'_>, thread: ContextId, waits: &mut BTreeMap<usize, Samples>) -> Samples {
    let resources = view.schedule.resources.len();
    let mut preempted = Samples::default();
    let mut loses_core = false;
    for (before, now) in view.thread_states(thread).with_next(0) {
        let Some(now) = now else { break };
        let lost_core = std::mem::replace(
            &mut loses_core,
            before.state == ThreadState::Running && now.state == ThreadState::Ready,
        );
        let Some(measured) = recorded_duration(view, &before, &now) else {
            continue;
        };
        let interval = [before.start, now.start];
        match (before.state, now.state) {
            (
                ThreadState::Waiting {
                    wait_reason,
                    resource,
                },
                ThreadState::Ready | ThreadState::Waiting { .. },
            ) if !wait_reason.is_end() => {
                let resource = resource.map(ResourceId::index);
                let resource = resource.filter(|resource| *resource < resources);
                let slot = resource.unwrap_or(resources + wait_reason as usize);
                let of_slot = waits.entry(slot).or_default();
                of_slot.add_interval(interval, measured.event, Some(thread));
            }
            (ThreadState::Ready, _) if lost_core => {
                preempted.add_interval(interval, measured.event, Some(thread));
            }
            _ => {}
        }
    }
    preempted
}

/// Calls `found` with the activations of a thread of the whole trace, in order of time: one
/// outside the window can end inside it.
pub(super) fn for_each_activation(
    view: &View<'_>,
    thread: ContextId,
    mut found: impl FnMut(ThreadActivation),
) {
    let mut tracker = ActivationTracker::default();
    let mut intervals = view.thread_states(thread).with_next(0);
    let Some((mut before, _)) = intervals.next() else {
        return;
    };
    for (now, next) in intervals {
        match WakeUp::new(thread, [before, now], next) {
            Some(wake_up) => tracker
                .activate(view, &wake_up)
                .into_iter()
                .for_each(&mut found),
            None => tracker.enter(view, [before, now]),
        }
        before = now;
    }
    tracker.last.into_iter().for_each(found);
}

/// Tracks the activations of one thread over its state intervals.
#[derive(Debug, Default)]
struct ActivationTracker {
    /// The last activation; `None` if a later one may be missing.
    activation: Option<Ticks>,
    /// The period that ended with it.
    last_period: Option<u64>,
    /// The activation whose response is in progress.
    responds_to: Option<Ticks>,
    /// The last activation, which can still receive durations.
    last: Option<ThreadActivation>,
}

impl ActivationTracker {
    /// The thread leaves the state `before` and enters `now`, other than by a
    /// wake-up.
    fn enter(&mut self, view: &View<'_>, [before, now]: [ThreadStateInterval; 2]) {
        match (before.state, now.state) {
            (ThreadState::Waiting { .. }, ThreadState::Waiting { .. }) => {}
            // The time of its wake-up is not known.
            (ThreadState::Waiting { .. }, _) | (_, ThreadState::Unknown | ThreadState::Deleted) => {
                self.activation = None;
                self.last_period = None;
                self.responds_to = None;
            }
            (_, ThreadState::Waiting { .. }) => self.suspend(view, &now),
            _ => {}
        }
    }

    /// The thread is resumed. Returns the activation before.
    fn activate(&mut self, view: &View<'_>, wake_up: &WakeUp) -> Option<ThreadActivation> {
        let ready = wake_up.ready;
        let latency = wake_up.running();
        let latency = latency.and_then(|running| recorded_duration(view, &ready, &running));
        let (period, jitter) = self.period(view, &ready);
        self.last.replace(ThreadActivation {
            thread: wake_up.thread,
            start: ready.start,
            event: ready.event,
            by_interrupt: Some(ready.interrupt),
            wake_up: latency,
            response: None,
            period,
            jitter,
        })
    }

    /// The period that an activation ends, and its difference from the previous
    /// one.
    fn period(
        &mut self,
        view: &View<'_>,
        now: &ThreadStateInterval,
    ) -> (Option<MeasuredDuration>, Option<MeasuredDuration>) {
        self.responds_to = Some(now.start);
        let before = self.activation.replace(now.start);
        let Some(period) = before.and_then(|before| now.start.0.checked_sub(before.0)) else {
            self.last_period = None;
            return (None, None);
        };
        let last_period = self.last_period.replace(period);
        if !view.contains(now.start) {
            return (None, None);
        }
        let measured = |ticks| MeasuredDuration {
            duration: Ticks(ticks),
            event: now.event,
        };
        let jitter = last_period.map(|last| measured(period.abs_diff(last)));
        (Some(measured(period)), jitter)
    }

    fn suspend(&mut self, view: &View<'_>, now: &ThreadStateInterval) {
        if let Some(activation) = self.responds_to.take()
            && let Some(ticks) = now.start.0.checked_sub(activation.0)
            && now.start_known
            && view.contains(now.start)
            && let Some(activation) = &mut self.last
        {
            activation.response = Some(MeasuredDuration {
                duration: Ticks(ticks),
                event: now.event,
            });
        }
    }
}

/// The duration of an interval up to the next one, if both starts were recorded
/// and the next one starts in the window.
fn recorded_duration(
    view: &View<'_>,
    interval: &ThreadStateInterval,
    next: &ThreadStateInterval,
) -> Option<MeasuredDuration> {
    let is_recorded = interval.start_known && next.start_known && view.contains(next.start);
    // A core's last event can be older than another core's, so time can step
    // back between cores: such a duration is not measured.
    let ticks = next.start.0.checked_sub(interval.start.0);
    Some(MeasuredDuration {
        duration: Ticks(ticks.filter(|_| is_recorded)?),
        event: next.event.max(interval.event),
    })
}

/// Whether a core of the scope logged the event.
fn is_shown(view: &View<'_>, event: EventIndex) -> bool {
    let core = || view.trace.events.core(event);
    view.scope.core.is_none() || view.includes_core(core().unwrap_or_default())
}

/// The waits of a slot.
fn wait_row(view: &View<'_>, slot: usize, samples: &mut Samples) -> Option<WaitRow> {
    let duration = samples.summary(&view.trace.clock)?;
    let resources = &view.schedule.resources;
    if let Some(resource) = resources.get(slot) {
        let id = ResourceId(u32::try_from(slot).ok()?);
        return Some(WaitRow {
            reason: resource.class.name(),
            object: Some(view.resource_name(id)),
            address: Some(Hex(resource.address)),
            blocking: true,
            duration,
        });
    }
    let wait = WaitReason::ALL.get(slot - resources.len())?;
    Some(WaitRow {
        reason: wait.name(),
        object: None,
        address: None,
        blocking: !matches!(wait, WaitReason::Sleep | WaitReason::Suspended),
        duration,
    })
}

/// Only completely recorded ISRs, each starting where the previous one ended.
fn max_interrupt_burst(view: &View<'_>) -> Option<InterruptBurst> {
    let mut open: BTreeMap<u8, InterruptBurst> = BTreeMap::new();
    let mut longest: Option<InterruptBurst> = None;
    let mut close = |burst: InterruptBurst| {
        let is_longer = longest.is_none_or(|longest| longest.duration < burst.duration);
        if is_longer && view.contains(Ticks(burst.start + burst.duration)) {
            longest = Some(burst);
        }
    };
    let outermost = view.schedule.activations.iter();
    let outermost = outermost.filter(|one| one.depth <= 1 && view.includes_core(one.core));
    for activation in outermost {
        let core = activation.core;
        let before = open.remove(&core);
        let continues = |burst: &InterruptBurst| {
            activation.is_complete() && burst.start + burst.duration == activation.start.0
        };
        let (start, first) = match before {
            Some(burst) if continues(&burst) => (burst.start, burst.first_event),
            _ => {
                before.into_iter().for_each(&mut close);
                (activation.start.0, activation.first.0)
            }
        };
        if activation.is_complete() {
            let ticks = activation.end.0.saturating_sub(start);
            let burst = InterruptBurst {
                core,
                start,
                duration: ticks,
                duration_ns: view.nanoseconds(Ticks(ticks)),
                first_event: first,
                event: activation.last.0,
            };
            open.insert(core, burst);
        }
    }
    open.into_values().for_each(close);
    longest
}

#[cfg(test)]
mod tests;
