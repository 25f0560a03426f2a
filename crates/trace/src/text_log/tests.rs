use super::*;
use crate::clock::{ClockDirection, ClockQuality};
use crate::event::PriorityWord;
use crate::events::{ArgumentColumn, EventColumns, WordColumn};
use crate::{
    Address, CallStacks, Catalogue, Clock, CodeLocations, Contexts, EventKindId, Events, Frequency,
    Objects, SwitchModel, TraceOrigin,
};
use proptest::prelude::*;

/// A trace of two events; the counter runs at 1 MHz.
fn trace(first: u64, span: u64, period: Option<u64>, direction: ClockDirection) -> Trace {
    let mask = period.map_or(u64::MAX, |period| period - 1);
    let mut clock = Clock::new(mask, direction).with_frequency(Frequency::from_hertz(1_000_000));
    clock.period = period;
    clock.quality = ClockQuality::Good;
    Trace {
        origin: TraceOrigin::default(),
        events: Events::new(EventColumns {
            time: vec![0, span],
            timestamp: WordColumn::Wide(vec![first, first]),
            core: vec![0; 2],
            context: vec![Contexts::IDLE; 2],
            kind: vec![EventKindId(1); 2],
            priority_word: vec![PriorityWord(0); 2],
            arguments: ArgumentColumn::Narrow(vec![[0; 4]; 2]),
            ..EventColumns::default()
        }),
        contexts: Contexts::new(Address(0), Address(1), Address(2)),
        objects: Objects::new(Vec::new()),
        clock,
        cores: vec![0],
        gaps: Vec::new(),
        catalogue: Catalogue::default(),
        switch_model: SwitchModel::default(),
        code_locations: CodeLocations::default(),
        call_stacks: CallStacks::default(),
        diagnostics: Diagnostics::default(),
    }
}

fn long_trace() -> Trace {
    trace(1_000_000, 10_000_000, None, ClockDirection::Up)
}

fn read_with(text: &[u8], format: Option<&str>, trace: &Trace) -> Result<TextLog, TextLogError> {
    let options = TextLogOptions {
        format: format.map(|format| format.parse().unwrap()),
        offset_ns: 0,
        ..TextLogOptions::default()
    };
    TextLog::read("console.txt", text, &options, trace)
}

fn read(text: &str, trace: &Trace) -> TextLog {
    read_with(text.as_bytes(), None, trace).unwrap()
}

fn times(log: &TextLog) -> Vec<Option<i64>> {
    log.lines()
        .map(|line| line.time.map(|time| time.0))
        .collect()
}

fn messages(log: &TextLog) -> Vec<&str> {
    log.diagnostics.iter().map(|it| &*it.message).collect()
}

#[test]
fn known_formats_are_detected() {
    let cases = [
        (
            "zephyr",
            "[00:00:02.000,500] <err> net.tcp: lost: 3",
            "net.tcp",
            "lost: 3",
        ),
        (
            "zephyr",
            "[00:00:02.000,500] <err> no module here",
            "",
            "no module here",
        ),
        (
            "zephyr-ticks",
            "[0002000500] <err> net: lost",
            "net",
            "lost",
        ),
        ("defmt", "2.000500 ERROR lost", "", "lost"),
        ("defmt", "2.000500 [ERROR] lost", "", "lost"),
        ("esp-idf", "E (2000.5) wifi: lost", "wifi", "lost"),
    ];
    for (format, line, source, text) in cases {
        let log = read(&format!("{line}\n"), &long_trace());
        assert_eq!(log.format, format, "{line}");
        let only = log.lines().next().unwrap();
        assert_eq!((only.source, only.text), (source, text));
        assert_eq!(only.level, Some(LogLevel::Error));
        assert_eq!(only.time, Some(SignedTicks(1_000_500)), "{line}");
    }
    let linux = read("[    2.000500] usb 1-1: new device\n", &long_trace());
    assert_eq!(
        (linux.format.as_str(), times(&linux)),
        ("linux", vec![Some(1_000_500)])
    );
    assert_eq!(linux.lines().next().unwrap().level, None);
}

#[test]
fn patterns_have_fields() {
    let trace = long_trace();
    let line = b"core1|0x1E84FE W sched{late\n";
    let log = read_with(
        line,
        Some("{skip}|{ticks:x} {level} {source}{{{text}"),
        &trace,
    )
    .unwrap();
    let only = log.lines().next().unwrap();
    assert_eq!((only.source, only.text), ("sched", "late"));
    assert_eq!(times(&log), [Some(1_000_126)]);
    let units = [
        ("s", "2"),
        ("ms", "2000"),
        ("us", "2000000.9"),
        ("ns", "2000000999"),
    ];
    for (unit, number) in units {
        let pattern = format!("{{time:{unit}}}: {{text}}");
        let text = format!("{number}: it\n");
        let log = read_with(text.as_bytes(), Some(&pattern), &trace).unwrap();
        assert_eq!(times(&log), [Some(1_000_000)], "{unit}");
    }
    let wrong = [
        ("zefyr", PatternError::Stamps),
        ("{ticks} {time} {text}", PatternError::Stamps),
        (
            "{ticks} {word} {text}",
            PatternError::UnknownField("word".to_owned()),
        ),
        ("{ticks", PatternError::Unclosed),
        ("{ticks} {text} {level}", PatternError::Text),
        ("{ticks} {source}{text}", PatternError::Undivided),
    ];
    for (pattern, error) in wrong {
        assert_eq!(pattern.parse::<TextLogFormat>(), Err(error), "{pattern}");
    }
}

#[test]
fn lines_without_a_stamp_continue() {
    let text = "boot\n\n2.0 INFO one\n└─ main @ src/main.rs:1\r\n\x1b[1;31m3.5 WARN two\x1b[0m\n";
    let log = read(text, &long_trace());
    let numbers: Vec<_> = log.lines().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 3, 4, 5]);
    assert_eq!(
        times(&log),
        [None, Some(1_000_000), Some(1_000_000), Some(2_500_000)]
    );
    let continued: Vec<_> = log.lines().map(|line| line.is_continuation).collect();
    assert_eq!(continued, [false, false, true, false]);
    assert_eq!(log.lines().last().unwrap().text, "two");
    assert_eq!(messages(&log).len(), 1);
    assert_eq!(log.lines_within(&long_trace()), 3);
}

#[test]
fn damage_is_shown() {
    let mut text = b"2.0 INFO a\xffb\n3.0 INFO ".to_vec();
    text.extend([b'x'; 10_000]);
    let log = read_with(&text, None, &long_trace()).unwrap();
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines[0].text, "a\u{fffd}b");
    assert!(lines[1].text.len() < 4200 && lines[1].text.ends_with('…'));
    assert_eq!(messages(&log).len(), 3, "{:?}", messages(&log));
}

#[test]
fn wrong_files_are_refused() {
    let error = |text: &[u8]| read_with(text, None, &long_trace()).unwrap_err();
    assert!(matches!(
        error(b"\x7fELF\0\0\0"),
        TextLogError::Binary { .. }
    ));
    let none = error(b"hello\n12 INFO ticks or seconds\n");
    assert!(none.to_string().contains("zephyr"), "{none}");
    assert!(matches!(error(b""), TextLogError::NoFormat { .. }));
    let several = error(b"1.5 INFO a\n[ 2.0] b\n");
    assert!(several.to_string().contains("defmt, linux"), "{several}");
    let mut trace = long_trace();
    trace.clock.set_frequency(None);
    let untimed = read_with(b"1.5 INFO a\n", None, &trace).unwrap_err();
    assert!(matches!(
        untimed,
        TextLogError::NoTime(NoTime::UnknownFrequency)
    ));
}

#[test]
fn wrapping_counters_are_unwrapped() {
    let ticks = |values: &[u64]| -> String {
        let lines = values.iter().map(|value| format!("[{value}] <inf> a: b\n"));
        lines.collect()
    };
    let trace = trace(60_000, 20_000, Some(1 << 16), ClockDirection::Up);
    let log = read(&ticks(&[59_000, 65_000, 64_990, 500, 3_000]), &trace);
    let expected = [-1_000, 5_000, 4_990, 6_036, 8_536].map(Some);
    assert_eq!(times(&log), expected);
    let sorted: Vec<_> = log.timed_lines().map(|line| line.number).collect();
    assert_eq!(sorted, [1, 3, 2, 4, 5]);
    // The trace fits three periods of the log.
    let log = read(&ticks(&[59_000, 20_000, 59_000, 30_000, 2_000]), &trace);
    assert_eq!(log.timed_len(), 0);
    assert!(messages(&log).iter().any(|it| it.contains("fits 3 places")));
    // And none of this one.
    let log = read(&ticks(&[30_000, 31_000]), &trace);
    assert_eq!(log.timed_len(), 0);
    assert!(
        messages(&log)
            .iter()
            .any(|it| it.contains("does not overlap"))
    );
}

#[test]
fn times_fit_wrapped_and_down_counters() {
    // 3 periods and 1000 ticks after the start.
    let start = 3 * 65_536 + 1_000;
    let up = trace(1_000, 9_000, Some(1 << 16), ClockDirection::Up);
    let down = trace(65_536 - 1_000, 9_000, Some(1 << 16), ClockDirection::Down);
    let text = format!("0.{:06} INFO a\n0.{:06} INFO b\n", start, start + 5_000);
    for trace in [up, down] {
        assert_eq!(times(&read(&text, &trace)), [Some(0), Some(5_000)]);
    }
}

#[test]
fn only_one_boot_has_times() {
    let text = "8.0 INFO old\n20.0 INFO last\n1.5 INFO new\n";
    let log = read(text, &long_trace());
    // Both boots overlap a trace from 1 s to 11 s.
    assert_eq!(log.timed_len(), 0);
    let trace = trace(15_000_000, 1_000_000, None, ClockDirection::Up);
    let log = read(text, &trace);
    assert_eq!(times(&log), [Some(-7_000_000), Some(5_000_000), None]);
    assert_eq!(messages(&log).len(), 2);
}

#[test]
fn offsets_shift_times() {
    let options = TextLogOptions {
        format: None,
        offset_ns: -500_000_000,
        ..TextLogOptions::default()
    };
    let log = TextLog::read(
        "",
        &b"2.0 INFO a\n0.1 INFO b\n"[..],
        &options,
        &long_trace(),
    );
    let shown = times(&log.unwrap());
    assert_eq!(shown.first(), Some(&Some(500_000)));
    let ticks = &b"[1000007] <inf> a: b\n"[..];
    let log = TextLog::read("", ticks, &options, &long_trace()).unwrap();
    assert_eq!(times(&log), [Some(7)]);
    assert_eq!(
        messages(&log),
        ["the offset has no effect: the stamps are ticks"]
    );
}

proptest! {
    #[test]
    fn any_bytes_are_read(
        bytes in proptest::collection::vec(any::<u8>(), 0..2000),
        first in any::<u64>(),
        span in any::<u64>(),
        down in any::<bool>(),
    ) {
        let direction = if down { ClockDirection::Down } else { ClockDirection::Up };
        let trace = trace(first, span, None, direction);
        for format in [None, Some("{ticks} {text}"), Some("{ticks:x}{text}")] {
            let _ = read_with(&bytes, format, &trace);
        }
    }

    #[test]
    fn any_lines_keep_their_order_and_number(
        stamps in proptest::collection::vec((any::<u64>(), "\\PC{0,20}"), 1..40),
        first in any::<u32>(),
        span in any::<u64>(),
    ) {
        let text: String = stamps
            .iter()
            .map(|(ticks, text)| format!("{ticks} |{text}\n"))
            .collect();
        for period in [None, Some(1 << 32), Some(1000)] {
            let trace = trace(first.into(), span, period, ClockDirection::Up);
            let log = read_with(text.as_bytes(), Some("{ticks} |{text}"), &trace).unwrap();
            prop_assert_eq!(log.len(), stamps.len());
            let times: Vec<_> = log.timed_lines().map(|line| line.time).collect();
            prop_assert!(times.is_sorted());
            for (line, (ticks, _)) in log.lines().zip(&stamps) {
                if let (Some(time), Some(period)) = (line.time, period) {
                    let counter = i128::from(first % period as u32) + i128::from(time.0);
                    prop_assert_eq!(
                        counter.rem_euclid(period.into()),
                        i128::from(ticks % period)
                    );
                }
            }
        }
    }
}

#[test]
fn lines_have_the_chosen_encoding() {
    let text = b"[00:00:00.010,000] <inf> app: W\xE4chter\n[00:00:00.020,000] <inf> app: ok\n";
    let options = TextLogOptions {
        encoding: "latin1".parse().unwrap(),
        ..TextLogOptions::default()
    };
    let log = TextLog::read("", &text[..], &options, &long_trace()).unwrap();
    assert_eq!(log.lines().next().unwrap().text, "Wächter");
    let has_damage = |log: &TextLog| {
        let mut found = log.diagnostics.iter();
        found.any(|it| it.kind == DiagnosticKind::TextLogLine)
    };
    assert!(!has_damage(&log));
    let log = read_with(text, None, &long_trace()).unwrap();
    assert_eq!(log.lines().next().unwrap().text, "W\u{fffd}chter");
    assert!(has_damage(&log));
}
