//! Runs the commands as a user would.

use crate::common::TestFolder;
use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;

const HERE: TestFolder = TestFolder("threadx");

fn trace(name: &str) -> PathBuf {
    HERE.folder().join(name)
}

fn rtoscope(arguments: &[&str]) -> Command {
    HERE.command(arguments)
}

fn stdout(arguments: &[&str]) -> String {
    HERE.stdout(arguments)
}

fn refusal(arguments: &[&str]) -> String {
    HERE.usage_error(arguments)
}

#[test]
fn info_as_text() {
    insta::assert_snapshot!(stdout(&["info", "linux32_regover.trx"]));
}

#[test]
fn info_as_json() {
    insta::assert_snapshot!(stdout(&["info", "cm3_midinsert.trx", "--format", "json"]));
}

#[test]
fn events_as_text() {
    insta::assert_snapshot!(stdout(&["events", "linux32_isr.trx", "--range", "20..45"]));
}

#[test]
fn multicore_events_show_the_core() {
    insta::assert_snapshot!(stdout(&[
        "events",
        "smp32_cores.trx",
        "--range",
        "100..110"
    ]));
}

#[test]
fn events_as_json_lines() {
    insta::assert_snapshot!(stdout(&[
        "events",
        "linux32_isr.trx",
        "--range",
        "40..43",
        "--format",
        "json"
    ]));
}

#[test]
fn columns_range_limit_and_filter_select() {
    let all = stdout(&[
        "events",
        "linux32_isr.trx",
        "--format",
        "csv",
        "--columns",
        "event,number",
    ]);
    let wanted: Vec<&str> = all.lines().filter(|line| line.ends_with(",3")).collect();
    let filtered = stdout(&[
        "events",
        "linux32_isr.trx",
        "--format",
        "csv",
        "--columns",
        "event,number",
        "--filter",
        "number == 3",
    ]);
    assert_eq!(filtered.lines().skip(1).collect::<Vec<_>>(), wanted);
    let limited = stdout(&[
        "events",
        "linux32_isr.trx",
        "-f",
        "csv",
        "--columns",
        "event,number",
        "--filter",
        "number == 3",
        "--limit",
        "2",
        "--range",
        "100..",
    ]);
    let from_100 = |line: &&&str| line.split(',').next().unwrap().parse::<u32>().unwrap() >= 100;
    let expected: Vec<&str> = wanted.iter().filter(from_100).take(2).copied().collect();
    assert_eq!(limited.lines().skip(1).collect::<Vec<_>>(), expected);
}

#[test]
fn an_object_has_each_member_once() {
    let columns = "number,event,number,stack";
    let words = [
        "events",
        "linux32_isr.trx",
        "-f",
        "json",
        "--columns",
        columns,
    ];
    let line = stdout(&[&words[..], &["--range", "3..4"]].concat());
    assert_eq!(line, "{\"number\":81,\"event\":3,\"stack\":null}\n");
}

#[test]
fn objects_in_all_formats() {
    insta::assert_snapshot!("objects_text", stdout(&["objects", "be32_ppc_names.trx"]));
    insta::assert_snapshot!(
        "objects_csv",
        stdout(&["objects", "be32_ppc_names.trx", "-f", "csv"])
    );
}

#[test]
fn catalogue_explains_events() {
    insta::assert_snapshot!("catalogue_by_number", stdout(&["catalogue", "69"]));
    insta::assert_snapshot!(
        "catalogue_by_name",
        stdout(&["catalogue", "TX_TRACE_THREAD_SUSPEND"])
    );
    let legacy = stdout(&["catalogue", "441", "-O", "netx=legacy"]);
    assert!(legacy.contains("nx_ip_static_route_add"), "{legacy}");
    let duo = stdout(&["catalogue", "441"]);
    assert!(duo.contains("nx_ip_static_route_enable"), "{duo}");
    let json = stdout(&["catalogue", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["events"].as_array().unwrap().len(), 641);
    assert!(refusal(&["catalogue", "no_such_call"]).contains("no_such_call"));
}

#[test]
fn catalogue_lists_the_types_of_the_registry() {
    insta::assert_snapshot!("catalogue_of_objects", stdout(&["catalogue", "--objects"]));
    assert!(refusal(&["catalogue", "--objects", "69"]).contains("--objects"));
    let without = refusal(&["catalogue", "--objects", "--of", "rkh"]);
    assert!(without.contains("RKH trace streams have no registry of objects"));
}

#[test]
fn applications_events_are_a_component() {
    let listed = stdout(&[
        "events",
        "linux32_userevents.trx",
        "--filter",
        "component == user and number < 4096",
        "--columns",
        "number,kind",
    ]);
    let found: Vec<&str> = listed.lines().skip(1).map(str::trim).collect();
    assert_eq!(
        found,
        [
            "1025  user event 1025",
            "2000  user event 2000",
            "4095  user event 4095"
        ]
    );
    // No kernel and no application uses the numbers 0 and 7.
    let info = stdout(&["info", "linux32_userevents.trx"]);
    assert!(info.contains("unknown-event: 2 events"), "{info}");
    // The component exists without an event of the application.
    stdout(&["events", "cm3_short.trx", "--filter", "component == user"]);
}

#[test]
fn info_gives_the_period_of_the_clock_as_a_time() {
    let info = |arguments: &[&str]| {
        let arguments = [
            &["info", "linux32_regover.trx", "--format", "json"],
            arguments,
        ]
        .concat();
        let info: serde_json::Value = serde_json::from_str(&stdout(&arguments)).unwrap();
        info["clock"].clone()
    };
    let clock = info(&["--clock", "240MHz"]);
    assert_eq!(clock["period_ns"], 17_895_697_066_u64);
    assert_eq!(clock["resolution_ps"], 4166);
    let clock = info(&[]);
    assert!(clock["period_ns"].is_null() && clock["resolution_ps"].is_null());
    let text = stdout(&["info", "linux32_regover.trx", "--clock", "240MHz"]);
    let expected = "240000000 Hz (resolution 4.166 ns), wraps every 4294967296 ticks = 17.895 s";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn custom_events_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let toml = folder.path().join("events.toml");
    fs::write(
        &toml,
        "[[event]]\nid = 4100\nname = \"heartbeat\"\nicon = \"HB\"\ncolour = \"#ff0000\"\n\
         arguments = [{ name = \"beats\", meaning = \"count\" }]\n",
    )
    .unwrap();
    let custom = format!("-Ocustom-events={}", toml.display());
    let shown = stdout(&[
        "events",
        "linux32_dirty.trx",
        &custom,
        "--filter",
        "number == 4100",
        "--limit",
        "1",
    ]);
    assert!(
        shown.contains("heartbeat") && shown.contains("beats="),
        "{shown}"
    );
    fs::write(&toml, "[[event]]\nid = 4100\nname = 7\n").unwrap();
    let error = refusal(&["info", "linux32_dirty.trx", &custom]);
    assert!(
        error.contains("events.toml") && error.contains("line 3"),
        "{error}"
    );
}

#[test]
fn convert_restores_the_raw_buffer() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.trx");
    let path = output.to_str().unwrap();
    rtoscope(&["convert", "derived_cm3_short.hex", "-o", path])
        .assert()
        .success();
    assert_eq!(
        fs::read(&output).unwrap(),
        fs::read(trace("cm3_short.trx")).unwrap()
    );
    rtoscope(&[
        "convert",
        "cm3_system.trx",
        "--byte-order",
        "big",
        "-o",
        path,
    ])
    .assert()
    .success();
    let expected = fs::read(trace("derived_be_cm3_system.trx")).unwrap();
    assert_eq!(fs::read(&output).unwrap(), expected);
    let error = refusal(&["convert", path, "-o", path]);
    assert!(error.contains("overwrite"), "{error}");
    assert_eq!(fs::read(&output).unwrap(), expected);
}

#[test]
fn info_lists_the_buffers_of_a_memory_image() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("ram.bin");
    let mut bytes = vec![0x5A; 1 << 20];
    for (at, name) in [
        (0x1234, "linux32_exact.trx"),
        (0x80001, "be64_s390x_wrap.trx"),
    ] {
        let buffer = fs::read(trace(name)).unwrap();
        bytes[at..at + buffer.len()].copy_from_slice(&buffer);
    }
    fs::write(&image, bytes).unwrap();
    let image = image.to_str().unwrap();
    let events = |choice: &[&str]| {
        let text = stdout(&[&["info", image, "--format", "json"], choice].concat());
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["container"], "ram-image");
        assert_eq!(json["buffers"].as_array().unwrap().len(), 2);
        json["events"].as_u64().unwrap()
    };
    assert_eq!(events(&[]), 100);
    assert_eq!(events(&["--buffer", "1"]), 299);
    assert_eq!(events(&["--at", "0x1274fa0"]), 299);
    assert_eq!(events(&["--at", "0x1234"]), 100);
    let error = refusal(&["info", image, "--buffer", "2"]);
    assert!(error.contains("0 at 0x586cc1a0, 1 at 0x1274fa0"), "{error}");
}

#[test]
fn unreadable_input_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = refusal(&["info", path.to_str().unwrap()]);
        assert!(error.contains(name), "{error}");
        error
    };
    let whole = fs::read(trace("linux32_exact.trx")).unwrap();
    assert!(refused("empty", b"").contains("empty"));
    assert!(refused("short", &whole[..47]).contains("takes 48 bytes, but the input ends after 47"));
    assert!(refused("zeros", &[0; 5000]).contains("no trace found in 5000 bytes"));
    let with_word = |word: usize, value: u32| {
        let mut bytes = whole.clone();
        bytes[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let reversed = refused("reversed", &with_word(7, 0x586c_c1b0));
    assert!(
        reversed.contains("buffer end at offset 0x1c is 0x586cc1b0"),
        "{reversed}"
    );
    // The header's address and the start of the registry.
    let mut base = with_word(2, 0x10);
    base[12..16].copy_from_slice(&0x1000_0000_u32.to_le_bytes());
    assert!(refused("base", &base).contains("the input contains only 3440 bytes"));
    let missing = refusal(&["info", "no-such-file"]);
    assert!(
        missing.contains("no-such-file") && missing.contains("os error 2"),
        "{missing}"
    );
    let directory = folder.path().to_str().unwrap();
    assert!(refusal(&["info", directory]).contains("is a directory"));
}

#[test]
fn usage_errors_are_reported() {
    let filter = refusal(&["events", "linux32_isr.trx", "--filter", "context == absent"]);
    assert!(filter.contains("absent"), "{filter}");
    let unknown = refusal(&["events", "linux32_isr.trx", "--columns", "colour"]);
    assert!(unknown.contains("colour"), "{unknown}");
    let range = refusal(&["events", "linux32_isr.trx", "--range", "9..3"]);
    assert!(range.contains("after its end"), "{range}");
}

#[test]
fn completions_and_man_page() {
    assert!(stdout(&["completions", "bash"]).contains("rtoscope"));
    let man = stdout(&["man"]);
    assert!(
        man.contains("RTOSCOPE EVENTS") && man.contains("filter"),
        "{man}"
    );
}
