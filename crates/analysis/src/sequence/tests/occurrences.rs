//! Every occurrence of a sequence.

use super::*;
use crate::sequence::occurrences::MAX_OPEN;
use RuleOutcome::{Failed, Passed, Undecided};
use proptest::prelude::*;
use rtoscope_trace::{EventIndex, Gap};

/// A trace of requests (`R`), answers (`A`), resets (`X`) and other records, ten ticks apart.
fn exchange(text: &str) -> Trace {
    let event = |letter| match letter {
        'R' => scripted_event(TRN, &[SERVER, IDLE, BUSY]),
        'A' => scripted_event(TRN, &[SERVER, BUSY, IDLE]),
        'X' => scripted_event(STATE, &[SERVER, IDLE]),
        _ => scripted_event(POOL, &[0x300, 3]),
    };
    trace(&text.chars().map(event).collect::<Vec<_>>())
}

/// The outcome, the number of occurrences and violations, and the events of the worst.
fn found(trace: &Trace, text: &str) -> (RuleOutcome, u64, usize, Vec<u32>) {
    let result = checked(trace, text);
    let events = result.worst.iter().filter_map(|it| it.event);
    let events = events.collect();
    (
        result.outcome,
        result.occurrences.unwrap(),
        result.violations,
        events,
    )
}

const ANSWERED: &str = "after SM.TRN tst=busy\nwithin 30 ticks\n...\nSM.TRN tst=idle";

#[test]
fn each_occurrence_is_compared() {
    // The third answer is late by one record, the fourth by three.
    let trace = exchange("RA_R__A_R___A_R_____A_RA");
    assert_eq!(found(&trace, ANSWERED), (Failed, 5, 2, vec![20, 12]));
    let result = checked(&trace, ANSWERED);
    assert_eq!(result.message, "2 of 5 occurrences");
    let worst = "line 4: expected SM.TRN tst=idle; found SM.TRN ao=server sst=busy tst=idle \
        (came after 60 ticks, the limit is 30 ticks), in the occurrence from event 14";
    assert_eq!(result.worst[0].found, worst);
    let good = exchange("RA_R__A_RA");
    assert_eq!(found(&good, ANSWERED), (Passed, 3, 0, vec![]));
    // Wherever the first record is.
    let anywhere = "...\nSM.TRN tst=busy\nwithin 30 ticks\n...\nSM.TRN tst=idle\n...";
    assert_eq!(found(&trace, anywhere), (Failed, 5, 2, vec![20, 12]));
    let excluded = format!("only SM.TRN ao=\"log client\"\n{anywhere}");
    assert_eq!(found(&trace, &excluded), (Failed, 0, 0, vec![]));
    // An order.
    let order = "after SM.TRN tst=busy\nignore MP\nSM.TRN tst=idle\nSM.STATE";
    let trace = exchange("RAX_RXA_RA_X_RAR");
    assert_eq!(found(&trace, order), (Failed, 5, 2, vec![5, 15]));
}

#[test]
fn occurrences_may_overlap() {
    let trace = exchange("RR__A__RRA");
    assert_eq!(found(&trace, ANSWERED), (Failed, 4, 1, vec![4]));
    // The end of one is the start of the next.
    let period = "after SM.TRN\nwithin 20 ticks\n...\nSM.TRN";
    assert_eq!(
        found(&exchange("R_R_R__R_R"), period),
        (Failed, 5, 1, vec![7])
    );
    assert_eq!(found(&exchange("R_R_R"), period), (Passed, 3, 0, vec![]));
}

#[test]
fn an_occurrence_ends_with_its_last_expectation_or_before_a_record() {
    let trace = exchange("RXA_RA_X");
    let never = "after SM.TRN tst=busy\nnever SM.STATE\n...\nSM.TRN tst=idle";
    assert_eq!(found(&trace, never), (Failed, 2, 1, vec![1]));
    let until = "after SM.TRN tst=busy\nuntil MP\n...\nSM.STATE\n...";
    assert_eq!(found(&trace, until), (Failed, 2, 1, vec![4]));
    let inclusive = "from SM.TRN tst=busy\nuntil MP\n2x SM.TRN";
    assert_eq!(found(&trace, inclusive), (Failed, 2, 1, vec![1]));
    // To the end of the recording, from the first start on.
    let rest = "after SM.TRN tst=idle\nnever SM.STATE\n...";
    assert_eq!(found(&trace, rest), (Failed, 1, 1, vec![7]));
}

#[test]
fn the_end_of_the_recording_decides_what_is_overdue() {
    assert_eq!(
        found(&exchange("RA_R____"), ANSWERED),
        (Failed, 2, 1, vec![3])
    );
    assert_eq!(found(&exchange("RA_R_"), ANSWERED), (Passed, 2, 0, vec![]));
    let without_limit = "after SM.TRN tst=busy\n...\nSM.TRN tst=idle";
    assert_eq!(found(&exchange("RA_R___"), without_limit).0, Undecided);
    // None was answered.
    assert_eq!(
        found(&exchange("_R_"), without_limit),
        (Failed, 1, 1, vec![1])
    );
    assert_eq!(found(&exchange("_R_"), ANSWERED).0, Undecided);
    let result = checked(&exchange("__"), ANSWERED);
    let message = "line 1: no record matches the start: SM.TRN tst=busy";
    assert_eq!((result.outcome, &*result.message), (Failed, message));
}

#[test]
fn few_occurrences_are_open_at_a_time() {
    let without_limit = "after SM.TRN tst=busy\n...\nSM.TRN tst=idle";
    let many = exchange(&("R".repeat(MAX_OPEN + 10) + "A"));
    let result = checked(&many, without_limit);
    let message = "74 occurrences, but 10 began while 64 others were open, and were not checked";
    assert_eq!((result.outcome, &*result.message), (Undecided, message));
    // Those whose time is over make room.
    let never_answered = exchange(&"R".repeat(1000));
    assert_eq!(found(&never_answered, ANSWERED).2, 1000 - 4);
}

#[test]
fn missing_records_leave_occurrences_undecided() {
    let with_gap = |text: &str, before: u32| {
        let mut trace = exchange(text);
        trace.gaps = vec![Gap {
            next_event: EventIndex(before),
            missing: Some(1),
            core: None,
            is_restart: false,
        }];
        trace
    };
    let late = with_gap("RA_R____A", 5);
    let result = checked(&late, ANSWERED);
    let message =
        "2 occurrences, but records are missing before event 5: in 1, the first from event 3";
    assert_eq!((result.outcome, &*result.message), (Undecided, message));
    // It may have been another start.
    let result = checked(&with_gap("RA_RA_", 2), ANSWERED);
    let message =
        "2 occurrences, but records are missing before event 2, where others may have begun";
    assert_eq!((result.outcome, &*result.message), (Undecided, message));
    let accepting = parse(ANSWERED)
        .check(&with_gap("RA_RA_", 4), "", true)
        .unwrap();
    assert_eq!(accepting.outcome, Passed);
    // A violation elsewhere is certain.
    assert_eq!(found(&with_gap("R____A_RA", 8), ANSWERED).0, Failed);
    let forbidden = "after SM.TRN tst=busy\nnever SM.STATE\n...\nSM.TRN tst=idle";
    assert_eq!(found(&with_gap("R_XA", 1), forbidden).0, Failed);
}

proptest! {
    #[test]
    fn deadlines_are_those_of_each_start(text in "[RA_]{0,60}", limit in 1..6_u64) {
        let trace = exchange(&text);
        let rule = format!("after SM.TRN tst=busy\nwithin {} ticks\n...\nSM.TRN tst=idle", limit * 10);
        let letters: Vec<_> = text.chars().collect();
        let starts = (0..letters.len()).filter(|at| letters[*at] == 'R');
        let waits: Vec<_> = starts
            .map(|start| {
                let answer = (start..letters.len()).find(|at| letters[*at] == 'A');
                answer.unwrap_or(letters.len() - 1) - start
            })
            .collect();
        let late = waits.iter().filter(|wait| **wait as u64 > limit).count();
        let result = checked(&trace, &rule);
        prop_assert_eq!(result.occurrences, Some(waits.len() as u64));
        prop_assert_eq!(result.violations, late);
        prop_assert_eq!(result.outcome == Failed, late > 0 || waits.is_empty());
    }
}
