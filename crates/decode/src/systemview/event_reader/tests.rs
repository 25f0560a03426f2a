//! Damage that only single packets show.

use super::*;
use crate::packet_stream::StreamDecoder;
use rtoscope_fixtures::read_testdata;
use rtoscope_trace::{DiagnosticKind, Trace};
use rtoscope_wire::systemview::PacketWriter;

fn decode(bytes: &[u8]) -> Trace {
    let options = DecodeOptions::default();
    let decoded = StreamDecoder::<EventReader>::decode_file(bytes, &options, false);
    decoded.unwrap().trace
}

fn nested() -> Vec<u8> {
    read_testdata("systemview/cm3_nested.bin")
}

fn count(trace: &Trace, kind: DiagnosticKind) -> usize {
    trace
        .diagnostics
        .iter()
        .filter(|it| it.kind == kind)
        .count()
}

/// Checks that a trace has a gap of unknown size, and that the events on both sides of it
/// are those of the sound recording.
#[track_caller]
fn assert_one_gap(damaged: &Trace, max_lost: usize) {
    let sound = decode(&nested());
    let lost = sound.events.len() - damaged.events.len();
    assert!((1..=max_lost).contains(&lost), "{lost} events are missing");
    assert_eq!(count(damaged, DiagnosticKind::BadFrame), 1);
    assert_eq!(count(damaged, DiagnosticKind::Gap), 0);
    let [gap] = damaged.gaps[..] else {
        panic!("{:?}", damaged.gaps);
    };
    assert_eq!(gap.missing, None);
    let kinds = |trace: &Trace| trace.events.kinds().collect::<Vec<_>>();
    let (sound_kinds, kinds) = (kinds(&sound), kinds(damaged));
    let (before, after) = kinds.split_at(gap.next_event.index());
    // The last packet may have lost its end.
    let [before @ .., _] = before else {
        panic!("no event before the gap");
    };
    assert!(sound_kinds.starts_with(before));
    assert!(sound_kinds.ends_with(after));
}

fn end(trace: &Trace) -> u64 {
    trace.events.iter().last().unwrap().time.0
}

#[test]
fn zeroed_bytes_are_a_gap() {
    // The packets before them would end in zeros.
    for (start, length) in [(7130, 512), (17_281, 256), (20_000, 4096), (5000, 64)] {
        let mut bytes = nested();
        bytes[start..start + length].fill(0);
        let trace = decode(&bytes);
        assert_one_gap(&trace, length / 5 + 20);
        assert!(end(&trace) < end(&decode(&nested())));
    }
}

#[test]
fn zeros_at_the_end_are_damage() {
    let bytes = nested();
    let mut cut = bytes.clone();
    cut[20_000..].fill(0);
    let trace = decode(&cut);
    assert_eq!(count(&trace, DiagnosticKind::BadFrame), 1);
    assert_eq!(count(&trace, DiagnosticKind::CutFrame), 0);
}

#[test]
fn a_sync_in_the_middle_is_no_damage() {
    let restarted = [nested(), nested()].concat();
    let trace = decode(&restarted);
    assert_eq!(trace.events.len(), 2 * decode(&nested()).events.len());
    assert_eq!(count(&trace, DiagnosticKind::BadFrame), 0);
}

#[test]
fn the_number_in_an_overflow_after_damage_is_not_exact() {
    let stream = |damage: &[u8]| {
        let mut bytes = Vec::new();
        let mut writer = PacketWriter::new(|byte| bytes.push(byte));
        writer.sync();
        writer.short(id::TRACE_START, &[], None, 100);
        writer.short(id::IDLE, &[], None, 100);
        bytes.extend_from_slice(damage);
        let mut writer = PacketWriter::new(|byte| bytes.push(byte));
        for _ in 0..20 {
            writer.short(id::ISR_ENTER, &[15], None, 100);
            writer.short(id::ISR_EXIT, &[], None, 100);
        }
        writer.short(id::OVERFLOW, &[6], None, 100);
        writer.short(id::IDLE, &[], None, 100);
        bytes
    };
    let missing = |damage: &[u8]| {
        let gaps = decode(&stream(damage)).gaps;
        gaps.iter().map(|gap| gap.missing).collect::<Vec<_>>()
    };
    assert_eq!(missing(&[]), [Some(7)]);
    assert_eq!(missing(&[0; 100]), [None, None]);
}

#[test]
fn a_lost_byte_makes_no_name_of_other_packets() {
    let mut bytes = nested();
    bytes.remove(9155);
    let trace = decode(&bytes);
    assert_one_gap(&trace, 4);
    for object in trace.objects.iter() {
        assert!(object.name.as_bytes().len() <= 32, "{:?}", object.name);
    }
}
