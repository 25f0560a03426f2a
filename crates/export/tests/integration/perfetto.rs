//! Perfetto traces, read back packet by packet.

use crate::common::{self, AnalyzedRecording, analyze};
use crate::hostile;
use crate::perfetto_reader::{Message, packets};
use rtoscope_export::perfetto::PerfettoWriter;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{Contexts, EventIndex, EventKindId, Frequency, NoTime};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

const RECORDINGS: &[&str] = &[
    "threadx/cm3_system.trx",
    "threadx/linux32_isr.trx",
    "threadx/linux32_names.trx",
    "threadx/linux64_cross4g.trx",
    "threadx/smp32_cores.trx",
    "threadx/cm3_dwt_zero.trx",
    "rkh/nat_short.bin",
    "rkh/dmg_dropflag.bin",
    "rkh/ut.bin",
];

fn written(recordings: &[&AnalyzedRecording]) -> Vec<u8> {
    let mut writer = PerfettoWriter::new(Vec::new()).unwrap();
    for opened in recordings {
        let mut reported = 0;
        writer
            .add_recording(opened, &mut |count| reported += count)
            .unwrap();
        assert_eq!(reported, opened.trace.events.len() as u64);
    }
    writer.finish().unwrap()
}

/// Checks that packets only refer to declarations, and that slices end.
fn check(packets: &[(u64, Message)]) {
    let mut interned: HashSet<(u64, u32, u64)> = HashSet::new();
    let mut tracks = HashSet::new();
    let mut tasks = HashSet::from([0]);
    let mut open: HashMap<u64, i64> = HashMap::new();
    for (time, packet) in packets {
        assert!(i64::try_from(*time).is_ok());
        let sequence = packet.number(10).unwrap();
        for data in packet.messages(12) {
            for (field, _) in &data.0 {
                for entry in data.messages(*field) {
                    assert!(!entry.text(2).unwrap().contains('\0'));
                    interned.insert((sequence, *field, entry.number(1).unwrap()));
                }
            }
        }
        for track in packet.messages(60) {
            assert!(tracks.insert(track.number(1).unwrap()));
            assert!(!track.text(2).unwrap_or_default().contains('\0'));
        }
        for tree in packet.messages(122) {
            for thread in tree.messages(2) {
                assert!(tasks.insert(thread.number(1).unwrap()));
                assert!(!thread.text(3).unwrap().contains('\0'));
            }
        }
        for state in packet.messages(117) {
            assert!(tasks.contains(&state.number(3).unwrap()));
            // Only kernel events switch cores.
            assert!(state.number(4) != Some(3));
        }
        for event in packet.messages(11) {
            let track = event.number(11).unwrap();
            assert!(tracks.contains(&track));
            let known = |field, number| interned.contains(&(sequence, field, number));
            assert!(event.number(3).is_none_or(|number| known(1, number)));
            assert!(event.number(10).is_none_or(|number| known(2, number)));
            let mut names = HashSet::new();
            for argument in event.messages(4) {
                let name = argument.number(1).unwrap();
                assert!(known(3, name) && names.insert(name));
                assert!(argument.number(17).is_none_or(|number| known(29, number)));
                assert_eq!(argument.0.len(), 2);
            }
            match event.number(9).unwrap() {
                1 => {
                    let depth = open.entry(track).or_default();
                    *depth += 1;
                    // With an instant inside, the maximum that the engine supports.
                    assert!(*depth < 512);
                }
                2 => *open.entry(track).or_default() -= 1,
                3 => assert!(event.number(10).is_some()),
                4 => assert!(event.number(30).is_some() != event.number(44).is_some()),
                kind => panic!("an event of type {kind}"),
            }
        }
    }
    assert!(open.values().all(|open| *open == 0), "{open:?}");
    check_kernel_events(packets, &tasks);
}

/// Checks that each core leaves the tasks and routines that it entered.
fn check_kernel_events(packets: &[(u64, Message)], tasks: &HashSet<u64>) {
    let mut running: HashMap<u64, u64> = HashMap::new();
    let mut depths: HashMap<u64, i64> = HashMap::new();
    // Sequences have their own clocks, but a core's times never decrease.
    let mut times: HashMap<(u64, u64), u64> = HashMap::new();
    for (sequence, cpu, time, event) in kernel_events(packets) {
        assert!(cpu < 1024 && i64::try_from(time).is_ok());
        let last = times.insert((sequence, cpu), time);
        assert!(last.is_none_or(|last| last <= time));
        assert!(tasks.contains(&event.number(2).unwrap()));
        for switch in event.messages(4) {
            let [prev, next] = [2, 6].map(|field| switch.number(field).unwrap());
            assert!(tasks.contains(&next) && prev != next);
            assert_eq!(running.insert(cpu, next).unwrap_or(0), prev);
        }
        for waking in event.messages(20) {
            assert!(tasks.contains(&waking.number(2).unwrap()));
        }
        let depth = depths.entry(cpu).or_default();
        *depth += event.messages(36).len() as i64 - event.messages(37).len() as i64;
        assert!((0..512).contains(depth));
    }
    assert!(depths.values().all(|depth| *depth == 0), "{depths:?}");
}

/// The kernel events with sequence, CPU and time, in the order of each core.
fn kernel_events(packets: &[(u64, Message)]) -> Vec<(u64, u64, u64, Message)> {
    let mut all = Vec::new();
    for (_, packet) in packets {
        let sequence = packet.number(10).unwrap();
        for bundle in packet.messages(1) {
            let cpu = bundle.number(1).unwrap();
            for event in bundle.messages(2) {
                all.push((sequence, cpu, event.number(1).unwrap(), event));
            }
        }
    }
    all
}

#[test]
fn packets_refer_to_declarations() {
    for name in RECORDINGS {
        check(&packets(&written(&[&common::open(name)])));
    }
}

#[test]
fn hostile_recordings_give_valid_traces() {
    let all = hostile::all();
    for opened in &all {
        check(&packets(&written(&[opened])));
    }
    let together: Vec<_> = all.iter().collect();
    check(&packets(&written(&together)));
}

#[test]
fn slice_depth_is_limited() {
    const ISR_ENTER: EventKindId = EventKindId(3);
    let mut recording = hostile::recording("threadx/cm3_system.trx");
    recording.trace.events.edit(|columns| {
        columns.kind.fill(ISR_ENTER);
        columns.context.fill(Contexts::INTERRUPT);
    });
    let opened = analyze("deep", recording);
    let begun = opened.schedule.activations.len();
    assert!(begun > 1_000);
    check(&packets(&written(&[&opened])));
}

/// The interned strings, by sequence, kind and number.
fn interned_texts(packets: &[(u64, Message)]) -> HashMap<(u64, u32, u64), String> {
    let mut texts = HashMap::new();
    for (_, packet) in packets {
        let sequence = packet.number(10).unwrap();
        for data in packet.messages(12) {
            for (field, _) in &data.0 {
                for entry in data.messages(*field) {
                    let key = (sequence, *field, entry.number(1).unwrap());
                    texts.insert(key, entry.text(2).unwrap());
                }
            }
        }
    }
    texts
}

/// The text of an argument of the note about the recording.
fn recording_note(packets: &[(u64, Message)], name: &str) -> Option<String> {
    let texts = interned_texts(packets);
    for (_, packet) in packets {
        let sequence = packet.number(10)?;
        for event in packet.messages(11) {
            let text = |field, number: Option<u64>| texts.get(&(sequence, field, number?));
            let event_name = text(2, event.number(10));
            if event_name.is_none_or(|event_name| event_name != "recording") {
                continue;
            }
            let arguments = event.messages(4);
            let mut named = arguments.iter().filter(|argument| {
                text(3, argument.number(1)).is_some_and(|argument| argument == name)
            });
            return named.find_map(|argument| text(29, argument.number(17)).cloned());
        }
    }
    None
}

#[test]
fn recordings_without_times_give_the_reason() {
    let frequency = Frequency::from_hertz(1_000_000);
    for (quality, expected) in [
        (ClockQuality::Good, "nanoseconds".to_owned()),
        (ClockQuality::EventCounter, NoTime::EventCounter.to_string()),
        (ClockQuality::Static, NoTime::StaticClock.to_string()),
    ] {
        let mut recording = hostile::recording("threadx/cm3_system.trx");
        recording.trace.clock.quality = quality;
        recording.trace.clock.set_frequency(frequency);
        let packets = packets(&written(&[&analyze("clock", recording)]));
        let note = |name| recording_note(&packets, name);
        assert_eq!(note("times"), Some(expected));
        assert_eq!(note("clock"), Some(quality.to_string()));
    }
}

/// An output that fails after some bytes.
struct Breaking(usize);

impl Write for Breaking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or_else(|| io::Error::other("full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn output_errors_are_returned() {
    let opened = common::open("threadx/cm3_system.trx");
    assert!(opened.trace.events.get(EventIndex(0)).is_some());
    for room in [0, 10_000] {
        let mut writer = PerfettoWriter::new(Breaking(room)).unwrap();
        let added = (0..20).try_for_each(|_| writer.add_recording(&opened, &mut |_| {}));
        assert!(added.and_then(|()| writer.finish().map(drop)).is_err());
    }
}
