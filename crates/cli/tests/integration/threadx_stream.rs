//! A trace that a target sent while it recorded: as a file, live, saved and replayed.

use crate::common::TestFolder;
use serde_json::Value;
use std::fs;
use std::path::Path;

const STREAM: TestFolder = TestFolder("firmware/threadx-stream");
const FILE: &str = "stream.txts";

/// The output of `live` for these bytes on standard input.
fn live(bytes: &[u8], arguments: &[&str]) -> String {
    let mut command = STREAM.command(&[&["live", "-"], arguments].concat());
    let output = command.write_stdin(bytes).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn events(path: &str) -> String {
    STREAM.stdout(&["events", path, "--format", "csv"])
}

fn info(path: &str) -> Value {
    serde_json::from_str(&STREAM.stdout(&["info", path, "--format", "json"])).unwrap()
}

fn stream() -> Vec<u8> {
    fs::read(STREAM.folder().join(FILE)).unwrap()
}

#[test]
fn every_command_reads_the_file() {
    let info = info(FILE);
    assert_eq!(info["format"], "threadx");
    assert_eq!(info["header"]["base"], Value::Null);
    assert_eq!(info["gaps"].as_array().unwrap().len(), 0);
    let objects = STREAM.stdout(&["objects", FILE, "--format", "csv"]);
    for name in ["sampler", "filter", "frames", "bus", "blink"] {
        assert!(objects.contains(name), "{objects}");
    }
    let report = STREAM.stdout(&["report", FILE, "--clock", "25MHz"]);
    assert!(report.contains("sampler"), "{report}");
    assert!(events(FILE).lines().count() > 6000);
    let error = STREAM.usage_error(&["convert", FILE, "-o", "/dev/null"]);
    assert!(error.contains("the target sent packets"), "{error}");
}

#[test]
fn live_saved_and_replayed_events_are_those_of_the_file() {
    let expected = events(FILE);
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved");
    let saved = saved.to_str().unwrap();
    assert_eq!(
        live(&stream(), &["--format", "csv", "--save", saved]),
        expected
    );
    assert_eq!(events(saved), expected);
    for source in [FILE, saved] {
        let sent = STREAM.run(&["replay", source, "--to", "-", "--speed", "max"]);
        assert!(sent.status.success(), "{sent:?}");
        assert!(sent.stdout == stream(), "{source}");
    }
}

#[test]
fn the_end_of_a_recording_has_the_names() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved");
    let saved = saved.to_str().unwrap();
    let few = ["--rotate-size", "64KB", "--keep", "2"];
    live(
        &stream(),
        &[&["--quiet", "--save", saved], &few[..]].concat(),
    );
    assert!(segments(Path::new(saved)) <= 2);
    let all = events(FILE);
    let kept = events(saved);
    assert!(kept.lines().count() < all.lines().count());
    assert!(
        kept.contains("sampler"),
        "names of the first packets are kept"
    );
}

fn segments(folder: &Path) -> usize {
    let files = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let is_segment = |it: &std::path::PathBuf| it.extension().is_some_and(|it| it == "bin");
    files.filter(is_segment).count()
}
