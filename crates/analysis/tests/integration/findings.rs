//! The intervals of findings in real recordings.

use crate::common::decode;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::findings::{Finding, FindingCategory, findings};
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_decode::DecodedRecording;
use rtoscope_trace::{EventIndex, Ticks};
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
            let (Some(start), Some(end)) = (finding.start_ticks, finding.end_ticks) else {
                assert_eq!(finding.start_ticks, finding.end_ticks);
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
