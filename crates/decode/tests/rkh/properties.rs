//! What holds for any stream.

use super::streams;
use proptest::prelude::*;
use rtoscope_decode::rkh::{Argument, Decoder, Options, Recording, decode};
use rtoscope_trace::EventIndex;
use rtoscope_wire::rkh::encode::encode;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::record::records;
use rtoscope_wire::rkh::{ArgumentKind, Configuration, Dialect, Shape, Value, Width};

/// Decodes a stream in pieces.
fn pieces(bytes: &[u8], options: &Options, cuts: &[usize]) -> Recording {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    let mut decoder = Decoder::new(options);
    for pair in cuts.windows(2) {
        decoder.push(&bytes[pair[0]..pair[1]]);
    }
    decoder.finish()
}

/// A stream with some of its bytes changed, removed or doubled.
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

fn width() -> impl Strategy<Value = Width> {
    prop_oneof![Just(Width::One), Just(Width::Two), Just(Width::Four)]
}

fn configuration() -> impl Strategy<Value = Configuration> {
    let sizes = proptest::collection::vec(width(), 8);
    let switches = proptest::collection::vec(any::<bool>(), 5);
    let stamp = proptest::option::of(width());
    let dialect = proptest::sample::select(Dialect::ALL.to_vec());
    (sizes, switches, stamp, dialect).prop_map(|(sizes, switches, stamp, dialect)| Configuration {
        sequence: switches[0],
        stamp,
        checksum: switches[1],
        signal: sizes[0],
        pointer: sizes[1],
        function: sizes[2],
        timer: sizes[3],
        blocks: sizes[4],
        block_size: sizes[5],
        elements: sizes[6],
        event_size: sizes[7],
        sender: switches[2],
        queue_marks: switches[3],
        pool_marks: switches[4],
        dialect,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_split_gives_the_same_recording(
        bytes in damaged(),
        cuts in proptest::collection::vec(any::<usize>(), 0..40),
        (guess, split_glued, given) in any::<(bool, bool, bool)>(),
    ) {
        let known = streams::find("nat_short").unwrap();
        let options = Options {
            guess,
            split_glued,
            configuration: known.decoder().filter(|_| given),
            ..Options::default()
        };
        let whole = pieces(&bytes, &options, &[]);
        prop_assert_eq!(&pieces(&bytes, &options, &cuts), &whole);
        let recording = &whole;
        let trace = &recording.trace;
        let count = trace.events.len();
        prop_assert_eq!(recording.stream.len(), count);
        prop_assert_eq!(trace.events.context.len(), count);
        prop_assert!(trace.events.time.is_sorted());
        prop_assert!(trace.gaps.is_sorted_by(|one, other| one.before < other.before));
        prop_assert!(trace.gaps.iter().all(|gap| gap.before.0 > 0 && gap.before.index() < count));
        let offsets = (0..count as u32).map(|event| recording.stream.offset(EventIndex(event)));
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
        let fixed = |shape| matches!(shape, Shape::Fixed);
        for record in records(configuration.dialect).iter().filter(|it| fixed(it.shape) && !it.bare) {
            let mut values = Vec::new();
            let mut named = Vec::new();
            for argument in record.arguments {
                let value = match argument.kind.width(&configuration) {
                    Some(0) => continue,
                    Some(width) => {
                        let number = random.next().unwrap();
                        Value::Number(number & u32::MAX >> (32 - 8 * width as u32))
                    }
                    None => Value::Text(b"na~me}"),
                };
                values.push(value);
                named.push((argument.name, value));
            }
            let number = start.wrapping_add(expected.len() as u8);
            let stamp = random.next().unwrap();
            let sink = |byte| bytes.push(byte);
            prop_assert_eq!(encode(sink, &configuration, record.id, number, stamp, &values), Ok(()));
            let stamp = configuration.stamp.map(|width| stamp & width.max());
            expected.push((record.id, configuration.sequence.then_some(number), stamp, named));
        }
        let options = Options {
            configuration: Some(configuration),
            function: Some(configuration.function),
            ..Options::default()
        };
        let Recording { trace, stream } = decode(&bytes, &options).unwrap();
        prop_assert_eq!(stream.losses.total(), 0, "{:?}", stream.losses);
        prop_assert_eq!(trace.events.len(), expected.len());
        for (event, (id, sequence, stamp, named)) in (0..).map(EventIndex).zip(expected) {
            prop_assert_eq!(stream.record(&trace, event).unwrap().id, id);
            prop_assert_eq!(stream.sequence(event), sequence);
            prop_assert_eq!(stream.stamp(&trace, event), stamp);
            let arguments = stream.arguments(&trace, event);
            let values = arguments.iter().map(|(name, argument)| match argument {
                Argument::Number(number) => (*name, Value::Number(*number)),
                Argument::Text(text) => (*name, Value::Text(text)),
                other => panic!("{other:?}"),
            });
            prop_assert_eq!(values.collect::<Vec<_>>(), named);
        }
    }
}

#[test]
fn every_kind_of_argument_is_tried() {
    let arguments = records(Dialect::V3)
        .iter()
        .flat_map(|record| record.arguments);
    assert!(
        arguments
            .clone()
            .any(|argument| argument.kind == ArgumentKind::Text)
    );
    assert!(arguments.count() > 100);
}
