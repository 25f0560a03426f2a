//! Generates all reports of a buffer and checks their consistency.

use rtoscope_analysis::report::{ReportDocument, ReportKind, ReportOptions, load, threads};
use rtoscope_analysis::{AnalyzedRecording, Schedule, ScheduleBuilder, Scope};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{ThreadXInterpreter, ThreadXOptions};
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, FormatInfo, UnpackedInput};
use rtoscope_trace::{EventIndex, Gap, Interpret, Ticks, Trace};
use std::collections::BTreeMap;

/// The part of a trace to analyse, encoded in arbitrary bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TracePart(pub u32);

impl TracePart {
    fn scope(self, trace: &Trace) -> Scope {
        let [from, length, chosen, _] = self.0.to_le_bytes();
        let span = u128::from(trace.events.span().0);
        let time = |part: u128| Ticks((span * part / 256) as u64);
        let has = |bit: u8| chosen >> bit & 1 == 1;
        let thread = trace.contexts.threads().nth(usize::from(chosen >> 4));
        Scope {
            start: has(0).then(|| time(from.into())),
            end: has(1).then(|| time(u128::from(from) + u128::from(length))),
            threads: has(2).then(|| thread.iter().map(|thread| thread.id).collect()),
            core: has(3).then(|| trace.cores.first().copied().unwrap_or_default()),
        }
    }

    /// Gaps with missing events.
    fn gaps(self, trace: &Trace) -> Vec<Gap> {
        let [first, step, _, count] = self.0.to_le_bytes();
        let step = usize::from(step) + 1;
        let indices = (usize::from(first) + 1..trace.events.len()).step_by(step);
        let core = |index: usize| {
            let index = EventIndex(index as u32);
            trace.events.core(index).unwrap_or_default()
        };
        let gap = |index: usize| Gap {
            next_event: EventIndex(index as u32),
            missing: None,
            core: (count & 16 != 0).then(|| core(index)),
            is_restart: count & 32 != 0,
        };
        indices.map(gap).take(usize::from(count & 15)).collect()
    }
}

/// Opens an input and generates all reports of its first buffer: of the whole trace, and
/// of a part of it with gaps.
pub(crate) fn report_everything(bytes: &[u8], threadx: ThreadXOptions, part: TracePart) {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None);
    let options = DecodeOptions {
        threadx,
        ..DecodeOptions::default()
    };
    let Ok(recording) = content.and_then(|content| content.decode(&options)) else {
        return;
    };
    let DecodedRecording {
        mut trace,
        format_info,
    } = recording;
    let report = |trace: &Trace, scope: &Scope, step_events| {
        report(trace, &format_info, scope, step_events);
    };
    report(&trace, &Scope::default(), 1 + part.0 as usize % 500);
    let gaps = part.gaps(&trace);
    if !gaps.is_empty() {
        trace.gaps = gaps;
    }
    report(&trace, &part.scope(&trace), 1);
}

fn report(trace: &Trace, format_info: &FormatInfo, scope: &Scope, step_events: usize) {
    let recording = AnalyzedRecording::new("fuzz", "", trace.clone(), format_info);
    check_schedule(trace, &recording.schedule);
    assert!(
        schedule_in_steps(trace, step_events) == recording.schedule,
        "in steps of {step_events}"
    );
    let stats = recording.scope_stats(scope.clone());
    let view = recording.view_of(&stats);
    let document = ReportDocument::new("fuzz", &view, &ReportOptions::default());
    check(&document, scope);
    let load_only = ReportOptions {
        kinds: [ReportKind::Load].into(),
        load_windows: step_events,
        ..ReportOptions::default()
    };
    let load_only = ReportDocument::new("fuzz", &view, &load_only);
    check_load(&document, load_only.load.as_ref());
}

/// The schedule, built from a few events at a time.
fn schedule_in_steps(trace: &Trace, step_events: usize) -> Schedule {
    let mut interpreter = ThreadXInterpreter::new(trace);
    let mut builder = ScheduleBuilder::new(trace);
    for until in (step_events..trace.events.len() + step_events).step_by(step_events) {
        builder.push_events(trace, &mut interpreter, until);
    }
    builder.finish(interpreter.resources(), interpreter.isr_functions())
}

/// Each core always runs a context, and the times of a thread never decrease.
fn check_schedule(trace: &Trace, schedule: &Schedule) {
    assert_eq!(schedule.span, trace.events.span());
    for slices in &schedule.cores {
        let mut covered = Ticks(0);
        for (slice, end) in slices.iter() {
            assert_eq!(slice.start, covered, "core {}", slices.core);
            assert!(slice.start < end, "core {} at {covered}", slices.core);
            covered = end;
        }
        assert_eq!(covered, schedule.span, "core {}", slices.core);
    }
    for intervals in &schedule.threads {
        assert!(intervals.iter().is_sorted_by_key(|interval| interval.start));
    }
    for activation in &schedule.activations {
        assert!(activation.start <= activation.end, "{activation:?}");
    }
    for hold in &schedule.mutex_holds {
        assert!(hold.start <= hold.end, "{hold:?}");
    }
    for inversion in &schedule.inversions {
        assert!(inversion.start <= inversion.end, "{inversion:?}");
    }
}

fn check(document: &ReportDocument, scope: &Scope) {
    let (span, cores) = (document.span, document.cores as u64);
    let profile = document.profile.iter().flatten();
    let sum: u64 = profile.clone().map(|row| row.duration).sum();
    if scope.threads.is_none() {
        assert_eq!(sum, span * cores, "profile");
    } else {
        assert!(sum <= span * cores, "profile");
    }
    let percents = profile.filter_map(|row| row.percent);
    assert!(percents.clone().all(|it| (0.0..=100.0).contains(&it)));
    for thread in document.threads.iter().flatten() {
        let threads::ThreadStateTimes {
            running,
            interrupted,
            ready,
            waiting,
            unknown,
        } = &thread.states;
        let waiting: u64 = waiting.values().sum();
        let sum = running + interrupted + ready.unwrap_or_default() + waiting + unknown;
        // A deleted thread has no state.
        let is_whole = sum == span || (thread.deleted && sum < span);
        assert!(is_whole, "states of {}: {sum} of {span}", thread.name);
    }
    let services = document.services.iter().flatten();
    assert_eq!(services.map(|row| row.count).sum::<u64>(), document.events);
    let inversions = document.inversions.iter().flatten().count() as u64;
    let performance = document.performance.expect("all reports were requested");
    let total = performance.inversions.map(|it| it.total);
    assert_eq!(inversions, total.unwrap_or_default());
    check_load(document, document.load.as_ref());
}

/// The CPU load adds up to the profile. A clock that does not measure time gives no load.
fn check_load(document: &ReportDocument, load: Option<&load::Load>) {
    let Some(load) = load else {
        assert!(matches!(
            document.clock_quality.as_str(),
            "static" | "event-counter"
        ));
        return;
    };
    if document.span == 0 {
        return;
    }
    let mut ticks: BTreeMap<_, i128> = BTreeMap::new();
    for row in document.profile.iter().flatten() {
        *ticks.entry((row.kind, row.address)).or_default() += i128::from(row.duration);
    }
    for row in &load.contexts {
        let sum: u64 = row.cpu_time.iter().sum();
        *ticks.entry((row.kind, row.address)).or_default() -= i128::from(sum);
        assert!(row.percent.iter().all(|it| (0.0..=100.0).contains(it)));
    }
    assert!(ticks.values().all(|ticks| *ticks == 0), "{ticks:?}");
    let events: u64 = load.events.iter().sum();
    assert_eq!(events, document.events, "events of the load");
}
