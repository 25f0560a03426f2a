//! The times of events on all cores.

use super::columns::{DecodeStats, LogColumns};
use super::log::SwitchLog;
use super::merge::{self, TimedLog};
use crate::clock::{self, ClockOptions, UnwrappedTimes};
use rtoscope_trace::clock::{Clock, ClockDirection};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Gap};
use rtoscope_wire::Word;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The events of all cores, ordered by time.
pub(super) struct MergedTimeline<W> {
    pub(super) columns: LogColumns<W>,
    pub(super) time: Vec<u64>,
    /// Empty if all events are on core 0.
    pub(super) core: Vec<u8>,
    pub(super) clock: Clock,
    pub(super) gaps: Vec<Gap>,
    pub(super) diagnostics: Vec<Diagnostic>,
    core_order: Option<CoreOrder>,
}

/// The core of each event, as an index into the log's cores.
struct CoreOrder {
    core_of_entry: Vec<u8>,
    /// The event numbers of each core, computed on first use.
    event_numbers: OnceCell<Vec<Vec<u32>>>,
}

impl CoreOrder {
    /// The number of a core's event in the merged trace.
    fn event(&self, place: usize, event: usize) -> Option<usize> {
        let numbers = self.event_numbers.get_or_init(|| {
            let cores = self
                .core_of_entry
                .iter()
                .max()
                .map_or(0, |last| usize::from(*last) + 1);
            let mut numbers = vec![Vec::new(); cores];
            for (pick, number) in self.core_of_entry.iter().zip(0..) {
                if let Some(numbers) = numbers.get_mut(usize::from(*pick)) {
                    numbers.push(number);
                }
            }
            numbers
        });
        numbers
            .get(place)?
            .get(event)
            .map(|number| *number as usize)
    }
}

/// Places the timestamps of all cores on one timeline.
pub(super) fn build_timeline<W: Word + Sync>(
    log: &SwitchLog<'_>,
    columns: Vec<LogColumns<W>>,
    stats: &[DecodeStats],
    options: &ClockOptions,
) -> MergedTimeline<W> {
    let (options, mismatch) = options.with_recorded(log.frequency);
    let mask = log.layout.counter_mask().into();
    let mut timeline = match <[LogColumns<W>; 1]>::try_from(columns) {
        Ok([columns]) => {
            let unwrapped = unwrap(&columns, stats.first(), mask, &options);
            let core = log.cores.first().map_or(0, |log| log.core);
            let core = match core {
                0 => Vec::new(),
                core => vec![core; columns.kind.len()],
            };
            let (time, clock) = match &log.merge_order {
                Some(order) => (
                    order.time.clone(),
                    order.corrected(&[unwrapped.time], unwrapped.clock),
                ),
                None => (unwrapped.time, unwrapped.clock),
            };
            MergedTimeline {
                columns,
                time,
                core,
                clock,
                gaps: Vec::new(),
                diagnostics: unwrapped.diagnostics,
                core_order: None,
            }
        }
        Err(columns) => merge_cores(log, columns, stats, mask, options),
    };
    timeline.diagnostics.extend(mismatch);
    timeline.add_gaps(log, stats);
    timeline
}

impl<W> MergedTimeline<W> {
    /// The merged number of an event of the core at index `place`.
    pub(super) fn event(&self, place: usize, event: usize) -> Option<EventIndex> {
        let number = match &self.core_order {
            Some(picks) => picks.event(place, event)?,
            None => event,
        };
        let number = Some(number).filter(|number| *number < self.time.len());
        number
            .and_then(|number| u32::try_from(number).ok())
            .map(EventIndex)
    }

    /// Without a common order, nothing is known before a core's first event.
    fn add_gaps(&mut self, log: &SwitchLog<'_>, stats: &[DecodeStats]) {
        let mut gaps = self.restart_gaps(stats);
        for (place, (core, stats)) in log.cores.iter().zip(stats).enumerate() {
            // A single core is the whole trace.
            let core = self.core_order.as_ref().map(|_| core.core);
            for (event, missing) in &stats.gaps {
                let before = self.event(place, *event);
                let before = before.filter(|number| match log.merge_order {
                    Some(_) => number.0 > 0,
                    None => *event > 0,
                });
                gaps.extend(before.map(|before| Gap {
                    next_event: before,
                    missing: *missing,
                    core,
                    is_restart: false,
                }));
            }
        }
        gaps.sort_by_key(|gap| gap.next_event);
        for gap in &gaps {
            let message = match gap.missing {
                _ if gap.is_restart => {
                    let message = format!(
                        "the target restarted before event {}: the time that passed there is \
                         unknown",
                        gap.next_event
                    );
                    let diagnostic = Diagnostic::new(DiagnosticKind::Restart, message);
                    self.diagnostics.push(diagnostic.at_event(gap.next_event));
                    continue;
                }
                Some(missing) => format!(
                    "{} missing before event {}: not in the input",
                    pluralise(missing, "entry", "entries"),
                    gap.next_event
                ),
                None => format!(
                    "entries may be missing before event {}: their number is unknown",
                    gap.next_event
                ),
            };
            let diagnostic = Diagnostic::new(DiagnosticKind::Gap, message);
            let times = gap.missing.unwrap_or(1);
            self.diagnostics
                .push(diagnostic.at_event(gap.next_event).with_count(times));
        }
        self.gaps = gaps;
    }

    /// A restart is one of all cores.
    fn restart_gaps(&self, stats: &[DecodeStats]) -> Vec<Gap> {
        let mut first: BTreeMap<usize, EventIndex> = BTreeMap::new();
        for (place, stats) in stats.iter().enumerate() {
            for (event, restart) in &stats.restarts {
                if let Some(event) = self.event(place, *event) {
                    let known = first.entry(*restart).or_insert(event);
                    *known = event.min(*known);
                }
            }
        }
        let gap = |next_event| Gap {
            next_event,
            missing: None,
            core: None,
            is_restart: true,
        };
        first.into_values().map(gap).collect()
    }
}

/// The times of a core's events. The counter of a target that restarts does, too.
fn unwrap<W: Word + Sync>(
    columns: &LogColumns<W>,
    stats: Option<&DecodeStats>,
    mask: u64,
    options: &ClockOptions,
) -> UnwrappedTimes {
    let unwrap = |stamps: &[W]| clock::unwrap_words(stamps, 8 * W::BYTES as u32, mask, options);
    let mut rest = columns.timestamp.as_slice();
    let mut parts = Vec::new();
    let restarts = stats.iter().flat_map(|stats| &stats.restarts);
    for (event, _) in restarts.rev() {
        let (before, part) = rest.split_at((*event).min(rest.len()));
        parts.push(part);
        rest = before;
    }
    let mut all = unwrap(rest);
    for part in parts.into_iter().rev() {
        all.append(unwrap(part));
    }
    all
}

/// All cores count with the same counter; the core with the most entries
/// decides its direction.
fn merge_cores<W: Word + Sync>(
    log: &SwitchLog<'_>,
    columns: Vec<LogColumns<W>>,
    stats: &[DecodeStats],
    mask: u64,
    mut options: ClockOptions,
) -> MergedTimeline<W> {
    let mut diagnostics = Vec::new();
    let mut clocks: Vec<Clock> = Vec::new();
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|place| Reverse(columns.get(*place).map_or(0, |core| core.kind.len())));
    let mut times = vec![Vec::new(); columns.len()];
    for place in order {
        let (Some(columns), Some(log)) = (columns.get(place), log.cores.get(place)) else {
            continue;
        };
        let unwrapped = unwrap(columns, stats.get(place), mask, &options);
        options.direction = options.direction.or(Some(unwrapped.clock.direction));
        for mut diagnostic in unwrapped.diagnostics {
            diagnostic.message = format!("core {}: {}", log.core, diagnostic.message);
            // Its event number is relative to the core.
            diagnostic.event = None;
            diagnostics.push(diagnostic);
        }
        clocks.push(unwrapped.clock);
        if let Some(time) = times.get_mut(place) {
            *time = unwrapped.time;
        }
    }
    let mut clock = common_clock(&clocks, &options, mask);
    if let Some(order) = &log.merge_order {
        clock = order.corrected(&times, clock);
    }
    let cores = log.cores.iter().zip(columns).zip(times);
    let cores: Vec<_> = cores
        .map(|((log, columns), time)| TimedLog {
            core: log.core,
            is_wrapped: log.overwritten.is_certain(),
            columns,
            time,
        })
        .collect();
    let known = log.merge_order.clone();
    let order = known.unwrap_or_else(|| merge::merge(&cores, &clock));
    for (one, other) in order.disjoint_cores {
        let message = format!(
            "the counters of cores {one} and {other} are inconsistent: their logs do not \
             overlap; either they do not count with the same clock, or their logs were not \
             started and stopped together, so their times are not comparable"
        );
        diagnostics.push(Diagnostic::new(DiagnosticKind::ContradictingCores, message));
    }
    let number = |place: &u8| cores.get(usize::from(*place)).map_or(0, |core| core.core);
    MergedTimeline {
        columns: merge::merge_columns(&cores, &order.core_of_entry),
        time: order.time,
        core: order.core_of_entry.iter().map(number).collect(),
        clock,
        gaps: Vec::new(),
        diagnostics,
        core_order: Some(CoreOrder {
            core_of_entry: order.core_of_entry,
            event_numbers: OnceCell::new(),
        }),
    }
}

/// The common clock of several cores. The first has the most entries.
fn common_clock(clocks: &[Clock], options: &ClockOptions, mask: u64) -> Clock {
    let unknown = Clock::new(mask, ClockDirection::Up).with_frequency(options.frequency);
    let mut common = clocks.first().copied().unwrap_or(unknown);
    common.wraps = clocks.iter().map(|clock| clock.wraps).sum();
    common.backward_steps = clocks.iter().map(|clock| clock.backward_steps).sum();
    common
}
