//! The pipeline.

use super::checker::Checker;
use super::reading::{Buffer, read};
use crate::{ItemStageTruth, PipelineTruth, ThreadXOptions, ThreadXTruth, write_with_truth};

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
