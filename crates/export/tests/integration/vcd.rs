//! Value change dumps, read back.

use crate::common::{self, AnalyzedRecording, analyze};
use crate::hostile;
use proptest::prelude::*;
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_export::vcd::{self, SignalFilter};
use rtoscope_trace::{Frequency, Name, Objects};
use std::collections::{BTreeMap, HashSet};

const RECORDINGS: &[&str] = &[
    "threadx/cm3_system.trx",
    "threadx/linux32_isr.trx",
    "threadx/linux32_names.trx",
    "threadx/smp32_cores.trx",
    "threadx/cm3_dwt_zero.trx",
    "rkh/nat_short.bin",
    "rkh/dmg_dropflag.bin",
    "rkh/ut.bin",
];

/// A dump, parsed according to the standard.
struct Dump {
    timescale: String,
    /// The changes of signals, by scope and name.
    signals: BTreeMap<String, Vec<(u64, String)>>,
    end: u64,
}

impl Dump {
    fn read(text: &str) -> Self {
        let mut words = text.split_ascii_whitespace();
        let mut scopes = Vec::new();
        let mut codes: BTreeMap<&str, String> = BTreeMap::new();
        let mut signals: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        let mut timescale = String::new();
        loop {
            let keyword = words.next().unwrap();
            let body: Vec<_> = words.by_ref().take_while(|word| *word != "$end").collect();
            match (keyword, body.as_slice()) {
                ("$comment" | "$version", _) => {}
                ("$timescale", [count, unit]) => timescale = format!("{count} {unit}"),
                ("$scope", ["module", name]) => scopes.push(*name),
                ("$upscope", []) => assert!(scopes.pop().is_some()),
                ("$var", [kind, bits, code, name]) => {
                    match *kind {
                        "wire" => assert!(["1", "4"].contains(bits)),
                        "integer" => assert_eq!(*bits, "32"),
                        kind => assert_eq!(kind, "string"),
                    }
                    let path = format!("{}/{name}", scopes.join("/"));
                    assert!(signals.insert(path.clone(), Vec::new()).is_none(), "{path}");
                    assert!(codes.insert(code, path).is_none(), "{code}");
                }
                ("$enddefinitions", []) => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(scopes.is_empty());
        let mut end = None;
        while let Some(word) = words.next() {
            let (value, code) = match word.as_bytes() {
                [b'#', ..] => {
                    let time = word[1..].parse().unwrap();
                    assert!(end.is_none_or(|end| end < time));
                    end = Some(time);
                    continue;
                }
                [b'$', ..] => {
                    assert!(["$dumpvars", "$end"].contains(&word));
                    continue;
                }
                [b'b' | b's', ..] => (&word[1..], words.next().unwrap()),
                [b'0' | b'1' | b'x', ..] => word.split_at(1),
                _ => panic!("{word}"),
            };
            let signal = signals.get_mut(&codes[code]).unwrap();
            signal.push((end.unwrap(), value.to_owned()));
        }
        Self {
            timescale,
            signals,
            end: end.unwrap(),
        }
    }

    /// The signals of a scope of the only recording, sorted by name.
    fn scope(&self, scope: &str) -> BTreeMap<&str, &[(u64, String)]> {
        let signals = self.signals.iter().filter_map(|(path, changes)| {
            let (_, path) = path.split_once('/')?;
            let (within, name) = path.rsplit_once('/')?;
            (within == scope).then_some((name, changes.as_slice()))
        });
        signals.collect()
    }

    /// The time in which a signal has a value.
    fn lasts(&self, changes: &[(u64, String)], value: &str) -> u64 {
        let ends = changes.iter().skip(1).map(|(time, _)| *time);
        let spans = changes.iter().zip(ends.chain([self.end]));
        let spans = spans.filter(|((_, each), _)| each == value);
        spans.map(|((start, _), end)| end - start).sum()
    }
}

/// A recording that is modified before its analysis.
fn changed(name: &str, change: impl FnOnce(&mut DecodedRecording)) -> AnalyzedRecording {
    let mut recording = hostile::recording(name);
    change(&mut recording);
    analyze(name, recording)
}

fn written(opened: &AnalyzedRecording, signals: SignalFilter) -> String {
    let mut output = Vec::new();
    let mut events = 0;
    vcd::write_signals(&[opened], signals, &mut output, &mut |more| events += more).unwrap();
    assert_eq!(events, opened.trace.events.len() as u64);
    String::from_utf8(output).unwrap()
}

#[test]
fn unknown_running_context_is_x() {
    let opened = common::open("threadx/linux32_isr.trx");
    let view = opened.view();
    let dump = Dump::read(&written(&opened, SignalFilter::All));
    let unknown = |state| state == ThreadState::Unknown;
    let mut found = 0;
    for thread in view.trace.contexts.threads() {
        let intervals = view.thread_states(thread.id);
        if let Some(first) = intervals.get(0).filter(|first| unknown(first.state)) {
            let until = intervals.get(1).map_or(view.schedule.span, |it| it.start);
            assert_eq!(first.start.0, 0);
            let states = dump.scope("states");
            let long = |changes: &&[(u64, String)]| dump.lasts(changes, "x") >= until.0;
            assert!(states.values().any(long));
            found += 1;
        }
    }
    assert!(found > 0, "the trace has none");
}

#[test]
fn bits_equal_the_wires_of_all() {
    for name in RECORDINGS {
        let opened = common::open(name);
        let all = Dump::read(&written(&opened, SignalFilter::All));
        let bits = written(&opened, SignalFilter::Bits);
        let declared = |line: &str| line.starts_with("$var");
        let mut variables = bits.lines().filter(|line| declared(line));
        assert!(variables.all(|line| line.starts_with("$var wire 1 ")));
        let bits = Dump::read(&bits);
        assert!(!bits.signals.is_empty());
        for (path, changes) in &bits.signals {
            assert_eq!(&all.signals[path], changes, "{name} {path}");
        }
    }
}

#[test]
fn ticks_are_exact_if_possible() {
    let scale = |hertz: u64| {
        let opened = changed("threadx/cm3_short.trx", |recording| {
            let frequency = Frequency::from_hertz(hertz);
            recording.trace.clock.set_frequency(frequency);
        });
        let span = opened.schedule.span.0;
        let dump = Dump::read(&written(&opened, SignalFilter::All));
        (dump.timescale, dump.end, span)
    };
    let (unit, end, span) = scale(25_000_000);
    assert_eq!((unit.as_str(), end), ("10 ns", span * 4));
    let (unit, end, _) = scale(1_000);
    assert_eq!((unit.as_str(), end), ("1 ms", span));
    // No power of ten is a multiple of it.
    let (unit, end, _) = scale(3_000_000);
    assert_eq!((unit.as_str(), end), ("1 ns", span * 1000 / 3));
    let (unit, end, _) = scale(1_000_000_000_000);
    assert_eq!((unit.as_str(), end), ("1 ps", span));
}

#[test]
fn empty_recording_gives_a_dump() {
    let mut output = Vec::new();
    vcd::write(&[], &mut output, &mut |_| ()).unwrap();
    let dump = Dump::read(&String::from_utf8(output).unwrap());
    assert_eq!((dump.signals.len(), dump.end), (0, 0));
}

#[test]
fn hostile_recordings_give_valid_dumps() {
    for opened in hostile::all() {
        for signals in [SignalFilter::All, SignalFilter::Bits] {
            let dump = Dump::read(&written(&opened, signals));
            assert!(dump.signals.keys().any(|path| path.ends_with("/recorded")));
        }
    }
}

#[test]
fn huge_times_fit() {
    let opened = changed("threadx/linux32_isr.trx", |recording| {
        recording.trace.events.edit(|columns| {
            for time in &mut columns.time {
                *time = time.saturating_mul(1 << 40);
            }
        });
        let frequency = Frequency::from_hertz(7);
        recording.trace.clock.set_frequency(frequency);
    });
    let dump = Dump::read(&written(&opened, SignalFilter::All));
    assert!(dump.end < i64::MAX as u64);
    assert_eq!(dump.timescale, "1 s");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn names_are_escaped_in_dumps(names in prop::collection::vec(any::<Vec<u8>>(), 12), tricks: u8) {
        let tricks = [&b"$end"[..], b"a b", b"a_b", b"", b"\n#5", b"x.y[3:0]"]
            .get(usize::from(tricks % 8))
            .copied()
            .unwrap_or(b"$end $var");
        let opened = changed("threadx/cm3_short.trx", |recording| {
            let objects = recording.trace.objects.iter().cloned().enumerate();
            let objects = objects.map(|(at, mut object)| {
                let name = names.get(at).map_or(tricks, Vec::as_slice);
                object.name = Name::new(name);
                object
            });
            recording.trace.objects = Objects::new(objects.collect());
        });
        let dump = Dump::read(&written(&opened, SignalFilter::All));
        let plain = Dump::read(&written(&common::open("threadx/cm3_short.trx"), SignalFilter::All));
        prop_assert_eq!(dump.signals.len(), plain.signals.len());
        let values = |dump: &Dump| {
            let lines = dump.scope("threads").into_values().map(<[_]>::to_vec);
            lines.collect::<HashSet<_>>()
        };
        prop_assert_eq!(values(&dump), values(&plain));
    }
}

#[test]
fn dumps_open_again() {
    for name in RECORDINGS {
        let source = common::open(name);
        let mut dump = Vec::new();
        vcd::write(&[&source], &mut dump, &mut |_| {}).unwrap();
        let expected = Dump::read(str::from_utf8(&dump).unwrap());
        let content = UnpackedInput::open(Input::new(dump), BufferChoice::First, None).unwrap();
        assert_eq!(content.format().name(), "logic");
        let trace = content.decode(&DecodeOptions::default()).unwrap().trace;
        let mut found: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        for event in trace.events.iter() {
            let kind = trace.catalogue.get(event.kind).unwrap();
            let mut arguments = trace
                .arguments(kind, &event)
                .map(|(_, value)| value.to_string());
            let Some(signal) = arguments.next() else {
                assert_eq!(kind.name, "end of capture");
                assert_eq!(event.timestamp, expected.end, "{name}");
                continue;
            };
            let value = match &*kind.name {
                "rising edge" | "high" => "1".to_owned(),
                "falling edge" | "low" => "0".to_owned(),
                "level unknown" | "value unknown" => "x".to_owned(),
                "value" | "first value" => format!("{:b}", event.arguments[1]),
                "text value" => {
                    let text = trace.events.extras().text(event.arguments[2]);
                    String::from_utf8(text.to_vec()).unwrap()
                }
                other => panic!("{other}"),
            };
            let signal = signal.trim_matches('"').to_owned();
            found
                .entry(signal)
                .or_default()
                .push((event.timestamp, value));
        }
        for (path, changes) in &expected.signals {
            let (_, signal) = path.split_once('/').unwrap();
            let mut changes = changes.clone();
            changes.dedup_by(|next, last| next.1 == last.1);
            let mut read = found[&signal.replace('/', ".")].clone();
            // The export repeats texts.
            read.dedup_by(|next, last| next.1 == last.1);
            assert_eq!(read, changes, "{name}: {path}");
        }
        assert_eq!(found.len(), expected.signals.len(), "{name}");
    }
}
