use super::tracker::{LevelTracker, ObjectCall};
use super::*;
use crate::fixture::trace;
use rtoscope_decode::threadx;
use rtoscope_trace::{
    Address, Event, EventIndex, Gap, Interpret, LevelEffect, Resource, SchedEvent, Ticks,
};

/// A call on the only object at each event.
struct Script(Vec<SchedEvent>, Resource);

impl Interpret for Script {
    fn sched_event(&mut self, _: &Trace, event: &Event) -> SchedEvent {
        self.0[event.index.index()]
    }

    fn resources(&self) -> &[Resource] {
        std::slice::from_ref(&self.1)
    }
}

const QUIET: u32 = SchedEvent::UNKNOWN_LEVEL;

fn call(effect: LevelEffect, level: u32) -> SchedEvent {
    SchedEvent::Use {
        resource: ResourceId(0),
        effect,
        level,
        waits: true,
    }
}

/// The level histories of a trace.
fn histories(trace: &Trace, interpreter: &mut impl Interpret) -> LevelHistories {
    let mut builder = LevelHistoriesBuilder::default();
    trace.events.visit(0..trace.events.len(), |event| {
        let sched_event = interpreter.sched_event(trace, &event);
        let used = interpreter.secondary_event().unwrap_or(sched_event);
        builder.push(trace, &event, used, interpreter.resources());
    });
    builder.finish(trace)
}

/// The usage of the only object, with an event every 10 ticks, and its graph.
fn follow(
    class: ObjectClass,
    calls: &[SchedEvent],
    gap: Option<u32>,
    scope: &Scope,
) -> (ObjectUsage, Vec<(u64, Option<u32>)>) {
    let mut trace = trace((0..calls.len() as u64).map(|number| number * 10), 0);
    trace.gaps.extend(gap.map(|before| Gap {
        next_event: EventIndex(before),
        missing: None,
        core: None,
        is_restart: false,
    }));
    let resource = Resource::new(class, Address(0x100));
    let mut script = Script(calls.to_vec(), resource);
    let levels = Levels::in_scope(&trace, &histories(&trace, &mut script), scope);
    let usage = levels.get(ResourceId(0)).unwrap().clone();
    let graph = usage.level.graph().iter().map(|point| {
        let level = point.levels.map(|(lowest, highest)| {
            assert_eq!(lowest, highest);
            lowest
        });
        (point.start.0, level)
    });
    let graph = graph.collect();
    (usage, graph)
}

#[test]
fn the_later_call_gives_the_level() {
    use LevelEffect::{Put, Take};
    let calls = [
        SchedEvent::None,
        call(Put, 0),
        call(Put, 0),
        call(Put, 1),
        call(Take, 2),
        call(Take, 1),
        call(Take, 0),
        SchedEvent::None,
    ];
    let (usage, graph) = follow(ObjectClass::Semaphore, &calls, None, &Scope::default());
    assert_eq!((usage.puts, usage.takes, usage.other_calls), (3, 3, 0));
    assert_eq!((usage.blocked, usage.refused), (1, 0));
    assert_eq!((usage.unserved_puts, usage.unserved_takes), (0, 1));
    // A waiting thread took what the first call put.
    let expected = [(0, 0), (20, 1), (30, 2), (40, 1), (50, 0)];
    assert_eq!(graph, expected.map(|(start, level)| (start, Some(level))));
    let ends = (usage.level.at_start(), usage.level.at_end());
    assert_eq!(ends, (Some(0), Some(0)));
    assert_eq!(usage.level.mean(), Some(40.0 / 70.0));
    let highest = usage.level.maximum().unwrap();
    assert_eq!((highest.level, highest.event), (2, EventIndex(3)));
}

#[test]
fn after_the_last_call_only_certain_levels_are_known() {
    use LevelEffect::{Put, Take};
    let last = |class, last| {
        let (usage, _) = follow(
            class,
            &[SchedEvent::None, last, SchedEvent::None],
            None,
            &Scope::default(),
        );
        usage.level.at_end()
    };
    use ObjectClass::{BlockPool, Queue, Semaphore};
    assert_eq!(last(Semaphore, call(Take, 3)), Some(2));
    assert_eq!(last(Semaphore, call(Take, 0)), Some(0));
    assert_eq!(last(Semaphore, call(Put, 0)), None);
    assert_eq!(last(Semaphore, call(Put, 3)), None);
    assert_eq!(last(BlockPool, call(Put, 3)), Some(4));
    // The queue may be full, with a thread that waits to send.
    assert_eq!(last(Queue, call(Take, 3)), None);
}

#[test]
fn calls_around_releases_give_their_levels() {
    use LevelEffect::{Put, Take};
    let quiet = call(Put, QUIET);
    let calls = [
        quiet,
        quiet,
        quiet,
        call(Take, 2),
        quiet,
        call(Take, 2),
        call(Take, 1),
        call(Take, 0),
        quiet,
    ];
    let (usage, graph) = follow(ObjectClass::BlockPool, &calls, None, &Scope::default());
    // Backwards from the fourth call; the effect of the last one is not known.
    let expected = [(0, 0), (10, 1), (20, 2), (30, 1), (40, 2), (50, 1), (60, 0)];
    assert_eq!(graph, expected.map(|(start, level)| (start, Some(level))));
    assert_eq!(usage.level.known(), Ticks(80));
    assert_eq!(usage.blocked, 1);
}

#[test]
fn gaps_and_calls_without_a_level_are_unknown() {
    use LevelEffect::{Other, Take};
    let calls = [
        SchedEvent::None,
        call(Take, 5),
        SchedEvent::None,
        SchedEvent::None,
        call(Take, 2),
        SchedEvent::None,
    ];
    let (_, graph) = follow(ObjectClass::Semaphore, &calls, Some(3), &Scope::default());
    let expected = [(0, Some(5)), (10, Some(4)), (20, None), (30, Some(2))];
    assert_eq!((&graph[..4], graph[4]), (&expected[..], (40, Some(1))));

    let calls = [
        SchedEvent::None,
        call(Other, 90),
        call(Other, QUIET),
        call(Other, QUIET),
        call(Other, 40),
    ];
    let (usage, graph) = follow(ObjectClass::BytePool, &calls, None, &Scope::default());
    assert_eq!(graph, [(0, Some(90)), (10, None), (30, Some(40))]);
    assert_eq!((usage.other_calls, usage.level.mean()), (4, Some(65.0)));
}

#[test]
fn calls_outside_the_scope_give_the_level_in_it() {
    use LevelEffect::{Put, Take};
    let calls = [
        call(Put, 4),
        call(Put, 5),
        SchedEvent::None,
        SchedEvent::None,
        call(Take, 6),
        call(Take, 5),
    ];
    let scope = Scope {
        start: Some(Ticks(15)),
        end: Some(Ticks(35)),
        ..Scope::default()
    };
    let (usage, graph) = follow(ObjectClass::Semaphore, &calls, None, &scope);
    assert_eq!((usage.puts, usage.takes), (0, 0));
    assert_eq!(graph, [(15, Some(6))]);
    assert_eq!(usage.level.maximum().unwrap().event, EventIndex(1));
    assert_eq!(
        (usage.level.at_start(), usage.level.at_end()),
        (Some(6), Some(6))
    );
}

#[test]
fn contradicting_records_leave_the_time_between_unknown() {
    let calls = [
        SchedEvent::None,
        call(LevelEffect::Take, 5),
        call(LevelEffect::Take, 1),
        SchedEvent::None,
    ];
    let (_, graph) = follow(ObjectClass::Semaphore, &calls, None, &Scope::default());
    assert_eq!(graph, [(0, Some(5)), (10, None), (20, Some(0))]);
}

fn open(path: &std::path::Path) -> Option<Trace> {
    let source = rtoscope_decode::source::Source::open(path).ok()?;
    let opened = rtoscope_decode::open(source.input(), Default::default()).ok()?;
    let recording = opened.decode(&threadx::ThreadXOptions::default()).ok()?;
    Some(recording.trace)
}

/// In every trace, a certain level is the one that the next record has.
#[test]
fn certain_levels_agree_with_the_next_record() {
    let files = rtoscope_fixtures::recordings("threadx");
    let traces = files.iter().filter_map(|file| open(file));
    let (mut certain, mut contradicted) = (0, Vec::new());
    for trace in traces.filter(|trace| trace.gaps.is_empty()) {
        let mut interpreter = threadx::ThreadXInterpreter::new(&trace);
        let resources = interpreter.resources().to_vec();
        let mut trackers: Vec<Option<LevelTracker>> = Vec::new();
        for event in trace.events.iter() {
            let SchedEvent::Use {
                resource,
                effect,
                level,
                waits,
            } = interpreter.sched_event(&trace, &event)
            else {
                continue;
            };
            if trackers.len() <= resource.index() {
                trackers.resize_with(resource.index() + 1, || None);
            }
            let tracker = trackers[resource.index()]
                .get_or_insert_with(|| LevelTracker::new(&resources, resource));
            let found_level = (level != SchedEvent::UNKNOWN_LEVEL).then_some(level);
            if let (Some(expected), Some(found)) = (tracker.level, found_level) {
                certain += 1;
                if expected != found {
                    contradicted.push((tracker.history.class, found));
                }
            }
            tracker.call(&ObjectCall::new(&event, effect, level, waits));
        }
    }
    assert!(certain > 1000, "{certain}");
    assert_eq!(contradicted, []);
}

/// A history agrees with the statistics.
fn agrees(trace: &Trace, usage: &ObjectUsage, history: &LevelHistory) {
    let stats = &usage.level;
    let steps: Vec<_> = history.iter().collect();
    assert!(steps.is_sorted_by_key(|step| (step.start, step.event)));
    let neighbours = steps.windows(2);
    neighbours.for_each(|pair| assert_ne!(pair[0].level, pair[1].level));
    let known = || steps.iter().filter_map(|step| Some((step, step.level?)));
    let lowest = known().min_by_key(|(_, level)| *level);
    let highest = known().rev().max_by_key(|(_, level)| *level);
    let extreme = |found: Option<(&LevelStep, u32)>| {
        found.map(|(step, level)| LevelExtreme {
            level,
            event: step.event,
        })
    };
    assert_eq!(extreme(lowest), stats.minimum());
    assert_eq!(extreme(highest), stats.maximum());
    let (mut ticks, mut sum) = (0, 0);
    for (at, step) in steps.iter().enumerate() {
        let end = steps.get(at + 1).map_or(history.end(), |next| next.start);
        if let Some(level) = step.level {
            ticks += end.0 - step.start.0;
            sum += u128::from(end.0 - step.start.0) * u128::from(level);
        }
    }
    assert_eq!(Ticks(ticks), stats.known());
    let mean = (ticks > 0).then(|| sum as f64 / ticks as f64);
    assert_eq!(mean, stats.mean());
    assert_eq!(history.capacity(), usage.capacity);
    assert!(history.end() <= trace.events.span());
}

#[test]
fn histories_agree_with_statistics() {
    let files = rtoscope_fixtures::recordings("threadx");
    let mut changes = 0;
    for mut trace in files.iter().filter_map(|file| open(file)) {
        for gap in [false, true] {
            if gap && trace.gaps.is_empty() && trace.events.len() > 2 {
                trace.gaps.push(Gap {
                    next_event: EventIndex(trace.events.len() as u32 / 2),
                    missing: None,
                    core: None,
                    is_restart: false,
                });
            }
            let mut interpreter = threadx::ThreadXInterpreter::new(&trace);
            let histories = histories(&trace, &mut interpreter);
            let levels = Levels::in_scope(&trace, &histories, &Scope::default());
            assert_eq!(levels.iter().len(), histories.iter().len());
            for (resource, history) in histories.iter() {
                agrees(&trace, levels.get(resource).unwrap(), history);
                changes += history.len();
            }
        }
    }
    assert!(changes > 1000, "{changes}");
}
