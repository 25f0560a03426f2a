//! Progress of opening a recording.

use crate::{Events, Ticks};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Number of buckets of an [`EventDensity`].
pub const DENSITY_BUCKETS: usize = 512;

/// The progress of opening a recording. Clones share it: one thread reports, others
/// look.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<ProgressSnapshot>,
    observer: Option<fn(&ProgressSnapshot)>,
}

/// The progress at one moment.
#[derive(Debug, Clone, Default)]
pub struct ProgressSnapshot {
    /// The current phase.
    pub phase: ProgressPhase,
    /// What the phase has processed so far, in its [unit](ProgressPhase).
    pub done: u64,
    /// What it processes in all; `None` if it is not known.
    pub total: Option<u64>,
    /// The number of events in the recording; `None` before it is known.
    pub events: Option<u64>,
    /// The events over time, preliminary until they are decoded; `None` before their
    /// times are known.
    pub density: Option<Arc<EventDensity>>,
}

/// A phase of opening a recording.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProgressPhase {
    /// Waits for others, reads the file, unpacks it and detects its format; without
    /// a unit.
    #[default]
    Reading,
    /// Decodes bytes.
    Decoding,
    /// Analyses events.
    Analysis,
    /// Indexes events; without a unit.
    Indexing,
}

/// The number of events in each of [`DENSITY_BUCKETS`] equal parts of a trace's span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDensity {
    /// Ticks from the first event to the last.
    pub span: Ticks,
    /// The numbers of events, oldest first; an event at the boundary of two parts is in
    /// the later one, the last event in the last part.
    pub counts: Vec<u32>,
}

impl Progress {
    /// Calls `observer` after each step, where no other thread can look.
    pub fn observed_by(observer: fn(&ProgressSnapshot)) -> Self {
        Self(Arc::new(Shared {
            observer: Some(observer),
            ..Shared::default()
        }))
    }

    /// Starts a phase.
    pub fn start(&self, phase: ProgressPhase, total: Option<u64>) {
        let mut state = self.lock();
        state.phase = phase;
        state.done = 0;
        state.total = total;
        self.report(&state);
    }

    /// Reports that the phase has processed `count` more.
    pub fn advance(&self, count: u64) {
        let mut state = self.lock();
        state.done = state.done.saturating_add(count);
        self.report(&state);
    }

    /// Whether others look, so that a preliminary result is worth its time.
    pub fn is_watched(&self) -> bool {
        self.0.observer.is_some() || Arc::strong_count(&self.0) > 1
    }

    /// Reports the number of events and their density before they are decoded.
    pub fn set_preliminary(&self, density: EventDensity) {
        let mut state = self.lock();
        state.events = Some(density.counts.iter().map(|count| u64::from(*count)).sum());
        state.density = Some(Arc::new(density));
    }

    /// Reports the decoded events.
    pub fn set_events(&self, events: &Events) {
        let density = Arc::new(EventDensity::of(events));
        let mut state = self.lock();
        state.events = Some(events.len() as u64);
        state.density = Some(density);
    }

    /// The progress now.
    pub fn snapshot(&self) -> ProgressSnapshot {
        self.lock().clone()
    }

    fn report(&self, state: &ProgressSnapshot) {
        if let Some(observer) = self.0.observer {
            observer(state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ProgressSnapshot> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventDensity {
    /// The density of decoded events, by binary search for the boundaries.
    pub fn of(events: &Events) -> Self {
        let span = events.span();
        let mut counts = Vec::with_capacity(DENSITY_BUCKETS);
        let mut start = 0;
        for bucket in 1..=DENSITY_BUCKETS {
            let end = match bucket {
                DENSITY_BUCKETS => events.len(),
                _ => {
                    let end = boundary(span, bucket);
                    events.partition_point(start..events.len(), |time| time.0 < end)
                }
            };
            counts.push(u32::try_from(end - start).unwrap_or(u32::MAX));
            start = end;
        }
        Self { span, counts }
    }

    /// The density of events from their numbers in parts of the span: the events of a
    /// part are spread evenly. The parts are in order, the first starts at 0.
    pub fn of_parts(parts: &[(Range<u64>, u64)]) -> Self {
        let span = Ticks(parts.last().map_or(0, |(ticks, _)| ticks.end));
        let mut counts = Vec::with_capacity(DENSITY_BUCKETS);
        let (mut part, mut before, mut counted) = (0, 0, 0);
        for bucket in 1..=DENSITY_BUCKETS {
            let end = boundary(span, bucket);
            let is_last = bucket == DENSITY_BUCKETS;
            while let Some((_, events)) = parts
                .get(part)
                .filter(|(ticks, _)| is_last || ticks.end < end)
            {
                before += events;
                part += 1;
            }
            let share = parts.get(part).map_or(0, |(ticks, events)| {
                let past = u128::from(end.saturating_sub(ticks.start));
                let length = u128::from(ticks.end - ticks.start).max(1);
                u64::try_from(u128::from(*events) * past / length).unwrap_or(*events)
            });
            counts.push(u32::try_from(before + share - counted).unwrap_or(u32::MAX));
            counted = before + share;
        }
        Self { span, counts }
    }
}

/// The first tick of a bucket.
fn boundary(span: Ticks, bucket: usize) -> u64 {
    let exact = u128::from(span.0) * bucket as u128;
    u64::try_from(exact.div_ceil(DENSITY_BUCKETS as u128)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::PriorityWord;
    use crate::events::{ArgumentColumn, WordColumn};
    use crate::{Contexts, EventColumns, EventKindId};

    fn events(times: &[u64]) -> Events {
        let count = times.len();
        Events::new(EventColumns {
            time: times.to_vec(),
            timestamp: WordColumn::Narrow(vec![0; count]),
            core: vec![0; count],
            context: vec![Contexts::IDLE; count],
            kind: vec![EventKindId(1); count],
            priority_word: vec![PriorityWord(0); count],
            arguments: ArgumentColumn::Narrow(vec![[0; 4]; count]),
            ..EventColumns::default()
        })
    }

    #[test]
    fn every_event_is_in_the_bucket_of_its_time() {
        let times = [0, 0, 1, 511, 512, 513, 5_120, 511_999, 512_000];
        let density = EventDensity::of(&events(&times));
        assert_eq!(density.span, Ticks(512_000));
        let mut expected = vec![0; DENSITY_BUCKETS];
        for time in times {
            let bucket = usize::try_from(time / 1000).unwrap();
            expected[bucket.min(DENSITY_BUCKETS - 1)] += 1;
        }
        assert_eq!(density.counts, expected);
    }

    #[test]
    fn short_and_extreme_spans_lose_no_event() {
        for times in [&[][..], &[0], &[0, 0, 0], &[0, 1, 2], &[0, u64::MAX]] {
            let density = EventDensity::of(&events(times));
            assert_eq!(density.counts.len(), DENSITY_BUCKETS);
            let sum: u32 = density.counts.iter().sum();
            assert_eq!(sum as usize, times.len());
        }
    }

    #[test]
    fn events_of_parts_are_spread_evenly() {
        let parts = [(0..512, 512), (512..512, 7), (1024..2048, 2048)];
        let density = EventDensity::of_parts(&parts);
        assert_eq!(density.span, Ticks(2048));
        let quarter = |at: usize| density.counts[at * 128..][..128].iter().sum::<u32>();
        assert_eq!([0, 1, 2, 3].map(quarter), [512, 7, 1024, 1024]);
        assert_eq!(density.counts[..4], [4, 4, 4, 4]);
        let empty = EventDensity::of_parts(&[]);
        assert_eq!(empty.counts, [0; DENSITY_BUCKETS]);
        let at_once = EventDensity::of_parts(&[(0..0, 3)]);
        assert_eq!(at_once.counts.iter().sum::<u32>(), 3);
    }

    #[test]
    fn clones_share_the_progress() {
        let progress = Progress::default();
        assert!(!progress.is_watched());
        let shown = progress.clone();
        assert!(progress.is_watched());
        progress.start(ProgressPhase::Decoding, Some(100));
        progress.advance(30);
        progress.advance(40);
        let now = shown.snapshot();
        assert_eq!((now.phase, now.done), (ProgressPhase::Decoding, 70));
        assert_eq!((now.total, now.events), (Some(100), None));
        progress.set_events(&events(&[0, 1]));
        progress.start(ProgressPhase::Indexing, None);
        let now = shown.snapshot();
        assert_eq!((now.done, now.total, now.events), (0, None, Some(2)));
        assert!(now.density.is_some());
    }
}
