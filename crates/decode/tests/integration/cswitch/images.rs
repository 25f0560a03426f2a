//! Logs in memory images.

use super::builders::{
    LAYOUTS, LOGGER, TEXTS, WORKER, complete, entries, example_log, kinds, memory, open,
    open_unknown,
};
use rtoscope_decode::cswitch::{self, BufferLocation};
use rtoscope_decode::source::Input;
use rtoscope_decode::{DecodeError, DecodedRecording};
use rtoscope_symbols::Firmware;
use rtoscope_trace::{DiagnosticKind, Trace};
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::{ByteOrder, Word};
use std::fmt::Write as _;
use std::sync::Arc;

const RAM: u64 = 0x2000_0000;
const BUFFER: u64 = RAM + 0x100;

/// Intel HEX of bytes at an address.
fn hex(address: u64, bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut record = |kind: u8, offset: u16, data: &[u8]| {
        let mut record = vec![data.len() as u8, (offset >> 8) as u8, offset as u8, kind];
        record.extend(data);
        let sum = record
            .iter()
            .fold(0_u8, |sum, byte| sum.wrapping_sub(*byte));
        record.push(sum);
        let _ = write!(text, ":");
        record.iter().for_each(|byte| {
            let _ = write!(text, "{byte:02X}");
        });
        text.push('\n');
    };
    record(4, 0, &((address >> 16) as u16).to_be_bytes());
    for (number, data) in bytes.chunks(16).enumerate() {
        record(0, (address as u16) + 16 * number as u16, data);
    }
    text
}

fn nm(symbols: &[(&str, u64)]) -> Vec<Arc<Firmware>> {
    let lines = symbols
        .iter()
        .map(|(name, address)| format!("{address:08x} B {name}\n"));
    let functions = "08001000 00000200 T scheduler\n08001400 00000020 T tick_isr\n";
    let text = lines.collect::<String>() + functions;
    vec![Arc::new(Firmware::read(text.into_bytes()).unwrap())]
}

fn options(firmware: Vec<Arc<Firmware>>, location: BufferLocation) -> cswitch::CswitchOptions {
    cswitch::CswitchOptions {
        firmware,
        location,
        ..cswitch::CswitchOptions::default()
    }
}

fn at_ram() -> BufferLocation {
    BufferLocation {
        base: Some(RAM),
        ..BufferLocation::default()
    }
}

fn log_info(recording: &DecodedRecording) -> &cswitch::LogInfo {
    recording.format_info.get().unwrap()
}

fn thread_names(trace: &Trace) -> Vec<String> {
    let threads = trace.contexts.threads();
    threads.map(|it| trace.context_name(it.id)).collect()
}

/// RAM with pointers at its start and a ring of 16 slots that holds the last of
/// `written` entries.
fn image(
    pointers: &[u64],
    words: &[u32],
    written: usize,
) -> (Vec<u8>, Vec<rtoscope_wire::cswitch::LogEntry>) {
    let (pointer, order) = LAYOUTS[0];
    let log: Vec<_> = example_log(4, 1000)[..written].to_vec();
    let mut ring = vec![0; 16 * 16];
    for (number, entry) in log.iter().enumerate() {
        let bytes = memory(pointer, order, &[*entry]);
        let at = number % 16 * 16;
        ring[at..at + 16].copy_from_slice(&bytes);
    }
    let mut ram = vec![0; 0x100];
    let fields = pointers
        .iter()
        .map(|it| *it as u32)
        .chain(words.iter().copied());
    for (place, word) in ram.chunks_exact_mut(4).zip(fields) {
        word.write(place, order).unwrap();
    }
    ram.extend(ring);
    (ram, log[written.saturating_sub(16)..].to_vec())
}

const ARTICLE: [(&str, u64); 5] = [
    ("profile_switch_log_start", RAM),
    ("profile_switch_log_current", RAM + 4),
    ("profile_switch_log_end", RAM + 8),
    ("profile_switch_log_cyclic", RAM + 12),
    ("profile_switch_idle_total", RAM + 16),
];

#[test]
fn the_articles_variables_lead_to_the_log() {
    for written in [5, 16, 20, 40] {
        let next = BUFFER + (written as u64 % 16) * 16;
        let (ram, expected) = image(&[BUFFER, next, BUFFER + 0x100], &[1, 99], written);
        let text = hex(RAM, &ram) + &hex(WORKER, TEXTS) + ":00000001FF\n";
        let options = options(nm(&ARTICLE), BufferLocation::default());
        let recording = open(text.as_bytes(), options).unwrap();
        let trace = &recording.trace;
        // Just full and about to wrap: nothing is overwritten yet.
        assert_eq!(entries(trace), expected, "{written}");
        assert_eq!(thread_names(trace)[0], "worker");
        let core = &log_info(&recording).cores[0];
        assert_eq!((core.cyclic, core.idle_ticks), (Some(true), Some(99)));
    }
}

#[test]
fn the_recorders_block_leads_to_the_log() {
    let block = [("rtoscope_cswitch_log", RAM)];
    // current, end, start, cyclic, entries of earlier laps, lost, idle.
    let next = BUFFER + 4 * 16;
    let (ram, expected) = image(
        &[next, BUFFER + 0x100, BUFFER],
        &[1, 16, 0, 3, 0, 50, 0],
        20,
    );
    let recording = open(&ram, options(nm(&block), at_ram())).unwrap();
    assert_eq!(entries(&recording.trace), expected);
    let core = &log_info(&recording).cores[0];
    assert_eq!(
        (core.lost_entries, core.idle_ticks, core.overwritten),
        (
            Some(3),
            Some(50),
            cswitch::Overwritten::Yes { entries: Some(4) }
        )
    );
}

#[test]
fn a_log_that_is_off_is_an_error() {
    let off = u64::from(u32::MAX);
    let (ram, _) = image(&[off, off, off], &[0], 5);
    let options = options(nm(&ARTICLE), at_ram());
    let error = open(&ram, options).unwrap_err().to_string();
    assert!(error.contains("never started, or is stopped"), "{error}");
}

#[test]
fn variables_that_make_no_sense_are_an_error() {
    let (ram, _) = image(&[BUFFER, 4, BUFFER + 0x100], &[0], 5);
    let text = hex(RAM, &ram) + ":00000001FF\n";
    let elsewhere = [("profile_switch_log_start", 0x1000)];
    for (symbols, problem) in [
        (&ARTICLE[..], "another firmware"),
        (&elsewhere, "not in the image"),
    ] {
        let options = options(nm(symbols), BufferLocation::default());
        let error = open(text.as_bytes(), options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn flags_lead_to_the_log() {
    let (ram, expected) = image(&[], &[], 40);
    let location = BufferLocation {
        base: Some(RAM),
        start: Some(BUFFER),
        current: Some(BUFFER + 8 * 16),
        end: Some(BUFFER + 0x100),
        cyclic: Some(true),
    };
    let trace = open(&ram, options(vec![], location)).unwrap().trace;
    assert_eq!(entries(&trace), expected);
    // Without a pointer the counters show where the ring begins.
    let location = BufferLocation {
        current: None,
        ..location
    };
    let trace = open(&ram, options(vec![], location)).unwrap().trace;
    assert_eq!(entries(&trace), expected);
    assert!(kinds(&trace).contains(&DiagnosticKind::ConfigurationGuessed));
}

#[test]
fn what_is_no_log_says_what_to_give() {
    let error = open(&[7; 4096], cswitch::CswitchOptions::default());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("-O log-pointer-size"), "{error}");
    let parts = hex(RAM, &[1; 64]) + &hex(WORKER, TEXTS) + ":00000001FF\n";
    let error = open(parts.as_bytes(), cswitch::CswitchOptions::default()).unwrap_err();
    assert!(error.to_string().contains("-O log-start"), "{error}");
    let nothing = BufferLocation {
        start: Some(0x100),
        end: Some(0x100),
        ..BufferLocation::default()
    };
    let error = open(&[7; 4096], options(vec![], nothing)).unwrap_err();
    assert!(matches!(error, DecodeError::NoSwitchLog { .. }), "{error}");
}

#[test]
fn a_container_is_found_in_memory() {
    let (pointer, order) = LAYOUTS[3];
    let file = complete(pointer, order);
    let ram = [&[0x55; 1000][..], &file, &[0; 500]].concat();
    let trace = open_unknown(&ram).unwrap().trace;
    assert_eq!(entries(&trace), example_log(3, 0xFFFF_FF00));
    let text = hex(RAM, &ram[..ram.len().min(0xF000)]) + ":00000001FF\n";
    let trace = open_unknown(text.as_bytes()).unwrap().trace;
    assert_eq!(entries(&trace).len(), 36);
}

#[test]
fn wild_and_unprintable_names_stay_addresses() {
    let (pointer, order) = LAYOUTS[0];
    let log = example_log(2, 0);
    let mut texts = TEXTS.to_vec();
    texts[8] = 1;
    let text = hex(RAM, &memory(pointer, order, &log)) + &hex(WORKER, &texts) + ":00000001FF\n";
    let location = BufferLocation {
        start: Some(RAM),
        ..BufferLocation::default()
    };
    let trace = open(text.as_bytes(), options(vec![], location));
    let trace = trace.unwrap().trace;
    let names = ["worker".to_owned(), format!("{LOGGER:#x}")];
    assert_eq!(thread_names(&trace), names);
    let message = trace
        .diagnostics
        .iter()
        .find(|it| it.kind == DiagnosticKind::UnresolvedName);
    assert!(message.unwrap().message.contains("no printable text"));
    // Another firmware's symbols.
    let other = "00009000 00000010 T elsewhere\n".to_owned();
    let firmware = Firmware::read(other.into_bytes()).unwrap();
    let options = options(vec![Arc::new(firmware)], location);
    let trace = open(text.as_bytes(), options).unwrap().trace;
    assert!(kinds(&trace).contains(&DiagnosticKind::OtherFirmware));
}

/// The recorder is off after the fault: only the header of the black box locates the log.
#[test]
fn a_frozen_log_is_found_in_the_ram_of_a_target() {
    let ram = rtoscope_fixtures::read_testdata("firmware/blackbox/ram.bin.gz");
    let image = cswitch::LogImage::open(Input::new(&ram)).unwrap();
    let decoded = image.decode(&cswitch::CswitchOptions::default()).unwrap();
    assert_eq!(decoded.trace.events.len(), 64);
    let last = decoded.trace.events.iter().last().unwrap();
    assert_eq!(last.kind.0, rtoscope_wire::cswitch::EntryKind::Fault as u32);
    let black_box = decoded.log_info.black_box.unwrap();
    let fault = black_box.fault().unwrap();
    assert_eq!((fault.exception, black_box.header.boot_count), (3, 1));
    assert_eq!(last.arguments[0], fault.pc);
    assert!(decoded.log_info.cores[0].overwritten.is_certain());
}

#[test]
fn swapped_memory_is_restored() {
    let mut bytes = rtoscope_fixtures::read_testdata("dropped-frame/p0.bin");
    bytes.truncate(bytes.len() / 8 * 8);
    let place = BufferLocation {
        base: Some(0x8000_0000),
        start: Some(0x8000_0040),
        end: Some(0x8000_27E0),
        current: Some(0x8000_27E0),
        cyclic: Some(false),
    };
    let decode = |bytes: &[u8]| open(bytes, options(Vec::new(), place)).unwrap().trace;
    let sound = decode(&bytes);
    assert!(!kinds(&sound).contains(&DiagnosticKind::SwappedWords));
    for (group, half) in [(4, 4), (2, 2), (4, 2), (8, 8)] {
        let groups = bytes.chunks_exact(group);
        let swapped: Vec<u8> = match group == half {
            true => groups.flat_map(|it| it.iter().rev()).copied().collect(),
            false => groups
                .flat_map(|it| [&it[half..], &it[..half]].concat())
                .collect(),
        };
        let trace = decode(&swapped);
        assert!(
            kinds(&trace).contains(&DiagnosticKind::SwappedWords),
            "{group}"
        );
        assert_eq!(entries(&trace), entries(&sound), "{group}");
        assert_eq!(thread_names(&trace), thread_names(&sound), "{group}");
    }
}

#[test]
fn memory_whose_entries_have_unknown_types_is_no_log() {
    let bytes: Vec<u8> = (0..4096_u32)
        .flat_map(|word| (word * 0x1001).to_le_bytes())
        .collect();
    let place = BufferLocation {
        start: Some(RAM),
        ..BufferLocation::default()
    };
    let options = cswitch::CswitchOptions {
        pointer_size: Some(PointerSize::Four),
        byte_order: Some(ByteOrder::Little),
        ..options(Vec::new(), place)
    };
    let error = open(&bytes, options).unwrap_err().to_string();
    assert!(error.contains("entries are of unknown types"), "{error}");
}
