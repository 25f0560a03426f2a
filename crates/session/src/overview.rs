//! Overview of a trace, and its kinds of events.

use crate::index::state_machines::IndexedMachine;
use crate::lanes::BarClass;
use crate::query::IntervalFilters;
use crate::response::{self, LaneKind, Overview};
use crate::session::Session;
use crate::truncate::{MAX_LINE_CHARS, MAX_NAME_CHARS, truncate};
use rtoscope_analysis::event_value::user_event_arguments;
use rtoscope_analysis::report::{FINDINGS_TITLE, ReportKind};
use rtoscope_trace::catalogue::Icon;
use rtoscope_trace::{Context, ContextKind, EventIndex, EventKindId, Object, Ticks};
use std::collections::HashMap;

/// Icon of a kind that the catalogue does not define.
const UNKNOWN_LETTERS: &str = "?";
const UNKNOWN_COLOUR: &str = "#9e9e9e";

impl Session {
    /// The overview of the trace.
    pub(crate) fn overview(&self) -> Overview {
        let trace = &self.recording.trace;
        let facts = self.format_info.facts(trace);
        let lines = facts.lines.into_iter();
        let machines = self.machine_list();
        Overview {
            schema: "rtoscope/session/1",
            name: truncate(self.name(), MAX_LINE_CHARS),
            format: self.recording.info.format,
            format_description: truncate(facts.description, MAX_LINE_CHARS),
            facts: lines
                .map(|(label, value)| response::FormatFact {
                    label,
                    value: truncate(value, MAX_LINE_CHARS),
                })
                .collect(),
            base: self.part().base,
            ids_generation: self.ids_generation(),
            source: self.source.clone(),
            events: self.event_count(),
            span: trace.events.span().0,
            clock: self.clock(),
            cores: trace.cores.clone(),
            contexts: self.with_absent(self.contexts(), |all| &mut all.contexts),
            lanes: self.with_absent(self.lane_list(), |all| &mut all.lanes),
            lane_order: (0..self.lanes.all.len() as u32)
                .map(|lane| self.ids.lanes.id(lane))
                .collect(),
            kinds: self.with_absent(self.recorded_kinds(), |all| &mut all.kinds),
            objects: self.with_absent(self.objects(), |all| &mut all.objects),
            levels: self.with_absent(self.levels(), |all| &mut all.levels),
            classes: classes(),
            gaps: self.gaps(),
            diagnostics: self.diagnostics(),
            inversions: self.recording.schedule.inversions.len() as u32,
            has_machines: !machines.is_empty(),
            machines,
            markers: self.markers(),
            user_events: self.user_events(),
            intervals: self.declared_intervals(),
            reports: self.reports(),
        }
    }

    /// The clock.
    pub(crate) fn clock(&self) -> response::Clock {
        let clock = &self.recording.trace.clock;
        response::Clock {
            frequency_hz: self.frequency_hz(),
            source: self.frequency_hz().map(|_| self.clock_source.name()),
            no_time: clock.quality.no_time().map(|why| why.to_string()),
            quality: clock.quality.to_string(),
            direction: clock.direction.to_string(),
            bits: clock.bits(),
        }
    }

    fn markers(&self) -> Vec<response::Marker> {
        let markers = &self.recording.markers;
        let names = markers.names.iter();
        let mut all: Vec<_> = names
            .map(|name| response::Marker {
                name: truncate(name, MAX_NAME_CHARS),
                spans: 0,
                instants: 0,
            })
            .collect();
        for span in &markers.spans {
            if let Some(marker) = all.get_mut(span.marker.index()) {
                marker.spans += 1;
            }
        }
        for instant in &markers.instants {
            if let Some(marker) = all.get_mut(instant.marker.index()) {
                marker.instants += 1;
            }
        }
        all
    }

    fn user_events(&self) -> Vec<response::UserEventKind> {
        let trace = &self.recording.trace;
        let kinds = user_event_arguments(trace).into_iter();
        kinds
            .map(|(kind, arguments)| response::UserEventKind {
                number: kind.0,
                name: truncate(trace.catalogue.name(kind), MAX_NAME_CHARS),
                arguments,
            })
            .collect()
    }

    fn declared_intervals(&self) -> Vec<response::DeclaredInterval> {
        let declared = self.recording.intervals.iter();
        let declared = declared.map(|it| response::DeclaredInterval {
            name: it.name.clone(),
            filters: IntervalFilters {
                from: it.definition.from.text().to_owned(),
                to: it.definition.to.text().to_owned(),
                by: it.definition.pairing.text().to_owned(),
                repeated: it.definition.repeated.name().to_owned(),
            },
            deadline: it.deadline.map(|ticks| ticks.0),
        });
        declared.collect()
    }

    /// Every kind of event that the format defines, and the others that occur.
    pub(crate) fn legend(&self) -> Vec<response::EventKind> {
        let counts: HashMap<_, _> = self.kind_counts.iter().copied().collect();
        let known = self.recording.trace.catalogue.iter().map(|kind| kind.id);
        let is_unknown = |id: &EventKindId| self.recording.trace.catalogue.get(*id).is_none();
        let unknown = self
            .kind_counts
            .iter()
            .map(|(id, _)| *id)
            .filter(is_unknown);
        let mut all: Vec<_> = known.chain(unknown).collect();
        all.sort_unstable();
        let count = |id: &EventKindId| counts.get(id).copied().unwrap_or_default();
        all.iter().map(|id| self.kind(*id, count(id))).collect()
    }

    pub(crate) fn recorded_kinds(&self) -> Vec<response::EventKind> {
        let kinds = self.kind_counts.iter();
        kinds.map(|(id, count)| self.kind(*id, *count)).collect()
    }

    fn kind(&self, id: EventKindId, events: u32) -> response::EventKind {
        let catalogue = &self.recording.trace.catalogue;
        let kind = catalogue.get(id);
        let (letters, colour, second) = match kind.map(|kind| &kind.icon) {
            Some(Icon {
                letters,
                colour,
                second_colour: second,
            }) => (letters.to_string(), colour.to_string(), second.to_string()),
            None => (
                UNKNOWN_LETTERS.to_owned(),
                UNKNOWN_COLOUR.to_owned(),
                UNKNOWN_COLOUR.to_owned(),
            ),
        };
        let arguments = kind.map(|kind| {
            let names = kind.arguments.each_ref();
            names.map(|argument| argument.as_ref().map(|argument| argument.name.to_string()))
        });
        response::EventKind {
            id: id.0,
            name: truncate(catalogue.name(id), MAX_NAME_CHARS),
            component: truncate(catalogue.component(id), MAX_NAME_CHARS),
            letters,
            colour,
            lower_colour: second,
            arguments: arguments.unwrap_or_default(),
            events,
        }
    }

    pub(crate) fn contexts(&self) -> Vec<response::Context> {
        let count = self.recording.trace.contexts.len();
        let executed = self.recording.whole.cpu_times.contexts(count);
        let contexts = self.recording.trace.contexts.iter().zip(executed);
        contexts
            .map(|(context, executed)| response::Context {
                kind: match context.kind {
                    ContextKind::Interrupt => "interrupt",
                    ContextKind::Initialize => "initialize",
                    ContextKind::Idle => "idle",
                    ContextKind::Thread if self.is_active_object(context.id) => "active-object",
                    ContextKind::Thread => "thread",
                },
                name: self.context_name(context.id),
                address: context.address.to_string(),
                object: context.object.map(|object| self.object_id(object)),
                events: self.events_by_context.count(context.id),
                priority: self.first_priority(context),
                cpu_time: executed,
            })
            .collect()
    }

    /// A thread's priority at its registration, else its first recorded one.
    fn first_priority(&self, context: &Context) -> Option<u16> {
        if context.kind != ContextKind::Thread {
            return None;
        }
        let object = context
            .object
            .and_then(|id| self.recording.trace.objects.get(id));
        object.and_then(|object| object.priority).or_else(|| {
            let first = self.events_by_context.by_core(context.id).flatten().next();
            self.recording
                .trace
                .events
                .get(EventIndex(*first?))?
                .priority()
        })
    }

    pub(crate) fn lane_list(&self) -> Vec<response::Lane> {
        let view = self.recording.view();
        let share = |of, executed| match of {
            LaneKind::Summary | LaneKind::Thread { .. } => view.percent_of_cores(executed),
            _ => view.percent(executed),
        };
        let lanes = self.lanes.all.iter();
        lanes
            .map(|lane| response::Lane {
                kind: match lane.kind {
                    LaneKind::Thread { context } => LaneKind::Thread {
                        context: self.ids.contexts.id(context),
                    },
                    LaneKind::Machine { context } => LaneKind::Machine {
                        context: self.ids.contexts.id(context),
                    },
                    kind => kind,
                },
                name: self.lane_name(lane.kind),
                events: lane.events,
                busy_time: lane.busy_time,
                share: share(lane.kind, Ticks(lane.busy_time)),
            })
            .collect()
    }

    pub(crate) fn objects(&self) -> Vec<response::NamedObject> {
        let contexts = self.recording.trace.contexts.threads();
        let threads =
            contexts.filter_map(|thread| Some((thread.object?, self.context_id(thread.id))));
        let threads: HashMap<_, _> = threads.collect();
        let objects = self.recording.trace.objects.iter();
        objects
            .map(|object| response::NamedObject {
                class: object.class.name(),
                name: object_name(object),
                address: object.address.to_string(),
                parameters: object.named_parameters().collect(),
                deleted: object.deleted,
                context: threads.get(&object.id).copied(),
            })
            .collect()
    }

    /// The objects with a known level.
    pub(crate) fn levels(&self) -> Vec<response::LevelResource> {
        let usages = self.recording.whole.levels.iter();
        let known = usages.filter(|usage| usage.level.first().is_some());
        known
            .map(|usage| {
                let resource = self
                    .recording
                    .schedule
                    .resources
                    .get(usage.resource.index());
                response::LevelResource {
                    resource: self.ids.levels.id(usage.resource.0),
                    class: usage.class.name(),
                    name: self.resource_name(usage.resource),
                    object: resource
                        .and_then(|one| one.object)
                        .map(|object| self.object_id(object)),
                    capacity: usage.capacity,
                    context: resource
                        .and_then(|one| one.owner)
                        .map(|owner| self.context_id(owner)),
                }
            })
            .collect()
    }

    /// The machines for the overview.
    fn machine_list(&self) -> Vec<response::StateMachine> {
        let own = self.machines.iter();
        let own = own.map(|one| (self.context_id(one.context), self.machine_states(one)));
        let all = self.states_with_absent(own.collect()).into_iter();
        all.map(|(context, mut states)| {
            for (state, number) in states.iter_mut().zip(0..) {
                state.class = BarClass::state(number).0;
            }
            response::StateMachine { context, states }
        })
        .collect()
    }

    /// The states of a machine, in the order of the session and without classes.
    pub(crate) fn machine_states(&self, machine: &IndexedMachine) -> Vec<response::MachineState> {
        let view = self.recording.view();
        let states = machine.states.iter();
        states
            .map(|state| response::MachineState {
                object: state.object.map(|object| self.object_id(object)),
                name: self.vertex_name(state.vertex, machine.context),
                class: BarClass::NOTHING.0,
                visits: state.visits,
                residency: state.residency,
                share: view.percent(Ticks(state.residency)),
            })
            .collect()
    }

    /// The findings, and the reports that apply to the trace.
    fn reports(&self) -> Vec<response::ReportName> {
        let view = self.recording.view();
        let kinds = ReportKind::ALL.iter().filter(|kind| kind.applies_to(&view));
        let reports = kinds.map(|kind| (kind.name(), kind.title()));
        let all = std::iter::once(("findings", FINDINGS_TITLE)).chain(reports);
        all.map(|(kind, title)| response::ReportName { kind, title })
            .collect()
    }

    fn gaps(&self) -> Vec<response::Gap> {
        let gaps = self.recording.trace.gaps.iter();
        gaps.map(|gap| response::Gap {
            event: self.event_number(gap.next_event.0),
            time: self.recording_ticks(self.time_of(gap.next_event.index())),
            missing: gap.missing,
            restart: gap.is_restart,
        })
        .collect()
    }

    fn diagnostics(&self) -> Vec<response::Diagnostic> {
        let diagnostics = self.recording.diagnostics.iter();
        diagnostics
            .map(|one| response::Diagnostic {
                severity: one.severity().to_string(),
                kind: one.kind.to_string(),
                message: truncate(&one.message, MAX_LINE_CHARS),
                event: one.event.map(|event| self.event_number(event.0)),
                count: one.count,
            })
            .collect()
    }
}

fn object_name(object: &Object) -> String {
    if object.name.is_empty() {
        object.address.to_string()
    } else {
        truncate(&object.name, MAX_NAME_CHARS)
    }
}

fn classes() -> Vec<response::BarClassName> {
    let class = |(class, name): (BarClass, _)| response::BarClassName {
        code: class.0,
        name,
    };
    BarClass::all().map(class).collect()
}
