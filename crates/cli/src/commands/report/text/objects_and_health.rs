//! Objects, components (file system, network, USB), and data quality.

use super::ReportFormatter;
use super::load::sparkline;
use super::table::table_or;
use rtoscope_analysis::Scope;
use rtoscope_analysis::report::communication::Communication;
use rtoscope_analysis::report::components::Component;
use rtoscope_analysis::report::health::{ActiveObjectHealth, Health};
use rtoscope_analysis::report::objects;
use rtoscope_trace::diagnostic::pluralise;
use std::fmt::Write as _;

/// Width of a level graph in bars.
const GRAPH_WIDTH: usize = 60;

impl ReportFormatter<'_> {
    pub(crate) fn objects(&self, rows: &[objects::ObjectRow]) -> String {
        let mut text = self.table(rows);
        let graphs: Vec<_> = rows
            .iter()
            .filter_map(|row| self.level_graph(row))
            .collect();
        if !graphs.is_empty() {
            text.push_str("\nlevel over time, relative to the capacity or else the maximum\n");
            let width = graphs.iter().map(|(name, _)| name.chars().count()).max();
            let width = width.unwrap_or_default();
            for (name, graph) in graphs {
                let _ = writeln!(text, "{name:<width$} |{graph}|");
            }
        }
        text.push('\n');
        self.all_distributions(&mut text, rows);
        text
    }

    pub(crate) fn communication(&self, found: &Communication) -> String {
        let [uses, flows] = [self.table(&found.uses), self.table(&found.flows)];
        let mut text = format!("{uses}\n{flows}\n");
        let latencies = found.flows.iter().filter_map(|row| {
            let parts = [row.from.as_ref(), row.object.as_ref(), row.to.as_ref()];
            let parts: Vec<_> = parts.into_iter().flatten().map(String::as_str).collect();
            let flow = format!("{}: {}", row.kind, parts.join(" -> "));
            Some((flow, row.latency.as_ref()?))
        });
        self.distributions(
            &mut text,
            "latency: from cause to effect",
            "flow",
            latencies,
        );
        text
    }

    /// Renders an object's highest levels as bars.
    fn level_graph<'r>(&self, row: &'r objects::ObjectRow) -> Option<(&'r str, String)> {
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
        Some((&row.name, sparkline(bars.into_iter())))
    }

    pub(crate) fn component(&self, component: &Component) -> String {
        if !component.has_events {
            return "no events of this component in the trace\n".to_owned();
        }
        let rows = component.figures.iter();
        let rows = rows.filter(|figure| figure.value > 0).map(|figure| {
            vec![
                figure.name.to_string(),
                figure.value.to_string(),
                figure.description.to_string(),
            ]
        });
        let header = [("figure", false), ("value", true), ("", false)];
        let header = header.map(|(name, is_right)| (name.to_owned(), is_right));
        table_or(&header, rows.collect(), "")
    }

    pub(crate) fn health(&self, health: &Health) -> String {
        let clock = &health.clock;
        let rate = health
            .events_per_second
            .map(|rate| format!(", {rate:.0} per second"));
        let coverage = match health.coverage.percent {
            Some(percent) => format!("{percent:.1} % of the CPU time"),
            None => "no time passes".to_owned(),
        };
        let mut lost = match health.gaps.len() {
            0 => "no gaps".to_owned(),
            gaps => format!(
                "{}, {} known to be missing",
                pluralise(gaps as u64, "gap", "gaps"),
                pluralise(health.lost_events, "event", "events")
            ),
        };
        if !health.restarts.is_empty() {
            let times = pluralise(health.restarts.len() as u64, "time", "times");
            let _ = write!(lost, "; the target restarted {times}");
        }
        let start = if health.overwritten {
            "older events were overwritten"
        } else {
            "nothing was overwritten"
        };
        let registry = &health.registry;
        let rows = [
            (
                "events",
                format!("{}{}", health.events, rate.unwrap_or_default()),
            ),
            ("known", coverage),
            ("loss", lost),
            ("start", start.to_owned()),
            (
                "clock",
                format!(
                    "{}, {} bits, counts {}, {} wraps, {} backward steps",
                    clock.quality, clock.bits, clock.direction, clock.wraps, clock.backward_steps
                ),
            ),
            (
                "registry",
                format!(
                    "{} objects, {} deleted, {} threads not in it{}",
                    registry.objects,
                    registry.deleted,
                    registry.unnamed_threads,
                    if registry.full { ", full" } else { "" }
                ),
            ),
            (
                "interrupts",
                format!(
                    "{} without an exit, {} without an entry",
                    health.unfinished_isrs, health.inferred_isrs
                ),
            ),
        ];
        let mut text = String::new();
        if *self.view.scope != Scope::default() {
            text.push_str("for the whole recording, regardless of the scope\n");
        }
        for (name, value) in rows {
            let _ = writeln!(text, "{name:<10} {value}");
        }
        if let Some(limits) = &health.active {
            let _ = writeln!(text, "{:<10} {}", "objects", uncertainty_note(limits));
        }
        for problem in &health.diagnostics {
            let _ = writeln!(
                text,
                "{:<10} {}: {}",
                problem.severity, problem.kind, problem.message
            );
        }
        text
    }
}

/// Notes which facts about active objects gaps and target filters hide.
fn uncertainty_note(limits: &ActiveObjectHealth) -> String {
    format!(
        "{} without a known take, {} without a known post, {} and {} without a known end",
        pluralise(limits.untaken_posts, "event", "events"),
        pluralise(limits.unposted_steps, "step", "steps"),
        pluralise(limits.lost_steps + limits.unrecorded_steps, "step", "steps"),
        pluralise(limits.uncertain_visits, "state", "states"),
    )
}
