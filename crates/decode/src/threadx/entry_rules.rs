//! Decides whether the kernel can have written an entry.

use super::buffer::TraceBuffer;
use super::cores::split_id;
use super::entry_header::EntryHeader;
use super::registry;
use crate::memory::Memory;
use crate::records;
use rtoscope_wire::threadx::{
    BufferLayout, CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, LAST_USER_EVENT, ObjectType,
    PRIORITY_VALID,
};
use std::collections::HashSet;

/// What the entries of a buffer can contain.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EntryRules {
    pub(super) layout: BufferLayout,
    /// The addresses of the registered threads.
    threads: HashSet<u64>,
    /// The addresses that registered objects have or contain, roughly.
    addresses: (u64, u64),
    /// Whether the priority words of threads have [`PRIORITY_VALID`].
    has_flags: bool,
}

/// Threads have at most 1024 priorities.
const MAX_PRIORITY: u64 = 1023;

/// A preemption threshold in a priority word.
const THRESHOLD_SHIFT: u32 = 16;

/// Cores of an SMP kernel.
const MAX_CORE: u8 = 31;

/// Maximum number of registry slots to read.
const MAX_REGISTRY_SLOTS: usize = 1 << 16;

/// More threads are treated like ones that are not registered: an input may have thousands of
/// headers, each with a registry.
const MAX_THREADS: usize = 1 << 10;

/// Entries that show whether the kernel writes [`PRIORITY_VALID`].
const MAX_SAMPLES: usize = 4096;

/// Stacks and control blocks are near the registered objects.
const NEAR_BYTES: u64 = 1 << 16;

const INTERRUPT: u64 = CONTEXT_INTERRUPT as u64;
const INITIALIZE: u64 = CONTEXT_INITIALIZE as u64;

impl EntryRules {
    /// Reads the registry of a buffer, and its first entries if they must show more.
    pub(super) fn new(memory: &Memory<'_>, buffer: &TraceBuffer) -> Self {
        let mut rules = Self {
            layout: buffer.layout,
            threads: HashSet::new(),
            addresses: (u64::MAX, 0),
            has_flags: false,
        };
        let slots = registry::entries(memory, buffer).take(MAX_REGISTRY_SLOTS);
        let objects = slots.map(|(_, slot)| slot).filter(registry::is_object);
        for object in objects {
            let (lowest, highest) = rules.addresses;
            let near = object.pointer.saturating_sub(NEAR_BYTES);
            let far = object.pointer.saturating_add(NEAR_BYTES);
            rules.addresses = (lowest.min(near), highest.max(far));
            if object.object_type == ObjectType::THREAD.0 {
                if rules.threads.len() < MAX_THREADS {
                    rules.threads.insert(object.pointer);
                }
                // Kernels that register the priorities of threads also record the flag.
                rules.has_flags |= object.thread_priority().is_some();
            }
        }
        rules.has_flags = rules.has_flags || rules.shows_flags(memory, buffer);
        rules
    }

    /// Whether most of the first entries of threads have [`PRIORITY_VALID`].
    fn shows_flags(&self, memory: &Memory<'_>, buffer: &TraceBuffer) -> bool {
        let size = self.layout.entry_bytes();
        let ring = buffer.events_address();
        let runs = records::record_runs(memory, ring, size, 0..buffer.event_slots);
        let slots = runs.flat_map(|run| run.bytes.chunks_exact(size));
        let headers = slots.filter_map(|bytes| EntryHeader::read(self.layout, bytes));
        let of_threads = headers
            .take(MAX_SAMPLES)
            .filter(|it| self.threads.contains(&it.context));
        let (mut with, mut without) = (0_u32, 0_u32);
        for header in of_threads {
            match header.priority & u64::from(PRIORITY_VALID) {
                0 => without += 1,
                _ => with += 1,
            }
        }
        with >= without
    }

    /// Whether several fields of a used entry are impossible.
    pub(super) fn is_damaged(&self, header: &EntryHeader) -> bool {
        let has_id = has_possible_id(header);
        match header.context {
            INTERRUPT => {
                !has_id && header.priority != 0 && !self.threads.contains(&header.priority)
            }
            INITIALIZE => !has_id && header.priority != 0,
            context => {
                !self.is_possible_priority(header.priority)
                    && (!has_id || !self.threads.contains(&context))
            }
        }
    }

    /// Whether at most one field is impossible, which is little evidence next to damage.
    pub(super) fn is_plausible(&self, header: &EntryHeader) -> bool {
        let is_thread = |address: u64| self.threads.contains(&address);
        let possible = match header.context {
            INTERRUPT => [true, header.priority == 0 || is_thread(header.priority)],
            INITIALIZE => [true, header.priority == 0],
            context => [
                is_thread(context),
                self.is_possible_priority(header.priority),
            ],
        };
        let fields = possible.into_iter().chain([has_possible_id(header)]);
        header.is_used() && fields.filter(|is_possible| !is_possible).count() <= 1
    }

    /// Whether all fields that can be checked are right.
    pub(super) fn is_certain(&self, header: &EntryHeader) -> bool {
        let is_thread = |address: u64| self.threads.contains(&address);
        let has_standing = match header.context {
            INTERRUPT => header.priority == 0 || is_thread(header.priority),
            INITIALIZE => header.priority == 0,
            context => self.is_possible_priority(header.priority) && is_thread(context),
        };
        has_standing && header.is_used() && has_possible_id(header)
    }

    /// How many of an entry's information fields are no small numbers, masks, or addresses
    /// near those of the objects, and the sum of these.
    pub(super) fn odd_fields(&self, bytes: &[u8]) -> (usize, u64) {
        let word = self.layout.ulong.bytes();
        let fields = bytes.get(4 * word..).unwrap_or_default();
        let (lowest, highest) = self.addresses;
        let values = fields.chunks_exact(word).map(|field| self.value(field));
        let odd = values.filter(|value| {
            let is_near = (lowest..=highest).contains(value) && value.is_multiple_of(4);
            *value > u64::from(u8::MAX) && *value != u64::from(u32::MAX) && !is_near
        });
        odd.fold((0, 0), |(count, sum), value| {
            (count + 1, value.saturating_add(sum))
        })
    }

    fn value(&self, field: &[u8]) -> u64 {
        let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        match self.layout.order {
            rtoscope_wire::ByteOrder::Big => field.iter().fold(0, add),
            rtoscope_wire::ByteOrder::Little => field.iter().rev().fold(0, add),
        }
    }

    fn is_possible_priority(&self, word: u64) -> bool {
        if !self.has_flags {
            return word <= MAX_PRIORITY;
        }
        let allowed = u64::from(PRIORITY_VALID) | MAX_PRIORITY << THRESHOLD_SHIFT | MAX_PRIORITY;
        word & u64::from(PRIORITY_VALID) != 0 && word & !allowed == 0
    }
}

/// Whether a kernel or the range reserved for applications has the number, on any core.
fn has_possible_id(header: &EntryHeader) -> bool {
    let Ok(id) = u32::try_from(header.id) else {
        return false;
    };
    let (core, kind) = split_id(id);
    core <= MAX_CORE && (1..=LAST_USER_EVENT).contains(&kind.0)
}
