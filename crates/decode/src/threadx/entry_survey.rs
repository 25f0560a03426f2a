//! Surveys event entries, on all cores in parallel: what must be known of all of them to
//! read any of them later.

use super::context_interner::{ContextInterner, ContextTable};
use super::cores::{CoreSet, split_id};
use crate::clock::Stamps;
use crate::records::RecordRun;
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::events::KindCounts;
use rtoscope_trace::{Contexts, Progress, ProgressPhase};
use rtoscope_wire::threadx::{BufferLayout, CONTEXT_UNUSED, EventEntry, UlongSize};
use rtoscope_wire::{ByteOrder, Word};
use std::ops::{Range, RangeInclusive};

/// The used entries of consecutive runs.
#[derive(Default)]
pub(super) struct EntrySurvey<'a> {
    /// Number of entries.
    pub(super) count: usize,
    /// Where they are, in order.
    pub(super) extents: Vec<EntryExtent<'a>>,
    /// The number of the first entry of each run.
    pub(super) run_starts: Vec<u64>,
    /// Unused slots after the first entry.
    pub(super) unused_slots_between: u64,
    /// The cores of the ids, if these are an SMP kernel's.
    pub(super) cores: CoreSet,
    /// The kinds of the ids, if these are an SMP kernel's.
    pub(super) kinds: KindCounts,
    /// The priority word of the first entry of a thread.
    pub(super) first_priority: Option<PriorityWord>,
    /// Priority words of threads with bits above the priority, but without the flag
    /// of a preemption threshold.
    pub(super) unflagged_words: u64,
    /// The first of them, and the number of its entry.
    pub(super) first_unflagged: Option<(u32, PriorityWord)>,
}

/// Used entries that lie one after the other.
#[derive(Clone, Copy)]
pub(super) struct EntryExtent<'a> {
    /// The number of the first entry.
    pub(super) first: usize,
    /// Their bytes.
    pub(super) bytes: &'a [u8],
}

/// The survey of a part of the slots.
#[derive(Default)]
struct PartSurvey<'a> {
    entries: EntrySurvey<'a>,
    unused_before_first: u64,
    /// Addresses of contexts that are not in the registry.
    unknown: Vec<u64>,
}

/// A piece of a run.
#[derive(Clone, Copy)]
struct RunPiece<'a> {
    run: usize,
    bytes: &'a [u8],
}

/// `TX_TRACE_THREAD_RESUME` and `TX_TRACE_THREAD_SUSPEND`: the first argument
/// is a thread, which may not be the running one.
const THREAD_ARGUMENT_EVENTS: RangeInclusive<u32> = 1..=2;

/// Smaller parts are not worth a thread of their own.
const MIN_SLOTS_PER_THREAD: u64 = 1 << 16;

/// Number of slots after which a thread reports its progress.
const SLOTS_PER_STEP: usize = 1 << 18;

/// Calls a generic function with the word and the byte order of a layout as constants, so that
/// loops do not test them.
macro_rules! with_layout {
    ($layout:expr, $call:ident :: <_, _> $arguments:tt) => {
        match ($layout.ulong, $layout.order) {
            (UlongSize::Four, ByteOrder::Little) => $call::<u32, false> $arguments,
            (UlongSize::Four, ByteOrder::Big) => $call::<u32, true> $arguments,
            (UlongSize::Eight, ByteOrder::Little) => $call::<u64, false> $arguments,
            (UlongSize::Eight, ByteOrder::Big) => $call::<u64, true> $arguments,
        }
    };
}
pub(super) use with_layout;

/// All entries in `bytes`.
#[inline(always)]
pub(super) fn entries<W: Word, const BIG: bool>(
    bytes: &[u8],
) -> impl Iterator<Item = EventEntry<W>> {
    let order = match BIG {
        true => ByteOrder::Big,
        false => ByteOrder::Little,
    };
    let slots = bytes.chunks_exact(EventEntry::<W>::BYTES);
    slots.map_while(move |bytes| EventEntry::<W>::read(bytes, order))
}

impl<'a> EntrySurvey<'a> {
    /// Surveys consecutive runs, and adds the contexts that are not in the registry.
    pub(super) fn new(
        layout: BufferLayout,
        runs: &[RecordRun<'a>],
        known: &mut ContextTable,
        progress: &Progress,
    ) -> Self {
        let bytes = runs.iter().map(|run| run.bytes.len() as u64).sum();
        progress.start(ProgressPhase::Decoding, Some(bytes));
        let parts = share_runs(runs, layout.entry_bytes());
        let table = &*known;
        let surveys = rtoscope_trace::parallel::map(parts, |pieces| {
            with_layout!(layout, survey_part::<_, _>(&pieces, table, progress))
        });
        let mut all = Self::default();
        for part in surveys {
            known.add(part.unknown);
            if all.count > 0 {
                all.unused_slots_between += part.unused_before_first;
            }
            all.append(part.entries);
        }
        // Runs without entries.
        all.run_starts.resize(runs.len(), 0);
        all
    }

    /// Adds the entries of later slots.
    fn append(&mut self, later: Self) {
        let before = u32::try_from(self.count).unwrap_or(u32::MAX);
        let moved = later.extents.into_iter().map(|extent| EntryExtent {
            first: self.count + extent.first,
            ..extent
        });
        self.extents.extend(moved);
        let known_runs = self.run_starts.len();
        let starts = later.run_starts.into_iter().skip(known_runs);
        self.run_starts
            .extend(starts.map(|start| self.count as u64 + start));
        self.unused_slots_between += later.unused_slots_between;
        self.cores.extend(&later.cores);
        self.kinds.append(&later.kinds, before);
        self.first_priority = self.first_priority.or(later.first_priority);
        self.unflagged_words += later.unflagged_words;
        let moved = later.first_unflagged;
        let moved = moved.map(|(entry, word)| (before.saturating_add(entry), word));
        self.first_unflagged = self.first_unflagged.or(moved);
        self.count += later.count;
    }

    /// Calls `visit` with the timestamps and ids of these entries.
    pub(super) fn visit(
        &self,
        layout: BufferLayout,
        numbers: Range<usize>,
        visit: impl FnMut(u64, u32),
    ) {
        with_layout!(layout, visit_extents::<_, _>(&self.extents, numbers, visit));
    }
}

#[inline(always)]
fn visit_extents<W: Word, const BIG: bool>(
    extents: &[EntryExtent<'_>],
    numbers: Range<usize>,
    mut visit: impl FnMut(u64, u32),
) {
    let size = EventEntry::<W>::BYTES;
    let after = extents.partition_point(|extent| extent.first <= numbers.start);
    for extent in extents.iter().skip(after.saturating_sub(1)) {
        if extent.first >= numbers.end {
            break;
        }
        let from = numbers
            .start
            .saturating_sub(extent.first)
            .saturating_mul(size);
        let to = (numbers.end - extent.first).saturating_mul(size);
        let bytes = extent.bytes.get(from..to.min(extent.bytes.len()));
        for entry in entries::<W, BIG>(bytes.unwrap_or_default()) {
            let id: u64 = entry.id.into();
            visit(entry.timestamp.into(), id as u32);
        }
    }
}

/// The timestamps of surveyed entries.
pub(super) struct EntryStamps<'s, 'a> {
    pub(super) layout: BufferLayout,
    pub(super) survey: &'s EntrySurvey<'a>,
}

impl Stamps for EntryStamps<'_, '_> {
    fn count(&self) -> usize {
        self.survey.count
    }

    #[inline]
    fn visit(&self, numbers: Range<usize>, mut visit: impl FnMut(u64)) {
        self.survey
            .visit(self.layout, numbers, |stamp, _| visit(stamp));
    }
}

fn survey_part<'a, W: Word, const BIG: bool>(
    pieces: &[RunPiece<'a>],
    known: &ContextTable,
    progress: &Progress,
) -> PartSurvey<'a> {
    let size = EventEntry::<W>::BYTES;
    let mut interner = ContextInterner::new(known);
    let mut part = PartSurvey::default();
    let survey = &mut part.entries;
    for piece in pieces {
        if survey.run_starts.len() <= piece.run {
            let start = survey.count as u64;
            survey.run_starts.resize(piece.run + 1, start);
        }
        let mut extent_start = None;
        let mut at = 0;
        for step in piece.bytes.chunks(SLOTS_PER_STEP * size) {
            for entry in entries::<W, BIG>(step) {
                let address: u64 = entry.context.into();
                at += size;
                if address == u64::from(CONTEXT_UNUSED) {
                    match survey.count {
                        0 => part.unused_before_first += 1,
                        _ => survey.unused_slots_between += 1,
                    }
                    survey.end_extent(piece.bytes, &mut extent_start, at - size, size);
                    continue;
                }
                extent_start.get_or_insert(at - size);
                let number = survey.count as u32;
                let id: u64 = entry.id.into();
                let (core, kind) = split_id(id as u32);
                survey.cores.insert(core);
                survey.kinds.add(kind, number);
                let context = interner.id(address);
                let priority: u64 = entry.priority.into();
                if context == Contexts::INTERRUPT {
                    interner.id(priority);
                } else if context > Contexts::IDLE {
                    let word = PriorityWord(priority as u32);
                    survey.first_priority.get_or_insert(word);
                    if !word.has_threshold() && word.0 > u16::MAX.into() {
                        survey.unflagged_words += 1;
                        survey.first_unflagged.get_or_insert((number, word));
                    }
                }
                if THREAD_ARGUMENT_EVENTS.contains(&kind.0) {
                    // So that a thread that never ran has a context, too.
                    let [thread, ..] = entry.info;
                    interner.id(thread.into());
                }
                survey.count += 1;
            }
            progress.advance(step.len() as u64);
        }
        survey.end_extent(piece.bytes, &mut extent_start, at, size);
    }
    part.unknown = interner.unknown;
    part
}

impl<'a> EntrySurvey<'a> {
    fn end_extent(&mut self, bytes: &'a [u8], start: &mut Option<usize>, end: usize, size: usize) {
        let bytes = start.take().and_then(|start| bytes.get(start..end));
        self.extents.extend(bytes.map(|bytes| EntryExtent {
            first: self.count - bytes.len() / size,
            bytes,
        }));
    }
}

/// Distributes the runs to as many threads as there are cores, in order.
fn share_runs<'a>(runs: &[RecordRun<'a>], entry_bytes: usize) -> Vec<Vec<RunPiece<'a>>> {
    let slots: u64 = runs.iter().map(|run| run.count).sum();
    let cores = rtoscope_trace::parallel::threads() as u64;
    let threads = (slots / MIN_SLOTS_PER_THREAD).clamp(1, cores);
    let per_thread = slots.div_ceil(threads);
    let piece_bytes = |slots: u64| usize::try_from(slots).unwrap_or(usize::MAX) * entry_bytes;
    let mut parts = vec![Vec::new()];
    let mut room = per_thread;
    for (run, number) in runs.iter().zip(0..) {
        let mut bytes = run.bytes;
        while !bytes.is_empty() {
            if room == 0 {
                parts.push(Vec::new());
                room = per_thread;
            }
            let (piece, rest) = bytes.split_at(piece_bytes(room).min(bytes.len()));
            room -= (piece.len() / entry_bytes) as u64;
            bytes = rest;
            if let Some(part) = parts.last_mut() {
                part.push(RunPiece {
                    run: number,
                    bytes: piece,
                });
            }
        }
    }
    parts
}
