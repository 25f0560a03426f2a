//! Streams decoded as they come over connections that break, that begin in the
//! middle, or that tell nothing.

use super::live::{ALL, follow, known, seen, settings, stream, whole};
use super::streams;
use proptest::prelude::*;
use rtoscope_decode::live::{Live, Moment};
use rtoscope_decode::rkh::{self, Provenance};
use rtoscope_decode::{Format, Recording};
use rtoscope_trace::DiagnosticKind;
use rtoscope_wire::rkh::encode::encode;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::tcfg::Version;
use rtoscope_wire::rkh::{Configuration, TargetConfiguration, Value, Width};

fn given() -> rkh::Options {
    rkh::Options {
        configuration: Some(Configuration::default()),
        ..rkh::Options::default()
    }
}

/// Records of a queue, numbered from there on, behind a flag.
fn records(configuration: &Configuration, numbers: std::ops::Range<u32>) -> Vec<u8> {
    let mut bytes = vec![FLAG];
    for number in numbers {
        let values = [Value::Number(0x2000), Value::Number(1), Value::Number(2)];
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

fn cut(live: &mut Live) -> Recording {
    live.advance().unwrap();
    live.cut(ALL).unwrap().decode().unwrap()
}

#[test]
fn a_broken_connection_is_a_gap() {
    let bytes = records(&Configuration::default(), 0..30);
    let half = bytes.len() / 2 + 3;
    let mut live = Live::new(settings(&given(), ALL));
    live.push(&bytes[..half], Moment::default());
    live.interrupt();
    live.interrupt();
    let begun = live.tally();
    assert_eq!((begun.cut, begun.gaps, begun.missing), (1, 0, 0));
    assert_eq!(begun.bad, 0);
    assert!(begun.bad_bytes > 0);
    // The next connection begins in the middle of a frame as well.
    live.push(&bytes[half + 1..], Moment::default());
    let cut = cut(&mut live);
    let tally = live.tally();
    assert_eq!((tally.events, tally.gaps, tally.missing), (29, 1, 1));
    let [gap] = cut.trace.gaps[..] else {
        panic!("{:?}", cut.trace.gaps)
    };
    assert_eq!((u64::from(gap.before.0), gap.missing), (begun.events, None));
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
    let mut live = Live::new(settings(&given(), ALL));
    live.push(
        &records(&Configuration::default(), 0..10),
        Moment::default(),
    );
    live.interrupt();
    // All of them, or 256 more.
    live.push(
        &records(&Configuration::default(), 10..20),
        Moment::default(),
    );
    let cut = cut(&mut live);
    assert_eq!((cut.trace.gaps.len(), cut.trace.gaps[0].missing), (1, None));
    let gaps = cut.trace.diagnostics.iter();
    assert_eq!(gaps.filter(|it| it.kind == DiagnosticKind::Gap).count(), 0);
}

#[test]
fn a_connection_that_breaks_between_frames_loses_no_frame() {
    let configuration = Configuration {
        sequence: false,
        ..Configuration::default()
    };
    let options = rkh::Options {
        configuration: Some(configuration),
        ..rkh::Options::default()
    };
    let mut live = Live::new(settings(&options, ALL));
    live.push(&records(&configuration, 0..5), Moment::default());
    live.interrupt();
    live.push(&records(&configuration, 5..9), Moment::default());
    let cut = cut(&mut live);
    let tally = live.tally();
    assert_eq!(
        (tally.events, tally.gaps, tally.missing, tally.bad),
        (9, 1, 0, 0)
    );
    assert_eq!(cut.trace.gaps[0].before.0, 5);
    assert_eq!(cut.trace.gaps[0].missing, None);
}

#[test]
fn a_target_that_starts_again_behind_a_break_is_known_at_its_next_record() {
    let configuration = Configuration::default();
    let target = TargetConfiguration::of(&configuration, Version(0x3400));
    let mut told = vec![FLAG];
    target.encode(|byte| told.push(byte), 0, 0).unwrap();
    let mut live = Live::new(settings(&rkh::Options::default(), ALL));
    live.push(&told, Moment::default());
    live.push(&records(&configuration, 0..200), Moment::default());
    live.interrupt();
    live.push(&told, Moment::default());
    assert_eq!(live.tally().events, 201);
    live.push(&records(&configuration, 0..3), Moment::default());
    let cut = cut(&mut live);
    assert_eq!(live.tally().events, 205);
    let runs = &stream(&cut).runs;
    assert_eq!(
        runs.iter().map(|run| run.restart).collect::<Vec<_>>(),
        [false, true]
    );
    assert_eq!((cut.trace.gaps.len(), live.tally().gaps), (1, 1));
}

#[test]
fn a_stream_that_tells_nothing_is_read_soon() {
    let mut live = Live::new(settings(&rkh::Options::default(), ALL));
    for piece in records(&Configuration::default(), 0..20).chunks(5) {
        live.push(piece, Moment::default());
    }
    let cut = cut(&mut live);
    assert_eq!((cut.trace.events.len(), live.tally().bad), (20, 0));
    assert_eq!(stream(&cut).provenance, Provenance::Assumed);
}

#[test]
fn what_nobody_can_read_is_left_aside_until_the_target_tells() {
    let configuration = Configuration {
        stamp: Some(Width::Two),
        elements: Width::Four,
        ..Configuration::default()
    };
    let mut live = Live::new(settings(&rkh::Options::default(), ALL));
    let before = records(&configuration, 0..10_000);
    for piece in before.chunks(777) {
        live.push(piece, Moment::default());
        assert!(live.advance().unwrap().is_none());
    }
    // It has another configuration now.
    let configuration = Configuration::default();
    let target = TargetConfiguration::of(&configuration, Version(0x3400));
    let mut told = Vec::new();
    target.encode(|byte| told.push(byte), 0, 0).unwrap();
    live.push(&told, Moment::default());
    live.push(&records(&configuration, 0..7)[1..], Moment::default());
    let cut = cut(&mut live);
    assert_eq!(cut.trace.events.len(), 8);
    assert_eq!(
        stream(&cut).offset(rtoscope_trace::EventIndex(0)),
        Some(before.len() as u64)
    );
    let tally = live.tally();
    assert_eq!((tally.events, tally.bad), (8, 10_000));
    assert_eq!(tally.bad_bytes, before.len() as u64);
}

#[test]
fn a_configuration_is_guessed_if_wanted() {
    let known = streams::find("nat_short").unwrap();
    let whole = whole(&known.bytes(), &known.options());
    let offset = whole
        .stream
        .offset(rtoscope_trace::EventIndex(100))
        .unwrap();
    let options = rkh::Options {
        guess: true,
        ..rkh::Options::default()
    };
    let mut live = Live::new(settings(&options, ALL));
    let bytes = &known.bytes()[offset as usize..];
    follow(&mut live, bytes.chunks(100));
    let cut = cut(&mut live);
    assert_eq!(stream(&cut).provenance, Provenance::Guessed);
    let configuration = stream(&cut).runs[0].configuration;
    assert_eq!(configuration.stamp, Some(Width::Four));
    assert!(live.tally().events > 700, "{:?}", live.tally());
}

#[test]
fn a_preface_teaches_what_was_told_before() {
    for (name, bytes, options) in known() {
        let mut live = Live::new(settings(&options, 1));
        let log = follow(&mut live, bytes.chunks(1000));
        let Some(mark) = live.mark(log.events.len() as u64 / 2) else {
            continue;
        };
        let (preface, from) = (live.preface(), mark.event as usize);
        let options = rkh::Options {
            configuration: None,
            ..options
        };
        let mut later = Live::new(settings(&options, ALL));
        later.teach(Format::Rkh, &preface);
        assert_eq!(later.preface(), preface, "{name}");
        // With the flag before, without which nobody knows that a frame begins.
        let rest = follow(&mut later, bytes[mark.offset() as usize - 1..].chunks(1000));
        assert_eq!(rest.events.len(), log.events.len() - from, "{name}");
        let cut = later.cut(ALL).unwrap().decode().unwrap();
        let all = whole(&bytes, &options_of(&name));
        let expected = seen(&all.trace, &all.stream);
        for (found, expected) in seen(&cut.trace, stream(&cut)).iter().zip(&expected[from..]) {
            assert_eq!(found.names, expected.names, "{name}");
        }
    }
}

fn options_of(name: &str) -> rkh::Options {
    streams::find(name).unwrap().options()
}

#[test]
fn a_flood_of_names_and_starts_takes_bounded_memory() {
    let configuration = Configuration::default();
    let target = TargetConfiguration::of(&configuration, Version(0x3400));
    let mut live = Live::new(settings(&rkh::Options::default(), 1000));
    let mut bytes = vec![FLAG];
    for number in 0..100_000_u32 {
        if number % 100 == 0 {
            target.encode(|byte| bytes.push(byte), 0, 0).unwrap();
        }
        let name = format!("name {number}");
        let values = [Value::Number(number), Value::Text(name.as_bytes())];
        encode(|byte| bytes.push(byte), &configuration, 0xA6, 0, 0, &values).unwrap();
    }
    let mut marks = 0;
    for piece in bytes.chunks(1 << 16) {
        live.push(piece, Moment::default());
        marks += u32::from(live.advance().unwrap().is_some());
    }
    assert!(marks > 20);
    let tally = live.tally();
    assert_eq!((tally.events, tally.bad), (101_000, 0));
    // No target has so many; what is kept still names itself as far as is known.
    let cut = live.cut(1000).unwrap().decode().unwrap();
    assert!(cut.trace.events.len() < 20_000);
    assert!((60_000..80_000).contains(&cut.trace.objects.iter().count()));
}

#[test]
fn that_nothing_can_be_read_is_said_as_of_a_file() {
    let known = streams::find("nat_short").unwrap();
    let bytes = known.bytes();
    let offset = whole(&bytes, &known.options()).stream;
    let offset = offset.offset(rtoscope_trace::EventIndex(100)).unwrap();
    let said = |bytes: &[u8], options: &rkh::Options| {
        let mut live = Live::new(settings(options, ALL));
        live.push(bytes, Moment::default());
        assert_eq!(live.advance().unwrap(), None);
        live.interrupt();
        live.advance().unwrap_err().to_string()
    };
    let untold = said(&bytes[offset as usize..], &rkh::Options::default());
    assert!(untold.contains("--rkh-config"), "{untold}");
    let noise: Vec<u8> = (1..9).chain([FLAG]).collect();
    let none = said(&noise.repeat(9), &given());
    assert_eq!(
        none,
        "no RKH record in 81 bytes: none of 8 frames can be read as one"
    );
}

#[test]
fn noise_is_counted_and_not_kept() {
    let mut live = Live::new(settings(&given(), 10));
    let frame: Vec<u8> = (1..9).chain([FLAG]).collect();
    for _ in 0..64 {
        live.push(&frame.repeat(4096), Moment::default());
    }
    let tally = live.tally();
    assert_eq!((tally.events, tally.bad), (0, 64 * 4096 - 1));
    assert_eq!(live.advance().unwrap(), None);
    assert!(live.cut(ALL).is_none());
    live.push(&records(&Configuration::default(), 0..3), Moment::default());
    assert_eq!(cut(&mut live).trace.events.len(), 3);
}

fn noise() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let byte = prop_oneof![Just(FLAG), Just(0xAC), any::<u8>()];
    let noise = proptest::collection::vec(byte, 0..200);
    let sound =
        (0_u32..400).prop_map(|first| records(&Configuration::default(), first..first + 20));
    proptest::collection::vec(prop_oneof![noise, sound], 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn nothing_comes_as_a_surprise(
        pieces in noise(),
        breaks in proptest::collection::vec(any::<bool>(), 12),
        guess in any::<bool>(),
        most in 0..200_u64,
    ) {
        let options = rkh::Options { guess, ..rkh::Options::default() };
        let mut live = Live::new(settings(&options, most));
        let mut events = 0;
        for (piece, breaks) in pieces.iter().zip(breaks) {
            live.push(piece, Moment::default());
            if breaks {
                live.interrupt();
            }
            // Nothing that can be read is no event.
            if let Ok(Some(news)) = live.advance() {
                let trace = &news.recording.trace;
                prop_assert_eq!(trace.base.event + u64::from(news.overlaps), events);
                events = trace.base.event + trace.events.len() as u64;
            }
            prop_assert_eq!(live.tally().events, events);
        }
        if let Some(mark) = live.mark(events) {
            let mut again = Live::resume(settings(&options, most), mark);
            again.push(&pieces.concat(), Moment::default());
            again.advance().unwrap();
        }
    }

    #[test]
    fn a_preface_that_is_none_is_left_aside(
        garbage in proptest::collection::vec(any::<u8>(), 0..200),
        place in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let known = streams::find("nat_short").unwrap();
        let mut teacher = Live::new(settings(&known.options(), ALL));
        teacher.push(&known.bytes(), Moment::default());
        let mut preface = teacher.preface();
        let at = place.index(preface.len());
        preface[at] = value;
        for preface in [&garbage, &preface, &preface[..at].to_vec()] {
            let mut live = Live::new(settings(&known.options(), ALL));
            live.teach(Format::Rkh, preface);
            live.push(&known.bytes(), Moment::default());
            prop_assert!(live.advance().unwrap().is_some());
        }
    }
}
