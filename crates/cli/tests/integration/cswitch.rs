//! Runs the commands on context-switch logs.

use crate::common::TestFolder;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{LogEntry, PointerSize};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const HERE: TestFolder = TestFolder("");

const WORKER: u64 = 0x0800_0100;
const LOGGER: u64 = 0x0800_0108;
const ISR: u64 = 0x0800_0110;
const CODE: u64 = 0x0800_1000;
const RAM: u64 = 0x2000_0000;
const BUFFER: u64 = RAM + 0x100;

/// The output of `nm` for the firmware.
const NM: &str = "\
08001000 00000080 T scheduler
08001400 00000020 T tick_isr
20000000 B profile_switch_log_start
20000004 B profile_switch_log_current
20000008 B profile_switch_log_end
2000000c B profile_switch_log_cyclic
";

/// 24 entries; the ring of 16 holds the last ones.
fn entries() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut counter = 1000;
    for (kind, step, address, name) in [
        (0, 40, CODE, 0),
        (5, 7, CODE + 0x400, ISR),
        (6, 21, CODE + 0x400, ISR),
        (2, 9, CODE + 0x10, WORKER),
        (7, 8, CODE + 0x44, WORKER),
        (8, 14, CODE + 0x4C, WORKER),
        (3, 90, CODE + 0x30, LOGGER),
        (1, 50, CODE + 4, 0),
    ]
    .repeat(3)
    {
        counter += step;
        let mut place = [0; 16];
        let entry = LogEntry {
            kind,
            counter,
            address,
            name,
        };
        entry
            .write(&mut place, PointerSize::Four, ByteOrder::Little)
            .unwrap();
        bytes.extend(place);
    }
    bytes
}

/// A RAM image with the recorder's variables and the ring.
fn image() -> Vec<u8> {
    let entries = entries();
    let next = BUFFER + 8 * 16;
    let pointers = [BUFFER, next, BUFFER + 0x100, 1].map(|it| (it as u32).to_le_bytes());
    let mut ram = pointers.concat();
    ram.resize(0x100, 0);
    ram.extend(&entries[16 * 16..]);
    ram.extend(&entries[8 * 16..16 * 16]);
    ram
}

struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::write(files.path("log.raw"), entries()).unwrap();
        fs::write(files.path("ram.bin"), image()).unwrap();
        fs::write(files.path("firmware.nm"), NM).unwrap();
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn arguments(&self, line: &str) -> Vec<String> {
        let is_file = |word: &str| Path::new(word).extension().is_some();
        let words = line.split_whitespace().map(|word| match is_file(word) {
            true => self.path(word).display().to_string(),
            false => word.to_owned(),
        });
        words.collect()
    }

    fn stdout(&self, line: &str) -> String {
        let arguments = self.arguments(line);
        HERE.stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn refusal(&self, line: &str) -> String {
        let arguments = self.arguments(line);
        HERE.usage_error(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn info(&self, line: &str) -> Value {
        serde_json::from_str(&self.stdout(&format!("info {line} --format json"))).unwrap()
    }

    /// The counters of the events that these arguments list.
    fn counters(&self, line: &str) -> Vec<u64> {
        let text = self.stdout(&format!("events {line} --format jsonl"));
        let lines = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|event| event["timestamp"].as_u64().unwrap())
            .collect()
    }
}

#[test]
fn a_stream_shows_what_it_records_and_no_more() {
    let read =
        |arguments: &[&str]| -> Value { serde_json::from_str(&HERE.stdout(arguments)).unwrap() };
    let stream = "doctor/sound.cswl";
    let info = read(&["info", stream, "--format", "json"]);
    assert_eq!(info["logs"][0]["lost"], 0);
    let report = read(&["report", stream, "threads", "--format", "json"]);
    let threads = report["threads"].as_array().unwrap();
    for thread in threads {
        for figure in ["preemptions", "time_slices", "relinquishes", "inversions"] {
            assert_eq!(thread[figure], Value::Null, "{figure}");
        }
    }
    // It was created at 20.9 ms, slept for 0.4 ms and deleted itself.
    let short = threads.iter().find(|it| it["name"] == "short").unwrap();
    let waiting = serde_json::json!({ "sleep": 9438 });
    assert_eq!(short["states"]["waiting"], waiting);
    let states = ["running", "interrupted", "ready", "unknown"];
    let times = states.map(|state| short["states"][state].as_u64().unwrap());
    let [span, sum] = [report["span"].as_u64().unwrap(), times.iter().sum()];
    assert!(times[3] < span && span - sum - 9438 > 60_000, "{times:?}");
}

#[test]
fn memory_image_is_read_by_symbols_or_options() {
    let files = Files::new();
    let by_symbols = "ram.bin --input-format cswitch --symbols firmware.nm -O log-base=0x20000000";
    let info = files.info(by_symbols);
    assert_eq!(info["logs"][0]["overwritten"], true);
    assert_eq!(info["logs"][0]["cyclic"], true);
    assert_eq!(info["resolved_code_addresses"], info["code_addresses"]);
    let expected = files.counters("log.raw")[8..].to_vec();
    assert_eq!(files.counters(by_symbols), expected);
    let by_flags = "ram.bin -O log-base=0x20000000 -O log-start=0x20000100 \
        -O log-current=0x20000180 -O log-end=0x20000200 -O log-cyclic";
    assert_eq!(files.counters(by_flags), expected);
    let one_shot = by_flags.replace("-O log-cyclic", "-O log-cyclic=false");
    assert_eq!(files.counters(&one_shot), expected[8..]);
}

#[test]
fn convert_writes_a_self_contained_file() {
    let files = Files::new();
    let given = "--symbols firmware.nm --clock 240MHz";
    files.stdout(&format!("convert log.raw {given} --output log.cswl"));
    let info = files.info("log.cswl");
    assert_eq!(info["contained"], true);
    assert_eq!(info["clock"]["frequency_hz"], 240_000_000);
    assert_eq!(info["resolved_code_addresses"], info["code_addresses"]);
    assert_eq!(files.counters("log.cswl"), files.counters("log.raw"));
    let events = files.stdout("events log.cswl");
    assert!(events.contains("handler=tick_isr"), "{events}");
    // A second conversion changes nothing.
    files.stdout("convert log.cswl --output again.cswl");
    let both = ["log.cswl", "again.cswl"].map(|name| fs::read(files.path(name)).unwrap());
    assert_eq!(both[0], both[1]);
}

#[test]
fn all_commands_accept_a_log() {
    let files = Files::new();
    let info = files.stdout("info log.raw");
    assert!(info.starts_with("source"), "{info}");
    assert!(
        info.contains("context-switch log, little endian, 4-byte pointers"),
        "{info}"
    );
    assert!(info.contains("0 of 2 threads"), "{info}");
    let events = files.stdout("events log.raw --filter kind~resume");
    assert_eq!(events.lines().count(), 1 + 6, "{events}");
    assert!(files.stdout("report log.raw").contains("(idle)"));
    files.stdout("objects log.raw");
    let catalogue = files.stdout("catalogue --of cswitch --format csv");
    assert_eq!(catalogue.lines().count(), 1 + 25);
}

#[test]
fn impossible_requests_are_reported() {
    let files = Files::new();
    let says = |line: &str, what: &str| {
        let error = files.refusal(line);
        assert!(error.contains(what), "{line}: {error}");
    };
    says("diagram sequence log.raw", "no active objects");
    says(
        "diagram communication log.raw",
        "no communication of contexts",
    );
    says(
        "convert log.raw --byte-order big --output x.cswl",
        "keeps its byte order",
    );
    says(
        "info log.raw -O log-start=0 --input-format rkh",
        "--input-format is rkh",
    );
    says("info ram.bin", "-O log-start");
    says(
        "info ram.bin --input-format cswitch --symbols firmware.nm",
        "-O log-base",
    );
    says(
        "info ram.bin --input-format cswitch --symbols ram.bin -O log-base=0x20000000",
        "neither an ELF file nor the output of nm",
    );
    says("info log.raw -O counter-bits=33", "33");
    fs::write(files.path("short.cswl"), b"CSWL\x04\x03\x02\x01").unwrap();
    says("info short.cswl", "header of the CSWL container");
}
