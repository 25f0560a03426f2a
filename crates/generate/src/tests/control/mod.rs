//! Whether the events of thread control services match those of the real
//! kernel: the same rules hold for generated and recorded traces.

mod rules;

use super::reading::{Buffer, read};
use crate::{ThreadStateTruth, ThreadXOptions, ThreadXTruth, write_with_truth};
use rules::{DELETED, Rules};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Recordings of the real kernel on one core.
const RECORDINGS: [&str; 9] = [
    "abort_in_put",
    "byte_pool",
    "delayed_suspend",
    "isr_in_scheduler",
    "last_tick",
    "prio_change_inherit",
    "queue_flush",
    "terminate_blocked",
    "terminate_owner",
];

fn options(seed: u64) -> ThreadXOptions {
    ThreadXOptions {
        seed,
        events: 20_000,
        threads: 1 + 5 * (seed % 7) as u16,
        thread_control: true,
        inheritance: seed % 2 == 1,
        timeouts: seed % 3 == 1,
        bare_ticks: seed % 5 == 1,
        ..ThreadXOptions::default()
    }
}

fn generate(options: &ThreadXOptions) -> (Buffer, ThreadXTruth) {
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(options, &mut bytes, &mut |_| ()).unwrap();
    (read(&bytes), truth)
}

/// Follows a buffer, and calls `each` with the number of every event and the
/// states after it.
fn follow(buffer: &Buffer, mut each: impl FnMut(usize, &Rules)) -> Rules {
    let mut rules = Rules::default();
    for (number, event) in buffer.events().iter().enumerate() {
        rules.event(number, event);
        each(number, &rules);
    }
    rules
}

/// The word for a state in the kernel's events.
fn word(state: ThreadStateTruth) -> u64 {
    match state {
        ThreadStateTruth::Ready | ThreadStateTruth::Running => 0,
        ThreadStateTruth::Completed => 1,
        ThreadStateTruth::Terminated => 2,
        ThreadStateTruth::Suspended => 3,
        ThreadStateTruth::Sleep => 4,
        ThreadStateTruth::Queue => 5,
        ThreadStateTruth::Semaphore => 6,
        ThreadStateTruth::EventFlags => 7,
        ThreadStateTruth::Mutex => 13,
        ThreadStateTruth::Deleted => DELETED,
    }
}

#[test]
fn generated_traces_obey_the_rules_and_their_truth() {
    let mut ids = BTreeSet::new();
    let (mut delayed, mut released, mut flushed) = (0, 0, 0);
    for seed in 1..12 {
        let (buffer, truth) = generate(&options(seed));
        // The states of each thread according to the events.
        let mut states: BTreeMap<u64, Vec<(u64, u64, bool)>> = BTreeMap::new();
        let rules = follow(&buffer, |number, rules| {
            for (address, thread) in &rules.threads {
                let states = states.entry(*address).or_default();
                let last = states.last().map(|(_, state, delayed)| (*state, *delayed));
                if last != Some((thread.state, thread.delayed)) {
                    states.push((number as u64, thread.state, thread.delayed));
                }
            }
        });
        for thread in &truth.threads {
            let mut expected: Vec<(u64, u64, bool)> = Vec::new();
            for interval in &thread.states {
                let state = (word(interval.state), interval.delayed_suspend);
                let last = expected.last().map(|(_, word, delayed)| (*word, *delayed));
                if let Some(event) = interval.event
                    && last != Some(state)
                {
                    expected.push((event, state.0, state.1));
                }
            }
            let name = &thread.name;
            assert_eq!(states[&thread.address.0], expected, "{name}, seed {seed}");
        }
        for object in &truth.objects {
            let owner = object.owner.map_or(0, |owner| owner.0);
            if let Some(mutex) = rules.mutexes.get(&object.address.0) {
                assert_eq!(*mutex, (owner, object.level), "{}", object.name);
            }
        }
        let deleted = |address| {
            rules
                .threads
                .get(&address)
                .is_some_and(|it| it.state == DELETED)
        };
        for object in buffer.objects.iter().filter(|it| it.object_type == 1) {
            assert_eq!(
                object.available == 1,
                deleted(object.pointer),
                "{}",
                object.name
            );
        }
        ids.extend(rules.ids);
        delayed += rules.delayed_suspensions;
        released += rules.released_mutexes;
        flushed += rules.flushed_senders;
    }
    for id in [62, 100, 101, 108, 110, 111, 114, 115, 117] {
        assert!(ids.contains(&id), "no event {id}");
    }
    assert!(
        delayed > 50 && released > 20 && flushed > 10,
        "{delayed} {released} {flushed}"
    );
}

#[test]
fn recorded_traces_obey_the_same_rules() {
    let mut ids = BTreeSet::new();
    for name in RECORDINGS {
        let folder = rtoscope_fixtures::testdata("threadx-services");
        let buffer = read(&fs::read(folder.join(format!("{name}.trx"))).unwrap());
        let truth = fs::read(folder.join(format!("{name}.gt.json"))).unwrap();
        let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
        // Number of events written when a thread entered a state.
        let states = truth["states"].as_array().into_iter().flatten();
        let states: Vec<[u64; 3]> = states
            .map(|it| serde_json::from_value::<[u64; 3]>(it.clone()).unwrap())
            .filter(|[_, _, state]| *state != 14)
            .collect();
        let mut before: BTreeMap<u64, u64> = BTreeMap::new();
        let mut compared = 0;
        let rules = follow(&buffer, |number, rules| {
            let number = number as u64;
            // A suspension precedes its event, a resumption follows it.
            for [_, address, state] in states.iter().filter(|it| it[0] == number) {
                let after = rules.threads.get(address).map(|it| it.state);
                let known = [before.get(address).copied(), after];
                assert!(
                    known.contains(&Some(*state)) || known == [None; 2],
                    "{name}: {address:#x} is {known:?}, not {state} at event {number}"
                );
                compared += 1;
            }
            let threads = rules.threads.iter();
            before = threads.map(|(address, it)| (*address, it.state)).collect();
        });
        assert!(
            compared + 2 >= states.len(),
            "{name}: {compared} of {}",
            states.len()
        );
        ids.extend(rules.ids);
    }
    for id in [62, 108, 111, 114, 115, 117] {
        assert!(ids.contains(&id), "no event {id}");
    }
}
