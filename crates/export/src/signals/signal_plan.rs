//! The signals of a recording.

use super::SignalId;
use super::signal_table::{
    Signal, SignalGroup, SignalKind, SignalSelection, SignalTable, SignalText, TextId,
};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_analysis::schedule::{CoreSlices, RunningContext};
use rtoscope_tables::TableSource;
use rtoscope_trace::{ContextId, ResourceId, Vertex};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The signals of a recording; `None` for those that are not selected.
#[derive(Debug, Default)]
pub(super) struct RecordingSignals {
    /// Their range in the table.
    pub(super) all: Range<u32>,
    /// High from the first event to the last, except in gaps.
    pub(super) recorded: Option<SignalId>,
    /// High while a thread runs. By context.
    pub(super) running: Vec<Option<SignalId>>,
    pub(super) threads: Vec<ThreadSignals>,
    pub(super) cores: Vec<CoreSignals>,
    /// High from the entry of a routine to its exit; with the index of each
    /// routine's signal by number.
    pub(super) routine_lines: Vec<SignalId>,
    pub(super) routines: BTreeMap<Option<u32>, u32>,
    /// High during the inversions of a mutex or the steps of an active object; with
    /// their indices.
    pub(super) other_lines: Vec<SignalId>,
    pub(super) mutexes: BTreeMap<ResourceId, u32>,
    pub(super) objects: BTreeMap<ContextId, u32>,
    /// The states of machines.
    pub(super) machines: Vec<(ContextId, SignalId)>,
    pub(super) vertices: BTreeMap<Vertex, TextId>,
    /// The levels, with their indices in the histories.
    pub(super) levels: Vec<(usize, SignalId)>,
    /// The names of resources. By resource.
    pub(super) resources: Vec<TextId>,
    /// The names of contexts, and of routines by signal.
    pub(super) names: Vec<TextId>,
    pub(super) routine_names: Vec<TextId>,
}

#[derive(Debug)]
pub(super) struct ThreadSignals {
    pub(super) id: ContextId,
    pub(super) ready: Option<SignalId>,
    pub(super) state: Option<SignalId>,
    pub(super) detail: Option<SignalId>,
}

#[derive(Debug, Default)]
pub(super) struct CoreSignals {
    pub(super) current: Option<SignalId>,
    pub(super) idle: Option<SignalId>,
    pub(super) depth: Option<SignalId>,
    pub(super) enabled: Option<SignalId>,
}

/// Adds signals to the table.
struct SignalBuilder<'b> {
    table: &'b mut SignalTable,
    source: usize,
    choice: SignalSelection,
}

impl SignalBuilder<'_> {
    fn signal(&mut self, group: SignalGroup, kind: SignalKind, label: String) -> Option<SignalId> {
        if !self.choice.includes(group, kind) {
            return None;
        }
        let id = u32::try_from(self.table.signals.len()).ok()?;
        self.table.signals.push(Signal {
            source: self.source,
            group,
            label,
            kind,
        });
        Some(SignalId(id))
    }

    fn text(&mut self, label: String) -> TextId {
        self.table.text(SignalText::Label(label))
    }

    /// The text that is a signal's name.
    fn name(&mut self, signal: Option<SignalId>) -> TextId {
        match signal {
            Some(signal) => self.table.text(SignalText::Signal(signal)),
            None => TextId::UNKNOWN,
        }
    }
}

impl RecordingSignals {
    pub(super) fn new(
        place: usize,
        source: &TableSource<'_>,
        choice: SignalSelection,
        table: &mut SignalTable,
    ) -> Self {
        let first = table.signals.len();
        let mut add = SignalBuilder {
            table,
            source: place,
            choice,
        };
        let mut plan = Self {
            recorded: add.signal(
                SignalGroup::Recording,
                SignalKind::Line,
                "recorded".to_owned(),
            ),
            ..Self::default()
        };
        plan.threads(source, &mut add);
        plan.routines(source, &mut add);
        plan.cores(source, &mut add);
        plan.others(source, &mut add);
        if choice == SignalSelection::All {
            plan.numbers_and_texts(source, &mut add);
        }
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        plan.all = number(first)..number(table.signals.len());
        plan
    }

    /// The running signals of threads. Those of active objects are unknown.
    fn threads(&mut self, source: &TableSource<'_>, add: &mut SignalBuilder<'_>) {
        let trace = source.view.trace;
        let active: BTreeSet<_> = source.view.active.objects.iter().copied().collect();
        let threads = || trace.contexts.threads().map(|thread| thread.id);
        let threads = || threads().filter(|thread| !active.contains(thread));
        self.running.resize(trace.contexts.len(), None);
        self.names.resize(trace.contexts.len(), TextId::UNKNOWN);
        for id in threads() {
            let signal = add.signal(
                SignalGroup::Threads,
                SignalKind::Line,
                trace.context_name(id),
            );
            let name = add.name(signal);
            if let (Some(running), Some(text)) = (
                self.running.get_mut(id.index()),
                self.names.get_mut(id.index()),
            ) {
                (*running, *text) = (signal, name);
            }
        }
        for id in threads() {
            let name = trace.context_name(id);
            let ready = add.signal(
                SignalGroup::Ready,
                SignalKind::Line,
                format!("{name} ready"),
            );
            self.threads.push(ThreadSignals {
                id,
                ready,
                state: None,
                detail: None,
            });
        }
    }

    fn routines(&mut self, source: &TableSource<'_>, add: &mut SignalBuilder<'_>) {
        let schedule = source.view.schedule;
        let numbers = schedule.activations.iter().map(|it| it.number);
        let numbers: BTreeSet<_> = numbers.collect();
        for (number, line) in numbers.into_iter().zip(0..) {
            let name = schedule.isr_name(number);
            let signal = add.signal(SignalGroup::Routines, SignalKind::Line, name);
            self.routine_lines.extend(signal);
            self.routine_names.push(add.name(signal));
            self.routines.insert(number, line);
        }
    }

    /// None, if no event shows the running context.
    fn cores(&mut self, source: &TableSource<'_>, add: &mut SignalBuilder<'_>) {
        let schedule = source.view.schedule;
        let known = |slices: &CoreSlices| {
            let mut running = slices
                .slices
                .iter()
                .map(|slice| slice.running.running_context());
            running.any(|running| running != RunningContext::Unknown)
        };
        let is_known = !self.threads.is_empty() || schedule.cores.iter().any(known);
        for slices in schedule.cores.iter().filter(|_| is_known) {
            let number = slices.core;
            let group = SignalGroup::Cores;
            let masks = schedule
                .interrupts_off
                .iter()
                .any(|masked| masked.core == number);
            let label = |label: &str| format!("core {number} {label}");
            self.cores.push(CoreSignals {
                idle: add.signal(group, SignalKind::Line, label("idle")),
                enabled: masks
                    .then(|| add.signal(group, SignalKind::Line, label("interrupts enabled")))
                    .flatten(),
                depth: add.signal(group, SignalKind::Number, label("isr depth")),
                current: add.signal(group, SignalKind::Text, label("current")),
            });
        }
    }

    /// The inversions of mutexes, and the steps of active objects.
    fn others(&mut self, source: &TableSource<'_>, add: &mut SignalBuilder<'_>) {
        let view = &source.view;
        for object in &view.active.objects {
            let label = view.trace.context_name(*object);
            self.objects.insert(*object, self.other_count());
            self.other_lines
                .extend(add.signal(SignalGroup::Objects, SignalKind::Line, label));
        }
        let inversions = view.schedule.inversions.iter();
        let mutexes: BTreeSet<_> = inversions.map(|it| it.resource).collect();
        for mutex in mutexes {
            let label = format!("{} inversion", view.resource_name(mutex));
            self.mutexes.insert(mutex, self.other_count());
            self.other_lines
                .extend(add.signal(SignalGroup::Inversions, SignalKind::Line, label));
        }
    }

    fn other_count(&self) -> u32 {
        u32::try_from(self.other_lines.len()).unwrap_or(u32::MAX)
    }

    fn numbers_and_texts(&mut self, source: &TableSource<'_>, add: &mut SignalBuilder<'_>) {
        let view = &source.view;
        for thread in &mut self.threads {
            let label = format!("{} state", view.trace.context_name(thread.id));
            thread.state = add.signal(SignalGroup::States, SignalKind::State, label);
        }
        for thread in &mut self.threads {
            let label = format!("{} detail", view.trace.context_name(thread.id));
            thread.detail = add.signal(SignalGroup::Details, SignalKind::Text, label);
        }
        let resources = (0..).map(ResourceId).take(view.schedule.resources.len());
        for resource in resources {
            self.resources.push(add.text(view.resource_name(resource)));
        }
        for (place, (resource, history)) in source.histories.iter().enumerate() {
            if !history.is_empty() {
                let label = view.resource_name(resource);
                let signal = add.signal(SignalGroup::Levels, SignalKind::Number, label);
                self.levels.extend(signal.map(|signal| (place, signal)));
            }
        }
        for object in &view.active.objects {
            let intervals = view.active.state_intervals.get(object.index());
            let intervals = intervals.map(Vec::as_slice).unwrap_or_default();
            if intervals.is_empty() {
                continue;
            }
            let label = format!("{} state", view.trace.context_name(*object));
            let signal = add.signal(SignalGroup::Machines, SignalKind::Text, label);
            self.machines.extend(signal.map(|signal| (*object, signal)));
            for interval in intervals {
                let naming = NameFormatter(view.trace);
                let vertices = self.vertices.entry(interval.state);
                vertices.or_insert_with(|| add.text(naming.vertex(interval.state)));
            }
        }
    }
}
