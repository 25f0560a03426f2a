//! A page: consecutive records of a stream with all their properties.

use super::columns::RecordColumns;
use super::losses::{StreamLosses, StreamProblem};
use super::stream_info::StreamRun;
use rtoscope_trace::{EventIndex, Gap};
use rtoscope_wire::rkh::{StreamConfiguration, TargetConfiguration};
use std::ops::Range;

/// Consecutive records, and the losses and gaps between them. Record numbers
/// here are relative to the first record of the page.
#[derive(Debug, Clone, Default)]
pub(super) struct RecordPage {
    /// The number of its first record in the stream.
    pub(super) first: u64,
    pub(super) columns: RecordColumns,
    /// At least one if there is a record.
    pub(super) runs: Vec<StreamRun>,
    /// Whether the first run began before the page.
    pub(super) continues_run: bool,
    /// Records without sequence number and timestamp despite the configuration,
    /// in order.
    pub(super) headerless: Vec<EventIndex>,
    pub(super) losses: StreamLosses,
    pub(super) gaps: Vec<Gap>,
}

/// The state needed to continue reading at a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordState {
    /// The configuration of the record.
    pub(super) configuration: StreamConfiguration,
    /// The configuration sent by the target.
    pub(super) target: Option<TargetConfiguration>,
    /// Its sequence number, if it has one.
    pub(super) sequence: Option<u8>,
    /// Its timestamp, or that of the previous record.
    pub(super) timestamp: u32,
}

impl RecordPage {
    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The stream number of the record after the page.
    pub(super) fn end(&self) -> u64 {
        self.first + self.len() as u64
    }

    /// Whether a record of the page is the first of the stream.
    pub(super) fn is_start(&self, event: EventIndex) -> bool {
        self.first == 0 && event.0 == 0
    }

    /// The position of a stream's record in the page, clamped to the page.
    pub(super) fn position(&self, number: u64) -> usize {
        let place = number.saturating_sub(self.first);
        usize::try_from(place).map_or(self.len(), |place| place.min(self.len()))
    }

    /// The state needed to continue reading at a record of the page.
    pub(super) fn record_state(&self, event: usize) -> Option<RecordState> {
        let following = self.runs.partition_point(|run| run.first.index() <= event);
        let run = self.runs.get(following.checked_sub(1)?)?;
        let is_bare = EventIndex(u32::try_from(event).ok()?);
        let is_bare = self.headerless.binary_search(&is_bare).is_ok();
        let numbered = run.configuration.sequence && !is_bare;
        let sequence = self.columns.sequences.get(event).copied();
        Some(RecordState {
            configuration: run.configuration,
            target: run.target,
            sequence: sequence.filter(|_| numbered),
            timestamp: self.columns.timestamps.get(event).copied()?,
        })
    }

    /// An empty page that continues this one.
    pub(super) fn continuation(&self) -> Self {
        let run = self.runs.last().map(|run| StreamRun {
            first: EventIndex(0),
            restart: false,
            ..run.clone()
        });
        Self {
            first: self.end(),
            columns: self.columns.continuation(),
            continues_run: run.is_some(),
            runs: run.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Appends the records of the next page whose numbers are in `wanted`.
    /// Omits losses before the very first record unless the stream begins with
    /// it, and losses after the last one unless the stream `ends` there.
    pub(super) fn append(&mut self, next: &Self, wanted: &Range<u64>, ends: bool) {
        let range = next.position(wanted.start)..next.position(wanted.end);
        let here = self.len();
        let begins = here == 0;
        let moved = |event: EventIndex| {
            let place = event.index().saturating_sub(range.start) + here;
            EventIndex(u32::try_from(place).unwrap_or(u32::MAX))
        };
        self.columns.append(&next.columns, range.clone());
        for run in runs_within(next, &range, begins) {
            let carried = run.first.0 == 0 && next.continues_run;
            let starts_here = run.first.index() >= range.start && !carried;
            self.continues_run |= !starts_here;
            self.runs.push(StreamRun {
                first: moved(run.first),
                restart: run.restart && starts_here,
                ..run.clone()
            });
        }
        let within = |event: &EventIndex| range.contains(&event.index());
        let bare = next.headerless.iter().copied().filter(within);
        self.headerless.extend(bare.map(moved));
        let gaps = next.gaps.iter().filter(|gap| within(&gap.next_event));
        let gaps = gaps.map(|gap| Gap {
            next_event: moved(gap.next_event),
            ..*gap
        });
        self.gaps.extend(gaps);
        let reaches_in = !begins || wanted.start == 0;
        let goes_on = next.end() < wanted.end || ends;
        let moved_problem = |problem: &StreamProblem| StreamProblem {
            event: moved(EventIndex(problem.event)).0,
            ..*problem
        };
        if range.start == 0 && reaches_in && goes_on {
            self.losses.merge(&next.losses, moved_problem);
            return;
        }
        let counts = |problem: &&StreamProblem| match problem.event as usize {
            event if event == range.start => reaches_in,
            event if event >= range.end => goes_on && event == range.end,
            event => event > range.start,
        };
        let problems = next.losses.problems.iter().filter(counts);
        problems.for_each(|problem| self.losses.add(moved_problem(problem)));
    }
}

/// The runs of a range of records. Includes the run of the first record if
/// there is none yet.
fn runs_within<'a>(
    page: &'a RecordPage,
    range: &Range<usize>,
    begins: bool,
) -> impl Iterator<Item = &'a StreamRun> {
    let begun = |run: &StreamRun| run.first.index() <= range.start;
    let from = match begins {
        true => page.runs.partition_point(begun).saturating_sub(1),
        false => usize::from(page.continues_run),
    };
    let end = range.end;
    let runs = page.runs.iter().skip(from);
    runs.take_while(move |run| run.first.index() < end)
}
