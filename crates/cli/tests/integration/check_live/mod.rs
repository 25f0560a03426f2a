//! Runs `rtoscope check --live` with targets that wait for its answers.

mod filters;
mod target;

use crate::check_sequences::sequence;
use crate::common::TestFolder;
use crate::common::live::Listening;
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::net::{Shutdown, TcpListener};
use std::thread;
use target::{BUSY, IDLE, Message, Target};

fn start(arguments: &[&str]) -> Listening {
    Listening::start(&["check", "--live"], arguments)
}

fn connected(checking: &Listening) -> Target {
    Target::start(checking.connect())
}

fn successes(lines: &[u32]) -> Vec<Message> {
    lines.iter().copied().map(Message::Success).collect()
}

#[test]
fn passing_tests_of_the_target_are_answered() {
    let checking = start(&[]);
    let mut target = connected(&checking);
    assert_eq!(target.run_test(10, BUSY), successes(&[10, 11, 0, 12, 13]));
    assert_eq!(target.run_test(20, BUSY), successes(&[20, 21, 0, 22, 23]));
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 0, "{}", checked.error);
    let expected = "\
  passed     unit test, line 10  1 of 1 expected
  passed     unit test, line 20  1 of 1 expected
2 checks: 2 passed
";
    assert!(checked.output.ends_with(expected), "{}", checked.output);
}

#[test]
fn a_failing_test_is_answered_at_its_record() {
    let checking = start(&["--format", "json"]);
    let mut target = connected(&checking);
    let answers = target.run_test(10, IDLE);
    assert_eq!(answers[..2], successes(&[10, 11]));
    for answer in &answers[2..] {
        let Message::Fail(11, reason) = answer else {
            panic!("{answer:?}");
        };
        assert!(
            reason.starts_with("expected SM.TRN sst=idle tst=idle"),
            "{reason}"
        );
    }
    // The next test starts anew.
    assert_eq!(
        target.run_test(20, BUSY).last(),
        Some(&Message::Success(23))
    );
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 1, "{}", checked.error);
    let json: Value = serde_json::from_str(&checked.output).unwrap();
    assert_eq!([&json["passed"], &json["failed"]], [1, 1]);
    let failed = &json["recordings"][0]["results"][0];
    let message = failed["message"].as_str().unwrap();
    assert!(
        message.starts_with("line 11: expected SM.TRN sst=idle tst=idle"),
        "{message}"
    );
    assert_eq!(failed["worst"][0]["event"], 6);
}

#[test]
fn rules_are_checked_on_what_a_target_sends() {
    let (_folder, rules) = sequence("after SM.TRN sst=idle\n...\nSM.TRN sst=busy tst=idle\n");
    let checking = start(&["--rules", &rules]);
    let mut target = connected(&checking);
    let machine = target.machine();
    for to in [IDLE, BUSY, IDLE] {
        target.recorder.sm_trn(machine, IDLE, BUSY);
        target.recorder.sm_trn(machine, BUSY, to);
        target.flush();
    }
    // It closes the connection once everything is read.
    target.stream.shutdown(Shutdown::Write).unwrap();
    let checked = checking.end();
    assert_eq!(checked.code, 0, "{}", checked.error);
    assert!(
        checked.output.contains("  3 occurrences\n"),
        "{}",
        checked.output
    );
}

#[test]
fn rtoscope_connects_to_a_target_that_listens() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    let tested = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        Target::start(stream).run_test(10, BUSY)
    });
    let output = TestFolder("rkh").run(&["check", "--live", &address]);
    assert_eq!(tested.join().unwrap().len(), 5);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(output.stdout.ends_with(b"1 check: 1 passed\n"));
}

#[test]
fn missing_records_are_never_success() {
    let checking = start(&[]);
    let mut target = connected(&checking);
    let machine = target.machine();
    target.put(|it| it.ut_init(10)).unwrap();
    target.put(|it| it.ut_ignore_group(11, 3)).unwrap();
    // The target loses a record.
    target.recorder.sm_trn(machine, IDLE, BUSY);
    target.take();
    let answer = target.put(|it| it.sm_trn(machine, BUSY, IDLE));
    let lost = "the record was lost or damaged".to_owned();
    assert_eq!(answer, Some(Message::Fail(0, lost)));
    // The second answer is to the record itself.
    for _ in 0..2 {
        let Some(Message::Fail(10, reason)) = target.receive() else {
            panic!("not a failure");
        };
        assert_eq!(reason, "records are missing before event 6");
        target.recorder.ut_cleanup(12);
        target.flush();
    }
    assert!(matches!(target.receive(), Some(Message::Success(12))));
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 3, "{}", checked.error);
    let undecided = "undecided  unit test, line 10  records are missing before event 6\n";
    assert!(checked.output.contains(undecided), "{}", checked.output);
}

#[test]
fn a_damaged_record_is_answered_at_once() {
    let checking = start(&[]);
    let mut target = connected(&checking);
    let machine = target.machine();
    target.put(|it| it.ut_init(10)).unwrap();
    target.put(|it| it.ut_ignore_group(11, 3)).unwrap();
    target.recorder.sm_trn(machine, BUSY, BUSY);
    let mut bytes = target.take();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    target.stream.write_all(&bytes).unwrap();
    let answer = target.receive();
    assert!(matches!(answer, Some(Message::Fail(..))), "{answer:?}");
    // There is one answer a record.
    let answer = target.put(|it| it.ut_cleanup(12));
    assert!(matches!(answer, Some(Message::Fail(..))), "{answer:?}");
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 3, "{}", checked.error);
}

#[test]
fn a_dropped_connection_decides_nothing() {
    let checking = start(&[]);
    let mut target = connected(&checking);
    target.put(|it| it.ut_init(10)).unwrap();
    target.put(|it| it.ut_expect(11, target::ANY)).unwrap();
    // Unread bytes make the system reset the connection.
    target.recorder.ut_verify(12);
    target.flush();
    target.wait_for_bytes();
    drop(target);
    let checked = checking.end();
    assert_eq!(
        checked.code, 1,
        "the check failed before: {}",
        checked.error
    );
    let checking = start(&[]);
    let mut target = connected(&checking);
    target.put(|it| it.ut_init(10)).unwrap();
    target.recorder.ut_expect(11, target::ANY);
    target.flush();
    target.wait_for_bytes();
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 2, "{}", checked.output);
    let expected = "the connection to the target was lost";
    assert!(checked.error.contains(expected), "{}", checked.error);
    let because = "the recording lacks the end of the test";
    assert!(checked.output.contains(because), "{}", checked.output);
}

#[test]
fn a_target_that_closes_early_leaves_its_test_open() {
    let checking = start(&[]);
    let mut target = connected(&checking);
    target.put(|it| it.ut_init(10)).unwrap();
    target.put(|it| it.ut_expect(11, target::ANY)).unwrap();
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 3, "{}", checked.error);
    let because = "the recording lacks the end of the test";
    assert!(checked.output.contains(because), "{}", checked.output);
}

#[test]
fn a_silent_target_is_given_up() {
    let checking = start(&["--timeout", "300ms"]);
    let checked = checking.end();
    assert_eq!(checked.code, 2);
    assert!(
        checked.error.contains("nothing was received in 300ms"),
        "{}",
        checked.error
    );

    let checking = start(&["--timeout", "2s"]);
    let mut target = connected(&checking);
    target.put(|it| it.ut_init(10)).unwrap();
    target.put(|it| it.ut_expect(11, target::ANY)).unwrap();
    assert_eq!(target.receive(), None);
    let checked = checking.end();
    assert_eq!(checked.code, 3, "{}", checked.output);
    let silent = "the target has sent nothing for 2s";
    assert!(checked.error.contains(silent), "{}", checked.error);

    // After the end of a test, silence is the end: a serial line has no other.
    let checking = start(&["--timeout", "2s"]);
    let mut target = connected(&checking);
    target.run_test(10, BUSY);
    let checked = checking.end();
    assert_eq!(checked.code, 0, "{}", checked.error);
    drop(target);
}

#[test]
fn other_streams_are_refused() {
    let checking = start(&[]);
    let mut target = checking.connect();
    target.write_all(&[b'x'; 5000]).unwrap();
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 2);
    assert!(
        checked
            .error
            .contains("unknown format of the 5000 received bytes"),
        "{}",
        checked.error
    );

    let checking = start(&[]);
    let buffer = fs::read(TestFolder("threadx").folder().join("cm3_short.trx")).unwrap();
    let mut target = checking.connect();
    target.write_all(&buffer).unwrap();
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 2);
    assert!(
        checked.error.contains("nothing to check"),
        "{}",
        checked.error
    );

    // It sends for ever, but nothing that can be decoded.
    let checking = start(&[]);
    let mut target = checking.connect();
    while target.write_all(&[b'x'; 4096]).is_ok() {}
    let checked = checking.end();
    assert_eq!(checked.code, 2);
    assert!(
        checked.error.contains("unknown format"),
        "{}",
        checked.error
    );
}

#[test]
fn a_target_that_takes_no_answers_is_reported() {
    // A test for each record would be answered; the target reads none of them.
    let checking = start(&[]);
    let mut target = connected(&checking);
    target.put(|it| it.ut_init(10)).unwrap();
    let machine = target.machine();
    for _ in 0..40 {
        for _ in 0..50 {
            target.recorder.sma_act(machine, 1, 1);
        }
        target.flush();
    }
    drop(target);
    // Whether the system resets the connection depends on what the host had sent.
    let checked = checking.end();
    assert!(matches!(checked.code, 2 | 3), "{}", checked.error);
}

#[test]
fn a_stream_in_parts_has_the_results_of_the_recording() {
    let rkh = TestFolder("rkh");
    let rules = ["--rules", "nat_short.rules.toml"];
    for (file, rules) in [
        ("nat_short.bin", &rules[..]),
        ("ut.bin", &[]),
        ("dmg_flip.bin", &rules[..]),
    ] {
        let format = ["--format", "json"];
        let recorded = rkh.run(&[&["check", file], rules, &format].concat());
        let path = rkh.folder().join("nat_short.rules.toml");
        let rules = rules.iter().map(|word| match word.ends_with("toml") {
            true => path.to_str().unwrap(),
            false => word,
        });
        let checking = start(&rules.chain(format).collect::<Vec<_>>());
        let mut target = checking.connect();
        // Answers would fill the buffers of a target that does not read them.
        let mut answers = target.try_clone().unwrap();
        let reader = thread::spawn(move || std::io::copy(&mut answers, &mut std::io::sink()));
        for part in fs::read(rkh.folder().join(file)).unwrap().chunks(701) {
            target.write_all(part).unwrap();
        }
        target.shutdown(Shutdown::Write).unwrap();
        let checked = checking.end();
        reader.join().unwrap().unwrap();
        assert_eq!(Some(checked.code), recorded.status.code(), "{file}");
        let results = |json: &[u8]| {
            let mut json: Value = serde_json::from_slice(json).unwrap();
            json["recordings"][0]["results"].take()
        };
        let output = results(checked.output.as_bytes());
        assert_eq!(output, results(&recorded.stdout), "{file}");
    }
    // A file is a source, too.
    let output = rkh.run_with_exit_code(&["check", "--live", "ut.bin"], 1);
    assert!(
        output.contains("3 checks: 1 passed, 2 failed\n"),
        "{output}"
    );
    let error = rkh.usage_error(&["check", "--live", "ut.bin", "nat_short.bin"]);
    assert!(error.contains("--live: expected one source"), "{error}");
}
