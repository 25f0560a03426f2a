use super::*;
use crate::clock::ClockOptions;
use crate::threadx::catalogue;
use proptest::prelude::*;
use rtoscope_trace::ContextId;
use rtoscope_trace::event::PriorityWord;
use rtoscope_wire::Word;
use rtoscope_wire::threadx::{
    CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, CONTEXT_UNUSED, EventEntry, UlongSize,
};
use std::io;

#[derive(Debug)]
struct FileContent(Vec<u8>);

impl ByteSource for FileContent {
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = offset as usize;
        let found = self.0.get(start..start + bytes.len());
        bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

fn entry(smp: bool) -> impl Strategy<Value = EventEntry<u32>> {
    let context = prop_oneof![
        2 => Just(CONTEXT_UNUSED),
        2 => Just(CONTEXT_INTERRUPT),
        1 => Just(CONTEXT_INITIALIZE),
        9 => (0..5_u32).prop_map(|thread| 0x2000_0000 + thread * 176),
    ];
    let priority = prop_oneof![
        Just(0),
        Just(0x2000_0000),
        Just(0x8010_0010),
        Just(0x0011_0003),
    ];
    let core = if smp { 0..4_u32 } else { 0..1 };
    let id = (
        core,
        prop_oneof![0..120_u32, 4096..4100_u32, 60_000..90_000_u32],
    );
    let step = prop_oneof![9 => 0..2000_u32, 1 => 0..70_000_u32, 1 => Just(u32::MAX)];
    (context, priority, id, step, any::<[u32; 4]>()).prop_map(
        |(context, priority, (core, number), timestamp, info)| EventEntry {
            context,
            priority,
            id: core << 24 | number,
            timestamp,
            info,
        },
    )
}

fn write(layout: BufferLayout, entry: &EventEntry<u32>, bytes: &mut Vec<u8>) {
    fn widened<W: Word>(entry: &EventEntry<u32>, word: impl Fn(u32) -> W) -> EventEntry<W> {
        EventEntry {
            context: word(entry.context),
            priority: word(entry.priority),
            id: word(entry.id),
            timestamp: word(entry.timestamp),
            info: entry.info.map(word),
        }
    }
    let mut buffer = [0; 64];
    let count = match layout.ulong {
        UlongSize::Four => entry.write(layout.order, &mut buffer),
        UlongSize::Eight => widened(entry, u64::from).write(layout.order, &mut buffer),
    };
    bytes.extend(&buffer[..count.unwrap()]);
}

proptest! {
    #[test]
    fn events_are_those_of_the_entries_one_by_one(
        (smp, mut entries) in any::<bool>()
            .prop_flat_map(|smp| (Just(smp), prop::collection::vec(entry(smp), 0..300))),
        layout in prop::sample::select(&BufferLayout::ALL),
        mask in prop::sample::select(&[0xFFFF_u64, 0x00FF_FFFF, 0xFFFF_FFFF]),
        cuts in prop::collection::vec(0..300_usize, 0..4),
        in_file in any::<bool>(),
    ) {
        let mut now = 0_u32;
        for entry in &mut entries {
            now = now.wrapping_add(entry.timestamp);
            entry.timestamp = now;
        }
        // Runs with other bytes between them.
        let mut bytes = Vec::new();
        let mut ranges = vec![];
        for (number, entry) in entries.iter().enumerate() {
            if number == 0 || cuts.contains(&number) {
                bytes.extend([0xAA; 7]);
                ranges.push(bytes.len()..bytes.len());
            }
            write(layout, entry, &mut bytes);
            ranges.last_mut().unwrap().end = bytes.len();
        }
        let memory = Memory::from_file_bytes(&*bytes);
        let file: Arc<dyn ByteSource> = Arc::new(FileContent(bytes.clone()));
        let runs = ranges.into_iter().map(|range| RecordRun {
            first: 0,
            count: (range.len() / layout.entry_bytes()) as u64,
            bytes: &memory.available_from(0)[range],
        });
        let runs: Vec<_> = runs.collect();
        let cores = if smp { CoreBits::Smp } else { CoreBits::SingleCore };
        let options = ThreadXOptions { cores, ..Default::default() };
        let objects = Objects::default();
        let partial = PartialTrace::new(layout, &runs, objects, &Progress::default());
        let (unwrapped, said) = partial.times(mask, &[], &options);
        let trace = partial.finish(TraceParts {
            unwrapped,
            file: in_file.then_some(MemoryFile { memory: &memory, file: &file }),
            catalogue: catalogue(&options),
            gaps: Vec::new(),
            diagnostics: Vec::new(),
            is_wrapped: false,
            is_damaged: false,
            is_registry_full: false,
            options: &options,
        });
        let used = entries.iter().filter(|entry| entry.context != CONTEXT_UNUSED);
        let used: Vec<_> = used.collect();
        let stamps: Vec<u32> = used.iter().map(|entry| entry.timestamp).collect();
        let bits = 8 * layout.ulong.bytes() as u32;
        let times = clock::unwrap_words(&stamps, bits, mask, &ClockOptions::default());
        let first = used.iter().find(|entry| entry.context < CONTEXT_INITIALIZE);
        let knows_interrupted =
            first.is_none_or(|entry| PriorityWord(entry.priority).has_threshold());
        let address = |id: ContextId| trace.contexts.get(id).map(|it| it.address.0 as u32);
        prop_assert_eq!(trace.events.len(), used.len());
        for (number, (event, entry)) in trace.events.iter().zip(&used).enumerate() {
            prop_assert_eq!(Some(event), trace.events.get(event.index));
            prop_assert_eq!(event.index.index(), number);
            prop_assert_eq!(event.timestamp, u64::from(entry.timestamp));
            prop_assert_eq!(event.arguments, entry.info.map(u64::from));
            prop_assert_eq!(address(event.context), Some(entry.context));
            match event.interrupted() {
                Some(ContextId::UNKNOWN) => {
                    prop_assert!(!knows_interrupted && entry.priority == 0);
                }
                Some(interrupted) => prop_assert_eq!(address(interrupted), Some(entry.priority)),
                None => prop_assert_eq!(event.priority_word.0, entry.priority),
            }
            match smp {
                true => {
                    prop_assert_eq!(u32::from(event.core) << 24 | event.kind.0, entry.id);
                }
                false => prop_assert_eq!((event.core, event.kind.0), (0, entry.id)),
            }
            if said.is_empty() {
                prop_assert_eq!(event.time.0, times.time[number]);
            }
        }
        let mut kinds = KindCounts::default();
        trace.events.visit(0..used.len(), |event| kinds.add(event.kind, event.index.0));
        prop_assert_eq!(&*trace.events.kind_counts(), &kinds);
        prop_assert_eq!(trace.events.read_failure(), None);
    }
}
