use super::*;
use crate::EventColumns;
use crate::events::{ArgumentColumn, Events, WordColumn};
use proptest::prelude::*;
use std::io;
use std::sync::Arc;

/// Records of a timestamp and a kind, of 16 bits each.
#[derive(Debug)]
struct ShortRecords;

impl RecordFormat for ShortRecords {
    fn record_bytes(&self) -> usize {
        4
    }

    fn word_bits(&self) -> u8 {
        32
    }

    fn has_cores(&self) -> bool {
        false
    }

    fn timestamp(&self, record: &[u8]) -> u64 {
        u16::from_le_bytes([record[0], record[1]]).into()
    }

    fn read(&self, records: &[u8], events: &mut [Event]) {
        for (record, event) in records.chunks_exact(4).zip(events) {
            event.timestamp = self.timestamp(record);
            event.kind = EventKindId(u16::from_le_bytes([record[2], record[3]]).into());
            event.arguments = [event.timestamp, 0, 0, 7];
        }
    }
}

/// Bytes that can be read only up to `end`.
#[derive(Debug)]
struct CutBytes {
    bytes: Vec<u8>,
    end: usize,
}

impl ByteSource for CutBytes {
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = offset as usize;
        let available = self.bytes.get(..self.end.min(self.bytes.len())).unwrap();
        let found = available.get(start..start + bytes.len());
        bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Recorded events, and the same as columns.
struct Recording {
    bytes: Vec<u8>,
    runs: Vec<RecordRun>,
    times: Vec<u64>,
    stamps: Vec<u32>,
    kinds: Vec<u32>,
    counts_down: bool,
}

impl Recording {
    /// One event per step. Steps of more than 16 bits cannot follow from the timestamps. A
    /// record is not where the one before it ends if `is_apart`.
    fn new(steps: &[u64], counts_down: bool, is_apart: impl Fn(usize) -> bool) -> Self {
        let mut recording = Self {
            bytes: vec![9; 3],
            runs: Vec::new(),
            times: Vec::new(),
            stamps: Vec::new(),
            kinds: Vec::new(),
            counts_down,
        };
        let mut time = 0;
        for (number, step) in steps.iter().enumerate() {
            time += if number == 0 { 0 } else { *step };
            let stamp = match counts_down {
                true => 5_u64.wrapping_sub(time) as u16,
                false => 5_u64.wrapping_add(time) as u16,
            };
            let kind = (number % 500) as u16;
            if number == 0 || is_apart(number) {
                recording.bytes.extend([1; 5]);
                recording.runs.push(RecordRun {
                    first: number,
                    offset: recording.bytes.len() as u64,
                });
            }
            recording.bytes.extend(stamp.to_le_bytes());
            recording.bytes.extend(kind.to_le_bytes());
            recording.times.push(time);
            recording.stamps.push(stamp.into());
            recording.kinds.push(kind.into());
        }
        recording
    }

    fn columns(&self) -> Events {
        let count = self.times.len();
        let arguments = self.stamps.iter().map(|stamp| [*stamp, 0, 0, 7]);
        Events::new(EventColumns {
            time: self.times.clone(),
            timestamp: WordColumn::Narrow(self.stamps.clone()),
            context: vec![ContextId(0); count],
            kind: self.kinds.iter().copied().map(EventKindId).collect(),
            priority_word: vec![PriorityWord(0); count],
            arguments: ArgumentColumn::Narrow(arguments.collect()),
            ..EventColumns::default()
        })
    }

    fn recorded(&self, bytes: RecordBytes) -> Events {
        let counter = StampCounter {
            mask: 0xFFFF,
            counts_down: self.counts_down,
        };
        let half = (self.times.len() / 2).next_multiple_of(BLOCK_EVENTS);
        let mut builders = [
            TimeBlockBuilder::new(Some(counter)),
            TimeBlockBuilder::new(Some(counter)),
        ];
        for (number, (stamp, time)) in self.stamps.iter().zip(&self.times).enumerate() {
            builders[usize::from(number >= half)].push((*stamp).into(), *time);
        }
        let times = TimeBlockBuilder::join(builders.into());
        let mut kinds = KindCounts::default();
        for (kind, number) in self.kinds.iter().zip(0..) {
            kinds.add(EventKindId(*kind), number);
        }
        RecordedEvents::new(
            Box::new(ShortRecords),
            bytes,
            self.runs.clone(),
            times,
            kinds,
        )
        .into()
    }

    fn source(&self, end: usize) -> RecordBytes {
        RecordBytes::Source(Arc::new(CutBytes {
            bytes: self.bytes.clone(),
            end,
        }))
    }
}

fn steps() -> impl Strategy<Value = Vec<u64>> {
    let step = prop_oneof![40 => 0_u64..20, 1 => Just(70_000)];
    let sparse = (1_usize..2000, 0..9000_usize);
    (prop::collection::vec(step, 0..40), sparse).prop_map(|(some, (every, count))| {
        let step = |number: usize| match number % every {
            0 => some.get(number / every).copied().unwrap_or(3),
            _ => (number % 7) as u64,
        };
        (0..count).map(step).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn recorded_events_equal_those_in_columns(
        steps in steps(),
        counts_down in any::<bool>(),
        apart in 1_usize..3000,
        (from, to) in (0_usize..9000, 0_usize..9000),
        time in 0_u64..100_000,
    ) {
        let recording = Recording::new(&steps, counts_down, |number| number % apart == 0);
        let columns = recording.columns();
        for bytes in [
            RecordBytes::Memory(recording.bytes.clone()),
            recording.source(usize::MAX),
        ] {
            let mut events = recording.recorded(bytes);
            prop_assert_eq!(&events, &columns);
            prop_assert!(columns.starts_with(&events, from.min(events.len())));
            prop_assert_eq!(events.span(), columns.span());
            let part = from..to;
            let mut visited = Vec::new();
            events.visit(part.clone(), |event| visited.push(event));
            let mut expected = Vec::new();
            columns.visit(part.clone(), |event| expected.push(event));
            prop_assert_eq!(visited, expected);
            prop_assert_eq!(events.times_of(part.clone()), columns.times_of(part));
            let nth = |events: &Events| {
                let mut events = events.iter();
                (events.next(), events.nth(from), events.next(), events.nth(1))
            };
            prop_assert_eq!(nth(&events), nth(&columns));
            for index in [0, from, to].map(super::super::event_index) {
                prop_assert_eq!(events.get(index), columns.get(index));
                prop_assert_eq!(events.time(index), columns.time(index));
                prop_assert_eq!(events.kind(index), columns.kind(index));
            }
            let before = |other: Ticks| other.0 < time;
            prop_assert_eq!(
                events.partition_point(from..to, before),
                columns.partition_point(from..to, before)
            );
            prop_assert_eq!(
                events.index_after(Ticks(time)),
                columns.index_after(Ticks(time))
            );
            prop_assert_eq!(events.kind_counts(), columns.kind_counts());
            events.edit(|_| ());
            prop_assert_eq!(&events, &columns);
        }
    }
}

#[test]
fn records_that_cannot_be_read_are_reported() {
    let recording = Recording::new(&[1; 10_000], false, |_| false);
    let events = recording.recorded(recording.source(20_000));
    assert_eq!(events.time(EventIndex(100)), Some(Ticks(100)));
    assert_eq!(events.read_failure(), None);
    assert!(events.times().is_sorted());
    assert!(events.read_failure().is_some());
    let lost = events.get(EventIndex(9999)).unwrap();
    assert_eq!(
        (lost.index.0, lost.kind, lost.arguments),
        (9999, EventKindId(0), [0; 4])
    );
    let known = events.get(EventIndex(100)).unwrap();
    assert_eq!(
        known.arguments, [0; 4],
        "no thread mixes what it read before with the rest"
    );
}
