//! Decides whether the kernel can have written an entry.

use crate::records::RecordRun;
use crate::threadx::columns::split_id;
use crate::threadx::entry_header::EntryHeader;
use rtoscope_trace::{ObjectClass, Objects};
use rtoscope_wire::threadx::{
    BufferLayout, CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, LAST_USER_EVENT, PRIORITY_VALID,
};
use std::collections::HashSet;

/// What the entries of a buffer can contain.
pub(super) struct EntryValidator {
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

/// Entries that show whether the kernel writes [`PRIORITY_VALID`].
const MAX_SAMPLES: usize = 4096;

/// Stacks and control blocks are near the registered objects.
const NEAR_BYTES: u64 = 1 << 16;

const INTERRUPT: u64 = CONTEXT_INTERRUPT as u64;
const INITIALIZE: u64 = CONTEXT_INITIALIZE as u64;

impl EntryValidator {
    pub(super) fn new(layout: BufferLayout, objects: &Objects, runs: &[RecordRun<'_>]) -> Self {
        let threads = objects.iter().filter(|it| it.class == ObjectClass::Thread);
        let threads: HashSet<u64> = threads.map(|it| it.address.0).collect();
        let addresses = || objects.iter().map(|it| it.address.0);
        let lowest = addresses().min().unwrap_or_default();
        let highest = addresses().max().unwrap_or_default();
        let mut of_threads = objects.iter().filter(|it| threads.contains(&it.address.0));
        // Kernels that register the priorities of threads also record the flag.
        let has_flags =
            of_threads.any(|it| it.priority.is_some()) || has_flags(layout, &threads, runs);
        Self {
            layout,
            threads,
            addresses: (
                lowest.saturating_sub(NEAR_BYTES),
                highest.saturating_add(NEAR_BYTES),
            ),
            has_flags,
        }
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

    /// Whether the last words of an entry may be its information fields: small numbers,
    /// masks, or addresses near those of the objects.
    pub(super) fn has_possible_fields(&self, bytes: &[u8]) -> bool {
        let word = self.layout.ulong.bytes();
        let fields = bytes.get(4 * word..).unwrap_or_default();
        fields.chunks_exact(word).all(|field| {
            let value = self.value(field);
            let (lowest, highest) = self.addresses;
            value <= u64::from(u8::MAX)
                || value == u64::from(u32::MAX)
                || ((lowest..=highest).contains(&value) && value.is_multiple_of(4))
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

/// Whether most of the first entries of threads have [`PRIORITY_VALID`].
fn has_flags(layout: BufferLayout, threads: &HashSet<u64>, runs: &[RecordRun<'_>]) -> bool {
    let entries = runs
        .iter()
        .flat_map(|run| run.bytes.chunks_exact(layout.entry_bytes()));
    let headers = entries.filter_map(|bytes| EntryHeader::read(layout, bytes));
    let of_threads = headers
        .take(MAX_SAMPLES)
        .filter(|header| threads.contains(&header.context));
    let (mut with, mut without) = (0_u32, 0_u32);
    for header in of_threads {
        match header.priority & u64::from(PRIORITY_VALID) {
            0 => without += 1,
            _ => with += 1,
        }
    }
    with >= without
}

/// Whether a kernel or the range reserved for applications has the number, on any core.
fn has_possible_id(header: &EntryHeader) -> bool {
    let Ok(id) = u32::try_from(header.id) else {
        return false;
    };
    let (core, kind) = split_id(id);
    core <= MAX_CORE && (1..=LAST_USER_EVENT).contains(&kind.0)
}
