//! Ids of several bytes, checksums without timestamps, and a last frame without its
//! flag: generated streams against the same stream in the usual form.

use super::live::{ALL, settings};
use rtoscope_decode::DecodeError;
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_decode::rkh::guess::{Confidence, infer};
use rtoscope_decode::rkh::{
    DecodedStream, OwnRecords, ProblemKind, Provenance, RkhOptions, decode,
};
use rtoscope_generate::rkh::{RkhOptions as GenerateOptions, write};
use rtoscope_trace::{DiagnosticKind, EventIndex};
use rtoscope_wire::rkh::frame::{EscapedBytes, FLAG, unescape};
use rtoscope_wire::rkh::id::FIRST_USER_ID;
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration, TargetConfiguration};

fn generated(id_bytes: u8, checksum_covers_timestamp: bool) -> Vec<u8> {
    let options = GenerateOptions {
        records: 1500,
        id_bytes,
        checksum_covers_timestamp,
        ..GenerateOptions::default()
    };
    let mut bytes = Vec::new();
    write(&options, &mut bytes, &mut |_| ()).unwrap();
    bytes
}

fn frames(bytes: &[u8]) -> Vec<Vec<u8>> {
    let frames = bytes
        .split(|byte| *byte == FLAG)
        .filter(|it| !it.is_empty());
    let plain = frames.map(|frame| {
        let mut plain = vec![0; frame.len()];
        let length = unescape(frame, &mut plain).unwrap();
        plain.truncate(length);
        plain
    });
    plain.collect()
}

fn stream(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![FLAG];
    for frame in frames {
        bytes.extend(EscapedBytes::new(frame));
        bytes.push(FLAG);
    }
    bytes
}

fn without_target(bytes: &[u8]) -> Vec<u8> {
    let mut frames = frames(bytes);
    frames.retain(|frame| TargetConfiguration::parse(frame).is_none());
    stream(&frames)
}

/// The events without their offsets, names included.
fn events(decoded: &DecodedStream) -> Vec<String> {
    let trace = &decoded.trace;
    let events = trace.events.iter().map(|event| {
        let index = event.index;
        let stream = &decoded.stream_info;
        let name = trace.catalogue.name(event.kind);
        let arguments = stream.arguments(trace, index);
        let (sequence, time) = (stream.sequence(index), event.time);
        format!(
            "{name} {sequence:?} {time:?} {arguments:?} {:?}",
            event.context
        )
    });
    // The target's configuration has no sequence number.
    events
        .filter(|event| !event.starts_with("FWK TCFG"))
        .collect()
}

fn guessing() -> RkhOptions {
    RkhOptions {
        guess: true,
        ..RkhOptions::default()
    }
}

/// Ids as other senders extend them: with zeros.
fn with_extended_ids(bytes: &[u8], width: usize) -> Vec<u8> {
    let mut frames = frames(bytes);
    for frame in &mut frames {
        let extension = vec![0; width - 1];
        frame.splice(1..1, extension);
        // The name of a user's event has the size of ids, too.
        if frame[0] == 0xAB {
            let event = width + 1 + 4;
            frame.splice(event + 1..event + 1, vec![0; width - 1]);
        }
    }
    stream(&frames)
}

#[test]
fn a_target_reveals_the_size_of_its_ids() {
    let plain = decode(&generated(1, true), &RkhOptions::default()).unwrap();
    for width in [2, 4] {
        for bytes in [
            generated(width, true),
            with_extended_ids(&generated(1, true), width.into()),
        ] {
            let wide = decode(&bytes, &RkhOptions::default()).unwrap();
            assert_eq!(wide.stream_info.losses.total(), 0);
            assert_eq!(wide.stream_info.provenance, Provenance::Target);
            let id = wide.stream_info.runs[0].configuration.id;
            assert_eq!(id.bytes(), usize::from(width));
            assert_eq!(events(&wide), events(&plain));
        }
    }
}

#[test]
fn sizes_of_ids_are_set_or_guessed() {
    let plain = generated(1, true);
    let expected = decode(&plain, &RkhOptions::default()).unwrap();
    let configuration = expected.stream_info.runs[0].configuration;
    let expected = events(&decode(&without_target(&plain), &guessing()).unwrap());
    for width in FieldWidth::ALL {
        let bytes = without_target(&generated(width.bytes() as u8, true));
        let set = RkhOptions {
            configuration: Some(StreamConfiguration {
                id: width,
                ..configuration
            }),
            ..RkhOptions::default()
        };
        assert_eq!(events(&decode(&bytes, &set).unwrap()), expected);
        let guess = infer(&bytes, OwnRecords::NONE).unwrap();
        assert_eq!(
            (guess.configuration.id, guess.fitting_frames),
            (width, guess.frames)
        );
        assert_eq!(guess.confidence, Confidence::Certain);
        assert_eq!(events(&decode(&bytes, &guessing()).unwrap()), expected);

        // Any other size fits few frames, and is refused.
        for other in FieldWidth::ALL.into_iter().filter(|other| *other != width) {
            let set = RkhOptions {
                configuration: Some(StreamConfiguration {
                    id: other,
                    ..configuration
                }),
                ..RkhOptions::default()
            };
            let refused = decode(&bytes, &set);
            assert!(
                matches!(
                    refused,
                    Err(DecodeError::WrongRkhConfiguration { .. } | DecodeError::NoRkhRecord { .. })
                ),
                "{width:?} as {other:?}: {refused:?}"
            );
        }
    }
}

#[test]
fn checksums_without_timestamps_are_set_or_guessed() {
    for id_bytes in [1, 2, 4] {
        let whole = decode(&generated(id_bytes, true), &RkhOptions::default()).unwrap();
        let expected = events(&whole);
        let bytes = generated(id_bytes, false);
        // The target's configuration cannot say it: the setting applies after it.
        let set = RkhOptions {
            checksum_covers_timestamp: Some(false),
            ..RkhOptions::default()
        };
        let decoded = decode(&bytes, &set).unwrap();
        assert_eq!(decoded.stream_info.losses.total(), 0);
        assert_eq!(events(&decoded), expected);
        let decoded = decode(&bytes, &guessing()).unwrap();
        assert_eq!(decoded.stream_info.provenance, Provenance::Guessed);
        // With all other settings that the target sent.
        assert_eq!(events(&decoded), expected);
        // Without the target's configuration.
        let bytes = without_target(&bytes);
        let guess = infer(&bytes, OwnRecords::NONE).unwrap();
        assert!(!guess.configuration.checksum_covers_timestamp);
        assert_eq!(guess.configuration.timestamp, Some(FieldWidth::Four));
        assert_eq!(guess.fitting_frames, guess.frames);
        let decoded = decode(&bytes, &guessing()).unwrap();
        assert_eq!(decoded.stream_info.losses.total(), 0);
        let refused = decode(&bytes, &RkhOptions::default());
        assert!(matches!(
            refused,
            Err(DecodeError::NoRkhConfiguration { .. } | DecodeError::NoRkhRecord { .. })
        ));
    }
}

#[test]
fn a_guess_that_does_not_fit_is_refused() {
    // Sums of another algorithm: no configuration has them, and none is invented.
    let mut frames = frames(&without_target(&generated(1, true)));
    for frame in &mut frames {
        let last = frame.len() - 1;
        frame[last] = frame[..last]
            .iter()
            .fold(0xA5, |sum, byte| sum ^ byte.rotate_left(3));
        frame.push(0x5A);
    }
    let bytes = stream(&frames);
    assert_eq!(infer(&bytes, OwnRecords::NONE), None);
    let refused = decode(&bytes, &guessing()).unwrap_err();
    assert!(
        matches!(
            refused,
            DecodeError::NoRkhConfiguration { guessed: true, .. } | DecodeError::NoRkhRecord { .. }
        ),
        "{refused:?}"
    );
}

#[test]
fn other_framings_are_read_live() {
    for (id_bytes, covers) in [(2, true), (4, true), (1, false), (2, false)] {
        let options = RkhOptions {
            checksum_covers_timestamp: Some(covers),
            ..RkhOptions::default()
        };
        let bytes = generated(id_bytes, covers);
        let known = decode(&bytes, &options).unwrap().trace.events.len() as u64;
        let bytes_without = without_target(&bytes);
        for (bytes, options, expected) in [
            (&bytes, &options, known),
            (&bytes_without, &guessing(), known - 1),
        ] {
            let mut live = LiveDecoder::new(settings(options, ALL));
            for piece in bytes.chunks(333) {
                live.push(piece, HostTime::default());
            }
            let stats = live.stats();
            // The first guess has few frames; it is corrected later.
            assert_eq!(stats.events + stats.unusable, expected);
            assert!(stats.unusable < 50 && (options.guess || stats.unusable == 0));
        }
    }
}

#[test]
fn a_last_frame_without_its_flag_is_probable() {
    let whole = generated(1, true);
    let expected = decode(&whole, &RkhOptions::default()).unwrap();
    let unclosed = &whole[..whole.len() - 1];
    let decoded = decode(unclosed, &RkhOptions::default()).unwrap();
    assert_eq!(events(&decoded), events(&expected));
    let last = EventIndex(decoded.trace.events.len() as u32 - 1);
    assert!(decoded.stream_info.is_probable(last));
    assert!(!decoded.stream_info.is_probable(EventIndex(last.0 - 1)));
    assert!(!expected.stream_info.is_probable(last));
    let problem = &decoded.stream_info.losses.problems[0];
    assert_eq!(problem.detail.kind(), ProblemKind::Unclosed);
    let mut diagnostics = decoded.trace.diagnostics.iter();
    let diagnostic = diagnostics.find(|it| it.kind == DiagnosticKind::UnclosedFrame);
    assert_eq!(diagnostic.unwrap().event, Some(last));
    assert_eq!(decoded.stream_info.losses.unusable_bytes, 0);

    // A part of a record is no record, whatever is missing.
    let start = whole[..whole.len() - 1]
        .iter()
        .rposition(|byte| *byte == FLAG)
        .unwrap();
    for end in start + 2..whole.len() - 1 {
        let decoded = decode(&whole[..end], &RkhOptions::default()).unwrap();
        assert_eq!(decoded.trace.events.len() as u32, last.0, "{end}");
        assert_eq!(decoded.stream_info.losses.count(ProblemKind::Tail), 1);
        assert_eq!(decoded.stream_info.losses.count(ProblemKind::Unclosed), 0);
    }
}

/// Without checksums, only the length shows that a record is complete.
#[test]
fn a_last_frame_without_its_flag_and_checksum_is_probable() {
    use rtoscope_wire::rkh::ArgumentValue::Number;
    let configuration = StreamConfiguration {
        checksum: false,
        ..StreamConfiguration::default()
    };
    let options = RkhOptions {
        configuration: Some(configuration),
        ..RkhOptions::default()
    };
    let mut bytes = vec![FLAG];
    for number in 0..3 {
        let values = [Number(0x2000_0000), Number(0x2000_0010)];
        let sink = |byte| bytes.push(byte);
        let encoded = rtoscope_wire::rkh::encode::encode(
            sink,
            &configuration,
            0x63,
            number,
            u32::from(number) * 5,
            &values,
        );
        encoded.unwrap();
    }
    let count = |bytes: &[u8]| {
        let decoded = decode(bytes, &options).unwrap();
        let unclosed = decoded.stream_info.losses.count(ProblemKind::Unclosed);
        (decoded.trace.events.len(), unclosed)
    };
    assert_eq!(count(&bytes), (3, 0));
    assert_eq!(count(&bytes[..bytes.len() - 1]), (3, 1));
    assert_eq!(count(&bytes[..bytes.len() - 2]), (2, 0));
}

/// A stream without a target's configuration. Every second record is the
/// application's own: a `u16` and a `u8` without formats.
fn with_own_records() -> (Vec<u8>, StreamConfiguration) {
    let bytes = generated(1, true);
    let target = frames(&bytes)
        .iter()
        .find_map(|it| TargetConfiguration::parse(it));
    let configuration = target.unwrap().configuration(None);
    let mut all = Vec::new();
    for frame in frames(&without_target(&bytes)) {
        let mut own = frame[..configuration.header_len()].to_vec();
        own[0] = FIRST_USER_ID + 5;
        own.extend([0x34, 0x12, 0xF7, 0]);
        all.extend([frame, own]);
    }
    for (number, frame) in (0_u32..).zip(&mut all) {
        frame[1] = number as u8;
        let (last, summed) = frame.split_last_mut().unwrap();
        *last = summed
            .iter()
            .fold(0, |sum: u8, byte| sum.wrapping_sub(*byte));
    }
    (stream(&all), configuration)
}

#[test]
fn records_that_are_not_declared_are_no_damage_to_the_configuration() {
    let (bytes, _) = with_own_records();
    let target: Vec<_> = frames(&generated(1, true))
        .into_iter()
        .filter(|frame| TargetConfiguration::parse(frame).is_some())
        .collect();
    let sent = [stream(&target), bytes].concat();
    let decoded = decode(&sent, &RkhOptions::default()).unwrap();
    let mut all = decoded.trace.diagnostics.iter();
    let first = all.next().unwrap();
    assert_eq!(first.kind, DiagnosticKind::UnknownRecord);
    assert!(
        first
            .message
            .contains("record 0xc5 of the application: declare"),
        "{}",
        first.message
    );
    assert!(all.all(|it| it.kind != DiagnosticKind::ConfigurationUnfit));
}

#[test]
fn own_records_take_part_in_the_guess() {
    let (bytes, configuration) = with_own_records();
    assert_eq!(infer(&bytes, OwnRecords::NONE), None);
    let mut declared = OwnRecords::default();
    let text = "[[record]]\nevent = 5\narguments = ['u16', 'u8']";
    declared.extend_from_toml(text).unwrap();
    let guess = infer(&bytes, &declared).unwrap();
    assert_eq!(guess.configuration, configuration);
    assert_eq!(guess.fitting_frames, guess.frames);
    let options = RkhOptions {
        own_records: std::sync::Arc::new(declared),
        ..guessing()
    };
    let decoded = decode(&bytes, &options).unwrap();
    assert_eq!(decoded.trace.events.len() as u64, guess.frames);
    assert_eq!(decoded.stream_info.provenance, Provenance::Guessed);
}
