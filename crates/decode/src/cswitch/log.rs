//! A located log, before it is decoded.

use super::merge::MergeOrder;
use super::name_source::NameSource;
use rtoscope_symbols::Symbol;
use rtoscope_trace::{Diagnostics, Frequency};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::black_box::BlackBoxHeader;
use rtoscope_wire::cswitch::{CoreHistory, LogEntry, PointerSize};

/// A context-switch log with located and ordered entries.
#[derive(Debug, Clone)]
pub struct SwitchLog<'a> {
    /// The layout of its entries.
    pub layout: EntryLayout,
    /// Whether it is self-contained, in a CSWL container.
    pub is_self_contained: bool,
    /// The counter frequency, if the container has it.
    pub frequency: Option<Frequency>,
    /// The logs of the cores, in the order in which they were found; each core
    /// occurs once.
    pub cores: Vec<CoreLog<'a>>,
    /// The source of thread names.
    pub(super) name_source: NameSource<'a>,
    /// Symbols in the container.
    pub(super) symbols: Vec<Symbol>,
    /// The order and the times of the entries, if they are known in advance.
    /// All entries are then events.
    pub(super) merge_order: Option<MergeOrder>,
    /// Whether its first entries continue those of an earlier part.
    pub(super) is_continuation: bool,
    /// The header of the black box from which the log was recovered.
    pub black_box: Option<BlackBoxHeader>,
    /// Damaged, unusual or missing parts.
    pub diagnostics: Diagnostics,
}

impl SwitchLog<'_> {
    /// The empty log of a container.
    pub(super) fn contained(shape: EntryLayout, frequency: Option<Frequency>) -> Self {
        Self {
            layout: shape,
            is_self_contained: true,
            frequency,
            cores: Vec::new(),
            name_source: NameSource::default(),
            symbols: Vec::new(),
            merge_order: None,
            is_continuation: false,
            black_box: None,
            diagnostics: Diagnostics::default(),
        }
    }
}

/// The layout of a log's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryLayout {
    /// The target's byte order.
    pub order: ByteOrder,
    /// The size of a pointer.
    pub pointer: PointerSize,
    /// The width of the counter, 1 to 32 bits.
    pub counter_bits: u8,
}

impl EntryLayout {
    /// Size of an entry in bytes.
    pub fn entry_bytes(self) -> usize {
        self.pointer.entry_bytes()
    }

    /// The counter's mask.
    pub fn counter_mask(self) -> u32 {
        u32::MAX >> (u32::BITS - u32::from(self.counter_bits).clamp(1, u32::BITS))
    }

    /// Reads the entry at the start of `bytes`; `None` if `bytes` is too short.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8]) -> Option<LogEntry> {
        LogEntry::read(bytes, self.pointer, self.order).ok()
    }
}

/// Whether entries before the first one of a log were overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwritten {
    /// None was.
    #[default]
    No,
    /// Some were.
    Yes {
        /// Their number, if it is known.
        entries: Option<u64>,
    },
    /// Nothing shows it: a ring that has just filled its last slot looks like a
    /// new one.
    Unknown,
}

impl Overwritten {
    /// Some entries; `preceding` is their number, if it is known.
    pub(super) fn some(preceding: Option<u64>) -> Self {
        Self::Yes {
            entries: preceding.filter(|entries| *entries > 0),
        }
    }

    /// Whether some were.
    pub const fn is_certain(self) -> bool {
        matches!(self, Self::Yes { .. })
    }

    /// Whether some were; `None` if unknown.
    pub const fn known(self) -> Option<bool> {
        match self {
            Self::No => Some(false),
            Self::Yes { .. } => Some(true),
            Self::Unknown => None,
        }
    }

    /// How many; `None` if unknown.
    pub const fn entries(self) -> Option<u64> {
        match self {
            Self::No => Some(0),
            Self::Yes { entries } => entries,
            Self::Unknown => None,
        }
    }
}

/// The log of one core.
#[derive(Debug, Clone, Default)]
pub struct CoreLog<'a> {
    /// The core's number.
    pub core: u8,
    /// Whether the buffer is a ring; `None` if unknown.
    pub cyclic: Option<bool>,
    /// Whether entries before the first one were overwritten.
    pub overwritten: Overwritten,
    /// Whether the buffer is full and not a ring, as far as known.
    pub is_full: bool,
    /// Entries lost because the buffer was full, if the target counts them.
    pub lost_entries: Option<u64>,
    /// Total idle ticks, if the target counts them.
    pub idle_ticks: Option<u64>,
    /// The time of the last entry in ticks, if it has more bits than the counter.
    pub(super) last_ticks: Option<u64>,
    /// The entry numbers, if known.
    pub(super) core_past: Option<CoreHistory>,
    /// The entries, oldest first.
    pub(super) parts: Vec<LogPart<'a>>,
}

/// Consecutive entries.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogPart<'a> {
    /// Complete entries only.
    pub(super) bytes: &'a [u8],
    /// The entries missing between the previous part and this one.
    pub(super) missing: MissingEntries,
    /// The epoch of the names of its threads: see [`NameTable`](super::live::NameTable).
    pub(super) epoch: u32,
}

/// Missing entries between two consecutive ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum MissingEntries {
    /// None.
    #[default]
    None,
    /// This many, at least one.
    Known(u64),
    /// An unknown number, possibly none.
    Unknown,
}

impl MissingEntries {
    pub(super) fn from_count(count: u64) -> Self {
        match count {
            0 => Self::None,
            count => Self::Known(count),
        }
    }

    /// Adds two consecutive gaps.
    pub(super) fn plus(self, more: Self) -> Self {
        match (self, more) {
            (Self::None, other) | (other, Self::None) => other,
            (Self::Known(one), Self::Known(other)) => Self::Known(one.saturating_add(other)),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
        }
    }
}

impl CoreLog<'_> {
    /// Total size of all entries.
    pub fn entry_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes.len() as u64).sum()
    }
}
