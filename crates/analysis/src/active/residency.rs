//! State residency of machines. The state report, the state diagram and the
//! viewer share these figures.

use super::StateInterval;
use rtoscope_trace::Vertex;
use std::collections::BTreeMap;
use std::ops::Range;

/// State residency in a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Residency {
    /// Ticks in the state.
    pub ticks: u64,
    /// Visits that begin in the window, its end included.
    pub visits: u64,
    /// Visits with an unknown end.
    pub uncertain: u64,
    /// Ticks of the longest visit, and the event with which it began.
    pub max: Option<(u64, u32)>,
}

/// State residencies of a machine in a window of ticks, without the states in
/// which the machine was not.
pub fn residencies(
    intervals: &[StateInterval],
    window: &Range<u64>,
) -> BTreeMap<Vertex, Residency> {
    let mut states: BTreeMap<Vertex, Residency> = BTreeMap::new();
    for interval in intervals {
        let (start, end) = (interval.start.0, interval.end.0);
        if start > window.end || end < window.start {
            continue;
        }
        let ticks = end.min(window.end).saturating_sub(start.max(window.start));
        let begins = window.start <= start;
        if ticks == 0 && !begins {
            continue;
        }
        let state = states.entry(interval.state).or_default();
        state.ticks += ticks;
        state.visits += u64::from(begins);
        state.uncertain += u64::from(!interval.complete);
        if state.max.is_none_or(|(max, _)| max < ticks) {
            state.max = Some((ticks, interval.first.0));
        }
    }
    states
}
