//! Filters of running targets, set from the host.

use super::start;
use super::target::{BUSY, IDLE, Message, Target};
use crate::common::TestFolder;
use crate::common::live::Listening;

const SETTINGS: &str = "all=off,SM.TRN=on,ao:1=on,signal:*=on,ao:2=off";

/// Receives the messages of `SETTINGS`.
fn receive_settings(target: &mut Target) {
    for _ in SETTINGS.split(',') {
        assert_eq!(target.receive(), Some(Message::Filter));
    }
}

#[test]
fn filters_are_set_before_the_tests() {
    let checking = start(&["--target-filter", SETTINGS]);
    let mut target = Target::start_filtered(checking.connect());
    receive_settings(&mut target);
    let machine = target.machine();
    let answers = [
        target.put(|it| it.ut_init(10)),
        target.put(|it| it.ut_expect(11, rtoscope_record::rkh::ExpectedEvent::Trn(IDLE, BUSY))),
        target.put(|it| {
            // Only one of these passes.
            it.sm_dch(machine, 3, IDLE);
            it.sma_term(machine, 1);
            it.sm_trn(machine, IDLE, BUSY);
        }),
        target.put(|it| it.ut_cleanup(12)),
    ];
    assert_eq!(
        answers,
        [10, 11, 0, 12].map(|line| Some(Message::Success(line)))
    );
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 0, "{}", checked.error);
}

#[test]
fn filters_are_set_in_a_capture() {
    let arguments = ["--limit", "5", "--columns", "kind", "--format", "csv"];
    let arguments = [&arguments[..], &["--target-filter", SETTINGS]].concat();
    let checking = Listening::start(&["live"], &arguments);
    let mut target = Target::start_filtered(checking.connect());
    receive_settings(&mut target);
    let machine = target.machine();
    for _ in 0..2 {
        target.recorder.sm_dch(machine, 3, IDLE);
        target.recorder.sm_trn(machine, IDLE, BUSY);
    }
    target.flush();
    // The configuration, three names, and the first transition.
    let checked = checking.end();
    assert_eq!(checked.code, 0, "{}", checked.error);
    let last = checked.output.lines().last();
    assert_eq!(last, Some("SM TRN"), "{}", checked.output);
    assert!(!checked.output.contains("DCH"), "{}", checked.output);
}

#[test]
fn wrong_settings_are_refused() {
    let refusal = |arguments: &[&str]| TestFolder("rkh").usage_error(arguments);
    let setting = ["--target-filter", "SM.TRX=on"];
    for command in [
        &["live", "tcp://localhost:1"][..],
        &["check", "--live", "tcp://localhost:1"],
    ] {
        let error = refusal(&[command, &setting].concat());
        assert!(error.contains("did you mean SM.TRN?"), "{error}");
    }
    let error = refusal(&["live", "ut.bin", "--target-filter", "SM=on"]);
    assert!(
        error.contains("nothing can be sent to file:ut.bin"),
        "{error}"
    );
    let threadx = ["--input-format", "threadx", "--target-filter", "SM=on"];
    let error = refusal(&[&["live", "tcp://localhost:1"][..], &threadx].concat());
    assert!(error.contains("take no commands: threadx"), "{error}");
    let error = refusal(&["check", "ut.bin", "--target-filter", "SM=on"]);
    assert!(error.contains("need --live"), "{error}");
}
