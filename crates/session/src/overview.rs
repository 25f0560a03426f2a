//! What a trace is, and what its kinds of events look like.

use crate::answer::{self, LaneKind, Overview};
use crate::lanes::Class;
use crate::session::Session;
use crate::short::{LINE, NAME, short};
use rtoscope_analysis::report::Kind;
use rtoscope_trace::catalogue::Icon;
use rtoscope_trace::{Context, ContextKind, EventIndex, KindId, Object, Ticks};
use std::collections::HashMap;

/// How a kind is drawn that the catalogue does not know.
const UNKNOWN_LETTERS: &str = "?";
const UNKNOWN_COLOUR: &str = "#9e9e9e";

impl Session {
    /// What the trace is.
    pub(crate) fn overview(&self) -> Overview {
        let trace = &self.trace;
        let clock = &trace.clock;
        Overview {
            schema: "rtoscope/session/1",
            name: short(&self.name, LINE),
            format: self.origin.format().name(),
            base: self.part().base,
            events: self.event_count(),
            span: trace.events.span().0,
            clock: answer::Clock {
                hz: self.hz(),
                quality: clock.quality.to_string(),
                direction: clock.direction.to_string(),
                bits: clock.bits(),
            },
            cores: trace.cores.clone(),
            contexts: self.contexts(),
            lanes: self.lane_list(),
            kinds: self.occurring(),
            objects: self.objects(),
            levels: self.levels(),
            classes: classes(),
            gaps: self.gaps(),
            diagnostics: self.diagnostics(),
            inversions: self.analysis.schedule.inversions.len() as u32,
            has_machines: self.machines.iter().next().is_some(),
            machines: self.machine_list(),
            reports: self.reports(),
        }
    }

    /// Every kind of event that the format knows, and those that occur besides.
    pub(crate) fn legend(&self) -> Vec<answer::Kind> {
        let counts: HashMap<_, _> = self.kinds.iter().copied().collect();
        let known = self.trace.catalogue.iter().map(|kind| kind.id);
        let is_unknown = |id: &KindId| self.trace.catalogue.get(*id).is_none();
        let unknown = self.kinds.iter().map(|(id, _)| *id).filter(is_unknown);
        let mut all: Vec<_> = known.chain(unknown).collect();
        all.sort_unstable();
        let count = |id: &KindId| counts.get(id).copied().unwrap_or_default();
        all.iter().map(|id| self.kind(*id, count(id))).collect()
    }

    fn occurring(&self) -> Vec<answer::Kind> {
        let kinds = self.kinds.iter();
        kinds.map(|(id, count)| self.kind(*id, *count)).collect()
    }

    fn kind(&self, id: KindId, events: u32) -> answer::Kind {
        let catalogue = &self.trace.catalogue;
        let kind = catalogue.get(id);
        let (letters, colour, second) = match kind.map(|kind| &kind.icon) {
            Some(Icon {
                letters,
                colour,
                second,
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
        answer::Kind {
            id: id.0,
            name: short(catalogue.name(id), NAME),
            component: short(catalogue.component(id), NAME),
            letters,
            colour,
            second,
            arguments: arguments.unwrap_or_default(),
            events,
        }
    }

    fn contexts(&self) -> Vec<answer::Context> {
        let count = self.trace.contexts.len();
        let executed = self.analysis.shares.contexts(count);
        let contexts = self.trace.contexts.iter().zip(executed);
        contexts
            .map(|(context, executed)| answer::Context {
                kind: match context.kind {
                    ContextKind::Interrupt => "interrupt",
                    ContextKind::Initialize => "initialize",
                    ContextKind::Idle => "idle",
                    ContextKind::Thread if self.is_active(context.id) => "active-object",
                    ContextKind::Thread => "thread",
                },
                name: self.context_name(context.id),
                address: context.address.to_string(),
                object: context.object.map(|object| object.0),
                events: self.postings.count(context.id),
                priority: self.first_priority(context),
                executed,
            })
            .collect()
    }

    /// A thread's priority when it was registered or, failing that, first seen.
    fn first_priority(&self, context: &Context) -> Option<u16> {
        if context.kind != ContextKind::Thread {
            return None;
        }
        let object = context.object.and_then(|id| self.trace.objects.get(id));
        object.and_then(|object| object.priority).or_else(|| {
            let first = self.postings.of_context(context.id).flatten().next();
            self.trace.events.get(EventIndex(*first?))?.priority()
        })
    }

    fn lane_list(&self) -> Vec<answer::Lane> {
        let view = self.whole();
        let share = |of, executed| match of {
            LaneKind::Summary | LaneKind::Thread { .. } => view.percent_of_cores(executed),
            _ => view.percent(executed),
        };
        let lanes = self.lanes.all.iter();
        lanes
            .map(|lane| answer::Lane {
                of: lane.of,
                name: self.lane_name(lane.of),
                events: lane.events,
                executed: lane.executed,
                share: share(lane.of, Ticks(lane.executed)),
            })
            .collect()
    }

    fn objects(&self) -> Vec<answer::Object> {
        let contexts = self.trace.contexts.threads();
        let threads = contexts.filter_map(|thread| Some((thread.object?, thread.id.0)));
        let threads: HashMap<_, _> = threads.collect();
        let objects = self.trace.objects.iter();
        objects
            .map(|object| answer::Object {
                class: object.class.name(),
                name: object_name(object),
                address: object.address.to_string(),
                parameters: parameters(object),
                deleted: object.deleted,
                context: threads.get(&object.id).copied(),
            })
            .collect()
    }

    /// The objects whose level is known at some time.
    fn levels(&self) -> Vec<answer::Level> {
        let usages = self.analysis.levels.iter();
        let known = usages.filter(|usage| usage.course.first().is_some());
        known
            .map(|usage| {
                let resource = self.analysis.schedule.resources.get(usage.resource.index());
                answer::Level {
                    resource: usage.resource.0,
                    class: usage.class.name(),
                    name: self.resource_name(usage.resource),
                    object: resource.and_then(|one| one.object).map(|object| object.0),
                    capacity: usage.capacity,
                    context: resource.and_then(|one| one.owner).map(|owner| owner.0),
                }
            })
            .collect()
    }

    fn reports(&self) -> Vec<&'static str> {
        let view = self.whole();
        let kinds = Kind::ALL.iter().filter(|kind| kind.has_subject(&view));
        kinds.map(|kind| kind.name()).collect()
    }

    fn gaps(&self) -> Vec<answer::Gap> {
        let gaps = self.trace.gaps.iter();
        let restarts = &self.analysis.active.restarts;
        gaps.map(|gap| answer::Gap {
            event: gap.before.0,
            time: self.time_of(gap.before.index()),
            missing: gap.missing,
            restart: restarts.binary_search(&gap.before).is_ok(),
        })
        .collect()
    }

    fn diagnostics(&self) -> Vec<answer::Diagnostic> {
        let diagnostics = self.analysis.diagnostics.iter();
        diagnostics
            .map(|one| answer::Diagnostic {
                severity: one.severity().to_string(),
                kind: one.kind.to_string(),
                message: short(&one.message, LINE),
                event: one.event.map(|event| event.0),
                count: one.count,
            })
            .collect()
    }
}

fn object_name(object: &Object) -> String {
    if object.name.is_empty() {
        object.address.to_string()
    } else {
        short(&object.name, NAME)
    }
}

fn parameters(object: &Object) -> Vec<(&'static str, u64)> {
    let named = object.parameter_names().into_iter().zip(object.parameters);
    named.filter(|(name, _)| !name.is_empty()).collect()
}

fn classes() -> Vec<answer::Class> {
    let class = |(class, name): (Class, _)| answer::Class {
        code: class.0,
        name,
    };
    Class::all().map(class).collect()
}
