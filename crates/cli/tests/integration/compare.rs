//! `rtoscope compare`: what changed between recordings.

use rtoscope_fixtures::testdata;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

fn compare(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let command = command.current_dir(testdata("threadx")).arg("compare");
    command
        .args(arguments)
        .args(["--clock", "25MHz"])
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn two_recordings_have_their_differences_side_by_side() {
    let pair = ["cm3_system.trx", "cm3_short.trx"];
    let output = compare(&[&pair[..], &["--threshold", "700"]].concat());
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(text(&output));
    let markdown = compare(&[&pair[..], &["--format", "markdown"]].concat());
    assert!(text(&markdown).contains("| latency.threads | sensor | jitter.max | 9.560 µs |"));
    let code = |files: &[&str], limit: &str| {
        let output = compare(&[files, &["--fail-above", limit]].concat());
        output.status.code()
    };
    assert_eq!(code(&pair, "5"), Some(1));
    assert_eq!(code(&[pair[0], pair[0]], "0"), Some(0));
}

/// Copies of one recording do not differ; with four on each side that is known.
#[test]
fn a_saved_baseline_stands_for_its_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let runs = folder.path().join("runs");
    fs::create_dir(&runs).unwrap();
    let run = |number: u8| runs.join(format!("{number}.trx"));
    for number in 0..4 {
        fs::copy(testdata("threadx/cm3_system.trx"), run(number)).unwrap();
    }
    let files: Vec<_> = (0..4)
        .map(|it| run(it).to_str().unwrap().to_owned())
        .collect();
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let saved = path("baseline.json");
    let output = compare(&[&["--save-baseline", &saved], &files[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    for baseline in [&*saved, runs.to_str().unwrap()] {
        let options = [
            "--baseline",
            baseline,
            "--fail-above",
            "0",
            "--format",
            "json",
        ];
        let output = compare(&[&options[..], &files].concat());
        assert_eq!(output.status.code(), Some(0));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["baseline"].as_array().unwrap().len(), 4);
        let figures = document["figures"].as_array().unwrap();
        assert!(figures.len() > 300);
        assert!(
            figures
                .iter()
                .all(|it| it["verdict"] == "not-changed" && it["percent"] != 1.0)
        );
    }
    // One run against four: its differences may be chance.
    let options = ["--baseline", &saved, "--fail-above", "5", "cm3_short.trx"];
    assert_eq!(compare(&options).status.code(), Some(3));
}

#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let newer = file(
        "newer.json",
        r#"{"schema":"rtoscope/baseline/2","recordings":[]}"#,
    );
    let broken = file("broken.json", "{");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    for (arguments, message) in [
        (vec!["cm3_system.trx"], "two recordings are compared"),
        (
            vec!["--baseline", &newer, "cm3_system.trx"],
            "\"rtoscope/baseline/2\" is not one",
        ),
        (
            vec!["--baseline", &broken, "cm3_system.trx"],
            "broken.json: EOF",
        ),
        (
            vec!["--baseline", empty.to_str().unwrap(), "cm3_system.trx"],
            "the folder has no recordings",
        ),
    ] {
        let output = compare(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_page_has_the_differences_and_their_distributions() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let pair = ["cm3_system.trx", "cm3_short.trx"];
    let page = path("page.html");
    let options = ["--format", "html", "--output", &page, "--fail-above", "900"];
    let output = compare(&[&pair[..], &options].concat());
    assert_eq!(
        (output.status.code(), text(&output)),
        (Some(1), String::new())
    );
    let html = fs::read_to_string(&page).unwrap();
    let row = "<tr class=\"failed\"><th scope=\"row\">ui</th><td><a href=\"#d";
    assert!(html.contains(row));
    assert!(html.contains("197.320 µs</td><td class=\"figure\">2.135 ms</td>"));
    let charts = html.matches("<svg class=\"overlay\"").count();
    assert!(charts > 20 && html.contains(&format!("id=\"d{}\"", charts - 1)));
    assert!(html.contains("36 durations before, 11 after, from 40 ns to 2.135 ms"));
    assert!(html.contains("<th scope=\"row\">bounded-inversion</th><td>findings</td>"));

    // A saved baseline has no distributions.
    let saved = path("baseline.json");
    assert_eq!(
        compare(&["--save-baseline", &saved, pair[0]]).status.code(),
        Some(0)
    );
    let html = compare(&["--baseline", &saved, pair[1], "--format", "html"]);
    assert!(text(&html).contains("+982.1 %") && !text(&html).contains("<svg class=\"overlay\""));
    assert_eq!(
        compare(&[&pair[..], &["--output", &page]].concat())
            .status
            .code(),
        Some(2)
    );
}
