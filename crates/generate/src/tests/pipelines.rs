//! The pipeline, and whether its ground truth matches the buffer.

use super::checker::Checker;
use super::reading::{Buffer, read};
use crate::{
    EventTimeTruth, ItemStageTruth, PipelineTruth, ThreadXOptions, ThreadXTruth, TrueContext,
    write_with_truth,
};

/// Number of different systems.
const SEEDS: u64 = 16;

fn options(seed: u64) -> ThreadXOptions {
    ThreadXOptions {
        events: 8_000,
        threads: 1 + (seed % 13) as u16,
        seed,
        timeouts: seed.is_multiple_of(3),
        inheritance: seed.is_multiple_of(2),
        bare_ticks: seed.is_multiple_of(5),
        pipeline_stages: 1 + (seed % 8) as u8,
        ..ThreadXOptions::default()
    }
}

fn generate(options: &ThreadXOptions) -> (Buffer, ThreadXTruth) {
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(options, &mut bytes, &mut |_| ()).unwrap();
    (read(&bytes), truth)
}

fn visits(pipeline: &PipelineTruth) -> impl Iterator<Item = (usize, &ItemStageTruth)> {
    let items = pipeline.items.iter();
    items.flat_map(|item| item.stages.iter().enumerate())
}

#[test]
fn the_checker_accepts_pipelines() {
    for seed in 0..SEEDS {
        let options = options(seed);
        let (buffer, truth) = generate(&options);
        Checker::follow(&buffer, &options);
        assert_eq!(truth.pipelines.len(), 1);
        let pipeline = &truth.pipelines[0];
        assert_eq!(pipeline.stages.len(), usize::from(options.pipeline_stages));
        assert!(pipeline.items.len() > 10, "seed {seed}");
    }
}

#[test]
fn items_complete_wait_and_are_dropped() {
    let (mut completed, mut waited, mut dropped) = (0, 0, 0);
    for seed in 0..SEEDS {
        let (_, truth) = generate(&options(seed));
        let pipeline = &truth.pipelines[0];
        for (stage, visit) in visits(pipeline) {
            let is_last = stage + 1 == pipeline.stages.len();
            completed += u32::from(is_last && visit.end.is_some());
            waited += u32::from(visit.stored.is_some() && visit.stored != visit.put);
            dropped += u32::from(visit.dropped.is_some());
        }
    }
    assert!(completed > 200, "{completed} completed");
    assert!(waited > 10, "{waited} waited");
    assert!(dropped > 100, "{dropped} dropped");
}

/// The events are calls on the link by the right contexts, in order, and the
/// running time is that of the slices.
#[test]
fn items_match_the_events_and_slices() {
    for seed in 0..SEEDS {
        let (buffer, truth) = generate(&options(seed));
        let events = buffer.events();
        let pipeline = &truth.pipelines[0];
        for (stage, visit) in visits(pipeline) {
            let of = &pipeline.stages[stage];
            let (put, taken) = match of.capacity {
                Some(_) => (69, 68),
                None => (88, 83),
            };
            let id = |at: EventTimeTruth| events[at.event as usize].id;
            let call = &events[visit.put.unwrap().event as usize];
            assert_eq!((call.id, call.info[0]), (put, of.link.0));
            let steps = [visit.put, visit.stored, visit.taken, visit.begin, visit.end];
            let steps: Vec<_> = steps.into_iter().flatten().collect();
            assert!(steps.is_sorted_by_key(|it| it.event));
            if let Some(at) = visit.taken {
                let event = &events[at.event as usize];
                let own = (event.id, event.info[0]) == (taken, of.link.0);
                assert!(own || (event.id, event.info[0]) == (1, of.thread.0));
                assert!(!own || visit.begin == visit.taken);
            }
            let can_wait = of.waits_for_room && stage > 0;
            let is_late = visit.dropped.is_some_and(|at| Some(at) != visit.put);
            assert!(!is_late || can_wait && id(visit.dropped.unwrap()) == 1);
            assert!(visit.dropped.is_none() || visit.stored.is_none());
            let Some((from, to)) = visit.taken.zip(visit.end) else {
                assert_eq!(visit.running_ticks, None);
                continue;
            };
            let own = truth.slices.iter().filter(|slice| {
                slice.context == TrueContext::Thread(of.thread)
                    && slice.start_ticks < to.ticks
                    && slice.end_ticks > from.ticks
            });
            let ticks = own
                .map(|slice| slice.end_ticks.min(to.ticks) - slice.start_ticks.max(from.ticks))
                .sum();
            assert_eq!(visit.running_ticks, Some(ticks));
        }
    }
}

#[test]
fn links_keep_the_order_of_items() {
    for seed in 0..SEEDS {
        let (_, truth) = generate(&options(seed));
        let pipeline = &truth.pipelines[0];
        for stage in 0..pipeline.stages.len() {
            let items = pipeline.items.iter();
            let taken = items.filter_map(|item| item.stages.get(stage)?.taken);
            assert!(taken.is_sorted_by_key(|it| it.event));
        }
    }
}

#[test]
fn a_wrapped_ring_has_the_clipped_items() {
    for seed in 0..SEEDS {
        let options = options(seed);
        let (_, whole) = generate(&options);
        for kept in [1, 300, 3000] {
            let (buffer, truth) = generate(&ThreadXOptions {
                capacity: Some(kept),
                ..options.clone()
            });
            assert_eq!(buffer.events().len() as u64, kept);
            let first = options.events - kept;
            let origin = whole.span_ticks - truth.span_ticks;
            let clipped = |at: Option<EventTimeTruth>| {
                let at = at?;
                Some(EventTimeTruth {
                    event: at.event.checked_sub(first)?,
                    ticks: at.ticks - origin,
                })
            };
            let mut expected = whole.pipelines[0].clone();
            for item in &mut expected.items {
                for visit in &mut item.stages {
                    *visit = ItemStageTruth {
                        put: clipped(visit.put),
                        stored: clipped(visit.stored),
                        dropped: clipped(visit.dropped),
                        taken: clipped(visit.taken),
                        begin: clipped(visit.begin),
                        end: clipped(visit.end),
                        running_ticks: visit
                            .running_ticks
                            .filter(|_| clipped(visit.taken).is_some()),
                    };
                }
            }
            let is_recorded = |visit: &ItemStageTruth| *visit != ItemStageTruth::default();
            expected
                .items
                .retain(|item| item.stages.iter().any(is_recorded));
            assert_eq!(truth.pipelines[0], expected);
        }
    }
}
