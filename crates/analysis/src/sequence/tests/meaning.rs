//! The meaning of each line of a sequence.

use super::*;
use DifferenceKind::{Extra, Forbidden, Late, Missing, Other};
use rtoscope_trace::Frequency;

#[test]
fn records_must_follow_each_other_directly() {
    let trace = trace(&request());
    let all = "MP.GET\nSMA.GET\nSM.TRN\nSM.STATE\nSMA.GET\nSM.TRN\nSM.STATE";
    passes(&trace, all);
    let result = result(&trace, all);
    assert_eq!((result.expectations, result.matched), (7, 7));
    assert_eq!(position(&trace, "MP.GET\nSM.TRN"), (Other, 2, Some(1)));
    assert_eq!(position(&trace, "MP.GET\nSMA.GET"), (Extra, 2, Some(2)));
    let more = format!("{all}\nSM.STATE");
    assert_eq!(position(&trace, &more), (Missing, 8, None));
}

#[test]
fn arguments_are_compared() {
    let trace = trace(&request());
    for right in [
        "ao=server sst=idle tst=busy",
        "tst=busy sst=0x10 ao=256",
        "ao=s*r sst=i?le tst=*",
        "ao=\"server\" context=server",
        "context=0x100",
        "context=s*",
        "AO=server",
        "sst != busy tst in (idle, busy) ao ~ serv core<1",
        "",
    ] {
        passes(&trace, &format!("MP\nSMA\nSM.TRN {right}\n..."));
    }
    for (wrong, reason) in [
        ("sst=busy", "sst is idle"),
        ("ao=server sst=idle tst=idle", "tst is busy"),
        ("ao=\"log client\"", "ao is server"),
        ("tst=b?", "tst is busy"),
        ("context=idle", "context is server"),
        ("sst=0", "sst is idle"),
        ("sst=none", "sst is idle"),
        ("sst in 0x11..0x20", "sst is idle"),
        ("core=1", "different core"),
    ] {
        let text = format!("MP\nSMA\nSM.TRN {wrong}");
        let difference = difference(&trace, &text);
        assert_eq!(difference.reason, reason, "{wrong}");
        assert_eq!(difference.found.map(|found| found.event), Some(2));
    }
    let other = difference(&trace, "SM.TRN");
    assert_eq!(other.reason, "different kind");
}

#[test]
fn names_match_all_objects_with_that_name() {
    let trace = trace(&[
        scripted_event(TRN, &[SERVER, BUSY, BUSY + 1]),
        scripted_event(POOL, &[0, 0]),
        scripted_event(POOL, &[0x300, 0]),
    ]);
    passes(
        &trace,
        "SM.TRN sst=busy tst=busy\nMP.GET mp=none\nMP.GET mp=\"none\"",
    );
    passes(&trace, "SM\n2x MP.GET mp=n?ne");
    let null = "SM\nMP\nMP.GET mp=none";
    assert_eq!(position(&trace, null), (Other, 3, Some(2)));
    assert_eq!(
        position(&trace, "SM\nMP.GET mp='none'"),
        (Other, 2, Some(1))
    );
}

#[test]
fn texts_words_and_items_are_compared() {
    let mut assert = scripted_event(ASSERT, &[0, 73]);
    assert.text = Some("5");
    let mut action = scripted_event(ACTION, &[1, SERVER, IDLE, 0x1000]);
    action.words = vec![u32::MAX];
    let mut user = scripted_event(USER, &[]);
    user.items = vec![
        (ItemType::U16, 5),
        (ItemType::I8, -3),
        (ItemType::U16, 6),
        (ItemType::Text, 42),
        (ItemType::Signal, 0),
        (ItemType::Memory, 12),
        (ItemType::Object, SERVER as i64),
    ];
    let trace = trace(&[assert, action, user]);
    let rest = "SM.EXE_ACT\nUSR.0";
    for right in ["module=5", "module=\"5\" line=73", "module=?"] {
        passes(&trace, &format!("FWK.ASSERT {right}\n{rest}"));
    }
    for right in [
        "type=entry fn='act*' wait_option=-1",
        "type=ENTRY fn=act*",
        "type=1 \"wait option\"=4294967295",
    ] {
        passes(&trace, &format!("FWK.ASSERT\nSM.EXE_ACT {right}\nUSR.0"));
    }
    for right in [
        "u16=5 u16=6 i8=-3 str=42 sig=SG_REQ mem=3132 obj=server",
        "u16=5 str=4* i8=* sig=0 obj=0x100",
    ] {
        passes(&trace, &format!("FWK.ASSERT\nSM.EXE_ACT\nUSR.0 {right}"));
    }
    for (wrong, reason) in [
        ("u16=6", "u16 is 5"),
        ("u16=* u16=5", "u16 is 6"),
        ("u16>4 u16>6", "u16 is 6"),
        ("u32!=1", "no u32"),
        ("str=4", "str is \"42\""),
        ("i8=3", "i8 is -3"),
        ("u16=* u16=* u16=*", "no u16"),
        ("u32=1", "no u32"),
    ] {
        let text = format!("FWK.ASSERT\nSM.EXE_ACT\nUSR.0 {wrong}");
        assert_eq!(difference(&trace, &text).reason, reason, "{wrong}");
    }
}

#[test]
fn pools_of_events_have_numbers_and_names() {
    let gets = [0, 1, 2].map(|pool| scripted_event(GET, &[SERVER, 0, 0, pool]));
    let trace = trace(&gets);
    passes(&trace, "SMA pid=static\nSMA pid=1\nSMA pid=ep1");
    passes(&trace, "SMA pid=0\nSMA pid=*\nSMA pid=2");
    assert_eq!(difference(&trace, "SMA pid=ep1").reason, "pid is static");
    assert_eq!(difference(&trace, "SMA\nSMA pid=ep1").reason, "pid is 1");
}

#[test]
fn repetitions_are_counted() {
    let twice = [
        scripted_event(STATE, &[SERVER, IDLE]),
        scripted_event(STATE, &[SERVER, BUSY]),
    ];
    let trace = trace(&twice);
    passes(&trace, "2x SM.STATE");
    assert_eq!(position(&trace, "SM.STATE"), (Extra, 1, Some(1)));
    let missing = difference(&trace, "4000000000x SM.STATE");
    assert_eq!((missing.kind, missing.found), (Missing, None));
    assert_eq!(missing.reason, "found 2 of 4000000000 times");
    assert_eq!(
        position(&trace, "2x SM.STATE nxtst=idle"),
        (Other, 1, Some(1))
    );
}

#[test]
fn ignored_records_are_optional() {
    let trace = trace(&request());
    passes(&trace, "ignore MP SMA\n2x SM.*\n2x SM.*");
    passes(&trace, "ignore MP.GET SMA.* SM.STATE\n2x SM.TRN");
    // The next expected record counts all the same.
    passes(&trace, "ignore *\nSMA.GET ao=server\nSM.TRN tst=idle");
    assert_eq!(
        position(&trace, "ignore MP SMA\nSM.TRN\nSM.TRN"),
        (Other, 3, Some(3))
    );
}

#[test]
fn only_excludes_other_records() {
    let trace = trace(&request());
    passes(&trace, "only ao=\"log client\"\nSMA.GET");
    passes(&trace, "only ao=\"log client\"\nonly MP\nMP.GET\nSMA.GET");
    passes(
        &trace,
        "only SM.* ao=server\nSM.TRN\nSM.STATE\nSM.TRN\nSM.STATE",
    );
    assert_eq!(position(&trace, "only SM\nSMA.GET"), (Other, 2, Some(2)));
    passes(&trace, "only SM\nnever SMA.GET\n...");
}

#[test]
fn dots_allow_any_records() {
    let trace = trace(&request());
    passes(&trace, "...");
    passes(&trace, "MP\n...\nSM.STATE nxtst=idle");
    passes(&trace, "MP\n...\nSM.TRN\n...\nSM.TRN\n...");
    passes(&trace, "MP\n...\nSM.TRN sst=busy\nSM.STATE");
    assert_eq!(
        position(&trace, "MP\n...\nSM.TRN\nSM.TRN"),
        (Other, 4, Some(3))
    );
    assert_eq!(position(&trace, "MP\n...\n2x SM.TRN"), (Other, 3, Some(3)));
    assert_eq!(position(&trace, "MP\n...\nSM.TRN\n...\n2x SM.TRN").0, Other);
    assert_eq!(
        position(&trace, "MP\n...\nSM.STATE\n...\nMP.GET"),
        (Missing, 5, None)
    );
}

#[test]
fn a_sequence_covers_a_part_of_the_trace() {
    let trace = trace(&request());
    passes(&trace, "after SM.TRN\nSM.STATE");
    passes(&trace, "from SM.TRN\nSM.TRN\nSM.STATE");
    passes(&trace, "from SM.TRN\nuntil SMA\nSM.TRN\nSM.STATE");
    passes(&trace, "after SM.TRN\nuntil SM.TRN\nignore SMA\nSM.STATE");
    // Without such a record it ends with the trace.
    passes(&trace, "from SM.TRN tst=idle\nuntil FWK.ASSERT\n2x SM");
    assert_eq!(
        position(&trace, "until SMA\nMP.GET\nSM.TRN"),
        (Missing, 3, None)
    );
}

#[test]
fn never_forbids_records() {
    let trace = trace(&request());
    assert_eq!(
        position(&trace, "never SM.STATE nxtst=busy\n..."),
        (Forbidden, 1, Some(3))
    );
    // Also where it would be expected, or is ignored.
    assert_eq!(
        position(&trace, "ignore *\nnever MP\nMP.GET\n..."),
        (Forbidden, 2, Some(0))
    );
    // Only between its neighbours, which may match it.
    passes(&trace, "MP\n...\nSM.TRN\nnever SM.TRN\n...\nSM.TRN\n...");
    passes(
        &trace,
        "MP\n...\nnever SM.TRN sst=busy\nSM.TRN sst=idle\n...",
    );
    assert_eq!(
        position(&trace, "MP\n...\nSM.TRN\nnever SMA.GET\n...\nSM.TRN\n..."),
        (Forbidden, 4, Some(4))
    );
    assert_eq!(
        position(&trace, "MP\n...\nSM.TRN\n...\nnever SM.STATE nxtst=idle"),
        (Forbidden, 5, Some(6))
    );
}

#[test]
fn within_limits_the_time() {
    let mut trace = trace(&request());
    passes(&trace, "MP\n...\nSM.TRN\nwithin 10 ticks\nSM.STATE\n...");
    passes(&trace, "within 20 ticks\n...\nSM.TRN\n...");
    passes(&trace, "after MP\nwithin 20 ticks\n...\nSM.TRN\n...");
    passes(&trace, "MP\n...\nSM.TRN\n...\nwithin 30 ticks\nSM.TRN\n...");
    let late = difference(&trace, "MP\n...\nSM.TRN\nwithin 29 ticks\n...\nSM.TRN\n...");
    assert_eq!((late.kind, late.line), (Late, 6));
    assert_eq!(late.reason, "came after 30 ticks, the limit is 29 ticks");
    assert_eq!(late.found.unwrap().event, 5);
    assert_eq!(
        position(&trace, "within 19 ticks\n...\nSM.TRN"),
        (Late, 3, Some(2))
    );
    // All repetitions, from the match before the first.
    passes(&trace, "ignore SM MP\nwithin 40 ticks\n2x SMA");
    assert_eq!(
        position(&trace, "ignore SM MP\nwithin 39 ticks\n2x SMA"),
        (Late, 3, Some(4))
    );
    trace.clock.set_frequency(Frequency::from_hertz(1000));
    passes(&trace, "MP\n...\nSM.TRN\nwithin 30ms\n...\nSM.TRN\n...");
    let late = difference(&trace, "MP\n...\nSM.TRN\nwithin 29.9 ms\n...\nSM.TRN\n...");
    assert_eq!(late.reason, "came after 30.000 ms, the limit is 29.000 ms");
}

#[test]
fn differences_are_described() {
    let difference = difference(&trace(&request()), "MP\nSMA\nSM\nSM\nSM.TRN");
    assert_eq!(
        difference.to_string(),
        "expected SM.TRN; found SMA.GET ao=\"log client\" sig=\"5\" nelem=0 pid=static (different kind)"
    );
}

#[test]
fn an_empty_trace_matches_no_records() {
    let trace = trace(&[]);
    passes(&trace, "...");
    assert_eq!(position(&trace, "SM.TRN"), (Missing, 1, None));
}
