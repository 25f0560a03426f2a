//! Streams that a link or a tool changed on the way.

use proptest::prelude::*;
use rtoscope_decode::format::{DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_decode::rkh::{self, StreamInfo};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeError};
use rtoscope_generate::rkh::{RkhOptions as GenerateOptions, write};
use rtoscope_trace::{DiagnosticKind, EventIndex};
use rtoscope_wire::rkh::frame::FLAG;
use std::collections::HashSet;

fn generated(records: u64, seed: u64) -> Vec<u8> {
    let options = GenerateOptions {
        records,
        seed,
        ..GenerateOptions::default()
    };
    let mut bytes = Vec::new();
    write(&options, &mut bytes, &mut |_| ()).unwrap();
    bytes
}

fn open(bytes: &[u8]) -> Result<DecodedRecording, DecodeError> {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None)?;
    assert_eq!(input.format(), rkh::FORMAT);
    input.decode(&DecodeOptions::default())
}

fn stream_info(recording: &DecodedRecording) -> &StreamInfo {
    recording.format_info.get().unwrap()
}

fn find(recording: &DecodedRecording, kind: DiagnosticKind) -> Option<u64> {
    let mut found = recording.trace.diagnostics.iter();
    Some(found.find(|it| it.kind == kind)?.count)
}

/// The sequence number, kind and time of each record.
fn records(recording: &DecodedRecording) -> Vec<(u8, u32, u64)> {
    let stream = stream_info(recording);
    let events = &recording.trace.events;
    let numbered = (0..).map(EventIndex).zip(events.iter());
    let record = numbered.map(|(number, event)| {
        let sequence = stream.sequence(number).unwrap_or_default();
        (sequence, event.kind.0, event.time.0)
    });
    record.collect()
}

fn in_text_mode(bytes: &[u8]) -> Vec<u8> {
    let expanded = bytes.iter().flat_map(|byte| match byte {
        b'\n' => vec![b'\r', b'\n'],
        byte => vec![*byte],
    });
    expanded.collect()
}

/// The bytes that a link with software flow control delivers, and the number of frames that
/// it changes.
fn flow_controlled(bytes: &[u8]) -> (Vec<u8>, usize) {
    let is_taken = |byte: &u8| matches!(byte, 0x11 | 0x13);
    let frames = bytes.split(|byte| *byte == FLAG);
    let changed = frames.filter(|frame| frame.iter().any(is_taken)).count();
    let left = bytes.iter().filter(|byte| !is_taken(byte)).copied();
    (left.collect(), changed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn a_transfer_in_text_mode_costs_no_record(
        records in 200_u64..1200,
        seed in 0_u64..1_000_000,
        lines in any::<bool>(),
    ) {
        let mut sound = generated(records, seed);
        if lines {
            let mut frames = sound.split_inclusive(|byte| *byte == FLAG);
            let mut mixed = frames.by_ref().take(10).collect::<Vec<_>>().concat();
            for frame in frames {
                if mixed.len() % 16 == 0 {
                    mixed.extend(b"adc: ok\n");
                }
                mixed.extend(frame);
            }
            sound = mixed;
        }
        let plain = open(&sound).unwrap();
        let kind = DiagnosticKind::ExpandedLineFeeds;
        prop_assert_eq!(find(&plain, kind), None);
        let expanded = in_text_mode(&sound);
        let decoded = open(&expanded).unwrap();
        prop_assert_eq!(stream_info(&decoded), stream_info(&plain));
        prop_assert_eq!(&decoded.trace.events, &plain.trace.events);
        let inserted = (expanded.len() - sound.len()) as u64;
        prop_assert_eq!(find(&decoded, kind), Some(inserted));
    }

    #[test]
    fn flow_control_costs_only_the_frames_with_its_bytes(
        records in 200_u64..1200,
        seed in 0_u64..1_000_000,
    ) {
        let sound = generated(records, seed);
        let plain = open(&sound).unwrap();
        prop_assert_eq!(find(&plain, DiagnosticKind::FlowControl), None);
        let (bytes, changed) = flow_controlled(&sound);
        let intact = plain.trace.events.len() - changed;
        let decoded = match open(&bytes) {
            Ok(decoded) => decoded,
            // A byte of all times is missing.
            Err(error) => {
                prop_assert!(matches!(error, DecodeError::ChangedStream { .. }), "{error}");
                prop_assert!(intact * 4 < changed, "{intact} {changed}");
                return Ok(());
            }
        };
        prop_assert!(find(&decoded, DiagnosticKind::FlowControl).is_some());
        let kinds = [DiagnosticKind::ConfigurationGuessed, DiagnosticKind::ConfigurationUnfit];
        prop_assert!(kinds.into_iter().all(|kind| find(&decoded, kind).is_none()));
        let stream = stream_info(&decoded);
        // The target's configuration is restored.
        prop_assert_eq!(&stream.runs[0].configuration, &stream_info(&plain).runs[0].configuration);
        prop_assert_eq!(decoded.trace.clock.frequency(), plain.trace.clock.frequency());
        prop_assert_eq!(decoded.trace.events.len(), intact + 1);
        prop_assert_eq!(stream.losses.bad_frames(), changed as u64 - 1);
        // Times begin with the first record that is left.
        let (plain, decoded) = (self::records(&plain), self::records(&decoded));
        let first = decoded[1];
        let later = plain.iter().find(|it| (it.0, it.1) == (first.0, first.1)).unwrap().2 - first.2;
        let known: HashSet<_> = plain.into_iter().collect();
        let found = decoded.into_iter().skip(1).map(|(number, kind, time)| (number, kind, time + later));
        prop_assert!(found.into_iter().all(|record| known.contains(&record)));
    }
}
