//! Figures of two groups of recordings, side by side.

use super::figures::{FigureUnit, RecordingFigures};
use super::rank_test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The machine-readable contract `rtoscope/compare/1`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ComparisonDocument {
    /// `rtoscope/compare/1`.
    pub schema: &'static str,
    /// The names of the recordings of the baseline.
    pub baseline: Vec<String>,
    /// The names of the recordings that are compared with it.
    pub recordings: Vec<String>,
    /// The comparison.
    #[serde(flatten)]
    pub comparison: Comparison,
}

/// The figures of two groups of recordings, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// The figures that both have, those that changed most first.
    pub figures: Vec<ComparedFigure>,
    /// What only the recordings have.
    pub new: Vec<Subject>,
    /// What only the baseline has.
    pub vanished: Vec<Subject>,
}

/// A subject of a table, or the category of a finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The path of the table.
    pub table: String,
    /// The subject.
    pub subject: String,
}

/// A figure of both groups.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ComparedFigure {
    /// The path of its table.
    pub table: String,
    /// Its subject; empty if it is the recording.
    pub subject: String,
    /// The key of its column.
    pub figure: String,
    /// Its unit.
    pub unit: FigureUnit,
    /// The median of the baseline.
    pub before: f64,
    /// The median of the recordings.
    pub after: f64,
    /// The difference in percent of the baseline; `None` if that is 0.
    pub percent: Option<f64>,
    /// Whether it changed.
    pub verdict: Verdict,
    /// The probability of a difference like this if nothing changed, corrected for the number
    /// of figures; `None` if there are too few recordings.
    pub probability: Option<f64>,
}

/// Whether a figure changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It changed.
    Changed,
    /// The recordings do not show a change.
    NotChanged,
    /// There are too few recordings to distinguish a change from the variation between runs.
    Undecided,
}

impl Verdict {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::NotChanged => "not changed",
            Self::Undecided => "undecided",
        }
    }
}

/// The share of false alarms among the changes that are reported, on average.
const FALSE_ALARMS: f64 = 0.05;

type Key<'f> = (&'f str, &'f str, &'f str, FigureUnit);

impl Comparison {
    /// Compares recordings with a baseline.
    pub fn new(baseline: &[RecordingFigures], recordings: &[RecordingFigures]) -> Self {
        let mut values: BTreeMap<Key<'_>, [Vec<f64>; 2]> = BTreeMap::new();
        for (group, side) in [(baseline, 0), (recordings, 1)] {
            for it in group.iter().flat_map(|recording| &recording.figures) {
                let key = (&*it.table, &*it.subject, &*it.figure, it.unit);
                if let Some(values) = values.entry(key).or_default().get_mut(side) {
                    values.push(it.value);
                }
            }
        }
        values.retain(|_, [before, after]| !before.is_empty() && !after.is_empty());
        let mut figures: Vec<_> = values.into_iter().map(compared).collect();
        decide(&mut figures);
        figures.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
        let all = |group: &[RecordingFigures]| -> BTreeSet<Subject> {
            let subjects = group.iter().flat_map(RecordingFigures::subjects);
            let subject = |(table, subject): (&str, &str)| Subject {
                table: table.to_owned(),
                subject: subject.to_owned(),
            };
            subjects.map(subject).collect()
        };
        let (before, after) = (all(baseline), all(recordings));
        Self {
            figures,
            new: after.difference(&before).cloned().collect(),
            vanished: before.difference(&after).cloned().collect(),
        }
    }
}

impl ComparisonDocument {
    /// Compares recordings with a baseline.
    pub fn new(baseline: &[RecordingFigures], recordings: &[RecordingFigures]) -> Self {
        let names = |group: &[RecordingFigures]| group.iter().map(|it| it.source.clone()).collect();
        Self {
            schema: "rtoscope/compare/1",
            baseline: names(baseline),
            recordings: names(recordings),
            comparison: Comparison::new(baseline, recordings),
        }
    }
}

impl ComparedFigure {
    /// How much it changed: of those without a value before, more than all others.
    fn weight(&self) -> f64 {
        match self.percent {
            Some(percent) => percent.abs(),
            None if self.after == self.before => 0.0,
            None => f64::INFINITY,
        }
    }

    /// The difference as text.
    pub fn change_text(&self) -> String {
        match self.percent {
            Some(percent) => format!("{percent:+.1} %"),
            None => "from 0".to_owned(),
        }
    }

    /// Whether it belongs into a list of differences above this percentage.
    pub fn is_listed(&self, threshold: f64) -> bool {
        self.exceeds(threshold) || self.verdict == Verdict::Changed
    }

    /// Whether the difference exceeds this percentage of the baseline.
    pub fn exceeds(&self, percent: f64) -> bool {
        self.weight() > percent
    }
}

/// A figure, still undecided.
fn compared((key, [mut before, mut after]): (Key<'_>, [Vec<f64>; 2])) -> ComparedFigure {
    let (table, subject, figure, unit) = key;
    let is_decidable = rank_test::least_probability(before.len(), after.len()) <= FALSE_ALARMS;
    let probability = rank_test::probability(&before, &after).filter(|_| is_decidable);
    let (before, after) = (median(&mut before), median(&mut after));
    ComparedFigure {
        table: table.to_owned(),
        subject: subject.to_owned(),
        figure: figure.to_owned(),
        unit,
        before,
        after,
        percent: (before != 0.0).then(|| (after - before) / before * 100.0),
        verdict: Verdict::Undecided,
        probability,
    }
}

/// Corrects the probabilities for their number, and decides.
fn decide(figures: &mut [ComparedFigure]) {
    let mut probabilities: Vec<_> = figures.iter().filter_map(|it| it.probability).collect();
    rank_test::correct(&mut probabilities);
    let decidable = figures.iter_mut().filter(|it| it.probability.is_some());
    for (figure, probability) in decidable.zip(probabilities) {
        figure.probability = Some(probability);
        figure.verdict = match probability <= FALSE_ALARMS {
            true => Verdict::Changed,
            false => Verdict::NotChanged,
        };
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or_default();
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => at(count / 2),
        count => f64::midpoint(at(count / 2 - 1), at(count / 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::figures::Figure;
    use super::*;

    fn recordings(values: impl IntoIterator<Item = f64>) -> Vec<RecordingFigures> {
        let figure = |figure: &str, value| Figure {
            table: "latency.threads".to_owned(),
            subject: "ui".to_owned(),
            figure: figure.to_owned(),
            unit: FigureUnit::Nanoseconds,
            value,
        };
        let recording = |value| RecordingFigures {
            source: String::new(),
            figures: vec![figure("wake_up.max", value), figure("wake_up.p50", 7.0)],
            others: Vec::new(),
        };
        values.into_iter().map(recording).collect()
    }

    #[test]
    fn a_shift_of_all_runs_is_a_change() {
        let before = recordings((0..6).map(|it| 100.0 + f64::from(it)));
        let after = recordings((0..6).map(|it| 110.0 + f64::from(it)));
        let found = Comparison::new(&before, &after).figures;
        let [max, p50] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(
            (&*max.figure, max.verdict),
            ("wake_up.max", Verdict::Changed)
        );
        assert_eq!((max.before, max.after), (102.5, 112.5));
        assert_eq!(
            (&*p50.figure, p50.verdict),
            ("wake_up.p50", Verdict::NotChanged)
        );
    }

    #[test]
    fn two_runs_show_no_variation() {
        let found = Comparison::new(&recordings([100.0]), &recordings([150.0])).figures;
        assert_eq!(
            (found[0].percent, found[0].verdict),
            (Some(50.0), Verdict::Undecided)
        );
        assert_eq!(found[0].probability, None);
    }

    /// Runs that differ by chance alone: the stated rate of false alarms holds.
    #[test]
    fn equal_firmware_is_rarely_called_changed() {
        let mut random = 7_u64;
        let mut next = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) as f64
        };
        let mut run = |count: usize| -> Vec<RecordingFigures> {
            let mut figures = |_| RecordingFigures {
                source: String::new(),
                others: Vec::new(),
                figures: (0..20)
                    .map(|number| Figure {
                        table: "t".to_owned(),
                        subject: String::new(),
                        figure: number.to_string(),
                        unit: FigureUnit::Amount,
                        value: next(),
                    })
                    .collect(),
            };
            (0..count).map(&mut figures).collect()
        };
        let alarms = (0..60).filter(|_| {
            let found = Comparison::new(&run(6), &run(6)).figures;
            found.iter().any(|it| it.verdict == Verdict::Changed)
        });
        let alarms = alarms.count();
        assert!(alarms <= 6, "{alarms} of 60 pairs");
    }
}
