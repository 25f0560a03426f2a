//! A trace in progress: the events of entries, before their times and gaps are
//! known.

use super::columns::{self, DecodedEntries};
use super::context_interner::ContextTable;
use super::cores::CoreBits;
use super::{FORMAT_EVENT, ThreadXOptions, call_stacks, cores, sleeps, symbol_names, trace_checks};
use crate::clock::{self, UnwrappedTimes};
use crate::format_strings;
use crate::records::RecordRun;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::events::WordColumn;
use rtoscope_trace::{
    Catalogue, CodeLocations, ContextId, Contexts, Diagnostic, DiagnosticKind, Diagnostics,
    EventColumns, EventIndex, Events, Gap, Objects, Progress, SwitchModel, Trace,
};
use rtoscope_wire::threadx::BufferLayout;

/// The events of entries, without their times.
pub(crate) struct PartialTrace {
    pub(crate) columns: EventColumns,
    /// The number of the first event of each run of entries.
    pub(crate) run_starts: Vec<u64>,
    objects: Objects,
    contexts: Contexts,
    unused_slots_between: u64,
    unflagged_words: Option<Diagnostic>,
}

/// The parts that complete a trace.
pub(crate) struct TraceParts<'o> {
    pub(crate) unwrapped: UnwrappedTimes,
    pub(crate) catalogue: Catalogue,
    /// Each with its diagnostic.
    pub(crate) gaps: Vec<(Gap, Diagnostic)>,
    /// Diagnostics so far.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether events before the first one were overwritten.
    pub(crate) is_wrapped: bool,
    /// Whether damaged entries were skipped.
    pub(crate) is_damaged: bool,
    pub(crate) is_registry_full: bool,
    pub(crate) options: &'o ThreadXOptions,
}

impl PartialTrace {
    /// Decodes consecutive runs of entries that refer to `objects`.
    pub(crate) fn new(
        layout: BufferLayout,
        runs: &[RecordRun<'_>],
        objects: Objects,
        progress: &Progress,
    ) -> Self {
        let mut known = ContextTable::new(&objects);
        let DecodedEntries {
            mut columns,
            run_starts,
            unused_slots_between: unused_between,
        } = columns::decode(layout, runs, &mut known, progress);
        forget_interrupted(&mut columns);
        let unflagged = unflagged_words(&columns);
        Self {
            columns,
            run_starts,
            objects,
            contexts: known.contexts,
            unused_slots_between: unused_between,
            unflagged_words: unflagged,
        }
    }

    /// The timestamps as one counter would show them, if cores have counters of their
    /// own, and the diagnostics that say so.
    pub(crate) fn aligned_timestamps(
        &self,
        mask: u64,
        options: &ThreadXOptions,
    ) -> Option<(WordColumn, Vec<Diagnostic>)> {
        if options.cores == CoreBits::SingleCore {
            return None;
        }
        let columns = &self.columns;
        clock::align_cores(&columns.timestamp, &columns.core, mask, &options.clock)
    }

    /// Completes the trace; its origin is its first event.
    pub(crate) fn finish(self, parts: TraceParts<'_>) -> Trace {
        let TraceParts {
            unwrapped,
            catalogue,
            gaps,
            diagnostics: mut found,
            is_wrapped,
            is_damaged,
            is_registry_full,
            options,
        } = parts;
        let mut columns = self.columns;
        columns.time = unwrapped.time;
        found.extend(unwrapped.diagnostics);
        let cores = cores::settle_core_bits(&mut columns, &catalogue, options.cores, &mut found);
        let (gaps, said): (Vec<_>, Vec<_>) = gaps.into_iter().unzip();
        found.extend(said);
        if self.unused_slots_between > 0 {
            let count = self.unused_slots_between;
            let slots = pluralise(count, "unused slot", "unused slots");
            let message =
                format!("{slots} between events: the memory there was not read or cleared");
            found.push(Diagnostic::new(DiagnosticKind::DamagedEntries, message).with_count(count));
        }
        found.extend(self.unflagged_words);
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(found);
        let mut trace = Trace {
            origin: Default::default(),
            events: Events::new(columns),
            contexts: self.contexts,
            objects: self.objects,
            clock: unwrapped.clock,
            cores,
            gaps,
            catalogue,
            switch_model: SwitchModel::default(),
            code_locations: CodeLocations::default(),
            call_stacks: Default::default(),
            diagnostics,
        };
        symbol_names::name_unregistered(&mut trace, &options.firmware);
        format_strings::render_arguments(&mut trace, FORMAT_EVENT, &options.firmware);
        call_stacks::read(&mut trace, &options.firmware);
        sleeps::check_clock(&mut trace);
        trace_checks::check_trace(&mut trace, is_wrapped, is_damaged, is_registry_full);
        trace
    }
}

/// Before ThreadX recorded preemption thresholds, the records of interrupts did
/// not identify the interrupted context: their priority word is 0.
fn forget_interrupted(columns: &mut EventColumns) {
    let mut records = columns.context.iter().zip(&columns.priority_word);
    let of_thread = records.find(|(context, _)| **context > Contexts::IDLE);
    if of_thread.is_none_or(|(_, standing)| standing.has_threshold()) {
        return;
    }
    for (context, standing) in columns.context.iter().zip(&mut columns.priority_word) {
        if *context == Contexts::INTERRUPT && *standing == PriorityWord::interrupted(Contexts::IDLE)
        {
            *standing = PriorityWord::interrupted(ContextId::UNKNOWN);
        }
    }
}

/// Priority words of threads with bits above the priority, but without the flag
/// of a preemption threshold: what the bits mean is unknown.
fn unflagged_words(columns: &EventColumns) -> Option<Diagnostic> {
    let words = columns.context.iter().zip(&columns.priority_word);
    let mut odd = (0_u32..).zip(words).filter(|(_, (context, word))| {
        **context > Contexts::IDLE && !word.has_threshold() && word.0 > u16::MAX.into()
    });
    let (event, (_, first)) = odd.next()?;
    let count = 1 + odd.count() as u64;
    let message = format!(
        "{} a priority word with upper bits but without the flag of a preemption threshold, first \
         {:#x}: the bits are not shown",
        pluralise(count, "event has", "events have"),
        first.0
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::PriorityFlag, message);
    Some(diagnostic.at_event(EventIndex(event)).with_count(count))
}
