//! Runs `rtoscope report`.

use crate::common::{self, TestFolder};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const REPORTS: [&str; 15] = [
    "profile",
    "performance",
    "threads",
    "stacks",
    "services",
    "inversions",
    "latency",
    "isr",
    "locks",
    "objects",
    "load",
    "filex",
    "netx",
    "usbx",
    "health",
];

const HERE: TestFolder = TestFolder("threadx");

fn folder() -> PathBuf {
    HERE.folder()
}

fn rtoscope(arguments: &[&str]) -> Command {
    HERE.command(arguments)
}

fn stdout(arguments: &[&str]) -> String {
    let output = HERE.run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {error}");
    assert_eq!(error, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    HERE.usage_error(arguments)
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    let json: Value = serde_json::from_str(&stdout(&arguments)).unwrap();
    assert_eq!(json["schema"], "rtoscope/report/1");
    json
}

fn number(json: &Value, path: &str) -> u64 {
    let number = json.pointer(path).and_then(Value::as_u64);
    number.unwrap_or_else(|| panic!("no number at {path}"))
}

fn rows<'a>(json: &'a Value, report: &str) -> &'a [Value] {
    json[report].as_array().unwrap()
}

#[test]
fn a_summary_of_one_page() {
    let summary = |name: &str| stdout(&["report", &format!("{name}.trx")]);
    insta::assert_snapshot!("summary_of_inversions", summary("linux32_inv_nondet"));
    insta::assert_snapshot!("summary_of_interrupts", summary("linux32_isr"));
    insta::assert_snapshot!("summary_of_cores", summary("smp32_cores"));
    insta::assert_snapshot!(
        "summary_with_a_frequency",
        stdout(&["report", "cm3_system.trx", "--clock", "25MHz"])
    );
}

#[test]
fn a_summary_fits_on_a_page() {
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "trx") {
            let text = stdout(&["report", path.file_name().unwrap().to_str().unwrap()]);
            assert!(text.lines().count() <= 60, "{text}");
        }
    }
}

/// The whole document of a small recording of each format, to be read in a review.
#[test]
fn all_reports_as_json() {
    for (folder, name) in [
        ("threadx", "linux32_inv_nondet.trx"),
        ("rkh", "ut.bin"),
        ("firmware/blackbox", "log.cswl"),
    ] {
        let folder = TestFolder(folder);
        let arguments = ["report", name, "all", "--windows", "2", "--format", "json"];
        let [text, again] = [(); 2].map(|()| folder.run(&arguments).stdout);
        assert_eq!(text, again, "{name}");
        let mut lines = String::new();
        row_lines(&mut lines, "", &serde_json::from_slice(&text).unwrap());
        insta::assert_snapshot!(format!("json_of_{name}"), lines);
    }
}

/// Writes a document with one line for each value, row of a list, or object without lists.
fn row_lines(lines: &mut String, path: &str, value: &Value) {
    match value {
        Value::Object(fields) if fields.values().any(has_rows) => {
            for (key, field) in fields {
                row_lines(lines, &format!("{path}/{key}"), field);
            }
        }
        Value::Array(rows) if has_rows(value) => {
            for (row, index) in rows.iter().zip(0..) {
                lines.push_str(&format!("{path}/{index}: {row}\n"));
            }
        }
        other => lines.push_str(&format!("{path}: {other}\n")),
    }
}

fn has_rows(value: &Value) -> bool {
    match value {
        Value::Array(rows) => rows.iter().any(Value::is_object),
        Value::Object(fields) => fields.values().any(has_rows),
        _ => false,
    }
}

#[test]
fn each_report_and_all_of_them() {
    let file = "linux32_inv_nondet.trx";
    let all = stdout(&["report", file, "all"]);
    let whole = json(&["report", file, "all"]);
    assert_eq!(whole, json(&["report", file]));
    for report in REPORTS {
        let text = stdout(&["report", file, report]);
        insta::assert_snapshot!(format!("text_of_{report}"), text);
        let (_, body) = text.split_once("\n\n").unwrap();
        assert!(all.contains(body.trim_end()), "{report} is not in {all}");
        let json = json(&["report", file, report]);
        for other in REPORTS {
            assert_eq!(json.get(other).is_some(), other == report, "{report}");
        }
    }
    let two = json(&["report", file, "isr", "profile"]);
    for report in REPORTS {
        let expected = ["isr", "profile"].contains(&report).then(|| &whole[report]);
        assert_eq!(two.get(report), expected, "{report}");
    }
    let text = stdout(&["report", file, "isr", "profile"]);
    assert_eq!(text, stdout(&["report", file, "profile", "isr", "isr"]));
}

#[test]
fn scope_in_ticks_times_and_events() {
    let file = "cm3_system.trx";
    let ticks = json(&["report", file, "--from", "1000000", "--to", "2_000_000"]);
    assert_eq!(number(&ticks, "/start"), 1_000_000);
    assert_eq!(number(&ticks, "/end"), 2_000_000);
    assert_eq!(number(&ticks, "/span"), 1_000_000);
    let profile = rows(&ticks, "profile").iter();
    assert_eq!(
        profile.map(|row| number(row, "/duration")).sum::<u64>(),
        1_000_000
    );
    let clock = ["--clock", "25MHz"];
    let same = json(
        &[
            &["report", file, "--from", "40ms", "--to", "80ms"],
            &clock[..],
        ]
        .concat(),
    );
    let timed = [
        &["report", file, "--from", "1000000", "--to", "2000000"],
        &clock[..],
    ];
    assert_eq!(same, json(&timed.concat()));
    let micro = ["report", file, "--from", "40000us", "--to", "0.08s"];
    assert_eq!(same, json(&[&micro, &clock[..]].concat()));

    let events = json(&["report", file, "--from", "event:100", "--to", "event:199"]);
    assert_eq!(number(&events, "/events"), 100);
    let times = stdout(&["events", file, "-f", "csv", "--columns", "event,time"]);
    let time = |event: usize| {
        let line = times.lines().nth(event + 1).unwrap();
        line.split(',').nth(1).unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(number(&events, "/start"), time(100));
    assert_eq!(number(&events, "/end"), time(199));

    let after_end = json(&["report", file, "--to", "99999999999"]);
    assert_eq!(after_end["end"], json(&["report", file])["end"]);
    let moment = json(&["report", file, "--from", "5000000", "--to", "5000000"]);
    assert_eq!(number(&moment, "/span"), 0);
    let last = json(&["report", file, "--from", "event:2999"]);
    assert_eq!((number(&last, "/events"), number(&last, "/span")), (1, 0));
    for from in ["5000000", "event:2999"] {
        let all = ["report", file, "all", "--from", from, "--to", "event:2999"];
        assert!(!stdout(&all).contains("NaN"), "{from}");
    }
}

#[test]
fn scope_by_threads_and_cores() {
    let file = "cm3_system.trx";
    let names = |json: &Value| -> Vec<String> {
        let rows = rows(json, "profile").iter();
        rows.map(|row| row["context"].as_str().unwrap().to_owned())
            .collect()
    };
    let some = json(&["report", file, "--threads", "ui,logger"]);
    assert_eq!(names(&some), ["logger", "ui"]);
    assert_eq!(rows(&some, "threads").len(), 2);
    let by_address = json(&["report", file, "--threads", "0x200002ec,0x20000134"]);
    assert_eq!(by_address, some);
    let pattern = json(&["report", file, "--threads", "s*"]);
    assert_eq!(names(&pattern), ["System Timer Thread", "sensor"]);

    let whole = json(&["report", "smp32_cores.trx"]);
    let mut sum = 0;
    for core in ["0", "1", "2", "3"] {
        let one = json(&["report", "smp32_cores.trx", "--core", core]);
        assert_eq!(number(&one, "/cores"), 1);
        sum += number(&one, "/performance/dispatches");
    }
    assert_eq!(sum, number(&whole, "/performance/dispatches"));
    insta::assert_snapshot!(
        "summary_of_a_scope",
        stdout(&[
            "report",
            "smp32_cores.trx",
            "--core",
            "2",
            "--from",
            "event:200",
            "--to",
            "event:800",
            "--threads",
            "pin*",
        ])
    );
}

#[test]
fn invalid_scopes_are_reported() {
    let file = "cm3_system.trx";
    let refused = |arguments: &[&str]| refusal(&[&["report", file], arguments].concat());
    for (scope, explanation) in [
        (
            &["--from", "2000", "--to", "1000"][..],
            "--from (2000 ticks) is after --to (1000 ticks)",
        ),
        (&["--from", "event:20", "--to", "event:10"], "is after --to"),
        (&["--from", "10ms"], "a time needs --clock"),
        (
            &["--to", "event:3000"],
            "there is no event 3000: the trace has 3000 events",
        ),
        (
            &["--from", "99999999999"],
            "is after the last event, at 9483527",
        ),
        (
            &["--threads", "ui,absent"],
            "no thread matches \"absent\"; available: System Timer Thread, sensor, logger",
        ),
        (&["--core", "1"], "no events of core 1; available: 0"),
        (
            &["services", "--context", "absent"],
            "no context matches \"absent\"",
        ),
    ] {
        let error = refused(scope);
        assert!(error.contains(explanation), "{error}");
    }
    for bad in [
        ["--from", "soon"],
        ["--from", "-5"],
        ["--to", "event:x"],
        ["--core", "256"],
        ["--windows", "many"],
        ["--format", "yaml"],
        ["--clock", "fast"],
    ] {
        let error = refused(&bad);
        assert!(error.contains(bad[1]), "{error}");
    }
}

#[test]
fn unknown_report_is_a_usage_error() {
    let error = refusal(&["report", "cm3_system.trx", "profiles"]);
    assert!(error.contains("profiles"), "{error}");
    for report in REPORTS {
        assert!(error.contains(report), "{report} is not offered: {error}");
    }
    assert!(refusal(&["report"]).contains("FILE"));
    let error = refusal(&["report", "no-such-file"]);
    assert!(error.contains("no-such-file"), "{error}");
    let error = refusal(&["report", "threads", "cm3_system.trx"]);
    assert!(error.contains("the recording comes first"), "{error}");
}

#[test]
fn services_of_one_context() {
    let file = "linux32_isr.trx";
    let all = json(&["report", file, "services"]);
    let counted = |json: &Value| -> u64 {
        let rows = rows(json, "services").iter();
        rows.map(|row| number(row, "/count")).sum()
    };
    assert_eq!(counted(&all), number(&all, "/events"));
    let interrupt = json(&["report", file, "services", "--context", "(interrupt)"]);
    let csv = stdout(&["events", file, "-f", "csv", "--columns", "context"]);
    let own = csv.lines().filter(|line| *line == "(interrupt)").count();
    assert!(own > 0);
    assert_eq!(counted(&interrupt), own as u64);
    insta::assert_snapshot!(
        "services_of_interrupts",
        stdout(&["report", file, "services", "--context", "(interrupt)"])
    );
}

#[test]
fn windows_of_the_load() {
    let file = "linux32_isr.trx";
    for (windows, expected) in [("1", 1), ("7", 7), ("4096", 4096), ("100000", 4096)] {
        let json = json(&["report", file, "load", "--windows", windows]);
        let load = &json["load"];
        assert_eq!(load["start"].as_array().unwrap().len(), expected);
        let events = load["events"].as_array().unwrap().iter();
        let events: u64 = events.map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(events, number(&json, "/events"));
    }
    assert_eq!(
        json(&["report", file, "load"]),
        json(&["report", file, "load", "--windows", "60"])
    );
    insta::assert_snapshot!(
        "load_in_few_windows",
        stdout(&["report", file, "load", "--windows", "5"])
    );
}

#[test]
fn trace_is_read_from_a_pipe() {
    let bytes = fs::read(folder().join("linux32_inv_nondet.trx")).unwrap();
    for arguments in [&["report", "-"][..], &["report", "-", "all"]] {
        let output = rtoscope(arguments).write_stdin(bytes.as_slice()).unwrap();
        let piped = String::from_utf8(output.stdout).unwrap();
        let mut of_file = arguments.to_vec();
        of_file[1] = "linux32_inv_nondet.trx";
        let expected = stdout(&of_file).replace("linux32_inv_nondet.trx", "standard input");
        assert_eq!(piped, expected, "{arguments:?}");
    }
    let json = ["report", "-", "--format", "json"];
    let output = rtoscope(&json).write_stdin(bytes).unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["source"], "standard input");
    let error = rtoscope(&["report", "-"]).write_stdin("").output().unwrap();
    assert_eq!(error.status.code(), Some(2));
}

#[test]
fn text_is_reproducible() {
    let texts = |file| {
        let texts = [
            &["info", file][..],
            &["objects", file],
            &["events", file],
            &["report", file, "all"],
        ];
        texts.map(stdout).join("\n")
    };
    insta::assert_snapshot!("texts", texts("be32_ppc_names.trx"));
    for file in ["be32_ppc_names.trx", "smp32_cores.trx", "cm3_system.trx"] {
        let first = texts(file);
        for _ in 0..3 {
            assert!(first == texts(file), "{file} is another each time");
        }
    }
}

#[test]
fn exact_name_selects_one_thread() {
    let file = "linux32_inv_nondet.trx";
    let one = json(&["report", file, "threads", "--threads", "mid"]);
    let names = rows(&one, "threads").iter().map(|thread| &thread["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["mid"]);
    let both = json(&["report", file, "threads", "--threads", "mid*"]);
    assert_eq!(rows(&both, "threads").len(), 2);
}

/// Health does not change with the scope, and the text says so.
#[test]
fn health_is_labelled_as_that_of_the_whole_recording() {
    let note = "these figures cover the whole recording";
    for scope in [["--to", "100000"], ["--threads", "ui"]] {
        let part = stdout(&[&["report", "cm3_system.trx", "health"], scope.as_slice()].concat());
        assert!(part.contains(note), "{part}");
        assert!(part.contains("3000"), "{part}");
    }
}

/// Copies a recording with 32-bit words; each event is 1000 ticks after the
/// previous one.
pub(crate) fn counted(name: &str, copy: &Path) {
    let mut bytes = fs::read(folder().join(name)).unwrap();
    rtoscope_fixtures::restamp_threadx(&mut bytes, |event| event * 1000);
    fs::write(copy, bytes).unwrap();
}

/// What every output says about such a recording.
pub(crate) const COUNTED: &str = "the clock counts events: only the order of events is known";

/// Calls `see` with each member of a document and its path.
fn members(json: &Value, path: &str, see: &mut impl FnMut(&str, &Value)) {
    see(path, json);
    match json {
        Value::Object(all) => all
            .iter()
            .for_each(|(key, value)| members(value, &format!("{path}/{key}"), see)),
        Value::Array(all) => all.iter().for_each(|value| members(value, path, see)),
        _ => {}
    }
}

#[test]
fn event_counting_clock_has_no_durations_or_shares() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("counted.trx");
    counted("linux32_inv_nondet.trx", &copy);
    let copy = copy.to_str().unwrap();
    for options in [&[][..], &["--clock", "1MHz"]] {
        let report = json(&[&["report", copy], options].concat());
        assert_eq!(report["clock_quality"], "event-counter");
        assert_eq!(report["frequency_hz"], Value::Null);
        for skipped in ["latency", "load"] {
            assert_eq!(report.get(skipped), None, "{skipped}");
        }
        assert!(number(&report, "/performance/dispatches") > 0);
        assert!(!rows(&report, "inversions").is_empty());
        // Shares of stacks and capacities, and counts, are not shares of time.
        let untimed = [
            "/stacks",
            "/threads/stack",
            "/services",
            "/locks",
            "/objects",
        ];
        members(&report, "", &mut |path, value| {
            let is_untimed = untimed.iter().any(|report| path.starts_with(report));
            if path.ends_with("percent") && !is_untimed && !path.contains("coverage") {
                assert_eq!(*value, Value::Null, "{path}");
            }
            assert!(!path.ends_with("/ns") && !path.ends_with("_ns"), "{path}");
        });
        let page = stdout(&[&["report", copy], options].concat());
        assert!(page.contains("events, no times\n"), "{page}");
        assert!(!page.contains('%') && !page.contains("longest"), "{page}");
        let all = stdout(&[&["report", copy, "all"], options].concat());
        assert!(
            all.contains(&format!(
                "skipped: latency, periods, cycles, load ({COUNTED})"
            )),
            "{all}"
        );
        let events = HERE.stdout(&[&["events", copy, "--format", "csv"], options].concat());
        let mut lines = events.lines();
        let header: Vec<_> = lines.next().unwrap().split(',').collect();
        assert!(!header.contains(&"time_ns"), "{header:?}");
        let from = [&["report", copy, "--from", "1ms"], options].concat();
        assert!(refusal(&from).contains(COUNTED));
    }
}

/// Checks a deadline of a thread, and returns the exit code.
fn check_deadline(trace: &Path, thread: &str, deadline: &str) -> Option<i32> {
    let folder = tempfile::tempdir().unwrap();
    let timing = folder.path().join("timing.toml");
    let text = format!(
        "[[deadline]]\nname = \"reaction\"\nthread = \"{thread}\"\ndeadline = \"{deadline}\"\n"
    );
    fs::write(&timing, text).unwrap();
    let trace = trace.to_str().unwrap();
    let timing = timing.to_str().unwrap();
    let output = rtoscope(&["check", trace, "--clock", "25MHz", "--config", timing]).output();
    output.unwrap().status.code()
}

#[test]
fn declared_deadlines_set_the_exit_code() {
    let trace = folder().join("cm3_system.trx");
    assert_eq!(check_deadline(&trace, "logger", "500ms"), Some(0));
    assert_eq!(check_deadline(&trace, "logger", "2ms"), Some(1));
    // Without declared deadlines there is nothing to check.
    let nothing = rtoscope(&["check", "cm3_system.trx"]).output();
    assert_eq!(nothing.unwrap().status.code(), Some(2));
    // A log does not record when a thread becomes ready.
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.cswl");
    common::write_generated_log(&log);
    assert_eq!(check_deadline(&log, "sensor", "1ms"), Some(3));
}

/// Its mutexes have owners, its threads no priorities, and in some cycles the scheduler had
/// nothing to do.
#[test]
fn what_a_tonbandgeraet_stream_does_not_show_is_not_reported() {
    let folder = TestFolder("tonbandgeraet");
    let output = folder.run(&["report", "cm3_full.bin", "cycles", "inversions", "locks"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("skipped: inversions (not recorded)"),
        "{text}"
    );
    assert!(
        text.contains("Mutexes") && text.contains("Cycles"),
        "{text}"
    );
    assert!(
        !text.contains("(interrupt or scheduler) did not run"),
        "{text}"
    );
}
