//! Generates traces of every format through the command.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn rtoscope(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::cargo_bin("rtoscope").unwrap();
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    output.stdout
}

fn refusal(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("rtoscope").unwrap();
    let output = command.arg("generate").args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_slice(&rtoscope(folder, arguments)).unwrap()
}

fn truth(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("truth.json")).unwrap()).unwrap()
}

/// Generates `trace` and `truth.json`, and returns the truth and the report.
fn generated(folder: &Path, options: &[&str]) -> (Value, Value) {
    let always = ["generate", "--output", "trace", "--truth", "truth.json"];
    rtoscope(folder, &[&always, options].concat());
    let report = json(folder, &["report", "trace", "--format", "json"]);
    (truth(folder), report)
}

#[test]
fn generated_log_matches_its_ground_truth() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for options in [
        &[][..],
        &["--cores", "2", "--threads", "9", "--shared-objects"],
    ] {
        let kind = ["--kind", "cswitch", "--events", "20000", "--seed", "5"];
        let (truth, report) = generated(folder, &[&kind, options].concat());
        assert_eq!(truth["schema"], "rtoscope/truth-cswitch/2");
        assert_eq!(report["events"], 20_000);
        assert_eq!(report["span_ticks"], truth["span_ticks"]);
        let found = &report["context_switches"];
        for (ours, theirs) in [
            ("/idle/ticks", "/idle/ticks"),
            ("/idle/periods", "/idle/periods"),
            ("/kernel/ticks", "/kernel_ticks"),
            ("/dispatches", "/dispatches"),
            ("/context_switches", "/context_switches"),
            ("/interrupts_off/count", "/interrupts_off/count"),
            ("/interrupts_off/ticks", "/interrupts_off/ticks"),
            ("/interrupts_off/duration/max", "/interrupts_off/max_ticks"),
        ] {
            let found = found.pointer(ours).and_then(Value::as_u64);
            assert!(found.is_some_and(|found| found > 0), "{ours}");
            assert_eq!(
                found,
                truth.pointer(theirs).and_then(Value::as_u64),
                "{ours}"
            );
        }
        let handlers = found["handlers"].as_array().unwrap().iter();
        let mut handlers: Vec<_> = handlers
            .map(|it| {
                (
                    it["name"].to_string(),
                    it["activations"].clone(),
                    it["ticks"].clone(),
                )
            })
            .collect();
        handlers.sort_by(|one, other| one.0.cmp(&other.0));
        let expected = truth["handlers"].as_array().unwrap().iter();
        let mut expected: Vec<_> = expected
            .map(|it| {
                (
                    it["name"].to_string(),
                    it["activations"].clone(),
                    it["self_ticks"].clone(),
                )
            })
            .collect();
        expected.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(handlers, expected);
    }
}

#[test]
fn limited_log_keeps_its_end_or_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let kind = [
        "--kind",
        "cswitch",
        "--events",
        "5000",
        "--capacity",
        "1200",
    ];
    let (cyclic, report) = generated(folder, &kind);
    assert_eq!(report["events"], 1200);
    assert_eq!(cyclic["logs"][0]["overwritten"], 3800);
    let (one_shot, report) = generated(folder, &[&kind[..], &["--one-shot"]].concat());
    assert_eq!(report["events"], 1200);
    assert_eq!(one_shot["logs"][0]["lost"], 3800);
    rtoscope(
        folder,
        &[&["generate", "--raw", "-o", "trace"], &kind[..]].concat(),
    );
    let raw = std::fs::read(folder.join("trace")).unwrap();
    assert_eq!(raw.len() % 1200, 0);
    let info = json(folder, &["info", "trace", "--format", "json"]);
    assert_eq!(
        (&info["format"], &info["events"]),
        (&"cswitch".into(), &1200.into())
    );
}

#[test]
fn generated_stream_matches_its_ground_truth() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let kind = [
        "--kind", "rkh", "--events", "30000", "--pumps", "6", "--load", "35",
    ];
    let (truth, report) = generated(folder, &kind);
    assert_eq!(truth["schema"], "rtoscope/truth-rkh/2");
    assert_eq!(
        (&report["events"], &truth["lost"]),
        (&30_000.into(), &0.into())
    );
    assert_eq!(report["span_ticks"], truth["span_ticks"]);
    let pairs = report["active"]
        .as_array()
        .unwrap()
        .iter()
        .zip(truth["objects"].as_array().unwrap());
    assert_eq!(pairs.len(), 7);
    for (found, truth) in pairs {
        for name in [
            "name",
            "posted",
            "steps",
            "deferred",
            "recalled",
            "busy_ticks",
        ] {
            assert_eq!(found[name], truth[name], "{name}");
        }
        for name in ["processed", "unhandled"] {
            assert_eq!(found["endings"][name], truth["endings"][name], "{name}");
        }
        assert!(truth["posted"].as_u64() > Some(50), "{truth}");
    }
}

#[test]
fn generated_losses_are_detected() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let kind = ["--kind", "rkh", "--events", "30000", "--lose"];
    let (truth, report) = generated(folder, &kind);
    let lost = truth["lost"].as_u64().unwrap();
    assert!(lost > 100, "{lost}");
    assert_eq!(report["events"].as_u64(), Some(30_000 - lost));
    let info = json(folder, &["info", "trace", "--format", "json"]);
    let gaps = info["gaps"].as_array().unwrap().len() as u64;
    assert!(truth["gaps"].as_u64().unwrap() - gaps <= 1);
}

#[test]
fn generation_is_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["threadx", "rkh", "cswitch"] {
        let trace = |seed| {
            let arguments = [
                "generate", "--kind", kind, "--events", "3000", "--seed", seed,
            ];
            rtoscope(folder.path(), &arguments)
        };
        assert_eq!(trace("3"), trace("3"), "{kind}");
        assert_ne!(trace("3"), trace("4"), "{kind}");
    }
    // The default format.
    let plain = rtoscope(folder.path(), &["generate"]);
    let threadx = rtoscope(folder.path(), &["generate", "--kind", "threadx"]);
    assert_eq!(plain, threadx);
}

#[test]
fn options_of_another_format_are_refused() {
    let refused = refusal(&["--kind", "rkh", "--cores", "2"]);
    assert!(refused.contains("--cores"), "{refused}");
    let refused = refusal(&["--kind", "cswitch", "--byte-order", "big"]);
    assert!(refused.contains("--byte-order"), "{refused}");
    let refused = refusal(&["--lose"]);
    assert!(refused.contains("--lose"), "{refused}");
    let refused = refusal(&["--kind", "cswitch", "--one-shot"]);
    assert!(refused.contains("--capacity"), "{refused}");
    let refused = refusal(&["--kind", "cswitch", "--raw", "--cores", "2"]);
    assert!(refused.contains("cores is 2"), "{refused}");
    let refused = refusal(&["--kind", "rkh", "--pumps", "33"]);
    assert!(refused.contains("pumps is 33"), "{refused}");
}
