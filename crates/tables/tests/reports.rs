//! Sums over tables match the figures of the reports.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{Grid, Opened, Row, each};
use rtoscope_analysis::report::{
    Distribution, View, findings, inversions, isr, latency, locks, objects, performance, profile,
    services, signals, stacks, states, threads, timers, transitions,
};
use rtoscope_tables::Table;
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

fn told<T>(rows: &[T], part: impl Fn(&T) -> (String, u64)) -> Sums {
    sums(rows.iter().map(|row| {
        let (name, part) = part(row);
        (name, part.into())
    }))
}

fn found(
    grid: &Grid,
    meant: impl Fn(&Row<'_>) -> bool,
    part: impl Fn(&Row<'_>) -> (String, i128),
) -> Sums {
    sums(grid.rows().filter(meant).map(|row| part(&row)))
}

/// Runs a comparison on all recordings; it returns how many figures it
/// compared.
fn judge(compare: impl Fn(&Opened, &View<'_>) -> usize) {
    let compared = std::cell::Cell::new(0);
    each(|opened| {
        let more = compare(opened, &opened.source().view);
        compared.set(compared.get() + more);
    });
    assert!(compared.get() > 3, "hardly anything was compared");
}

#[track_caller]
fn equal(opened: &Opened, found: &Sums, told: &Sums) -> usize {
    assert_eq!(found, told, "{}", opened.source().name);
    told.len()
}

/// Compares durations in a table with their distribution in a report.
#[track_caller]
fn distributed(view: &View<'_>, found: &[i128], told: Option<&Distribution>) -> usize {
    if !view.trace.clock.measures_time() {
        // Ticks are not durations then: no report has any.
        assert_eq!(told, None);
        return 0;
    }
    let Some(told) = told else {
        assert_eq!(found, []);
        return 0;
    };
    assert_eq!(found.len() as u64, told.count);
    assert_eq!(found.iter().min().copied(), Some(told.min.into()));
    assert_eq!(found.iter().max().copied(), Some(told.max.into()));
    let mean = found.iter().sum::<i128>() as f64 / found.len() as f64;
    assert!(
        (mean - told.mean).abs() <= 0.001 + mean * 1e-9,
        "{mean} {}",
        told.mean
    );
    1
}

fn one(row: &Row<'_>, column: &str) -> (String, i128) {
    (row.text(column).to_owned(), 1)
}

fn ticks(row: &Row<'_>, column: &str) -> (String, i128) {
    (row.text(column).to_owned(), row.number("duration"))
}

#[test]
fn slices_add_up_to_the_profile() {
    judge(|opened, view| {
        let slices = opened.grid(Table::Slices);
        let rows = profile::profile(view);
        let of = |kind: profile::ProfileKind| {
            let rows: Vec<_> = rows.iter().filter(|row| row.kind == kind).collect();
            told(&rows, |row| (row.context.clone(), row.ticks))
        };
        let whole = |what: &str| slices.sum("duration", |it| it.is("what", what));
        let by =
            |what: &str, name: &str| found(&slices, |it| it.is("what", what), |it| ticks(it, name));
        for (what, kind) in [
            ("kernel", profile::ProfileKind::Kernel),
            ("idle", profile::ProfileKind::Idle),
            ("initialize", profile::ProfileKind::Initialize),
            ("unknown", profile::ProfileKind::Unknown),
        ] {
            assert_eq!(whole(what), of(kind).values().sum::<i128>(), "{what}");
        }
        equal(opened, &by("isr", "isr"), &of(profile::ProfileKind::Isr))
            + equal(
                opened,
                &by("thread", "context"),
                &of(profile::ProfileKind::Thread),
            )
    });
}

#[test]
fn thread_states_match_the_report() {
    judge(|opened, view| {
        let states = opened.grid(Table::ThreadStates);
        let rows = threads::threads(view);
        let of = |state: &str| {
            found(
                &states,
                |it| it.is("state", state),
                |it| ticks(it, "context"),
            )
        };
        let named = |ticks: fn(&threads::ThreadStateTimes) -> u64| {
            told(&rows, |row| (row.name.clone(), ticks(&row.states)))
        };
        let waits = found(
            &states,
            |it| it.is("state", "waiting"),
            |it| {
                let name = format!("{} {}", it.text("context"), it.text("wait"));
                (name, it.number("duration"))
            },
        );
        let told = sums(rows.iter().flat_map(|row| {
            let waiting = row.states.waiting.iter();
            waiting.map(|(wait, ticks)| (format!("{} {wait}", row.name), (*ticks).into()))
        }));
        equal(opened, &of("ready"), &named(|it| it.ready))
            + equal(
                opened,
                &of("running"),
                &named(|it| it.running + it.interrupted),
            )
            + equal(opened, &of("unknown"), &named(|it| it.unknown))
            + equal(opened, &waits, &told)
    });
}

#[test]
fn waits_for_objects_match_the_report() {
    judge(|opened, view| {
        let states = opened.grid(Table::ThreadStates);
        let rows = objects::objects(view);
        let is_wait = |it: &Row<'_>| *it.get("object") != common::Cell::Missing;
        let found = found(&states, is_wait, |it| {
            let name = format!("{} {}", it.text("object_class"), it.text("object"));
            (name, it.number("duration"))
        });
        // Mutexes and event flags have no row in that report.
        let classes: Vec<_> = rows.iter().map(|row| row.class).collect();
        let is_told = |name: &str| classes.iter().any(|class| name.starts_with(class));
        let found = found
            .into_iter()
            .filter(|(name, _)| is_told(name))
            .collect();
        let told = told(&rows, |row| {
            (format!("{} {}", row.class, row.name), row.waiters.ticks)
        });
        equal(opened, &found, &told)
    });
}

#[test]
fn event_counts_match_the_service_report() {
    judge(|opened, view| {
        let events = opened.grid(Table::Events);
        let rows = services::services(view);
        let found = found(
            &events,
            |_| true,
            |it| {
                let name = format!(
                    "{} {} {}",
                    it.text("component"),
                    it.text("kind"),
                    it.number("number")
                );
                (name, 1)
            },
        );
        let told = told(&rows, |row| {
            (
                format!("{} {} {}", row.component, row.name, row.id),
                row.count,
            )
        });
        equal(opened, &found, &told)
    });
}

#[test]
fn event_counts_of_contexts_match() {
    judge(|opened, view| {
        let by_event = opened.grid(Table::Events);
        let by_event = found(
            &by_event,
            |it| *it.get("context") != common::Cell::Missing,
            |it| one(it, "context"),
        );
        let contexts = opened.grid(Table::Contexts);
        let of_contexts = found(
            &contexts,
            |_| true,
            |it| (it.text("context").to_owned(), it.number("events")),
        );
        let threads = found(
            &contexts,
            |it| it.is("kind", "thread"),
            |it| (it.text("context").to_owned(), it.number("events")),
        );
        let told = told(&threads::threads(view), |row| {
            (row.name.clone(), row.events)
        });
        equal(opened, &by_event, &of_contexts) + equal(opened, &threads, &told)
    });
}

#[test]
fn dispatch_counts_match_the_performance_report() {
    judge(|opened, view| {
        let dispatches = opened.grid(Table::Dispatches);
        let told = performance::performance(view);
        assert_eq!(dispatches.count(|_| true), told.dispatches.into());
        let switches = dispatches.count(|it| it.holds("is_switch"));
        assert_eq!(switches, told.context_switches.into());
        usize::try_from(told.dispatches).unwrap()
    });
}

#[test]
fn isrs_match_the_report() {
    judge(|opened, view| {
        let isrs = opened.grid(Table::Isrs);
        for row in isr::isr(view) {
            let same = |it: &Row<'_>| it.is("isr", &row.name);
            let whole = |it: &Row<'_>| same(it) && it.holds("entered") && it.holds("exited");
            assert_eq!(isrs.count(same), row.activations.into(), "{}", row.name);
            let nested = isrs.count(|it| same(it) && it.number("depth") > 1);
            assert_eq!(nested, row.nested.into());
            for (column, told) in [("duration", &row.duration), ("own", &row.self_duration)] {
                let durations = isrs.rows().filter(whole).map(|it| it.number(column));
                distributed(view, &durations.collect::<Vec<_>>(), told.as_ref());
            }
        }
        isr::isr(view).len()
    });
}

#[test]
fn levels_match_the_report() {
    judge(|opened, view| {
        let levels = opened.grid(Table::Levels);
        let mut compared = 0;
        for row in objects::objects(view) {
            let is_known = |it: &Row<'_>| *it.get("level") != common::Cell::Missing;
            let same = |it: &Row<'_>| {
                let address = it.number("object_address");
                address == row.address.0.0.into() && it.is("class", row.class)
            };
            let own = || levels.rows().filter(same).filter(is_known);
            let least = own().map(|it| it.number("level")).min();
            let most = own().map(|it| it.number("level")).max();
            let told = row.level.as_ref();
            assert_eq!(least, told.map(|level| level.min.into()), "{}", row.name);
            assert_eq!(most, told.map(|level| level.max.into()), "{}", row.name);
            let known: i128 = own().map(|it| it.number("duration")).sum();
            let weighed: i128 = own()
                .map(|it| it.number("duration") * it.number("level"))
                .sum();
            if let Some(mean) = told.and_then(|level| level.mean) {
                let found = weighed as f64 / known as f64;
                assert!((found - mean).abs() < 0.001, "{}: {found} {mean}", row.name);
                compared += 1;
            }
        }
        compared
    });
}

#[test]
fn holds_and_inversions_match_the_reports() {
    judge(|opened, view| {
        let holds = opened.grid(Table::MutexHolds);
        for row in locks::locks(view) {
            let same = |it: &Row<'_>| it.is("object", &row.name);
            let got = holds.count(|it| same(it) && it.holds("started"));
            assert_eq!(got, row.acquisitions.into(), "{}", row.name);
            let whole =
                |it: &Row<'_>| same(it) && it.holds("started") && it.is("ending", "released");
            let durations = holds.rows().filter(whole).map(|it| it.number("duration"));
            distributed(view, &durations.collect::<Vec<_>>(), row.hold.as_ref());
        }
        let told = inversions::inversions(view);
        let found = opened.grid(Table::Inversions);
        assert_eq!(found.count(|_| true), told.len() as i128);
        for told in &told {
            let same = |it: &Row<'_>| {
                it.is("object", &told.object)
                    && it.is("blocked", &told.blocked)
                    && it.is("owners", &told.owners.join(", "))
                    && it.is("ending", told.ending)
                    && it.number("start") == told.start_ticks.into()
                    && it.number("duration") == told.ticks.into()
                    && it.holds("unbounded") == (told.unbounded == Some(true))
            };
            assert!(found.rows().any(|it| same(&it)), "{told:?}");
        }
        told.len()
    });
}

#[test]
fn flow_latencies_match_the_reports() {
    judge(|opened, view| {
        let flows = opened.grid(Table::Flows);
        let latencies = |kind: &str, meant: &dyn Fn(&Row<'_>) -> bool| -> Vec<i128> {
            let rows = flows.rows();
            let rows = rows.filter(|it| it.is("kind", kind) && it.holds("whole") && meant(it));
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
            let messages = latencies("message", &|it| it.is("object", &row.name));
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
    });
}

#[test]
fn machines_match_the_reports() {
    judge(|opened, view| {
        let pair =
            |it: &Row<'_>, one: &str, other: &str| format!("{} {}", it.text(one), it.text(other));
        let stays = found(
            &opened.grid(Table::StateIntervals),
            |_| true,
            |it| (pair(it, "object", "state"), it.number("duration")),
        );
        let machines = states::states(view);
        let told_stays = sums(machines.iter().flat_map(|machine| {
            let states = machine.states.iter();
            states.map(|row| {
                (
                    format!("{} {}", machine.object, row.state),
                    row.ticks.into(),
                )
            })
        }));
        let taken = found(
            &opened.grid(Table::Transitions),
            |_| true,
            |it| (pair(it, "object", "source"), 1),
        );
        let told_taken = told(&transitions::transitions(view).taken, |row| {
            (format!("{} {}", row.object, row.source), row.count)
        });
        let runs = |ending: &'static str| {
            let runs = opened.grid(Table::Timers);
            found(&runs, |it| it.is("ending", ending), |it| one(it, "timer"))
        };
        let rows = timers::timers(view);
        let told_runs =
            |count: fn(&timers::TimerRow) -> u64| told(&rows, |row| (row.name.clone(), count(row)));
        let posted = found(
            &opened.grid(Table::Posts),
            |_| true,
            |it| (pair(it, "object", "signal"), 1),
        );
        let told_posted = told(&signals::signals(view), |row| {
            (format!("{} {}", row.object, row.signal), row.posted)
        });
        let steps = found(&opened.grid(Table::Steps), |_| true, |it| one(it, "object"));
        let active = rtoscope_analysis::report::active::active(view);
        let told_steps = told(&active, |row| (row.name.clone(), row.steps));
        equal(opened, &stays, &told_stays)
            + equal(opened, &taken, &told_taken)
            + equal(opened, &runs("expired"), &told_runs(|row| row.expired))
            + equal(opened, &runs("lost"), &told_runs(|row| row.lost))
            + equal(opened, &posted, &told_posted)
            + equal(opened, &steps, &told_steps)
    });
}

#[test]
fn findings_gaps_and_diagnostics_are_complete() {
    judge(|opened, view| {
        let all = findings::findings(view);
        let grid = opened.grid(Table::Findings);
        assert_eq!(grid.count(|_| true), all.len() as i128);
        for (row, finding) in grid.rows().zip(&all) {
            assert_eq!(row.text("weight"), finding.severity.name());
            assert_eq!(row.text("message"), finding.message);
            assert!(
                row.text("subject")
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
        let whole = opened.grid(Table::Recordings);
        let row = whole.rows().next().unwrap();
        assert_eq!(row.number("events"), trace.events.len() as i128);
        assert_eq!(row.number("span"), trace.events.span().0.into());
        assert_eq!(row.number("findings"), all.len() as i128);
        trace.gaps.len() + all.len()
    });
}

#[test]
fn activations_match_the_latency_report() {
    judge(|opened, view| {
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
            for (column, told) in [
                ("wake", &thread.wake_up),
                ("response", &thread.response),
                ("period", &thread.period),
                ("jitter", &thread.jitter),
            ] {
                compared += distributed(view, &durations(column), told.as_ref());
            }
        }
        compared
    });
}

#[test]
fn stacks_and_locks_match_the_reports() {
    judge(|opened, view| {
        let number = |value: Option<u64>| {
            value.map_or(common::Cell::Missing, |it| common::Cell::Number(it.into()))
        };
        let grid = opened.grid(Table::Stacks);
        let told = stacks::stacks(view);
        assert_eq!(grid.count(|_| true), told.len() as i128);
        for (row, told) in grid.rows().zip(&told) {
            assert_eq!(row.text("context"), told.thread);
            assert_eq!(row.number("stack_bytes"), told.stack.size.into());
            assert_eq!(*row.get("minimum_free"), number(told.stack.min_free));
            assert_eq!(row.number("outside"), told.stack.outside.into());
        }
        let grid = opened.grid(Table::Locks);
        let locks = locks::locks(view);
        assert_eq!(grid.count(|_| true), locks.len() as i128);
        for (row, told) in grid.rows().zip(&locks) {
            assert_eq!(row.text("object"), told.name);
            for (column, told) in [
                ("acquisitions", Some(told.acquisitions)),
                ("contended", Some(told.contended)),
                ("hold_max", told.hold.as_ref().map(|it| it.max)),
                ("hold_p90", told.hold.as_ref().map(|it| it.p90)),
                ("wait_max", told.wait.as_ref().map(|it| it.max)),
                (
                    "wait_count",
                    Some(told.wait.as_ref().map_or(0, |it| it.count)),
                ),
                ("given_up", Some(told.given_up)),
                ("most_waiting", Some(told.max_waiting)),
                ("inversions", Some(told.inversions.total)),
                ("unbounded_inversions", Some(told.inversions.unbounded)),
            ] {
                assert_eq!(*row.get(column), number(told), "{column}");
            }
        }
        told.len() + locks.len()
    });
}

#[test]
fn arguments_match_the_details() {
    judge(|opened, view| {
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
            assert_eq!(line, plain(event.text("details")));
        }
        assert!(lines.is_empty(), "{lines:?}");
        usize::try_from(grid.count(|_| true)).unwrap()
    });
}
