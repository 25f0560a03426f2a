//! Arbitrary records survive a round trip through recorder and decoder.

use super::record::{OwnedItem, SampleRecord};
use super::setups::*;
use proptest::prelude::*;
use proptest::sample::select;
use rtoscope_decode::rkh::{RkhOptions, WireArgument, decode};
use rtoscope_record::rkh::{
    FIRST_USER_ID, FilterBits, StreamSetup, TargetContent, target_at, target_with_sizes,
};
use rtoscope_trace::EventIndex;
use rtoscope_wire::rkh::frame::unescape;
use rtoscope_wire::rkh::record::{has_record, record_spec, record_specs};
use rtoscope_wire::rkh::tcfg::{RkhVersion, TargetOptions};
use rtoscope_wire::rkh::user::ItemFormat;
use rtoscope_wire::rkh::{
    ArgumentKind, ArgumentLayout, Dialect, StreamConfiguration, TargetConfiguration,
};
use std::cell::Cell;

/// Four bytes, often with bytes that need an escape.
fn word() -> impl Strategy<Value = u32> {
    let byte = || {
        prop_oneof![
            Just(0x7D_u8),
            Just(0x7E),
            select(vec![0, 1, 0x7C, 0x7F, 0x80, 0xFD, 0xFF]),
            any::<u8>()
        ]
    };
    let special = (byte(), byte(), byte(), byte()).prop_map(|(a, b, c, d)| [a, b, c, d]);
    prop_oneof![
        special.prop_map(u32::from_le_bytes),
        any::<u32>(),
        0x2000_0000..0x2000_1000_u32
    ]
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(prop_oneof![Just(0x7D_u8), Just(0x7E), any::<u8>()], 0..40)
}

fn item() -> impl Strategy<Value = OwnedItem> {
    (select(&ItemFormat::ALL[..]), 0..16_u8, word(), bytes()).prop_map(
        |(form, width, number, bytes)| OwnedItem {
            form,
            width,
            number,
            bytes,
        },
    )
}

/// An arbitrary record, not yet adapted to a configuration.
fn any_record() -> impl Strategy<Value = SampleRecord> {
    let specs = record_specs(Dialect::V3).iter();
    let ids: Vec<u8> = specs
        .filter(|spec| !spec.headerless)
        .map(|spec| spec.id)
        .collect();
    let numbers = proptest::collection::vec(word(), 10);
    let items = proptest::collection::vec(item(), 0..6);
    (select(ids), numbers, bytes(), items).prop_map(|(id, numbers, text, items)| SampleRecord {
        id,
        numbers,
        text,
        items,
    })
}

/// The record with the right count of numbers, each reduced to its size.
fn fit_to_configuration(
    mut any: SampleRecord,
    configuration: &StreamConfiguration,
) -> SampleRecord {
    let spec = record_spec(Dialect::V3, any.id).unwrap();
    let machine = |number: u32| 0x60 + number % 18;
    if spec.layout == ArgumentLayout::Expectation {
        any.numbers[1] = machine(any.numbers[1]);
    }
    let expected = record_spec(Dialect::V3, any.numbers[1] as u8);
    let expected = expected.and_then(rtoscope_wire::rkh::RecordSpec::expectation_arguments);
    let expected = expected.filter(|_| spec.layout == ArgumentLayout::Expectation);
    let mut numbers = any.numbers.iter().copied();
    let mut kept = Vec::new();
    for argument in spec.iter().chain(expected.into_iter().flatten()) {
        let Some(width) = argument.kind.width(configuration) else {
            any.text.retain(|byte| *byte != 0);
            continue;
        };
        let number = numbers.next().unwrap();
        kept.push(match argument.kind {
            ArgumentKind::Role => number % 6,
            ArgumentKind::UserEvent => number % 32,
            ArgumentKind::FullEventId => number & 0xFF,
            _ if width == 4 => number,
            _ => number & ((1 << (8 * width)) - 1),
        });
    }
    any.numbers = kept;
    for item in &mut any.items {
        match item.form {
            ItemFormat::Text => item.bytes.retain(|byte| *byte != 0),
            ItemFormat::Memory => {}
            form => {
                let unused = 32 - 8 * form.bytes(configuration).unwrap() as u32;
                let high = item.number << unused;
                item.number = if form.is_signed() {
                    (high as i32 >> unused) as u32
                } else {
                    high >> unused
                };
            }
        }
    }
    any
}

fn round_trip<S: StreamSetup>(records: &[(SampleRecord, u32)], bytes: usize, piece: usize) {
    let configuration = &S::CONFIGURATION;
    let (target, clock) = started::<S>(bytes);
    let mut stream = drain(&target, piece);
    let mut expected = stream.clone();
    let mut fits = Vec::new();
    for (number, (record, timestamp)) in (0_u32..).zip(records) {
        let record = fit_to_configuration(record.clone(), configuration);
        clock.set(*timestamp);
        assert!(record.record(&target));
        let frame = record.frame(configuration, number as u8, *timestamp);
        expected.extend_from_slice(&frame);
        stream.extend(drain(&target, piece));
        assert_eq!(stream.len(), expected.len(), "{record:x?}");
        fits.push((record, *timestamp));
    }
    assert_eq!(stream, expected);
    assert_eq!(target.lost(), 0);

    let options = RkhOptions {
        function_width: Some(configuration.function),
        checksum_covers_timestamp: Some(configuration.checksum_covers_timestamp),
        ..RkhOptions::default()
    };
    let recording = decode(&stream, &options).unwrap();
    assert_eq!(recording.stream_info.losses.total(), 0);
    assert_eq!(recording.stream_info.len(), fits.len() + 1);
    for (index, (record, timestamp)) in (1..).zip(&fits) {
        let event = EventIndex(index);
        let (trace, of) = (&recording.trace, &recording.stream_info);
        assert_eq!(of.record(trace, event).unwrap().id, record.id);
        let sequence = of.sequence(event);
        assert_eq!(
            sequence,
            configuration.sequence.then_some((index - 1) as u8)
        );
        let width = configuration
            .timestamp
            .map_or(0, rtoscope_record::rkh::FieldWidth::max);
        let expected_timestamp = configuration.timestamp.map(|_| timestamp & width);
        assert_eq!(of.timestamp(trace, event), expected_timestamp);
        for (_, argument) in of.arguments(trace, event) {
            match argument {
                WireArgument::Number(number) => assert!(record.numbers.contains(&number)),
                WireArgument::Text(text) => assert_eq!(text, record.text),
                WireArgument::Item(_) => assert!(record.id >= 0xC0),
                WireArgument::Target(_) => panic!("{record:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 32,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn recorded_records_are_decoded(
        records in proptest::collection::vec((any_record(), word()), 0..40),
        bytes in 700..900_usize,
        piece in 1..100_usize,
    ) {
        round_trip::<Base>(&records, bytes, piece);
        round_trip::<Wide>(&records, bytes, piece);
        round_trip::<Widest>(&records, bytes, piece);
        round_trip::<Short>(&records, bytes, piece);
        round_trip::<Narrow>(&records, bytes, piece);
        round_trip::<Near>(&records, bytes, piece);
        round_trip::<Quiet>(&records, bytes, piece);
        round_trip::<Unsummed>(&records, bytes, piece);
        round_trip::<Unnumbered>(&records, bytes, piece);
        round_trip::<Bare>(&records, bytes, piece);
        round_trip::<WideIds>(&records, bytes, piece);
        round_trip::<WidestIds>(&records, bytes, piece);
        round_trip::<Uncovered>(&records, bytes, piece);
        round_trip::<UncoveredShort>(&records, bytes, piece);
        round_trip::<UncoveredByte>(&records, bytes, piece);
        round_trip::<Flight>(&records, bytes, piece);
    }
}

/// The target's configuration record matches the format.
fn configuration_record<S: StreamSetup>(filters: u32) {
    let (target, _) = started::<S>(100);
    let mut configuration =
        TargetConfiguration::from_configuration(&S::CONFIGURATION, RkhVersion(0x3400));
    configuration.event_pools = 4;
    configuration.timestamp_hz = S::TIMESTAMP_HZ as u16;
    let groups = (TargetOptions::QUEUE_LOW_WATER - 1) & !TargetOptions::SENDER;
    configuration
        .options
        .set(groups & !TargetOptions::FILTER | filters, true);
    let mut expected = vec![0x7E];
    configuration
        .encode(|byte| expected.push(byte), 0, 0)
        .unwrap();
    assert_eq!(drain(&target, 100), expected);
}

#[test]
fn the_target_sends_its_configuration() {
    let (filter, objects, signals) = (
        TargetOptions::FILTER,
        TargetOptions::OBJECT_FILTER,
        TargetOptions::SIGNAL_FILTER,
    );
    configuration_record::<Base>(filter | objects | signals);
    configuration_record::<Wide>(filter | objects);
    configuration_record::<Widest>(filter | signals);
    configuration_record::<Short>(filter | objects | signals);
    configuration_record::<Narrow>(filter | objects | signals);
    configuration_record::<Senderless>(filter | objects | signals);
    configuration_record::<Bare>(filter | objects | signals);
    configuration_record::<WideIds>(filter | objects | signals);
    configuration_record::<WidestIds>(filter | objects | signals);
}

/// The targets' configurations in a stream, in order.
fn targets(stream: &[u8]) -> Vec<TargetConfiguration> {
    let runs = decode(stream, &RkhOptions::default())
        .unwrap()
        .stream_info
        .runs;
    runs.into_iter().filter_map(|run| run.target).collect()
}

std::thread_local! {
    static TARGET: Cell<Option<TargetContent>> = const { Cell::new(None) };
}

/// A program that sets its configuration.
enum Configured {}

impl StreamSetup for Configured {
    const CONFIGURATION: StreamConfiguration = Unsummed::CONFIGURATION;
    type Objects = FilterBits<8>;
    type Signals = FilterBits<32>;

    fn target() -> Option<TargetContent> {
        TARGET.get()
    }
}

#[test]
fn the_frequency_of_a_program_is_sent_once() {
    let (target, _) = started::<Configured>(1000);
    let change = |hz| target.change_target(|| TARGET.set(Some(target_at::<Configured>(hz))));
    change(0x1_8000);
    let mut stream = drain(&target, 100);
    let rates = |stream: &[u8]| -> Vec<_> {
        let targets = targets(stream).into_iter();
        targets.map(|target| target.timestamp_hz).collect()
    };
    assert_eq!(rates(&stream), [0x8000]);
    change(7);
    stream.extend(drain(&target, 100));
    assert_eq!(rates(&stream), [0x8000, 7], "the first was taken");
    target.restart();
    assert_eq!(rates(&drain(&target, 100)), [7]);
}

#[test]
fn a_program_that_encodes_its_records_sends_their_sizes() {
    let (target, _) = started::<Configured>(1000);
    assert!(target.user(1, &[]));
    let mut own = TargetConfiguration::from_configuration(&Wide::CONFIGURATION, RkhVersion(0x3210));
    own.event_pools = 2;
    own.timestamp_hz = 1;
    own.options.set(TargetOptions::SENDER, false);
    own.options.set(TargetOptions::OBJECT_FILTER, true);
    let mut frame = Vec::new();
    own.encode(|byte| frame.push(byte), 0, 0).unwrap();
    let mut unescaped = [0; 16];
    let length = unescape(&frame[..frame.len() - 1], &mut unescaped).unwrap();
    assert_eq!(length, 15, "an id, the content and a checksum");
    let sizes = target_with_sizes::<Configured>(unescaped[1..14].try_into().unwrap());
    target.change_target(|| TARGET.set(Some(sizes)));
    // The recorder's own frames have no checksum; it has no filter that was not declared.
    own.options.set(TargetOptions::CHECKSUM, false);
    let sent = targets(&drain(&target, 100));
    assert_eq!((sent.len(), sent.last()), (2, Some(&own)));
}

#[test]
fn the_id_on_the_wire_is_an_events_number() {
    fn accepted<S: StreamSetup>() -> Vec<bool> {
        let target = started::<S>(1000).0;
        let numbers = [31, 0xDF, 0x61F, 0x0600_001F, 0x620, 0x0600_0020];
        numbers
            .map(|number| target.user(number, &[]) && target.fwk_tusr(number, b"low"))
            .to_vec()
    }
    assert_eq!(
        accepted::<WideIds>(),
        [true, true, true, false, false, false]
    );
    assert_eq!(
        accepted::<WidestIds>(),
        [true, true, false, true, false, false]
    );
}

#[test]
fn users_have_32_events_by_all_their_numbers() {
    let (target, _) = started::<Base>(1000);
    let mut before = target.available();
    let first = u32::from(FIRST_USER_ID);
    for wrong in [32, first - 1, first + 32, 255, 0x100, 0x620, u32::MAX] {
        assert!(!target.user(wrong, &[]), "{wrong:#x}");
        assert!(!target.user_passes(wrong), "{wrong:#x}");
        assert!(!target.fwk_tusr(wrong, b"x"), "{wrong:#x}");
        assert!(!target.record_by_id(0xAB, 0, &[wrong], b"x"), "{wrong:#x}");
    }
    assert_eq!(target.available(), before);
    let mut stream = drain(&target, 100);
    for wider in [0x61F, 0x0600_001F] {
        assert!(!target.user(wider, &[]), "an id of another size");
    }
    for number in [31, first + 31] {
        assert!(target.user_passes(number));
        before = target.available();
        assert!(target.user(number, &[]));
        assert_eq!(target.available(), before + 8);
        assert!(target.fwk_tusr(number, b"low"));
        assert!(target.record_by_id(0xAB, 0, &[number], b"low"));
        stream.extend(drain(&target, 100));
    }
    let recording = decode(&stream, &RkhOptions::default()).unwrap();
    let kinds = recording.trace.events.kinds().skip(1);
    let expected = [0xDF, 0xAB, 0xAB].into_iter().cycle().take(6);
    assert!(kinds.map(|kind| kind.0).eq(expected));
    for (event, _) in (1..).map(EventIndex).zip(0..6).filter(|(_, at)| at % 3 > 0) {
        let arguments = recording.stream_info.arguments(&recording.trace, event);
        assert_eq!(arguments[0].1, WireArgument::Number(31));
    }
}

#[test]
fn the_ids_of_records_with_a_header_are_known_without_the_records() {
    for id in 0..=u8::MAX {
        let is_sent = record_spec(Dialect::V3, id).is_some_and(|record| !record.headerless);
        assert_eq!(has_record(id), is_sent, "{id:#x}");
    }
}
