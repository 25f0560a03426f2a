//! A trace in progress: the events of entries, before their times and gaps are
//! known.

use crate::clock::core_offsets::{self, AlignedStamps};
use crate::clock::{self, UnwrappedTimes};
use crate::format_strings;
use crate::memory::Memory;
use crate::records::RecordRun;
use crate::threadx::context_interner::ContextTable;
use crate::threadx::cores::{CoreBits, split_id};
use crate::threadx::entry_format::EntryFormat;
use crate::threadx::entry_gaps::ElapsedTime;
use crate::threadx::entry_survey::{EntryStamps, EntrySurvey};
use crate::threadx::gap_times::GappyStamps;
use crate::threadx::{
    FORMAT_EVENT, ThreadXOptions, call_stacks, cores, sleeps, symbol_names, trace_checks,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::events::records::{self, ByteSource, RecordBytes, TimeBlocks};
use rtoscope_trace::events::{KindCounts, RecordedEvents};
use rtoscope_trace::{
    Catalogue, CodeLocations, Contexts, Diagnostic, DiagnosticKind, Diagnostics, EventIndex,
    EventKindId, Events, Gap, Objects, Progress, SwitchModel, Trace,
};
use rtoscope_wire::threadx::BufferLayout;
use std::sync::Arc;

/// The events of entries, without their times.
pub(crate) struct PartialTrace<'a> {
    layout: BufferLayout,
    survey: EntrySurvey<'a>,
    objects: Objects,
    contexts: ContextTable,
}

/// The file that contains the memory of a trace.
#[derive(Clone, Copy)]
pub(crate) struct MemoryFile<'m> {
    pub(crate) memory: &'m Memory<'m>,
    pub(crate) file: &'m Arc<dyn ByteSource>,
}

/// The parts that complete a trace.
pub(crate) struct TraceParts<'o> {
    pub(crate) unwrapped: UnwrappedTimes<TimeBlocks>,
    /// Where the entries stay; otherwise, they are copied.
    pub(crate) file: Option<MemoryFile<'o>>,
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

impl<'a> PartialTrace<'a> {
    /// Decodes consecutive runs of entries that refer to `objects`.
    pub(crate) fn new(
        layout: BufferLayout,
        runs: &[RecordRun<'a>],
        objects: Objects,
        progress: &Progress,
    ) -> Self {
        let mut contexts = ContextTable::new(&objects);
        let survey = EntrySurvey::new(layout, runs, &mut contexts, progress);
        Self {
            layout,
            survey,
            objects,
            contexts,
        }
    }

    /// Number of events.
    pub(crate) fn len(&self) -> usize {
        self.survey.count
    }

    /// The number of the first event of each run of entries.
    pub(crate) fn run_starts(&self) -> &[u64] {
        &self.survey.run_starts
    }

    /// The times of the events. `breaks` contains, in order, the numbers of the events after a
    /// gap, none of them 0, and the time elapsed across each gap. If cores have counters of
    /// their own, the times are those of one counter; the diagnostics say so.
    pub(crate) fn times(
        &self,
        mask: u64,
        breaks: &[(usize, ElapsedTime)],
        options: &ThreadXOptions,
    ) -> (UnwrappedTimes<TimeBlocks>, Vec<Diagnostic>) {
        let bits = 8 * self.layout.ulong.bytes() as u32;
        if let Some(aligned) = self.aligned_stamps(bits, mask, options) {
            let stamps = GappyStamps {
                stamps: aligned.stamps.as_slice(),
                bits: u64::BITS,
                mask,
                are_recorded: false,
                breaks,
            };
            return (stamps.unwrap(&options.clock), aligned.diagnostics);
        }
        let stamps = GappyStamps {
            stamps: &EntryStamps {
                layout: self.layout,
                survey: &self.survey,
            },
            bits,
            mask,
            are_recorded: true,
            breaks,
        };
        (stamps.unwrap(&options.clock), Vec::new())
    }

    fn aligned_stamps(
        &self,
        bits: u32,
        mask: u64,
        options: &ThreadXOptions,
    ) -> Option<AlignedStamps> {
        if options.cores == CoreBits::SingleCore || self.survey.cores.to_vec().len() < 2 {
            return None;
        }
        let events = |visit: &mut dyn FnMut(u64, u8)| {
            let all = 0..self.survey.count;
            self.survey
                .visit(self.layout, all, |stamp, id| visit(stamp, split_id(id).0));
        };
        let modulus = clock::modulus(bits, mask, &options.clock);
        core_offsets::align(events, modulus, options.clock.direction)
    }

    /// Completes the trace; its origin is its first event.
    pub(crate) fn finish(self, parts: TraceParts<'_>) -> Trace {
        let TraceParts {
            unwrapped,
            file,
            catalogue,
            gaps,
            diagnostics: mut found,
            is_wrapped,
            is_damaged,
            is_registry_full,
            options,
        } = parts;
        found.extend(unwrapped.diagnostics);
        let Self { layout, survey, .. } = &self;
        let (cores, is_smp) =
            cores::settle_core_bits(*layout, survey, &catalogue, options.cores, &mut found);
        let (gaps, said): (Vec<_>, Vec<_>) = gaps.into_iter().unzip();
        found.extend(said);
        if survey.unused_slots_between > 0 {
            let count = survey.unused_slots_between;
            let slots = pluralise(count, "unused slot", "unused slots");
            let message =
                format!("{slots} between events: the memory there was not read or cleared");
            found.push(Diagnostic::new(DiagnosticKind::DamagedEntries, message).with_count(count));
        }
        found.extend(unflagged_words(survey));
        let (events, contexts, objects) = self.events(unwrapped.time, is_smp, file);
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(found);
        let mut trace = Trace {
            origin: Default::default(),
            events,
            contexts,
            objects,
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

    fn events(
        self,
        times: TimeBlocks,
        is_smp: bool,
        file: Option<MemoryFile<'_>>,
    ) -> (Events, Contexts, Objects) {
        let Self {
            layout,
            survey,
            objects,
            contexts,
        } = self;
        let (contexts, ids) = contexts.finish();
        let (bytes, runs) = survey.placed(file).unwrap_or_else(|| survey.copied());
        let has_cores = survey.cores.to_vec().last().is_some_and(|last| *last > 0);
        let kinds = match has_cores && !is_smp {
            true => survey.whole_kinds(layout),
            false => survey.kinds,
        };
        let format = EntryFormat {
            layout,
            ids,
            is_smp,
            knows_interrupted: { survey.first_priority }
                .is_none_or(rtoscope_trace::event::PriorityWord::has_threshold),
        };
        let events = RecordedEvents::new(Box::new(format), bytes, runs, times, kinds);
        (events.into(), contexts, objects)
    }
}

impl EntrySurvey<'_> {
    /// The kinds of the ids of a single-core kernel.
    fn whole_kinds(&self, layout: BufferLayout) -> KindCounts {
        let mut kinds = KindCounts::default();
        let mut number = 0;
        self.visit(layout, 0..self.count, |_, id| {
            kinds.add(EventKindId(id), number);
            number += 1;
        });
        kinds
    }

    /// The places of the entries in the file, if all are there.
    fn placed(
        &self,
        file: Option<MemoryFile<'_>>,
    ) -> Option<(RecordBytes, Vec<records::RecordRun>)> {
        let file = file?;
        let mut runs = Vec::new();
        let mut end = None;
        for extent in &self.extents {
            let offset = file.memory.offset_of_bytes(extent.bytes)?;
            if end != Some(offset) {
                runs.push(records::RecordRun {
                    first: extent.first,
                    offset,
                });
            }
            end = offset.checked_add(extent.bytes.len() as u64);
        }
        Some((RecordBytes::Source(Arc::clone(file.file)), runs))
    }

    /// A copy of the entries.
    fn copied(&self) -> (RecordBytes, Vec<records::RecordRun>) {
        let slices: Vec<&[u8]> = self.extents.iter().map(|extent| extent.bytes).collect();
        let run = records::RecordRun {
            first: 0,
            offset: 0,
        };
        (RecordBytes::Memory(slices.concat()), vec![run])
    }
}

/// Priority words of threads with bits above the priority, but without the flag
/// of a preemption threshold: what the bits mean is unknown.
fn unflagged_words(survey: &EntrySurvey<'_>) -> Option<Diagnostic> {
    let (event, first) = survey.first_unflagged?;
    let count = survey.unflagged_words;
    let message = format!(
        "{} a priority word with upper bits but without the flag of a preemption threshold, first \
         {:#x}: the bits are not shown",
        pluralise(count, "event has", "events have"),
        first.0
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::PriorityFlag, message);
    Some(diagnostic.at_event(EventIndex(event)).with_count(count))
}

#[cfg(test)]
mod tests;
