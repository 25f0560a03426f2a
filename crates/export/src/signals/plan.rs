//! Which signals a recording has.

use super::SignalId;
use super::board::{Board, Choice, Group, Kind, Signal, Text, TextId};
use rtoscope_analysis::naming::Naming;
use rtoscope_analysis::schedule::{Executing, Slices};
use rtoscope_tables::Source;
use rtoscope_trace::{ContextId, ResourceId, Vertex};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The signals of a recording; `None` for those that are not wanted.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Where they are among those of the board.
    pub(super) all: Range<u32>,
    /// High from the first event to the last, apart from gaps.
    pub(super) recorded: Option<SignalId>,
    /// High while a thread executes. Index is the context.
    pub(super) executes: Vec<Option<SignalId>>,
    pub(super) threads: Vec<Thread>,
    pub(super) cores: Vec<Core>,
    /// High from the entry of a routine to its exit. The numbers of the routines
    /// say where among these.
    pub(super) routine_lines: Vec<SignalId>,
    pub(super) routines: BTreeMap<Option<u32>, u32>,
    /// High during the inversions of a mutex or the steps of an active object,
    /// which say where among these.
    pub(super) other_lines: Vec<SignalId>,
    pub(super) mutexes: BTreeMap<ResourceId, u32>,
    pub(super) objects: BTreeMap<ContextId, u32>,
    /// The states of machines.
    pub(super) machines: Vec<(ContextId, SignalId)>,
    pub(super) vertices: BTreeMap<Vertex, TextId>,
    /// The levels, by their places among the histories.
    pub(super) levels: Vec<(usize, SignalId)>,
    /// What resources are called. Index is the resource.
    pub(super) resources: Vec<TextId>,
    /// What executes is called: contexts, and routines by their lines.
    pub(super) names: Vec<TextId>,
    pub(super) routine_names: Vec<TextId>,
}

#[derive(Debug)]
pub(super) struct Thread {
    pub(super) id: ContextId,
    pub(super) ready: Option<SignalId>,
    pub(super) state: Option<SignalId>,
    pub(super) doing: Option<SignalId>,
}

#[derive(Debug, Default)]
pub(super) struct Core {
    pub(super) current: Option<SignalId>,
    pub(super) idle: Option<SignalId>,
    pub(super) depth: Option<SignalId>,
    pub(super) enabled: Option<SignalId>,
}

/// Adds signals to a board.
struct Adder<'b> {
    board: &'b mut Board,
    source: usize,
    choice: Choice,
}

impl Adder<'_> {
    fn signal(&mut self, group: Group, kind: Kind, label: String) -> Option<SignalId> {
        if !self.choice.takes(group, kind) {
            return None;
        }
        let id = u32::try_from(self.board.signals.len()).ok()?;
        self.board.signals.push(Signal {
            source: self.source,
            group,
            label,
            kind,
        });
        Some(SignalId(id))
    }

    fn text(&mut self, label: String) -> TextId {
        self.board.text(Text::Label(label))
    }

    /// The text that is a signal's name.
    fn name(&mut self, signal: Option<SignalId>) -> TextId {
        match signal {
            Some(signal) => self.board.text(Text::Signal(signal)),
            None => TextId::UNKNOWN,
        }
    }
}

impl Plan {
    pub(super) fn of(place: usize, source: &Source<'_>, choice: Choice, board: &mut Board) -> Self {
        let first = board.signals.len();
        let mut add = Adder {
            board,
            source: place,
            choice,
        };
        let mut plan = Self {
            recorded: add.signal(Group::Recording, Kind::Line, "recorded".to_owned()),
            ..Self::default()
        };
        plan.threads(source, &mut add);
        plan.routines(source, &mut add);
        plan.cores(source, &mut add);
        plan.others(source, &mut add);
        if choice == Choice::All {
            plan.numbers_and_texts(source, &mut add);
        }
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        plan.all = number(first)..number(board.signals.len());
        plan
    }

    /// Whether threads execute. Of active objects nothing tells that.
    fn threads(&mut self, source: &Source<'_>, add: &mut Adder<'_>) {
        let trace = source.view.trace;
        let active: BTreeSet<_> = source.view.active.objects.iter().copied().collect();
        let threads = || trace.contexts.threads().map(|thread| thread.id);
        let threads = || threads().filter(|thread| !active.contains(thread));
        self.executes.resize(trace.contexts.len(), None);
        self.names.resize(trace.contexts.len(), TextId::UNKNOWN);
        for id in threads() {
            let signal = add.signal(Group::Threads, Kind::Line, trace.context_name(id));
            let name = add.name(signal);
            if let (Some(executes), Some(text)) = (
                self.executes.get_mut(id.index()),
                self.names.get_mut(id.index()),
            ) {
                (*executes, *text) = (signal, name);
            }
        }
        for id in threads() {
            let name = trace.context_name(id);
            let ready = add.signal(Group::Ready, Kind::Line, format!("{name} ready"));
            self.threads.push(Thread {
                id,
                ready,
                state: None,
                doing: None,
            });
        }
    }

    fn routines(&mut self, source: &Source<'_>, add: &mut Adder<'_>) {
        let schedule = source.view.schedule;
        let numbers = schedule.activations.iter().map(|it| it.number);
        let numbers: BTreeSet<_> = numbers.collect();
        for (number, line) in numbers.into_iter().zip(0..) {
            let name = schedule.routine_name(number);
            let signal = add.signal(Group::Routines, Kind::Line, name);
            self.routine_lines.extend(signal);
            self.routine_names.push(add.name(signal));
            self.routines.insert(number, line);
        }
    }

    /// Nothing, where no event tells who executes.
    fn cores(&mut self, source: &Source<'_>, add: &mut Adder<'_>) {
        let schedule = source.view.schedule;
        let known = |slices: &Slices| {
            let mut who = slices.all.iter().map(|slice| slice.who.executing());
            who.any(|who| who != Executing::Unknown)
        };
        let told = !self.threads.is_empty() || schedule.cores.iter().any(known);
        for slices in schedule.cores.iter().filter(|_| told) {
            let number = slices.core;
            let group = Group::Cores;
            let masks = schedule.masked.iter().any(|masked| masked.core == number);
            let label = |what: &str| format!("core {number} {what}");
            self.cores.push(Core {
                idle: add.signal(group, Kind::Line, label("idle")),
                enabled: masks
                    .then(|| add.signal(group, Kind::Line, label("interrupts enabled")))
                    .flatten(),
                depth: add.signal(group, Kind::Number, label("isr depth")),
                current: add.signal(group, Kind::Text, label("current")),
            });
        }
    }

    /// The inversions of mutexes, and the steps of active objects.
    fn others(&mut self, source: &Source<'_>, add: &mut Adder<'_>) {
        let view = &source.view;
        for object in &view.active.objects {
            let label = view.trace.context_name(*object);
            self.objects.insert(*object, self.other_count());
            self.other_lines
                .extend(add.signal(Group::Objects, Kind::Line, label));
        }
        let inversions = view.schedule.inversions.iter();
        let mutexes: BTreeSet<_> = inversions.map(|it| it.resource).collect();
        for mutex in mutexes {
            let label = format!("{} inversion", view.resource_name(mutex));
            self.mutexes.insert(mutex, self.other_count());
            self.other_lines
                .extend(add.signal(Group::Inversions, Kind::Line, label));
        }
    }

    fn other_count(&self) -> u32 {
        u32::try_from(self.other_lines.len()).unwrap_or(u32::MAX)
    }

    fn numbers_and_texts(&mut self, source: &Source<'_>, add: &mut Adder<'_>) {
        let view = &source.view;
        for thread in &mut self.threads {
            let label = format!("{} state", view.trace.context_name(thread.id));
            thread.state = add.signal(Group::States, Kind::State, label);
        }
        for thread in &mut self.threads {
            let label = format!("{} doing", view.trace.context_name(thread.id));
            thread.doing = add.signal(Group::Doing, Kind::Text, label);
        }
        let resources = (0..).map(ResourceId).take(view.schedule.resources.len());
        for resource in resources {
            self.resources.push(add.text(view.resource_name(resource)));
        }
        for (place, (resource, history)) in source.histories.iter().enumerate() {
            if !history.is_empty() {
                let label = view.resource_name(resource);
                let signal = add.signal(Group::Levels, Kind::Number, label);
                self.levels.extend(signal.map(|signal| (place, signal)));
            }
        }
        for object in &view.active.objects {
            let stays = view.active.stays.get(object.index());
            let stays = stays.map(Vec::as_slice).unwrap_or_default();
            if stays.is_empty() {
                continue;
            }
            let label = format!("{} state", view.trace.context_name(*object));
            let signal = add.signal(Group::Machines, Kind::Text, label);
            self.machines.extend(signal.map(|signal| (*object, signal)));
            for stay in stays {
                let naming = Naming(view.trace);
                let vertices = self.vertices.entry(stay.state);
                vertices.or_insert_with(|| add.text(naming.vertex(stay.state)));
            }
        }
    }
}
