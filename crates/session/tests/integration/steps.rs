//! Stepping from event to event.

use crate::test_case::{TestCase, cases};
use proptest::prelude::*;
use rtoscope_analysis::schedule::RunningContext;
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::{ItemType, ItemValue};
use rtoscope_trace::filter::Filter;
use rtoscope_trace::{Contexts, EventIndex, Object, ObjectClass};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Every matching event, by linear search.
fn expected(case: &TestCase, by: &Value) -> BTreeSet<u32> {
    let all = || case.trace.events.iter();
    let number = |field: &str| by[field].as_u64().unwrap() as u32;
    let index = |event: rtoscope_trace::Event| event.index.0;
    match by["mode"].as_str().unwrap() {
        "event" => all().map(index).collect(),
        "context" => {
            let of = all().filter(|event| event.context.0 == number("context"));
            of.map(index).collect()
        }
        "kind" => {
            let of = all().filter(|event| event.kind.0 == number("kind"));
            of.map(index).collect()
        }
        "object" => {
            let mut objects = case.trace.objects.iter();
            let object = objects.nth(number("object") as usize).unwrap();
            let of = all().filter(|event| references(case, event, object));
            of.map(index).collect()
        }
        "transition" => {
            let all = case.active.transitions.iter();
            let of = all.filter(|one| one.object.0 == number("context"));
            of.map(|one| one.event.0).collect()
        }
        "state" => {
            let overview = case.query(json!({"query": "overview"}));
            let machines = overview["machines"].as_array().unwrap();
            let mut machines = machines.iter();
            let machine = machines
                .find(|one| one["context"] == by["context"])
                .unwrap();
            let name = &machine["states"][number("state") as usize]["name"];
            let intervals = case.active.state_intervals[number("context") as usize].iter();
            let of = intervals.filter(|interval| *name == case.vertex_name(interval.state));
            of.map(|interval| interval.first.0).collect()
        }
        "search" => {
            let filter = Filter::parse(by["search"]["filter"].as_str().unwrap()).unwrap();
            let filter = filter.bind(&case.trace).unwrap();
            filter.matching().map(|event| event.0).collect()
        }
        _ => switches(case),
    }
}

fn references(case: &TestCase, event: &rtoscope_trace::Event, object: &Object) -> bool {
    let Some(kind) = case.trace.catalogue.get(event.kind) else {
        return false;
    };
    let is_numbered = object.class.is_numbered();
    let in_words = case
        .trace
        .raw_arguments(kind, event)
        .any(|(argument, value)| {
            let is_meant = match argument.meaning {
                Meaning::AnyObject => !is_numbered,
                Meaning::ContextName => object.class == ObjectClass::Thread,
                Meaning::Object(class) => {
                    let is_unclassified = object.class == ObjectClass::Unknown;
                    class == object.class || is_unclassified && !class.is_numbered()
                }
                _ => false,
            };
            is_meant && value == object.address.0
        });
    let mut items = case.trace.events.extras().items(event.index);
    in_words
        || kind.extras == ExtrasLayout::Items
            && items.any(|item| {
                let is_meant = match item.item_type {
                    ItemType::Object => !is_numbered,
                    ItemType::Function => object.class == ObjectClass::Function,
                    ItemType::Signal => object.class == ObjectClass::Signal,
                    _ => false,
                };
                let address = u32::try_from(object.address.0);
                is_meant && address.is_ok_and(|it| item.value == ItemValue::Number(it))
            })
}

/// Context switches of cores, from their events and slices.
fn switches(case: &TestCase) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for slices in &case.schedule.cores {
        let events: Vec<_> = case.trace.events.iter().collect();
        let own = || events.iter().filter(|event| event.core == slices.core);
        let mut before = None;
        for event in own() {
            if before.replace(event.context) != Some(event.context) {
                found.insert(event.index.0);
            }
        }
        for (at, slice) in slices.slices.iter().enumerate() {
            let until = slices.slices.get(at + 1).map(|next| next.event);
            let until = until.unwrap_or(EventIndex(u32::MAX));
            let first = |context, from: u32| {
                let mut own = own().filter(|event| event.context == context);
                let first = own.find(|event| event.index.0 >= from && event.index <= until);
                first.map(|event| event.index.0)
            };
            let start = slice.event.0;
            let begin = match slice.running.running_context() {
                RunningContext::Unknown => continue,
                RunningContext::Kernel => None,
                RunningContext::Thread(thread) => first(thread, start),
                RunningContext::Idle => first(Contexts::IDLE, start),
                RunningContext::Initialize => first(Contexts::INITIALIZE, start),
                RunningContext::Isr(id) => {
                    match case.schedule.activations.get(id.index()).unwrap().first.0 {
                        entry if entry >= start => Some(entry),
                        _ => first(Contexts::INTERRUPT, start + 1),
                    }
                }
            };
            found.extend(begin.or((at > 0).then_some(start)));
        }
    }
    found
}

/// A step of each mode, including some without matches.
fn step_modes(case: &TestCase) -> Vec<Value> {
    let mut ways = vec![
        json!({"mode": "event"}),
        json!({"mode": "switch"}),
        json!({"mode": "kind", "kind": 4_000_000_000_u32}),
        json!({"mode": "search", "search": {"filter": "info1 & 1"}}),
    ];
    let contexts = 0..case.trace.contexts.len().min(4);
    ways.extend(contexts.map(|context| json!({"mode": "context", "context": context})));
    let kinds: BTreeSet<_> = case.trace.events.kinds().map(|kind| kind.0).collect();
    let kinds = kinds.into_iter().take(3);
    ways.extend(kinds.map(|kind| json!({"mode": "kind", "kind": kind})));
    let objects = 0..case.trace.objects.iter().count().min(5);
    ways.extend(objects.map(|object| json!({"mode": "object", "object": object})));
    let active = case.active.objects.iter().take(3).map(|object| object.0);
    ways.extend(active.map(|context| json!({"mode": "transition", "context": context})));
    for (context, intervals) in case.active.state_intervals.iter().enumerate() {
        let states: BTreeSet<_> = intervals.iter().map(|interval| interval.state).collect();
        let states = 0..states.len();
        ways.extend(
            states.map(|state| json!({"mode": "state", "context": context, "state": state})),
        );
    }
    ways
}

#[test]
fn steps_visit_every_match_in_both_directions() {
    for case in cases() {
        for by in step_modes(&case) {
            let expected = expected(&case, &by);
            let first = case.step(0, "next", &by);
            let first = if expected.contains(&0) {
                Some(0)
            } else {
                first
            };
            let next = |from: &u32| case.step(*from, "next", &by);
            let there: Vec<_> = std::iter::successors(first, next).collect();
            assert!(there.iter().eq(&expected), "{} {by}", case.name);
            let last = case.step(u32::MAX, "previous", &by);
            let previous = |from: &u32| case.step(*from, "previous", &by);
            let back: Vec<_> = std::iter::successors(last, previous).collect();
            assert!(back.iter().eq(expected.iter().rev()), "{} {by}", case.name);
        }
    }
}

static CASES: LazyLock<Vec<TestCase>> = LazyLock::new(cases);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn steps_find_the_nearest_match(case in any::<prop::sample::Index>(), way in any::<prop::sample::Index>(), from in 0_u32..4000) {
        let case = case.get(&CASES);
        let ways = step_modes(case);
        let by = way.get(&ways);
        let expected = expected(case, by);
        let next = expected.range(from + 1..).next().copied();
        prop_assert_eq!(case.step(from, "next", by), next);
        let previous = expected.range(..from).next_back().copied();
        prop_assert_eq!(case.step(from, "previous", by), previous);
    }
}
