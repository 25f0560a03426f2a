//! Results with missing records.

use super::*;
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

fn outcome(trace: &Trace, text: &str) -> (RuleOutcome, Option<Uncertainty>) {
    let result = result(trace, text);
    let outcome = result.outcome();
    (
        outcome,
        result
            .uncertainty
            .filter(|_| outcome == RuleOutcome::Undecided),
    )
}

/// Undecided, because records are missing.
fn doubtful(before_event: u64) -> (RuleOutcome, Option<Uncertainty>) {
    (
        RuleOutcome::Undecided,
        Some(Uncertainty::MissingRecords(before_event)),
    )
}

const ALL: &str = "MP\n2x SM*\n3x SM*\n2x SM*";

#[test]
fn a_sequence_with_a_gap_is_undecided() {
    let trace = with_gaps(&[(3, Some(2)), (5, Some(1))]);
    assert_eq!(outcome(&trace, ALL), doubtful(3));
    assert_eq!(
        outcome(&with_gaps(&[(4, None), (5, Some(1))]), ALL),
        doubtful(4)
    );
    // Records missing after the difference cannot be its cause.
    assert_eq!(outcome(&trace, "MP\nSM.TRN"), (RuleOutcome::Failed, None));
    assert_eq!(outcome(&trace, "MP\nSMA\nSM.TRN\nMP"), doubtful(3));
    assert_eq!(outcome(&trace, "MP\n...\nFWK.ASSERT"), doubtful(3));
}

#[test]
fn a_gap_of_a_core_begins_at_its_last_event() {
    let mut trace = with_gaps(&[(5, Some(1))]);
    assert_eq!(outcome(&trace, "MP\nSM.TRN"), (RuleOutcome::Failed, None));
    trace.events.edit(|columns| {
        columns.core = vec![1; columns.time.len()];
        columns.core[0] = 0;
        columns.core[5] = 0;
    });
    trace.gaps[0].core = Some(0);
    assert_eq!(outcome(&trace, "MP\nSM.TRN"), doubtful(5));
}

#[test]
fn gaps_outside_the_compared_part_do_not_count() {
    let trace = with_gaps(&[(4, Some(1)), (6, Some(1))]);
    for part in ["until SM.STATE\nMP\nSMA\nSM.TRN", "MP\nSMA\n..."] {
        assert_eq!(outcome(&trace, part), (RuleOutcome::Passed, None));
    }
    assert_eq!(outcome(&trace, "MP\n...\nSM.STATE nxtst=idle"), doubtful(4));
    assert_eq!(outcome(&with_gaps(&[(7, None)]), ALL), doubtful(7));
}

#[test]
fn forbidden_records_are_certain_despite_gaps() {
    let trace = with_gaps(&[(1, Some(1))]);
    let text = "never SM.STATE nxtst=busy\n...";
    assert_eq!(outcome(&trace, text), (RuleOutcome::Failed, None));
    let between = "MP\nnever SM.STATE nxtst=busy\n...\nSM.STATE nxtst=idle";
    assert_eq!(outcome(&trace, between).0, RuleOutcome::Undecided);
}
