//! Thread states, mutexes, and levels of queues and semaphores: of simulated
//! kernels with a known ground truth, and of real ones that logged it.

use crate::common::{decode, options, simulate};
use proptest::prelude::*;
use rtoscope_analysis::schedule::{LockEnding, RunningContext, ThreadState, ThreadStateInterval};
use rtoscope_analysis::{AnalysisBuilder, Schedule};
use rtoscope_decode::threadx;
use rtoscope_generate::{ThreadStateTruth, ThreadTruth, ThreadXOptions, ThreadXTruth};
use rtoscope_trace::{ContextId, EventIndex, ObjectClass, Trace, WaitReason};
use std::fmt::Write;
use std::fs;

struct GeneratedCase {
    trace: Trace,
    schedule: Schedule,
}

/// Maximum number of events from the end of a thread to the last put of its
/// mutexes by the kernel.
const MAX_PUT_EVENTS: u32 = 3;

/// A thread's state, and the address of the object that it waits for.
type TrueState = (ThreadStateTruth, Option<u64>);

impl GeneratedCase {
    fn from_bytes(bytes: &[u8]) -> Self {
        let trace = decode(bytes, None).unwrap().trace;
        let schedule = Schedule::from_trace(&trace, &mut threadx::ThreadXInterpreter::new(&trace));
        Self { trace, schedule }
    }

    fn thread(&self, address: u64) -> ContextId {
        let mut threads = self.trace.contexts.threads();
        threads
            .find(|thread| thread.address.0 == address)
            .unwrap()
            .id
    }

    /// The state of an interval, in the terms of the ground truth; `None` for
    /// unknown.
    fn state(&self, state: ThreadState) -> Option<TrueState> {
        let (wait, resource) = match state {
            ThreadState::Unknown => return None,
            ThreadState::Deleted => return Some((ThreadStateTruth::Deleted, None)),
            ThreadState::Ready => return Some((ThreadStateTruth::Ready, None)),
            ThreadState::Running => return Some((ThreadStateTruth::Running, None)),
            ThreadState::Waiting {
                wait_reason: wait,
                resource,
            } => (wait, resource),
        };
        let state = match wait {
            WaitReason::Suspended => ThreadStateTruth::Suspended,
            WaitReason::Sleep => ThreadStateTruth::Sleep,
            WaitReason::Queue => ThreadStateTruth::Queue,
            WaitReason::Semaphore => ThreadStateTruth::Semaphore,
            WaitReason::Mutex => ThreadStateTruth::Mutex,
            WaitReason::EventFlags => ThreadStateTruth::EventFlags,
            WaitReason::Completed => ThreadStateTruth::Completed,
            WaitReason::Terminated => ThreadStateTruth::Terminated,
            other => panic!("no thread waits for {}", other.name()),
        };
        let address = |resource: rtoscope_trace::ResourceId| {
            self.schedule.resources[resource.index()].address.0
        };
        Some((state, resource.map(address)))
    }

    /// The states of a thread with the events that began them.
    fn states(&self, address: u64) -> Vec<(u64, Option<TrueState>)> {
        let intervals = &self.schedule.threads[self.thread(address).index()];
        let event = |it: ThreadStateInterval| (u64::from(it.event.0), self.state(it.state));
        // Before its creation a thread's state is unknown.
        in_turn(intervals.iter().map(event).skip_while(|it| it.1.is_none()))
    }

    /// The events directly before one, and the earlier ones of a thread, for a
    /// message.
    fn events(&self, around: u64, address: u64) -> String {
        let name = |address: u64| {
            let mut threads = self.trace.contexts.threads();
            let thread = threads.find(|thread| thread.address.0 == address);
            thread.map_or(format!("{address:x}"), |it| self.trace.context_name(it.id))
        };
        let mut text = String::new();
        for number in 0..around + 6 {
            let Some(event) = self.trace.events.get(EventIndex(number as u32)) else {
                break;
            };
            if event.arguments[0] != address && number + 20 < around {
                continue;
            }
            let arguments = event.arguments.map(name).join(" ");
            let (context, kind) = (self.trace.context_name(event.context), event.kind.0);
            writeln!(text, "{number} {context}: {kind} {arguments}").unwrap();
        }
        text
    }

    /// Every thread has its true states, from the same events on.
    fn check_states(&self, truth: &ThreadXTruth) {
        // The effects of the last event are no longer visible.
        let last = truth.events - 1;
        for thread in &truth.threads {
            let before = |states: Vec<(u64, Option<TrueState>)>| -> Vec<_> {
                states.into_iter().filter(|it| it.0 < last).collect()
            };
            let (ours, real) = (
                before(self.states(thread.address.0)),
                before(states_of(thread)),
            );
            let differs = ours.iter().zip(&real).position(|(ours, real)| ours != real);
            let at = differs.unwrap_or(ours.len().min(real.len()));
            let some = |states: &[(u64, Option<TrueState>)]| {
                states[at.saturating_sub(1).min(states.len())..(at + 2).min(states.len())].to_vec()
            };
            let event = [&ours, &real].map(|states| states.get(at).map_or(0, |it| it.0));
            let (name, event) = (&thread.name, event.into_iter().max().unwrap());
            let (ours, real) = (some(&ours), some(&real));
            let events = || self.events(event, thread.address.0);
            assert!(
                ours == real,
                "{name} is {ours:?}, not {real:?}\n{}",
                events()
            );
        }
    }

    /// The mutexes have their true owners at the end.
    fn check_owners(&self, truth: &ThreadXTruth) {
        let holds = || self.schedule.mutex_holds.iter();
        for object in &truth.objects {
            let is_it = |address: u64| address == object.address.0;
            let resources = self.schedule.resources.iter();
            let found = resources.enumerate().find(|(_, it)| is_it(it.address.0));
            let Some((resource, it)) = found else {
                continue;
            };
            if it.class != ObjectClass::Mutex {
                continue;
            }
            let open = holds().filter(|hold| hold.resource.index() == resource);
            let open = open.filter(|hold| hold.ending == LockEnding::Lost);
            let owners: Vec<u64> = open
                .map(|hold| self.trace.contexts.get(hold.owner).unwrap().address.0)
                .collect();
            let owner = object.owner.map(|owner| owner.0);
            assert_eq!(owners, Vec::from_iter(owner), "{}", object.name);
        }
    }

    /// Queues and semaphores have their true levels at the end. Returns the
    /// number of known levels.
    fn check_levels(&self, truth: &ThreadXTruth) -> usize {
        let mut interpreter = threadx::ThreadXInterpreter::new(&self.trace);
        let mut builder = AnalysisBuilder::new(&self.trace);
        builder.push(&self.trace, &mut interpreter, self.trace.events.len());
        let analysis = builder.finish(&self.trace);
        let mut known = 0;
        for usage in &analysis.whole.levels {
            if !matches!(usage.class, ObjectClass::Queue | ObjectClass::Semaphore) {
                continue;
            }
            let address = self.schedule.resources[usage.resource.index()].address.0;
            let mut objects = truth.objects.iter();
            let Some(object) = objects.find(|object| object.address.0 == address) else {
                continue;
            };
            if let Some(level) = usage.level.at_end() {
                let events = || self.events(truth.events - 1, address);
                assert_eq!(
                    u64::from(level),
                    object.level,
                    "{}\n{}",
                    object.name,
                    events()
                );
                known += 1;
            }
        }
        known
    }

    /// No thread is ready while a single core is idle, and no thread owns a
    /// mutex after it has ended.
    fn check_possible(&self) {
        let core = &self.schedule.cores[0];
        let idle = core
            .iter()
            .filter(|(slice, _)| slice.running.running_context() == RunningContext::Idle);
        let idle: Vec<(u64, u64)> = idle.map(|(slice, end)| (slice.start.0, end.0)).collect();
        let span = self.schedule.span.0;
        for (id, intervals) in self.schedule.threads.iter().enumerate() {
            for (index, interval) in intervals.iter().enumerate() {
                let end = intervals.get(index + 1).map_or(span, |next| next.start.0);
                let within = |from: u64, to: u64| from.max(interval.start.0) < to.min(end);
                if interval.state == ThreadState::Ready {
                    let first = idle.partition_point(|it| it.1 <= interval.start.0);
                    let overlap = idle.get(first).filter(|it| within(it.0, it.1));
                    assert_eq!(
                        overlap, None,
                        "context {id} is ready from {:?} on",
                        interval.event
                    );
                }
                let has_ended = |state| matches!(state, ThreadState::Waiting { wait_reason, .. } if wait_reason.is_end());
                if has_ended(interval.state) {
                    let mut holds = self.schedule.mutex_holds.iter();
                    // The kernel releases its mutexes directly after its end.
                    let until = interval.event.0 + MAX_PUT_EVENTS;
                    let held = holds.find(|hold| {
                        let own = hold.owner.index() == id && within(hold.start.0, hold.end.0);
                        own && (hold.first > interval.event || hold.last.0 > until)
                    });
                    assert_eq!(held, None, "context {id} has ended");
                }
            }
        }
    }
}

/// Consecutive states; of several that one event causes, the last.
fn in_turn(
    states: impl Iterator<Item = (u64, Option<TrueState>)>,
) -> Vec<(u64, Option<TrueState>)> {
    let mut of_events: Vec<(u64, Option<TrueState>)> = Vec::new();
    for state in states {
        match of_events.last_mut() {
            Some(last) if last.0 == state.0 => *last = state,
            _ => of_events.push(state),
        }
    }
    of_events.dedup_by(|next, last| next.1 == last.1);
    of_events
}

fn states_of(thread: &ThreadTruth) -> Vec<(u64, Option<TrueState>)> {
    let states = thread
        .states
        .iter()
        .skip_while(|it| it.state == ThreadStateTruth::Deleted);
    in_turn(states.map(|it| {
        let object = it.object.map(|object| object.0);
        (it.event.unwrap_or_default(), Some((it.state, object)))
    }))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 128,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn states_match_the_truth(options in options(1..25, 200..2500)) {
        let (bytes, truth) = simulate(&options);
        let case = GeneratedCase::from_bytes(&bytes);
        case.check_states(&truth);
        case.check_owners(&truth);
        case.check_levels(&truth);
        case.check_possible();
    }
}

/// Most levels are known at the end, so that the comparison above is
/// meaningful.
#[test]
fn most_levels_are_known_at_the_end() {
    let (mut known, mut all) = (0, 0);
    for seed in 0..8 {
        let settings = ThreadXOptions {
            seed,
            events: 3_000,
            thread_control: true,
            ..ThreadXOptions::default()
        };
        let (bytes, truth) = simulate(&settings);
        known += GeneratedCase::from_bytes(&bytes).check_levels(&truth);
        // A queue and two semaphores.
        all += 3;
    }
    assert!(2 * known > all, "{known} of {all}");
}

/// Recordings of the real kernel on one core show no impossible state.
#[test]
fn recorded_states_are_not_impossible() {
    let mut recordings = 0;
    for folder in ["threadx", "threadx-services"] {
        for path in rtoscope_fixtures::recordings(folder) {
            let case = GeneratedCase::from_bytes(&fs::read(&path).unwrap());
            // An event filter suppresses records, and with them states.
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if case.schedule.cores.len() > 1 || name.contains("filter") {
                continue;
            }
            case.check_possible();
            recordings += 1;
        }
    }
    assert!(recordings > 30, "{recordings} recordings");
}
