//! Inputs with more than one header: copies of it, and buffers that the target
//! filled in turn.

use proptest::prelude::*;
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_decode::{BufferChoice, open};
use rtoscope_generate::write;
use rtoscope_trace::{Address, DiagnosticKind, Trace};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{BufferLayout, ControlHeader, UlongSize};
use std::ops::Range;

pub(crate) const LAYOUT: BufferLayout = BufferLayout::new(ByteOrder::Little, UlongSize::Four);

/// A recording whose ring is exactly full.
pub(crate) fn recording(events: u64, seed: u64, count_down: bool) -> Vec<u8> {
    let options = rtoscope_generate::ThreadXOptions {
        events,
        seed,
        count_down,
        threads: 4,
        layout: LAYOUT,
        ..rtoscope_generate::ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    write(&options, &mut bytes, &mut |_| ()).expect("the options are possible");
    bytes
}

pub(crate) fn header(bytes: &[u8]) -> ControlHeader {
    ControlHeader::read(LAYOUT, bytes).unwrap()
}

pub(crate) fn ring_start(bytes: &[u8]) -> usize {
    let header = header(bytes);
    (header.buffer_start - header.base_address) as usize
}

/// The buffer at `base` with these entries of a recording.
fn part(bytes: &[u8], base: u64, entries: Range<usize>) -> Vec<u8> {
    let mut header = header(bytes);
    let ring = ring_start(bytes);
    let moved = |address: u64| address - header.base_address + base;
    header.registry_start = moved(header.registry_start);
    header.registry_end = moved(header.registry_end);
    header.buffer_start = moved(header.buffer_start);
    header.current = header.buffer_start;
    let size = LAYOUT.entry_bytes();
    header.buffer_end = header.buffer_start + (entries.len() * size) as u64;
    header.base_address = base;
    let slots = &bytes[ring + entries.start * size..ring + entries.end * size];
    let mut buffer = [&bytes[..ring], slots].concat();
    header.write(LAYOUT, &mut buffer).unwrap();
    buffer
}

pub(crate) fn decode(bytes: &[u8], choice: BufferChoice) -> Trace {
    let opened = open(Input::new(bytes), choice).unwrap();
    opened.decode(&ThreadXOptions::default()).unwrap().trace
}

fn assert_same_events(found: &Trace, expected: &Trace) {
    assert!(found.events == expected.events, "other events");
    assert!(found.objects == expected.objects, "other objects");
}

fn has(trace: &Trace, kind: DiagnosticKind) -> bool {
    trace.diagnostics.iter().any(|it| it.kind == kind)
}

/// Bytes without a pattern.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let byte = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u8
    };
    (0..length).map(byte).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rtoscope_fixtures::cases(48)))]

    /// A transmit buffer holds the start of the buffer, before or after it.
    #[test]
    fn copies_of_a_header_are_not_shown(
        seed in 0..50_u64,
        copied in 48..6000_usize,
        is_before in any::<bool>(),
        is_noise in any::<bool>(),
        places in (0..40_usize, 0..40_usize),
    ) {
        let bytes = recording(100, seed, false);
        let base = header(&bytes).base_address;
        let copy = &bytes[..copied.min(bytes.len())];
        let gap = |places: usize| match is_noise {
            true => noise(places * 256 + 256, seed + places as u64),
            false => vec![0; places * 256 + 256],
        };
        let (first, second) = match is_before {
            true => (copy, &bytes[..]),
            false => (&bytes[..], copy),
        };
        let image = [
            &gap(places.0),
            first,
            &gap(places.1),
            second,
            &gap(40),
        ]
        .map(<[u8]>::to_vec)
        .concat();
        let expected = decode(&bytes, BufferChoice::First);
        let found = decode(&image, BufferChoice::First);
        assert_same_events(&found, &expected);
        prop_assert!(!has(&found, DiagnosticKind::SeveralBuffers));
        let chosen = decode(&image, BufferChoice::At(Address(base)));
        assert_same_events(&chosen, &expected);
    }

    /// A target fills buffers in turn; what is dumped is in the order of their
    /// addresses, or each was appended to a file.
    #[test]
    fn buffers_that_continue_one_another_are_one_timeline(
        seed in 0..50_u64,
        count_down in any::<bool>(),
        sizes in prop::collection::vec(20..80_usize, 2..6),
        order in any::<prop::sample::Index>(),
        is_file in any::<bool>(),
    ) {
        let total: usize = sizes.iter().sum();
        let bytes = recording(total as u64, seed, count_down);
        let expected = decode(&bytes, BufferChoice::First);
        let times: Vec<u64> = expected.events.iter().map(|event| event.time.0).collect();
        let mut parts = Vec::new();
        let mut pauses = Vec::new();
        let mut first = 0;
        for (number, size) in sizes.iter().enumerate() {
            let base = 0x2000_1000 + (number as u64 % 2) * 0x8000;
            parts.push(part(&bytes, base, first..first + size));
            first += size;
            pauses.extend(times.get(first).map(|next| next - times[first - 1]));
        }
        // After longer pauses it could be another recording.
        let spans = times[total - 1] - pauses.iter().sum::<u64>();
        prop_assume!(pauses.iter().all(|pause| *pause <= spans));
        if !is_file {
            let count = parts.len();
            parts.rotate_left(order.index(count));
            parts.insert(0, vec![0; 333]);
        }
        let input = parts.join(&[][..]);
        let found = decode(&input, BufferChoice::First);
        assert_same_events(&found, &expected);
        prop_assert!(found.gaps.is_empty() || found.gaps.iter().all(|gap| gap.missing.is_none()));
        prop_assert!(has(&found, DiagnosticKind::JoinedBuffers));
        let alone = decode(&input, BufferChoice::Number(0));
        prop_assert!(alone.events.len() < total);
        let mut written = Vec::new();
        let opened = open(Input::new(&*input), BufferChoice::First).unwrap();
        opened.write(Some(ByteOrder::Big), &mut written).unwrap();
        assert_same_events(&decode(&written, BufferChoice::First), &expected);
    }

    /// Copies of the ring were appended to the buffer, whose header is still that of
    /// the first.
    #[test]
    fn entries_after_a_buffer_continue_it(
        seed in 0..50_u64,
        held in 20..80_usize,
        rest in 0..20_usize,
    ) {
        let bytes = recording(100, seed, false);
        let expected = decode(&bytes, BufferChoice::First);
        let size = LAYOUT.entry_bytes();
        let following = &bytes[ring_start(&bytes) + held * size..];
        let tail = noise(rest, seed);
        let input = [&part(&bytes, header(&bytes).base_address, 0..held), following, &tail].concat();
        let found = decode(&input, BufferChoice::First);
        assert_same_events(&found, &expected);
        prop_assert!(has(&found, DiagnosticKind::AppendedEntries));
        prop_assert_eq!(has(&found, DiagnosticKind::ExtraBytes), rest > 0);
    }
}

#[test]
fn events_missing_between_buffers_are_a_possible_gap() {
    let bytes = recording(200, 1, false);
    let parts = [
        part(&bytes, 0x2000_1000, 0..60),
        part(&bytes, 0x2000_8000, 120..200),
    ];
    let found = decode(&parts.concat(), BufferChoice::First);
    assert_eq!(found.events.len(), 140);
    let gaps: Vec<_> = found
        .gaps
        .iter()
        .map(|gap| (gap.next_event.0, gap.missing))
        .collect();
    assert_eq!(gaps, [(60, None)]);
}

#[test]
fn buffers_of_other_recordings_are_offered() {
    // They start at the same time, or are of other targets.
    let one = recording(100, 1, false);
    let mut other = recording(100, 2, false);
    let names = 48 + 16..ring_start(&other);
    for byte in &mut other[names] {
        *byte = byte.to_ascii_uppercase();
    }
    for parts in [[&one, &one[..]], [&one, &other]] {
        let mut second = part(parts[1], 0x2000_8000, 0..90);
        if parts[1] == one {
            second = part(&one, 0x2000_8000, 3..90);
        }
        let found = decode(&[parts[0], &second].concat(), BufferChoice::First);
        assert_eq!(found.events.len(), 100);
        assert!(has(&found, DiagnosticKind::SeveralBuffers));
    }
}

#[test]
fn an_explicit_address_needs_no_marker_words() {
    let bytes = recording(100, 1, false);
    let base = header(&bytes).base_address;
    let mut damaged = bytes.clone();
    damaged[36..48].fill(0);
    let image = [&[0x5A; 1000], &damaged[..], &[0; 500]].concat();
    assert!(open(Input::new(&*image), BufferChoice::First).is_err());
    let expected = decode(&bytes, BufferChoice::First);
    for address in [base, 1000] {
        let found = decode(&image, BufferChoice::At(Address(address)));
        assert_same_events(&found, &expected);
        assert!(has(&found, DiagnosticKind::OddHeader));
    }
    assert!(open(Input::new(&*image), BufferChoice::At(Address(1004))).is_err());
}
