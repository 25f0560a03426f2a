//! Malicious streams: decoding must be fast and its output bounded.

use rtoscope_decode::rkh::OwnRecords;
use rtoscope_decode::rkh::guess::infer;
use rtoscope_decode::rkh::{
    DecodedStream, ProblemKind, RkhInterpreter, RkhOptions, StreamLosses, decode, is_stream,
};
use rtoscope_trace::{EventIndex, Interpret, SchedEvent};
use rtoscope_wire::rkh::encode::{encode, encode_items};
use rtoscope_wire::rkh::frame::{ESCAPE, FLAG};
use rtoscope_wire::rkh::tcfg::RkhVersion;
use rtoscope_wire::rkh::user::{ItemFormat, ItemValue, UserItem};
use rtoscope_wire::rkh::{ArgumentValue, StreamConfiguration, TargetConfiguration};

fn given() -> RkhOptions {
    RkhOptions {
        configuration: Some(StreamConfiguration::default()),
        ..RkhOptions::default()
    }
}

fn read(bytes: &[u8]) -> DecodedStream {
    rtoscope_decode::rkh::read(bytes, &given())
}

/// Pseudo-random bytes.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn nothing_but_flags_or_escapes_is_nothing() {
    let flags = read(&vec![FLAG; 1 << 20]);
    assert!(flags.stream_info.is_empty());
    assert_eq!(flags.stream_info.losses.total(), 0);
    let escapes = read(&vec![ESCAPE; 1 << 20]);
    assert!(escapes.stream_info.is_empty());
    assert_eq!(escapes.stream_info.losses.count(ProblemKind::Lead), 1);
    let aborted = read(&[ESCAPE, FLAG].repeat(1 << 18));
    assert_eq!(
        aborted.stream_info.losses.count(ProblemKind::Aborted),
        1 << 18
    );
    for bytes in [&b""[..], &[FLAG], &[FLAG, ESCAPE]] {
        assert!(decode(bytes, &RkhOptions::default()).is_err());
        assert!(!is_stream(bytes));
        assert_eq!(infer(bytes, OwnRecords::NONE), None);
    }
}

#[test]
fn an_endless_frame_is_one_problem() {
    let bytes = [&[FLAG], &vec![0x55; 1 << 25][..], &[FLAG]].concat();
    let losses = read(&bytes).stream_info.losses;
    assert_eq!(losses.count(ProblemKind::TooLong), 1);
    assert_eq!(losses.unusable_bytes, 1 << 25);
}

#[test]
fn noise_is_no_stream() {
    let bytes = noise(8 << 20);
    assert!(!is_stream(&bytes));
    let recording = read(&bytes);
    let losses = &recording.stream_info.losses;
    assert!(losses.problems.len() <= StreamLosses::MAX_PROBLEMS);
    assert!(losses.bad_frames() > 25_000);
    assert!(decode(&bytes, &RkhOptions::default()).is_err());
    assert!(
        decode(
            &bytes,
            &RkhOptions {
                guess: true,
                ..RkhOptions::default()
            }
        )
        .is_err()
    );
}

#[test]
fn a_long_name_and_many_items_are_whole() {
    let configuration = StreamConfiguration::default();
    let name = vec![b'x'; 1 << 20];
    let items = vec![
        UserItem {
            format: ItemFormat::U8,
            width: 3,
            value: ItemValue::Unsigned(9)
        };
        1_000_000
    ];
    let mut bytes = vec![FLAG];
    let values = [ArgumentValue::Number(7), ArgumentValue::Text(&name)];
    encode(|byte| bytes.push(byte), &configuration, 0xA6, 0, 0, &values).unwrap();
    encode_items(|byte| bytes.push(byte), &configuration, 0xC0, 1, 0, &items).unwrap();
    let trace = read(&bytes).trace;
    let object = trace.objects.iter().next().unwrap();
    assert_eq!(object.name.as_bytes(), name);
    let kept = trace.events.extras().items(EventIndex(1));
    assert_eq!(kept.count(), items.len());
}

#[test]
fn many_objects_names_and_starts_take_linear_time() {
    let configuration = StreamConfiguration::default();
    let mut bytes = vec![FLAG];
    let target = TargetConfiguration::from_configuration(&configuration, RkhVersion(0x3400));
    for number in 0..15_000_u32 {
        let mut put = |id, values: &[u32]| {
            let values: Vec<_> = values.iter().copied().map(ArgumentValue::Number).collect();
            let sink = |byte| bytes.push(byte);
            encode(sink, &configuration, id, 0, number, &values).unwrap();
        };
        // Each is another active object, queue and pool.
        put(0x45, &[number + 1, number & 0xFF]);
        put(0x42, &[number + 1, 3, 0, 0, 0]);
        put(0x22, &[number + 1, 1]);
        put(0x02, &[number + 1, 1]);
        let name = number.to_string();
        let values = [
            ArgumentValue::Number(5),
            ArgumentValue::Text(name.as_bytes()),
        ];
        encode(|byte| bytes.push(byte), &configuration, 0xA6, 0, 0, &values).unwrap();
        if number % 4 == 0 {
            target.encode(|byte| bytes.push(byte), 0, 0).unwrap();
        }
    }
    let recording = read(&bytes);
    assert!(recording.stream_info.runs.len() >= 3_750);
    let trace = &recording.trace;
    assert_eq!(trace.contexts.threads().count(), 15_000);
    let mut interpreter = RkhInterpreter::new(trace);
    let acts = trace
        .events
        .iter()
        .filter(|event| interpreter.sched_event(trace, event) != SchedEvent::None);
    assert!(acts.count() > 15_000);
}
