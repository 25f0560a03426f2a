//! Stamps made into times, run by run: a target that starts again starts its
//! clock again.

use super::columns::Columns;
use super::stream::Run;
use crate::clock::{self, ClockOptions};
use rtoscope_trace::clock::{Clock, Direction, Quality};
use rtoscope_trace::event::Words;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Frequency};
use rtoscope_wire::rkh::Width;

/// What came of a stream's stamps.
pub(super) struct Timing {
    pub(super) time: Vec<u64>,
    pub(super) clock: Clock,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Makes stamps into times, and takes down in each run where its clock stood.
/// `bare` are the records that have no stamp whatever the configuration says.
pub(super) fn unwrap(
    columns: &Columns,
    runs: &mut [Run],
    bare: &[EventIndex],
    frequency: Option<Frequency>,
) -> Timing {
    if runs.iter().all(|run| run.configuration.stamp.is_none()) {
        return event_numbers(columns.len());
    }
    let mut timing = Timing {
        time: Vec::with_capacity(columns.len()),
        clock: clock(Width::One, frequency),
        diagnostics: Vec::new(),
    };
    let mut qualities = Vec::new();
    for part in parts(runs, columns.len()) {
        // Records without a stamp stand at the time of the one before.
        let now = timing.time.last().copied().unwrap_or_default();
        let first = first_stamped(part.first, bare);
        let stamps = columns.stamps.get(first..part.end).unwrap_or_default();
        let Some(width) = part.width.filter(|_| !stamps.is_empty()) else {
            timing.time.resize(part.end, now);
            continue;
        };
        timing.time.resize(first, now);
        let options = ClockOptions {
            direction: Some(Direction::Up),
            frequency,
            ..ClockOptions::default()
        };
        let stamps = Words::Narrow(stamps.to_vec());
        let unwrapped = clock::unwrap(&stamps, width.max().into(), &options);
        let times = unwrapped.time.iter().map(|time| now.saturating_add(*time));
        timing.time.extend(times);
        qualities.push(unwrapped.clock.quality);
        timing.clock = Clock {
            wraps: timing.clock.wraps + unwrapped.clock.wraps,
            backward_steps: timing.clock.backward_steps + unwrapped.clock.backward_steps,
            // The widest of them.
            ..if unwrapped.clock.mask > timing.clock.mask {
                unwrapped.clock
            } else {
                timing.clock
            }
        };
        let moved = unwrapped.diagnostics.into_iter().map(|mut diagnostic| {
            let event = diagnostic.event.as_mut();
            event
                .into_iter()
                .for_each(|event| event.0 = event.0.saturating_add(first as u32));
            diagnostic
        });
        timing.diagnostics.extend(moved);
    }
    timing.clock.quality = quality(&qualities);
    for run in runs {
        let first = first_stamped(run.first.index(), bare);
        let stamp = columns.stamps.get(first).copied();
        let time = timing.time.get(first).copied();
        run.stamped = run.configuration.stamp.and(stamp.zip(time));
    }
    timing
}

/// Runs through which one clock counts.
struct Part {
    first: usize,
    end: usize,
    width: Option<Width>,
}

fn parts(runs: &[Run], events: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for run in runs {
        let width = run.configuration.stamp;
        let first = run.first.index();
        match parts.last_mut() {
            Some(last) if !run.restart && last.width == width => {}
            last => {
                last.into_iter().for_each(|last| last.end = first);
                parts.push(Part {
                    first,
                    end: events,
                    width,
                });
            }
        }
    }
    parts
}

/// The first record from there on that has a stamp.
fn first_stamped(first: usize, bare: &[EventIndex]) -> usize {
    let from = bare.partition_point(|event| event.index() < first);
    let without = bare.iter().skip(from).zip(first..);
    let without = without.take_while(|(event, number)| event.index() == *number);
    first + without.count()
}

/// The best of them: what one part does not show, another may.
fn quality(parts: &[Quality]) -> Quality {
    let order = [
        Quality::Good,
        Quality::EventCounter,
        Quality::Static,
        Quality::Unknown,
    ];
    let best = order.into_iter().find(|quality| parts.contains(quality));
    best.unwrap_or(Quality::Unknown)
}

fn clock(width: Width, frequency: Option<Frequency>) -> Clock {
    Clock {
        mask: width.max().into(),
        period: Some(u64::from(width.max()) + 1),
        direction: Direction::Up,
        quality: Quality::Unknown,
        frequency,
        wraps: 0,
        backward_steps: 0,
    }
}

/// Without stamps only the order of events is known.
fn event_numbers(events: usize) -> Timing {
    let message = "records have no time stamp: times are event numbers";
    Timing {
        time: (0..events as u64).collect(),
        clock: Clock {
            quality: Quality::EventCounter,
            // A frequency would be one of stamps.
            ..clock(Width::Four, None)
        },
        diagnostics: vec![Diagnostic::new(DiagnosticKind::EventCounterClock, message)],
    }
}
