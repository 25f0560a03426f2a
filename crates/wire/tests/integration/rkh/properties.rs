//! Encoded records decode to the same values in every configuration and dialect; anything
//! that is not a record is an error.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use rtoscope_wire::rkh::encode::{encode, encode_items};
use rtoscope_wire::rkh::frame::{EscapedBytes, FLAG, checksum, sums_to_zero, unescape};
use rtoscope_wire::rkh::header::split_frame;
use rtoscope_wire::rkh::record::{record_spec, record_specs};
use rtoscope_wire::rkh::user::{ItemFormat, ItemValue, UserItem, UserItems};
use rtoscope_wire::rkh::{
    ArgumentKind, ArgumentLayout, ArgumentSpec, ArgumentValue, ArgumentValues, Dialect, FieldWidth,
    Group, RecordHeader, RecordSpec, StreamConfiguration, TargetConfiguration,
};

fn dialects() -> impl Strategy<Value = Dialect> {
    select(Dialect::ALL.to_vec())
}

fn widths() -> impl Strategy<Value = FieldWidth> {
    select(FieldWidth::ALL.to_vec())
}

prop_compose! {
    fn configurations()(
        dialect in dialects(),
        switches: [bool; 6],
        timestamp in proptest::option::of(widths()),
        sizes in [(); 9].map(|()| widths()),
    ) -> StreamConfiguration {
        let [sequence, checksum, checksum_covers_timestamp, sender, queue_marks, pool_marks] = switches;
        let [id, signal, pointer, function, timer, blocks, block_size, elements, event_size] = sizes;
        StreamConfiguration {
            sequence, timestamp, checksum, checksum_covers_timestamp, id, signal, pointer, function, timer_ticks: timer, block_count: blocks, block_size,
            element_count: elements, event_size, sender, queue_low_water: queue_marks, pool_low_water: pool_marks, dialect,
        }
    }
}

/// A value that fits the argument, derived from `random`.
fn value<'a>(
    argument: &ArgumentSpec,
    configuration: &StreamConfiguration,
    random: &'a (u32, Vec<u8>),
) -> ArgumentValue<'a> {
    match argument.kind.width(configuration) {
        None => ArgumentValue::Text(&random.1),
        Some(0) => ArgumentValue::Number(0),
        // An id of one byte stands for a wider one.
        Some(_) if argument.kind == ArgumentKind::FullEventId => {
            ArgumentValue::Number(random.0 >> 24)
        }
        Some(width) => ArgumentValue::Number(random.0 >> (32 - 8 * width)),
    }
}

/// The arguments of a record, followed by those of the record that it expects.
fn arguments(
    record: &'static RecordSpec,
    expected: Option<&'static RecordSpec>,
) -> Vec<&'static ArgumentSpec> {
    let expected = expected.and_then(RecordSpec::expectation_arguments);
    record
        .iter()
        .chain(expected.into_iter().flatten())
        .collect()
}

/// The frame that was written, without escapes and flag.
fn frame(mut written: Vec<u8>) -> Vec<u8> {
    assert_eq!(written.pop(), Some(FLAG));
    let mut frame = vec![0; written.len()];
    let length = unescape(&written, &mut frame).unwrap();
    frame.truncate(length);
    frame
}

fn header(
    configuration: &StreamConfiguration,
    record: &RecordSpec,
    sequence: u8,
    timestamp: u32,
) -> RecordHeader {
    let cut = |width: FieldWidth| timestamp & width.max();
    RecordHeader {
        id: record.id,
        sequence: (configuration.sequence && !record.headerless).then_some(sequence),
        timestamp: configuration
            .timestamp
            .filter(|_| !record.headerless)
            .map(cut),
    }
}

fn item<'a>(
    configuration: &StreamConfiguration,
    form: ItemFormat,
    random: &'a (u32, Vec<u8>),
    width: u8,
) -> UserItem<'a> {
    let value = match form.bytes(configuration) {
        None if form == ItemFormat::Text => ItemValue::Bytes(&random.1),
        None => ItemValue::Bytes(&random.1[..random.1.len().min(255)]),
        Some(bytes) if form.is_signed() => ItemValue::Signed((random.0 as i32) >> (32 - 8 * bytes)),
        Some(bytes) => ItemValue::Unsigned(random.0 >> (32 - 8 * bytes)),
    };
    UserItem {
        format: form,
        width,
        value,
    }
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    vec(1..=u8::MAX, 0..300)
}

proptest! {
    #[test]
    fn frames_round_trip(bytes: Vec<u8>) {
        let with_sum = [&bytes[..], &[checksum(&bytes)]].concat();
        prop_assert!(sums_to_zero(&with_sum));
        let escaped: Vec<u8> = EscapedBytes::new(&with_sum).collect();
        prop_assert!(!escaped.contains(&FLAG));
        let mut plain = vec![0; escaped.len()];
        let length = unescape(&escaped, &mut plain).unwrap();
        prop_assert_eq!(&plain[..length], &with_sum);
        if let Some(too_small) = length.checked_sub(1) {
            prop_assert!(unescape(&escaped, &mut plain[..too_small]).is_err());
        }
    }

    #[test]
    fn every_record_round_trips(
        configuration in configurations(),
        expected: Index,
        random in vec((any::<u32>(), texts()), 8),
        sequence: u8,
        timestamp: u32,
    ) {
        let all = record_specs(configuration.dialect);
        let machine: Vec<&RecordSpec> = all.iter().filter(|one| one.group == Group::Sm).collect();
        for record in all.iter().filter(|record| record.layout != ArgumentLayout::Items) {
            let expected = (record.layout == ArgumentLayout::Expectation).then(|| *expected.get(&machine));
            let arguments = arguments(record, expected);
            let mut values: Vec<ArgumentValue<'_>> = arguments
                .iter()
                .zip(random.iter().cycle())
                .map(|(argument, random)| value(argument, &configuration, random))
                .collect();
            if let Some(expected) = expected {
                values[1] = ArgumentValue::Number(expected.id.into());
            }
            let mut written = Vec::new();
            let sink = |byte| written.push(byte);
            encode(sink, &configuration, record.id, sequence, timestamp, &values).unwrap();

            let frame = frame(written);
            let (read, bytes) = split_frame(&frame, &configuration).unwrap();
            prop_assert_eq!(read, header(&configuration, record, sequence, timestamp));
            let given = arguments
                .into_iter()
                .zip(values)
                .filter(|(argument, _)| argument.kind.width(&configuration) != Some(0));
            let given: Vec<_> = given.map(Ok).collect();
            let read: Vec<_> = ArgumentValues::new(record, &configuration, bytes).collect();
            prop_assert_eq!(&read, &given);

            // Any other length is an error, except one that the record may also have.
            let is_open = record.iter().any(|one| one.kind == ArgumentKind::OptionalCount);
            let longer = [bytes, &[0]].concat();
            prop_assert!(ArgumentValues::new(record, &configuration, &longer).any(|value| value.is_err()));
            if let Some(shorter) = bytes.len().checked_sub(1) {
                let mut values = ArgumentValues::new(record, &configuration, &bytes[..shorter]);
                prop_assert_eq!(values.any(|value| value.is_err()), !is_open);
                prop_assert!(values.next().is_none());
            }
        }
    }

    #[test]
    fn items_round_trip(
        mut configuration in configurations(),
        random in vec((select(ItemFormat::ALL.to_vec()), (any::<u32>(), texts()), 0..16u8), 0..8),
        event in 0..32u8,
        sequence: u8,
        timestamp: u32,
    ) {
        configuration.dialect = configuration.dialect.max(Dialect::V2_3);
        let items: Vec<UserItem<'_>> = random
            .iter()
            .map(|(form, random, width)| item(&configuration, *form, random, *width))
            .collect();
        let id = 0xC0 + event;
        let mut written = Vec::new();
        let sink = |byte| written.push(byte);
        encode_items(sink, &configuration, id, sequence, timestamp, &items).unwrap();
        let frame = frame(written);
        let (read, bytes) = split_frame(&frame, &configuration).unwrap();
        let record = record_spec(configuration.dialect, id).unwrap();
        prop_assert_eq!(read, header(&configuration, record, sequence, timestamp));
        let read: Vec<UserItem<'_>> = UserItems::new(&configuration, bytes).map(Result::unwrap).collect();
        prop_assert_eq!(read, items);
    }

    /// Decoding terminates without a panic for all bytes, and its result is within the
    /// input.
    #[test]
    fn garbage_does_not_panic(configuration in configurations(), bytes: Vec<u8>, id: u8) {
        let mut plain = vec![0; bytes.len()];
        let length = unescape(&bytes, &mut plain).unwrap_or_default();
        let _ = TargetConfiguration::parse(&plain[..length]);
        let _ = split_frame(&bytes, &configuration);
        prop_assert!(UserItems::new(&configuration, &bytes).count() <= bytes.len());
        if let Some(record) = record_spec(configuration.dialect, id) {
            let values = ArgumentValues::new(record, &configuration, &bytes);
            prop_assert!(values.count() <= bytes.len() + 1);
        }
    }

    /// A record that contradicts its own frame is rejected.
    #[test]
    fn garbage_is_not_a_targets_configuration(
        contents in vec(any::<u8>(), 0..20),
        dialect in dialects(),
    ) {
        let Some(id) = TargetConfiguration::id(dialect) else { return Ok(()) };
        let mut frame = [&[id], &contents[..]].concat();
        frame.push(checksum(&frame));
        if let Some(target) = TargetConfiguration::parse(&frame) {
            let configuration = target.configuration(None);
            let (_, arguments) = split_frame(&frame, &configuration).unwrap();
            let record = record_spec(target.dialect, frame[0]).unwrap();
            prop_assert_eq!(record.layout, ArgumentLayout::Configuration);
            let mut values = ArgumentValues::new(record, &configuration, arguments);
            prop_assert!(values.all(|value| value.is_ok()));
        }
    }
}

#[test]
fn names_within_a_record_differ() {
    for dialect in Dialect::ALL {
        for record in record_specs(dialect) {
            let mut names: Vec<&str> = record.iter().map(|argument| argument.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), record.arguments.len(), "{}", record.name);
            let texts = record.iter().filter(|one| one.kind == ArgumentKind::Text);
            assert!(texts.count() <= 1, "{}", record.name);
        }
    }
}
