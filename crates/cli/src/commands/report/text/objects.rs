//! The levels of objects as bars.

use super::ReportFormatter;
use super::load::sparkline;
use rtoscope_analysis::report::objects::ObjectRow;
use std::fmt::Write as _;

/// Width of a level graph in bars.
const GRAPH_WIDTH: usize = 60;

impl ReportFormatter<'_> {
    /// The levels over time; empty if none is known.
    pub(super) fn level_graphs(&self, rows: &[ObjectRow]) -> String {
        let graphs = rows.iter().filter_map(|row| self.level_graph(row));
        let graphs: Vec<_> = graphs.collect();
        let mut text = String::new();
        if !graphs.is_empty() {
            text.push_str("\nlevel over time, relative to the capacity or else the maximum\n");
        }
        let width = graphs.iter().map(|(name, _)| name.chars().count()).max();
        let width = width.unwrap_or_default();
        for (name, graph) in graphs {
            let _ = writeln!(text, "{name:<width$} |{graph}|");
        }
        text
    }

    /// Renders an object's highest levels as bars.
    fn level_graph<'r>(&self, row: &'r ObjectRow) -> Option<(&'r str, String)> {
        let level = row.level.as_ref().filter(|level| level.max > 0)?;
        let full = row.capacity.unwrap_or_else(|| level.max.into()) as f64;
        let window = self.view.window();
        let span = (window.end - window.start).max(1);
        let mut bars = [0_f64; GRAPH_WIDTH];
        let ends = level.graph.iter().skip(1).map(|(start, ..)| *start);
        for ((start, _, highest), end) in level.graph.iter().zip(ends.chain([window.end])) {
            let bar = |time: u64| {
                let part = u128::from(time.saturating_sub(window.start)) * GRAPH_WIDTH as u128;
                usize::try_from(part / u128::from(span))
                    .unwrap_or(GRAPH_WIDTH)
                    .min(GRAPH_WIDTH - 1)
            };
            let percent = f64::from(highest.unwrap_or_default()) / full * 100.0;
            for bar in bars.iter_mut().take(bar(end) + 1).skip(bar(*start)) {
                *bar = bar.max(percent);
            }
        }
        Some((&row.object, sparkline(bars.into_iter())))
    }
}
