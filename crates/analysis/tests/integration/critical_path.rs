//! Critical paths of simulated kernels, compared with the ground truth.

use crate::common::{analyze, simulate};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::critical_path::{
    CriticalPath, CriticalPathFinder, CriticalPathOptions, PathCause, PathContext, PathOrigin,
};
use rtoscope_analysis::report::critical_path::critical_path;
use rtoscope_analysis::schedule::DelayCause;
use rtoscope_generate::{
    Address, ItemStageTruth, PipelineStageTruth, ThreadStateTruth, ThreadXOptions, ThreadXTruth,
    TrueContext,
};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::collections::BTreeSet;

struct GeneratedCase {
    recording: AnalyzedRecording,
    truth: ThreadXTruth,
}

fn case(options: &ThreadXOptions) -> GeneratedCase {
    let (bytes, truth) = simulate(options);
    let recording = analyze(&bytes);
    GeneratedCase { recording, truth }
}

impl GeneratedCase {
    fn finder(&self) -> CriticalPathFinder<'_> {
        let recording = &self.recording;
        CriticalPathFinder::new(&recording.trace, &recording.schedule, &recording.active)
    }

    fn address(&self, context: ContextId) -> Address {
        Address(
            self.recording
                .trace
                .contexts
                .get(context)
                .unwrap()
                .address
                .0,
        )
    }

    /// A segment in which a context runs is in a slice of the truth with that context.
    fn runs(&self, context: TrueContext, start: u64, end: u64) -> bool {
        let slices = &self.truth.slices;
        let overlaps = |core: u8| {
            let of_core = slices.iter().filter(move |it| it.core == core);
            let mut within = of_core.filter(|it| it.start_ticks < end && start < it.end_ticks);
            within.all(|it| it.context == context)
        };
        (0..self.truth.cores).any(overlaps)
    }

    /// Whether the thread of a stage at most sleeps while it serves an item.
    fn only_sleeps(&self, stage: &ItemStageTruth, of: &PipelineStageTruth) -> bool {
        let (Some(taken), Some(end)) = (stage.taken, stage.end) else {
            return false;
        };
        let mut threads = self.truth.threads.iter();
        let thread = threads.find(|it| it.address == of.thread).unwrap();
        let states = thread.states.iter();
        let mut served = states.filter(|it| {
            let event = it.event.unwrap_or(0);
            taken.event <= event && event < end.event
        });
        served.all(|it| !is_wait(it.state) || it.state == ThreadStateTruth::Sleep)
    }

    /// Checks what holds for every path.
    fn check(&self, path: &CriticalPath) {
        let mut at = path.start;
        for segment in &path.segments {
            assert_eq!(segment.start, at);
            assert!(segment.start <= segment.end);
            at = segment.end;
            let (start, end) = (segment.start.0, segment.end.0);
            if segment.cause == PathCause::Delay(DelayCause::Running) && start < end {
                let context = match segment.context {
                    PathContext::Context(context) => TrueContext::Thread(self.address(context)),
                    PathContext::Isr { number, .. } => TrueContext::Isr(number.map(u64::from)),
                };
                assert!(self.runs(context, start, end), "{segment:?}");
            }
            let Some(resumption) = segment.resumes else {
                continue;
            };
            assert_eq!(
                self.recording.trace.events.time(resumption.event),
                Some(segment.end)
            );
            let resumed = self.address(resumption.context);
            let mut threads = self.truth.threads.iter();
            let thread = threads.find(|it| it.address == resumed).unwrap();
            let resumption = Some(u64::from(resumption.event.0));
            let states = thread.states.windows(2);
            let mut ends = states.filter(|it| it[1].event == resumption);
            assert!(ends.any(|it| is_wait(it[0].state)), "{segment:?}");
        }
        assert_eq!(at, path.end);
        let report = critical_path(&self.recording.view(), path);
        let sum = |ticks: &mut dyn Iterator<Item = u64>| ticks.sum::<u64>();
        let whole = path.end.0 - path.start.0;
        assert_eq!(report.duration, whole);
        assert_eq!(
            sum(&mut report.segments.iter().map(|it| it.duration)),
            whole
        );
        assert_eq!(
            sum(&mut report.contexts.iter().map(|it| it.duration)),
            whole
        );
        assert_eq!(sum(&mut report.causes.iter().map(|it| it.duration)), whole);
    }
}

fn is_wait(state: ThreadStateTruth) -> bool {
    use ThreadStateTruth::{Completed, Deleted, Ready, Running, Terminated};
    !matches!(state, Ready | Running | Completed | Terminated | Deleted)
}

#[test]
fn paths_follow_the_true_schedule() {
    for (seed, cores) in [(1, 1), (2, 1), (3, 2)] {
        let case = case(&ThreadXOptions {
            events: 6000,
            seed,
            cores,
            inheritance: seed == 2,
            timeouts: true,
            ..ThreadXOptions::default()
        });
        let finder = case.finder();
        let mut origins = BTreeSet::new();
        for event in (0..6000).step_by(19).map(EventIndex) {
            let found = finder.path(event, CriticalPathOptions::default()).unwrap();
            case.check(&found);
            origins.insert(found.origin.name());
            let options = CriticalPathOptions {
                from: Some(Ticks(found.end.0 / 2)),
                max_segments: 50,
                ..CriticalPathOptions::default()
            };
            let found = finder.path(event, options).unwrap();
            case.check(&found);
            let is_whole = found.origin == PathOrigin::Window;
            assert!(!is_whole || found.start.0 == found.end.0 / 2);
            assert!(found.segments.len() <= 50);
        }
        assert!(origins.contains("interrupt"), "{origins:?}");
    }
}

/// Every complete inversion is on the path of the thread that waited.
#[test]
fn paths_show_the_whole_time_of_inversions() {
    let case = case(&ThreadXOptions {
        events: 20_000,
        ..ThreadXOptions::default()
    });
    let finder = case.finder();
    let trace = &case.recording.trace;
    let mut checked = 0;
    for inversion in &case.truth.inversions {
        let (Some(_), Some(end)) = (inversion.start_event, inversion.end_event) else {
            continue;
        };
        // The first event of the thread after the wait.
        let end = EventIndex(u32::try_from(end).unwrap());
        let mut later = (end.0 + 1..trace.events.len() as u32).map(EventIndex);
        let own = later.find(|event| {
            let context = trace.events.context(*event).unwrap();
            case.recording
                .trace
                .contexts
                .get(context)
                .unwrap()
                .address
                .0
                == inversion.blocked.0
        });
        let Some(own) = own else { continue };
        let path = finder.path(own, CriticalPathOptions::default()).unwrap();
        case.check(&path);
        let blocks = path.segments.iter().filter(|segment| {
            let blocked = segment.blocks.map(|it| case.address(it.thread));
            blocked == Some(inversion.blocked)
        });
        let blocks: Vec<_> = blocks.collect();
        // The thread may be preempted and wait again before its first event.
        let Some(last) = blocks.last().filter(|it| it.end.0 == inversion.end_ticks) else {
            continue;
        };
        assert_eq!(last.resumes.unwrap().event, end);
        let of_wait = blocks
            .iter()
            .filter(|it| it.start.0 >= inversion.start_ticks);
        let ticks: u64 = of_wait.map(|it| it.ticks()).sum();
        assert_eq!(ticks, inversion.end_ticks - inversion.start_ticks);
        checked += 1;
    }
    assert!(checked > 20, "{checked} of {}", case.truth.inversions.len());
}

/// The path of an item's end goes through all stages to the interrupt that made it, if
/// each stage waited for it.
#[test]
fn paths_lead_through_the_stages_of_a_pipeline_to_the_interrupt() {
    let mut checked = 0;
    for seed in 1..8 {
        let case = case(&ThreadXOptions {
            events: 10_000,
            seed,
            pipeline_stages: 3,
            ..ThreadXOptions::default()
        });
        let pipeline = &case.truth.pipelines[0];
        let finder = case.finder();
        for item in &pipeline.items {
            // A thread that was resumed for the item took it after it was put.
            let waited = item.stages.iter().all(|stage| {
                let (Some(put), Some(taken)) = (stage.put, stage.taken) else {
                    return false;
                };
                put.event < taken.event && stage.stored == stage.put && {
                    let resumed = case
                        .recording
                        .trace
                        .events
                        .get(EventIndex(taken.event as u32));
                    resumed.unwrap().kind.0 == 1
                }
            });
            let end = item.stages.get(2).and_then(|stage| stage.end);
            // Whom a stage waits for while it serves the item becomes part of the path.
            let stages = item.stages.iter().zip(&pipeline.stages);
            let alone = |(stage, of)| case.only_sleeps(stage, of);
            let Some(end) = end.filter(|_| waited && stages.clone().all(alone)) else {
                continue;
            };
            let options = CriticalPathOptions {
                from: item.stages[0].put.map(|put| Ticks(put.ticks)),
                ..CriticalPathOptions::default()
            };
            let path = finder.path(EventIndex(end.event as u32), options).unwrap();
            case.check(&path);
            let resumed = path.segments.iter().filter_map(|it| it.resumes);
            let resumed: BTreeSet<_> = resumed
                .map(|it| (u64::from(it.event.0), case.address(it.context)))
                .collect();
            for (stage, of) in stages {
                let taken = (stage.taken.unwrap().event, of.thread);
                assert!(resumed.contains(&taken), "{taken:?}: {path:#?}");
            }
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}
