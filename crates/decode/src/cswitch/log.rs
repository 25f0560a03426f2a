//! A log as it was found, before it is decoded.

use super::merge_order::MergeOrder;
use super::name_source::NameSource;
use crate::symbols::Symbol;
use rtoscope_trace::{Diagnostics, Frequency};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{CoreHistory, LogEntry, PointerSize};

/// A context-switch log, its entries found and put into order.
#[derive(Debug, Clone)]
pub struct SwitchLog<'a> {
    /// How it is laid out.
    pub layout: EntryLayout,
    /// Whether it is self-contained, in a CSWL container.
    pub is_self_contained: bool,
    /// How often the counter ticks, if the container says so.
    pub frequency: Option<Frequency>,
    /// The logs of the cores, in the order in which they were found; each
    /// core's number once.
    pub cores: Vec<CoreLog<'a>>,
    /// Where the names of threads are read.
    pub(super) name_source: NameSource<'a>,
    /// Symbols that the container brings.
    pub(super) symbols: Vec<Symbol>,
    /// The order and the times of the entries, all of which are events, if they
    /// need not be found out.
    pub(super) merge_order: Option<MergeOrder>,
    /// What is damaged, odd or missing.
    pub diagnostics: Diagnostics,
}

impl SwitchLog<'_> {
    /// What a container holds before anything is read from it or put into it.
    pub(super) fn contained(shape: EntryLayout, frequency: Option<Frequency>) -> Self {
        Self {
            layout: shape,
            is_self_contained: true,
            frequency,
            cores: Vec::new(),
            name_source: NameSource::default(),
            symbols: Vec::new(),
            merge_order: None,
            diagnostics: Diagnostics::default(),
        }
    }
}

/// How the entries of a log are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryLayout {
    /// The target's byte order.
    pub order: ByteOrder,
    /// Bytes of a pointer.
    pub pointer: PointerSize,
    /// Bits that the counter counts with, 1 to 32.
    pub counter_bits: u8,
}

impl EntryLayout {
    /// Bytes of an entry.
    pub fn entry_bytes(self) -> usize {
        self.pointer.entry_bytes()
    }

    /// The values that the counter can show, as a mask.
    pub fn counter_mask(self) -> u32 {
        u32::MAX >> (u32::BITS - u32::from(self.counter_bits).clamp(1, u32::BITS))
    }

    /// Reads the entry at the start of `entry_bytes`; `None` if they are too few.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8]) -> Option<LogEntry> {
        LogEntry::read(bytes, self.pointer, self.order).ok()
    }
}

/// The log of one core.
#[derive(Debug, Clone)]
pub struct CoreLog<'a> {
    /// The core's number.
    pub core: u8,
    /// Whether the buffer is used as a ring; `None` if nothing says so.
    pub cyclic: Option<bool>,
    /// Whether entries have been overwritten.
    pub is_wrapped: bool,
    /// Whether the buffer has no room for another entry and is no ring, as far as
    /// that is known.
    pub is_full: bool,
    /// Entries that were not taken, as the buffer was full, if the target
    /// counts them.
    pub lost_entries: Option<u64>,
    /// Ticks spent idle in all, if the target sums them up.
    pub idle_ticks: Option<u64>,
    /// Which of its entries these are, if that is known.
    pub(super) core_past: Option<CoreHistory>,
    /// The entries, oldest first.
    pub(super) parts: Vec<LogPart<'a>>,
}

/// Entries that stand one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogPart<'a> {
    /// Whole entries and nothing else.
    pub(super) bytes: &'a [u8],
    /// What is missing between those before and these.
    pub(super) missing: MissingEntries,
}

/// Entries that are missing between two that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingEntries {
    /// None.
    None,
    /// So many, at least one.
    Known(u64),
    /// Some, or none: nothing says how many.
    Unknown,
}

impl MissingEntries {
    pub(super) fn from_count(count: u64) -> Self {
        match count {
            0 => Self::None,
            count => Self::Known(count),
        }
    }

    /// This and more.
    pub(super) fn plus(self, more: Self) -> Self {
        match (self, more) {
            (Self::None, other) | (other, Self::None) => other,
            (Self::Known(one), Self::Known(other)) => Self::Known(one.saturating_add(other)),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
        }
    }
}

impl CoreLog<'_> {
    /// Bytes of all entries.
    pub fn entry_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes.len() as u64).sum()
    }
}
