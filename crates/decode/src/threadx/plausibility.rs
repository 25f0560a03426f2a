//! Whether bytes can be an entry of a buffer.

use super::buffer::TraceBuffer;
use super::columns::split_id;
use super::entry_header::EntryHeader;
use super::registry;
use crate::memory::Memory;
use rtoscope_wire::threadx::{CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, ObjectType};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Maximum number of registry slots to read.
const MAX_SLOTS: usize = 1 << 16;

/// Numbers of the kernel and of the application's events. Others are accepted
/// by the kernel, too, but rarely used.
const USUAL_NUMBERS: RangeInclusive<u32> = 1..=0xFFFF;

/// The id of an entry in erased memory; ids have 32 bits.
const FILL_ID: u64 = u32::MAX as u64;

/// Cores of an SMP kernel.
const MAX_CORE: u8 = 31;

/// Alignment of a thread's control block.
const THREAD_ALIGNMENT: u64 = 4;

/// What entries of a buffer look like.
pub(super) struct EntryPlausibility {
    threads: HashSet<u64>,
}

impl EntryPlausibility {
    /// Reads the threads in the registry of a buffer.
    pub(super) fn new(memory: &Memory<'_>, buffer: &TraceBuffer) -> Self {
        let slots = registry::entries(memory, buffer).take(MAX_SLOTS);
        let threads = slots.filter(|(_, slot)| slot.object_type == ObjectType::THREAD.0);
        Self {
            threads: threads.map(|(_, thread)| thread.pointer).collect(),
        }
    }

    /// Whether an entry was written and is possible: its context is known, or
    /// may be a thread that is not registered, whose number is usual.
    pub(super) fn is_possible(&self, entry: &EntryHeader) -> bool {
        let fixed = [CONTEXT_INTERRUPT, CONTEXT_INITIALIZE].map(u64::from);
        let is_known = fixed.contains(&entry.context) || self.threads.contains(&entry.context);
        let (core, number) = split_id(entry.id as u32);
        let is_usual = core <= MAX_CORE && USUAL_NUMBERS.contains(&number.0);
        entry.is_used()
            && entry.id < FILL_ID
            && (is_known || is_usual && entry.context.is_multiple_of(THREAD_ALIGNMENT))
    }
}
