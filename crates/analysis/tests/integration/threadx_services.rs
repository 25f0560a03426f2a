//! Recordings of calls that change a thread, or an object, without the usual
//! record, compared with the kernel's own counts (`NAME.gt.json`).

use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use rtoscope_analysis::schedule::{ContradictionKind, ThreadState};
use rtoscope_analysis::{AnalysisBuilder, AnalyzedRecording, RecordingInfo, Schedule};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::catalogue::{NetxDialect, statistics};
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_trace::{ContextId, EventKindId, ObjectClass, Trace, WaitReason};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    rtoscope_fixtures::testdata("threadx-services")
}

/// A trace in which certain events are replaced by user events.
fn without(name: &str, events: &[usize]) -> Trace {
    let bytes = fs::read(folder().join(format!("{name}.trx"))).unwrap();
    let opened = open(Input::new(&bytes), BufferChoice::First).unwrap();
    let mut trace = opened
        .decode(&threadx::ThreadXOptions::default())
        .unwrap()
        .trace;
    trace.events.edit(|columns| {
        for event in events {
            columns.kind[*event] = EventKindId(USER_EVENT);
        }
    });
    trace
}

const USER_EVENT: u32 = 4096;

struct ServiceCase {
    name: String,
    trace: Trace,
    schedule: Schedule,
    report: Value,
    truth: Value,
}

impl ServiceCase {
    fn open(name: &str) -> Self {
        Self::from_trace(name, without(name, &[]))
    }

    fn from_trace(name: &str, trace: Trace) -> Self {
        let schedule = Schedule::from_trace(&trace, &mut threadx::ThreadXInterpreter::new(&trace));
        let mut interpreter = threadx::ThreadXInterpreter::new(&trace);
        let mut builder = AnalysisBuilder::new(&trace);
        builder.push(&trace, &mut interpreter, trace.events.len());
        let info = RecordingInfo {
            statistics: statistics(NetxDialect::default()),
            ..RecordingInfo::default()
        };
        let analysis = builder.finish(&trace);
        let recording = AnalyzedRecording::from_analysis(info, trace, analysis);
        let report = ReportDocument::new(name, &recording.view(), &ReportOptions::default());
        let report = serde_json::to_value(report).unwrap();
        let truth = fs::read(folder().join(format!("{name}.gt.json"))).unwrap();
        Self {
            name: name.to_owned(),
            trace: recording.trace,
            schedule,
            report,
            truth: serde_json::from_slice(&truth).unwrap(),
        }
    }

    fn all() -> Vec<Self> {
        let files = fs::read_dir(folder()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let names = names.filter_map(|name| Some(name.strip_suffix(".trx")?.to_owned()));
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        let all: Vec<_> = names.iter().map(|name| Self::open(name)).collect();
        assert_eq!(all.len(), 10);
        all
    }

    fn thread(&self, address: u64) -> ContextId {
        let mut threads = self.trace.contexts.threads();
        threads.find(|it| it.address.0 == address).unwrap().id
    }

    fn rows(&self, table: &str) -> &Vec<Value> {
        self.report[table].as_array().unwrap()
    }

    fn row(&self, table: &str, name: &str) -> &Value {
        let mut rows = self.rows(table).iter();
        rows.find(|row| row["object"] == name).unwrap()
    }

    fn kernel(&self, counter: &str) -> u64 {
        let counter = format!("_tx_{counter}");
        self.truth["global"][counter].as_u64().unwrap()
    }

    fn counted_figure(&self, figure: &str) -> u64 {
        let path = format!("/performance/{figure}");
        self.report.pointer(&path).unwrap().as_u64().unwrap()
    }

    fn findings(&self, category: &str) -> usize {
        let rows = self.rows("findings").iter();
        rows.filter(|row| row["category"] == category).count()
    }
}

/// `TX_READY` to `TX_MUTEX_SUSP`; `None` for unknown.
fn number(state: ThreadState) -> Option<u64> {
    Some(match state {
        ThreadState::Unknown | ThreadState::Deleted => return None,
        ThreadState::Ready | ThreadState::Running => 0,
        ThreadState::Waiting {
            wait_reason: wait, ..
        } => match wait {
            WaitReason::Completed => 1,
            WaitReason::Terminated => 2,
            WaitReason::Suspended => 3,
            WaitReason::Sleep => 4,
            WaitReason::Queue => 5,
            WaitReason::Semaphore => 6,
            WaitReason::EventFlags => 7,
            WaitReason::BlockPool => 8,
            WaitReason::BytePool => 9,
            WaitReason::Mutex => 13,
            other => panic!("{other:?}"),
        },
    })
}

/// What the kernel did to each thread: number of events that were written
/// before or with it, and the state. Priority changes leave a thread ready.
fn true_states(truth: &Value) -> BTreeMap<u64, Vec<(u64, u64)>> {
    let mut all: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for change in truth["states"].as_array().unwrap() {
        let [written, thread, state] = [0, 1, 2].map(|at| change[at].as_u64().unwrap());
        let of_thread = all.entry(thread).or_default();
        if state != 14 && of_thread.last().is_none_or(|(_, last)| *last != state) {
            of_thread.push((written, state));
        }
    }
    all
}

#[test]
fn thread_states_agree_with_the_kernel() {
    let mut compared = 0;
    for case in ServiceCase::all() {
        if case.truth.get("states").is_none() {
            continue;
        }
        for (address, truth) in true_states(&case.truth) {
            let intervals = &case.schedule.threads[case.thread(address).index()];
            let states = intervals.iter().map(|it| (it.event.0, number(it.state)));
            let mut states: Vec<_> = states.collect();
            states.dedup_by_key(|(_, state)| *state);
            // The kernel does not log a delayed suspension when it takes
            // effect.
            let mut waits = false;
            states.retain(|(_, state)| {
                let delayed = waits && *state == Some(3);
                waits = state.is_some_and(|state| state > 3);
                !delayed
            });
            // The state of a thread before the start of the trace is no change.
            let excess = states.len() - truth.len().min(states.len());
            let ours = &states[excess..];
            let fits = |((event, ours), (written, state)): (&(u32, Option<u64>), &(u64, u64))| {
                let event = u64::from(*event);
                *ours == Some(*state) && (event == *written || event + 1 == *written)
            };
            assert!(
                excess <= 2 && ours.len() == truth.len() && ours.iter().zip(&truth).all(fits),
                "{} {address}\n{states:?}\n{truth:?}",
                case.name
            );
            compared += truth.len();
        }
    }
    assert!(compared > 700, "{compared}");
}

#[test]
fn counts_agree_with_the_kernel() {
    let mut differ = Vec::new();
    for case in ServiceCase::all() {
        let changes = case.counted_figure("priority_changes");
        for (counter, ours) in [
            (
                "thread_performance_suspend_count",
                case.counted_figure("suspensions") + changes,
            ),
            (
                "thread_performance_resume_count",
                case.counted_figure("resumptions") + changes,
            ),
            (
                "thread_performance_solicited_preemption_count",
                case.counted_figure("preemptions/solicited"),
            ),
            (
                "thread_performance_interrupt_preemption_count",
                case.counted_figure("preemptions/interrupt"),
            ),
            (
                "thread_performance_time_slice_count",
                case.counted_figure("time_slices"),
            ),
            (
                "thread_performance_relinquish_count",
                case.counted_figure("relinquishes"),
            ),
            (
                "mutex_performance_priority_inversion_count",
                case.counted_figure("inversions/total"),
            ),
        ] {
            let kernel = case.kernel(counter);
            if kernel != ours {
                differ.push((case.name.clone(), counter, kernel, ours));
            }
        }
    }
    let differences = [
        // The kernel does not count a thread that gives way to one that was
        // ready before, because its own priority drops.
        (
            "abort_in_put".to_owned(),
            "thread_performance_solicited_preemption_count",
            5,
            6,
        ),
        // The kernel for several cores counts only where it remaps threads to
        // cores.
        (
            "smp_relinquish".to_owned(),
            "thread_performance_interrupt_preemption_count",
            0,
            1,
        ),
    ];
    assert_eq!(differ, differences);
}

#[test]
fn objects_at_the_end_agree_with_the_kernel() {
    for case in ServiceCase::all() {
        for object in case.truth["objects"].as_array().unwrap() {
            let name = object["name"].as_str().unwrap();
            let what = format!("{}: {name}", case.name);
            let sum = |keys: &[&str]| -> u64 {
                let counts = keys.iter().filter_map(|key| object[*key].as_u64());
                counts.sum()
            };
            if object["class"] == "mutex" {
                let owner = object["owner"].as_u64().unwrap();
                let owner = (owner != 0).then(|| {
                    let id = case.thread(owner);
                    case.trace.context_name(id)
                });
                let row = case.row("locks", name);
                assert_eq!(row["owner_at_end"].as_str(), owner.as_deref(), "{what}");
                continue;
            }
            let row = case.row("objects", name);
            let count = |key: &str| row[key].as_u64().unwrap();
            // The kernel does not count failed calls of a queue.
            if object["class"] != "queue" {
                assert_eq!(
                    count("puts"),
                    sum(&["put", "release", "set"]),
                    "{what}: puts"
                );
                assert_eq!(count("takes"), sum(&["get", "allocate"]), "{what}: takes");
            }
            let class = object["class"].as_str().unwrap();
            let has_level = ![ObjectClass::BytePool, ObjectClass::EventFlags]
                .iter()
                .any(|it| it.name() == class);
            let truth = object["level"].as_u64().or(object["count"].as_u64());
            if let (true, Some(truth), false) = (has_level, truth, row["level"].is_null()) {
                assert_eq!(row["level"]["at_end"].as_u64(), Some(truth), "{what}");
            }
        }
    }
}

#[test]
fn dispatches_agree_with_the_kernel() {
    for case in ServiceCase::all() {
        let events = case.trace.events.len() as u64;
        let truth = case.truth["dispatches"].as_array().unwrap().iter();
        let truth = truth.map(|it| [0, 1, 2].map(|at| it[at].as_u64().unwrap()));
        // The effects of the last event are no longer visible.
        let mut seen: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for [written, thread, core] in truth.filter(|it| it[0] < events) {
            let id = u64::from(case.thread(thread).0);
            let _ = written;
            seen.entry(core).or_default().push(id);
        }
        for (core, truth) in seen {
            let ours = case.schedule.dispatches.iter();
            let ours =
                ours.filter(|it| u64::from(it.core) == core && u64::from(it.event.0) + 1 < events);
            let ours: Vec<_> = ours.map(|it| u64::from(it.thread.0)).collect();
            let what = format!("{} core {core}\n{ours:?}\n{truth:?}", case.name);
            if case.trace.cores.len() == 1 {
                assert_eq!(ours, truth, "{what}");
                continue;
            }
            // On several cores some leave no record; the schedule invents none.
            let mut rest = truth.iter();
            assert!(ours.iter().all(|it| rest.any(|real| real == it)), "{what}");
        }
    }
}

#[test]
fn a_termination_ends_an_inversion() {
    let case = ServiceCase::open("terminate_blocked");
    let [inversion] = &case.rows("inversions")[..] else {
        panic!("{}", case.report["inversions"]);
    };
    assert_eq!(inversion["last_event"], 38);
    assert_eq!(inversion["ending"], "gave-up");
    assert_eq!(inversion["unbounded"], false);
    assert_eq!(inversion["duration"], 42_967_610 - 22_934_516);
    assert_eq!(case.findings("unbounded-inversion"), 0);
}

#[test]
fn mutexes_of_a_terminated_thread_are_released() {
    let case = ServiceCase::open("terminate_owner");
    let locks = case.rows("locks").iter();
    assert!(locks.clone().count() >= 2);
    for lock in locks {
        assert!(lock["owner_at_end"].is_null(), "{lock}");
    }
    let owner = case.trace.contexts.threads();
    let mut owner = owner.filter(|it| case.trace.context_name(it.id) == "owner");
    let id = owner.next().unwrap().id;
    let holds = case.schedule.mutex_holds.iter().filter(|it| it.owner == id);
    let mut ends: Vec<_> = holds.map(|it| it.last.0).collect();
    ends.sort_unstable();
    assert_eq!(ends, [47, 49]);
}

#[test]
fn a_priority_change_keeps_an_inherited_priority() {
    let case = ServiceCase::open("prio_change_inherit");
    assert_eq!(case.rows("inversions").len(), 1);
    assert_eq!(case.rows("inversions")[0]["object"], "m inherit");
}

#[test]
fn a_delayed_suspension_takes_effect_when_the_wait_ends() {
    let case = ServiceCase::open("delayed_suspend");
    assert_eq!(case.findings("starvation"), 0);
    assert_eq!(case.findings("filtered"), 0);
}

/// For most of the time the running context of a core is unknown, and it may
/// have run any of the ready threads.
#[test]
fn a_thread_that_may_have_run_is_not_starved() {
    assert_eq!(
        ServiceCase::open("smp_relinquish").findings("starvation"),
        0
    );
}

#[test]
fn an_aborted_wait_does_not_get_the_object() {
    let case = ServiceCase::open("abort_in_put");
    let thread_1 = case.trace.contexts.threads();
    let mut thread_1 = thread_1.filter(|it| case.trace.context_name(it.id) == "thread 1");
    let id = thread_1.next().unwrap().id;
    assert!(
        case.schedule
            .mutex_holds
            .iter()
            .all(|hold| hold.owner != id)
    );
    let given_up = case.rows("inversions").iter();
    assert!(given_up.clone().count() == 4 && { given_up }.all(|it| it["ending"] == "gave-up"));
}

/// The calls that explain the later records are overwritten in the ring.
#[test]
fn impossible_states_are_diagnostics_and_no_findings() {
    let whole = ServiceCase::open("delayed_suspend");
    let is_call = |kind: &EventKindId| kind.0 == 114;
    let calls = whole.trace.events.kinds().enumerate();
    let calls = calls.filter(|(at, kind)| *at > 20 && is_call(kind));
    let calls: Vec<_> = calls.map(|(at, _)| at).collect();
    let case = ServiceCase::from_trace("delayed_suspend", without("delayed_suspend", &calls));
    let [found] = &case.schedule.contradictions[..] else {
        panic!("{:?}", case.schedule.contradictions);
    };
    assert_eq!(found.kind, ContradictionKind::ReadyWhileIdle);
    assert_eq!(case.trace.context_name(found.thread), "worker");
    assert_eq!((found.event.0, found.count), (433, 1));
    assert_eq!(case.findings("starvation"), 0);
    let health = &case.report["health"];
    let kinds = health["diagnostics"].as_array().unwrap().iter();
    let of_kind = kinds.filter(|it| it["kind"] == "impossible-state");
    assert_eq!(of_kind.count(), 1);
    let warnings = |report: &Value| report["health"]["severities"]["warning"].as_u64();
    assert_eq!(
        warnings(&case.report),
        warnings(&whole.report).map(|it| it + 1)
    );

    let puts = [47, 49];
    let case = ServiceCase::from_trace("terminate_owner", without("terminate_owner", &puts));
    let found = case.schedule.contradictions.iter();
    let found: Vec<_> = found.map(|it| (it.kind, it.event.0, it.count)).collect();
    assert_eq!(
        found,
        [
            (ContradictionKind::EndedOwner, 46, 2),
            (ContradictionKind::MutexOwner, 63, 1)
        ]
    );
    assert!(case.row("locks", "n plain")["owner_at_end"].is_null());
}

#[test]
fn complete_recordings_have_no_impossible_states() {
    for case in ServiceCase::all() {
        assert_eq!(case.schedule.contradictions, [], "{}", case.name);
    }
}
