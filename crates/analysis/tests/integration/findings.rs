//! The intervals of findings in real recordings.

use crate::common::{analyze, decode, simulate};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::findings::{Finding, FindingCategory, FindingSeverity, findings};
use rtoscope_analysis::report::{health::health, profile::profile};
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::threadx::TraceBuffer;
use rtoscope_generate::{ThreadXOptions, TrueContext, write_with_truth};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{ContextId, Event, EventIndex, Ticks};
use std::collections::BTreeMap;

fn open(bytes: &[u8]) -> Option<AnalyzedRecording> {
    let DecodedRecording { trace, format_info } = decode(bytes, None)?;
    Some(AnalyzedRecording::new("test", "test", trace, &format_info))
}

/// Whether a row of the analysis has the interval of a finding.
fn has_row(recording: &AnalyzedRecording, finding: &Finding, start: Ticks, end: Ticks) -> bool {
    let schedule = &recording.schedule;
    let event = finding.event.map(EventIndex);
    match finding.category {
        FindingCategory::UnboundedInversion | FindingCategory::BoundedInversion => {
            let mut inversions = schedule.inversions.iter();
            inversions.any(|it| (it.start, it.end) == (start, end) && event == it.first.or(it.last))
        }
        FindingCategory::Starvation => schedule.threads.iter().any(|states| {
            let ends = states.iter().skip(1).map(|next| next.start);
            let mut intervals = states.iter().zip(ends.chain([schedule.span]));
            intervals.any(|(it, until)| {
                it.state == ThreadState::Ready && (it.start, until) == (start, end)
            })
        }),
        FindingCategory::InterruptsOff => {
            let mut sections = schedule.interrupts_off.iter();
            sections.any(|it| (it.start, it.end) == (start, end))
        }
        FindingCategory::Loss => {
            let trace = &recording.trace;
            let mut gaps = trace.gaps.iter();
            gaps.any(|gap| trace.gap_bounds(gap) == [start, end])
        }
        _ => false,
    }
}

#[test]
fn findings_have_the_interval_of_their_rows() {
    let mut checked: BTreeMap<String, usize> = BTreeMap::new();
    let folders = ["threadx", "threadx-services", "firmware", "rkh"];
    for path in folders.into_iter().flat_map(rtoscope_fixtures::recordings) {
        let Some(recording) = open(&std::fs::read(&path).unwrap()) else {
            continue;
        };
        for finding in findings(&recording.view()) {
            let (Some(start), Some(end)) = (finding.start, finding.end) else {
                assert_eq!(finding.start, finding.end);
                continue;
            };
            let found = has_row(&recording, &finding, Ticks(start), Ticks(end));
            assert!(found, "{}: {finding:?}", path.display());
            *checked
                .entry(format!("{:?}", finding.category))
                .or_default() += 1;
        }
    }
    for category in [
        "UnboundedInversion",
        "BoundedInversion",
        "Starvation",
        "Loss",
    ] {
        assert!(checked.contains_key(category), "{checked:?}");
    }
}

/// The clock stands while the simulated processor is idle.
#[test]
fn idle_time_that_is_not_measured_is_no_full_load() {
    let options = ThreadXOptions {
        events: 3000,
        threads: 5,
        ..ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(&options, &mut bytes, &mut |_| ()).unwrap();
    let trace = open(&bytes).unwrap().trace;
    let idle = truth.slices.iter();
    let idle = idle.filter(|slice| slice.context == TrueContext::Idle);
    let idle: Vec<_> = idle.map(|it| (it.start_ticks, it.end_ticks)).collect();
    rtoscope_fixtures::restamp_threadx(&mut bytes, |event| {
        let now = trace.events.time(EventIndex(event)).unwrap().0;
        let before = idle.iter().filter(|(_, end)| *end <= now);
        let lost: u64 = before.map(|(start, end)| end - start).sum();
        (now - lost) as u32
    });
    let known = open(&bytes).unwrap();
    let mut taken = open(&bytes).unwrap();
    taken.trace.clock.quality = ClockQuality::Good;
    let has = |recording: &AnalyzedRecording, category| {
        let found = findings(&recording.view());
        found.iter().any(|finding| finding.category == category)
    };
    assert!(has(&taken, FindingCategory::FullLoad));
    assert!(!has(&known, FindingCategory::FullLoad));
    assert!(has(&known, FindingCategory::NoTime));
    let view = known.view();
    assert!(profile(&view).iter().all(|row| row.percent.is_none()));
    assert_eq!(health(&view).coverage.percent, None);
}

#[test]
fn what_no_event_shows_is_unknown() {
    let unknown = |path: &str| {
        let recording = open(&rtoscope_fixtures::read_testdata(path)).unwrap();
        let mut found = findings(&recording.view()).into_iter();
        let found = found.find(|it| it.category == FindingCategory::Unknown);
        found.map(|finding| finding.message)
    };
    let text = "unknown, as no event shows them: ";
    let all = format!("{text}priority inversions, stack use, levels of queues and pools");
    assert_eq!(unknown("doctor/sound.cswl"), Some(all));
    let some = format!("{text}priority inversions, stack use");
    assert_eq!(unknown("tonbandgeraet/cm3_full.bin"), Some(some));
    assert_eq!(unknown("threadx/be32_ppc_names.trx"), None);
    assert_eq!(unknown("rkh/ahsm_all.bin"), None);
}

#[test]
fn few_stack_pointers_outside_a_stack_are_uncertain() {
    let options = ThreadXOptions {
        threads: 4,
        seed: 3,
        events: 600,
        ..ThreadXOptions::default()
    };
    let (bytes, _) = simulate(&options);
    let trace = analyze(&bytes).trace;
    let buffer = TraceBuffer::parse_header(&bytes).unwrap();
    let stack = |thread: ContextId| {
        let object = trace.contexts.get(thread).unwrap().object?;
        trace.objects.get(object).unwrap().stack()
    };
    let field = |event: &Event| {
        let kind = trace.catalogue.get(event.kind)?;
        let mut arguments = kind.arguments.iter().flatten();
        let at = arguments.position(|it| it.meaning == Meaning::StackPointer)?;
        let [start, bytes] = stack(event.context)?;
        let pointer = event.arguments[at];
        (start..=start + bytes).contains(&pointer).then_some(at)
    };
    let mut events = trace.events.iter();
    let thread = events
        .find_map(|it| field(&it).map(|_| it.context))
        .unwrap();
    let [start, size] = stack(thread).unwrap();
    let mut places = trace
        .events
        .iter()
        .zip(0_usize..)
        .filter_map(|(event, slot)| {
            let at = field(&event).filter(|_| event.context == thread)?;
            Some(buffer.events_address() as usize + 32 * slot + 16 + 4 * at)
        });
    let severity = |bytes: &[u8]| {
        let recording = analyze(bytes);
        let mut all = findings(&recording.view()).into_iter();
        let found = all.find(|it| it.category == FindingCategory::StackOverflow);
        found.map(|it| it.severity)
    };
    let mut damaged = bytes.clone();
    for expected in [
        None,
        Some(FindingSeverity::Warning),
        Some(FindingSeverity::Warning),
        Some(FindingSeverity::Critical),
    ] {
        assert_eq!(severity(&damaged), expected);
        let place = places.next().unwrap();
        let far_below = (start - 2 * size) as u32;
        damaged[place..place + 4].copy_from_slice(&far_below.to_le_bytes());
    }
    let mut overflow = bytes.clone();
    let place = places.next().unwrap();
    overflow[place..place + 4].copy_from_slice(&(start as u32 - 40).to_le_bytes());
    assert_eq!(severity(&overflow), Some(FindingSeverity::Critical));
    // The thread's stack in the registry is elsewhere.
    let mut damaged = bytes.clone();
    let words = [start, size]
        .map(|word| (word as u32).to_le_bytes())
        .concat();
    let place = bytes.windows(8).position(|it| it == words).unwrap();
    damaged[place + 3] ^= 0x10;
    assert_eq!(severity(&damaged), Some(FindingSeverity::Warning));
}
