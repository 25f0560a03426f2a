//! SQL queries, answered by a program that a test replaces by a shell script.
#![cfg(unix)]

use crate::support::{
    Reply, TestServer, message, session, session_bytes, start, start_with, trace,
};
use rtoscope_server::{RecordingFile, ServerOptions, SqlOptions};
use serde_json::json;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// A server whose program is a script.
fn start_script(script: &str) -> TestServer {
    start_script_on(&trace("cm3_short.trx"), script)
}

fn start_script_on(path: &Path, script: &str) -> TestServer {
    let script = script.to_owned();
    let mut sql = SqlOptions::new(move || {
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]);
        Ok(command)
    });
    sql.upload_options = vec!["-Onetx=duo".into()];
    let options = ServerOptions {
        sql,
        ..ServerOptions::default()
    };
    start_with(options, |server| {
        let file = RecordingFile::opening(path.to_owned(), vec!["--clock=1 MHz".into()]);
        let opener = server.add_opening("a b.trx".to_owned(), file).unwrap();
        opener.finish(session(path), None);
    })
}

fn ask(server: &TestServer, id: u64, request: &str) -> Reply {
    let headers = ["Content-Type: application/json"];
    let line = format!("POST /api/traces/{id}/sql");
    server.request(&line, &headers, request.as_bytes())
}

fn is_running(pid: &str) -> bool {
    let path = format!("/proc/{}/stat", pid.trim());
    // A zombie has been killed, too.
    fs::read_to_string(path).is_ok_and(|stat| !stat.contains(") Z "))
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        sleep(Duration::from_millis(5));
    }
}

/// The process id that a script writes, once it has.
fn pid_in(file: &Path) -> String {
    let read = || fs::read_to_string(file).unwrap_or_default();
    wait_until("the program has started", || read().ends_with('\n'));
    read()
}

#[test]
fn missing_programs_are_explained() {
    let server = start();
    let reply = ask(&server, 1, "{}");
    assert_eq!(reply.status, 200);
    let expected = json!({ "unavailable": "this viewer has no program for SQL" });
    assert_eq!(reply.json(), expected);
    let options = ServerOptions {
        sql: SqlOptions::new(|| Ok(Command::new("/nonexistent/rtoscope-sql"))),
        ..ServerOptions::default()
    };
    let server = start_with(options, |server| {
        server.add(session(&trace("cm3_short.trx")), None).unwrap();
    });
    let reason = ask(&server, 1, "{}").json()["unavailable"].clone();
    assert!(reason.as_str().unwrap().contains("this trace has none"));
    let bytes = session_bytes("cm3_short.trx");
    server.request("POST /api/traces?name=x", &[], &bytes);
    let error = ask(&server, 2, "{}").error(502);
    assert!(error.contains("cannot run the program for SQL"), "{error}");
}

#[test]
fn one_program_answers_all_requests() {
    let script =
        r#"n=0; while read -r line; do n=$((n+1)); echo "{\"n\":$n,\"line\":$line}"; done"#;
    let server = start_script(script);
    let request = json!({ "sql": "SELECT 1" });
    for n in 1..=3 {
        let reply = ask(&server, 1, &serde_json::to_string_pretty(&request).unwrap());
        assert_eq!(reply.json(), json!({ "n": n, "line": request }));
    }
    // Another clock is another recording.
    let command = r#"{"command":"clock","frequency_hz":5}"#;
    assert_eq!(server.command(1, command).status, 204);
    assert_eq!(ask(&server, 1, "{}").json()["n"], 1);
}

#[test]
fn programs_open_the_same_recording() {
    let script = r#"while read -r line; do printf '{"arguments":"%s"}\n' "$*"; done"#;
    let server = start_script(script);
    let events = server.query(1, r#"{"query":"overview"}"#).json()["events"].clone();
    let path = trace("cm3_short.trx");
    let arguments = || ask(&server, 1, "{}").json()["arguments"].clone();
    let expected = |clock: &str| {
        format!(
            "--title a b.trx --expected-events={events} {clock}--clock=1 MHz -- {}",
            path.display()
        )
    };
    assert_eq!(arguments(), expected(""));
    let command = r#"{"command":"clock","frequency_hz":25000000}"#;
    assert_eq!(server.command(1, command).status, 204);
    assert_eq!(arguments(), expected("--frequency-hz=25000000 "));
}

#[test]
fn a_replaced_file_is_not_queried() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dump.trx");
    let bytes = fs::read(trace("cm3_short.trx")).unwrap();
    fs::write(&path, &bytes).unwrap();
    let server = start_script_on(&path, r#"read line; echo '{"n":1}'"#);
    assert_eq!(ask(&server, 1, "{}").json(), json!({ "n": 1 }));
    // Of the same length, as another dump of the same buffer.
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let answer = ask(&server, 1, "{}").json();
    let reason = answer["unavailable"].as_str().unwrap();
    assert!(reason.contains("dump.trx has changed"), "{reason}");
}

#[test]
fn uploads_are_kept_while_they_are_open() {
    let script = r#"for file; do :; done; read -r line; printf '{"file":"%s","options":"%s"}\n' "$file" "$*"; cat"#;
    let server = start_script(script);
    let bytes = session_bytes("cm3_short.trx");
    let opened = server.request("POST /api/traces?name=x", &[], &bytes);
    assert_eq!(opened.json()["id"], 2);
    let answer = ask(&server, 2, "{}").json();
    let file = answer["file"].as_str().unwrap();
    assert_eq!(fs::read(file).unwrap(), bytes);
    let options = answer["options"].as_str().unwrap();
    assert!(options.contains("-Onetx=duo") && !options.contains("MHz"));
    let closed = server.request("DELETE /api/traces/2", &[], b"");
    assert_eq!(closed.status, 204);
    wait_until("the copy is deleted", || !Path::new(file).exists());
}

#[test]
fn failures_are_reported_and_another_program_starts() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("flag");
    let once = format!("read -r line; [ -e {0} ] || {{ touch {0};", flag.display());
    for (end, expected) in [
        (
            "echo 'rtoscope: another version' >&2; exit 2",
            "another version",
        ),
        ("kill -9 $$", "signal: 9"),
        ("printf '{\"half'; exit 0", "ended unexpectedly"),
        ("exec sleep 1000 >&-", "ended unexpectedly"),
    ] {
        let server = start_script(&format!("{once} {end}; }}; echo '{{}}'; cat"));
        let error = ask(&server, 1, "{}").error(502);
        assert!(error.contains(expected), "{end}: {error}");
        assert_eq!(ask(&server, 1, "{}").status, 200, "{end}");
        fs::remove_file(&flag).unwrap();
    }
}

#[test]
fn idle_programs_that_were_killed_start_again() {
    let server = start_script("while read -r line; do echo \"{\\\"pid\\\":$$}\"; done");
    let pid = ask(&server, 1, "{}").json()["pid"].to_string();
    Command::new("kill").args(["-9", &pid]).status().unwrap();
    wait_until("it is killed", || !is_running(&pid));
    assert_ne!(ask(&server, 1, "{}").json()["pid"].to_string(), pid);
}

#[test]
fn programs_end_with_their_request_trace_and_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let stuck = format!("echo $$ > {}; exec sleep 1000", file.display());
    let request = |server: &TestServer| {
        let host = format!("Host: {}", server.address);
        let headers = [host.as_str(), "Content-Type: application/json"];
        let mut stream = server.connect();
        let bytes = message("POST /api/traces/1/sql", &headers, b"{}");
        stream.write_all(&bytes).unwrap();
        stream
    };
    let server = start_script(&stuck);
    let stream = request(&server);
    let pid = pid_in(&file);
    assert!(is_running(&pid));
    drop(stream);
    wait_until("it ends with its request", || !is_running(&pid));

    fs::remove_file(&file).unwrap();
    let _stream = request(&server);
    let pid = pid_in(&file);
    drop(server);
    wait_until("it ends with the server", || !is_running(&pid));

    let idle = "while read -r line; do echo \"{\\\"pid\\\":$$}\"; done; exec sleep 1000";
    let server = start_script(idle);
    let pid = ask(&server, 1, "{}").json()["pid"].to_string();
    assert!(is_running(&pid));
    assert_eq!(server.request("DELETE /api/traces/1", &[], b"").status, 204);
    wait_until("it ends with its trace", || !is_running(&pid));
    let server = start_script(idle);
    let pid = ask(&server, 1, "{}").json()["pid"].to_string();
    drop(server);
    wait_until("an idle one ends with the server", || !is_running(&pid));
}

#[test]
fn invalid_requests_reach_no_program() {
    let server = start_script("exit 1");
    ask(&server, 1, "{").error(400);
    ask(&server, 2, "{}").error(404);
    ask(&server, 1, &format!("\"{}\"", "x".repeat(48 << 10))).error(413);
    let line = "POST /api/traces/1/sql";
    server
        .request(line, &["Content-Type: text/plain"], b"{}")
        .error(415);
    let foreign = [
        "Content-Type: application/json",
        "Origin: http://example.com",
    ];
    server.request(line, &foreign, b"{}").error(403);
}
