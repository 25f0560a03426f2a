//! Declared hardware: busy and down time, and slots.

use super::{Distribution, Samples, View};
use crate::hardware::{HardwareUnit, Slot};
use crate::markers::{MarkerSpan, PlannedSpan, SpanEnding};
use crate::report::ReportKind;
use crate::report::table::{ReportTable, TableRow, column};
use crate::schedule::RunningContext;
use rtoscope_trace::{EventIndex, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

/// Declared hardware and slots.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HardwareReport {
    /// The hardware, in the order of their declarations.
    pub units: Vec<HardwareRow>,
    /// The slots, in the order of their declarations.
    pub slots: Vec<SlotRow>,
}

/// A piece of hardware: busy from a kick to the signal of its end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HardwareRow {
    /// Its name.
    pub name: String,
    /// Kicks in the scope that found it idle.
    pub kicks: u64,
    /// Known busy time in the scope, in ticks.
    pub busy_time: u64,
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

impl TableRow for HardwareRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "hardware.units",
        title: ReportKind::Hardware.title(),
        note: "",
        empty: "No hardware is declared",
        rank: "busy_time",
        columns: &[
            column!(Text, name, "Hardware"),
            column!(Count, kicks, "Kicks"),
            column!(Duration, busy_time, "Total busy time").total(),
            column!(Percent, busy_percent, "Busy"),
            column!(Percent, cpu_worked_percent, "CPU worked")
                .hint("Share of the busy time in which the CPU worked"),
            column!(Percent, cpu_idle_percent, "CPU idle")
                .hint("Share of the busy time in which the CPU was idle"),
            column!(Count, end_unknown, "End unknown"),
            column!(Count, kicks_while_busy, "Kicks while busy"),
            column!(Count, ends_while_idle, "Ends while idle"),
            column!(Distribution, busy, "Busy time").hint("From kick to end"),
            column!(Distribution, down, "Down time").hint("From an end to the next kick"),
        ],
    };
}

/// How hardware or a marker keeps to its slot.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
    pub max_early: u64,
    /// The longest time after the end of the slot, in ticks.
    pub max_late: u64,
    /// The event at which the first of them begins.
    pub event: Option<u32>,
    /// Spans before the first cycle.
    pub unplanned: u64,
}

impl TableRow for SlotRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "hardware.slots",
        title: "Slots",
        note: "",
        empty: "No slots are declared",
        rank: "outside",
        columns: &[
            column!(Text, schedule, "Schedule"),
            column!(Text, subject, "Subject"),
            column!(Count, spans, "Spans"),
            column!(Count, outside, "Outside"),
            column!(Duration, max_early, "Earliest")
                .hint("Longest time before the start of the slot"),
            column!(Duration, max_late, "Latest").hint("Longest time after the end of the slot"),
            column!(Event, event, "First event"),
            column!(Count, unplanned, "Unplanned").hint("Before the first cycle"),
        ],
    };
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

/// A busy time of hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusySpan {
    /// From the kick to the end, or to the last time at which it is known to be busy.
    pub span: MarkerSpan,
    /// The down time before it: from the previous end to its kick, if both are in the
    /// scope's time and no events are missing in between.
    pub down: Option<Ticks>,
    /// Time of all cores in it, within the scope, in which they worked.
    pub cpu_worked: Ticks,
    /// Time of all cores in it, within the scope, in which they were idle.
    pub cpu_idle: Ticks,
}

/// The busy times of declared hardware that overlap the scope's time, in order of time.
/// They do not overlap each other.
pub fn busy_spans(view: &View<'_>, unit: &HardwareUnit) -> Vec<BusySpan> {
    let spans = view.markers.spans.iter();
    let mut previous: Option<&MarkerSpan> = None;
    let busy = spans.filter(|span| span.marker == unit.marker).map(|span| {
        let before = previous.replace(span);
        let down = before.zip(span.begin).and_then(|(before, kick)| {
            let is_known = before.ending == SpanEnding::Ended
                && view.contains(span.start)
                && view.contains(before.until)
                && !has_gap(view, before.end, kick);
            is_known.then(|| Ticks(span.start.0.saturating_sub(before.until.0)))
        });
        BusySpan {
            span: *span,
            down,
            cpu_worked: Ticks(0),
            cpu_idle: Ticks(0),
        }
    });
    let mut busy: Vec<_> = busy.collect();
    busy.retain(|it| {
        let ends = view.contains(it.span.start) || view.contains(it.span.until);
        ends || view.clip(it.span.start, it.span.until).0 > 0
    });
    add_cpu_times(view, &mut busy);
    busy
}

/// Adds the time of all cores within busy times in which they worked, and in which they
/// were idle.
fn add_cpu_times(view: &View<'_>, busy: &mut [BusySpan]) {
    let (mut core, mut at) = (None, 0);
    for (number, slice, part) in view.slices() {
        if core.replace(number) != Some(number) {
            at = 0;
        }
        while let Some(it) = busy.get_mut(at) {
            let (start, until) = (it.span.start.0, it.span.until.0);
            if start >= part.end {
                break;
            }
            let inside = until.min(part.end).saturating_sub(start.max(part.start));
            match slice.running.running_context() {
                RunningContext::Idle => it.cpu_idle.0 += inside,
                RunningContext::Unknown => {}
                _ => it.cpu_worked.0 += inside,
            }
            // It may continue in the next slice.
            if until > part.end {
                break;
            }
            at += 1;
        }
    }
}

fn unit_row(view: &View<'_>, unit: &HardwareUnit) -> HardwareRow {
    let mut kicks = 0;
    let mut end_unknown = 0;
    let [mut busy_time, mut worked, mut idle] = [0; 3];
    let (mut busy, mut down) = (Samples::default(), Samples::default());
    for found in busy_spans(view, unit) {
        let span = &found.span;
        if view.contains(span.start) {
            kicks += 1;
            end_unknown += u64::from(span.ending != SpanEnding::Ended);
        }
        if let (Some(ticks), Some(kick)) = (found.down, span.begin) {
            down.add(ticks, kick);
        }
        busy_time += view.clip(span.start, span.until).0;
        worked += found.cpu_worked.0;
        idle += found.cpu_idle.0;
        if let (Some(_), Some(end)) = (span.duration(), span.end)
            && view.contains(span.until)
        {
            busy.add_interval([span.start, span.until], end, None);
        }
    }
    let whole = (busy_time as f64) * view.cores() as f64;
    let clock = &view.trace.clock;
    let share = |ticks| super::share_of_time(clock, Ticks(ticks), whole);
    HardwareRow {
        name: view.markers.name(unit.marker).to_owned(),
        kicks,
        busy_time,
        busy_percent: view.percent(Ticks(busy_time)),
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

/// A span of hardware or of a marker, and the window of its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotSpan {
    /// The span.
    pub span: MarkerSpan,
    /// The window that it overlaps most; `None` before the first cycle.
    pub window: Option<PlannedSpan>,
}

impl SlotSpan {
    /// By how much it starts before the window.
    pub fn early(&self) -> Option<Ticks> {
        let window = self.window?;
        Some(Ticks(window.start.0.saturating_sub(self.span.start.0)))
    }

    /// By how much it ends after the window.
    pub fn late(&self) -> Option<Ticks> {
        let window = self.window?;
        Some(Ticks(self.span.until.0.saturating_sub(window.end.0)))
    }

    /// By how much it is outside of the window.
    fn outside(&self) -> Option<u64> {
        Some(self.early()?.0 + self.late()?.0)
    }
}

/// The complete spans of a slot's hardware or marker that begin in the scope's time.
pub fn slot_spans(view: &View<'_>, slot: &Slot) -> Vec<SlotSpan> {
    let markers = view.markers;
    let planned = markers.planned.iter();
    let windows: Vec<_> = planned.filter(|it| it.marker == slot.plan).collect();
    let complete = |span: &&MarkerSpan| {
        span.marker == slot.subject && span.duration().is_some() && view.contains(span.start)
    };
    let spans = markers.spans.iter().filter(complete);
    let spans = spans.map(|span| {
        // The window that the span overlaps most is the last that begins before the span
        // ends, or the one before it.
        let next = windows.partition_point(|window| window.start < span.until);
        let candidates = [next.checked_sub(1), next.checked_sub(2)];
        let found = candidates.into_iter().flatten().filter_map(|index| {
            let window = windows.get(index).map(|window| **window);
            window.is_some().then_some(SlotSpan {
                span: *span,
                window,
            })
        });
        let unplanned = SlotSpan {
            span: *span,
            window: None,
        };
        found.min_by_key(SlotSpan::outside).unwrap_or(unplanned)
    });
    spans.collect()
}

fn slot_row(view: &View<'_>, slot: &Slot) -> SlotRow {
    let mut row = SlotRow {
        schedule: slot.schedule.clone(),
        subject: view.markers.name(slot.subject).to_owned(),
        spans: 0,
        outside: 0,
        max_early: 0,
        max_late: 0,
        event: None,
        unplanned: 0,
    };
    for found in slot_spans(view, slot) {
        row.spans += 1;
        let (Some(early), Some(late)) = (found.early(), found.late()) else {
            row.unplanned += 1;
            continue;
        };
        if early.0 + late.0 > 0 {
            row.outside += 1;
            row.max_early = row.max_early.max(early.0);
            row.max_late = row.max_late.max(late.0);
            row.event.get_or_insert(found.span.first_event().0);
        }
    }
    row
}
