//! Runs `rtoscope expect`.

use crate::common::TestFolder;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

const HERE: TestFolder = TestFolder("rkh");

/// Runs the command, checks its exit code and returns its standard output.
fn text(arguments: &[&str], code: i32) -> String {
    HERE.run_with_exit_code(&[&["expect"], arguments].concat(), code)
}

/// Runs the command, which must fail, and returns its standard error.
fn refusal(arguments: &[&str]) -> String {
    HERE.usage_error(&[&["expect"], arguments].concat())
}

fn json(arguments: &[&str], code: i32) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    let json: Value = serde_json::from_str(&text(&arguments, code)).unwrap();
    assert_eq!(json["schema"], "rtoscope/expect/1");
    json
}

/// A test file in a temporary folder.
pub(crate) fn spec(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tests.spec");
    fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap().to_owned();
    (folder, name)
}

#[test]
fn stream_with_embedded_tests() {
    let expected = "\
PASS  line 38  11 of 11 expected
FAIL  line 45  1 of 2 expected
      before    event 45 at 981.000 ms  SM.DCH ao=uut sig=SA st=a   (line 46)
      expected  line 46                 SM.TRN sst=* tst=a
      found     event 46 at 1.009 s     SM.TRN ao=uut sst=a tst=b   (tst is b)
FAIL  line 50  2 of 3 expected
      before    event 61 at 1.409 s  SM.DCH ao=uut sig=SC st=b   (line 51)
      before    event 62 at 1.443 s  SM.EVT_NFOUND ao=uut sig=SC   (line 51)
      expected  line 51              SM.GRD_FALSE
      found     the end              no match
3 tests: 1 passed, 2 failed
";
    assert_eq!(text(&["ut.bin"], 1), expected);
    let one = "PASS  line 38  11 of 11 expected\n1 test: 1 passed\n";
    assert_eq!(text(&["ut.bin", "--test", "*38"], 0), one);
}

#[test]
fn tests_from_a_file() {
    let expected = "\
PASS  a request is served         11 of 11 expected
PASS  a worker goes back to idle  3 of 3 expected
PASS  no pool runs dry
3 tests: 3 passed
";
    assert_eq!(text(&["nat_short.bin", "nat_short.spec"], 0), expected);
    let one = "PASS  no pool runs dry\n1 test: 1 passed\n";
    let arguments = ["nat_short.bin", "nat_short.spec", "--test", "pool"];
    assert_eq!(text(&arguments, 0), one);
}

#[test]
fn late_event_fails() {
    let good = fs::read_to_string(HERE.folder().join("nat_short.spec")).unwrap();
    let (_folder, tight) = spec(&good.replace("within 2s", "within 100ms"));
    let text = text(&["nat_short.bin", &tight], 1);
    let reason = "(came after 935.000 ms, the limit is 100.000 ms)";
    assert!(text.contains(reason), "{text}");
    let options = ["--clock=1MHz", "-O", "clock-override"];
    let ticks = json(&[&["nat_short.bin", &*tight], &options[..]].concat(), 0);
    assert_eq!(ticks["passed"], 3);
}

#[test]
fn gaps_make_the_result_unknown() {
    let json = json(&["dmg_flip.bin", "nat_short.spec"], 3);
    assert_eq!([&json["passed"], &json["inconclusive"]], [1, 2]);
    let doubt = json!({
        "kind": "missing-records",
        "gaps": 1,
        "missing": 1,
        "before_event": 300,
    });
    assert_eq!(json["tests"][0]["uncertainty"], doubt);
    assert_eq!(json["tests"][0]["difference"], Value::Null);
    assert_eq!(json["tests"][1]["outcome"], "pass");
    let text = text(&["dmg_flip.bin", "nat_short.spec"], 3);
    let expected = "\
INCONCLUSIVE  a request is served         11 of 11 expected
      because   1 record is missing before event 300
PASS          a worker goes back to idle  3 of 3 expected
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn expect_accepts_other_formats() {
    let (_folder, path) = spec(
        "only thread.resume\nonly tx_queue_send context=sensor\n...\n\
         tx_queue_send queue=\"log queue\" wait_option=TX_NO_WAIT\n...\n",
    );
    let expected = "PASS  line 3  1 of 1 expected\n1 test: 1 passed\n";
    assert_eq!(text(&["../threadx/cm3_system.trx", &path], 0), expected);
}

#[test]
fn answers_are_written_for_the_target() {
    let output = HERE.run(&["expect", "ut.bin", "--answers", "-"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.ends_with("3 tests: 1 passed, 2 failed\n"),
        "{stderr}"
    );
    // The id and the line of each answer.
    let answers = |bytes: &[u8]| -> Vec<[u8; 2]> {
        let frames = bytes.split(|byte| *byte == 0x7E);
        let frames = frames.filter(|frame| !frame.is_empty());
        frames.map(|frame| [frame[0], frame[1]]).collect()
    };
    assert_eq!(
        answers(&output.stdout),
        [[0xE8, 38], [0xE9, 46], [0xE9, 53]]
    );

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers.bin");
    let path = path.to_str().unwrap();
    text(&["nat_short.bin", "nat_short.spec", "--answers", path], 0);
    let answered = answers(&fs::read(path).unwrap());
    assert_eq!(answered, [[0xE8, 6], [0xE8, 28], [0xE8, 36]]);
}

#[test]
fn spec_errors_have_a_position() {
    let (_folder, path) = spec("# x\nSM.TRN sst=s_idel\n");
    let error = refusal(&["nat_short.bin", &path]);
    let expected = format!(
        "rtoscope: {path}: line 2: no value of this argument is called `s_idel`; \
         did you mean s_idle or w_idle?\n  SM.TRN sst=s_idel\n             ^^^^^^\n"
    );
    assert_eq!(error, expected);
    let (_folder, path) = spec("SM.TRN sst\n");
    assert!(refusal(&["nat_short.bin", &path]).contains("found `sst`"));
    let (folder, path) = spec("...\n");
    assert!(refusal(&["nat_short.bin", &path, "--test", "x"]).contains("no test name matches"));
    assert!(refusal(&["nat_short.bin"]).contains("has no unit tests"));
    assert!(refusal(&["../threadx/cm3_system.trx"]).contains("has no unit tests"));
    assert!(refusal(&["nat_short.bin", "no such file"]).contains("no such file"));
    fs::write(&path, b"SM.TRN \xFF\n").unwrap();
    assert!(refusal(&["nat_short.bin", &path]).contains("invalid utf-8"));
    let copy = folder.path().join("copy.bin");
    fs::copy(HERE.folder().join("ut.bin"), &copy).unwrap();
    let copy = copy.to_str().unwrap();
    assert!(refusal(&[copy, "--answers", copy]).contains("would overwrite"));
}
