//! Levels of queues, semaphores and pools, and the threads that wait for them.

use super::rounding::three_decimals;
use super::{Distribution, Hex, Samples, View};
use crate::levels::{GraphPoint, ObjectUsage};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{Cell, LinkTarget, ReportTable, TableRow, column};
use crate::schedule::ThreadState;
use rtoscope_trace::{ObjectClass, Resource, ResourceId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

/// The level of an object: messages in a queue, a semaphore's count, free
/// blocks, free bytes. `None` is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LevelRow {
    /// At the start of the scope.
    pub at_start: Option<u32>,
    /// At its end.
    pub at_end: Option<u32>,
    /// The minimum that is known.
    pub min: u32,
    /// The maximum that is known.
    pub max: u32,
    /// The mean over the time in which the level is known; `None` if there is
    /// none.
    pub mean: Option<f64>,
    /// The call after which it was first at the minimum.
    pub min_event: u32,
    /// The call after which it was first at the maximum.
    pub max_event: u32,
    /// Share of the scope's time in which the level is known, in percent;
    /// `None` if no time passes in it.
    pub known_percent: Option<f64>,
    /// The level over time: start in ticks, minimum and maximum from there on,
    /// which differ if several changes share a point; `None` if unknown. At
    /// most 512 points.
    pub graph: Vec<(u64, Option<u32>, Option<u32>)>,
}

/// Threads that waited for an object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WaiterTotals {
    /// Waits that began in the scope.
    pub count: u64,
    /// Total wait time in the scope, in ticks.
    pub total: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ns: Option<u64>,
    /// The longest wait, as far as it is in the scope.
    pub max: u64,
    /// The event at which it began, or the last before it.
    pub max_event: Option<u32>,
}

/// An object and how it was used.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ObjectRow {
    /// Its name, or its address if it has none.
    pub object: String,
    /// Its class, e.g. `queue`.
    pub class: &'static str,
    /// Its address.
    pub object_address: Hex,
    /// Calls on it.
    pub calls: u64,
    /// Calls that add to it: messages, counts, blocks, bytes, flags.
    pub puts: u64,
    /// Calls that take from it.
    pub takes: u64,
    /// Calls that its level did not allow, and that waited.
    pub blocked: u64,
    /// Calls that its level did not allow, and that did not wait.
    pub refused: u64,
    /// Its level; `None` for an object without a level, or without a record of
    /// it.
    pub level: Option<LevelRow>,
    /// The level that it cannot exceed: messages, blocks or bytes.
    pub capacity: Option<u64>,
    /// High-water mark, in percent of its capacity: a queue's messages, the
    /// used part of a pool. For a byte pool only the calls that release memory
    /// record it.
    pub high_water_percent: Option<f64>,
    /// The threads that waited for it.
    pub waiters: WaiterTotals,
    /// From the call that puts to the call that takes, or to the resumption of
    /// the thread that waits.
    pub transfer: Option<Distribution>,
}

impl TableRow for ObjectRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "objects",
        title: ReportKind::Objects.title(),
        note: "Blocked and refused: calls that the level did not allow",
        empty: "No queues, semaphores, pools or event flags",
        rank: "calls",
        columns: &[
            column!(Link, object, "Object", |row| {
                let (class, address) = (row.class, row.object_address);
                Some(Cell::Link(
                    &row.object,
                    LinkTarget::Object { class, address },
                ))
            }),
            column!(Text, class, "Class"),
            column!(Count, puts, "Puts").only(&[Text, Viewer]),
            column!(Count, takes, "Takes").only(&[Text, Viewer]),
            column!(Count, calls, "Calls"),
            column!(Count, blocked, "Blocked"),
            column!(Count, refused, "Refused"),
            column!(Count, level?.min, "Min level"),
            column!(Event, level?.min_event, "Min at event").only(&[Viewer]),
            column!(Decimal, level?.mean, "Mean level"),
            column!(Count, level?.max, "Max level"),
            column!(Event, level?.max_event, "Max at event").only(&[Text, Viewer]),
            column!(Count, capacity, "Capacity"),
            column!(Percent, high_water_percent, "High-water mark").warns(80.0, 100.0),
            column!(Count, waiters.count, "Waits").only(&[Text, Viewer]),
            column!(Duration, waiters.total, "Wait time")
                .total()
                .only(&[Text]),
            column!(Duration, waiters.max, "Longest wait", |row| Some(
                row.waiters.max
            )
            .filter(|_| row.waiters.count > 0)
            .map(Cell::Duration))
            .only(&[Viewer]),
            column!(Event, waiters.max_event, "Wait at event")
                .hint("Start of the longest wait")
                .only(&[Viewer]),
            column!(Distribution, transfer, "Transfer time").hint("from put to take"),
        ],
    };
}

/// Queues, semaphores, event flags and pools, including unused ones, in the
/// order of the schedule. Mutexes are in [`locks`](super::locks).
pub fn objects(view: &View<'_>) -> Vec<ObjectRow> {
    let waiters = waiters(view);
    let mut transfers = transfers(view);
    let resources = view.schedule.resources.iter().zip(0..);
    let rows = resources.filter_map(|(resource, id)| {
        let id = ResourceId(id);
        let usage = view.levels.get(id);
        let waiters = waiters.get(id.index()).copied().unwrap_or_default();
        let shown = match resource.class {
            ObjectClass::Mutex => false,
            ObjectClass::Queue
            | ObjectClass::Semaphore
            | ObjectClass::EventFlags
            | ObjectClass::BlockPool
            | ObjectClass::BytePool => true,
            _ => usage.is_some(),
        };
        let transfer = transfers.get_mut(id.index()).map(std::mem::take);
        let transfer = transfer.unwrap_or_default();
        shown.then(|| row(view, id, resource, usage, waiters, transfer))
    });
    rows.collect()
}

fn row(
    view: &View<'_>,
    id: ResourceId,
    resource: &Resource,
    usage: Option<&ObjectUsage>,
    waiters: WaiterTotals,
    transfer: Samples,
) -> ObjectRow {
    let count = |what: fn(&ObjectUsage) -> u64| usage.map(what).unwrap_or_default();
    let level = usage.and_then(|usage| level(view, usage));
    let capacity = usage.and_then(|usage| usage.capacity);
    let used = |capacity: u64| {
        let level = level.as_ref()?;
        let used = match resource.class {
            ObjectClass::BlockPool | ObjectClass::BytePool => {
                capacity.checked_sub(u64::from(level.min))?
            }
            _ => u64::from(level.max),
        };
        Some(three_decimals(used as f64 / capacity as f64 * 100.0))
    };
    ObjectRow {
        object: view.resource_name(id),
        class: resource.class.name(),
        object_address: Hex(resource.address),
        calls: count(|usage| usage.puts + usage.takes + usage.other_calls),
        puts: count(|usage| usage.puts),
        takes: count(|usage| usage.takes),
        blocked: count(|usage| usage.blocked),
        refused: count(|usage| usage.refused),
        high_water_percent: capacity.filter(|capacity| *capacity > 0).and_then(used),
        level,
        capacity,
        waiters,
        transfer: transfer.distribution(&view.trace.clock),
    }
}

/// Time from put to take for each object, by its number.
fn transfers(view: &View<'_>) -> Vec<Samples> {
    let mut samples = vec![Samples::default(); view.schedule.resources.len()];
    for transfer in &view.schedule.transfers {
        let time = |event| view.trace.events.time(event).unwrap_or_default();
        let (put, take) = (time(transfer.put), time(transfer.take));
        if view.contains(take)
            && let Some(samples) = samples.get_mut(transfer.resource.index())
        {
            samples.add_interval([put, take], transfer.take, None);
        }
    }
    samples
}

fn level(view: &View<'_>, usage: &ObjectUsage) -> Option<LevelRow> {
    let stats = &usage.level;
    let (lowest, highest) = (stats.minimum()?, stats.maximum()?);
    Some(LevelRow {
        at_start: stats.at_start(),
        at_end: stats.at_end(),
        min: lowest.level,
        max: highest.level,
        mean: stats.mean().map(three_decimals),
        min_event: lowest.event.0,
        max_event: highest.event.0,
        known_percent: view.percent(stats.known()),
        graph: stats.graph().iter().map(point).collect(),
    })
}

fn point(point: &GraphPoint) -> (u64, Option<u32>, Option<u32>) {
    let (lowest, highest) = point.levels.unzip();
    (point.start.0, lowest, highest)
}

/// The waits for each object, by its number.
fn waiters(view: &View<'_>) -> Vec<WaiterTotals> {
    let mut waiters = vec![WaiterTotals::default(); view.schedule.resources.len()];
    for thread in view.threads() {
        let intervals = view.thread_states(thread.id);
        for (interval, end) in super::threads::with_ends(intervals, view.schedule.span) {
            let ThreadState::Waiting {
                resource: Some(resource),
                ..
            } = interval.state
            else {
                continue;
            };
            let Some(one) = waiters.get_mut(resource.index()) else {
                continue;
            };
            one.count += u64::from(interval.start_known && view.contains(interval.start));
            let ticks = view.clip(interval.start, end).0;
            one.total = one.total.saturating_add(ticks);
            if one.max < ticks {
                one.max = ticks;
                one.max_event = Some(interval.event.0);
            }
        }
    }
    for one in &mut waiters {
        one.total_ns = view.nanoseconds(Ticks(one.total));
    }
    waiters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::{open, testdata_path, with_view};

    fn of(name: &str, scope: &Scope) -> (Vec<ObjectRow>, u64) {
        let trace = open(&format!("{name}.trx"));
        (with_view(&trace, scope, objects), trace.events.span().0)
    }

    fn named<'a>(rows: &'a [ObjectRow], name: &str) -> &'a ObjectRow {
        rows.iter().find(|row| row.object == name).unwrap()
    }

    #[test]
    fn calls_agree_with_counts_of_the_target() {
        let (rows, _) = of("linux32_services_all", &Scope::default());
        let truth = std::fs::read_to_string(testdata_path("linux32_services_all.gt.json")).unwrap();
        let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
        let counted = |numbers: &[u32]| -> u64 {
            let count = |number: &u32| &truth["counts_in_buffer"][number.to_string()];
            let counts = numbers.iter().map(count);
            counts.filter_map(serde_json::Value::as_u64).sum()
        };
        // The numbers of tx_trace.h.
        for (class, puts, takes) in [
            ("queue", &[63, 69][..], &[68][..]),
            ("semaphore", &[80, 88], &[83]),
            ("block-pool", &[17], &[10]),
        ] {
            let of_class = rows.iter().filter(|row| row.class == class);
            let sums = of_class.fold((0, 0), |sums, row| (sums.0 + row.puts, sums.1 + row.takes));
            assert_eq!(sums, (counted(puts), counted(takes)), "{class}");
        }
        assert!(rows.iter().all(|row| row.class != "mutex"));
        let flags = named(&rows, "flags");
        assert_eq!((flags.calls, flags.level.as_ref()), (6, None));
    }

    #[test]
    fn a_full_queue_has_all_its_messages() {
        let (rows, _) = of("linux32_services_all", &Scope::default());
        let queue = named(&rows, "queue");
        let level = queue.level.as_ref().unwrap();
        assert_eq!((level.min, level.max, queue.capacity), (0, 8, Some(8)));
        assert_eq!(queue.high_water_percent, Some(100.0));
        assert_eq!((queue.blocked, queue.refused), (2, 2));
        assert_eq!(queue.waiters.count, 2);

        let blocks = named(&rows, "blocks");
        let level = blocks.level.as_ref().unwrap();
        assert_eq!((level.at_start, level.min), (Some(9), 0));
        assert_eq!((blocks.capacity, blocks.waiters.count), (Some(9), 1));
    }

    #[test]
    fn a_window_begins_with_the_current_level() {
        let (rows, span) = of("rv64_system", &Scope::default());
        let whole = named(&rows, "rv queue");
        let parts = [
            (None, Some(Ticks(span / 2))),
            (Some(Ticks(span / 2 + 1)), None),
        ];
        let parts = parts.map(|(from, to)| {
            let scope = Scope {
                start: from,
                end: to,
                ..Scope::default()
            };
            named(&of("rv64_system", &scope).0, "rv queue").clone()
        });
        let [first, second] = &parts;
        assert_eq!(first.calls + second.calls, whole.calls);
        let levels = parts.each_ref().map(|part| part.level.as_ref().unwrap());
        assert_eq!(levels[0].at_end, levels[1].at_start);
        assert_eq!(levels[0].known_percent, Some(100.0));
        let highest = levels.iter().map(|level| level.max).max();
        assert_eq!(highest, whole.level.as_ref().map(|level| level.max));
        assert_eq!(whole.capacity, Some(16));
    }
}
