//! User-defined intervals of generated recordings, compared with the ground truth.

use crate::common::{analyze, simulate};
use proptest::prelude::*;
use rtoscope_analysis::intervals::{Interval, IntervalSeries};
use rtoscope_analysis::report::intervals::{IntervalRow, intervals};
use rtoscope_analysis::timing::IntervalDeclaration;
use rtoscope_generate::ThreadXOptions;
use rtoscope_generate::cswitch::CswitchOptions;
use std::collections::BTreeSet;

/// The intervals of a recording.
fn find(bytes: &[u8], declaration: &str) -> (IntervalSeries, IntervalRow) {
    let mut recording = analyze(bytes);
    let declared = IntervalDeclaration::parse(declaration).unwrap();
    recording.add_intervals(&declared).unwrap();
    let [row] = <[_; 1]>::try_from(intervals(&recording.view())).unwrap();
    (recording.intervals.remove(0).series, row)
}

/// The figures of a row, computed from all durations at once.
fn check_figures(row: &IntervalRow, durations: &[u64]) {
    let mut sorted = durations.to_vec();
    sorted.sort_unstable();
    let found = row.duration.as_ref().unwrap();
    let count = sorted.len();
    assert_eq!(found.count, count as u64);
    assert_eq!((found.min, found.max), (sorted[0], sorted[count - 1]));
    let rank = |share: usize| sorted[(count * share).div_ceil(100) - 1];
    assert_eq!((found.p50, found.p99), (rank(50), rank(99)));
    assert_eq!(row.p95, Some(rank(95)));
    let mean = sorted.iter().sum::<u64>() as f64 / count as f64;
    assert!((found.mean - mean).abs() < 0.001);
    let variance = sorted
        .iter()
        .map(|it| (*it as f64 - mean).powi(2))
        .sum::<f64>()
        / count as f64;
    let deviation = row.standard_deviation.unwrap();
    assert!((deviation - variance.sqrt()).abs() < 0.01, "{deviation}");
    let counted: u64 = found.histogram.iter().map(|bin| bin.count).sum();
    assert_eq!(counted, count as u64);
    let longest: Vec<_> = row.longest.iter().map(|it| it.duration).collect();
    let expected: Vec<_> = sorted.into_iter().rev().take(100).collect();
    assert_eq!(longest, expected);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// From the entry of each handler to its exit, with handlers within handlers.
    #[test]
    fn handlers_last_from_entry_to_exit(
        seed in any::<u64>(), events in 500..6000_u64, cores in 1..4_u8,
    ) {
        let (bytes, truth) = simulate(&ThreadXOptions { seed, events, cores, ..ThreadXOptions::default() });
        let declaration = r#"kind == "ISR enter" -> kind == "ISR exit" [by thread] [nested]"#;
        let (series, row) = find(&bytes, declaration);
        let known = truth.activations.iter().filter(|it| !it.inferred);
        let expected: BTreeSet<_> = known
            .filter_map(|it| Some((it.enter_event?, it.exit_event, it.number?)))
            .map(|(enter, exit, _)| (enter, exit))
            .collect();
        let found: BTreeSet<_> = series
            .intervals
            .iter()
            .map(|it| (u64::from(it.first.0), it.last.map(|last| last.0.into())))
            .collect();
        prop_assert_eq!(&found, &expected);
        let known = series.intervals.iter().filter_map(Interval::duration);
        let durations: Vec<_> = known.map(|ticks| ticks.0).collect();
        if !durations.is_empty() {
            check_figures(&row, &durations);
        }
    }

    /// From the begin of each item's marker to its end, by the item's number.
    #[test]
    fn marked_items_last_as_long_as_their_markers(
        seed in any::<u64>(), entries in 2000..8000_u64, pipeline_stages in 1..5_u8,
    ) {
        let settings = CswitchOptions { seed, entries, pipeline_stages, ..CswitchOptions::default() };
        let mut bytes = Vec::new();
        let written = rtoscope_generate::cswitch::write_with_truth(&settings, &mut bytes, &mut |_| ());
        let truth = written.unwrap().1.pipelines.remove(0);
        let spans: Vec<_> = truth.items.iter().map(|item| item.whole).collect();
        let ended = spans.iter().filter_map(|span| Some((span.begin_ticks?, span.end_ticks?)));
        let ended: Vec<_> = ended.collect();
        prop_assume!(!ended.is_empty());
        let name = &truth.item_marker;
        let declaration = format!(
            r#"kind == "marker begin" and arg.marker == "{name}" -> kind == "marker end" and arg.marker == "{name}" [by value]"#
        );
        let (series, row) = find(&bytes, &declaration);
        let known = series.intervals.iter().filter(|it| it.duration().is_some());
        let found: Vec<_> = known.map(|it| (it.start.0, it.until.0)).collect();
        let mut expected = ended.clone();
        expected.sort_unstable();
        prop_assert_eq!(&found, &expected);
        let begun = spans.iter().filter(|span| span.begin_ticks.is_some()).count() as u64;
        prop_assert_eq!((row.intervals, row.open), (begun, begun - ended.len() as u64));
        let durations: Vec<_> = ended.iter().map(|(start, end)| end - start).collect();
        check_figures(&row, &durations);
    }
}
