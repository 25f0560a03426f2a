//! Reads events from entries.

use super::context_interner::ContextIds;
use super::cores::split_id;
use super::entry_survey::{entries, with_layout};
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::events::records::RecordFormat;
use rtoscope_trace::{ContextId, Contexts, Event, EventKindId};
use rtoscope_wire::threadx::{BufferLayout, UlongSize};
use rtoscope_wire::{ByteOrder, Word};

/// What is known of all entries.
#[derive(Debug)]
pub(super) struct EntryFormat {
    pub(super) layout: BufferLayout,
    pub(super) ids: ContextIds,
    /// Whether the high bits of ids are core numbers.
    pub(super) is_smp: bool,
    /// Whether the priority word of an interrupt is the interrupted context. Before ThreadX
    /// recorded preemption thresholds, it is 0 whatever the interrupt interrupted.
    pub(super) knows_interrupted: bool,
}

impl RecordFormat for EntryFormat {
    fn record_bytes(&self) -> usize {
        self.layout.entry_bytes()
    }

    fn word_bits(&self) -> u8 {
        8 * self.layout.ulong.bytes() as u8
    }

    fn has_cores(&self) -> bool {
        self.is_smp
    }

    fn timestamp(&self, record: &[u8]) -> u64 {
        with_layout!(self.layout, timestamp::<_, _>(record))
    }

    fn read(&self, records: &[u8], events: &mut [Event]) {
        with_layout!(self.layout, read::<_, _>(self, records, events));
    }
}

fn timestamp<W: Word, const BIG: bool>(record: &[u8]) -> u64 {
    let entry = entries::<W, BIG>(record).next();
    entry.map_or(0, |entry| entry.timestamp.into())
}

fn read<W: Word, const BIG: bool>(format: &EntryFormat, records: &[u8], events: &mut [Event]) {
    for (entry, event) in entries::<W, BIG>(records).zip(events) {
        let id: u64 = entry.id.into();
        (event.core, event.kind) = match format.is_smp {
            true => split_id(id as u32),
            false => (0, EventKindId(id as u32)),
        };
        event.timestamp = entry.timestamp.into();
        event.context = format.ids.get(entry.context.into());
        let priority: u64 = entry.priority.into();
        event.priority_word = match event.context {
            Contexts::INTERRUPT => match format.ids.get(priority) {
                Contexts::IDLE if !format.knows_interrupted => {
                    PriorityWord::interrupted(ContextId::UNKNOWN)
                }
                interrupted => PriorityWord::interrupted(interrupted),
            },
            // The word has the format of `PriorityWord`: threshold << 16 |
            // priority, bit 31 if the threshold is known.
            _ => PriorityWord(priority as u32),
        };
        let [first, second, third, fourth] = entry.info;
        event.arguments = [first.into(), second.into(), third.into(), fourth.into()];
    }
}
