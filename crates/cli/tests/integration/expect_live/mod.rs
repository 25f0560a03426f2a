//! Runs `rtoscope expect --live` with targets that wait for its answers.

mod filters;
mod target;

use crate::common::TestFolder;
use crate::common::live::Listening;
use crate::expect::spec;
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::net::{Shutdown, TcpListener};
use std::thread;
use std::time::Duration;
use target::{BUSY, IDLE, Message, Target};

fn start(arguments: &[&str]) -> Listening {
    Listening::start(&["expect", "--live"], arguments)
}

fn connected(checking: &Listening) -> Target {
    Target::start(checking.connect())
}

fn successes(lines: &[u32]) -> Vec<Message> {
    lines.iter().copied().map(Message::Success).collect()
}

const BUSY_SPEC: &str = "\
test \"goes to busy\"
only SM.TRN
SM.TRN sst=idle tst=busy
...
test \"comes back\"
only SM.TRN
after SM.TRN sst=idle
SM.TRN sst=busy tst=idle
...
";

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
PASS  line 10  1 of 1 expected
PASS  line 20  1 of 1 expected
2 tests: 2 passed
";
    assert_eq!(checked.output, expected);
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
    assert_eq!(json["schema"], "rtoscope/expect/1");
    assert_eq!([&json["passed"], &json["failed"]], [1, 1]);
    assert_eq!(json["tests"][0]["difference"]["reason"], "tst is busy");
    assert_eq!(json["tests"][0]["difference"]["found"]["event"], 6);
}

#[test]
fn tests_of_a_file_are_answered_one_by_one() {
    let (_folder, spec) = spec(BUSY_SPEC);
    let checking = start(&[&spec]);
    let mut target = connected(&checking);
    let machine = target.machine();
    let first = target.put(|it| it.sm_trn(machine, IDLE, BUSY));
    assert_eq!(first, Some(Message::Success(1)));
    let second = target.put(|it| it.sm_trn(machine, BUSY, IDLE));
    assert_eq!(second, Some(Message::Success(5)));
    // All tests are decided: the host ends.
    assert_eq!(target.receive(), None);
    let checked = checking.end();
    assert_eq!(checked.code, 0, "{}", checked.error);
    let expected = "\
PASS  goes to busy  1 of 1 expected
PASS  comes back  1 of 1 expected
2 tests: 2 passed
";
    assert_eq!(checked.output, expected);
}

#[test]
fn a_failing_test_of_a_file_is_answered() {
    let (_folder, spec) = spec(BUSY_SPEC);
    let checking = start(&[&spec, "--test", "goes"]);
    let mut target = connected(&checking);
    let machine = target.machine();
    let answer = target.put(|it| it.sm_trn(machine, BUSY, BUSY));
    let Some(Message::Fail(3, reason)) = answer else {
        panic!("{answer:?}");
    };
    assert!(
        reason.starts_with("expected SM.TRN sst=idle tst=busy; "),
        "{reason}"
    );
    let checked = checking.end();
    assert_eq!(checked.code, 1, "{}", checked.error);
    assert!(
        checked.output.ends_with("1 test: 1 failed\n"),
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
    let output = TestFolder("rkh").run(&["expect", "--live", &address]);
    assert_eq!(tested.join().unwrap().len(), 5);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(output.stdout.ends_with(b"1 test: 1 passed\n"));
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
        assert_eq!(reason, "1 record is missing before event 6");
        target.recorder.ut_cleanup(12);
        target.flush();
    }
    assert!(matches!(target.receive(), Some(Message::Success(12))));
    drop(target);
    let checked = checking.end();
    assert_eq!(checked.code, 3, "{}", checked.error);
    let inconclusive =
        "INCONCLUSIVE  line 10\n      because   1 record is missing before event 6\n";
    assert!(
        checked.output.starts_with(inconclusive),
        "{}",
        checked.output
    );
}

#[test]
fn a_damaged_record_is_answered_at_once() {
    for spec_text in [None, Some(BUSY_SPEC)] {
        let written = spec_text.map(spec);
        let arguments: Vec<&str> = written.iter().map(|(_, name)| name.as_str()).collect();
        let checking = start(&arguments);
        let mut target = connected(&checking);
        let machine = target.machine();
        if written.is_none() {
            target.put(|it| it.ut_init(10)).unwrap();
            target.put(|it| it.ut_ignore_group(11, 3)).unwrap();
        }
        target.recorder.sm_trn(machine, BUSY, BUSY);
        let mut bytes = target.take();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        target.stream.write_all(&bytes).unwrap();
        let answer = target.receive();
        assert!(matches!(answer, Some(Message::Fail(..))), "{answer:?}");
        if written.is_none() {
            // There is one answer a record.
            let answer = target.put(|it| it.ut_cleanup(12));
            assert!(matches!(answer, Some(Message::Fail(..))), "{answer:?}");
        } else {
            // The other test has not begun.
            drop(target);
            let checked = checking.end();
            assert_eq!(checked.code, 3, "{}", checked.error);
            let found = "because   records are missing before event 4";
            assert!(checked.output.contains(found), "{}", checked.output);
            continue;
        }
        drop(target);
        let checked = checking.end();
        assert_eq!(checked.code, 3, "{}", checked.error);
    }
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
    assert!(
        checked.error.contains("before every test was decided"),
        "{}",
        checked.error
    );
    let because = "because   the stream ended before the test was decided";
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
    let because = "because   the recording lacks the end of the test";
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
    assert_eq!(checked.code, 2, "{}", checked.output);
    let silent = "the target has sent nothing for 2s before every test was decided";
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
    let _ = target.write_all(&buffer);
    let checked = checking.end();
    assert_eq!(checked.code, 2);
    assert!(
        checked
            .error
            .contains("has no unit tests; pass a test file"),
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
fn unknown_names_are_no_success() {
    let (_folder, spec) = spec("never SM.TRN tst=busy_\n...\n");
    let checking = start(&[&spec]);
    let mut target = connected(&checking);
    let machine = target.machine();
    target.recorder.sm_trn(machine, IDLE, BUSY);
    target.flush();
    // It closes the connection once everything is read.
    target.stream.shutdown(Shutdown::Write).unwrap();
    let checked = checking.end();
    assert_eq!(checked.code, 2, "{}", checked.output);
    let problem = "no value of this argument is called `busy_`; did you mean busy?";
    assert!(checked.error.contains(problem), "{}", checked.error);
    let because = "because   a name in line 1 of the spec is not known";
    assert!(checked.output.contains(because), "{}", checked.output);
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
fn sources_that_take_no_answers_are_refused() {
    let error = TestFolder("rkh").usage_error(&["expect", "--live", "ut.bin"]);
    let expected = "file:ut.bin: nothing can be sent to this source";
    assert!(error.contains(expected), "{error}");
    let arguments = ["expect", "--live", "ut.bin", "--no-answers"];
    let output = TestFolder("rkh").run_with_exit_code(&arguments, 1);
    // As for the finished recording.
    let recorded = TestFolder("rkh").run_with_exit_code(&["expect", "ut.bin"], 1);
    assert_eq!(output, recorded);
    let error = TestFolder("rkh").usage_error(&["expect", "--live", "-", "a.spec", "b.spec"]);
    assert!(error.contains("--live"), "{error}");
}

#[test]
fn a_stream_in_parts_has_the_results_of_the_recording() {
    let rkh = TestFolder("rkh");
    for (file, spec) in [
        ("nat_short.bin", Some("nat_short.spec")),
        ("ut.bin", None),
        ("dmg_flip.bin", None),
    ] {
        let recorded: Vec<&str> = ["expect", file]
            .into_iter()
            .chain(spec)
            .chain(["--format", "json"])
            .collect();
        let recorded = rkh.run(&recorded);
        let spec = spec.map(|spec| rkh.folder().join(spec));
        let mut arguments = vec!["--no-answers", "--format", "json"];
        arguments.extend(spec.as_ref().and_then(|spec| spec.to_str()));
        let checking = start(&arguments);
        let mut target = checking.connect();
        for part in fs::read(rkh.folder().join(file)).unwrap().chunks(701) {
            let _ = target.write_all(part);
            thread::sleep(Duration::from_millis(2));
        }
        drop(target);
        let checked = checking.end();
        assert_eq!(Some(checked.code), recorded.status.code(), "{file}");
        if recorded.stdout.is_empty() {
            // It has no tests.
            continue;
        }
        let tests = |json: &[u8]| {
            let mut json: Value = serde_json::from_slice(json).unwrap();
            let tests = json["tests"].take();
            let mut tests = tests.as_array().unwrap().clone();
            tests.sort_by_key(|test| test["line"].as_u64());
            tests
        };
        assert_eq!(
            tests(checked.output.as_bytes()),
            tests(&recorded.stdout),
            "{file}"
        );
    }
}
