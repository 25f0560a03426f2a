//! Results with missing records.

use super::*;
use crate::expect::Uncertainty;
use rtoscope_trace::{EventIndex, Gap};

fn with_gaps(gaps: &[(u32, Option<u64>)]) -> Trace {
    let mut trace = trace(&request());
    let gap = |(before, missing): &(u32, Option<u64>)| Gap {
        next_event: EventIndex(*before),
        missing: *missing,
        core: None,
        is_restart: false,
    };
    trace.gaps = gaps.iter().map(gap).collect();
    trace
}

fn outcome(trace: &Trace, text: &str) -> (TestOutcome, Option<Uncertainty>) {
    let result = result(trace, text);
    (result.outcome, result.uncertainty)
}

/// Inconclusive, because records are missing.
fn doubtful(
    gaps: usize,
    missing: Option<u64>,
    before_event: u64,
) -> (TestOutcome, Option<Uncertainty>) {
    let uncertainty = Uncertainty::MissingRecords {
        gaps,
        missing,
        before_event,
    };
    (TestOutcome::Inconclusive, Some(uncertainty))
}

const ALL: &str = "MP\n2x SM*\n3x SM*\n2x SM*";

#[test]
fn a_test_with_a_gap_is_inconclusive() {
    let trace = with_gaps(&[(3, Some(2)), (5, Some(1))]);
    assert_eq!(outcome(&trace, ALL), doubtful(2, Some(3), 3));
    assert_eq!(
        outcome(&with_gaps(&[(4, None), (5, Some(1))]), ALL),
        doubtful(2, None, 4)
    );
    // Records missing after the difference cannot be its cause.
    assert_eq!(outcome(&trace, "MP\nSM.TRN"), (TestOutcome::Fail, None));
    assert_eq!(
        outcome(&trace, "MP\nSMA\nSM.TRN\nMP"),
        doubtful(1, Some(2), 3)
    );
    assert_eq!(outcome(&trace, "...\nFWK.ASSERT"), doubtful(2, Some(3), 3));
}

#[test]
fn a_gap_of_a_core_begins_at_its_last_event() {
    let mut trace = with_gaps(&[(5, Some(1))]);
    assert_eq!(outcome(&trace, "MP\nSM.TRN"), (TestOutcome::Fail, None));
    trace.events.edit(|columns| {
        columns.core = vec![1; columns.time.len()];
        columns.core[0] = 0;
        columns.core[5] = 0;
    });
    trace.gaps[0].core = Some(0);
    assert_eq!(outcome(&trace, "MP\nSM.TRN"), doubtful(1, Some(1), 5));
}

#[test]
fn gaps_outside_the_compared_part_do_not_count() {
    let trace = with_gaps(&[(0, None), (2, Some(1)), (6, Some(1))]);
    let part = "from SM.TRN\nuntil SMA\nSM.TRN\nSM.STATE";
    assert_eq!(outcome(&trace, part), (TestOutcome::Pass, None));
    let settled = "from SM.TRN\nSM.TRN\nSM.STATE\n...";
    assert_eq!(outcome(&trace, settled), (TestOutcome::Pass, None));
    let to_the_end = "from SM.TRN\n5x SM*";
    assert_eq!(outcome(&trace, to_the_end), doubtful(1, Some(1), 6));
    let last = "...\nSM.STATE nxtst=idle";
    assert_eq!(outcome(&trace, last), doubtful(3, None, 0));
    let result = result(&trace, "after FWK.ASSERT\n...");
    assert_eq!(result.outcome, TestOutcome::Inconclusive);
    let problem = "records are missing before event 0 and in 2 more gaps; \
        no record matches the start: FWK.ASSERT";
    assert_eq!(result.problem().as_deref(), Some(problem));
}

#[test]
fn forbidden_records_are_certain_despite_gaps() {
    let trace = with_gaps(&[(1, Some(1))]);
    let text = "never SM.STATE nxtst=busy\n...";
    assert_eq!(outcome(&trace, text), (TestOutcome::Fail, None));
    let between = "...\nMP\nnever SM.STATE nxtst=busy\n...\nSM.STATE nxtst=idle";
    assert_eq!(outcome(&trace, between).0, TestOutcome::Inconclusive);
}
