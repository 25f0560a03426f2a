//! Active objects of real streams.

use rtoscope_analysis::active::{ActiveObjects, StepEnding, TimerEnding};
use rtoscope_decode::rkh;
use rtoscope_fixtures::{read_testdata, recordings_and_shared, testdata};
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{EventIndex, Trace};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

fn open(name: &str) -> Trace {
    let bytes = read_testdata(&format!("rkh/{name}.bin"));
    rkh::decode(&bytes, &rkh::RkhOptions::default())
        .unwrap()
        .trace
}

fn active(trace: &Trace) -> ActiveObjects {
    ActiveObjects::from_trace(trace, &rkh::RkhInterpreter::new(trace))
}

/// The records of the reference decoding, in order.
fn reference(name: &str) -> Vec<Value> {
    let lines = std::fs::read_to_string(testdata(&format!("rkh/{name}.ref.jsonl"))).unwrap();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn is_event(record: &Value, group: &str, event: &str) -> bool {
    record["group"] == group && record["event"] == event
}

fn argument(record: &Value, name: &str) -> u64 {
    let arguments = record["args"].as_array().unwrap();
    let found = arguments.iter().find(|argument| argument[0] == name);
    found.unwrap()[1].as_u64().unwrap()
}

/// Pairs posts with takes by simulating the queues of a complete reference
/// decoding.
fn pairs(records: &[Value]) -> HashMap<u32, u32> {
    let mut queues: HashMap<u64, VecDeque<u32>> = HashMap::new();
    let mut pairs = HashMap::new();
    for (record, number) in records.iter().zip(0..) {
        let events = ["FIFO", "LIFO", "GET"];
        let Some(event) = events.iter().find(|event| is_event(record, "SMA", event)) else {
            continue;
        };
        let queue = queues.entry(argument(record, "ao")).or_default();
        match *event {
            "FIFO" => queue.push_back(number),
            "LIFO" => queue.push_front(number),
            _ => drop(pairs.insert(queue.pop_front().unwrap(), number)),
        }
    }
    pairs
}

#[test]
fn complete_streams_are_fully_decoded() {
    for name in ["nat_short", "ahsm_all"] {
        let trace = open(name);
        let found = active(&trace);
        let records = reference(name);
        assert_eq!(records.len(), trace.events.len(), "{name}");
        let step = |post: &rtoscope_analysis::active::Post| {
            let step = &found.steps[post.step?.index()];
            Some((post.event.0, step.first.0))
        };
        let ours: HashMap<_, _> = found.posts.iter().filter_map(step).collect();
        assert_eq!(ours, pairs(&records), "{name}");

        let count = |group: &str, events: &[&str]| {
            let of = |record: &&Value| events.iter().any(|event| is_event(record, group, event));
            records.iter().filter(of).count()
        };
        let ended = |outcome| {
            let recorded = StepEnding::Recorded(outcome);
            found
                .steps
                .iter()
                .filter(|step| step.ending == recorded)
                .count()
        };
        assert_eq!(found.steps.len(), count("SM", &["INIT", "DCH"]));
        assert_eq!(ended(StepOutcome::Processed), count("SM", &["EVT_PROC"]));
        assert_eq!(ended(StepOutcome::Unhandled), count("SM", &["EVT_NFOUND"]));
        assert_eq!(found.transitions.len(), count("SM", &["TRN"]));
        assert!(found.transitions.iter().all(|one| one.settled.is_some()));
        let intervals = found.state_intervals.iter().map(Vec::len).sum::<usize>();
        assert_eq!(intervals, count("SM", &["STATE"]));
        let active_intervals = found
            .active_state_intervals
            .iter()
            .map(Vec::len)
            .sum::<usize>();
        assert_eq!(active_intervals, count("SM", &["ENSTATE"]));
        let recalled = found.deferrals.iter().filter(|one| one.recalled.is_some());
        assert_eq!(recalled.count(), count("SMA", &["RCALL"]));
        let expired = found
            .timer_runs
            .iter()
            .filter(|run| run.ending == TimerEnding::Expired);
        assert_eq!(expired.count(), count("TMR", &["TOUT"]));
        let lost = found
            .state_intervals
            .iter()
            .flatten()
            .filter(|interval| !interval.complete);
        assert_eq!(lost.count(), 0);
    }
}

/// For every stream: references between records go both ways, in order.
#[test]
fn references_between_lists_agree() {
    let mut posts = 0;
    for file in recordings_and_shared("rkh") {
        let bytes = std::fs::read(&file).unwrap();
        let Ok(recording) = rkh::decode(&bytes, &rkh::RkhOptions::default()) else {
            continue;
        };
        let trace = &recording.trace;
        let found = active(trace);
        posts += found.posts.len();
        for post in found.posts.iter().filter(|post| post.step.is_some()) {
            let step = &found.steps[post.step.unwrap().index()];
            assert_eq!(found.posts[step.post.unwrap().index()], *post);
            assert_eq!((step.object, step.signal), (post.to, Some(post.signal)));
            assert!(post.event < step.first);
            let gaps = trace.gaps.iter().map(|gap| gap.next_event);
            let within = |gap: EventIndex| post.event < gap && gap <= step.first;
            assert!(!gaps.into_iter().any(within), "{}", file.display());
        }
        assert!(found.posts.is_sorted_by_key(|post| post.event));
        assert!(found.steps.is_sorted_by_key(|step| step.first));
        for step in &found.steps {
            assert!(step.first <= step.last && step.start <= step.end);
        }
        for intervals in &found.state_intervals {
            let one_by_one = |pair: &[rtoscope_analysis::active::StateInterval]| {
                pair[0].start <= pair[0].end && pair[0].end <= pair[1].start
            };
            assert!(intervals.windows(2).all(one_by_one));
        }
    }
    assert!(posts > 100, "{posts}");
}
