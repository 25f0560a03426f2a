//! Dropped frames: what the command says of logs with 90 frames. 31 and 64 were never
//! shown, and 50 was late.

use rtoscope_fixtures::testdata;
use serde_json::Value;
use std::process::Command;

/// Runs the command in the folder of the logs.
fn run(command: &str, log: [&str; 3], options: &[&str]) -> String {
    let [name, start, end] = log;
    let mut rtoscope = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    rtoscope
        .current_dir(testdata("dropped-frame"))
        .args([command, name, "--clock", "240MHz"])
        .args(["-O", "log-base=0x80000000", "-O", "log-cyclic=false"])
        .args(["-O", &format!("log-start={start}")])
        .args(["-O", &format!("log-end={end}")])
        .args(["-O", &format!("log-current={end}")])
        .args(options);
    let output = rtoscope.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

const PLAIN: [&str; 3] = ["p0.bin", "0x80000040", "0x800027e0"];
const MARKED: [&str; 3] = ["s1.bin", "0x80000050", "0x80005490"];
const WAKES: [&str; 3] = ["wake.bin", "0x80000020", "0x80001100"];

fn findings(document: &Value) -> Vec<&str> {
    let all = document["findings"].as_array().unwrap();
    let message = |it: &Value| it["severity"] != "note";
    let all = all.iter().filter(|it| message(it));
    all.map(|it| it["message"].as_str().unwrap()).collect()
}

#[test]
fn dropped_items_have_causes_and_rank_above_late_ones() {
    let options = ["--config", "s1.toml", "--format", "json", "pipeline"];
    let document: Value = serde_json::from_str(&run("report", MARKED, &options)).unwrap();
    let misses = document["pipeline"][0]["misses"].as_array().unwrap();
    let found: Vec<_> = misses
        .iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap_or_default();
            let item = it["item"].as_u64().unwrap();
            (
                item,
                text("outcome"),
                text("stage"),
                text("cause"),
                text("culprit"),
            )
        })
        .collect();
    let expected = [
        (
            31,
            "dropped",
            "encode",
            "preempted by network for 9.000 ms",
            "network",
        ),
        (
            50,
            "late",
            "encode",
            "interrupts off at 0x80010260 for 7.000 ms",
            "encoder",
        ),
        (
            64,
            "dropped",
            "encode",
            "preempted by network for 9.000 ms",
            "network",
        ),
    ];
    assert_eq!(found, expected);
    let first = findings(&document)[0];
    assert!(first.contains("item 31 was dropped after 17.138 ms in encode: preempted by network"));
}

#[test]
fn deadlines_blame_what_disturbs() {
    let options = ["--config", "p0.toml", "--format", "json", "deadlines"];
    let document: Value = serde_json::from_str(&run("report", PLAIN, &options)).unwrap();
    let rows = document["deadlines"].as_array().unwrap();
    let late = |row: &Value| -> Vec<String> {
        let misses = row["misses"].as_array().unwrap().iter();
        let causes = misses.map(|it| it["cause"].as_str().unwrap().to_owned());
        causes.filter(|cause| cause.contains(" late: ")).collect()
    };
    assert_eq!(
        late(&rows[0]),
        [
            "started 16.476 ms late: off the core, which ran network for 9.000 ms",
            "started 5.858 ms late: interrupts off at 0x80010260 for 7.000 ms",
            "started 16.503 ms late: off the core, which ran network for 9.000 ms",
        ]
    );
    // It continues where it was preempted.
    assert_eq!(late(&rows[1]), Vec::<String>::new());
    assert_ne!(rows[1]["verdict"], "missed");
}

#[test]
fn cycles_name_the_frames_without_declarations() {
    let text = run("report", PLAIN, &["cycles"]);
    insta::assert_snapshot!("cycles", text);
    let document: Value =
        serde_json::from_str(&run("report", PLAIN, &["--format", "json"])).unwrap();
    assert_eq!(
        findings(&document),
        [
            "cycle 31 of 0x80020000: network ran 9.000 ms longer; display did not run",
            "cycle 50 of 0x80020000: interrupts off at 0x80010260: 7.000 ms longer",
            "cycle 64 of 0x80020000: network ran 9.000 ms longer; display did not run",
        ]
    );
    let by_encoder = run("report", PLAIN, &["cycles", "--anchor", "encoder"]);
    assert!(
        by_encoder.contains("network ran 9.000 ms longer"),
        "{by_encoder}"
    );
}

#[test]
fn wakes_at_each_exception_are_sound() {
    let text = run("doctor", WAKES, &[]);
    assert!(text.contains("sleep-and-wake"), "{text}");
    assert!(!text.contains("failed  "), "{text}");
    assert!(run("report", WAKES, &[]).contains("14.700 ms"));
}
