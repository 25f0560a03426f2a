//! The signals of a recording.

use super::signal::{
    Signal, SignalGroup, SignalId, SignalKind, SignalSelection, SignalText, TextId,
};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::View;
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::timeline::{self, Label, Text, Track};
use rtoscope_trace::{ContextId, Vertex};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The signals of a recording; `None` for those that are not selected.
#[derive(Debug, Default)]
pub(super) struct RecordingSignals {
    /// Their range in the table.
    pub(super) all: Range<u32>,
    /// High from the first event to the last, except in gaps.
    pub(super) recorded: Option<SignalId>,
    /// By context; `None` for active objects and contexts that are not threads.
    pub(super) threads: Vec<Option<ThreadSignals>>,
    pub(super) cores: Vec<CoreSignals>,
    /// High from the entry of a routine to its exit; with the index of each
    /// routine's signal by number.
    pub(super) routine_lines: Vec<SignalId>,
    pub(super) routines: BTreeMap<Option<u32>, u32>,
    /// High during the inversions of a mutex, the steps of an active object or the spans
    /// of a marker; with their indices.
    pub(super) other_lines: Vec<SignalId>,
    pub(super) others: BTreeMap<Track, u32>,
    /// The states of machines.
    pub(super) machines: Vec<(ContextId, SignalId)>,
    pub(super) vertices: BTreeMap<Vertex, TextId>,
    /// The levels, in the order of the counters.
    pub(super) levels: Vec<SignalId>,
    /// The names of resources. By resource.
    pub(super) resources: Vec<TextId>,
    /// The names of routines, by signal.
    pub(super) routine_names: Vec<TextId>,
}

#[derive(Debug)]
pub(super) struct ThreadSignals {
    pub(super) name: TextId,
    /// High while the thread runs.
    pub(super) running: Option<SignalId>,
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

/// Builds the table's signals, recording by recording.
#[derive(Debug)]
pub(super) struct SignalBuilder {
    pub(super) signals: Vec<Signal>,
    pub(super) texts: Vec<SignalText>,
    selection: SignalSelection,
    /// The index of the current recording.
    source: usize,
}

impl SignalBuilder {
    pub(super) fn new(selection: SignalSelection) -> Self {
        Self {
            signals: Vec::new(),
            texts: SignalText::fixed().collect(),
            selection,
            source: 0,
        }
    }

    /// Adds the signals of the recording with this index.
    pub(super) fn add_recording(
        &mut self,
        index: usize,
        source: &AnalyzedRecording,
    ) -> RecordingSignals {
        self.source = index;
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        let first = number(self.signals.len());
        let mut plan = RecordingSignals {
            recorded: self.signal(
                SignalGroup::Recording,
                SignalKind::Line,
                "recorded".to_owned(),
            ),
            ..RecordingSignals::default()
        };
        let view = &source.view();
        plan.threads(view, self);
        plan.routines(view, self);
        plan.cores(view, self);
        plan.others(view, self);
        if self.selection == SignalSelection::All {
            plan.numbers_and_texts(view, self);
        }
        plan.all = first..number(self.signals.len());
        plan
    }

    fn signal(&mut self, group: SignalGroup, kind: SignalKind, label: String) -> Option<SignalId> {
        if !self.selection.includes(group, kind) {
            return None;
        }
        let id = u32::try_from(self.signals.len()).ok()?;
        self.signals.push(Signal {
            source: self.source,
            group,
            label,
            kind,
        });
        Some(SignalId(id))
    }

    fn text(&mut self, text: SignalText) -> TextId {
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text);
        TextId(id)
    }

    fn label(&mut self, label: String) -> TextId {
        self.text(SignalText::Label(label))
    }

    /// The text that is a signal's name.
    fn name(&mut self, signal: Option<SignalId>) -> TextId {
        match signal {
            Some(signal) => self.text(SignalText::Signal(signal)),
            None => TextId::UNKNOWN,
        }
    }
}

impl RecordingSignals {
    /// The threads, without active objects.
    pub(super) fn thread_ids(&self) -> impl Iterator<Item = ContextId> {
        let threads = self.threads.iter().zip((0..).map(ContextId));
        threads.filter_map(|(signals, id)| signals.is_some().then_some(id))
    }

    /// The signals of a thread; `None` for other contexts.
    pub(super) fn thread(&self, id: ContextId) -> Option<&ThreadSignals> {
        self.threads.get(id.index())?.as_ref()
    }

    /// The running signals of threads. Those of active objects are unknown.
    fn threads(&mut self, view: &View<'_>, add: &mut SignalBuilder) {
        let trace = view.trace;
        let active: BTreeSet<_> = view.active.objects.iter().copied().collect();
        self.threads.resize_with(trace.contexts.len(), || None);
        for thread in trace.contexts.threads() {
            let slot = self.threads.get_mut(thread.id.index());
            if let Some(slot) = slot.filter(|_| !active.contains(&thread.id)) {
                let name = trace.context_name(thread.id);
                let running = add.signal(SignalGroup::Threads, SignalKind::Line, name);
                *slot = Some(ThreadSignals {
                    name: add.name(running),
                    running,
                    ready: None,
                    state: None,
                    detail: None,
                });
            }
        }
        self.add_to_threads(|id, signals| {
            let label = format!("{} ready", trace.context_name(id));
            signals.ready = add.signal(SignalGroup::Ready, SignalKind::Line, label);
        });
    }

    fn add_to_threads(&mut self, mut add: impl FnMut(ContextId, &mut ThreadSignals)) {
        for (signals, id) in self.threads.iter_mut().zip((0..).map(ContextId)) {
            if let Some(signals) = signals {
                add(id, signals);
            }
        }
    }

    fn routines(&mut self, view: &View<'_>, add: &mut SignalBuilder) {
        let numbers = timeline::interrupts(view).filter_map(|span| match span.text {
            Text::Label(Label::Cpu(CpuContext::Isr(number))) => Some(number),
            _ => None,
        });
        let numbers: BTreeSet<_> = numbers.collect();
        for (number, line) in numbers.into_iter().zip(0..) {
            let name = Label::Cpu(CpuContext::Isr(number)).text(view);
            let signal = add.signal(SignalGroup::Routines, SignalKind::Line, name);
            self.routine_lines.extend(signal);
            self.routine_names.push(add.name(signal));
            self.routines.insert(number, line);
        }
    }

    /// None, if no event shows the running context.
    fn cores(&mut self, view: &View<'_>, add: &mut SignalBuilder) {
        let unknown = Text::Label(Label::Cpu(CpuContext::Unknown));
        let is_known = self.thread_ids().next().is_some()
            || timeline::core_slices(view).any(|slice| slice.text != unknown);
        for number in timeline::cores(view).filter(|_| is_known) {
            let group = SignalGroup::Cores;
            let masks = timeline::interrupts_off(view)
                .any(|span| span.track == Track::InterruptsOff(number));
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

    /// The inversions of mutexes, the steps of active objects and the spans of markers.
    fn others(&mut self, view: &View<'_>, add: &mut SignalBuilder) {
        let objects = view.active.objects.iter().copied().map(Track::Steps);
        let spans = timeline::inversions(view).chain(timeline::markers(view));
        let tracks: BTreeSet<_> = objects.chain(spans.map(|span| span.track)).collect();
        for track in tracks {
            let (group, label) = match track {
                Track::Inversions(mutex) => {
                    let label = format!("{} inversion", view.resource_name(mutex));
                    (SignalGroup::Inversions, label)
                }
                Track::Marker(marker) => {
                    (SignalGroup::Markers, view.markers.name(marker).to_owned())
                }
                Track::Steps(object) => (SignalGroup::Objects, view.trace.context_name(object)),
                _ => continue,
            };
            let line = u32::try_from(self.other_lines.len()).unwrap_or(u32::MAX);
            self.others.insert(track, line);
            self.other_lines
                .extend(add.signal(group, SignalKind::Line, label));
        }
    }

    fn numbers_and_texts(&mut self, view: &View<'_>, add: &mut SignalBuilder) {
        self.add_to_threads(|id, signals| {
            let label = format!("{} state", view.trace.context_name(id));
            signals.state = add.signal(SignalGroup::States, SignalKind::State, label);
        });
        self.add_to_threads(|id, signals| {
            let label = format!("{} detail", view.trace.context_name(id));
            signals.detail = add.signal(SignalGroup::Details, SignalKind::Text, label);
        });
        for name in timeline::resource_names(view) {
            self.resources.push(add.label(name));
        }
        for counter in timeline::counters(view) {
            let label = view.resource_name(counter.id);
            self.levels
                .extend(add.signal(SignalGroup::Levels, SignalKind::Number, label));
        }
        for object in &view.active.objects {
            let mut spans = timeline::machine_states(view, *object).peekable();
            if spans.peek().is_none() {
                continue;
            }
            let label = format!("{} state", view.trace.context_name(*object));
            let signal = add.signal(SignalGroup::Machines, SignalKind::Text, label);
            self.machines.extend(signal.map(|signal| (*object, signal)));
            for span in spans {
                if let Text::Label(label @ Label::Vertex(state)) = span.text {
                    let vertices = self.vertices.entry(state);
                    vertices.or_insert_with(|| add.label(label.text(view)));
                }
            }
        }
    }
}
