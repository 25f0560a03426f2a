//! Runs `rtoscope check` with sequences of records, and on recordings with unit tests.

use crate::common::TestFolder;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

const HERE: TestFolder = TestFolder("rkh");

/// Runs the command, checks its exit code and returns its standard output.
fn text(arguments: &[&str], code: i32) -> String {
    HERE.run_with_exit_code(&[&["check"], arguments].concat(), code)
}

/// Runs the command, which must fail, and returns its standard error.
fn refusal(arguments: &[&str]) -> String {
    HERE.usage_error(&[&["check"], arguments].concat())
}

/// The results of a recording.
fn results(arguments: &[&str], code: i32) -> Vec<Value> {
    let arguments = [arguments, &["--format", "json"]].concat();
    let mut json: Value = serde_json::from_str(&text(&arguments, code)).unwrap();
    assert_eq!(json["schema"], "rtoscope/check/1");
    let results = json["recordings"][0]["results"].take();
    results.as_array().unwrap().clone()
}

/// A file with rules in a temporary folder.
pub(crate) fn rules(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.toml");
    fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap().to_owned();
    (folder, name)
}

/// A file with a rule about a sequence, whose lines begin in line 3.
pub(crate) fn sequence(lines: &str) -> (TempDir, String) {
    rules(&format!("[[rule]]\nsequence = '''\n{lines}'''\n"))
}

#[test]
fn unit_tests_in_a_recording_are_checked() {
    let expected = "\
ut.bin
  passed     unit test, line 38  11 of 11 expected
  failed     unit test, line 45  line 46: expected SM.TRN sst=* tst=a; found SM.TRN ao=uut sst=a tst=b (tst is b)
             uut  SM.TRN ao=uut sst=a tst=b  [event 46]
  failed     unit test, line 50  line 51: expected SM.GRD_FALSE; found no more records
3 checks: 1 passed, 2 failed
";
    let text = text(&["ut.bin"], 1);
    assert!(text.starts_with(expected), "{text}");
    assert!(refusal(&["nat_short.bin"]).contains("no unit tests"));
}

#[test]
fn each_occurrence_of_a_sequence_is_checked() {
    let expected = "\
nat_short.bin
  passed     a request is served         9 occurrences
  passed     a worker goes back to idle  3 of 3 expected
  passed     no pool runs dry
3 checks: 3 passed
";
    let all = ["nat_short.bin", "--rules", "nat_short.rules.toml"];
    assert_eq!(text(&all, 0), expected);
    // The first takes less than a second, and one more than two.
    let good = fs::read_to_string(HERE.folder().join("nat_short.rules.toml")).unwrap();
    let (_folder, tight) = rules(&good.replace("within 2.5s", "within 2s"));
    let tight = ["nat_short.bin", "--rules", &tight];
    let served = &results(&tight, 1)[0];
    assert_eq!([&served["occurrences"], &served["violations"]], [9, 1]);
    let worst = json!([{
        "subject": "server",
        "found": "line 22: expected SM.TRN sst=s_busy tst=s_ch; found SM.TRN ao=server \
            sst=s_busy tst=s_ch (came after 2.199 s, the limit is 2.000 s), \
            in the occurrence from event 688",
        "event": 795,
    }]);
    assert_eq!(served["worst"], worst);
    let options = ["--clock=1MHz", "-O", "clock-override"];
    let ticks = results(&[&tight[..], &options[..]].concat(), 0);
    assert_eq!(ticks[0]["outcome"], "passed");
}

#[test]
fn gaps_make_the_result_undecided() {
    let results = results(&["dmg_flip.bin", "--rules", "nat_short.rules.toml"], 3);
    let outcomes: Vec<_> = results.iter().map(|it| it["outcome"].clone()).collect();
    assert_eq!(outcomes, ["undecided", "passed", "undecided"]);
    let why = "records are missing before event 300";
    assert!(results[0]["message"].as_str().unwrap().contains(why));
    assert_eq!(results[2]["message"], why);
}

#[test]
fn sequences_are_checked_in_other_formats() {
    let (_folder, path) = sequence(
        "only thread.resume\nonly tx_queue_send context=sensor\n...\n\
         tx_queue_send queue=\"log queue\" wait_option=TX_NO_WAIT\n...\n",
    );
    let results = results(&["../threadx/cm3_system.trx", "--rules", &path], 0);
    assert_eq!(results[0]["name"], "sequence in line 3");
    assert_eq!(results[0]["message"], "39 occurrences");
}

#[test]
fn mistakes_in_sequences_have_a_position() {
    let (_folder, path) = sequence("# x\nSM.TRN sst=s_idel\n");
    let error = refusal(&["nat_short.bin", "--rules", &path]);
    let expected = "rules.toml: line 4: no value of this argument is called `s_idel`; \
        did you mean s_idle or w_idle?\n  SM.TRN sst=s_idel\n             ^^^^^^\n";
    assert!(error.ends_with(expected), "{error}");
    let (_folder, path) = sequence("SM.TRN sst\n");
    let error = refusal(&["nat_short.bin", "--rules", &path]);
    let expected = "rules.toml: line 3: expected an argument such as `ao=server`, or the end of \
        the line, found `sst`\n  SM.TRN sst\n         ^^^\n";
    assert!(error.ends_with(expected), "{error}");
    let (_folder, path) = rules("[[rule]]\nsequence = '...'\ntable = 'isr'\n");
    let error = refusal(&["nat_short.bin", "--rules", &path]);
    assert!(
        error.contains("line 1: a rule with `sequence` has no other keys"),
        "{error}"
    );
}
