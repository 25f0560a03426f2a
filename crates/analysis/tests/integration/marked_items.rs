//! Items that are marked in generated context-switch logs, compared with the ground truth.

use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::pipelines::{ItemOutcome, Pipeline, StageTime};
use rtoscope_analysis::timing::PipelineDeclaration;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_generate::cswitch::{
    CswitchOptions, LogBuffer, MarkedItemTruth, MarkedPipelineTruth, MarkedSpanTruth,
    write_with_truth,
};

fn case(settings: &CswitchOptions) -> (Option<Pipeline>, MarkedPipelineTruth) {
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(settings, &mut bytes, &mut |_| ()).unwrap();
    let truth = truth.pipelines.into_iter().next().unwrap();
    let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
    let decoded = content.decode(&DecodeOptions::default()).unwrap();
    let DecodedRecording { trace, format_info } = decoded;
    let mut recording = AnalyzedRecording::new("generated", "generated", trace, &format_info);
    let chain = format!(
        "{}: {}",
        truth.item_marker,
        truth.stage_markers.join(" -> ")
    );
    let declared = PipelineDeclaration::parse(&chain).unwrap();
    // A trace knows only markers that occur.
    if let Err(error) = recording.add_pipeline(&declared) {
        let occurs = |span: MarkedSpanTruth| span.begin_ticks.or(span.end_ticks).is_some();
        let mut stages = 0..truth.stage_markers.len();
        let all = truth.items.iter().any(|item| occurs(item.whole))
            && stages.all(|stage| truth.items.iter().any(|item| occurs(item.stages[stage])));
        assert!(!all, "{error}");
    }
    (recording.pipelines.first().cloned(), truth)
}

fn ticks(time: Option<StageTime>) -> Option<u64> {
    time.map(|time| time.time.0)
}

/// Compares an item whose begin is recorded.
fn check(pipeline: &Pipeline, index: usize, truth: &MarkedItemTruth) {
    let item = pipeline.items[index];
    assert_eq!(Some(item.start.time.0), truth.whole.begin_ticks);
    for (span, stage) in truth.stages.iter().zip(1..) {
        let visit = pipeline.visit(index, stage);
        let received = visit.and_then(|visit| visit.received);
        assert_eq!(ticks(received), span.begin_ticks, "{item:?} {truth:?}");
        let left = visit.and_then(|visit| visit.left);
        assert_eq!(ticks(left), span.end_ticks, "{item:?} {truth:?}");
    }
    match truth.whole.end_ticks {
        Some(end) => {
            assert_eq!(item.outcome, ItemOutcome::Completed);
            assert_eq!(item.end.time.0, end);
        }
        None => {
            let is_open = [ItemOutcome::InProgress, ItemOutcome::Overtaken];
            assert!(is_open.contains(&item.outcome), "{item:?} {truth:?}");
        }
    }
}

fn settings() -> impl Strategy<Value = CswitchOptions> {
    let numbers = (any::<u64>(), 1..20_u16, 500..6000_u64, 1..9_u8);
    let flags = any::<[bool; 3]>();
    (numbers, flags).prop_map(|((seed, threads, entries, pipeline_stages), flags)| {
        let [inheritance, timeouts, markers] = flags;
        CswitchOptions {
            seed,
            threads,
            entries,
            pipeline_stages,
            inheritance,
            timeouts,
            markers,
            ..CswitchOptions::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_log_shows_the_true_items(
        settings in settings(), slots in prop::option::of(50..3000_u32),
    ) {
        let buffer = slots.map(|slots| LogBuffer { slots, cyclic: true });
        let (pipeline, truth) = case(&CswitchOptions { buffer, ..settings });
        let Some(pipeline) = pipeline else { return Ok(()) };
        let begun = truth.items.iter().filter(|item| item.whole.begin_ticks.is_some());
        let begun: Vec<_> = begun.collect();
        prop_assert_eq!(pipeline.items.len(), begun.len());
        for (truth, index) in begun.into_iter().zip(0..) {
            check(&pipeline, index, truth);
        }
    }
}

/// The comparison above is about many items that pass all stages.
#[test]
fn many_items_of_a_log_end() {
    let (pipeline, truth) = case(&CswitchOptions {
        entries: 50_000,
        pipeline_stages: 3,
        ..CswitchOptions::default()
    });
    let items = pipeline.unwrap().items;
    let completed = items
        .iter()
        .filter(|it| it.outcome == ItemOutcome::Completed);
    assert!(completed.count() > 100);
    assert_eq!(truth.stage_markers, ["serve 1", "serve 2", "serve 3"]);
}
