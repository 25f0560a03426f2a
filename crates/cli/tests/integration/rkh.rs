//! Runs the commands on RKH streams.

use crate::common::TestFolder;
use serde_json::Value;
use std::fs;

const HERE: TestFolder = TestFolder("rkh");

fn stdout(arguments: &[&str]) -> String {
    HERE.stdout(arguments)
}

fn refusal(arguments: &[&str]) -> String {
    HERE.usage_error(arguments)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--format", "json"]].concat())).unwrap()
}

fn json_lines(arguments: &[&str]) -> Vec<Value> {
    let text = stdout(&[&["events"], arguments, &["--format", "jsonl"]].concat());
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn info_describes_a_stream() {
    insta::assert_snapshot!("rkh_info", stdout(&["info", "nat_short.bin"]));
    let info = json(&["info", "dmg_dropflag.bin"]);
    assert_eq!(info["format"], "rkh");
    assert_eq!(info["losses"]["bad_frames"], 1);
    // One in the bad frame, one after it.
    assert_eq!(info["losses"]["missing_records"], 2);
    let problems = &info["losses"]["problems"];
    assert_eq!(problems[0]["offset"], 5160);
    assert_eq!(problems[0]["kind"], "malformed");
    assert_eq!(problems[0]["extra"], 15);
    assert_eq!(problems[1]["kind"], "gap");
    assert_eq!(problems[1]["offset"], 5195);
    let split = json(&["info", "dmg_dropflag.bin", "-Osplit-glued"]);
    assert_eq!(split["events"], 926);
    assert_eq!(split["losses"]["missing_records"], 0);
    assert_eq!(split["losses"]["split_frames"], 1);
}

#[test]
fn records_are_listed_as_text() {
    let range = ["--range", "117..150"];
    let text = stdout(&[&["events", "nat_short.bin"], &range[..]].concat());
    insta::assert_snapshot!("rkh_events", text);
    let columns = ["--columns", "timestamp,sequence,post_event,waited,kind"];
    let text = stdout(&[&["events", "nat_short.bin"], &columns[..]].concat());
    // The response time of the first post, as RKH's own tool shows it.
    assert!(
        text.contains("2926       121         120      11  SMA GET"),
        "{text}"
    );
}

#[test]
fn arguments_and_texts_are_filtered() {
    let count = |filter| json_lines(&["nat_short.bin", "--filter", filter]).len();
    assert_eq!(count("arg.nm == w_wait"), 1);
    assert_eq!(count("arg.nelem == 1 and kind ~ 'SMA *'"), 50);
    assert!(count("arg.snr == isr_tick") > 10);
    assert!(count("arg.pid == ep1") > 10);
    assert!(count("arg.pid == static") > 10);
    assert!(
        refusal(&["events", "nat_short.bin", "--filter", "arg.nm == w_wake"]).contains("w_wake")
    );
}

#[test]
fn configuration_can_be_set_or_guessed() {
    let attached = refusal(&["info", "dmg_attach.bin"]);
    assert!(attached.contains("-O rkh-config"), "{attached}");
    let given = json(&["info", "dmg_attach.bin", "-O", "rkh-config=dmg_attach.json"]);
    assert_eq!(given["configuration_source"], "user");
    assert_eq!(given["events"], 525);
    let guessed = json(&["info", "dmg_attach.bin", "-Oguess"]);
    assert_eq!(guessed["configuration_source"], "guessed");
    assert_eq!(guessed["events"], 525);
    assert_eq!(
        guessed["runs"][0]["configuration"],
        given["runs"][0]["configuration"]
    );
    let set = [
        "-O",
        "rkh-set=sender=1",
        "-O",
        "rkh-set=quelwm=1",
        "-O",
        "rkh-set=mplwm=1",
    ];
    let set = json(&[&["info", "dmg_attach.bin"], &set[..]].concat());
    assert_eq!(set["events"], 525);
    for bad in ["fun=3", "width=1", "sender"] {
        refusal(&["info", "nat_short.bin", "-O", &format!("rkh-set={bad}")]);
    }
    let unreadable = refusal(&["info", "nat_short.bin", "-O", "rkh-config=nat_short.spec"]);
    assert!(unreadable.contains("nat_short.spec"), "{unreadable}");
}

#[test]
fn names_are_loaded_from_another_stream() {
    let named = json_lines(&[
        "dmg_attach.bin",
        "-O",
        "rkh-config=dmg_attach.json",
        "--symbols",
        "nat_short.bin",
    ]);
    assert!(named.iter().any(|record| record["context"] == "wrk0"));
    assert!(
        named
            .iter()
            .any(|record| record["arguments"]["sig"] == "SG_TOUT")
    );
}

#[test]
fn active_objects_are_reported() {
    for report in ["active", "signals", "states", "transitions", "timers"] {
        let text = stdout(&["report", "nat_short.bin", report]);
        insta::assert_snapshot!(format!("rkh_report_{report}"), text);
        let json = json(&["report", "nat_short.bin", report]);
        assert!(json.get(report).is_some(), "{report}");
        let none = json_of_threads(report);
        assert!(none.get(report).is_none(), "{report}");
    }
}

/// The report of a trace without active objects.
fn json_of_threads(report: &str) -> Value {
    json(&["report", "../threadx/cm3_short.trx", report])
}

#[test]
fn diagrams_are_drawn() {
    let window = ["--from", "event:117", "--to", "event:200"];
    for format in ["svg", "mermaid", "plantuml", "msc"] {
        let options = ["--format", format];
        let command = ["diagram", "sequence", "nat_short.bin"];
        let text = stdout(&[&command[..], &window, &options].concat());
        assert!(text.contains("SG_REQ"), "{format}: {text}");
        assert!(text.contains("isr_tick"), "{format}: {text}");
    }
    let graph = ["diagram", "communication", "../threadx/cm3_system.trx"];
    let whole = stdout(&graph);
    assert!(whole.starts_with("digraph"), "{whole}");
    let part = ["--format", "mermaid", "--to", "event:100"];
    let part = stdout(&[&graph[..], &part].concat());
    assert!(part.starts_with("flowchart"), "{part}");
    assert!(part.lines().count() < whole.lines().count());
    let only = [
        "--objects",
        "wrk2",
        "--show",
        "nothing",
        "--format",
        "mermaid",
    ];
    let only = stdout(&[&["diagram", "sequence", "nat_short.bin"], &only[..]].concat());
    assert!(!only.contains("wrk1"), "{only}");
    let machine = ["diagram", "machine", "nat_short.bin", "--object"];
    insta::assert_snapshot!(
        "rkh_machine_dot",
        stdout(&[&machine[..], &["server"]].concat())
    );
    let mermaid = stdout(&[&machine[..], &["wrk0", "--format", "mermaid"]].concat());
    insta::assert_snapshot!("rkh_machine_mermaid", mermaid);
    let few = ["diagram", "sequence", "nat_short.bin", "--limit", "5"];
    let output = HERE.run(&few);
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(note.contains("more rows skipped"), "{note}");
}

#[test]
fn impossible_diagrams_are_refused() {
    let which = refusal(&["diagram", "machine", "nat_short.bin"]);
    assert!(which.contains("server, wrk0, wrk1, wrk2"), "{which}");
    let error = refusal(&["diagram", "machine", "nat_short.bin", "--object", "wrk9"]);
    assert!(error.contains("wrk9"), "{error}");
    let none = refusal(&["diagram", "sequence", "../threadx/cm3_short.trx"]);
    assert!(none.contains("no active object"), "{none}");
    let buffer = refusal(&["convert", "nat_short.bin"]);
    assert!(buffer.contains("RKH trace stream"), "{buffer}");
    let forced = refusal(&["info", "nat_short.bin", "--input-format", "threadx"]);
    assert!(forced.contains("RKH trace stream"), "{forced}");
}

#[test]
fn catalogue_explains_records() {
    insta::assert_snapshot!(
        "rkh_catalogue",
        stdout(&["catalogue", "--of", "rkh", "SMA FIFO"])
    );
    let all = json(&["catalogue", "--of", "rkh"]);
    assert_eq!(all["events"].as_array().unwrap().len(), 105);
}

/// The value on a line of `info`.
fn said<'t>(text: &'t str, title: &str) -> &'t str {
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix(title));
    line.unwrap_or_else(|| panic!("no {title}: {text}")).trim()
}

#[test]
fn wrong_recorded_configuration_is_replaced_by_a_guess() {
    const UNUSUAL: TestFolder = TestFolder("rkh-unusual");
    let file = "swapped_configuration.bin";
    let plain = UNUSUAL.stdout(&["info", file]);
    assert_eq!(said(&plain, "events"), "47");
    assert!(
        plain.contains(
            "configuration-unfit: the configuration that the target sent fits 47 of 1469 frames: \
             its record is probably damaged; -O guess finds one that fits 100.0 % (nseq 0 -> 1"
        ),
        "{plain}"
    );
    let guessed = UNUSUAL.stdout(&["info", file, "-Oguess"]);
    assert_eq!(said(&guessed, "events"), "1469");
    assert_eq!(said(&guessed, "settings"), "guessed");
    assert!(
        said(&guessed, "losses").ends_with("(0), 0 records missing"),
        "{guessed}"
    );
    assert!(guessed.contains("using the guessed one"), "{guessed}");
}

#[test]
fn input_for_guessing_must_be_a_stream() {
    const UNUSUAL: TestFolder = TestFolder("rkh-unusual");
    let unsaid = UNUSUAL.usage_error(&["info", "headless.bin"]);
    assert!(unsaid.contains("no trace found"), "{unsaid}");
    let guessed = UNUSUAL.stdout(&["info", "headless.bin", "-Oguess"]);
    let said_so = UNUSUAL.stdout(&["info", "headless.bin", "-Oguess", "--input-format", "rkh"]);
    assert_eq!(guessed, said_so);
    assert_eq!(said(&guessed, "events"), "832");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noise.bin");
    fs::write(&file, (0..=255).collect::<Vec<u8>>()).unwrap();
    let neither = refusal(&["info", file.to_str().unwrap(), "-Oguess"]);
    assert!(neither.contains("RKH"), "{neither}");
}

#[test]
fn skipped_reports_have_a_reason() {
    let netx = stdout(&["report", "ut.bin", "netx"]);
    assert!(
        netx.ends_with("skipped: netx (the format has no events of FileX, NetX and USBX)\n"),
        "{netx}"
    );
    let log = stdout(&["report", "nat_short.bin", "context-switches"]);
    assert!(
        log.contains("skipped: context-switches (the trace is not a context-switch log)"),
        "{log}"
    );
    let usage = refusal(&["report", "nat_short.bin", "load", "--windows", "0"]);
    assert!(
        usage.contains("--windows") && usage.contains("0 is not in 1.."),
        "{usage}"
    );
}

#[test]
fn unused_options_are_listed() {
    let said = |folder: TestFolder, arguments: &[&str]| {
        let output = folder.run(arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let threadx = [
        "info",
        "cm3_short.trx",
        "-O",
        "rkh-set=fun=2",
        "-Osplit-glued",
    ];
    assert_eq!(
        said(TestFolder("threadx"), &threadx),
        "rtoscope: cm3_short.trx: no effect on a ThreadX event trace: rkh-set, split-glued\n"
    );
    let rkh = [
        "info",
        "nat_short.bin",
        "-O",
        "clock-period=970",
        "-O",
        "netx=legacy",
    ];
    assert_eq!(
        said(HERE, &rkh),
        "rtoscope: nat_short.bin: no effect on an RKH trace stream: clock-period, netx\n"
    );
}

#[test]
fn empty_configuration_is_refused_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.cfg");
    fs::write(&file, [0xFF, 0xFE, 0x80]).unwrap();
    let error = refusal(&[
        "info",
        "nat_short.bin",
        &format!("-Orkh-config={}", file.display()),
    ]);
    assert_eq!(error.matches("UTF-8").count(), 1, "{error}");
    let clock = refusal(&["info", "nat_short.bin", "--clock", "-5MHz"]);
    assert!(
        clock.contains("expected a frequency such as 25MHz"),
        "{clock}"
    );
    assert!(!clock.contains("tip"), "{clock}");
}

#[test]
fn a_firmwares_header_is_checked_against_the_stream() {
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("rkhcfg.h");
    let write = |size: u32| {
        let text = format!(
            "#define RKH_CFG_SMA_TRC_SNDR_EN RKH_ENABLED\n#define RKH_CFG_QUE_GET_LWMARK_EN 1\n\
             #define RKH_CFG_MP_GET_LWM_EN 1\n#define RKH_CFG_FWK_SIZEOF_EVT {size}u\n"
        );
        std::fs::write(&header, text).unwrap();
    };
    let config = format!("-Orkh-config={}", header.display());
    let mismatch = |info: &Value| {
        let diagnostics = info["diagnostics"].as_array().unwrap().iter();
        let mut found = diagnostics.filter(|it| it["kind"] == "configuration-mismatch");
        found
            .next()
            .map(|it| it["message"].as_str().unwrap().to_owned())
    };
    write(8);
    let info = |stream: &str| json(&["info", stream, &config]);
    assert_eq!(mismatch(&info("nat_short.bin")), None);
    let attached = info("dmg_attach.bin");
    assert_eq!(
        (&attached["events"], mismatch(&attached)),
        (&525.into(), None)
    );
    write(16);
    let message = mismatch(&info("nat_short.bin")).unwrap();
    assert!(
        message.contains("sig is 1 in the stream, not 2"),
        "{message}"
    );
    let wrong = refusal(&["info", "dmg_attach.bin", &config]);
    assert!(wrong.contains("configuration that was set"), "{wrong}");
    write(24);
    let invalid = refusal(&["info", "dmg_attach.bin", &config]);
    assert!(invalid.contains("line 4: 24 is not a value"), "{invalid}");
}
