//! A scan of the timestamps of a large buffer, which shows the events over time before
//! they are decoded.

use crate::clock::ClockModulus;
use crate::clock::stamp_block::StampBlock;
use crate::records::RecordRun;
use rtoscope_wire::threadx::{BufferLayout, CONTEXT_UNUSED, EventEntry, UlongSize};
use rtoscope_wire::{ByteOrder, Word};

/// Number of slots in a block.
const SLOTS_PER_BLOCK: usize = 1 << 12;

/// Number of blocks after which a thread takes others.
const BLOCKS_PER_TASK: usize = 64;

/// The times of the used slots, in blocks.
pub(crate) fn scan(
    layout: BufferLayout,
    runs: &[RecordRun<'_>],
    modulus: ClockModulus,
) -> Vec<StampBlock> {
    let entry_bytes = match layout.ulong {
        UlongSize::Four => EventEntry::<u32>::BYTES,
        UlongSize::Eight => EventEntry::<u64>::BYTES,
    };
    let task_bytes = BLOCKS_PER_TASK * SLOTS_PER_BLOCK * entry_bytes;
    let tasks = runs.iter().flat_map(|run| run.bytes.chunks(task_bytes));
    let blocks = rtoscope_trace::parallel::map(tasks.collect(), |bytes| {
        let blocks = bytes.chunks(SLOTS_PER_BLOCK * entry_bytes);
        let block = |bytes| match layout.ulong {
            UlongSize::Four => block::<u32>(bytes, layout.order, modulus),
            UlongSize::Eight => block::<u64>(bytes, layout.order, modulus),
        };
        blocks.map(block).collect::<Vec<_>>()
    });
    blocks.into_iter().flatten().collect()
}

fn block<W: Word>(bytes: &[u8], order: ByteOrder, modulus: ClockModulus) -> StampBlock {
    let mut block = StampBlock::default();
    for bytes in bytes.chunks_exact(EventEntry::<W>::BYTES) {
        if let Some(entry) = EventEntry::<W>::read(bytes, order)
            && entry.context.into() != u64::from(CONTEXT_UNUSED)
        {
            block.push(modulus, entry.timestamp.into());
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use crate::clock::{self, ClockOptions, stamp_block};
    use crate::memory::Memory;
    use crate::threadx::buffer::TraceBuffer;
    use crate::threadx::buffer_candidates::Candidate;
    use crate::threadx::event_ring::EventRing;
    use crate::threadx::{ThreadXOptions, TimelinePart};
    use rtoscope_trace::Progress;

    #[test]
    fn the_density_has_the_events_and_the_span_of_the_decoded_trace() {
        let mut checked = 0;
        for path in rtoscope_fixtures::recordings("threadx") {
            let bytes = std::fs::read(&path).unwrap();
            let memory = Memory::from_file_bytes(&*bytes);
            let Ok(buffer) = TraceBuffer::locate(&memory, 0, &mut Vec::new()) else {
                continue;
            };
            let options = ThreadXOptions::default();
            let decoded = super::super::decode(
                &memory,
                None,
                &[TimelinePart::new(&Candidate::new(&memory, buffer))],
                &options,
                &Progress::default(),
            )
            .unwrap();
            let events = &decoded.trace.events;
            let ring = EventRing::by_pointer(&memory, &buffer);
            let bits = 8 * buffer.layout.ulong.bytes() as u32;
            let modulus = clock::modulus(bits, buffer.header.timer_mask, &ClockOptions::default());
            let blocks = super::scan(buffer.layout, &ring.runs, modulus);
            let density = stamp_block::density(&blocks, modulus, None);
            let count: u64 = density.counts.iter().map(|count| u64::from(*count)).sum();
            assert_eq!(count, events.len() as u64, "{}", path.display());
            assert_eq!(density.span, events.span(), "{}", path.display());
            checked += 1;
        }
        assert!(checked > 10, "only {checked} recordings");
    }
}
