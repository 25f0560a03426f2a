//! Causes of missed deadlines in real and simulated recordings: those of steps are
//! compared with the slices by a slow independent model.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::deadlines::{DeadlineMiss, DeadlineRow, deadlines};
use rtoscope_analysis::schedule::{CoreSlices, RunningContext};
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::read_testdata;
use rtoscope_generate::rkh::{RkhOptions, write_with_truth};
use rtoscope_trace::ContextId;

fn open(bytes: &[u8]) -> AnalyzedRecording {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    let recording = content.decode(&DecodeOptions::default()).unwrap();
    let DecodedRecording { trace, format_info } = recording;
    AnalyzedRecording::new("test", "test", trace, &format_info)
}

/// The rows of one deadline for each of these sources.
fn rows(recording: &mut AnalyzedRecording, sources: &[String], limit: &str) -> Vec<DeadlineRow> {
    let declaration = |source: &String| format!("[[deadline]]\nname = 'x'\n{source}\n{limit}\n");
    let text: String = sources.iter().map(declaration).collect();
    let timing = TimingDeclarations::parse(&text).unwrap();
    recording.apply_timing(&timing).unwrap();
    deadlines(&recording.view())
}

/// The ticks in a window in which a context ran.
fn ran(recording: &AnalyzedRecording, context: ContextId, window: [u64; 2]) -> u64 {
    let cores = recording.schedule.cores.iter();
    let slices = cores
        .flat_map(CoreSlices::iter)
        .filter(|(slice, _)| slice.running.running_context() == RunningContext::Thread(context));
    let parts = slices.map(|(slice, end)| {
        let (from, to) = (slice.start.0.max(window[0]), end.0.min(window[1]));
        to.saturating_sub(from)
    });
    parts.sum()
}

fn ticks_of(miss: &DeadlineMiss, cause: &str) -> u64 {
    let causes = miss.causes.iter().filter(|it| it.cause == cause);
    causes.map(|it| it.duration).sum()
}

/// Checks all steps; returns how many were queued while another object ran.
fn check_steps(bytes: &[u8]) -> usize {
    let mut recording = open(bytes);
    let objects: Vec<_> = recording.active.objects.clone();
    let names = objects.iter().map(|it| recording.trace.context_name(*it));
    let sources: Vec<_> = names.map(|name| format!("object = '{name}'")).collect();
    let found = rows(&mut recording, &sources, "deadline = \"0 ticks\"");
    let mut queued = 0;
    for (row, object) in found.iter().zip(&objects) {
        for miss in &row.misses {
            let all: u64 = miss.causes.iter().map(|it| it.duration).sum();
            assert_eq!(all, miss.observed, "{miss:?}");
            let steps = recording.active.steps.iter();
            let mut steps = steps.filter(|step| step.object == *object);
            let step = steps.find(|step| step.first.0 == miss.event).unwrap();
            let post = &recording.active.posts[step.post.unwrap().index()];
            let in_queue = [post.time.0, step.start.0];
            for other in objects.iter().filter(|it| *it != object) {
                let name = recording.trace.context_name(*other);
                let cause = format!("the event was queued while {name} ran");
                let ticks = ticks_of(miss, &cause);
                assert_eq!(ticks, ran(&recording, *other, in_queue), "{miss:?}");
                if ticks > 0 {
                    queued += 1;
                    let is_first = miss.cause.starts_with(&cause);
                    assert!(!is_first || miss.culprit.as_ref() == Some(&name));
                }
            }
            let earlier = ticks_of(miss, "the event was queued while earlier ones were handled");
            assert_eq!(earlier, ran(&recording, *object, in_queue), "{miss:?}");
        }
    }
    queued
}

#[test]
fn queued_steps_wait_for_what_runs() {
    let mut bytes = Vec::new();
    let settings = RkhOptions {
        records: 4_000,
        ..RkhOptions::default()
    };
    write_with_truth(&settings, &mut bytes, &mut |_| ()).unwrap();
    let queued = check_steps(&bytes);
    assert!(queued > 50, "{queued}");
    for name in ["nat_short", "dmg_flip", "ahsm_all"] {
        check_steps(&read_testdata(&format!("rkh/{name}.bin")));
    }
}

#[test]
fn late_events_of_threads_have_the_causes_of_their_threads() {
    let mut recording = open(&read_testdata("threadx/cm3_short.trx"));
    let sources = ["event = 'tx_thread_sleep'".to_owned()];
    let [row] = rows(&mut recording, &sources, "period = \"1 ticks\"")
        .try_into()
        .unwrap();
    assert!(!row.misses.is_empty());
    for miss in &row.misses {
        assert!(miss.cause.starts_with("started "), "{miss:?}");
        let all: u64 = miss.causes.iter().map(|it| it.duration).sum();
        assert_eq!(all, miss.observed - 1, "{miss:?}");
    }
    let explained = row
        .misses
        .iter()
        .filter(|it| !it.cause.ends_with("recorded"));
    assert!(2 * explained.count() > row.misses.len());
}
