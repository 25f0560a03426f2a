//! Properties of any stream.

use super::streams;
use proptest::prelude::*;
use rtoscope_decode::rkh::{DecodedStream, RkhOptions, WireArgument, decode, read};
use rtoscope_trace::EventIndex;
use rtoscope_wire::rkh::encode::encode;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::record::record_specs;
use rtoscope_wire::rkh::{
    ArgumentKind, ArgumentLayout, ArgumentValue, Dialect, FieldWidth, StreamConfiguration,
};

/// A stream with some bytes changed, removed or duplicated.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let names = ["nat_short", "allrec_base", "ut", "dmg_attach"];
    let streams = names.map(|name| streams::find(name).unwrap().bytes());
    let changes = proptest::collection::vec(streams::change(), 0..12);
    (0..names.len(), changes).prop_map(move |(stream, changes)| {
        let mut bytes = streams[stream].clone();
        bytes.truncate(4000);
        streams::damage(&mut bytes, changes);
        bytes
    })
}

fn width() -> impl Strategy<Value = FieldWidth> {
    prop_oneof![
        Just(FieldWidth::One),
        Just(FieldWidth::Two),
        Just(FieldWidth::Four)
    ]
}

fn configuration() -> impl Strategy<Value = StreamConfiguration> {
    let sizes = proptest::collection::vec(width(), 9);
    let switches = proptest::collection::vec(any::<bool>(), 6);
    let stamp = proptest::option::of(width());
    let dialect = proptest::sample::select(Dialect::ALL.to_vec());
    (sizes, switches, stamp, dialect).prop_map(|(sizes, switches, stamp, dialect)| {
        StreamConfiguration {
            sequence: switches[0],
            timestamp: stamp,
            checksum: switches[1],
            checksum_covers_timestamp: switches[5],
            id: sizes[8],
            signal: sizes[0],
            pointer: sizes[1],
            function: sizes[2],
            timer_ticks: sizes[3],
            block_count: sizes[4],
            block_size: sizes[5],
            element_count: sizes[6],
            event_size: sizes[7],
            sender: switches[2],
            queue_low_water: switches[3],
            pool_low_water: switches[4],
            dialect,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn anything_gives_a_consistent_recording(
        bytes in damaged(),
        (guess, split_glued, given) in any::<(bool, bool, bool)>(),
    ) {
        let known = streams::find("nat_short").unwrap();
        let options = RkhOptions {
            guess,
            split_glued,
            configuration: known.decoder().filter(|_| given),
            ..RkhOptions::default()
        };
        let recording = read(&bytes, &options);
        let trace = &recording.trace;
        let count = trace.events.len();
        prop_assert_eq!(recording.stream_info.len(), count);
        prop_assert!(trace.events.times().is_sorted());
        prop_assert!(trace.gaps.is_sorted_by(|one, other| one.next_event < other.next_event));
        prop_assert!(trace.gaps.iter().all(|gap| gap.next_event.0 > 0 && gap.next_event.index() < count));
        let offsets = (0..count as u32).map(|event| recording.stream_info.offset(EventIndex(event)));
        prop_assert!(offsets.is_sorted());
    }

    #[test]
    fn what_is_encoded_is_decoded(
        configuration in configuration(),
        seed in proptest::collection::vec(any::<u32>(), 64),
        start in any::<u8>(),
    ) {
        let mut bytes = vec![FLAG];
        let mut expected = Vec::new();
        let mut random = seed.iter().copied().cycle();
        let fixed = |shape| matches!(shape, ArgumentLayout::Fixed);
        for record in record_specs(configuration.dialect).iter().filter(|it| fixed(it.layout) && !it.headerless) {
            let mut values = Vec::new();
            let mut named = Vec::new();
            for argument in record.arguments {
                let value = match argument.kind.width(&configuration) {
                    Some(0) => continue,
                    // An id of one byte stands for a wider one.
                    Some(_) if argument.kind == ArgumentKind::FullEventId => {
                        ArgumentValue::Number(random.next().unwrap() & 0xFF)
                    }
                    Some(width) => {
                        let number = random.next().unwrap();
                        ArgumentValue::Number(number & u32::MAX >> (32 - 8 * width as u32))
                    }
                    None => ArgumentValue::Text(b"na~me}"),
                };
                values.push(value);
                named.push((argument.name, value));
            }
            let number = start.wrapping_add(expected.len() as u8);
            let stamp = random.next().unwrap();
            let sink = |byte| bytes.push(byte);
            prop_assert_eq!(encode(sink, &configuration, record.id, number, stamp, &values), Ok(()));
            let stamp = configuration.timestamp.map(|width| stamp & width.max());
            expected.push((record.id, configuration.sequence.then_some(number), stamp, named));
        }
        let options = RkhOptions {
            configuration: Some(configuration),
            function_width: Some(configuration.function),
            ..RkhOptions::default()
        };
        let DecodedStream { trace, stream_info } = decode(&bytes, &options).unwrap();
        prop_assert_eq!(stream_info.losses.total(), 0, "{:?}", stream_info.losses);
        prop_assert_eq!(trace.events.len(), expected.len());
        for (event, (id, sequence, stamp, named)) in (0..).map(EventIndex).zip(expected) {
            prop_assert_eq!(stream_info.record(&trace, event).unwrap().id, id);
            prop_assert_eq!(stream_info.sequence(event), sequence);
            prop_assert_eq!(stream_info.timestamp(&trace, event), stamp);
            let arguments = stream_info.arguments(&trace, event);
            let values = arguments.iter().map(|(name, argument)| match argument {
                WireArgument::Number(number) => (*name, ArgumentValue::Number(*number)),
                WireArgument::Text(text) => (*name, ArgumentValue::Text(text)),
                other => panic!("{other:?}"),
            });
            prop_assert_eq!(values.collect::<Vec<_>>(), named);
        }
    }
}

#[test]
fn every_kind_of_argument_is_tried() {
    let arguments = record_specs(Dialect::V3)
        .iter()
        .flat_map(|record| record.arguments);
    assert!(
        arguments
            .clone()
            .any(|argument| argument.kind == ArgumentKind::Text)
    );
    assert!(arguments.count() > 100);
}
