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
    };
    trace.gaps = gaps.iter().map(gap).collect();
    trace
}

/// The result of a test, and the relevant gaps: their number, the number of
/// records, and the event after the first one.
fn told(trace: &Trace, text: &str) -> (TestOutcome, Option<(usize, Option<u64>, u32)>) {
    let result = result(trace, text);
    let doubt = result.uncertainty.map(|doubt| match doubt {
        Uncertainty::MissingRecords {
            gaps,
            missing,
            before_event,
        } => (gaps, missing, before_event),
        other => panic!("{other}"),
    });
    (result.outcome, doubt)
}

const ALL: &str = "MP\n2x SM*\n3x SM*\n2x SM*";

#[test]
fn a_test_with_a_gap_neither_passes_nor_fails() {
    let doubtful = |gaps| (TestOutcome::Inconclusive, Some(gaps));
    let trace = with_gaps(&[(3, Some(2)), (5, Some(1))]);
    assert_eq!(told(&trace, ALL), doubtful((2, Some(3), 3)));
    assert_eq!(
        told(&with_gaps(&[(4, None), (5, Some(1))]), ALL),
        doubtful((2, None, 4))
    );
    // Records missing after the difference cannot be its cause.
    assert_eq!(told(&trace, "MP\nSM.TRN"), (TestOutcome::Fail, None));
    assert_eq!(
        told(&trace, "MP\nSMA\nSM.TRN\nMP"),
        doubtful((1, Some(2), 3))
    );
    assert_eq!(told(&trace, "...\nFWK.ASSERT"), doubtful((2, Some(3), 3)));
}

#[test]
fn what_a_core_lost_may_have_happened_long_before_its_next_event() {
    let mut trace = with_gaps(&[(5, Some(1))]);
    assert_eq!(told(&trace, "MP\nSM.TRN"), (TestOutcome::Fail, None));
    trace.events.core = vec![1; trace.events.len()];
    trace.events.core[0] = 0;
    trace.events.core[5] = 0;
    trace.gaps[0].core = Some(0);
    let doubtful = (TestOutcome::Inconclusive, Some((1, Some(1), 5)));
    assert_eq!(told(&trace, "MP\nSM.TRN"), doubtful);
}

#[test]
fn gaps_outside_of_the_part_do_not_count() {
    let trace = with_gaps(&[(0, None), (2, Some(1)), (6, Some(1))]);
    let part = "from SM.TRN\nuntil SMA\nSM.TRN\nSM.STATE";
    assert_eq!(told(&trace, part), (TestOutcome::Pass, None));
    let settled = "from SM.TRN\nSM.TRN\nSM.STATE\n...";
    assert_eq!(told(&trace, settled), (TestOutcome::Pass, None));
    let to_the_end = "from SM.TRN\n5x SM*";
    let doubt = (1, Some(1), 6);
    assert_eq!(
        told(&trace, to_the_end),
        (TestOutcome::Inconclusive, Some(doubt))
    );
    let doubt = (3, None, 0);
    assert_eq!(
        told(&trace, "...\nSM.STATE nxtst=idle"),
        (TestOutcome::Inconclusive, Some(doubt))
    );
    let result = result(&trace, "after FWK.ASSERT\n...");
    assert_eq!(result.outcome, TestOutcome::Inconclusive);
    let problem = "records are missing before event 0 and in 2 more places; \
        nothing fits the start: FWK.ASSERT";
    assert_eq!(result.problem().as_deref(), Some(problem));
}

#[test]
fn what_must_nowhere_occur_is_certain() {
    let trace = with_gaps(&[(1, Some(1))]);
    let text = "never SM.STATE nxtst=busy\n...";
    assert_eq!(told(&trace, text), (TestOutcome::Fail, None));
    let between = "...\nMP\nnever SM.STATE nxtst=busy\n...\nSM.STATE nxtst=idle";
    assert_eq!(told(&trace, between).0, TestOutcome::Inconclusive);
}
