//! Notes in a file beside the trace.

use crate::support::{self, TestServer, noted, start_with, trace};
use rtoscope_decode::DecodeOptions;
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_server::ServerOptions;
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockSource;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A trace in a folder of its own.
struct Folder {
    folder: TempDir,
    trace: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("a trace.trx");
        fs::copy(trace("cm3_short.trx"), &copy).unwrap();
        Self {
            folder,
            trace: copy,
        }
    }

    fn notes(&self) -> PathBuf {
        self.folder.path().join("a trace.trx.rtoscope.json")
    }

    fn serve(&self) -> TestServer {
        start_with(ServerOptions::default(), |server| {
            let (session, notes, _) = noted(&self.trace);
            server.add(session, Some(notes)).unwrap();
        })
    }

    /// The names of all files except the trace.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name != "a trace.trx").collect();
        names.sort();
        names
    }
}

/// Writes the note of event 3, as a page does that knows the present one.
fn add_bookmark(server: &TestServer, text: &str) -> support::Reply {
    let known = bookmarks(server);
    put(
        server,
        &json!({ "event": 3, "note": text }),
        &known[0]["note"],
    )
}

fn put(server: &TestServer, bookmark: &Value, replaces: &Value) -> support::Reply {
    let command = json!({
        "command": "put-bookmark",
        "bookmark": bookmark,
        "replaces": replaces,
    });
    server.command(1, &command.to_string())
}

fn bookmarks(server: &TestServer) -> Value {
    server.query(1, r#"{"query":"bookmarks"}"#).json()
}

#[test]
fn notes_outlive_the_server() {
    let folder = Folder::new();
    let server = folder.serve();
    assert_eq!(bookmarks(&server), json!([]));
    assert!(folder.names().is_empty());
    assert_eq!(add_bookmark(&server, "one").status, 204);
    assert_eq!(
        server
            .command(1, r#"{"command":"clock","frequency_hz":25000000}"#)
            .status,
        204
    );
    assert_eq!(add_bookmark(&server, "two").status, 204);
    drop(server);
    let written: Value = serde_json::from_slice(&fs::read(folder.notes()).unwrap()).unwrap();
    let expected_bookmarks = json!([{ "event": 3, "note": "two" }]);
    let expected = json!({
        "schema": "rtoscope/notes/1",
        "clock_hz": 25_000_000,
        "bookmarks": expected_bookmarks,
    });
    assert_eq!(written, expected);
    assert_eq!(bookmarks(&folder.serve()), expected_bookmarks);
    let (session, ..) = noted(&folder.trace);
    assert_eq!(session.frequency_hz(), Some(25_000_000));
    assert_eq!(folder.names(), ["a trace.trx.rtoscope.json"]);
}

#[test]
fn looks_of_lanes_outlive_the_server() {
    let folder = Folder::new();
    let server = folder.serve();
    let put = |look: &Value| {
        let command = json!({ "command": "put-lane-look", "look": look });
        server.command(1, &command.to_string())
    };
    let looks = |server: &TestServer| server.query(1, r#"{"query":"lane-looks"}"#).json();
    let look = json!({ "lane": "thread ui 0x20", "name": "Display", "colour": "#0a66c2" });
    assert_eq!(put(&look).status, 204);
    let error = put(&json!({ "lane": "thread rx 0x40", "height": 7 })).error(400);
    assert!(error.contains("a lane's height"), "{error}");
    assert_eq!(looks(&server), json!([look]));
    let written: Value = serde_json::from_slice(&fs::read(folder.notes()).unwrap()).unwrap();
    assert_eq!(written["lanes"], json!([look]));
    drop(server);
    let server = folder.serve();
    assert_eq!(looks(&server), json!([look]));
    // One wrong look, and the file is not read: its notes are kept in a backup.
    drop(server);
    let text = json!({
        "schema": "rtoscope/notes/1",
        "bookmarks": [{ "event": 3, "note": "one" }],
        "lanes": [{ "lane": "thread ui 0x20", "colour": "blue" }],
    });
    fs::write(folder.notes(), text.to_string()).unwrap();
    let (session, _, error) = noted(&folder.trace);
    assert!(error.unwrap().to_string().contains("a lane's colour"));
    assert!(session.bookmarks().is_empty());
}

#[test]
fn times_and_ranges_survive_a_restart() {
    let folder = Folder::new();
    let server = folder.serve();
    let noted = json!([
        { "event": 2, "note": "an event" },
        { "event": 2, "ticks_after": 5, "note": "a time" },
        {
            "event": 2,
            "ticks_after": 6,
            "end": { "event": 3, "ticks_after": 1 },
            "note": "a range",
        },
    ]);
    for bookmark in noted.as_array().unwrap() {
        assert_eq!(put(&server, bookmark, &Value::Null).status, 204);
    }
    let reversed = json!({ "event": 3, "end": { "event": 2 }, "note": "" });
    let error = put(&server, &reversed, &Value::Null).error(400);
    assert!(error.contains("end of a bookmarked range"), "{error}");
    drop(server);
    assert_eq!(bookmarks(&folder.serve()), noted);
}

#[test]
fn user_frequency_overrides_the_notes() {
    let folder = Folder::new();
    let text = r#"{"schema":"rtoscope/notes/1","clock_hz":1000,"bookmarks":[]}"#;
    fs::write(folder.notes(), text).unwrap();
    let mut session = support::session(&folder.trace);
    session
        .apply(rtoscope_session::Command::Clock {
            frequency_hz: Some(7),
        })
        .unwrap();
    rtoscope_server::NotesFile::beside(&folder.trace)
        .load(&mut session)
        .unwrap();
    assert_eq!(session.frequency_hz(), Some(7));
}

#[test]
fn a_clock_of_the_command_line_is_not_noted() {
    let folder = Folder::new();
    let text = r#"{"schema":"rtoscope/notes/1","clock_hz":1000,"bookmarks":[]}"#;
    fs::write(folder.notes(), text).unwrap();
    let given = Frequency::from_hertz(7).unwrap();
    let options = DecodeOptions {
        threadx: ThreadXOptions {
            clock: ClockOptions {
                frequency: Some(given),
                ..ClockOptions::default()
            },
            ..ThreadXOptions::default()
        },
        ..DecodeOptions::default()
    };
    let bytes = fs::read(&folder.trace).unwrap();
    let mut session = rtoscope_session::Session::open("", &bytes, &options).unwrap();
    session.note_given_clock(Some((given, ClockSource::CommandLine)));
    let mut notes = rtoscope_server::NotesFile::beside(&folder.trace);
    notes.load(&mut session).unwrap();
    assert_eq!(session.frequency_hz(), Some(7));
    assert_eq!(session.clock_source(), ClockSource::CommandLine);
    let server = start_with(ServerOptions::default(), |server| {
        server.add(session, Some(notes)).unwrap();
    });
    let clock = server.query(1, r#"{"query":"clock"}"#).json();
    assert_eq!(clock["source"], "command-line");
    let note = put(
        &server,
        &json!({ "event": 3, "note": "late" }),
        &Value::Null,
    );
    assert_eq!(note.status, 204);
    let kept: Value = serde_json::from_slice(&fs::read(folder.notes()).unwrap()).unwrap();
    assert_eq!(kept["clock_hz"], 1000);
    let change = r#"{"command":"clock","frequency_hz":25}"#;
    assert_eq!(server.command(1, change).status, 204);
    let kept: Value = serde_json::from_slice(&fs::read(folder.notes()).unwrap()).unwrap();
    assert_eq!(kept["clock_hz"], 25);
}

#[test]
fn damaged_notes_are_kept() {
    let long = "x".repeat(4097);
    let huge_note = json!({
        "schema": "rtoscope/notes/1",
        "bookmarks": [{ "event": 1, "note": long }],
    });
    for damage in [
        "",
        "{",
        "[]",
        r#"{"schema":"rtoscope/notes/2","bookmarks":[]}"#,
        r#"{"schema":"rtoscope/notes/1","bookmarks":[],"more":1}"#,
        r#"{"schema":"rtoscope/notes/1","clock_hz":0,"bookmarks":[{"event":1,"note":""}]}"#,
        r#"{"schema":"rtoscope/notes/1","bookmarks":[{"event":2,"end":{"event":1},"note":""}]}"#,
        &huge_note.to_string(),
    ] {
        let folder = Folder::new();
        fs::write(folder.notes(), damage).unwrap();
        let (session, _, error) = noted(&folder.trace);
        assert!(error.unwrap().contains("a trace.trx.rtoscope.json: "));
        assert!(session.bookmarks().is_empty(), "{damage:.60}");
        let server = folder.serve();
        assert_eq!(fs::read_to_string(folder.notes()).unwrap(), damage);
        assert_eq!(add_bookmark(&server, "new").status, 204);
        let backup = folder.notes().with_extension("json.bak");
        assert_eq!(fs::read_to_string(backup).unwrap(), damage);
        assert_eq!(folder.names().len(), 2);
    }
}

#[test]
fn concurrent_changes_are_backed_up() {
    let folder = Folder::new();
    let (one, other) = (folder.serve(), folder.serve());
    assert_eq!(add_bookmark(&one, "one").status, 204);
    assert_eq!(add_bookmark(&other, "other").status, 204);
    assert_eq!(add_bookmark(&one, "one again").status, 204);
    assert_eq!(
        folder.names(),
        [
            "a trace.trx.rtoscope.json",
            "a trace.trx.rtoscope.json.bak",
            "a trace.trx.rtoscope.json.bak1",
        ]
    );
}

#[test]
fn pages_lose_no_notes_of_others() {
    let folder = Folder::new();
    let server = folder.serve();
    let commands = || {
        let reply = server.get("/healthz");
        reply.header("rtoscope-commands").map(str::to_owned)
    };
    let note = |event: u64, note: &str| json!({ "event": event, "note": note });
    let before = commands();
    // Neither page knows the note of the other.
    assert_eq!(put(&server, &note(3, "one"), &Value::Null).status, 204);
    assert_ne!(commands(), before);
    assert_eq!(put(&server, &note(2, "two"), &Value::Null).status, 204);
    assert_eq!(put(&server, &note(3, "also"), &Value::Null).status, 204);
    let all = json!([note(2, "two"), note(3, "one\nalso")]);
    assert_eq!(bookmarks(&server), all);
    let remove = |bookmark: &Value| {
        let command = json!({ "command": "remove-bookmark", "bookmark": bookmark });
        server.command(1, &command.to_string())
    };
    assert!(remove(&note(3, "one")).error(409).contains("changed"));
    assert_eq!(bookmarks(&server), all);
    assert_eq!(remove(&note(2, "two")).status, 204);
    assert_eq!(bookmarks(&server), json!([note(3, "one\nalso")]));
}

#[test]
fn unsaved_notes_still_apply() {
    let folder = Folder::new();
    let server = folder.serve();
    // Not even root can write a file where a folder is.
    fs::create_dir(folder.notes()).unwrap();
    let error = add_bookmark(&server, "here").error(500);
    assert!(error.contains("not saved"), "{error}");
    assert_eq!(bookmarks(&server), json!([{ "event": 3, "note": "here" }]));
}

#[cfg(unix)]
#[test]
fn notes_follow_a_symlink() {
    let folder = Folder::new();
    let elsewhere = folder.folder.path().join("elsewhere.json");
    fs::write(
        &elsewhere,
        r#"{"schema":"rtoscope/notes/1","bookmarks":[]}"#,
    )
    .unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.notes()).unwrap();
    assert_eq!(add_bookmark(&folder.serve(), "linked").status, 204);
    assert!(fs::symlink_metadata(folder.notes()).unwrap().is_symlink());
    assert!(fs::read_to_string(elsewhere).unwrap().contains("linked"));
}

#[cfg(unix)]
#[test]
fn symlinks_to_other_files_are_not_followed() {
    for content in [Some("export PATH=/bin\n"), Some("{}"), None] {
        let folder = Folder::new();
        let elsewhere = folder.folder.path().join("profile");
        if let Some(content) = content {
            fs::write(&elsewhere, content).unwrap();
        }
        std::os::unix::fs::symlink(&elsewhere, folder.notes()).unwrap();
        let names = folder.names();
        let (_, _, error) = noted(&folder.trace);
        let error = error.unwrap();
        assert!(error.contains("this link is not followed"), "{error}");
        let error = add_bookmark(&folder.serve(), "linked").error(500);
        assert!(error.contains("this link is not followed"), "{error}");
        assert_eq!(fs::read_to_string(&elsewhere).ok().as_deref(), content);
        assert_eq!(folder.names(), names);
    }
}

#[cfg(unix)]
#[test]
fn pipes_in_place_of_notes_do_not_block() {
    let folder = Folder::new();
    let created = std::process::Command::new("mkfifo")
        .arg(folder.notes())
        .status();
    assert!(created.unwrap().success());
    let (_, _, error) = noted(&folder.trace);
    let error = error.unwrap();
    assert!(error.contains("not a regular file"), "{error}");
    let error = add_bookmark(&folder.serve(), "piped").error(500);
    assert!(error.contains("not a regular file"), "{error}");
    assert_eq!(folder.names(), ["a trace.trx.rtoscope.json"]);
}

#[test]
fn alternating_servers_keep_one_backup_each() {
    let folder = Folder::new();
    let damaged = folder.notes().with_extension("json.bak");
    fs::write(&damaged, "of the user").unwrap();
    let (one, other) = (folder.serve(), folder.serve());
    for round in 0..10 {
        assert_eq!(add_bookmark(&one, &format!("one {round}")).status, 204);
        assert_eq!(add_bookmark(&other, &format!("other {round}")).status, 204);
    }
    assert_eq!(
        folder.names(),
        [
            "a trace.trx.rtoscope.json",
            "a trace.trx.rtoscope.json.bak",
            "a trace.trx.rtoscope.json.bak1",
            "a trace.trx.rtoscope.json.bak2",
        ]
    );
    let text = |suffix: &str| {
        let name = format!("{}{suffix}", folder.notes().display());
        fs::read_to_string(name).unwrap()
    };
    assert_eq!(text(".bak"), "of the user");
    assert!(text("").contains("other 9"));
    assert!(text(".bak1").contains("one 9"));
    assert!(text(".bak2").contains("other 8"));
}
