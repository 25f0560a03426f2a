//! Streams of simulated active objects with a known ground truth: recorded by
//! the recorder, decoded, and reported.

use crate::common::analyze;
use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::periods::{ActivationSource, activation_streams};
use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use rtoscope_generate::rkh::{RkhOptions, RkhTruth, write_with_truth};
use rtoscope_trace::DiagnosticKind;
use serde_json::Value;
use std::collections::BTreeMap;

struct GeneratedCase {
    recording: AnalyzedRecording,
    report: Value,
    truth: RkhTruth,
}

fn case(settings: &RkhOptions) -> GeneratedCase {
    let mut bytes = Vec::new();
    let (summary, truth) = write_with_truth(settings, &mut bytes, &mut |_| ()).unwrap();
    assert_eq!(summary.bytes, bytes.len() as u64);
    assert_eq!(truth.records, settings.records);
    let recording = analyze(&bytes);
    let view = recording.view();
    let document = ReportDocument::new("generated", &view, &ReportOptions::default());
    let report = serde_json::to_value(&document).unwrap();
    GeneratedCase {
        recording,
        report,
        truth,
    }
}

fn rows<'v>(report: &'v Value, name: &str) -> &'v [Value] {
    report[name].as_array().map_or(&[], Vec::as_slice)
}

impl GeneratedCase {
    /// The stream contains exactly the records that were not lost.
    fn check_records(&self) {
        let truth = &self.truth;
        assert_eq!(
            self.recording.trace.events.len() as u64,
            truth.records - truth.lost
        );
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for kind in self.recording.trace.events.kinds() {
            let name = self.recording.trace.catalogue.name(kind).into_owned();
            *found.entry(name).or_default() += 1;
        }
        assert_eq!(found, truth.kinds);
        assert_eq!(self.recording.trace.events.span().0, truth.span_ticks);
    }

    /// Every gap of lost records is reported.
    fn check_losses(&self) {
        self.check_records();
        // Losses after the last record of the stream cannot be detected.
        let gaps = self.recording.trace.gaps.len() as u64;
        assert!(self.truth.gaps - gaps <= 1, "{} {gaps}", self.truth.gaps);
        let missing = self.recording.trace.gaps.iter().map(|gap| gap.missing);
        let known: Option<u64> = missing.sum();
        if let Some(known) = known.filter(|_| gaps == self.truth.gaps) {
            // Numbers of 8 bits count losses modulo 256.
            assert!(known <= self.truth.lost && (self.truth.lost - known).is_multiple_of(256));
        }
        // Of a multiple of 256 missing records, only an aborted frame is a sign.
        let signs = [DiagnosticKind::Gap, DiagnosticKind::BadFrame];
        let mut diagnostics = self.recording.trace.diagnostics.iter();
        assert_eq!(diagnostics.any(|it| signs.contains(&it.kind)), gaps > 0);
    }

    fn check_objects(&self) {
        let found = rows(&self.report, "active").iter();
        let found: Vec<_> = found
            .map(|row| {
                let count = |name: &str| row[name].as_u64().unwrap();
                let ended = |name: &str| row["endings"][name].as_u64().unwrap();
                let other = ["guard_false", "no_branch", "failed", "lost", "unrecorded"];
                assert!(other.iter().all(|name| ended(name) == 0), "{row}");
                let used = count("posted") > 0;
                // The stream may end after the queue's record of the first
                // post.
                assert!(!used || row["queue"]["capacity"].is_number(), "{row}");
                let most = row["max_queued"]["events"].as_u64().unwrap_or_default();
                (
                    row["name"].as_str().unwrap().to_owned(),
                    [count("posted"), most, count("steps")],
                    [
                        ended("processed"),
                        ended("unhandled"),
                        count("guards_false"),
                    ],
                    [count("deferred"), count("recalled"), count("busy_time")],
                )
            })
            .collect();
        let truth = self.truth.objects.iter();
        let truth: Vec<_> = truth
            .map(|it| {
                let endings = it.endings;
                (
                    it.name.clone(),
                    [it.posted, it.max_queued.into(), it.steps],
                    [endings.processed, endings.unhandled, it.guards_false],
                    [it.deferred, it.recalled, it.busy_ticks],
                )
            })
            .collect();
        assert_eq!(found, truth);
    }

    /// Each step is an activation, and ends the period of the one before it.
    fn check_periods(&self) {
        let streams = activation_streams(&self.recording.view(), &[]);
        for object in &self.truth.objects {
            let stream = streams.iter().find(|stream| {
                let ActivationSource::Dispatch(id) = stream.source else {
                    return false;
                };
                let context = self.recording.trace.contexts.get(id);
                context.is_some_and(|it| it.address.0 == object.address.0)
            });
            let activations = stream.into_iter().flat_map(|it| &it.activations);
            let activations: Vec<_> = activations.collect();
            let starts: Vec<_> = activations.iter().map(|it| it.start.0).collect();
            assert_eq!(starts, object.step_starts, "{}", object.name);
            let periods = activations.iter().map(|it| it.period.map(|it| it.0));
            let expected = object.step_starts.windows(2).map(|it| Some(it[1] - it[0]));
            assert!(periods.skip(1).eq(expected), "{}", object.name);
        }
    }

    fn check_signals(&self) {
        let found = rows(&self.report, "signals").iter();
        let mut found: Vec<_> = found
            .map(|row| {
                let text = |name: &str| row[name].as_str().unwrap().to_owned();
                let count = |name: &str| row[name].as_u64().unwrap();
                let who = (text("object"), text("signal"), text("sender"));
                (who, count("posted"), count("front"))
            })
            .collect();
        found.sort();
        let truth = self.truth.signals.iter();
        let mut truth: Vec<_> = truth
            .map(|it| {
                let who = (it.object.clone(), it.signal.clone(), it.sender.clone());
                (who, it.posted, it.front)
            })
            .collect();
        truth.sort();
        assert_eq!(found, truth);
    }

    fn check_states(&self) {
        let machines = rows(&self.report, "states");
        assert_eq!(machines.len(), self.truth.objects.len());
        for (machine, truth) in machines.iter().zip(&self.truth.objects) {
            assert_eq!(machine["object"], truth.name);
            let found = rows(machine, "states").iter();
            let found: BTreeMap<_, _> = found
                .map(|row| {
                    let name = row["state"].as_str().unwrap().to_owned();
                    assert_eq!(row["uncertain"], 0);
                    (
                        name,
                        (
                            row["visits"].as_u64().unwrap(),
                            row["duration"].as_u64().unwrap(),
                        ),
                    )
                })
                .collect();
            let truth = truth.states.iter().filter(|state| state.visits > 0);
            let truth: BTreeMap<_, _> = truth
                .map(|state| (state.name.clone(), (state.visits, state.ticks)))
                .collect();
            assert_eq!(found, truth);
        }
    }

    fn check_timers(&self) {
        let found = rows(&self.report, "timers").iter();
        let found: Vec<_> = found
            .map(|row| {
                let count = |name: &str| row[name].as_u64().unwrap();
                (
                    row["address"].as_str().unwrap().to_owned(),
                    count("expired"),
                    count("stopped"),
                )
            })
            .collect();
        let truth = self.truth.timers.iter();
        let truth: Vec<_> = truth
            .map(|it| (it.address.to_string(), it.expirations, it.stops))
            .collect();
        assert_eq!(found, truth);
    }
}

fn settings() -> impl Strategy<Value = RkhOptions> {
    let id_bytes = proptest::sample::select(vec![1, 2, 4]);
    let numbers = (any::<u64>(), 1..33_u8, 1..81_u8, 1..10_000_u64, id_bytes);
    numbers.prop_map(|(seed, pumps, load, records, id_bytes)| RkhOptions {
        records,
        pumps,
        load,
        id_bytes,
        seed,
        ..RkhOptions::default()
    })
}

/// Number of records until all objects have been started.
const MIN_RECORDS: u64 = 1000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_complete_stream_matches_the_truth(settings in settings()) {
        let case = case(&settings);
        case.check_records();
        prop_assert_eq!(case.truth.lost, 0);
        prop_assert_eq!(case.recording.trace.gaps.len(), 0);
        if settings.records > MIN_RECORDS {
            case.check_objects();
            case.check_periods();
            case.check_signals();
            case.check_states();
            case.check_timers();
        }
    }

    #[test]
    fn lost_records_are_reported_as_missing(settings in settings()) {
        case(&RkhOptions { losses: true, ..settings }).check_losses();
    }
}

/// The second gap has 512 records: sequence numbers do not show it.
#[test]
fn a_gap_that_sequence_numbers_hide_is_reported() {
    case(&RkhOptions {
        records: 7160,
        pumps: 16,
        load: 23,
        losses: true,
        seed: 51_445_003_443_835_026,
        ..RkhOptions::default()
    })
    .check_losses();
}

#[test]
fn generation_is_deterministic() {
    let stream = |seed| {
        let settings = RkhOptions {
            seed,
            ..RkhOptions::default()
        };
        let mut bytes = Vec::new();
        write_with_truth(&settings, &mut bytes, &mut |_| ()).unwrap();
        bytes
    };
    assert_eq!(stream(7), stream(7));
    assert_ne!(stream(7), stream(8));
}
