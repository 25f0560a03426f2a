//! ISRs whose exit is never recorded: their port calls no hook for it.

use rtoscope_trace::{EventKindId, Trace};
use std::collections::BTreeMap;

const ISR_ENTER: u32 = 3;
const ISR_EXIT: u32 = 4;

/// An ISR with fewer entries may not have ended yet.
const MIN_ENTRIES: u64 = 3;

/// Their numbers, in order. Empty if ISRs pass a wrong number to their exit: then there
/// are as many exits as entries.
pub(super) fn of(trace: &Trace) -> Vec<u32> {
    let mut records: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
    let counts = trace.events.kind_counts();
    if ![ISR_ENTER, ISR_EXIT]
        .into_iter()
        .any(|kind| counts.may_occur(EventKindId(kind)))
    {
        return Vec::new();
    }
    trace.events.visit(0..trace.events.len(), |event| {
        if !matches!(event.kind.0, ISR_ENTER | ISR_EXIT) {
            return;
        }
        let [_, number, ..] = event.arguments;
        let [entries, exits] = records.entry(number as u32).or_default();
        match event.kind.0 {
            ISR_ENTER => *entries += 1,
            _ => *exits += 1,
        }
    });
    let is_exitless = |[entries, exits]: &[u64; 2]| *entries >= MIN_ENTRIES && *exits == 0;
    let [entries, exits] = records.values().fold([0, 0], |[entries, exits], one| {
        [entries + one[0], exits + one[1]]
    });
    let exitless = records.iter().filter(|(_, records)| is_exitless(records));
    let unended: u64 = exitless.clone().map(|(_, [entries, _])| entries).sum();
    // The others have about as many exits as entries.
    if entries.saturating_sub(exits) < unended / 2 {
        return Vec::new();
    }
    exitless.map(|(number, _)| *number).collect()
}
