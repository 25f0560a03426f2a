//! Items of the pipelines of simulated kernels, compared with their ground truth.

use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::pipelines::{ItemOutcome, Pipeline, PipelineItem, StageTime, StageVisit};
use rtoscope_analysis::schedule::{DelayCause, DelayCauses, DelayPart};
use rtoscope_analysis::timing::PipelineDeclaration;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_generate::{
    EventTimeTruth, ItemStageTruth, PipelineItemTruth, PipelineTruth, ThreadXOptions, ThreadXTruth,
    write_with_truth,
};

struct GeneratedCase {
    recording: AnalyzedRecording,
    truth: ThreadXTruth,
}

/// The last events, whose consequences the trace may not show.
const LAST_EVENTS: u64 = 4;

/// The chain of a pipeline, as users declare it.
fn chain(pipeline: &PipelineTruth) -> String {
    let mut chain = format!("ISR {}", pipeline.isr);
    for stage in &pipeline.stages {
        chain.push_str(&format!(" -> {} -> {}", stage.link_name, stage.thread_name));
    }
    chain
}

fn case(settings: &ThreadXOptions) -> GeneratedCase {
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(settings, &mut bytes, &mut |_| ()).unwrap();
    let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
    let decoded = content.decode(&DecodeOptions::default()).unwrap();
    let DecodedRecording { trace, format_info } = decoded;
    let mut recording = AnalyzedRecording::new("generated", "generated", trace, &format_info);
    let declared = PipelineDeclaration::parse(&chain(&truth.pipelines[0])).unwrap();
    // Without any item, the interrupt does not occur in the trace.
    if let Err(error) = recording.add_pipeline(&declared) {
        let items = &truth.pipelines[0].items;
        let mut puts = items.iter().filter_map(|item| item.stages[0].put);
        assert_eq!(puts.next(), None, "{error}");
    }
    GeneratedCase { recording, truth }
}

fn point(time: StageTime) -> EventTimeTruth {
    EventTimeTruth {
        event: time.event.0.into(),
        ticks: time.time.0,
    }
}

/// The visits of an item: when it arrived, was received, and left.
type Visits = Vec<[Option<EventTimeTruth>; 3]>;

impl GeneratedCase {
    fn pipeline(&self) -> Option<&Pipeline> {
        self.recording.pipelines.first()
    }

    fn truth(&self) -> &PipelineTruth {
        &self.truth.pipelines[0]
    }

    /// The start of the handler that makes an item.
    fn start(&self, put: EventTimeTruth) -> Option<EventTimeTruth> {
        let mut activations = self.truth.activations.iter();
        let handler = activations.find(|it| {
            let ends = it.exit_event.unwrap_or(u64::MAX);
            it.number == Some(self.truth().isr)
                && it.enter_event.is_none_or(|enter| enter <= put.event)
                && put.event <= ends
        })?;
        Some(EventTimeTruth {
            event: handler.enter_event?,
            ticks: handler.start_ticks,
        })
    }

    fn true_visits(&self, item: &PipelineItemTruth) -> Visits {
        let put = item.stages.first().and_then(|visit| visit.put);
        let start = put.and_then(|put| self.start(put));
        let stages = item.stages.iter();
        let stages = stages.filter(|visit| visit.dropped.is_none());
        let stages = stages.map(|visit| [visit.put, visit.taken, visit.end]);
        std::iter::once([start, start, put]).chain(stages).collect()
    }

    fn true_outcome(&self, item: &PipelineItemTruth) -> ItemOutcome {
        let last = item.stages.last();
        let is_last = item.stages.len() == self.truth().stages.len();
        if last.is_some_and(|visit| visit.dropped.is_some()) {
            ItemOutcome::Refused
        } else if is_last && last.is_some_and(|visit| visit.end.is_some()) {
            ItemOutcome::Completed
        } else {
            ItemOutcome::InProgress
        }
    }

    /// The points of an item before the last events.
    fn settled(&self, visits: Visits) -> Visits {
        let end = self.truth.events.saturating_sub(LAST_EVENTS);
        let visits = visits.into_iter();
        let mut settled: Visits = visits
            .map(|visit| visit.map(|point| point.filter(|it| it.event < end)))
            .collect();
        while settled.last().is_some_and(|it| *it == [None; 3]) {
            settled.pop();
        }
        settled
    }

    fn check_complete(&self) {
        let Some(pipeline) = self.pipeline() else {
            return;
        };
        let end = self.truth.events.saturating_sub(LAST_EVENTS);
        let items = self.truth().items.iter();
        let items: Vec<_> = items
            .filter(|item| item.stages[0].put.is_some_and(|put| put.event < end))
            .collect();
        assert!(pipeline.items.len() >= items.len());
        assert!(pipeline.items.len() <= self.truth().items.len());
        assert_eq!(pipeline.unknown_starts, 0);
        for ((real, item), index) in items.iter().zip(&pipeline.items).zip(0..) {
            let found = visits(pipeline, index);
            let message = || format!("{item:?}\n{found:?}\n{real:?}");
            let (ours, truth) = (found.clone(), self.true_visits(real));
            assert_eq!(self.settled(ours), self.settled(truth), "{}", message());
            let last = real
                .stages
                .iter()
                .flat_map(points)
                .max_by_key(|it| it.event);
            if last.is_some_and(|last| last.event < end) {
                assert_eq!(item.outcome, self.true_outcome(real), "{}", message());
                assert_eq!(Some(point(item.end)), last, "{}", message());
            }
        }
    }

    /// What is known of an item is true; returns the number of items whose end is known.
    fn check_known(&self) -> usize {
        let Some(pipeline) = self.pipeline() else {
            return 0;
        };
        let mut known = 0;
        for (item, index) in pipeline.items.iter().zip(0..) {
            let found = visits(pipeline, index);
            let put = found[0][2];
            let mut items = self.truth().items.iter();
            let real = items.find(|real| real.stages[0].put == put).unwrap();
            let message = || format!("{item:?}\n{found:?}\n{real:?}");
            let truth = self.true_visits(real);
            for (ours, truth) in found.iter().zip(&truth) {
                for (ours, truth) in ours.iter().zip(truth) {
                    assert!(ours.is_none() || ours == truth, "{}", message());
                }
            }
            known += usize::from(self.check_outcome(item, real));
        }
        known
    }

    fn check_outcome(&self, item: &PipelineItem, real: &PipelineItemTruth) -> bool {
        let truth = self.true_outcome(real);
        let is_known = matches!(item.outcome, ItemOutcome::Refused | ItemOutcome::Completed);
        let is_open = matches!(item.outcome, ItemOutcome::InProgress | ItemOutcome::Unknown);
        assert!(is_known || is_open, "{item:?} {real:?}");
        assert!(is_open || item.outcome == truth, "{item:?} {real:?}");
        is_known
    }

    /// The CPU time of each stage's thread while it served an item.
    fn check_running(&self) {
        let Some(pipeline) = self.pipeline() else {
            return;
        };
        let causes = DelayCauses::new(&self.recording.trace, &self.recording.schedule);
        for (real, item) in self.truth().items.iter().zip(0..) {
            for (truth, stage) in real.stages.iter().zip(1..) {
                let visit = pipeline.visit(item, stage);
                let service = visit.and_then(|visit| Some((visit, visit.received?, visit.left?)));
                let (Some(ticks), Some((visit, from, to))) = (truth.running_ticks, service) else {
                    continue;
                };
                let parts = causes.breakdown(visit.context, from.time.0..to.time.0);
                let running = parts.iter().filter(|it| it.cause == DelayCause::Running);
                let running: u64 = running.map(DelayPart::ticks).sum();
                let unknown = parts.iter().any(|it| it.cause == DelayCause::Unknown);
                assert!(unknown || running == ticks, "{running} {truth:?}");
            }
        }
    }
}

fn points(visit: &ItemStageTruth) -> impl Iterator<Item = EventTimeTruth> {
    let all = [visit.put, visit.dropped, visit.taken, visit.end];
    all.into_iter().flatten()
}

fn visits(pipeline: &Pipeline, item: usize) -> Visits {
    let visits = pipeline.visits(item).iter().map_while(Option::as_ref);
    let all = visits.map(|visit: &StageVisit| {
        let arrived = Some(visit.arrived);
        [arrived, visit.received, visit.left].map(|time| time.map(point))
    });
    all.collect()
}

fn settings() -> impl Strategy<Value = ThreadXOptions> {
    let numbers = (any::<u64>(), 1..20_u16, 500..6000_u64, 8..33_u8, 1..9_u8);
    let flags = any::<[bool; 4]>();
    (numbers, flags).prop_map(|((seed, threads, events, clock_bits, stages), flags)| {
        let [count_down, bare_ticks, inheritance, timeouts] = flags;
        ThreadXOptions {
            seed,
            threads,
            events,
            clock_bits,
            count_down,
            bare_ticks,
            inheritance,
            timeouts,
            pipeline_stages: stages,
            ..ThreadXOptions::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn complete_traces_show_the_true_items(settings in settings()) {
        let case = case(&settings);
        case.check_complete();
        case.check_running();
    }

    #[test]
    fn an_overwritten_start_leaves_items_true_or_unknown(
        settings in settings(), kept in 50..3000_u64,
    ) {
        case(&ThreadXOptions { capacity: Some(kept), ..settings }).check_known();
    }
}

/// Most items are known although the start is overwritten, so that the comparison above
/// is meaningful.
#[test]
fn most_items_are_known_without_the_start() {
    let (mut known, mut all) = (0, 0);
    for seed in 0..8 {
        let case = case(&ThreadXOptions {
            seed,
            events: 20_000,
            capacity: Some(10_000),
            pipeline_stages: 3,
            ..ThreadXOptions::default()
        });
        known += case.check_known();
        all += case.pipeline().map_or(0, |pipeline| pipeline.items.len());
    }
    assert!(all > 200 && 2 * known > all, "{known} of {all}");
}
