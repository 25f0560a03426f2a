//! Opens files as the page gives them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rtoscope_decode::live::HostTime;
use rtoscope_recording::{Recorder, RecorderOptions};
use rtoscope_trace::Progress;
use rtoscope_web::{OpenRequest, Reply, open};
use serde_json::{Value, json};

fn json_of(reply: &Reply) -> Value {
    assert_eq!(
        reply.status,
        200,
        "{}",
        String::from_utf8_lossy(&reply.body)
    );
    serde_json::from_slice(&reply.body).unwrap()
}

/// The folder of a capture, as a user drops it on the page.
fn capture(name: &str, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let options = RecorderOptions {
        folder: folder.path().join(name),
        source: "a test".to_owned(),
        segment_bytes: Some(4096),
        segment_time: None,
        max_segments: None,
    };
    let mut recorder = Recorder::create(options, HostTime(1)).unwrap();
    for (chunk, at) in bytes.chunks(1000).zip(2..) {
        recorder.write(chunk, HostTime(at)).unwrap();
    }
    recorder.finish(HostTime(1000));
    let files = std::fs::read_dir(folder.path().join(name)).unwrap();
    let files = files.map(|file| {
        let path = file.unwrap().path();
        let below = path.strip_prefix(folder.path()).unwrap();
        (
            below.to_str().unwrap().to_owned(),
            std::fs::read(&path).unwrap(),
        )
    });
    files.collect()
}

/// In one test, because the given files are those of the whole process.
#[test]
fn files_open_as_for_the_command() {
    let name = "cm3_system.trx";
    let bytes = rtoscope_fixtures::read_testdata(&format!("threadx/{name}"));
    let project = b"[recording]\nclock = \"25MHz\"\n[settings]\ncore-bits = \"single-core\"\n";
    let given = |others: &[(&str, &[u8])]| {
        let others = others
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
        let mut files: Vec<_> = others.collect();
        files.push((name.to_owned(), bytes.clone()));
        files
    };
    let request = |options: &[&str]| OpenRequest {
        name: name.to_owned(),
        options: options.iter().map(|option| (*option).to_owned()).collect(),
    };
    let progress = Progress::default();

    let files = given(&[("rtoscope.toml", project)]);
    let recording = open(&request(&[]), files, &progress);
    let mut recording = recording.unwrap_or_else(|error| panic!("{error}"));
    let overview = json_of(&recording.query(br#"{"query":"overview"}"#));
    assert_eq!(overview["name"], name);
    assert_eq!(overview["events"], 3000);
    assert_eq!(recording.query(b"{").status, 400);

    // Options that name the project's file name all files.
    let files = given(&[("rtoscope.toml", project), ("uart.log", b"boot")]);
    let named = open(&request(&["--config=rtoscope.toml"]), files, &progress);
    assert!(named.is_ok(), "{:?}", named.err());

    // Notes of a command come back as a notes file that another opening reads.
    let bookmark = json!({ "event": 7, "ticks_after": null, "end": null, "note": "here" });
    let command = json!({ "command": "put-bookmark", "bookmark": bookmark, "replaces": null });
    let notes = recording.command(command.to_string().as_bytes());
    assert_eq!(
        notes.status,
        200,
        "{}",
        String::from_utf8_lossy(&notes.body)
    );
    let files = given(&[("cm3_system.trx.rtoscope.json", &notes.body)]);
    let again = open(&request(&["--clock=64MHz"]), files, &progress);
    let again = again.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.notes().body, notes.body);
    let clock = json_of(&again.query(br#"{"query":"clock"}"#));
    assert_eq!(clock["frequency_hz"], 64_000_000);

    let stream = rtoscope_fixtures::read_testdata("rkh/nat_short.bin");
    let opened = |name: &str, files| {
        let request = OpenRequest {
            name: name.to_owned(),
            ..OpenRequest::default()
        };
        let recording = open(&request, files, &progress).unwrap_or_else(|error| panic!("{error}"));
        json_of(&recording.query(br#"{"query":"overview"}"#))
    };
    let files = capture("run", &stream);
    assert!(files.len() > 5, "several segments");
    let [mut capture, mut file] = [
        opened("run", files),
        opened("run.bin", vec![("run.bin".to_owned(), stream)]),
    ];
    assert_eq!(capture["name"].take(), "run");
    file["name"].take();
    for key in ["events", "contexts", "objects"] {
        assert!(!file[key].is_null() && capture[key] == file[key], "{key}");
    }

    for (files, options, message) in [
        (
            given(&[("rtoscope.toml", b"[recording]\nspeed = 1\n")]),
            &[][..],
            "unknown",
        ),
        (given(&[]), &["--clock=fast"][..], "expected a frequency"),
        (vec![(name.to_owned(), b"garbage".to_vec())], &[][..], name),
        (vec![], &[][..], "this file was not given"),
    ] {
        let error = open(&request(options), files, &progress).err().unwrap();
        assert!(error.contains(message), "{error}");
    }
}
