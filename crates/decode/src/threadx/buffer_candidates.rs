//! Which of the headers in an input belong to trace buffers: memory also
//! contains copies of headers, for example in a transmit buffer.

use super::buffer::TraceBuffer;
use super::entry_header::EntryHeader;
use super::plausibility::EntryPlausibility;
use crate::memory::Memory;
use crate::records;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind};
use rtoscope_wire::threadx::{BufferLayout, ControlHeader};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// The buffers of an input.
#[derive(Default)]
pub(super) struct BufferSelection {
    /// By address.
    pub(super) buffers: Vec<TraceBuffer>,
    /// The index of the first one with the best evidence.
    pub(super) best: usize,
    /// The headers that were ignored.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Maximum number of slots to examine in each ring.
const MAX_SAMPLED_SLOTS: u64 = 256;

/// Maximum number of buffers with the same header to compare a candidate with.
const MAX_COMPARED_BUFFERS: usize = 8;

/// Among the slots after a copy that ends early, at most one of this many looks like an entry
/// for each that does not.
const IMPOSSIBLE_PER_CHANCE: u64 = 4;

/// What the ring after a header looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RingContent {
    /// Most entries are impossible.
    Impossible,
    /// No slot is written.
    Empty,
    /// Most entries are possible.
    Entries,
}

/// A header, and the evidence for its buffer.
struct Candidate {
    buffer: TraceBuffer,
    content: RingContent,
    /// Possible entries per 1024 written ones.
    possible: u64,
    /// Written slots among those examined.
    written: u64,
    /// Whether the header is at the address that it contains.
    is_in_place: bool,
}

impl Candidate {
    fn new(memory: &Memory<'_>, buffer: TraceBuffer) -> Self {
        let (possible, written) = count_possible(memory, &buffer);
        Self {
            buffer,
            content: content(possible, written),
            possible: (possible << 10).checked_div(written).unwrap_or_default(),
            written,
            is_in_place: memory.has_addresses() && buffer.address == buffer.header.base_address,
        }
    }

    /// Greater for better evidence.
    fn rank(&self) -> impl Ord + use<> {
        // An image of memory starts at a round address.
        let base = self.buffer.header.base_address;
        let roundness = base.wrapping_sub(self.buffer.address).trailing_zeros();
        (
            self.content,
            self.is_in_place,
            self.possible,
            self.written,
            roundness,
            Reverse(self.buffer.address),
        )
    }

    /// All fields but the one that changes while the target records.
    fn identity(&self) -> (BufferLayout, [u64; 7]) {
        let ControlHeader {
            timer_mask,
            base_address,
            registry_start,
            name_size,
            registry_end,
            buffer_start,
            buffer_end,
            ..
        } = self.buffer.header;
        let fields = [
            timer_mask,
            base_address,
            registry_start,
            name_size.into(),
            registry_end,
            buffer_start,
            buffer_end,
        ];
        (self.buffer.layout, fields)
    }

    fn end(&self) -> u64 {
        self.buffer.address.saturating_add(self.buffer.bytes())
    }

    /// Whether both may be dumps in a file that has nothing between them.
    fn is_appended_to(&self, other: &Self) -> bool {
        let distance = self.buffer.address.abs_diff(other.buffer.address);
        distance.is_multiple_of(self.buffer.bytes()) && self.possible == other.possible
    }

    /// Whether the possible entries are the same in `other`, which has the same
    /// header. The copy may end within an entry, and a few of the other bytes
    /// after it may look like entries.
    fn is_contained_in(&self, other: &TraceBuffer, memory: &Memory<'_>) -> bool {
        let size = self.buffer.layout.entry_bytes();
        let ring = self.buffer.events_address();
        let runs = records::record_runs(memory, ring, size, 0..self.buffer.event_slots);
        let slots = runs.flat_map(|run| (run.first..).zip(run.bytes.chunks_exact(size)));
        let plausibility = EntryPlausibility::new(memory, &self.buffer);
        let (mut different, mut impossible) = (0_u64, 0_u64);
        for (slot, bytes) in slots {
            let entry = EntryHeader::read(self.buffer.layout, bytes);
            let Some(entry) = entry.filter(EntryHeader::is_used) else {
                continue;
            };
            let address = other.events_address().saturating_add(slot * size as u64);
            if !plausibility.is_possible(&entry) {
                impossible += 1;
            } else if memory.read(address, size) != Some(bytes) {
                different += 1;
            }
        }
        different <= 1 + impossible / IMPOSSIBLE_PER_CHANCE
    }
}

/// The content of the ring of a buffer.
pub(super) fn ring_content(memory: &Memory<'_>, buffer: &TraceBuffer) -> RingContent {
    let (possible, written) = count_possible(memory, buffer);
    content(possible, written)
}

fn content(possible: u64, written: u64) -> RingContent {
    match written {
        0 => RingContent::Empty,
        written if possible * 2 >= written => RingContent::Entries,
        _ => RingContent::Impossible,
    }
}

/// The number of possible and of written entries among some slots of the ring.
fn count_possible(memory: &Memory<'_>, buffer: &TraceBuffer) -> (u64, u64) {
    let plausibility = EntryPlausibility::new(memory, buffer);
    let size = buffer.layout.entry_bytes();
    let ring = buffer.events_address();
    let runs = || records::record_runs(memory, ring, size, 0..buffer.event_slots);
    let slots: u64 = runs().map(|run| run.count).sum();
    let step = usize::try_from(slots / MAX_SAMPLED_SLOTS).unwrap_or(usize::MAX);
    let samples = runs().flat_map(|run| run.bytes.chunks_exact(size).step_by(step.max(1)));
    let (mut possible, mut written) = (0, 0);
    for entry in samples.filter_map(|bytes| EntryHeader::read(buffer.layout, bytes)) {
        written += u64::from(entry.is_used());
        possible += u64::from(plausibility.is_possible(&entry));
    }
    (possible, written)
}

/// Selects the buffers among those that headers describe. A file (`is_file`) may contain
/// the same whole buffer several times: dumps that were appended.
pub(super) fn select(
    memory: &Memory<'_>,
    found: Vec<TraceBuffer>,
    is_file: bool,
) -> BufferSelection {
    if let [_] = *found {
        return BufferSelection {
            buffers: found,
            best: 0,
            diagnostics: Vec::new(),
        };
    }
    let candidates = found.into_iter().map(|it| Candidate::new(memory, it));
    let mut candidates: Vec<_> = candidates.collect();
    candidates.sort_by_cached_key(|candidate| Reverse(candidate.rank()));
    let mut kept = KeptBuffers {
        is_file,
        ..KeptBuffers::default()
    };
    let mut diagnostics = Vec::new();
    for candidate in candidates {
        match kept.reason_against(&candidate, memory) {
            Some((kind, reason)) => {
                let place = memory.offset_of(candidate.buffer.address);
                let message = format!(
                    "the header for a buffer at {} is ignored: {reason}",
                    Address(candidate.buffer.header.base_address)
                );
                let diagnostic = Diagnostic::new(kind, message);
                diagnostics.push(match place {
                    Some(offset) => diagnostic.at_offset(offset),
                    None => diagnostic,
                });
            }
            None => kept.add(candidate),
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
    let kept: Vec<_> = kept.by_address.into_values().collect();
    let evidence = |it: &Candidate| (it.content, it.is_in_place, it.possible);
    let best = kept.iter().map(evidence).max();
    BufferSelection {
        best: kept
            .iter()
            .position(|it| Some(evidence(it)) == best)
            .unwrap_or_default(),
        buffers: kept.into_iter().map(|it| it.buffer).collect(),
        diagnostics,
    }
}

/// Buffers that do not overlap.
#[derive(Default)]
struct KeptBuffers {
    by_address: BTreeMap<u64, Candidate>,
    /// Whether whole copies are buffers of their own.
    is_file: bool,
    /// The addresses of those with the same header.
    by_header: HashMap<(BufferLayout, [u64; 7]), Vec<u64>>,
}

impl KeptBuffers {
    fn add(&mut self, candidate: Candidate) {
        let address = candidate.buffer.address;
        let same = self.by_header.entry(candidate.identity()).or_default();
        if same.len() < MAX_COMPARED_BUFFERS {
            same.push(address);
        }
        self.by_address.insert(address, candidate);
    }

    /// Why a candidate with weaker evidence is no buffer.
    fn reason_against(
        &self,
        candidate: &Candidate,
        memory: &Memory<'_>,
    ) -> Option<(DiagnosticKind, String)> {
        let at = |buffer: &TraceBuffer| match memory.offset_of(buffer.address) {
            Some(offset) => format!("the buffer at offset {offset:#x}"),
            None => format!("the buffer at {}", Address(buffer.address)),
        };
        let before = self.by_address.range(..candidate.end()).next_back();
        let before = before.map(|(_, before)| before);
        let same = self.by_header.get(&candidate.identity());
        let mut same = same.into_iter().flatten();
        let original = same.find_map(|address| {
            let original = self.by_address.get(address)?;
            if self.is_file && candidate.is_appended_to(original) {
                return None;
            }
            let is_copy = candidate.content == RingContent::Impossible
                && original.content == RingContent::Entries
                || candidate.is_contained_in(&original.buffer, memory);
            is_copy.then_some(original)
        });
        if let Some(original) = original {
            let reason = format!("it is a copy of that of {}", at(&original.buffer));
            return Some((DiagnosticKind::HeaderCopy, reason));
        }
        if let Some(overlapped) = before.filter(|it| it.end() > candidate.buffer.address) {
            let reason = format!("its memory overlaps {}", at(&overlapped.buffer));
            return Some((DiagnosticKind::DoubtfulBuffer, reason));
        }
        let any_sound = || {
            let mut kept = self.by_address.values();
            kept.any(|it| it.content == RingContent::Entries)
        };
        (candidate.content == RingContent::Impossible && any_sound()).then(|| {
            let reason = "most of its entries are impossible".to_owned();
            (DiagnosticKind::DoubtfulBuffer, reason)
        })
    }
}
