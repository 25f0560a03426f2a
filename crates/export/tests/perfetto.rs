#![allow(clippy::unwrap_used, reason = "a test may fail")]
//! Perfetto traces, read back packet by packet.

mod common;
mod hostile;

use common::Opened;
use flate2::read::ZlibDecoder;
use rtoscope_analysis::schedule::Executing;
use rtoscope_export::perfetto::Writer;
use rtoscope_trace::EventIndex;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Read, Write};

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

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(u64),
    Fixed(u64),
    Bytes(Vec<u8>),
}

/// A message: its fields in their order.
#[derive(Debug, Clone, Default)]
struct Message(Vec<(u32, Value)>);

impl Message {
    fn read(mut bytes: &[u8]) -> Self {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let value = match key & 7 {
                0 => Value::Number(varint(&mut bytes)),
                1 => Value::Fixed(u64::from_le_bytes(take(&mut bytes, 8).try_into().unwrap())),
                2 => {
                    let length = varint(&mut bytes);
                    Value::Bytes(take(&mut bytes, length as usize).to_vec())
                }
                wire => panic!("wire type {wire}"),
            };
            fields.push(((key >> 3) as u32, value));
        }
        Self(fields)
    }

    fn all(&self, field: u32) -> impl Iterator<Item = &Value> {
        let fields = self.0.iter().filter(move |(number, _)| *number == field);
        fields.map(|(_, value)| value)
    }

    fn number(&self, field: u32) -> Option<u64> {
        self.all(field).next().map(|value| match value {
            Value::Number(number) | Value::Fixed(number) => *number,
            Value::Bytes(_) => panic!("field {field} is no number"),
        })
    }

    fn messages(&self, field: u32) -> Vec<Self> {
        let bytes = self.all(field).map(|value| match value {
            Value::Bytes(bytes) => Self::read(bytes),
            _ => panic!("field {field} is no message"),
        });
        bytes.collect()
    }

    fn text(&self, field: u32) -> Option<String> {
        self.all(field).next().map(|value| match value {
            Value::Bytes(bytes) => String::from_utf8(bytes.clone()).unwrap(),
            _ => panic!("field {field} is no text"),
        })
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 0x7F) << shift;
        if *first < 0x80 {
            return value;
        }
    }
    panic!("a number without end")
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> &'b [u8] {
    let (taken, rest) = bytes.split_at(length);
    *bytes = rest;
    taken
}

/// The packets of a trace, and the time of each, as the format says to read them.
fn packets(trace: &[u8]) -> Vec<(u64, Message)> {
    let mut all = Vec::new();
    for block in Message::read(trace).messages(1) {
        let Some(Value::Bytes(compressed)) = block.all(50).next() else {
            panic!("a packet that is not compressed");
        };
        let mut plain = Vec::new();
        ZlibDecoder::new(compressed.as_slice())
            .read_to_end(&mut plain)
            .unwrap();
        all.extend(Message::read(&plain).messages(1));
    }
    let mut clocks: HashMap<u64, u64> = HashMap::new();
    let timed = all.into_iter().map(|packet| {
        let clock = clocks.entry(packet.number(10).unwrap()).or_default();
        let time = match (packet.number(8), packet.number(58)) {
            (None, _) => 0,
            (Some(time), Some(6)) => time,
            (Some(step), None) => {
                *clock += step;
                *clock
            }
            (_, clock) => panic!("clock {clock:?}"),
        };
        (time, packet)
    });
    timed.collect()
}

fn written(recordings: &[&Opened]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new()).unwrap();
    for opened in recordings {
        let source = opened.source();
        let mut told = 0;
        writer.add(&source, &mut |count| told += count).unwrap();
        assert_eq!(told, source.view.trace.events.len() as u64);
    }
    writer.finish().unwrap()
}

/// Checks that what packets speak of was declared, and that slices end.
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
        }
        for event in packet.messages(11) {
            let track = event.number(11).unwrap();
            assert!(tracks.contains(&track));
            let known = |field, number| interned.contains(&(sequence, field, number));
            assert!(event.number(3).is_none_or(|number| known(1, number)));
            assert!(event.number(10).is_none_or(|number| known(2, number)));
            for argument in event.messages(4) {
                assert!(known(3, argument.number(1).unwrap()));
                assert!(argument.number(17).is_none_or(|number| known(29, number)));
                assert_eq!(argument.0.len(), 2);
            }
            match event.number(9).unwrap() {
                1 => *open.entry(track).or_default() += 1,
                2 => *open.entry(track).or_default() -= 1,
                3 => assert!(event.number(10).is_some()),
                4 => assert!(event.number(30).is_some() != event.number(44).is_some()),
                kind => panic!("an event of type {kind}"),
            }
        }
    }
    assert!(open.values().all(|open| *open == 0), "{open:?}");
}

#[test]
fn packets_speak_of_what_was_declared() {
    for name in RECORDINGS {
        check(&packets(&written(&[&common::open(name)])));
    }
}

#[test]
fn hostile_recordings_are_traces() {
    let all = hostile::all();
    for opened in &all {
        check(&packets(&written(&[opened])));
    }
    let together: Vec<_> = all.iter().collect();
    check(&packets(&written(&together)));
}

#[test]
fn every_event_is_an_instant_of_its_time() {
    for name in RECORDINGS {
        let opened = common::open(name);
        let source = opened.source();
        let trace = source.view.trace;
        let categories: HashSet<_> = trace
            .events
            .iter()
            .map(|event| trace.catalogue.component(event.kind))
            .collect();
        let packets = packets(&written(&[&opened]));
        let mut texts: HashMap<(u64, u32, u64), String> = HashMap::new();
        let mut told = Vec::new();
        for (time, packet) in &packets {
            let sequence = packet.number(10).unwrap();
            for data in packet.messages(12) {
                for (field, _) in &data.0 {
                    for entry in data.messages(*field) {
                        let key = (sequence, *field, entry.number(1).unwrap());
                        texts.insert(key, entry.text(2).unwrap());
                    }
                }
            }
            for event in packet.messages(11) {
                if event.number(9) == Some(3) {
                    let category = &texts[&(sequence, 1, event.number(3).unwrap())];
                    if categories.contains(category.as_str()) {
                        let name = &texts[&(sequence, 2, event.number(10).unwrap())];
                        told.push((*time, name.clone()));
                    }
                }
            }
        }
        let scale = trace.clock.frequency;
        let expected = trace.events.iter().map(|event| {
            let time = trace.moment(event.time);
            let time = scale.map_or(time.0, |scale| scale.to_time(time).0);
            (time, trace.catalogue.name(event.kind).into_owned())
        });
        assert_eq!(told, expected.collect::<Vec<_>>(), "{name}");
    }
}

/// How long each thread executed, by its name, as the packets tell it.
fn executed(packets: &[(u64, Message)]) -> BTreeMap<u64, u64> {
    let mut running: HashMap<u64, (u64, u64)> = HashMap::new();
    let mut sums = BTreeMap::new();
    for (time, packet) in packets {
        for state in packet.messages(117) {
            let core = state.number(1).unwrap_or_default();
            let task = state.number(3).unwrap();
            let runs = state.number(4) == Some(3);
            if let Some((before, since)) = running.get(&core).copied()
                && (runs || before == task)
            {
                // Only idle may be ended by what follows it.
                assert!(before == task || before == 0);
                *sums.entry(before).or_default() += time - since;
                running.remove(&core);
            }
            if runs {
                assert!(
                    running
                        .values()
                        .all(|(task_of, _)| *task_of != task || task == 0)
                );
                running.insert(core, (task, *time));
            }
        }
    }
    assert!(running.is_empty());
    sums
}

#[test]
fn threads_have_the_time_of_their_slices() {
    for name in RECORDINGS {
        let opened = common::open(name);
        let source = opened.source();
        let mut expected: BTreeMap<u32, u64> = BTreeMap::new();
        for core in &source.view.schedule.cores {
            for (slice, end) in core.iter() {
                if let Executing::Thread(context) = slice.who.executing() {
                    *expected.entry(context.0).or_default() += end.0 - slice.start.0;
                }
            }
        }
        let told = executed(&packets(&written(&[&opened])));
        // The process is 1, then come the threads, the first of which is context 3.
        let threads = source.view.trace.contexts.threads().count() as u64;
        let told = told
            .into_iter()
            .filter(|(task, _)| (2..2 + threads).contains(task));
        let told: BTreeMap<_, _> = told.map(|(task, sum)| (task as u32 + 1, sum)).collect();
        if source.view.trace.clock.frequency.is_none() {
            assert_eq!(told, expected, "{name}");
        } else {
            assert!(told.keys().eq(expected.keys()), "{name}");
        }
    }
}

/// An output that breaks after some bytes.
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
fn an_output_that_breaks_is_told() {
    let opened = common::open("threadx/cm3_system.trx");
    let source = opened.source();
    assert!(source.view.trace.events.get(EventIndex(0)).is_some());
    for room in [0, 10_000] {
        let mut writer = Writer::new(Breaking(room)).unwrap();
        let added = (0..20).try_for_each(|_| writer.add(&source, &mut |_| {}));
        assert!(added.and_then(|()| writer.finish().map(drop)).is_err());
    }
}
