//! Declared hardware: busy and down time, and slots.

use super::{Distribution, Samples, View};
use crate::hardware::{HardwareUnit, Slot};
use crate::markers::{MarkerSpan, SpanEnding};
use crate::schedule::RunningContext;
use rtoscope_trace::{EventIndex, Ticks};
use serde::Serialize;

/// Declared hardware and slots.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HardwareReport {
    /// The hardware, in the order of the timing file.
    pub units: Vec<HardwareRow>,
    /// The slots, in the order of the timing file.
    pub slots: Vec<SlotRow>,
}

/// A piece of hardware: busy from a kick to the signal of its end.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HardwareRow {
    /// Its name.
    pub name: String,
    /// Kicks in the scope that found it idle.
    pub kicks: u64,
    /// Known busy time in the scope, in ticks.
    pub busy_ticks: u64,
    /// The same as a share of the scope's time, in percent.
    pub busy_percent: Option<f64>,
    /// Busy times that end in the scope.
    pub busy: Option<Distribution>,
    /// Down times: from an end to the next kick, in the scope.
    pub down: Option<Distribution>,
    /// Share of the busy time, over all cores, in which the CPU worked, in percent.
    pub cpu_worked_percent: Option<f64>,
    /// Share of the busy time, over all cores, in which the CPU was idle, in percent.
    pub cpu_idle_percent: Option<f64>,
    /// Busy times whose end is not recorded.
    pub end_unknown: u64,
    /// Kicks while it was busy, in the whole trace.
    pub kicks_while_busy: u64,
    /// Ends while it was idle, in the whole trace.
    pub ends_while_idle: u64,
}

/// How hardware or a marker keeps to its slot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SlotRow {
    /// The schedule.
    pub schedule: String,
    /// The hardware or marker.
    pub subject: String,
    /// Complete spans of it that begin in the scope.
    pub spans: u64,
    /// Those outside of the slot, in part or wholly.
    pub outside: u64,
    /// The longest time before the start of the slot, in ticks.
    pub max_early_ticks: u64,
    /// The longest time after the end of the slot, in ticks.
    pub max_late_ticks: u64,
    /// The event at which the first of them begins.
    pub event: Option<u32>,
    /// Spans before the first cycle.
    pub unplanned: u64,
}

/// The declared hardware and slots.
pub fn hardware(view: &View<'_>) -> HardwareReport {
    HardwareReport {
        units: view
            .hardware
            .units
            .iter()
            .map(|unit| unit_row(view, unit))
            .collect(),
        slots: view
            .hardware
            .slots
            .iter()
            .map(|slot| slot_row(view, slot))
            .collect(),
    }
}

fn unit_row(view: &View<'_>, unit: &HardwareUnit) -> HardwareRow {
    let markers = view.markers;
    let spans = || {
        markers
            .spans
            .iter()
            .filter(|span| span.marker == unit.marker)
    };
    let mut kicks = 0;
    let mut end_unknown = 0;
    let mut busy_ticks = 0;
    let (mut busy, mut down) = (Samples::default(), Samples::default());
    let mut previous: Option<&MarkerSpan> = None;
    for span in spans() {
        if view.contains(span.start) {
            kicks += 1;
            end_unknown += u64::from(span.ending != SpanEnding::Ended);
            if let (Some(previous), Some(kick)) = (previous, span.begin)
                && previous.ending == SpanEnding::Ended
                && view.contains(previous.until)
                && !has_gap(view, previous.end, kick)
            {
                down.add(Ticks(span.start.0.saturating_sub(previous.until.0)), kick);
            }
        }
        busy_ticks += view.clip(span.start, span.until).0;
        if let (Some(duration), Some(end)) = (span.duration(), span.end)
            && view.contains(span.until)
        {
            busy.add(duration, end);
        }
        previous = Some(span);
    }
    let [worked, idle] = cpu_while_busy(view, spans);
    let whole = (busy_ticks as f64) * view.cores() as f64;
    let clock = &view.trace.clock;
    let share = |ticks| super::share_of_time(clock, Ticks(ticks), whole);
    HardwareRow {
        name: markers.name(unit.marker).to_owned(),
        kicks,
        busy_ticks,
        busy_percent: view.percent(Ticks(busy_ticks)),
        busy: busy.distribution(clock),
        down: down.distribution(clock),
        cpu_worked_percent: share(worked),
        cpu_idle_percent: share(idle),
        end_unknown,
        kicks_while_busy: unit.kicks_while_busy,
        ends_while_idle: unit.ends_while_idle,
    }
}

/// Whether events are missing between two.
fn has_gap(view: &View<'_>, from: Option<EventIndex>, to: EventIndex) -> bool {
    let gaps = &view.trace.gaps;
    let first = gaps.partition_point(|gap| from.is_some_and(|from| gap.next_event <= from));
    gaps.get(first).is_some_and(|gap| gap.next_event <= to)
}

/// The time of all cores within spans in which they worked, and in which they were idle.
/// Spans do not overlap.
fn cpu_while_busy<'s, S: Iterator<Item = &'s MarkerSpan>>(
    view: &View<'_>,
    spans: impl Fn() -> S,
) -> [u64; 2] {
    let [mut worked, mut idle] = [0_u64; 2];
    let mut core = None;
    let mut rest = spans().peekable();
    for (number, slice, part) in view.slices() {
        if core.replace(number) != Some(number) {
            rest = spans().peekable();
        }
        while rest.next_if(|span| span.until.0 <= part.start).is_some() {}
        let mut inside = 0;
        // The last span may continue in the next slice.
        while let Some(span) = rest.peek().filter(|span| span.start.0 < part.end) {
            let end = span.until.0.min(part.end);
            inside += end.saturating_sub(span.start.0.max(part.start));
            if span.until.0 > part.end {
                break;
            }
            rest.next();
        }
        match slice.running.running_context() {
            RunningContext::Idle => idle += inside,
            RunningContext::Unknown => {}
            _ => worked += inside,
        }
    }
    [worked, idle]
}

fn slot_row(view: &View<'_>, slot: &Slot) -> SlotRow {
    let markers = view.markers;
    let windows: Vec<_> = markers
        .planned
        .iter()
        .filter(|window| window.marker == slot.plan)
        .collect();
    let mut row = SlotRow {
        schedule: slot.schedule.clone(),
        subject: markers.name(slot.subject).to_owned(),
        spans: 0,
        outside: 0,
        max_early_ticks: 0,
        max_late_ticks: 0,
        event: None,
        unplanned: 0,
    };
    let complete = |span: &&MarkerSpan| {
        span.marker == slot.subject && span.duration().is_some() && view.contains(span.start)
    };
    for span in markers.spans.iter().filter(complete) {
        row.spans += 1;
        // The window that the span overlaps most is the last that begins before the span
        // ends, or the one before it.
        let next = windows.partition_point(|window| window.start < span.until);
        let late = |index: usize| {
            let window = windows.get(index)?;
            let early = window.start.0.saturating_sub(span.start.0);
            Some((early, span.until.0.saturating_sub(window.end.0)))
        };
        let candidates = [next.checked_sub(1), next.checked_sub(2)];
        let found = candidates.into_iter().flatten().filter_map(late);
        let Some((early, late)) = found.min_by_key(|(early, late)| early + late) else {
            row.unplanned += 1;
            continue;
        };
        if early + late > 0 {
            row.outside += 1;
            row.max_early_ticks = row.max_early_ticks.max(early);
            row.max_late_ticks = row.max_late_ticks.max(late);
            row.event.get_or_insert(span.first_event().0);
        }
    }
    row
}
