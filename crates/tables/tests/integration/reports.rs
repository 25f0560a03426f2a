//! Sums over tables match the figures of the reports.

use crate::common::{self, Grid, Row, TestRecording, each};
use rtoscope_analysis::report::{
    Distribution, View, findings, inversions, isr, latency, locks, objects, performance, signals,
    threads,
};
use rtoscope_tables::Table;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Sums by name; several things can share a name.
type Sums = BTreeMap<String, i128>;

fn sums(parts: impl IntoIterator<Item = (String, i128)>) -> Sums {
    let mut sums = Sums::new();
    for (name, part) in parts {
        *sums.entry(name).or_default() += part;
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

fn report_sums<T>(rows: &[T], part: impl Fn(&T) -> (String, u64)) -> Sums {
    sums(rows.iter().map(|row| {
        let (name, part) = part(row);
        (name, part.into())
    }))
}

fn table_sums(
    grid: &Grid,
    matches_row: impl Fn(&Row<'_>) -> bool,
    part: impl Fn(&Row<'_>) -> (String, i128),
) -> Sums {
    sums(grid.rows().filter(matches_row).map(|row| part(&row)))
}

/// Compares a recording's tables with its reports; returns the number of compared figures.
type Comparison = fn(&TestRecording, &View<'_>) -> usize;

const COMPARISONS: [(&str, Comparison); 10] = [
    (
        "waits for objects match the report",
        waits_for_objects_match_the_report,
    ),
    (
        "event counts of contexts match",
        event_counts_of_contexts_match,
    ),
    (
        "dispatch counts match the performance report",
        dispatch_counts_match_the_performance_report,
    ),
    ("isrs match the report", isrs_match_the_report),
    ("levels match the report", levels_match_the_report),
    (
        "holds and inversions match the reports",
        holds_and_inversions_match_the_reports,
    ),
    (
        "flow latencies match the reports",
        flow_latencies_match_the_reports,
    ),
    (
        "findings gaps and diagnostics are complete",
        findings_gaps_and_diagnostics_are_complete,
    ),
    (
        "activations match the latency report",
        activations_match_the_latency_report,
    ),
    ("arguments match the details", arguments_match_the_details),
];

#[test]
fn tables_match_the_reports() {
    let compared = RefCell::new([0; COMPARISONS.len()]);
    each(|opened| {
        let view = opened.view();
        for ((_, compare), compared) in COMPARISONS.iter().zip(&mut *compared.borrow_mut()) {
            *compared += compare(opened, &view);
        }
    });
    for ((name, _), compared) in COMPARISONS.iter().zip(compared.into_inner()) {
        assert!(compared > 3, "hardly anything was compared: {name}");
    }
}

#[track_caller]
fn equal(opened: &TestRecording, found: &Sums, expected: &Sums) -> usize {
    assert_eq!(found, expected, "{}", &opened.info.name);
    expected.len()
}

/// Compares durations in a table with their distribution in a report.
#[track_caller]
fn distributed(view: &View<'_>, found: &[i128], expected: Option<&Distribution>) -> usize {
    if !view.trace.clock.measures_time() {
        // Ticks are not durations then: no report has any.
        assert_eq!(expected, None);
        return 0;
    }
    let Some(expected) = expected else {
        assert_eq!(found, []);
        return 0;
    };
    assert_eq!(found.len() as u64, expected.count);
    assert_eq!(found.iter().min().copied(), Some(expected.min.into()));
    assert_eq!(found.iter().max().copied(), Some(expected.max.into()));
    let mean = found.iter().sum::<i128>() as f64 / found.len() as f64;
    assert!(
        (mean - expected.mean).abs() <= 0.001 + mean * 1e-9,
        "{mean} {}",
        expected.mean
    );
    1
}

fn one(row: &Row<'_>, column: &str) -> (String, i128) {
    (row.text(column).to_owned(), 1)
}

fn waits_for_objects_match_the_report(opened: &TestRecording, view: &View<'_>) -> usize {
    let states = opened.grid(Table::ThreadStates);
    let rows = objects::objects(view);
    let is_wait = |it: &Row<'_>| *it.get("object") != common::Cell::Missing;
    let found = table_sums(&states, is_wait, |it| {
        let name = format!("{} {}", it.text("object_class"), it.text("object"));
        (name, it.number("duration"))
    });
    // Mutexes and event flags have no row in that report.
    let classes: Vec<_> = rows.iter().map(|row| row.class).collect();
    let is_reported = |name: &str| classes.iter().any(|class| name.starts_with(class));
    let found = found
        .into_iter()
        .filter(|(name, _)| is_reported(name))
        .collect();
    let expected = report_sums(&rows, |row| {
        (format!("{} {}", row.class, row.object), row.waiters.total)
    });
    equal(opened, &found, &expected)
}

fn event_counts_of_contexts_match(opened: &TestRecording, view: &View<'_>) -> usize {
    let by_event = opened.grid(Table::Events);
    let by_event = table_sums(
        &by_event,
        |it| *it.get("context") != common::Cell::Missing,
        |it| one(it, "context"),
    );
    let contexts = opened.grid(Table::Contexts);
    let of_contexts = table_sums(
        &contexts,
        |_| true,
        |it| (it.text("context").to_owned(), it.number("events")),
    );
    let threads = table_sums(
        &contexts,
        |it| it.is("kind", "thread"),
        |it| (it.text("context").to_owned(), it.number("events")),
    );
    let expected = report_sums(&threads::threads(view), |row| {
        (row.name.clone(), row.events)
    });
    equal(opened, &by_event, &of_contexts) + equal(opened, &threads, &expected)
}

fn dispatch_counts_match_the_performance_report(opened: &TestRecording, view: &View<'_>) -> usize {
    let dispatches = opened.grid(Table::Dispatches);
    let expected = performance::performance(view);
    assert_eq!(dispatches.count(|_| true), expected.dispatches.into());
    let switches = dispatches.count(|it| it.holds("is_switch"));
    assert_eq!(switches, expected.context_switches.into());
    usize::try_from(expected.dispatches).unwrap()
}

fn isrs_match_the_report(opened: &TestRecording, view: &View<'_>) -> usize {
    let isrs = opened.grid(Table::Isrs);
    for row in isr::isr(view) {
        let same = |it: &Row<'_>| it.is("isr", &row.name);
        let complete = |it: &Row<'_>| same(it) && it.holds("entered") && it.holds("exited");
        assert_eq!(isrs.count(same), row.activations.into(), "{}", row.name);
        let nested = isrs.count(|it| same(it) && it.number("depth") > 1);
        assert_eq!(nested, row.nested.into());
        for (column, expected) in [
            ("duration", &row.duration),
            ("self_duration", &row.self_duration),
        ] {
            let durations = isrs.rows().filter(complete).map(|it| it.number(column));
            distributed(view, &durations.collect::<Vec<_>>(), expected.as_ref());
        }
    }
    isr::isr(view).len()
}

fn levels_match_the_report(opened: &TestRecording, view: &View<'_>) -> usize {
    let levels = opened.grid(Table::Levels);
    let mut compared = 0;
    for row in objects::objects(view) {
        let is_known = |it: &Row<'_>| *it.get("level") != common::Cell::Missing;
        let same = |it: &Row<'_>| {
            let address = it.number("object_address");
            address == row.object_address.0.0.into() && it.is("class", row.class)
        };
        let own = || levels.rows().filter(same).filter(is_known);
        let min = own().map(|it| it.number("level")).min();
        let max = own().map(|it| it.number("level")).max();
        let expected = row.level.as_ref();
        assert_eq!(
            min,
            expected.map(|level| level.min.into()),
            "{}",
            row.object
        );
        assert_eq!(
            max,
            expected.map(|level| level.max.into()),
            "{}",
            row.object
        );
        let known: i128 = own().map(|it| it.number("duration")).sum();
        let weighted: i128 = own()
            .map(|it| it.number("duration") * it.number("level"))
            .sum();
        if let Some(mean) = expected.and_then(|level| level.mean) {
            let found = weighted as f64 / known as f64;
            assert!(
                (found - mean).abs() < 0.001,
                "{}: {found} {mean}",
                row.object
            );
            compared += 1;
        }
    }
    compared
}

fn holds_and_inversions_match_the_reports(opened: &TestRecording, view: &View<'_>) -> usize {
    let holds = opened.grid(Table::MutexHolds);
    for row in locks::locks(view) {
        let same = |it: &Row<'_>| it.is("object", &row.object);
        let acquisitions = holds.count(|it| same(it) && it.holds("start_known"));
        assert_eq!(acquisitions, row.acquisitions.into(), "{}", row.object);
        let complete =
            |it: &Row<'_>| same(it) && it.holds("start_known") && it.is("ending", "released");
        let durations = holds
            .rows()
            .filter(complete)
            .map(|it| it.number("duration"));
        distributed(view, &durations.collect::<Vec<_>>(), row.hold.as_ref());
    }
    let expected = inversions::inversions(view);
    let found = opened.grid(Table::Inversions);
    assert_eq!(found.count(|_| true), expected.len() as i128);
    for expected in &expected {
        let same = |it: &Row<'_>| {
            it.is("object", &expected.object)
                && it.is("blocked", &expected.blocked)
                && it.is("owners", &expected.owners.join(", "))
                && it.is("ending", expected.ending)
                && it.number("start") == expected.start.into()
                && it.number("duration") == expected.duration.into()
                && it.holds("unbounded") == (expected.unbounded == Some(true))
        };
        assert!(found.rows().any(|it| same(&it)), "{expected:?}");
    }
    expected.len()
}

fn flow_latencies_match_the_reports(opened: &TestRecording, view: &View<'_>) -> usize {
    let flows = opened.grid(Table::Flows);
    let latencies = |kind: &str, matches_row: &dyn Fn(&Row<'_>) -> bool| -> Vec<i128> {
        let rows = flows.rows();
        let rows = rows.filter(|it| it.is("kind", kind) && it.holds("complete") && matches_row(it));
        rows.map(|it| it.number("latency")).collect()
    };
    let mut compared = 0;
    let threads = latency::latency(view).threads;
    for thread in &threads {
        let namesakes = threads.iter().filter(|other| other.name == thread.name);
        if namesakes.count() == 1 {
            let wakes = latencies("wake", &|it| it.is("to_context", &thread.name));
            compared += distributed(view, &wakes, thread.wake_up.as_ref());
        }
    }
    for row in objects::objects(view) {
        let messages = latencies("message", &|it| it.is("object", &row.object));
        compared += distributed(view, &messages, row.transfer.as_ref());
    }
    for row in signals::signals(view) {
        let posts = latencies("post", &|it| {
            let sender = match &row.sender {
                Some(sender) => it.is("from_context", sender),
                None => *it.get("from_context") == common::Cell::Missing,
            };
            sender && it.is("to_context", &row.object) && it.is("object", &row.signal)
        });
        compared += distributed(view, &posts, row.queueing.as_ref());
    }
    compared
}

fn findings_gaps_and_diagnostics_are_complete(opened: &TestRecording, view: &View<'_>) -> usize {
    let all = findings::findings(view);
    let grid = opened.grid(Table::Findings);
    assert_eq!(grid.count(|_| true), all.len() as i128);
    for (row, finding) in grid.rows().zip(&all) {
        assert_eq!(row.text("severity"), finding.severity.name());
        assert_eq!(row.text("message"), finding.message);
        assert!(
            row.text("category")
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it == b'-')
        );
    }
    let trace = view.trace;
    let diagnostics = opened.grid(Table::Diagnostics);
    let counts: u64 = view.diagnostics.iter().map(|it| it.count).sum();
    assert_eq!(diagnostics.sum("count", |_| true), counts.into());
    let gaps = opened.grid(Table::Gaps);
    assert_eq!(gaps.count(|_| true), trace.gaps.len() as i128);
    let complete = opened.grid(Table::Recordings);
    let row = complete.rows().next().unwrap();
    assert_eq!(row.number("events"), trace.events.len() as i128);
    assert_eq!(row.number("span"), trace.events.span().0.into());
    assert_eq!(row.number("findings"), all.len() as i128);
    trace.gaps.len() + all.len()
}

fn activations_match_the_latency_report(opened: &TestRecording, view: &View<'_>) -> usize {
    let activations = opened.grid(Table::Activations);
    let mut compared = 0;
    let threads = latency::latency(view).threads;
    for (thread, context) in threads.iter().zip(view.threads()) {
        let durations = |column: &str| {
            let own = activations.rows();
            let own = own.filter(|it| it.number("context_id") == context.id.0.into());
            let own = own.filter(|it| *it.get(column) != common::Cell::Missing);
            own.map(|it| it.number(column)).collect::<Vec<_>>()
        };
        for (column, expected) in [
            ("wake_up", &thread.wake_up),
            ("response", &thread.response),
            ("period", &thread.period),
            ("jitter", &thread.jitter),
        ] {
            compared += distributed(view, &durations(column), expected.as_ref());
        }
    }
    compared
}

fn arguments_match_the_details(opened: &TestRecording, view: &View<'_>) -> usize {
    let grid = opened.grid(Table::Arguments);
    let mut lines: BTreeMap<i128, String> = BTreeMap::new();
    for row in grid.rows() {
        let line = lines.entry(row.number("event")).or_default();
        let name = row.text("name").replace(' ', "_");
        let separator = if line.is_empty() { "" } else { " " };
        *line += &format!("{separator}{name}={}", row.text("text"));
        let position = row.number("position");
        let before = line.matches(&format!("{separator}{name}=")).count();
        assert!(position >= 1 && before >= 1);
    }
    let events = opened.grid(Table::Events);
    let known = |it: &Row<'_>| {
        let kind = rtoscope_trace::EventKindId(it.number("number") as u32);
        view.trace.catalogue.get(kind).is_some()
    };
    for event in events.rows().filter(known) {
        let line = lines.remove(&event.number("event"));
        // Within a line, names are in quotation marks.
        let plain = |line: &str| line.replace('"', "");
        let line = plain(&line.unwrap_or_default());
        assert_eq!(line, plain(event.text("arguments")));
    }
    assert!(lines.is_empty(), "{lines:?}");
    usize::try_from(grid.count(|_| true)).unwrap()
}
