//! Runs the commands as a user would.

use crate::common::TestFolder;
use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

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
fn info_with_a_frequency() {
    let text = stdout(&["info", "cm3_short.trx", "--clock", "25MHz"]);
    assert!(text.contains("2953357 ticks = 118.134 ms"), "{text}");
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
fn csv_equals_the_targets_log() {
    for name in [
        "linux32_wrap",
        "be64_s390x_wrap",
        "smp32_cores",
        "linux32_t16junk",
    ] {
        let output = stdout(&["events", &format!("{name}.trx"), "--format", "csv"]);
        let log = fs::read_to_string(trace(&format!("{name}.events.csv"))).unwrap();
        let mut rows = output.lines();
        assert_eq!(
            rows.next(),
            Some(
                "event,time,timestamp,core,context,context_address,priority,threshold,kind,number,\
                 info1,info2,info3,info4"
            )
        );
        let mut count = 0;
        for (row, logged) in rows.by_ref().zip(log.lines().skip(1)) {
            let row: Vec<&str> = row.split(',').collect();
            let logged: Vec<&str> = logged.split(',').collect();
            let [
                event,
                _,
                timestamp,
                core,
                _,
                address,
                _,
                _,
                _,
                number,
                infos @ ..,
            ] = row.as_slice()
            else {
                panic!("{row:?}");
            };
            let [_, _, _, context, _, event_id, stamp, logged_infos @ ..] = logged.as_slice()
            else {
                panic!("{logged:?}");
            };
            assert_eq!(*event, count.to_string());
            assert_eq!((timestamp, address), (stamp, context));
            let in_hexadecimal = |info: &&str| format!("{:#x}", info.parse::<u64>().unwrap());
            assert_eq!(
                infos.iter().map(in_hexadecimal).collect::<Vec<_>>(),
                logged_infos
            );
            let [core, id, event_id] =
                [core, number, event_id].map(|it| it.parse::<u32>().unwrap());
            assert_eq!(core << 24 | id, event_id);
            count += 1;
        }
        assert_eq!(rows.next(), None);
        assert_eq!(count, log.lines().count() - 1);
    }
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
fn objects_in_all_formats() {
    insta::assert_snapshot!("objects_text", stdout(&["objects", "be32_ppc_names.trx"]));
    insta::assert_snapshot!(
        "objects_csv",
        stdout(&["objects", "be32_ppc_names.trx", "-f", "csv"])
    );
    let json = stdout(&["objects", "be32_ppc_names.trx", "-f", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schema"], "rtoscope/objects/1");
    assert_eq!(json["objects"][15]["name"], "caf\\xe9 latin1");
    assert_eq!(json["objects"][15]["name_bytes"], "636166e9206c6174696e31");
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
    let json = stdout(&["catalogue", "--objects", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let types = json["objects"].as_array().unwrap();
    assert_eq!(types.len(), 22);
    assert_eq!(types[6]["parameters"][0], "pool bytes");
    assert!(
        types[6]["difference"]
            .as_str()
            .unwrap()
            .contains("total blocks")
    );
    assert_eq!(types[7]["parameters"][1], serde_json::Value::Null);
    let csv = stdout(&["catalogue", "--objects", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 1 + 22);
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
fn symbols_name_objects_that_are_not_registered() {
    let folder = tempfile::tempdir().unwrap();
    let nm = folder.path().join("firmware.nm");
    fs::write(&nm, "56636b40 000003c0 B spare_semaphores\n").unwrap();
    let nm = nm.to_str().unwrap();
    let objects = stdout(&["objects", "linux32_regover.trx", "--symbols", nm]);
    let last = objects.lines().last().unwrap().split_whitespace();
    let last: Vec<&str> = last.collect();
    assert_eq!(last[0], "semaphore", "{objects}");
    assert!(last[2].starts_with("spare_semaphores+0x"), "{objects}");
    let json = stdout(&[
        "objects",
        "linux32_regover.trx",
        "--symbols",
        nm,
        "--format",
        "json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let last = json["objects"].as_array().unwrap().last().unwrap();
    assert!(last["slot"].is_null() && last["parameters"].is_null());
    let info = stdout(&["info", "linux32_regover.trx", "--elf", nm]);
    let note = "14 objects named by the firmware's symbols, 1 without a name";
    assert!(info.contains(note), "{info}");
}

#[test]
fn custom_events_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let trxc = folder.path().join("events.trxc");
    fs::write(
        &trxc,
        "notes\nStart\n4100,\"beat, the heart\",HB,(255,0,0),(0,255,0),a,b,c,d\nEnd\n",
    )
    .unwrap();
    let toml = folder.path().join("events.toml");
    fs::write(
        &toml,
        "[[event]]\nid = 4100\nname = \"heartbeat\"\nicon = \"HB\"\ncolour = \"#ff0000\"\n\
         arguments = [{ name = \"beats\", meaning = \"count\" }]\n",
    )
    .unwrap();
    let shown = |file: &Path| {
        stdout(&[
            "events",
            "linux32_dirty.trx",
            &format!("-Ocustom-events={}", file.display()),
            "--filter",
            "number == 4100",
            "--limit",
            "1",
        ])
    };
    let from_trxc = shown(&trxc);
    assert!(from_trxc.contains("beat, the heart"), "{from_trxc}");
    assert!(from_trxc.contains("a=0x"), "{from_trxc}");
    let from_toml = shown(&toml);
    assert!(
        from_toml.contains("heartbeat") && from_toml.contains("beats="),
        "{from_toml}"
    );

    fs::write(
        &trxc,
        "Start\n4100,name,HB,(256,0,0),(0,0,0),a,b,c,d\nEnd\n",
    )
    .unwrap();
    let error = refusal(&[
        "info",
        "linux32_dirty.trx",
        &format!("-Ocustom-events={}", trxc.display()),
    ]);
    assert!(
        error.contains("events.trxc") && error.contains("line 2"),
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
    assert!(refused("base", &with_word(2, 0)).contains("the input contains only 3440 bytes"));
    let missing = refusal(&["info", "no-such-file"]);
    assert!(
        missing.contains("no-such-file") && missing.contains("No such file"),
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
