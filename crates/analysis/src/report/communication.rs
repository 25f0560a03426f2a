//! Which contexts use which objects, and who sends to, posts to and wakes whom.

use super::{Distribution, Samples, View};
use crate::flows::{Flow, FlowKind, FlowObject, flows};
use crate::levels::{CallDirection, CallOutcome, RecordedCall};
use crate::naming::NameFormatter;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{ReportTable, TableRow, column};
use crate::schedule::LockEnding;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{ContextId, Endpoint, EventIndex, ResourceId, parallel};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The communication of the contexts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Communication {
    /// The use of objects, in the order of the schedule, then of the contexts.
    pub uses: Vec<ObjectUse>,
    /// The flows from cause to effect: messages, posts, wake-ups.
    pub flows: Vec<FlowRow>,
}

/// How a context uses an object. Queues of active objects are not among the objects: posts
/// are flows. A scope of threads has only their calls; mutexes belong to no core.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ObjectUse {
    /// The object.
    #[serde(skip)]
    pub resource: ResourceId,
    /// The context.
    #[serde(skip)]
    pub caller: ContextId,
    /// The name of the object, or its address if it has none.
    pub object: String,
    /// Its class, e.g. `queue`.
    pub class: &'static str,
    /// The name of the context.
    pub context: String,
    /// Calls that add to the object, or release the mutex.
    pub puts: u64,
    /// Calls that take from it, or acquire the mutex.
    pub takes: u64,
    /// Puts that had to wait.
    pub blocked_puts: u64,
    /// Takes that had to wait.
    pub blocked_takes: u64,
    /// Puts that failed without a wait.
    pub refused_puts: u64,
    /// Takes that failed without a wait.
    pub refused_takes: u64,
    /// The first of these calls.
    pub first_event: u32,
}

impl TableRow for ObjectUse {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "communication.uses",
        title: "Use of objects",
        note: "Blocked calls had to wait; refused calls failed without a wait",
        empty: "No queues, semaphores, event flags, pools or mutexes were used",
        rank: "puts",
        columns: &[
            column!(Text, object, "Object"),
            column!(Text, class, "Class"),
            column!(Text, context, "Context"),
            column!(Count, puts, "Puts").hint("Calls that add to the object, or release the mutex"),
            column!(Count, takes, "Takes")
                .hint("Calls that take from the object, or acquire the mutex"),
            column!(Count, blocked_puts, "Blocked puts"),
            column!(Count, blocked_takes, "Blocked takes"),
            column!(Count, refused_puts, "Refused puts"),
            column!(Count, refused_takes, "Refused takes"),
            column!(Event, first_event, "First event").only(&[Text, Viewer]),
        ],
    };
}

/// The flows of one kind from one context to another through one object.
///
/// A flow counts in the window in which its effect is, and for the threads of the scope
/// if the cause or the effect is in one of them. Flows belong to no core.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FlowRow {
    /// The key of the flows.
    #[serde(skip)]
    pub key: FlowKey,
    /// `wake`, `message` or `post`.
    pub kind: &'static str,
    /// The context of the causes; `None` if it is not recorded.
    pub from: Option<String>,
    /// The object that held the messages or that the thread was blocked on, or the
    /// signal of the posts; `None` if there is none.
    pub object: Option<String>,
    /// The context of the effects.
    pub to: Option<String>,
    /// Number of flows.
    pub count: u64,
    /// From cause to effect, if both times were recorded.
    pub latency: Option<Distribution>,
    /// The first effect.
    pub first_event: u32,
}

impl TableRow for FlowRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "communication.flows",
        title: "From cause to effect",
        note: "",
        empty: "No context sends to, posts to or wakes another one",
        rank: "count",
        columns: &[
            column!(Text, kind, "Kind"),
            column!(Text, from, "From").missing("unknown"),
            column!(Text, object, "Object or signal"),
            column!(Text, to, "To").missing("unknown"),
            column!(Count, count, "Count"),
            column!(Event, first_event, "First event").only(&[Text, Viewer]),
            column!(Distribution, latency, "Latency").hint("from cause to effect"),
        ],
    };
}

/// What the flows of a row have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlowKey {
    /// The kind.
    pub kind: FlowKind,
    /// The context of the causes.
    pub from: Endpoint,
    /// The context of the effects.
    pub to: Endpoint,
    /// The object or signal.
    pub object: Option<FlowObject>,
}

/// The communication of the contexts in a scope.
pub fn communication(view: &View<'_>) -> Communication {
    let (uses, flows) = parallel::join(|| uses(view), || flow_rows(view));
    Communication { uses, flows }
}

/// Counts of the calls of a context in one direction.
#[derive(Debug, Clone, Copy, Default)]
struct CallCounts {
    calls: u64,
    blocked: u64,
    refused: u64,
}

/// Counts of the calls of a context on an object.
#[derive(Debug, Default)]
struct UseCounts {
    puts: CallCounts,
    takes: CallCounts,
    first: Option<EventIndex>,
}

impl UseCounts {
    fn seen(&mut self, event: EventIndex) {
        self.first = Some(self.first.map_or(event, |first| first.min(event)));
    }
}

fn uses(view: &View<'_>) -> Vec<ObjectUse> {
    let mut all = BTreeMap::<(ResourceId, ContextId), UseCounts>::new();
    calls(view, &mut all);
    mutex_calls(view, &mut all);
    let rows = all.into_iter().filter_map(|((resource, caller), counts)| {
        let known = view.schedule.resources.get(resource.index())?;
        Some(ObjectUse {
            resource,
            caller,
            object: view.resource_name(resource),
            class: known.class.name(),
            context: view.trace.context_name(caller),
            puts: counts.puts.calls,
            takes: counts.takes.calls,
            blocked_puts: counts.puts.blocked,
            blocked_takes: counts.takes.blocked,
            refused_puts: counts.puts.refused,
            refused_takes: counts.takes.refused,
            first_event: counts.first.unwrap_or_default().0,
        })
    });
    rows.collect()
}

/// The calls on queues, semaphores, event flags and pools.
fn calls(view: &View<'_>, all: &mut BTreeMap<(ResourceId, ContextId), UseCounts>) {
    let events = view.scope.events(view.trace);
    for (resource, history) in view.level_histories.iter() {
        let known = view.schedule.resources.get(resource.index());
        if known.is_some_and(|known| known.owner.is_some()) {
            continue;
        }
        let mut by_caller = HashMap::<ContextId, UseCounts>::new();
        for call in history.calls(events.clone()) {
            let RecordedCall {
                event,
                caller,
                outcome,
                ..
            } = call;
            let is_of_core = || {
                let core = view.trace.events.core(event);
                core.is_some_and(|core| view.includes_core(core))
            };
            if !view.includes_thread(caller) || (view.scope.core.is_some() && !is_of_core()) {
                continue;
            }
            let used = by_caller.entry(caller).or_default();
            used.seen(event);
            let counts = match call.direction {
                CallDirection::Put => &mut used.puts,
                CallDirection::Take => &mut used.takes,
                CallDirection::Flush | CallDirection::Other => continue,
            };
            counts.calls += 1;
            counts.blocked += u64::from(outcome == CallOutcome::Blocked);
            counts.refused += u64::from(outcome == CallOutcome::Refused);
        }
        let used = by_caller.into_iter();
        all.extend(used.map(|(caller, counts)| ((resource, caller), counts)));
    }
}

/// The acquisitions and releases of mutexes.
fn mutex_calls(view: &View<'_>, all: &mut BTreeMap<(ResourceId, ContextId), UseCounts>) {
    for hold in &view.schedule.mutex_holds {
        if !view.includes_thread(hold.owner) {
            continue;
        }
        let acquired = hold.start_known && view.contains(hold.start);
        let released = hold.ending == LockEnding::Done && view.contains(hold.end);
        if !acquired && !released {
            continue;
        }
        let used = all.entry((hold.resource, hold.owner)).or_default();
        used.takes.calls += u64::from(acquired);
        used.takes.blocked += u64::from(acquired && hold.contended);
        used.puts.calls += u64::from(released);
        used.seen(if acquired { hold.first } else { hold.last });
    }
}

/// Totals of the flows of a row.
#[derive(Debug, Default)]
struct FlowTotals {
    count: u64,
    latency: Samples,
    first: Option<EventIndex>,
}

fn flow_rows(view: &View<'_>) -> Vec<FlowRow> {
    let mut all = HashMap::<FlowKey, FlowTotals>::new();
    for flow in flows(view.trace, view.schedule, view.active) {
        if !includes(view, &flow) {
            continue;
        }
        let key = FlowKey {
            kind: flow.kind,
            from: flow.from.endpoint,
            to: flow.to.endpoint,
            object: flow.object,
        };
        let totals = all.entry(key).or_default();
        totals.count += 1;
        if flow.complete {
            let interval = [flow.from.time, flow.to.time];
            totals.latency.add_interval(interval, flow.to.event, None);
        }
        let first = totals.first.unwrap_or(flow.to.event);
        totals.first = Some(first.min(flow.to.event));
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_unstable_by_key(|(key, _)| *key);
    parallel::map(all, |(key, totals)| row(view, key, totals))
}

fn includes(view: &View<'_>, flow: &Flow) -> bool {
    let is_of_scope =
        |endpoint| matches!(endpoint, Endpoint::Object(context) if view.includes_thread(context));
    // Posts are the flows of active objects, rather than the messages in their queues.
    let is_posts = match flow.object {
        Some(FlowObject::Resource(resource)) if flow.kind == FlowKind::Message => {
            let known = view.schedule.resources.get(resource.index());
            known.is_some_and(|known| known.owner.is_some())
        }
        _ => false,
    };
    view.contains(flow.to.time)
        && !is_posts
        && (view.scope.threads.is_none()
            || is_of_scope(flow.from.endpoint)
            || is_of_scope(flow.to.endpoint))
}

fn row(view: &View<'_>, key: FlowKey, totals: FlowTotals) -> FlowRow {
    let naming = NameFormatter(view.trace);
    FlowRow {
        key,
        kind: key.kind.name(),
        from: naming.endpoint(key.from),
        object: key.object.map(|object| match object {
            FlowObject::Resource(resource) => view.resource_name(resource),
            FlowObject::Signal(signal) => naming.signal(signal),
        }),
        to: naming.endpoint(key.to),
        count: totals.count,
        latency: totals.latency.distribution(&view.trace.clock),
        first_event: totals.first.unwrap_or_default().0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::{open, window, with_view};
    use crate::report::locks::locks;
    use crate::report::objects::objects;

    const RECORDINGS: [&str; 3] = ["linux32_services_all", "cm3_system", "rv64_system"];

    /// The whole trace, and its halves.
    fn scopes(span: u64) -> [Scope; 3] {
        let middle = span / 2;
        [
            Scope::default(),
            window(0, middle),
            window(middle + 1, span),
        ]
    }

    #[test]
    fn uses_add_up_to_the_figures_of_the_objects() {
        for name in RECORDINGS {
            let trace = open(&format!("{name}.trx"));
            for scope in scopes(trace.events.span().0) {
                with_view(&trace, &scope, |view| {
                    let uses = communication(view).uses;
                    let sum = |object: &str, class: &str, figure: fn(&ObjectUse) -> u64| -> u64 {
                        let all = uses.iter();
                        let own = all.filter(|it| it.object == object && it.class == class);
                        own.map(figure).sum()
                    };
                    for row in objects(view) {
                        let sum = |figure| sum(&row.object, row.class, figure);
                        assert_eq!(sum(|it| it.puts), row.puts, "{name}: {row:?}");
                        assert_eq!(sum(|it| it.takes), row.takes, "{name}: {row:?}");
                        let blocked = |it: &ObjectUse| it.blocked_puts + it.blocked_takes;
                        assert_eq!(sum(blocked), row.blocked, "{name}: {row:?}");
                        let refused = |it: &ObjectUse| it.refused_puts + it.refused_takes;
                        assert_eq!(sum(refused), row.refused, "{name}: {row:?}");
                    }
                    for row in locks(view) {
                        let sum = |figure| sum(&row.object, "mutex", figure);
                        assert_eq!(sum(|it| it.takes), row.acquisitions, "{name}: {row:?}");
                        assert_eq!(sum(|it| it.blocked_takes), row.contended, "{name}: {row:?}");
                    }
                });
            }
        }
    }

    #[test]
    fn messages_have_the_transfer_times_of_the_objects() {
        for name in RECORDINGS {
            let trace = open(&format!("{name}.trx"));
            for scope in scopes(trace.events.span().0) {
                with_view(&trace, &scope, |view| {
                    let rows = communication(view).flows;
                    for object in objects(view) {
                        let own = rows.iter().filter(|row| {
                            row.kind == "message" && row.object.as_ref() == Some(&object.object)
                        });
                        let own: Vec<_> = own.collect();
                        let count: u64 = own.iter().map(|row| row.count).sum();
                        let transfers = object.transfer.as_ref();
                        assert_eq!(count, transfers.map_or(0, |it| it.count), "{object:?}");
                        let max = own.iter().filter_map(|row| Some(row.latency.as_ref()?.max));
                        assert_eq!(max.max(), transfers.map(|it| it.max), "{object:?}");
                    }
                });
            }
        }
    }

    #[test]
    fn flows_of_a_thread_begin_or_end_in_it() {
        let trace = open("cm3_system.trx");
        let logger = trace.contexts.threads();
        let logger = logger.map(|it| it.id);
        let logger = logger
            .filter(|id| trace.context_name(*id) == "logger")
            .collect();
        let scope = Scope {
            threads: Some(logger),
            ..Scope::default()
        };
        with_view(&trace, &scope, |view| {
            let own = Some("logger".to_owned());
            let found = communication(view);
            assert!(!found.flows.is_empty());
            for row in &found.flows {
                assert!(row.from == own || row.to == own, "{row:?}");
            }
            assert!(found.uses.iter().all(|row| row.context == "logger"));
        });
    }
}
