//! Damage affects only the damaged part.

use super::builders::{
    Cswl, LAYOUTS, complete, entries, example_log, kinds, memory, open, open_unknown,
};
use rtoscope_decode::{DecodeError, cswitch};
use rtoscope_trace::DiagnosticKind;
use rtoscope_wire::cswitch::{
    CSWL_HEADER_BYTES, CoreHeader, CoreHistory, SECTION_HEADER_BYTES, SectionTag,
};

#[test]
fn a_cut_container_gives_what_is_left() {
    for (pointer, order) in LAYOUTS {
        let whole = complete(pointer, order);
        let log = example_log(3, 0xFFFF_FF00);
        let start = CSWL_HEADER_BYTES + SECTION_HEADER_BYTES + 32;
        for length in 0..whole.len() {
            let result = open(&whole[..length], cswitch::CswitchOptions::default());
            if length < CSWL_HEADER_BYTES {
                assert!(result.is_err());
                continue;
            }
            let trace = result.unwrap().trace;
            let there = length.saturating_sub(start) / pointer.entry_bytes();
            let there = there.min(log.len());
            assert_eq!(entries(&trace), log[..there], "{length}");
            assert!(kinds(&trace).contains(&DiagnosticKind::Truncated));
        }
    }
}

#[test]
fn containers_that_were_sent_one_after_the_other_are_one_log() {
    for (pointer, order) in LAYOUTS {
        let log = example_log(2, 0);
        let container = |from: usize, to: usize| {
            let past = CoreHistory {
                core: 0,
                session: 1,
                preceding_entries: from as u64,
            };
            Cswl::new(pointer, order, 1)
                .section(SectionTag::PAST, &past.to_bytes(order))
                .core(
                    CoreHeader {
                        cyclic: true,
                        ..CoreHeader::default()
                    },
                    &log[from..to],
                )
                .end()
        };
        let parts = [container(0, 10), container(10, 20), container(20, 24)];
        let sent = parts.concat();
        let trace = open(&sent, cswitch::CswitchOptions::default())
            .unwrap()
            .trace;
        assert_eq!(entries(&trace), log);
        assert!(trace.gaps.is_empty() && !kinds(&trace).contains(&DiagnosticKind::Truncated));

        let lost = [&*parts[0], &*parts[2]].concat();
        let trace = open(&lost, cswitch::CswitchOptions::default())
            .unwrap()
            .trace;
        assert_eq!(trace.gaps[0].missing, Some(10));
        for length in [sent.len() - 1, parts[0].len() + CSWL_HEADER_BYTES + 5] {
            let trace = open(&sent[..length], cswitch::CswitchOptions::default())
                .unwrap()
                .trace;
            assert!(entries(&trace).len() < log.len());
            assert!(
                kinds(&trace).contains(&DiagnosticKind::Truncated),
                "{length}"
            );
        }
    }
}

#[test]
fn a_cut_ring_keeps_its_order() {
    let (pointer, order) = LAYOUTS[0];
    let mut log = example_log(1, 0);
    let expected = log.clone();
    log.rotate_left(5);
    let core = CoreHeader {
        cyclic: true,
        wrapped: true,
        oldest_index: 7,
        ..CoreHeader::default()
    };
    let file = Cswl::new(pointer, order, 1).core(core, &log).bytes;
    let cut = &file[..file.len() - 3 * 16];
    let trace = open(cut, cswitch::CswitchOptions::default()).unwrap().trace;
    assert_eq!(entries(&trace), [&expected[..2], &expected[5..]].concat());
    assert_eq!(trace.gaps[0].next_event.0, 2);
    assert_eq!(trace.gaps[0].missing, Some(3));
}

#[test]
fn flipped_bits_are_noticed_and_do_no_harm() {
    for (pointer, order) in [LAYOUTS[0], LAYOUTS[3]] {
        let whole = complete(pointer, order);
        for at in 0..whole.len() {
            for bit in [0, 6, 7] {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                let Ok(recording) = open(&bytes, cswitch::CswitchOptions::default()) else {
                    assert!(at < CSWL_HEADER_BYTES, "byte {at}");
                    continue;
                };
                let found = kinds(&recording.trace);
                let reported = found.iter().any(|kind| {
                    matches!(
                        kind,
                        DiagnosticKind::BadChecksum | DiagnosticKind::Truncated
                    )
                });
                assert!(reported, "byte {at} bit {bit}: {found:?}");
            }
        }
    }
}

#[test]
fn lengths_are_not_trusted() {
    let (pointer, order) = LAYOUTS[0];
    let core = CoreHeader {
        entries: u32::MAX,
        oldest_index: u32::MAX - 1,
        ..CoreHeader::default()
    };
    let content = core.to_bytes(order);
    let mut file = Cswl::new(pointer, order, u16::MAX)
        .section(SectionTag::CORE, &content)
        .bytes;
    for length in [u64::MAX, u64::MAX / 2, 1 << 40] {
        file[CSWL_HEADER_BYTES + 4..CSWL_HEADER_BYTES + 12].copy_from_slice(&length.to_le_bytes());
        let trace = open_unknown(&file).unwrap().trace;
        assert_eq!(trace.events.len(), 0);
    }
}

#[test]
fn headers_that_make_no_sense_are_errors() {
    let whole = complete(LAYOUTS[0].0, LAYOUTS[0].1);
    let mut newer = whole.clone();
    newer[8] = 9;
    let error = open_unknown(&newer).unwrap_err();
    assert!(matches!(error, DecodeError::CswlVersion { found: 9, .. }));
    let mut odd = whole;
    odd[10] = 5;
    let error = open_unknown(&odd).unwrap_err();
    assert!(matches!(error, DecodeError::CswlHeader { .. }), "{error}");
}

#[test]
fn second_logs_and_odd_sections_are_left_out() {
    let (pointer, order) = LAYOUTS[1];
    let file = Cswl::new(pointer, order, 1)
        .core(CoreHeader::default(), &example_log(1, 0))
        .core(CoreHeader::default(), &example_log(2, 0))
        .section(SectionTag::NAME, b"short")
        .section(SectionTag::SYMBOL, b"short too")
        .section(SectionTag::CORE, b"short as well")
        .names()
        .end();
    let trace = open_unknown(&file).unwrap().trace;
    assert_eq!(entries(&trace), example_log(1, 0));
    let expected = [
        DiagnosticKind::OddHeader,
        DiagnosticKind::Truncated,
        DiagnosticKind::Truncated,
        DiagnosticKind::Truncated,
    ];
    assert_eq!(kinds(&trace), expected);
}

#[test]
fn odd_entries_are_counted_and_left_out() {
    let (pointer, order) = LAYOUTS[0];
    let mut log = example_log(2, 0);
    let expected: Vec<_> = (0..24)
        .filter(|at| ![3, 4, 9, 15].contains(at))
        .map(|at| log[at])
        .collect();
    log[3].kind = 9;
    log[4].kind = 32;
    log[9].kind = u32::MAX;
    let mut bytes = memory(pointer, order, &log);
    bytes[15 * 16..16 * 16].fill(0);
    let options = cswitch::CswitchOptions {
        pointer_size: Some(pointer),
        byte_order: Some(order),
        ..cswitch::CswitchOptions::default()
    };
    let trace = open(&bytes, options).unwrap().trace;
    assert_eq!(entries(&trace), expected);
    let count = |kind| {
        trace
            .diagnostics
            .iter()
            .filter(|it| it.kind == kind)
            .map(|it| it.count)
            .sum::<u64>()
    };
    assert_eq!(count(DiagnosticKind::UnknownEntry), 2);
    assert_eq!(count(DiagnosticKind::HalfWrittenEntry), 1);
    assert_eq!(count(DiagnosticKind::UnusedSlots), 1);
}

#[test]
fn a_raw_dump_may_be_cut_anywhere() {
    for (pointer, order) in LAYOUTS {
        let log = example_log(1, 0);
        let whole = memory(pointer, order, &log);
        let options = cswitch::CswitchOptions {
            pointer_size: Some(pointer),
            byte_order: Some(order),
            ..cswitch::CswitchOptions::default()
        };
        for length in 1..whole.len() {
            let trace = open(&whole[..length], options.clone()).unwrap().trace;
            let entry = pointer.entry_bytes();
            assert_eq!(entries(&trace), log[..length / entry]);
            let cut = kinds(&trace).contains(&DiagnosticKind::Truncated);
            assert_eq!(cut, !length.is_multiple_of(entry));
        }
    }
}

#[test]
fn a_static_counter_is_reported() {
    let (pointer, order) = LAYOUTS[0];
    let mut log = example_log(2, 0);
    log.iter_mut().for_each(|entry| entry.counter = 7);
    let trace = open_unknown(&memory(pointer, order, &log)).unwrap().trace;
    assert!(kinds(&trace).contains(&DiagnosticKind::StaticClock));
}
