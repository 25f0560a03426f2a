//! Unwraps timestamps run by run, because a target that restarts also restarts
//! its clock.

use super::record_page::RecordPage;
use crate::clock::{self, ClockOptions, UnwrappedTimes};
use rtoscope_trace::clock::{Clock, ClockDirection, ClockQuality};
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Frequency, NoTime};
use rtoscope_wire::rkh::FieldWidth;
use std::ops::Range;

/// Unwraps the timestamps of a page's records into times since the first of
/// them. `before` is the clock state before them.
pub(super) fn unwrap(
    page: &RecordPage,
    frequency: Option<Frequency>,
    before: &ClockState,
) -> UnwrappedTimes {
    let count = page.len();
    if page
        .runs
        .iter()
        .all(|run| run.configuration.timestamp.is_none())
    {
        return event_numbers(count);
    }
    let mut timing = UnwrappedTimes {
        time: Vec::with_capacity(count),
        clock: clock(FieldWidth::One, frequency),
        diagnostics: Vec::new(),
    };
    for part in clock_segments(page) {
        // Records without a timestamp have the time of the previous one.
        let now = timing.time.last().copied().unwrap_or_default();
        let goes_on = part.continues && before.width == part.width;
        let first = match goes_on {
            true => part.first,
            false => first_stamped(part.first, &page.headerless),
        };
        let timestamps = page
            .columns
            .timestamps
            .get(first..part.end)
            .unwrap_or_default();
        let Some(width) = part.width.filter(|_| !timestamps.is_empty()) else {
            timing.time.resize(part.end, now);
            continue;
        };
        timing.time.resize(first, now);
        let lead = if goes_on { before.lead() } else { &[] };
        let unwrapped = unwrap_after(lead, timestamps, width, frequency);
        timing.append(unwrapped);
    }
    timing
}

/// Times of timestamps since the first, where those of `lead` precede.
fn unwrap_after(
    lead: &[u32],
    timestamps: &[u32],
    width: FieldWidth,
    frequency: Option<Frequency>,
) -> UnwrappedTimes {
    let options = ClockOptions {
        direction: Some(ClockDirection::Up),
        frequency,
        ..ClockOptions::default()
    };
    let unwrap = |timestamps: &[u32]| {
        clock::unwrap_words(timestamps, u32::BITS, width.max().into(), &options)
    };
    let Some(first) = timestamps.first().filter(|_| !lead.is_empty()) else {
        return unwrap(timestamps);
    };
    let before = unwrap(&[lead, &[*first]].concat());
    if before.clock.backward_steps == 0 {
        return unwrap(timestamps);
    }
    let mut all = unwrap(&[lead, timestamps].concat());
    let start = before.time.last().copied().unwrap_or_default();
    all.time.drain(..lead.len());
    all.time.iter_mut().for_each(|time| *time -= start);
    all.clock.wraps -= before.clock.wraps;
    all.clock.backward_steps -= before.clock.backward_steps;
    // These belong to other events.
    all.diagnostics.clear();
    all
}

/// The clock state between two records.
#[derive(Debug, Clone, Default)]
pub(super) struct ClockState {
    /// The width of the previous timestamps; `None` if there is none.
    width: Option<FieldWidth>,
    /// The last timestamp.
    last: Option<u32>,
    /// After a backward step from which the clock has not recovered: the
    /// timestamps since it last advanced.
    lead: Vec<u32>,
}

/// Maximum number of timestamps to track after a backward step.
const MAX_LEAD: usize = 1024;

impl ClockState {
    /// The last timestamps, from one on at which the clock had not stepped
    /// back.
    fn lead(&self) -> &[u32] {
        match self.lead.as_slice() {
            [] => self.last.as_slice(),
            lead => lead,
        }
    }

    /// Advances over a range of a page.
    pub(super) fn advance(&mut self, page: &RecordPage, range: Range<usize>) {
        let within = |part: &ClockSegment| part.first < range.end;
        let Some(part) = clock_segments(page).into_iter().rfind(within) else {
            return;
        };
        let begins = part.first >= range.start && !part.continues || part.width != self.width;
        let first = match begins {
            true => first_stamped(part.first, &page.headerless),
            false => range.start,
        };
        if begins {
            *self = Self {
                width: part.width,
                ..Self::default()
            };
        }
        let timestamps = page.columns.timestamps.get(first..range.end);
        if let (Some(timestamps @ [.., last]), Some(width)) = (timestamps, part.width) {
            self.push_timestamps(timestamps, width);
            self.last = Some(*last);
        }
    }

    fn push_timestamps(&mut self, timestamps: &[u32], width: FieldWidth) {
        let mut lead = [self.lead(), timestamps].concat();
        self.lead.clear();
        let unwrapped = unwrap_after(&[], &lead, width, None);
        if unwrapped.clock.backward_steps == 0 {
            return;
        }
        // When time advances, the clock has caught up.
        let rises = unwrapped
            .time
            .windows(2)
            .rposition(|pair| matches!(pair, [one, next] if one < next));
        lead.drain(..rises.map_or(0, |rises| rises + 1));
        if (2..=MAX_LEAD).contains(&lead.len()) {
            self.lead = lead;
        }
    }
}

/// Runs with one continuous clock.
struct ClockSegment {
    first: usize,
    end: usize,
    width: Option<FieldWidth>,
    /// Whether it may have begun before.
    continues: bool,
}

fn clock_segments(page: &RecordPage) -> Vec<ClockSegment> {
    let mut parts: Vec<ClockSegment> = Vec::new();
    for run in &page.runs {
        let width = run.configuration.timestamp;
        let first = run.first.index();
        match parts.last_mut() {
            Some(last) if !run.restart && last.width == width => {}
            last => {
                last.into_iter().for_each(|last| last.end = first);
                parts.push(ClockSegment {
                    first,
                    end: page.len(),
                    width,
                    continues: first == 0 && !run.restart,
                });
            }
        }
    }
    parts
}

/// The first record from `first` on with a timestamp.
fn first_stamped(first: usize, bare: &[EventIndex]) -> usize {
    let from = bare.partition_point(|event| event.index() < first);
    let without = bare.iter().skip(from).zip(first..);
    let without = without.take_while(|(event, number)| event.index() == *number);
    first + without.count()
}

fn clock(width: FieldWidth, frequency: Option<Frequency>) -> Clock {
    let mut clock = Clock::new(width.max().into(), ClockDirection::Up).with_frequency(frequency);
    clock.period = Some(u64::from(width.max()) + 1);
    clock
}

/// Without timestamps only the order of events is known.
fn event_numbers(events: usize) -> UnwrappedTimes {
    let message = format!(
        "{} (records have no timestamp: times are event numbers)",
        NoTime::EventCounter
    );
    // A frequency would apply to timestamps.
    let mut clock = clock(FieldWidth::Four, None);
    clock.quality = ClockQuality::EventCounter;
    UnwrappedTimes {
        time: (0..events as u64).collect(),
        clock,
        diagnostics: vec![Diagnostic::new(DiagnosticKind::EventCounterClock, message)],
    }
}
