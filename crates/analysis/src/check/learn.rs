//! A first set of rules, from recordings that are good.

use super::metric::{Metric, MetricUnit, find_table, plain_path, report_of};
use super::rule::NamedRow;
use crate::report::{FrontEnd, ReportDocument, ReportOptions, View};
use rtoscope_trace::{Ticks, Timescale};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The figures that a team limits first.
const LEARNED: [(&str, &str); 11] = [
    ("profile", "percent"),
    ("latency.threads", "wake_up.max"),
    ("latency.threads", "response.max"),
    ("latency.threads", "jitter.max"),
    ("periods", "cpu_time.max"),
    ("isr", "duration.max"),
    ("context_switches", "interrupts_off.duration.max"),
    ("stacks", "used_percent"),
    ("locks", "hold.max"),
    ("pipeline", "latency.max"),
    ("intervals", "duration.max"),
];

/// By how much a figure may exceed the highest one of the good recordings, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarginPercent(pub u32);

/// The highest figures of recordings.
#[derive(Debug, Clone, Default)]
pub struct LearnedRules {
    recordings: usize,
    /// Whether durations are times, rather than ticks.
    has_time: bool,
    /// By the figure in [`LEARNED`] and the row; `None` in a list of figures.
    highest: BTreeMap<(usize, Option<String>), Highest>,
}

#[derive(Debug, Clone)]
struct Highest {
    /// A duration in nanoseconds, or in ticks if the frequency of the clock is unknown.
    value: f64,
    unit: MetricUnit,
}

impl LearnedRules {
    /// Adds the figures of a recording.
    ///
    /// # Errors
    ///
    /// If its durations are times and those of the others are not, or the other way round.
    pub fn add(&mut self, view: &View<'_>) -> Result<(), String> {
        let has_time = view.trace.timescale().frequency().is_some();
        if self.recordings > 0 && has_time != self.has_time {
            return Err(
                "the frequency of the clock is known for some of the recordings only (--clock)"
                    .to_owned(),
            );
        }
        self.has_time = has_time;
        self.recordings += 1;
        let kinds = LEARNED.iter().filter_map(|(path, _)| report_of(path).ok());
        let options = ReportOptions {
            kinds: kinds.collect(),
            findings: false,
            ..ReportOptions::default()
        };
        let document = ReportDocument::new("", view, &options);
        let scale = view.trace.timescale();
        for ((path, column), number) in LEARNED.iter().zip(0..) {
            self.add_figures(&document, (number, path, column), &scale);
        }
        Ok(())
    }

    fn add_figures(
        &mut self,
        document: &ReportDocument,
        (number, path, column): (usize, &str, &str),
        scale: &Timescale,
    ) {
        let found = report_of(path).and_then(|kind| Ok((kind, find_table(kind, path)?)));
        let Ok((kind, described)) = found else {
            return;
        };
        let Ok(metric) = Metric::find(described.as_ref(), column) else {
            return;
        };
        for table in document.tables(kind, FrontEnd::Data) {
            for row in table
                .rows
                .iter()
                .filter(|_| plain_path(&table.path) == path)
            {
                let row_names = NamedRow {
                    table: &table,
                    cells: row,
                };
                let name = row_names.names().next().map(|(_, name)| name);
                let Some(figure) = metric.figure(&table.columns, row) else {
                    continue;
                };
                if name.is_none() && !table.is_figures {
                    continue;
                }
                let time = match metric.unit {
                    MetricUnit::Ticks => scale.duration(Ticks(figure.value.round() as u64)),
                    _ => None,
                };
                let value = time.map_or(figure.value, |time| time.0 as f64);
                let highest = self.highest.entry((number, name)).or_insert(Highest {
                    value,
                    unit: metric.unit,
                });
                highest.value = highest.value.max(value);
            }
        }
    }

    /// The rules as TOML, with this margin.
    pub fn text(&self, margin: MarginPercent) -> String {
        let MarginPercent(percent) = margin;
        let mut text = format!(
            "# The highest figures of {} good recordings, and {percent} % more.\n",
            self.recordings
        );
        for ((number, row), highest) in &self.highest {
            let Some((table, column)) = LEARNED.get(*number) else {
                continue;
            };
            let limit = highest.value * (1.0 + f64::from(percent) / 100.0);
            let max = match (highest.unit, self.has_time) {
                (MetricUnit::Ticks, true) => format!("\"{}\"", time_text(limit)),
                (MetricUnit::Ticks, false) => format!("\"{} ticks\"", limit.ceil()),
                (MetricUnit::Percent, _) => {
                    format!("\"{:.1}%\"", ((limit * 10.0).ceil() / 10.0).min(100.0))
                }
                (MetricUnit::Number | MetricUnit::Flag, _) => limit.ceil().to_string(),
            };
            let _ = writeln!(text, "\n[[rule]]\ntable = \"{table}\"");
            if let Some(row) = row {
                let _ = writeln!(text, "row = {}", toml::Value::String(row.clone()));
            }
            let _ = writeln!(text, "column = \"{column}\"\nmax = {max}");
        }
        text
    }
}

/// Nanoseconds, rounded up to three or four digits, in the unit that reads best.
fn time_text(nanoseconds: f64) -> String {
    let (unit, size) = match nanoseconds {
        it if it >= 1e9 => ("s", 1e9),
        it if it >= 1e6 => ("ms", 1e6),
        it if it >= 1e3 => ("us", 1e3),
        _ => return format!("{}ns", nanoseconds.ceil()),
    };
    let value = (nanoseconds / size * 10.0).ceil() / 10.0;
    format!("{value}{unit}")
}
