//! Details of events.

use crate::test_case::{TestCase, cases};
use rtoscope_analysis::active::{TimerEnding, TimerRun};
use rtoscope_analysis::schedule::RunningContext;
use rtoscope_trace::{ActiveObjectEvent, Contexts, EventIndex, Interpret};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn details(case: &TestCase) -> Vec<Value> {
    let ask = |event| case.query(json!({"query": "event", "event": event}));
    (0..case.events()).map(ask).collect()
}

/// The causes or effects of each event.
fn links(details: &[Value], cause: bool) -> BTreeMap<u32, BTreeSet<u32>> {
    let of = |details: &Value| {
        let links = details["links"].as_array().unwrap().iter();
        let links = links.filter(|link| link["cause"] == cause);
        let links = links.map(|link| link["event"].as_u64().unwrap() as u32);
        links.collect()
    };
    (0..).zip(details.iter().map(of)).collect()
}

/// The event that ended a timer: the next that refers to it in this way.
fn timer_end(case: &TestCase, run: &TimerRun) -> Option<EventIndex> {
    let interpreter = case.origin.interpreter(&case.trace);
    let after = case.trace.events.iter().skip(run.first.index() + 1);
    let mut ends = after.filter(|event| {
        let timer = match (
            run.ending,
            interpreter.active_object_event(&case.trace, event),
        ) {
            (TimerEnding::Expired, ActiveObjectEvent::TimerExpire { timer, .. }) => timer,
            (TimerEnding::Stopped { .. }, ActiveObjectEvent::TimerStop { timer, .. }) => timer,
            (TimerEnding::Restarted, ActiveObjectEvent::TimerStart { timer, .. }) => timer,
            _ => return false,
        };
        timer == run.timer
    });
    Some(ends.next()?.index)
}

#[test]
fn details_match_the_trace_and_its_schedule() {
    let mut links = 0;
    for case in cases() {
        let details = details(&case);
        links += links_are_symmetric_and_complete(&case, &details);
        links_are_ordered_and_named(&case, &details);
        next_running_matches_the_schedule(&case, &details);
        event_details_match_the_trace(&case, &details);
    }
    assert!(links > 5_000, "{links}");
}

/// Returns the number of links.
fn links_are_symmetric_and_complete(case: &TestCase, details: &[Value]) -> usize {
    let mut total = 0;
    let (causes, effects) = (links(details, true), links(details, false));
    for (event, linked) in &effects {
        for effect in linked {
            assert!(
                causes[effect].contains(event),
                "{}: {event} has {effect}",
                case.name
            );
            total += 1;
        }
    }
    for (event, linked) in &causes {
        for cause in linked {
            assert!(
                effects[cause].contains(event),
                "{}: {event} of {cause}",
                case.name
            );
        }
    }
    let linked = |cause: EventIndex, effect: EventIndex| {
        cause == effect || effects[&cause.0].contains(&effect.0)
    };
    let active = &case.active;
    for (post, step) in active
        .posts
        .iter()
        .filter_map(|post| Some((post, post.step?)))
    {
        let step = &active.steps[step.index()];
        assert!(linked(post.event, step.first), "{} {post:?}", case.name);
    }
    for step in &active.steps {
        assert!(linked(step.first, step.last), "{} {step:?}", case.name);
    }
    for transition in &active.transitions {
        let step = transition.step.map(|step| &active.steps[step.index()]);
        let is_linked = step.is_none_or(|step| linked(step.first, transition.event));
        assert!(is_linked, "{} {transition:?}", case.name);
    }
    for deferral in &active.deferrals {
        let post = deferral.recalled.map(|post| &active.posts[post.index()]);
        let is_linked = post.is_none_or(|post| linked(deferral.event, post.event));
        assert!(is_linked, "{} {deferral:?}", case.name);
    }
    for run in &active.timer_runs {
        let end = timer_end(case, run);
        if let Some(end) = end {
            assert!(linked(run.first, end), "{} {run:?} {end}", case.name);
        }
        let post = run.post.map(|post| &active.posts[post.index()]);
        let origin = end.unwrap_or(run.first);
        let is_linked = post.is_none_or(|post| linked(origin, post.event));
        assert!(is_linked, "{} {run:?} {post:?}", case.name);
    }
    let schedule = &case.schedule;
    for transfer in &schedule.transfers {
        assert!(
            linked(transfer.put, transfer.take),
            "{} {transfer:?}",
            case.name
        );
    }
    for activation in &schedule.activations {
        assert!(linked(activation.first, activation.last));
    }
    for hold in schedule
        .mutex_holds
        .iter()
        .filter(rtoscope_analysis::schedule::MutexHold::is_complete)
    {
        assert!(linked(hold.first, hold.last));
    }
    for inversion in &schedule.inversions {
        if let (Some(start), Some(end)) = (inversion.first, inversion.last) {
            assert!(linked(start, end));
        }
    }
    for wake_up in schedule.wake_ups() {
        let Some(effect) = wake_up.effect() else {
            continue;
        };
        // The thread's first later event or, if it logs none, that of the wake-up.
        let mut own = case.trace.events.iter().skip(effect.index());
        let own = own
            .find(|event| event.context == wake_up.thread)
            .map(|event| event.index);
        let found = own.is_some_and(|own| linked(wake_up.cause(), own));
        let seen = found || linked(wake_up.cause(), effect);
        assert!(seen, "{} {wake_up:?} {own:?}", case.name);
    }
    total
}

fn links_are_ordered_and_named(case: &TestCase, details: &[Value]) {
    for details in details {
        let event = details["event"].as_u64().unwrap();
        for link in details["links"].as_array().unwrap() {
            let other = link["event"].as_u64().unwrap();
            assert_ne!(other, event);
            let is_before = other < event;
            assert_eq!(link["cause"], is_before, "{} {details}", case.name);
            assert_eq!(link["time"], case.time(other as u32));
            assert!(!link["text"].as_str().unwrap().is_empty());
        }
    }
}

fn next_running_matches_the_schedule(case: &TestCase, details: &[Value]) {
    let cores = case.schedule.cores.iter();
    let spans: BTreeMap<u8, Vec<_>> = cores
        .map(|slices| (slices.core, slices.iter().collect()))
        .collect();
    // The last one of each event and core.
    let dispatches = case.schedule.dispatches.iter();
    let dispatches: BTreeMap<_, _> = dispatches
        .map(|one| ((one.event.0, one.core), one.thread.0))
        .collect();
    for details in details {
        let event = details["event"].as_u64().unwrap() as u32;
        let (core, time) = (case.core(event), case.time(event));
        let mut cores = case.schedule.cores.iter();
        let slices = cores.find(|slices| slices.core == core).unwrap();
        // Those that end at this time or later.
        let spans = &spans[&core];
        let spans = &spans[spans.partition_point(|(_, end)| end.0 < time)..];
        let mut begun = spans.iter().take_while(|(slice, _)| slice.start.0 <= time);
        let slice = begun.find(|(slice, end)| {
            // Not one that a later event of the same tick starts.
            let started = slice.start.0 < time || slice.event.0 <= event;
            started && {
                let next = spans.iter().find(|(next, _)| next.start == *end);
                let next = next.map(|(next, _)| next);
                let next_begun =
                    next.is_some_and(|next| next.start.0 == time && next.event.0 <= event);
                time < end.0 || end.0 == time && !next_begun && next.is_some()
            }
        });
        let expected = match (dispatches.get(&(event, core)), slice) {
            (Some(thread), _) => Some(*thread),
            (None, Some((slice, _))) => match slice.running.running_context() {
                RunningContext::Thread(thread) => Some(thread.0),
                RunningContext::Isr(_) | RunningContext::Kernel => Some(Contexts::INTERRUPT.0),
                RunningContext::Idle => Some(Contexts::IDLE.0),
                RunningContext::Initialize => Some(Contexts::INITIALIZE.0),
                RunningContext::Unknown => None,
            },
            (None, None) => {
                assert!(time >= slices.end.0);
                let mut after = event + 1..case.events();
                let next = after.find(|next| case.core(*next) == core);
                next.map(|next| case.trace.events.context(EventIndex(next)).unwrap().0)
            }
        };
        assert_eq!(
            details["next_context"],
            json!(expected),
            "{} {event}",
            case.name
        );
        assert!(!details["next_running"].as_str().unwrap().is_empty());
    }
}

fn event_details_match_the_trace(case: &TestCase, details: &[Value]) {
    for details in details {
        let number = details["event"].as_u64().unwrap() as u32;
        let event = case.trace.events.get(EventIndex(number)).unwrap();
        assert_eq!(details["timestamp"], event.timestamp.to_string());
        assert_eq!(details["priority"], json!(event.priority()));
        assert_eq!(details["core"], event.core);
        let before = number
            .checked_sub(1)
            .map(|one| event.time.0 - case.time(one));
        assert_eq!(details["since_previous"], json!(before));
        let after = number + 1;
        let after = (after < case.events()).then(|| case.time(after) - event.time.0);
        assert_eq!(details["until_next"], json!(after));
        let arguments = details["arguments"].as_array().unwrap();
        let named = case.trace.catalogue.get(event.kind);
        let count = named.map_or(4, |kind| case.trace.arguments(kind, &event).count());
        assert_eq!(arguments.len(), count);
        let extras = case.trace.events.extras();
        for argument in arguments {
            let raw = argument["raw"].as_str().unwrap();
            let Some(raw) = raw.strip_prefix("0x") else {
                // A text or a block of memory among the items.
                assert_eq!(argument["raw"], argument["text"]);
                continue;
            };
            let raw = u64::from_str_radix(raw, 16).unwrap();
            let mut more = extras.words(event.index).iter();
            let is_there =
                event.arguments.contains(&raw) || more.any(|word| u64::from(*word) == raw);
            assert!(is_there, "{} {details}", case.name);
            if let Some(object) = argument["object"].as_u64() {
                let mut objects = case.trace.objects.iter();
                assert_eq!(objects.nth(object as usize).unwrap().address.0, raw);
            }
        }
    }
}
