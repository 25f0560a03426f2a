//! Threads, mutexes and machines that share a name are distinguished.

use super::{SYSTEM, data, query_with_input, rows};
use serde_json::{Value, json};
use std::fs;

/// A recording with some names replaced by others.
fn renamed(file: &str, names: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut bytes = fs::read(data(file)).unwrap();
    for (name, other) in names {
        assert_eq!(name.len(), other.len());
        let at = bytes.windows(name.len()).position(|it| it == *name);
        let at = at.unwrap();
        bytes[at..at + name.len()].copy_from_slice(other);
    }
    bytes
}

/// `logger` and `control`, which use the same mutex, are named `sensor` too,
/// and both mutexes are named `spi (plain)`.
fn system() -> Vec<u8> {
    let names: [(&[u8], &[u8]); 3] = [
        (b"logger\0", b"sensor\0"),
        (b"control\0", b"sensor\0\0"),
        (b"bus (inherit)\0", b"spi (plain)\0\0\0"),
    ];
    renamed(SYSTEM, &names)
}

fn run_canned(recording: &[u8], question: &str) -> Vec<Value> {
    let words = ["--format=jsonl", "--named", question, "-"];
    rows(&query_with_input(words, recording).ok())
}

fn run_sql(recording: &[u8], sql: &str) -> Vec<Value> {
    rows(&query_with_input(["--format=jsonl", "-", sql], recording).ok())
}

/// The results equal those of the original recording, except for names.
#[track_caller]
fn same_but_for_names(found: Vec<Value>, plain: Vec<Value>, names: &[&str]) {
    let nameless = |rows: Vec<Value>| {
        let mut rows: Vec<String> = rows
            .into_iter()
            .map(|mut row| {
                for name in names {
                    row[name].take();
                }
                row.to_string()
            })
            .collect();
        rows.sort();
        rows
    };
    assert!(!plain.is_empty());
    assert_eq!(nameless(found), nameless(plain));
}

#[test]
fn threads_and_mutexes_are_not_merged_by_name() {
    let system = system();
    let plain = fs::read(data(SYSTEM)).unwrap();
    let sensors = run_canned(&system, "wakeup-percentiles");
    let sensors = sensors.iter().filter(|row| row["context"] == "sensor");
    assert_eq!(sensors.count(), 3);
    for question in [
        "cpu-by-thread",
        "cpu-over-time",
        "wakeup-percentiles",
        "running-while-ready",
        "mutex-hold-times",
        "unbounded-inversions",
    ] {
        let names = [
            "context", "runner", "object", "owner", "blocked", "culprits",
        ];
        same_but_for_names(
            run_canned(&system, question),
            run_canned(&plain, question),
            &names,
        );
    }
    for view in ["wake_up_latencies", "message_latencies", "waits"] {
        let sql = format!("SELECT * FROM {view}");
        let names = [
            "context", "woken_by", "ended_by", "sender", "receiver", "object",
        ];
        same_but_for_names(run_sql(&system, &sql), run_sql(&plain, &sql), &names);
    }
}

#[test]
fn mutexes_are_counted_by_their_addresses() {
    let mut system = system();
    // All unbounded inversions concern one mutex: in the second half of the
    // data it is the other one.
    let half = system.len() / 2;
    let mutexes = [536_872_596_u32, 536_872_672].map(u32::to_le_bytes);
    for word in system[half..].chunks_exact_mut(4) {
        if let Some(at) = mutexes.iter().position(|it| it == word) {
            word.copy_from_slice(&mutexes[1 - at]);
        }
    }
    let sql = "SELECT DISTINCT object FROM inversions WHERE unbounded";
    assert_eq!(run_sql(&system, sql), [json!({"object": "spi (plain)"})]);
    let fleet = run_canned(&system, "recordings-with-unbounded-inversion");
    assert_eq!(fleet[0]["mutexes"], 2);
}

#[test]
fn machines_are_not_merged_by_name() {
    // `wrk1` is named `wrk0` too: one byte decreases by one, and the checksum
    // of its frame increases.
    let names: [(&[u8], &[u8]); 1] = [(b"wrk1\0\x32\x7E", b"wrk0\0\x33\x7E")];
    let recording = renamed("rkh/nat_short.bin", &names);
    let plain = fs::read(data("rkh/nat_short.bin")).unwrap();
    let machines = run_sql(
        &recording,
        "SELECT count(DISTINCT object) AS n FROM state_intervals",
    );
    assert_eq!(machines, [json!({"n": 3})]);
    for question in ["state-residency", "signal-counts", "slowest-steps"] {
        let names = ["object"];
        same_but_for_names(
            run_canned(&recording, question),
            run_canned(&plain, question),
            &names,
        );
    }
}
