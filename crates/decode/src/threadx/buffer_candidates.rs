//! Which of the headers in an input belong to trace buffers: memory also
//! contains copies of headers, for example in a transmit buffer.

use super::buffer::TraceBuffer;
use super::entry_header::EntryHeader;
use super::entry_rules::EntryRules;
use crate::memory::Memory;
use crate::records;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind};
use rtoscope_wire::threadx::{BufferLayout, ControlHeader};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The buffers of an input.
#[derive(Default)]
pub(super) struct BufferSelection {
    /// By address.
    pub(super) buffers: Vec<Candidate>,
    /// The index of the first one with the best evidence.
    pub(super) best: usize,
    /// The headers that were ignored.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Maximum number of slots to examine in each ring.
const MAX_SAMPLED_SLOTS: u64 = 256;

/// Maximum number of buffers with the same header to compare a candidate with.
const MAX_COMPARED_BUFFERS: usize = 8;

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
pub(super) struct Candidate {
    pub(super) buffer: TraceBuffer,
    /// What its entries can contain.
    pub(super) rules: Arc<EntryRules>,
    pub(super) content: RingContent,
    /// Possible entries per 1024 written ones.
    possible: u64,
    /// Written slots among those examined.
    written: u64,
    /// Whether the header is at the address that it contains.
    is_in_place: bool,
}

impl Candidate {
    pub(super) fn new(memory: &Memory<'_>, buffer: TraceBuffer) -> Self {
        let rules = EntryRules::new(memory, &buffer);
        let (possible, written) = count_possible(memory, &buffer, &rules);
        Self {
            buffer,
            rules: Arc::new(rules),
            content: match written {
                0 => RingContent::Empty,
                written if possible * 2 >= written => RingContent::Entries,
                _ => RingContent::Impossible,
            },
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

    /// The slots with possible entries that are others in `other`, which has the same header.
    fn different_slots<'m>(
        &self,
        other: &Self,
        memory: &'m Memory<'_>,
    ) -> impl Iterator<Item = (&'m [u8], Option<&'m [u8]>)> {
        let layout = self.buffer.layout;
        let size = layout.entry_bytes();
        let ring = self.buffer.events_address();
        let runs = records::record_runs(memory, ring, size, 0..self.buffer.event_slots);
        let slots = runs.flat_map(move |run| (run.first..).zip(run.bytes.chunks_exact(size)));
        let others = other.buffer.events_address();
        slots.filter_map(move |(slot, bytes)| {
            let of_other = memory.read(others.saturating_add(slot * size as u64), size);
            let is_possible = || {
                let entry = EntryHeader::read(layout, bytes);
                entry.is_some_and(|entry| self.rules.is_plausible(&entry))
            };
            (of_other != Some(bytes) && is_possible()).then_some((bytes, of_other))
        })
    }

    /// Whether the possible entries are the same in `other`, which has the same
    /// header. The copy may end within an entry.
    fn is_contained_in(&self, other: &Self, memory: &Memory<'_>) -> bool {
        self.different_slots(other, memory).nth(1).is_none()
    }

    /// Whether this is a copy of `whole` that ends earlier.
    fn ends_before(&self, whole: &Self, memory: &Memory<'_>) -> bool {
        if self.is_in_place != whole.is_in_place || !self.is_contained_in(whole, memory) {
            return false;
        }
        if !whole.is_contained_in(self, memory) {
            return true;
        }
        // Only one entry differs: a copy is followed by nothing, or by what is no field of an
        // entry. If both may be the fields, nothing shows which is the copy.
        let Some((bytes, Some(in_whole))) = self.different_slots(whole, memory).next() else {
            return false;
        };
        let same = bytes
            .iter()
            .zip(in_whole)
            .take_while(|(one, other)| one == other);
        let same = same.count();
        let is_blank = |it: &Self, entry: &[u8]| {
            let is_zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
            let following = memory.read(it.end(), entry.len());
            following.is_some_and(is_zero) && entry.get(same..).is_some_and(is_zero)
        };
        let oddness = |entry: &[u8]| {
            let header = EntryHeader::read(self.buffer.layout, entry);
            let is_certain = header.is_some_and(|header| self.rules.is_certain(&header));
            (!is_certain, self.rules.odd_fields(entry))
        };
        match (is_blank(self, bytes), is_blank(whole, in_whole)) {
            (is_cut, is_whole_cut) if is_cut != is_whole_cut => is_cut,
            _ => oddness(bytes) > oddness(in_whole),
        }
    }
}

/// The number of possible and of written entries among some slots of the ring.
fn count_possible(memory: &Memory<'_>, buffer: &TraceBuffer, rules: &EntryRules) -> (u64, u64) {
    let size = buffer.layout.entry_bytes();
    let ring = buffer.events_address();
    let runs = || records::record_runs(memory, ring, size, 0..buffer.event_slots);
    let slots: u64 = runs().map(|run| run.count).sum();
    let step = usize::try_from(slots / MAX_SAMPLED_SLOTS).unwrap_or(usize::MAX);
    let samples = runs().flat_map(|run| run.bytes.chunks_exact(size).step_by(step.max(1)));
    let (mut possible, mut written) = (0, 0);
    for entry in samples.filter_map(|bytes| EntryHeader::read(buffer.layout, bytes)) {
        written += u64::from(entry.is_used());
        possible += u64::from(rules.is_plausible(&entry));
    }
    (possible, written)
}

/// Selects the buffers among those that headers describe. A file (`is_file`) may contain
/// the same whole buffer several times: dumps that were appended.
pub(super) fn select(
    memory: &Memory<'_>,
    mut candidates: Vec<Candidate>,
    is_file: bool,
) -> BufferSelection {
    candidates.sort_by_cached_key(|candidate| Reverse(candidate.rank()));
    let mut kept = KeptBuffers {
        is_file,
        ..KeptBuffers::default()
    };
    let mut diagnostics = Vec::new();
    for candidate in candidates {
        let candidate = kept.exchange(candidate, memory);
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
        buffers: kept,
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

    /// Adds a candidate instead of a copy of it that ends earlier; returns the one to be added.
    fn exchange(&mut self, candidate: Candidate, memory: &Memory<'_>) -> Candidate {
        let is_cut = |kept: &Candidate| {
            !(self.is_file && candidate.is_appended_to(kept))
                && kept.ends_before(&candidate, memory)
        };
        let cut = self.same_header(&candidate).find(|kept| is_cut(kept));
        let Some(address) = cut.map(|cut| cut.buffer.address) else {
            return candidate;
        };
        let overlapped = self.overlapped(&candidate);
        if overlapped.is_some_and(|it| it.buffer.address != address) {
            return candidate;
        }
        let Some(cut) = self.by_address.remove(&address) else {
            return candidate;
        };
        let same = self.by_header.entry(candidate.identity()).or_default();
        same.retain(|it| *it != address);
        self.add(candidate);
        cut
    }

    /// The buffers with the same header.
    fn same_header(&self, candidate: &Candidate) -> impl Iterator<Item = &Candidate> {
        let same = self.by_header.get(&candidate.identity());
        let same = same.into_iter().flatten();
        same.filter_map(|address| self.by_address.get(address))
    }

    /// The buffer that contains memory of a candidate.
    fn overlapped(&self, candidate: &Candidate) -> Option<&Candidate> {
        let mut before = self.by_address.range(..candidate.end());
        let (_, before) = before.next_back()?;
        (before.end() > candidate.buffer.address).then_some(before)
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
        let original = self.same_header(candidate).find(|original| {
            if self.is_file && candidate.is_appended_to(original) {
                return false;
            }
            candidate.content == RingContent::Impossible && original.content == RingContent::Entries
                || candidate.is_contained_in(original, memory)
        });
        if let Some(original) = original {
            let reason = format!("it is a copy of that of {}", at(&original.buffer));
            return Some((DiagnosticKind::HeaderCopy, reason));
        }
        if let Some(overlapped) = self.overlapped(candidate) {
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
