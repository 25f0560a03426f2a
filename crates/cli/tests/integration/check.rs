//! `rtoscope check`: rules, outcomes, formats and exit codes.

use rtoscope_fixtures::testdata;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SYSTEM: &str = "threadx/cm3_system.trx";

fn check(recordings: &[&str], options: &[&str], rules: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rules.toml");
    fs::write(&file, rules).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let command = command.current_dir(testdata(".")).arg("check");
    let command = command.args(recordings).arg("--rules").arg(&file);
    command
        .args(["--clock", "25MHz"])
        .args(options)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The outcome and the message of the only result.
fn outcome_of(recording: &str, rule: &str) -> (String, String) {
    let output = check(
        &[recording],
        &["--format", "json"],
        &format!("[[rule]]\n{rule}"),
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    let document: Value = serde_json::from_slice(&output.stdout).expect(&errors);
    let result = &document["recordings"][0]["results"][0];
    let word = |key: &str| result[key].as_str().unwrap().to_owned();
    (word("outcome"), word("message"))
}

const RULES: &str = r#"
[[rule]]
table = "latency.threads"
row = "ui"
column = "wake_up.max"
max = "3ms"

[[rule]]
name = "no inversions"
table = "inversions"
max-rows = 2

[[rule]]
table = "profile"
row = "alarm"
column = "percent"
max = "40%"

[findings]
fail-on = "critical"

[[findings.accept]]
category = "unbounded-inversion"
reason = "known"
"#;

#[test]
fn violations_come_with_the_worst_figures_and_events() {
    let output = check(&[SYSTEM], &[], RULES);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(text(&output));
}

#[test]
fn a_rule_passes_fails_or_is_undecided() {
    for (recording, rule, outcome, message) in [
        (
            SYSTEM,
            "table = \"latency.threads\"\nrow = \"ui\"\ncolumn = \"wake_up.max\"\nmax = \"3421120ns\"",
            "passed",
            "at most 3.421 ms (ui)",
        ),
        (
            SYSTEM,
            "table = \"latency.threads\"\nrow = \"u?\"\ncolumn = \"wake_up.max\"\nmax = \"85527 ticks\"",
            "failed",
            "1 violation",
        ),
        (
            SYSTEM,
            "table = \"profile\"\nrow = \"missing\"\ncolumn = \"percent\"\nmax = 80",
            "undecided",
            "table `profile` has no such row",
        ),
        (
            SYSTEM,
            "table = \"stacks\"\ncolumn = \"used_percent\"\nmax = 80",
            "undecided",
            "the figure of monitor is unknown",
        ),
        (
            SYSTEM,
            "table = \"pipeline\"\ncolumn = \"late\"\nmax = 0",
            "undecided",
            "the recording has nothing for report pipeline",
        ),
        (
            "threadx/cm3_dwt_zero.trx",
            "table = \"isr\"\ncolumn = \"duration.max\"\nmax = \"1ms\"",
            "undecided",
            "the figure of",
        ),
        (
            "threadx/linux32_filter.trx",
            "table = \"inversions\"\nmax-rows = 0",
            "undecided",
            "0 rows, but 7 times a thread ran or stopped without a record of the scheduler",
        ),
        (
            "threadx/linux32_filter.trx",
            "table = \"inversions\"\nmax-rows = 0\ngaps = \"accept\"",
            "passed",
            "0 rows",
        ),
        (
            SYSTEM,
            "table = \"inversions\"\nmax-rows = 0\nto = \"event:400\"",
            "passed",
            "0 rows",
        ),
        (
            SYSTEM,
            "table = \"latency.threads.waited\"\nof = \"ui\"\ncolumn = \"duration.count\"\nmin = 1",
            "passed",
            "at least",
        ),
    ] {
        let (found, said) = outcome_of(recording, rule);
        assert_eq!(found, outcome, "{rule}: {said}");
        assert!(said.starts_with(message), "{rule}: {said}");
    }
}

#[test]
fn mistakes_in_rules_name_their_line_and_what_exists() {
    for (rules, message) in [
        (
            "[[rule]]\ntable = \"nothing\"\nmax-rows = 0",
            "line 1: no report has a table `nothing`; the reports are profile, ",
        ),
        (
            "\n[[rule]]\ntable = \"latency.thread\"\nmax-rows = 0",
            "line 2: report latency has no table `latency.thread`; it has latency.threads, ",
        ),
        (
            "[[rule]]\ntable = \"isr\"\ncolumn = \"name\"\nmax = 1",
            "line 1: table `isr` has no figure `name`; it has activations, ",
        ),
        (
            "[[rule]]\ntable = \"isr\"\ncolumn = \"duration.max\"\nmax = \"fast\"",
            "line 1: `max`: expected a duration such as \"8ms\" or \"200 ticks\", found \"fast\"",
        ),
        (
            "[[rule]]\ntable = \"isr\"\ncolumn = \"duration.max\"",
            "line 1: a rule needs a `column` with `min` or `max`",
        ),
        (
            "[[rule]]\ncolumn_name = 1",
            "line 2: unknown field `column_name`",
        ),
        (
            "[[rule]]\ntable = \"isr\"\nmax-rows = 0\nfrom = \"event:999999\"",
            "line 1: there is no event 999999",
        ),
    ] {
        let output = check(&[SYSTEM], &[], rules);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn several_recordings_have_one_exit_code() {
    let rules = "[[rule]]\ntable = \"inversions\"\nmax-rows = 0\n";
    let code = |recordings: &[&str], rules: &str| check(recordings, &[], rules).status.code();
    let (good, undecided) = ("threadx/linux32_filex.trx", "threadx/linux32_filter.trx");
    assert_eq!(code(&[good], rules), Some(0));
    assert_eq!(code(&[good, undecided], rules), Some(3));
    assert_eq!(code(&[good, undecided, SYSTEM], rules), Some(1));
    for (policy, expected) in [("pass", 0), ("fail", 1)] {
        let rules = format!("undecided = \"{policy}\"\n{rules}");
        assert_eq!(code(&[good, undecided], &rules), Some(expected));
    }
}

#[test]
fn a_format_goes_to_a_file_and_text_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.xml");
    let options = ["--format", "junit", "--output", file.to_str().unwrap()];
    let output = check(&[SYSTEM], &options, RULES);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("checks: 2 passed"),
        "{}",
        text(&output)
    );
    let junit = fs::read_to_string(&file).unwrap();
    assert!(
        junit.contains("tests=\"4\" failures=\"2\" errors=\"0\""),
        "{junit}"
    );
}

/// Names of recordings are text of others.
#[cfg(unix)]
#[test]
fn names_of_recordings_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = folder.path().join("a,b%\n<c>.trx");
    fs::copy(testdata(SYSTEM), &hostile).unwrap();
    for (format, expected) in [
        ("github", "a%2Cb%25%0A<c>.trx,title="),
        ("junit", "&lt;c&gt;.trx"),
        ("markdown", "\\n<c>.trx`"),
        ("sarif", "a,b%25%0A%3Cc%3E.trx"),
    ] {
        let hostile = hostile.to_str().unwrap();
        let output = check(&[hostile], &["--format", format], RULES);
        assert!(text(&output).contains(expected), "{}", text(&output));
    }
}

#[test]
fn learned_rules_hold_for_the_recordings_that_they_are_from() {
    let learn = |recordings: &[&str], options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        let command = command
            .current_dir(testdata("."))
            .args(["check", "--learn", "10"]);
        command.args(recordings).args(options).output().unwrap()
    };
    let recordings = [SYSTEM, "threadx/cm3_short.trx"];
    let learned = learn(&recordings, &["--clock", "25MHz"]);
    let rules = text(&learned);
    assert!(
        rules.contains("row = \"ui\"\ncolumn = \"wake_up.max\"\nmax = \"3.8ms\"\n"),
        "{rules}"
    );
    let output = check(&recordings, &[], &rules);
    assert_ne!(output.status.code(), Some(1), "{}", text(&output));
    // Ticks and times do not mix.
    let mixed = learn(&["threadx/cm3_short.trx", "rkh/nat_short.bin"], &[]);
    assert_eq!(mixed.status.code(), Some(2));
}

#[test]
fn rules_of_the_project_apply() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let project = |text: &str| fs::write(file("rtoscope.toml"), text).unwrap();
    fs::copy(testdata("rkh/nat_short.bin"), file("a.bin")).unwrap();
    let run = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        command
            .current_dir(folder)
            .args(["check", "a.bin"])
            .output()
            .unwrap()
    };
    project("[[check.rule]]\nname = \"dry\"\nsequence = '''never MP.GET nfree=0\n...'''\n");
    let output = run(folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(
        text(&output).contains("passed     dry"),
        "{}",
        text(&output)
    );
    project("[check]\n\n[[check.rule]]\ntable = \"x\"\nmax-rows = 1\n");
    let said = String::from_utf8(run(folder.path()).stderr).unwrap();
    assert!(
        said.contains("rtoscope.toml: line 3: no report has a table `x`"),
        "{said}"
    );
}

/// Checks rules in SQL with a program for SQL that is this shell script.
#[cfg(unix)]
fn check_with_program(script: &str, rules: &str) -> Output {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rules.toml");
    fs::write(&file, rules).unwrap();
    if !script.is_empty() {
        let program = folder.path().join("rtoscope-sql");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let command = command
        .current_dir(testdata("."))
        .env("PATH", folder.path());
    let command = command.args(["check", SYSTEM, "--clock", "25MHz", "--rules"]);
    command.arg(&file).output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_query_must_return_no_rows() {
    const RULES: &str = "gaps = \"accept\"\n[[rule]]\nname = \"short\"\nsql = \"SELECT a\"\n\n\
        [[rule]]\ntable = \"inversions\"\nmax-rows = 9\n\n[[rule]]\nsql = '''SELECT b\n  FROM c'''\n";
    let result = |rows: &str, count: u32, warning: &str| {
        let column = |name: &str| format!(r#"{{"name":"{name}","is_number":true}}"#);
        format!(
            r#"{{"result":{{"columns":[{},{}],"rows":{rows},"count":{count},"milliseconds":1,"warning":{warning}}}}}"#,
            column("event"),
            column("latency"),
        )
    };
    let rows = result("[[12,1.5],[90,null]]", 7, "null");
    let nothing = result("[]", 0, r#""events has no rows""#);
    // One program answers the queries of all rules.
    let script =
        format!("read -r line; echo '{rows}'; read -r line; echo '{nothing}'; read -r line");
    let output = check_with_program(&script, RULES);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let expected = "  failed     short                 7 rows
             latency 1.5  [event 12]
             latency -  [event 90]
             and 5 more
  passed     inversions rows <= 9  6 rows
  undecided  SELECT b FROM c       events has no rows
3 checks: ";
    assert!(text(&output).contains(expected), "{}", text(&output));
    let script = format!("read -r line; echo '{}'; exec cat", result("[]", 0, "null"));
    let output = check_with_program(&script, "[[rule]]\nsql = 'SELECT a'\n");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_query_without_a_program_is_undecided_and_a_wrong_one_a_mistake() {
    const RULE: &str = "\n[[rule]]\nsql = 'SELECT a'\n";
    for (script, found) in [
        ("", "this needs rtoscope-sql, which is not installed"),
        (
            "echo 'rtoscope: another version' >&2; exit 2",
            "another version",
        ),
    ] {
        let output = check_with_program(script, RULE);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(text(&output).contains(found), "{}", text(&output));
    }
    let error = r#"{"error":{"message":"no field a","position":{"line":1,"start":7,"end":8}}}"#;
    let output = check_with_program(&format!("read -r line; echo '{error}'"), RULE);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let expected = "line 2: `sql`: no field a (line 1, character 8)";
    assert!(said.contains(expected), "{said}");
    let both = check_with_program("", "[[rule]]\nsql = 'SELECT 1'\ntable = 'isr'\n");
    let said = String::from_utf8(both.stderr).unwrap();
    assert!(
        said.contains("a rule with `sql` has no other keys"),
        "{said}"
    );
}

#[test]
fn a_deadline_may_be_missed_at_times() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("project.toml");
    let run = |rules: &str| {
        let deadline =
            "[[deadline]]\nname = \"reaction\"\nthread = \"logger\"\ndeadline = \"2ms\"\n";
        fs::write(&file, format!("{deadline}{rules}")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        let command = command.current_dir(testdata(".")).args(["check", SYSTEM]);
        let command = command.args(["--clock", "25MHz", "--config"]).arg(&file);
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text(&output) + &errors)
    };
    let (code, all) = run("");
    assert_eq!(code, Some(1), "{all}");
    let (code, firm) = run("[[check.rule]]\ndeadline = \"reaction\"\nfirm = \"1 of 20\"\n");
    assert_eq!(code, Some(0), "{firm}");
    let rule =
        "[[check.rule]]\ndeadline = \"reaction\"\nmax-missed = \"1%\"\nfirm = \"20 of 20\"\n";
    let (code, failed) = run(rule);
    assert_eq!(code, Some(1), "{failed}");
    for found in [
        "reaction  2 of 20 missed: events 2055, 2278  [event 2055]",
        "reaction  2 of 39 missed, 5.1 %  [event 2055]",
    ] {
        assert!(failed.contains(found), "{failed}");
    }
    for (rule, found) in [
        (
            "deadline = \"reactoin\"\nfirm = \"1 of 2\"\n",
            "no such deadline is declared",
        ),
        (
            "deadline = \"reaction\"\n",
            "line 5: a rule with `deadline` needs `firm` or `max-missed`",
        ),
        (
            "deadline = \"reaction\"\nfirm = \"2\"\n",
            "line 5: `firm`: expected how many of any",
        ),
        (
            "deadline = \"reaction\"\nfirm = \"1 of 2\"\ntable = \"isr\"\n",
            "has no other keys than",
        ),
    ] {
        let (_, said) = run(&format!("[[check.rule]]\n{rule}"));
        assert!(said.contains(found), "{said}");
    }
}

#[test]
fn each_window_between_two_events_is_judged() {
    const LOGGER: &str = "table = 'profile'\nrow = 'logger'\ncolumn = 'percent'\nmax";
    const PAUSE: &str = r#"between = 'kind == "thread suspend" and context == "ui" -> kind == "thread resume" and arg.thread == "ui"'"#;
    for (rule, outcome, message) in [
        (format!("{LOGGER} = 20"), "failed", "2 of 38 windows"),
        (
            format!("{LOGGER} = '22.2%'"),
            "passed",
            "at most 22.1 % (logger / thread) in 38 windows",
        ),
        // Only one window is in this part.
        (
            format!("{LOGGER} = 20\nfrom = 'event:2580'\nto = 'event:2700'"),
            "failed",
            "1 of ",
        ),
        (
            "table = 'profile'\nrow = 'absent'\ncolumn = 'percent'\nmax = 1".to_owned(),
            "undecided",
            "table `profile` has no such row in 38 windows",
        ),
        // The thread does not wait in each of them.
        (
            "table = 'latency.threads'\nrow = 'logger'\ncolumn = 'wake_up.max'\nmax = '1ms'"
                .to_owned(),
            "passed",
            "at most 229.440 µs (logger) in 38 windows",
        ),
    ] {
        let (found, said) = outcome_of(SYSTEM, &format!("{rule}\n{PAUSE}"));
        assert_eq!(found, outcome, "{rule}: {said}");
        assert!(said.starts_with(message), "{rule}: {said}");
    }
    let none = r#"between = 'kind == "thread suspend" -> event < 0'"#;
    let (found, said) = outcome_of(SYSTEM, &format!("{LOGGER} = 20\n{none}"));
    assert_eq!(
        (&*found, &*said),
        ("undecided", "there is no complete window")
    );
    let rules = format!("[[rule]]\n{LOGGER} = 20\n{PAUSE}");
    let worst = text(&check(&[SYSTEM], &[], &rules));
    for found in [
        "profile logger in each window percent <= 20",
        "logger / thread  22.1 % in the window from event 2580  [event 2580]",
    ] {
        assert!(worst.contains(found), "{worst}");
    }
    // An event is missing, which may have started another window.
    let steps = "table = 'active'\ncolumn = 'steps'\nmax = 9\nbetween = 'kind == \"SM TRN\" -> kind == \"SM EVT_PROC\" [by thread]'";
    for (gaps, outcome) in [("", "undecided"), ("gaps = 'accept'", "passed")] {
        let (found, said) = outcome_of("rkh/dmg_flip.bin", &format!("{steps}\n{gaps}"));
        assert_eq!(found, outcome, "{said}");
        assert!(
            said.starts_with("at most 0 (server) in 53 windows"),
            "{said}"
        );
    }
    for (between, mistake) in [
        (
            "pause",
            "line 1: `between`: no interval \"pause\" is declared",
        ),
        (
            "event > 1 -> event > 2 within 1ms",
            "line 1: `between`: windows have no deadline",
        ),
    ] {
        let rules = format!("[[rule]]\n{LOGGER} = 20\nbetween = '{between}'");
        let said = String::from_utf8(check(&[SYSTEM], &[], &rules).stderr).unwrap();
        assert!(said.contains(mistake), "{said}");
    }
}
