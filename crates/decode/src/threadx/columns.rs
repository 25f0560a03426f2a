//! Decodes event entries into columns, on all cores in parallel.

use super::context_interner::{ContextInterner, ContextTable};
use crate::records::RecordRun;
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::events::{ArgumentColumn, EventColumns, WordColumn};
use rtoscope_trace::extras::Extras;
use rtoscope_trace::{ContextId, Contexts, EventKindId, Progress, ProgressPhase};
use rtoscope_wire::threadx::{BufferLayout, CONTEXT_UNUSED, EventEntry, UlongSize};
use rtoscope_wire::{ByteOrder, Word};
use std::ops::{Range, RangeInclusive};

/// The decoded columns before unwrapping times; every id is split into core and
/// kind.
pub(crate) struct DecodedEntries {
    /// All columns except [`EventColumns::time`].
    pub(crate) columns: EventColumns,
    /// The number of the first event of each run.
    pub(crate) run_starts: Vec<u64>,
    /// Unused slots after the first event.
    pub(crate) unused_slots_between: u64,
}

/// SMP kernels store the core number in bits 24 to 31 of an id.
pub(crate) const CORE_SHIFT: u32 = 24;

/// The bits of an id that contain the event number of an SMP kernel.
const NUMBER_MASK: u32 = (1 << CORE_SHIFT) - 1;

/// `TX_TRACE_THREAD_RESUME` and `TX_TRACE_THREAD_SUSPEND`: the first argument
/// is a thread, which may not be the running one.
const THREAD_ARGUMENT_EVENTS: RangeInclusive<u32> = 1..=2;

/// Smaller parts are not worth a thread of their own.
const MIN_SLOTS_PER_THREAD: u64 = 1 << 16;

/// Number of slots after which a thread reports its progress.
const SLOTS_PER_STEP: usize = 1 << 18;

/// Decodes consecutive runs.
pub(crate) fn decode(
    layout: BufferLayout,
    runs: &[RecordRun<'_>],
    known: &mut ContextTable,
    progress: &Progress,
) -> DecodedEntries {
    let bytes = runs.iter().map(|run| run.bytes.len() as u64).sum();
    progress.start(ProgressPhase::Decoding, Some(bytes));
    match layout.ulong {
        UlongSize::Four => {
            let columns = EntryColumns::<u32>::decode(layout.order, runs, known, progress);
            columns.finish(WordColumn::Narrow, ArgumentColumn::Narrow)
        }
        UlongSize::Eight => {
            let columns = EntryColumns::<u64>::decode(layout.order, runs, known, progress);
            columns.finish(WordColumn::Wide, ArgumentColumn::Wide)
        }
    }
}

/// Splits an SMP kernel's id into the core and the event number.
#[inline(always)]
pub(crate) fn split_id(id: u32) -> (u8, EventKindId) {
    ((id >> CORE_SHIFT) as u8, EventKindId(id & NUMBER_MASK))
}

struct EntryColumns<W> {
    timestamp: Vec<W>,
    core: Vec<u8>,
    context: Vec<ContextId>,
    kind: Vec<EventKindId>,
    priority_word: Vec<PriorityWord>,
    arguments: Vec<[W; 4]>,
    run_starts: Vec<u64>,
    unused_slots_between: u64,
}

/// A part of the columns that one thread fills from its start.
struct ColumnsPart<'c, W> {
    timestamp: &'c mut [W],
    core: &'c mut [u8],
    context: &'c mut [ContextId],
    kind: &'c mut [EventKindId],
    priority_word: &'c mut [PriorityWord],
    arguments: &'c mut [[W; 4]],
}

/// The result of filling a part.
#[derive(Default)]
struct FilledPart {
    /// Events in the part's columns, from their start.
    events: usize,
    /// The number of events from each of the part's pieces.
    piece_events: Vec<usize>,
    unused_before_first: u64,
    unused_after_first: u64,
    /// Addresses of contexts that are not in the registry.
    unknown: Vec<u64>,
}

/// A piece of a run that one thread decodes.
#[derive(Clone, Copy)]
struct RunPiece<'a> {
    run: usize,
    bytes: &'a [u8],
}

impl<W: Word + Send> EntryColumns<W> {
    fn decode(
        order: ByteOrder,
        runs: &[RecordRun<'_>],
        known: &mut ContextTable,
        progress: &Progress,
    ) -> Self {
        let slots: u64 = runs.iter().map(|run| run.count).sum();
        let parts = share_runs(runs, slots, EventEntry::<W>::BYTES);
        let count = usize::try_from(slots).unwrap_or(usize::MAX);
        // Zeroed columns cost nothing until a thread touches their pages.
        let mut columns = Self {
            timestamp: vec![W::default(); count],
            core: vec![0; count],
            context: vec![ContextId(0); count],
            kind: vec![EventKindId(0); count],
            priority_word: vec![PriorityWord(0); count],
            arguments: vec![[W::default(); 4]; count],
            run_starts: vec![0; runs.len()],
            unused_slots_between: 0,
        };
        let sizes: Vec<usize> = parts.iter().map(|pieces| slots_of::<W>(pieces)).collect();
        let filled = columns.fill(order, &parts, &sizes, known, progress);
        columns.close_gaps(&parts, &sizes, filled, known);
        columns
    }

    fn fill(
        &mut self,
        order: ByteOrder,
        parts: &[Vec<RunPiece<'_>>],
        sizes: &[usize],
        known: &ContextTable,
        progress: &Progress,
    ) -> Vec<FilledPart> {
        let mut rest = ColumnsPart {
            timestamp: &mut self.timestamp,
            core: &mut self.core,
            context: &mut self.context,
            kind: &mut self.kind,
            priority_word: &mut self.priority_word,
            arguments: &mut self.arguments,
        };
        let mut tasks = Vec::new();
        for (pieces, size) in parts.iter().zip(sizes) {
            let (part, following) = rest.split(*size);
            rest = following;
            tasks.push((part, pieces));
        }
        rtoscope_trace::parallel::map(tasks, |(part, pieces)| {
            part.fill(order, pieces, known, progress)
        })
    }

    /// Closes the gaps that unused slots left after the parts, and assigns the
    /// final context ids.
    fn close_gaps(
        &mut self,
        parts: &[Vec<RunPiece<'_>>],
        sizes: &[usize],
        filled: Vec<FilledPart>,
        known: &mut ContextTable,
    ) {
        let first_unknown = known.contexts.len();
        let mut from = 0;
        let mut to = 0;
        let mut last_run = None;
        for ((pieces, size), filled) in parts.iter().zip(sizes).zip(filled) {
            if from != to {
                self.move_part(from, to, filled.events);
            }
            if !filled.unknown.is_empty() {
                let settled = known.assign_ids(filled.unknown);
                self.renumber(to..to + filled.events, first_unknown, &settled);
            }
            let mut start = to;
            for (piece, events) in pieces.iter().zip(filled.piece_events) {
                if last_run != Some(piece.run)
                    && let Some(run_start) = self.run_starts.get_mut(piece.run)
                {
                    *run_start = start as u64;
                }
                last_run = Some(piece.run);
                start += events;
            }
            if to > 0 {
                self.unused_slots_between += filled.unused_before_first;
            }
            self.unused_slots_between += filled.unused_after_first;
            from += size;
            to += filled.events;
        }
        self.truncate(to);
    }

    fn move_part(&mut self, from: usize, to: usize, count: usize) {
        let source = from..from + count;
        self.timestamp.copy_within(source.clone(), to);
        self.core.copy_within(source.clone(), to);
        self.context.copy_within(source.clone(), to);
        self.kind.copy_within(source.clone(), to);
        self.priority_word.copy_within(source.clone(), to);
        self.arguments.copy_within(source, to);
    }

    /// Replaces the provisional context ids of a part, from `first` on, by
    /// those of the whole trace.
    fn renumber(&mut self, part: Range<usize>, first: usize, settled: &[ContextId]) {
        let renumber = |id: &mut ContextId| {
            let settled = id.index().checked_sub(first).and_then(|at| settled.get(at));
            if let Some(settled) = settled {
                *id = *settled;
            }
        };
        let contexts = self.context.get_mut(part.clone()).unwrap_or_default();
        let standings = self.priority_word.get_mut(part).unwrap_or_default();
        for (context, standing) in contexts.iter_mut().zip(standings) {
            if *context == Contexts::INTERRUPT {
                let mut interrupted = ContextId(standing.0);
                renumber(&mut interrupted);
                *standing = PriorityWord::interrupted(interrupted);
            } else {
                renumber(context);
            }
        }
    }

    fn truncate(&mut self, count: usize) {
        macro_rules! truncate {
            ($($column:ident)*) => {$(
                self.$column.truncate(count);
                self.$column.shrink_to_fit();
            )*};
        }
        truncate!(timestamp core context kind priority_word arguments);
    }

    fn finish(
        self,
        words: impl Fn(Vec<W>) -> WordColumn,
        arguments: impl Fn(Vec<[W; 4]>) -> ArgumentColumn,
    ) -> DecodedEntries {
        DecodedEntries {
            columns: EventColumns {
                time: Vec::new(),
                timestamp: words(self.timestamp),
                core: self.core,
                context: self.context,
                kind: self.kind,
                priority_word: self.priority_word,
                arguments: arguments(self.arguments),
                extras: Extras::default(),
            },
            run_starts: self.run_starts,
            unused_slots_between: self.unused_slots_between,
        }
    }
}

impl<'c, W: Word> ColumnsPart<'c, W> {
    /// The first `count` rows, and the rest.
    fn split(self, count: usize) -> (Self, Self) {
        macro_rules! split {
            ($($column:ident)*) => {{
                $(let $column = self.$column.split_at_mut(count.min(self.$column.len()));)*
                (
                    Self { $($column: $column.0),* },
                    Self { $($column: $column.1),* },
                )
            }};
        }
        split!(timestamp core context kind priority_word arguments)
    }

    fn fill(
        self,
        order: ByteOrder,
        pieces: &[RunPiece<'_>],
        known: &ContextTable,
        progress: &Progress,
    ) -> FilledPart {
        // A constant byte order, so that the loop does not test it.
        match order {
            ByteOrder::Little => self.fill_ordered::<false>(pieces, known, progress),
            ByteOrder::Big => self.fill_ordered::<true>(pieces, known, progress),
        }
    }

    fn fill_ordered<const BIG: bool>(
        self,
        pieces: &[RunPiece<'_>],
        known: &ContextTable,
        progress: &Progress,
    ) -> FilledPart {
        let order = if BIG {
            ByteOrder::Big
        } else {
            ByteOrder::Little
        };
        let mut interner = ContextInterner::new(known);
        let mut filled = FilledPart::default();
        let mut rows = (self.timestamp.iter_mut())
            .zip(self.core)
            .zip(self.context)
            .zip(self.kind)
            .zip(self.priority_word)
            .zip(self.arguments);
        for piece in pieces {
            let before = filled.events;
            for step in piece.bytes.chunks(SLOTS_PER_STEP * EventEntry::<W>::BYTES) {
                for bytes in step.chunks_exact(EventEntry::<W>::BYTES) {
                    let Some(entry) = EventEntry::<W>::read(bytes, order) else {
                        break;
                    };
                    let address: u64 = entry.context.into();
                    if address == u64::from(CONTEXT_UNUSED) {
                        if filled.events == 0 {
                            filled.unused_before_first += 1;
                        } else {
                            filled.unused_after_first += 1;
                        }
                        continue;
                    }
                    let Some((((((stamp, core), context), kind), standing), arguments)) =
                        rows.next()
                    else {
                        break;
                    };
                    let id: u64 = entry.id.into();
                    *stamp = entry.timestamp;
                    (*core, *kind) = split_id(id as u32);
                    *context = interner.id(address);
                    *standing = interner.priority_word(*context, entry.priority.into());
                    *arguments = entry.info;
                    if THREAD_ARGUMENT_EVENTS.contains(&kind.0) {
                        // So that a thread that never ran has a context, too.
                        interner.id(entry.info[0].into());
                    }
                    filled.events += 1;
                }
                progress.advance(step.len() as u64);
            }
            filled.piece_events.push(filled.events - before);
        }
        filled.unknown = interner.unknown;
        filled
    }
}

/// Distributes the runs to as many threads as there are cores, in order.
fn share_runs<'a>(
    runs: &[RecordRun<'a>],
    slots: u64,
    entry_bytes: usize,
) -> Vec<Vec<RunPiece<'a>>> {
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

fn slots_of<W: Word>(pieces: &[RunPiece<'_>]) -> usize {
    let bytes: usize = pieces.iter().map(|piece| piece.bytes.len()).sum();
    bytes / EventEntry::<W>::BYTES
}
