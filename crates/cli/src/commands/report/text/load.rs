//! CPU load over time.

use super::table::table_or;
use super::{ReportFormatter, percent};
use rtoscope_analysis::report::load::{Load, LoadRow};
use rtoscope_analysis::report::profile::ProfileKind;
use std::fmt::Write as _;

/// Bars from empty to full.
const SPARK_BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl ReportFormatter<'_> {
    pub(crate) fn load(&self, load: &Load) -> String {
        if load.start.is_empty() {
            return "no time passes\n".to_owned();
        }
        let mut text = format!(
            "{} windows of {}\n",
            load.start.len(),
            self.duration(load.window)
        );
        if let Some(peak) = &load.peak {
            let _ = writeln!(
                text,
                "busiest: {:.1} % from {} on",
                peak.percent,
                self.duration(peak.start)
            );
        }
        let busy = load.busy.iter().map(|busy| busy.unwrap_or_default());
        let lanes = load
            .contexts
            .iter()
            .map(|row| (row.context.as_str(), row.percent.as_slice()));
        let width = lanes.clone().map(|(name, _)| name.chars().count()).max();
        let width = width.unwrap_or_default().max("busy".len());
        let _ = writeln!(text, "\n{:<width$} |{}|", "busy", sparkline(busy));
        for (name, percent) in lanes {
            let _ = writeln!(
                text,
                "{name:<width$} |{}|",
                sparkline(percent.iter().copied())
            );
        }
        text.push('\n');
        text.push_str(&self.load_table(load));
        text
    }

    fn load_table(&self, load: &Load) -> String {
        let header = [
            ("from", true),
            ("to", true),
            ("busy", true),
            ("events", true),
            ("busiest contexts", false),
        ];
        let header = header.map(|(name, is_right)| (name.to_owned(), is_right));
        let ends = load.start.iter().skip(1).chain([&load.end]);
        let windows = load.start.iter().zip(ends).enumerate();
        let rows = windows.map(|(at, (start, end))| {
            vec![
                self.ticks(*start),
                self.ticks(*end),
                percent(load.busy.get(at).copied().flatten()),
                load.events.get(at).map(u64::to_string).unwrap_or_default(),
                busiest_rows(load, at),
            ]
        });
        table_or(&header, rows.collect(), "")
    }
}

/// Maximum number of contexts named per line.
const MAX_NAMED: usize = 3;

/// The contexts with the most CPU time in a window.
fn busiest_rows(load: &Load, window: usize) -> String {
    let share = |row: &LoadRow| row.percent.get(window).copied().unwrap_or_default();
    let named = |row: &&LoadRow| row.kind != ProfileKind::Idle && share(row) >= 0.05;
    let mut rows: Vec<_> = load.contexts.iter().filter(named).collect();
    rows.sort_by(|one, other| share(other).total_cmp(&share(one)));
    let rows = rows.iter().take(MAX_NAMED);
    let rows = rows.map(|row| format!("{} {:.1} %", row.context, share(row)));
    rows.collect::<Vec<_>>().join(", ")
}

/// Renders percentages as bars.
pub(super) fn sparkline(percents: impl Iterator<Item = f64>) -> String {
    let bar = |percent: f64| {
        // Any value above zero is visible.
        let height = (percent / 100.0 * (SPARK_BARS.len() - 1) as f64).ceil();
        let height = (height.max(0.0) as usize).min(SPARK_BARS.len() - 1);
        SPARK_BARS.get(height).copied().unwrap_or(' ')
    };
    percents.map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparkline_covers_the_full_range() {
        assert_eq!(
            sparkline([0.0, 0.1, 12.5, 50.0, 99.9, 100.0].into_iter()),
            " ▁▁▄██"
        );
    }
}
