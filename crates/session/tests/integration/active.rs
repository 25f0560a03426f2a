//! State machines and posts of active objects.

use crate::test_case::{TestCase, active_cases, cases, whole_active_case};
use rtoscope_analysis::active::StateInterval;
use rtoscope_trace::{ContextId, Endpoint, EventIndex, ObjectClass};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn traces_without_active_objects_have_no_machines() {
    for case in cases() {
        let overview = case.query(json!({"query": "overview"}));
        let format = case.origin.format().name();
        assert_eq!(overview["format"], format);
        assert_eq!(overview["has_machines"], format == "rkh", "{}", case.name);
        let window = json!({"axis": "index", "start": 0, "end": case.events()});
        let posts = case.query(json!({"query": "posts", "window": window, "limit": 10_000}));
        assert_eq!(posts["total"], case.active.posts.len());
        let contexts = overview["contexts"].as_array().unwrap();
        for (id, context) in (0..).map(ContextId).zip(contexts) {
            let is_active = case.active.objects.contains(&id);
            assert_eq!(context["kind"] == "active-object", is_active);
        }
    }
}

#[test]
fn machines_list_the_states_they_visited() {
    let mut named = 0;
    for case in active_cases() {
        let overview = case.query(json!({"query": "overview"}));
        let machines = overview["machines"].as_array().unwrap();
        let stayed = (0..).zip(&case.active.state_intervals);
        let stayed = stayed.filter(|(_, intervals)| !intervals.is_empty());
        assert_eq!(machines.len(), stayed.clone().count());
        for ((context, intervals), machine) in stayed.zip(machines) {
            assert_eq!(machine["context"], context);
            let mut expected: BTreeMap<String, (u64, u64)> = BTreeMap::new();
            for interval in intervals {
                let one = expected
                    .entry(case.vertex_name(interval.state))
                    .or_default();
                one.0 += 1;
                one.1 += interval.end.0 - interval.start.0;
            }
            let states = machine["states"].as_array().unwrap();
            assert_eq!(states.len(), expected.len());
            for (number, state) in states.iter().enumerate() {
                let (visits, ticks) = expected[state["name"].as_str().unwrap()];
                assert_eq!(state["visits"], visits);
                assert_eq!(state["residency"], ticks);
                let class = overview["classes"].as_array().unwrap().iter();
                let mut class = class.filter(|class| class["code"] == state["class"]);
                let name = format!("state-{}", number % 12);
                assert_eq!(class.next().unwrap()["name"], name);
                match state["object"].as_u64() {
                    Some(object) => {
                        assert_eq!(overview["objects"][object as usize]["name"], state["name"]);
                        named += 1;
                    }
                    None => assert!(state["name"].as_str().unwrap().starts_with("0x")),
                }
            }
        }
    }
    assert!(named > 10, "{named}");
}

#[test]
fn machine_lanes_follow_their_active_object() {
    for case in active_cases() {
        let overview = case.query(json!({"query": "overview"}));
        let lanes = overview["lanes"].as_array().unwrap();
        let mut machines = 0;
        for pair in lanes.windows(2).filter(|pair| pair[1]["kind"] == "machine") {
            assert_eq!(pair[0]["kind"], "thread");
            assert_eq!(pair[0]["context"], pair[1]["context"]);
            let known = &case.active.state_intervals[pair[1]["context"].as_u64().unwrap() as usize];
            let known = known
                .iter()
                .map(|interval| interval.end.0 - interval.start.0);
            assert_eq!(pair[1]["busy_time"], known.sum::<u64>());
            machines += 1;
        }
        assert!(machines > 0);
    }
}

/// The last state interval that started at or before an event.
fn interval_started_at(intervals: &[StateInterval], event: u32) -> Option<&StateInterval> {
    intervals.iter().rfind(|interval| interval.first.0 <= event)
}

fn probe(case: &TestCase, lane: usize, axis: &str, at: f64) -> Option<Value> {
    let query = json!({"query": "probe", "axis": axis, "at": at, "lanes": [lane]});
    case.query(query).as_array().unwrap().first().cloned()
}

#[test]
fn machine_lanes_match_the_state_intervals() {
    let (mut known, mut unknown, mut nothing) = (0, 0, 0);
    for case in active_cases() {
        let overview = case.query(json!({"query": "overview"}));
        let lanes = overview["lanes"].as_array().unwrap().iter().enumerate();
        for (lane, of) in lanes.filter(|(_, lane)| lane["kind"] == "machine") {
            let context = of["context"].as_u64().unwrap() as usize;
            let intervals = &case.active.state_intervals[context];
            // By event.
            for event in 0..case.events() {
                let probe = probe(&case, lane, "index", f64::from(event) + 0.5);
                let now = interval_started_at(intervals, event);
                let is_over = now.is_none_or(|interval| {
                    let mut gaps = case.trace.gaps.iter();
                    let time = case.time(event);
                    let is_cut = gaps
                        .any(|gap| interval.first < gap.next_event && gap.next_event.0 <= event);
                    time > interval.end.0 || is_cut
                });
                match (now.filter(|_| !is_over), probe) {
                    (Some(interval), Some(probe)) => {
                        let text = format!("in state {}", case.vertex_name(interval.state));
                        assert_eq!(probe["text"], text, "{} {of} {event}", case.name);
                        assert_eq!(probe["start"], interval.start.0);
                        assert_eq!(probe["end"], interval.end.0);
                        assert_eq!(probe["event"], interval.first.0);
                        assert_eq!(probe["start_known"], true);
                        known += 1;
                    }
                    (Some(interval), None) => panic!("{} {of} {event}: {interval:?}", case.name),
                    (None, Some(probe)) => {
                        assert_eq!(probe["text"], "unknown", "{} {of} {event}", case.name);
                        let is_lost = now.is_none_or(|interval| !interval.complete);
                        assert!(is_lost, "{} {of} {event} {now:?}", case.name);
                        unknown += 1;
                    }
                    (None, None) => {
                        let ended = now.is_none_or(|interval| interval.complete);
                        assert!(ended, "{} {of} {event} {now:?}", case.name);
                        nothing += 1;
                    }
                }
            }
            // By time, for intervals with a duration.
            for interval in intervals
                .iter()
                .filter(|interval| interval.start < interval.end)
            {
                let at = (interval.start.0 as f64 + interval.end.0 as f64) / 2.0;
                let probe = probe(&case, lane, "time", at).unwrap();
                let text = format!("in state {}", case.vertex_name(interval.state));
                assert_eq!(probe["text"], text);
                assert_eq!(probe["start"], interval.start.0);
                assert_eq!(probe["end"], interval.end.0);
            }
        }
    }
    assert!(
        known > 3_000 && unknown > 100 && nothing > 100,
        "{known} {unknown} {nothing}"
    );
}

#[test]
fn posts_overlap_the_window() {
    let (mut found, mut too_many) = (0, 0);
    for case in active_cases() {
        let active = &case.active;
        for axis in ["time", "index"] {
            let mut windows = case.windows(axis);
            let end = case.end(axis);
            windows
                .extend((0..80).map(|part| [part, part + 1].map(|at| f64::from(at) / 80.0 * end)));
            for [from, to] in windows {
                let touching = active.posts.iter().filter(|post| {
                    let step = post.step.map(|step| &active.steps[step.index()]);
                    let last = step.map_or(post.event, |step| step.first);
                    let [start, end] = [post.event, last].map(|it| case.position(axis, it.0));
                    start <= to && end >= from
                });
                let expected: Vec<_> = touching.collect();
                let window = json!({"axis": axis, "start": from, "end": to});
                let query = json!({"query": "posts", "window": window, "limit": 25});
                let shown = case.query(query);
                assert_eq!(
                    shown["total"],
                    expected.len(),
                    "{} {axis} {from}",
                    case.name
                );
                let shown = shown["posts"].as_array().unwrap();
                if expected.len() > 25 {
                    assert!(shown.is_empty());
                    too_many += 1;
                    continue;
                }
                assert_eq!(shown.len(), expected.len());
                for (shown, post) in shown.iter().zip(expected) {
                    assert_eq!(shown["event"], post.event.0);
                    assert_eq!(shown["time"], post.time.0);
                    assert_eq!(shown["receiver"], post.to.0);
                    assert_eq!(shown["signal"], post.signal.0);
                    assert_eq!(shown["front"], post.front);
                    assert_eq!(shown["recalled"], post.recalled);
                    let from = match post.from {
                        Endpoint::Object(context) => Some(context.0),
                        _ => None,
                    };
                    assert_eq!(shown["sender_context"], json!(from));
                    let step = post.step.map(|step| &active.steps[step.index()]);
                    assert_eq!(shown["step_event"], json!(step.map(|step| step.first.0)));
                    assert_eq!(shown["step_time"], json!(step.map(|step| step.start.0)));
                    found += 1;
                }
            }
        }
    }
    assert!(found > 500 && too_many > 10, "{found} {too_many}");
}

#[test]
fn posts_have_names() {
    let case = whole_active_case();
    let window = json!({"axis": "index", "start": 0, "end": case.events()});
    let posts = case.query(json!({"query": "posts", "window": window, "limit": 10_000}));
    let posts = posts["posts"].as_array().unwrap().iter();
    let mut by: BTreeMap<_, u32> = BTreeMap::new();
    for post in posts {
        let part = |part: &str| post[part].as_str().unwrap().to_owned();
        *by.entry((part("sender_name"), part("signal_name")))
            .or_default() += 1;
        let event = EventIndex(post["event"].as_u64().unwrap() as u32);
        let event = case.trace.events.get(event).unwrap();
        assert_eq!(case.trace.catalogue.component(event.kind), "sma");
    }
    let senders: Vec<_> = by.keys().map(|(sender, _)| sender.as_str()).collect();
    for sender in ["isr_tick", "server", "wrk0", "wrk1", "wrk2"] {
        assert!(senders.contains(&sender), "{by:?}");
    }
    assert!(
        by.keys().all(|(_, signal)| signal.starts_with("SG_")),
        "{by:?}"
    );
}

#[test]
fn queues_name_their_active_object() {
    let case = whole_active_case();
    let overview = case.query(json!({"query": "overview"}));
    let levels = overview["levels"].as_array().unwrap();
    let queue = ObjectClass::Queue.name();
    let mut owned = 0;
    for level in levels {
        let name = level["name"].as_str().unwrap();
        let owner = level["context"].as_u64();
        let owner = owner.map(|owner| case.trace.context_name(ContextId(owner as u32)));
        let expected = name
            .strip_suffix("->equeue")
            .filter(|_| level["class"] == queue);
        assert_eq!(owner.as_deref(), expected, "{level}");
        owned += u32::from(owner.is_some());
        let window = json!({"axis": "time", "start": 0, "end": case.end("time")});
        let of = json!({"kind": "level", "resource": level["resource"]});
        let curve =
            case.query(json!({"query": "graph", "source": of, "window": window, "width": 500}));
        let highs = curve["max"].as_array().unwrap();
        assert!(highs.iter().any(|high| high.as_f64().is_some()), "{level}");
    }
    assert_eq!(owned, 4);
}
