//! Live streams over lost connections, streams that begin in the middle, or
//! that lack a configuration.

use super::live::{ALL, event_views, follow, sample_streams, settings, stream};
use super::streams;
use proptest::prelude::*;
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_decode::rkh::{self, Provenance};
use rtoscope_trace::DiagnosticKind;
use rtoscope_wire::rkh::encode::encode;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::tcfg::RkhVersion;
use rtoscope_wire::rkh::{ArgumentValue, FieldWidth, StreamConfiguration, TargetConfiguration};

fn given() -> rkh::RkhOptions {
    rkh::RkhOptions {
        configuration: Some(StreamConfiguration::default()),
        ..rkh::RkhOptions::default()
    }
}

/// Records of a queue with these sequence numbers, after a flag.
fn records(configuration: &StreamConfiguration, numbers: std::ops::Range<u32>) -> Vec<u8> {
    let mut bytes = vec![FLAG];
    for number in numbers {
        let values = [
            ArgumentValue::Number(0x2000),
            ArgumentValue::Number(1),
            ArgumentValue::Number(2),
        ];
        let sink = |byte| bytes.push(byte);
        encode(
            sink,
            configuration,
            0x22,
            number as u8,
            number * 10,
            &values,
        )
        .unwrap();
    }
    bytes
}

/// The record with which a target sends a configuration.
fn target_record(configuration: &StreamConfiguration) -> Vec<u8> {
    let target = TargetConfiguration::from_configuration(configuration, RkhVersion(0x3400));
    let mut bytes = vec![FLAG];
    target.encode(|byte| bytes.push(byte), 0, 0).unwrap();
    bytes
}

fn cut(live: &mut LiveDecoder) -> DecodedRecording {
    live.next_update().unwrap();
    live.window(ALL).unwrap().decode().unwrap()
}

#[test]
fn a_broken_connection_is_a_gap() {
    let bytes = records(&StreamConfiguration::default(), 0..30);
    let half = bytes.len() / 2 + 3;
    let mut live = LiveDecoder::new(settings(&given(), ALL));
    live.push(&bytes[..half], HostTime::default());
    live.connection_lost();
    live.connection_lost();
    let begun = live.stats();
    assert_eq!(
        (begun.truncated, begun.gaps, begun.missing_events),
        (1, 0, 0)
    );
    assert_eq!(begun.unusable, 0);
    assert!(begun.unusable_bytes > 0);
    // The next connection begins in the middle of a frame as well.
    live.push(&bytes[half + 1..], HostTime::default());
    let cut = cut(&mut live);
    let tally = live.stats();
    assert_eq!((tally.events, tally.gaps, tally.missing_events), (29, 1, 1));
    let [gap] = cut.trace.gaps[..] else {
        panic!("{:?}", cut.trace.gaps)
    };
    assert_eq!(
        (u64::from(gap.next_event.0), gap.missing),
        (begun.events, None)
    );
    let said: Vec<_> = cut.trace.diagnostics.iter().collect();
    let said = said.iter().filter(|it| it.kind == DiagnosticKind::Gap);
    let said: Vec<_> = said.map(|it| it.message.as_str()).collect();
    let [said] = said[..] else { panic!("{said:?}") };
    assert!(
        said.starts_with("at least 1 record is missing before offset"),
        "{said}"
    );
}

#[test]
fn how_many_records_went_by_while_the_connection_was_broken_is_not_known() {
    let mut live = LiveDecoder::new(settings(&given(), ALL));
    live.push(
        &records(&StreamConfiguration::default(), 0..10),
        HostTime::default(),
    );
    live.connection_lost();
    // All of them, or 256 more.
    live.push(
        &records(&StreamConfiguration::default(), 10..20),
        HostTime::default(),
    );
    let cut = cut(&mut live);
    assert_eq!((cut.trace.gaps.len(), cut.trace.gaps[0].missing), (1, None));
    let gaps = cut.trace.diagnostics.iter();
    assert_eq!(gaps.filter(|it| it.kind == DiagnosticKind::Gap).count(), 0);
}

#[test]
fn a_connection_that_breaks_between_frames_loses_no_frame() {
    let configuration = StreamConfiguration {
        sequence: false,
        ..StreamConfiguration::default()
    };
    let options = rkh::RkhOptions {
        configuration: Some(configuration),
        ..rkh::RkhOptions::default()
    };
    let mut live = LiveDecoder::new(settings(&options, ALL));
    live.push(&records(&configuration, 0..5), HostTime::default());
    live.connection_lost();
    live.push(&records(&configuration, 5..9), HostTime::default());
    let cut = cut(&mut live);
    let tally = live.stats();
    assert_eq!(
        (
            tally.events,
            tally.gaps,
            tally.missing_events,
            tally.unusable
        ),
        (9, 1, 0, 0)
    );
    assert_eq!(cut.trace.gaps[0].next_event.0, 5);
    assert_eq!(cut.trace.gaps[0].missing, None);
}

#[test]
fn a_target_that_starts_again_behind_a_break_is_known_at_its_next_record() {
    let configuration = StreamConfiguration::default();
    let target_record = target_record(&configuration);
    let mut live = LiveDecoder::new(settings(&rkh::RkhOptions::default(), ALL));
    live.push(&target_record, HostTime::default());
    live.push(&records(&configuration, 0..200), HostTime::default());
    live.connection_lost();
    live.push(&target_record, HostTime::default());
    assert_eq!(live.stats().events, 201);
    live.push(&records(&configuration, 0..3), HostTime::default());
    let cut = cut(&mut live);
    assert_eq!(live.stats().events, 205);
    let runs = &stream(&cut).runs;
    assert_eq!(
        runs.iter().map(|run| run.restart).collect::<Vec<_>>(),
        [false, true]
    );
    assert_eq!((cut.trace.gaps.len(), live.stats().gaps), (1, 1));
}

#[test]
fn a_stream_without_a_configuration_is_read_soon() {
    let mut live = LiveDecoder::new(settings(&rkh::RkhOptions::default(), ALL));
    for piece in records(&StreamConfiguration::default(), 0..20).chunks(5) {
        live.push(piece, HostTime::default());
    }
    let cut = cut(&mut live);
    assert_eq!((cut.trace.events.len(), live.stats().unusable), (20, 0));
    assert_eq!(stream(&cut).provenance, Provenance::Default);
}

#[test]
fn undecodable_bytes_are_skipped_until_the_target_sends_its_configuration() {
    let configuration = StreamConfiguration {
        timestamp: Some(FieldWidth::Two),
        element_count: FieldWidth::Four,
        ..StreamConfiguration::default()
    };
    let mut live = LiveDecoder::new(settings(&rkh::RkhOptions::default(), ALL));
    let before = records(&configuration, 0..10_000);
    for piece in before.chunks(777) {
        live.push(piece, HostTime::default());
        assert!(live.next_update().unwrap().is_none());
    }
    // It has another configuration now.
    let configuration = StreamConfiguration::default();
    let target_record = target_record(&configuration);
    live.push(&target_record[1..], HostTime::default());
    live.push(&records(&configuration, 0..7)[1..], HostTime::default());
    let cut = cut(&mut live);
    assert_eq!(cut.trace.events.len(), 8);
    assert_eq!(
        stream(&cut).offset(rtoscope_trace::EventIndex(0)),
        Some(before.len() as u64)
    );
    let tally = live.stats();
    assert_eq!((tally.events, tally.unusable), (8, 10_000));
    assert_eq!(tally.unusable_bytes, before.len() as u64);
}

#[test]
fn a_configuration_is_guessed_if_wanted() {
    let known = streams::find("nat_short").unwrap();
    let whole = rkh::read(&known.bytes(), &known.options());
    let offset = whole
        .stream_info
        .offset(rtoscope_trace::EventIndex(100))
        .unwrap();
    let options = rkh::RkhOptions {
        guess: true,
        ..rkh::RkhOptions::default()
    };
    let mut live = LiveDecoder::new(settings(&options, ALL));
    let bytes = &known.bytes()[offset as usize..];
    follow(&mut live, bytes.chunks(100));
    let cut = cut(&mut live);
    assert_eq!(stream(&cut).provenance, Provenance::Guessed);
    let configuration = stream(&cut).runs[0].configuration;
    assert_eq!(configuration.timestamp, Some(FieldWidth::Four));
    assert!(live.stats().events > 700, "{:?}", live.stats());
}

#[test]
fn metadata_restores_earlier_names() {
    for (name, bytes, options) in sample_streams() {
        let mut live = LiveDecoder::new(settings(options, 1));
        let events = follow(&mut live, bytes.chunks(4000));
        let Some(mark) = live.checkpoint_before(events.len() as u64 / 2) else {
            continue;
        };
        let (preface, from) = (live.metadata(), mark.event as usize);
        let unset = rkh::RkhOptions {
            configuration: None,
            ..options.clone()
        };
        let mut later = LiveDecoder::new(settings(&unset, ALL));
        later.load_metadata(rtoscope_decode::rkh::FORMAT, &preface);
        assert_eq!(later.metadata(), preface, "{name}");
        // With the preceding flag, which shows that a frame begins.
        let rest = follow(&mut later, bytes[mark.offset() as usize - 1..].chunks(4000));
        assert_eq!(rest.len(), events.len() - from, "{name}");
        let cut = later.window(ALL).unwrap().decode().unwrap();
        let all = rkh::read(bytes, options);
        let expected = event_views(&all.trace, &all.stream_info);
        for (found, expected) in event_views(&cut.trace, stream(&cut))
            .iter()
            .zip(&expected[from..])
        {
            assert_eq!(found.names, expected.names, "{name}");
        }
    }
}

#[test]
fn a_flood_of_names_and_starts_takes_bounded_memory() {
    let configuration = StreamConfiguration::default();
    let target = TargetConfiguration::from_configuration(&configuration, RkhVersion(0x3400));
    let mut live = LiveDecoder::new(settings(&rkh::RkhOptions::default(), 1000));
    let mut bytes = vec![FLAG];
    for number in 0..100_000_u32 {
        if number % 100 == 0 {
            target.encode(|byte| bytes.push(byte), 0, 0).unwrap();
        }
        let name = format!("name {number}");
        let values = [
            ArgumentValue::Number(number),
            ArgumentValue::Text(name.as_bytes()),
        ];
        encode(|byte| bytes.push(byte), &configuration, 0xA6, 0, 0, &values).unwrap();
    }
    let mut marks = 0;
    // An update takes the longer, the more names there are.
    let (few_names, rest) = bytes.split_at(20 << 13);
    for piece in few_names.chunks(1 << 13).chain(rest.chunks(rest.len() / 6)) {
        live.push(piece, HostTime::default());
        marks += u32::from(live.next_update().unwrap().is_some());
    }
    assert!(marks > 20);
    let tally = live.stats();
    assert_eq!((tally.events, tally.unusable), (101_000, 0));
    // No target has that many; retained events still have names as far as known.
    let cut = live.window(1000).unwrap().decode().unwrap();
    assert!(cut.trace.events.len() < 20_000);
    assert!((60_000..80_000).contains(&cut.trace.objects.iter().count()));
}

#[test]
fn that_nothing_can_be_read_is_said_as_of_a_file() {
    let known = streams::find("nat_short").unwrap();
    let bytes = known.bytes();
    let offset = rkh::read(&bytes, &known.options()).stream_info;
    let offset = offset.offset(rtoscope_trace::EventIndex(100)).unwrap();
    let said = |bytes: &[u8], options: &rkh::RkhOptions| {
        let mut live = LiveDecoder::new(settings(options, ALL));
        live.push(bytes, HostTime::default());
        assert_eq!(live.next_update().unwrap(), None);
        live.connection_lost();
        live.next_update().unwrap_err().to_string()
    };
    let headless = said(&bytes[offset as usize..], &rkh::RkhOptions::default());
    assert!(headless.contains("-O rkh-config"), "{headless}");
    let noise: Vec<u8> = (1..9).chain([FLAG]).collect();
    let none = said(&noise.repeat(9), &given());
    assert_eq!(none, "no RKH record in 81 bytes: none of 8 frames is valid");
}

#[test]
fn noise_is_counted_and_not_kept() {
    let mut live = LiveDecoder::new(settings(&given(), 10));
    let frame: Vec<u8> = (1..9).chain([FLAG]).collect();
    for _ in 0..64 {
        live.push(&frame.repeat(4096), HostTime::default());
    }
    let tally = live.stats();
    assert_eq!((tally.events, tally.unusable), (0, 64 * 4096 - 1));
    assert_eq!(live.next_update().unwrap(), None);
    assert!(live.window(ALL).is_none());
    live.push(
        &records(&StreamConfiguration::default(), 0..3),
        HostTime::default(),
    );
    assert_eq!(cut(&mut live).trace.events.len(), 3);
}

fn noise() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let byte = prop_oneof![Just(FLAG), Just(0xAC), any::<u8>()];
    let noise = proptest::collection::vec(byte, 0..200);
    let sound =
        (0_u32..400).prop_map(|first| records(&StreamConfiguration::default(), first..first + 20));
    proptest::collection::vec(prop_oneof![noise, sound], 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn nothing_comes_as_a_surprise(
        pieces in noise(),
        breaks in proptest::collection::vec(any::<bool>(), 12),
        guess in any::<bool>(),
        most in 0..200_u64,
    ) {
        let options = rkh::RkhOptions { guess, ..rkh::RkhOptions::default() };
        let mut live = LiveDecoder::new(settings(&options, most));
        let mut events = 0;
        for (piece, breaks) in pieces.iter().zip(breaks) {
            live.push(piece, HostTime::default());
            if breaks {
                live.connection_lost();
            }
            // Undecodable data has no events.
            if let Ok(Some(news)) = live.next_update() {
                let trace = &news.recording.trace;
                prop_assert_eq!(trace.origin.event + u64::from(news.overlaps), events);
                events = trace.origin.event + trace.events.len() as u64;
            }
            prop_assert_eq!(live.stats().events, events);
        }
        if let Some(mark) = live.checkpoint_before(events) {
            let mut again = LiveDecoder::resume(settings(&options, most), mark);
            again.push(&pieces.concat(), HostTime::default());
            again.next_update().unwrap();
        }
    }

    #[test]
    fn invalid_metadata_is_ignored(
        garbage in proptest::collection::vec(any::<u8>(), 0..200),
        place in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let known = streams::find("nat_short").unwrap();
        let mut recorded = LiveDecoder::new(settings(&known.options(), ALL));
        recorded.push(&known.bytes(), HostTime::default());
        let mut metadata = recorded.metadata();
        let at = place.index(metadata.len());
        metadata[at] = value;
        for metadata in [&garbage, &metadata, &metadata[..at].to_vec()] {
            let mut live = LiveDecoder::new(settings(&known.options(), ALL));
            live.load_metadata(rtoscope_decode::rkh::FORMAT, metadata);
            live.push(&known.bytes(), HostTime::default());
            prop_assert!(live.next_update().unwrap().is_some());
        }
    }
}
