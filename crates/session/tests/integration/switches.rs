//! Context-switch logs.

use super::test_case::TestCase;
use rtoscope_analysis::schedule::{InterruptsOffEnding, RunningContext};
use rtoscope_trace::EventIndex;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{
    CORE_HEADER_BYTES, CoreHeader, CswlHeader, LogEntry, PointerSize, SectionHeader, SectionTag,
    VERSION,
};
use serde_json::{Value, json};

const ORDER: ByteOrder = ByteOrder::Little;
const WORKER: u64 = 0x0800_0100;
const LOGGER: u64 = 0x0800_0108;
const ISR: u64 = 0x0800_0110;
/// Two functions, and a code address outside known functions.
const UART: u64 = 0x0800_2000;
const LOCK: u64 = 0x0800_3000;
const CODE: u64 = 0x0800_1000;

/// The same round with varying durations: the worker is resumed from idle, disables
/// interrupts, is interrupted, and yields to the logger, which disables interrupts
/// until it sleeps.
fn entries(rounds: u32) -> Vec<LogEntry> {
    let mut all = Vec::new();
    let mut counter = 0xFFFF_F000_u32;
    for round in 0..rounds {
        for (kind, step, address, name) in [
            (0, 40, CODE, WORKER),
            (5, 7, UART, ISR),
            (5, 3, CODE + 0x400, ISR),
            (6, 2, CODE + 0x400, ISR),
            (6, 21, UART, ISR),
            (2, 9, CODE + 0x10, WORKER),
            (7, 5 + round % 7, LOCK + 8, WORKER),
            (39, 3, LOCK + 8, WORKER),
            (40, 4, LOCK + 0x20, WORKER),
            (8, round % 5, LOCK + 0x20, WORKER),
            (5, 33, UART, ISR),
            (6, 12, UART, ISR),
            (4, 5, CODE + 0x20, WORKER),
            (3, 90 * (round % 2), CODE + 0x30, LOGGER),
            (7, 8, CODE + 0x44, LOGGER),
            (1, 50, CODE + 4, LOGGER),
        ] {
            counter = counter.wrapping_add(step);
            all.push(LogEntry {
                kind,
                counter,
                address,
                name,
            });
        }
    }
    all
}

/// A log of one or several cores, in a container that names threads and functions.
pub(crate) fn container(rounds: u32, cores: u16) -> Vec<u8> {
    let cores = (0..cores).map(|core| entries(rounds + u32::from(core)));
    log_of(&cores.collect::<Vec<_>>())
}

/// A log with the entries of each core, in a container that names threads and functions.
pub(crate) fn log_of(cores: &[Vec<LogEntry>]) -> Vec<u8> {
    let pointer = PointerSize::Four;
    let header = CswlHeader {
        order: ORDER,
        version: VERSION,
        pointer_size: pointer,
        counter_bits: 32,
        cores: cores.len() as u16,
        frequency_hz: 1_000_000,
    };
    let mut bytes = header.to_bytes().to_vec();
    let section = |bytes: &mut Vec<u8>, tag, parts: &[&[u8]]| {
        let length = parts.iter().map(|part| part.len() as u64).sum();
        bytes.extend(SectionHeader { tag, length }.to_bytes(ORDER));
        bytes.extend(parts.concat());
    };
    for (core, entries) in (0..).zip(cores) {
        let mut body = vec![0; entries.len() * pointer.entry_bytes()];
        for (place, entry) in body.chunks_exact_mut(pointer.entry_bytes()).zip(entries) {
            entry.write(place, pointer, ORDER).unwrap();
        }
        let core = CoreHeader {
            core,
            cyclic: false,
            wrapped: false,
            entries: entries.len() as u32,
            oldest_index: 0,
            lost: 0,
            idle_ticks: 0,
        };
        let head = core.to_bytes(ORDER);
        assert_eq!(head.len(), CORE_HEADER_BYTES);
        section(&mut bytes, SectionTag::CORE, &[&head, &body]);
    }
    for (name, text) in [(WORKER, "worker"), (LOGGER, "logger"), (ISR, "ISR")] {
        section(
            &mut bytes,
            SectionTag::NAME,
            &[&name.to_le_bytes(), text.as_bytes()],
        );
    }
    for (address, text) in [(UART, "uart_isr"), (LOCK, "lock")] {
        let size = 0x100_u64.to_le_bytes();
        section(
            &mut bytes,
            SectionTag::SYMBOL,
            &[&address.to_le_bytes(), &size, text.as_bytes()],
        );
    }
    bytes.extend(
        SectionHeader {
            tag: SectionTag::END,
            length: 4,
        }
        .to_bytes(ORDER),
    );
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn case() -> TestCase {
    TestCase::new("switches", &container(5, 1))
}

fn lane<'o>(overview: &'o Value, name: &str) -> (usize, &'o Value) {
    let lanes = overview["lanes"].as_array().unwrap().iter().enumerate();
    let mut named = lanes.filter(|(_, lane)| lane["name"] == name);
    named.next().unwrap_or_else(|| panic!("no lane {name}"))
}

#[test]
fn isr_lanes_are_named_after_handlers() {
    let case = case();
    let overview = case.query(json!({"query": "overview"}));
    let (_, lane) = lane(&overview, "uart_isr");
    assert_eq!(lane["kind"], "isr");
    let ticks = |wanted: &str| -> u64 {
        let slices = case.schedule.cores[0].iter();
        let of_routine = slices.filter(|(slice, _)| match slice.running.running_context() {
            RunningContext::Isr(id) => {
                let number = case.schedule.activations.get(id.index()).unwrap().number;
                case.schedule.isr_name(number) == wanted
            }
            _ => false,
        });
        of_routine.map(|(slice, end)| end.0 - slice.start.0).sum()
    };
    // 7 to 10, 12 to 33, and 12 of the second interrupt.
    assert_eq!(
        (lane["busy_time"].as_u64(), ticks("uart_isr")),
        (Some(5 * 36), 5 * 36)
    );
    assert_eq!(ticks("0x8001400"), 5 * 2);
}

#[test]
fn interrupts_off_lane_shows_when_and_where() {
    let case = case();
    let overview = case.query(json!({"query": "overview"}));
    let (number, lane) = lane(&overview, "Interrupts off");
    assert_eq!(lane["kind"], "interrupts-off");
    let section = &case.schedule.interrupts_off;
    assert_eq!(section.len(), 10);
    let sum: u64 = section.iter().map(|one| one.duration().0).sum();
    assert_eq!(lane["busy_time"], sum);
    for (section, round) in section.iter().zip(0..) {
        let expected = if round % 2 == 0 {
            InterruptsOffEnding::Restored
        } else {
            InterruptsOffEnding::Switched
        };
        assert_eq!(section.ending, expected);
        let probe = |at: f64| {
            case.query(json!({"query": "probe", "axis": "time", "at": at, "lanes": [number]}))
        };
        let found = probe(section.start.0 as f64 + 0.5);
        assert_eq!(found[0]["start"], section.start.0, "{round}");
        assert_eq!(found[0]["end"], section.end.0);
        let text = match round % 2 {
            0 => "interrupts off, 1 nested: disabled in worker at lock",
            _ => "interrupts off: disabled in logger at 0x8001044",
        };
        assert_eq!(found[0]["text"], text);
        assert_eq!(probe(section.end.0 as f64 + 0.5), json!([]));
    }
}

#[test]
fn details_show_code_locations_and_links() {
    let case = case();
    let section = case.schedule.interrupts_off.get(0).unwrap();
    let details = |event: EventIndex| case.query(json!({"query": "event", "event": event.0}));
    let first = details(section.first);
    assert_eq!(first["arguments"][0]["text"], "lock");
    assert_eq!(first["arguments"][0]["raw"], "0x8003008");
    assert_eq!(first["priority"], Value::Null);
    let effect = json!({
        "cause": false, "text": "interrupts are enabled again", "event": section.last.0,
        "time": section.end.0,
    });
    assert!(
        first["links"].as_array().unwrap().contains(&effect),
        "{first}"
    );
    let last = details(section.last);
    let cause = json!({
        "cause": true, "text": "interrupts are disabled", "event": section.first.0,
        "time": section.start.0,
    });
    assert!(last["links"].as_array().unwrap().contains(&cause), "{last}");
}
