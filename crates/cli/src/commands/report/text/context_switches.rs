//! Reports of context-switch logs.

use super::table::{distributions, label, lowercase};
use super::{ReportFormatter, percent};
use rtoscope_analysis::report::context_switches::{
    ContextSwitches, HandlerRow, InterruptsOffReport, TimeShare, UnknownDurations,
};
use rtoscope_analysis::report::{Cell, Distribution, TableRow as _};
use rtoscope_trace::diagnostic::pluralise;
use std::fmt::Write as _;

impl ReportFormatter<'_> {
    pub(crate) fn context_switches(&self, found: &ContextSwitches) -> String {
        let mut text = self.switch_figures(found);
        text.push('\n');
        text.push_str(&self.table(&found.threads));
        text.push('\n');
        text.push_str(&self.table(&found.handlers));
        text.push('\n');
        let off = found.interrupts_off.as_ref();
        let durations = distributions::<ContextSwitches>();
        let durations = durations.filter_map(|column| match column.cell(found) {
            Some(Cell::Distribution(durations)) => Some((lowercase(column.label), durations)),
            _ => None,
        });
        self.distributions(&mut text, "distribution of durations", "", durations);
        if let Some(off) = off {
            self.histogram(&mut text, off.duration.as_ref());
            text.push_str(&self.longest_sections(off));
        }
        text
    }

    /// The key figures, one per line.
    pub(crate) fn switch_figures(&self, found: &ContextSwitches) -> String {
        let rate = found.dispatches_per_second;
        let rate = rate.map(|rate| format!(", {rate:.1} per second"));
        let resumes: Vec<_> = found
            .resumes
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        let handlers: u64 = found.handlers.iter().map(|it| it.activations).sum();
        let idle = &found.idle;
        let rows = [
            (
                label::<ContextSwitches>("dispatches"),
                format!("{}{}", found.dispatches, rate.unwrap_or_default()),
            ),
            (
                label::<ContextSwitches>("context_switches"),
                format!(
                    "{}, with or without idle in between",
                    found.context_switches
                ),
            ),
            ("resumed by".to_owned(), or_none(resumes.join(", "))),
            (
                label::<ContextSwitches>("idle.percent"),
                format!(
                    "{} in {}",
                    self.share(&idle.share),
                    pluralise(idle.periods, "time", "times")
                ),
            ),
            (
                lowercase(HandlerRow::TABLE.title),
                format!("{handlers} started"),
            ),
            (
                label::<ContextSwitches>("kernel.percent"),
                format!(
                    "{} in interrupts and the scheduler, outside handlers",
                    self.share(&found.kernel)
                ),
            ),
            (
                label::<ContextSwitches>("interrupts_off.percent"),
                self.interrupts_off(found.interrupts_off.as_ref()),
            ),
            (
                label::<ContextSwitches>("unknown.percent"),
                self.unknown(found),
            ),
        ];
        let mut text = String::new();
        for (name, value) in rows {
            let _ = writeln!(text, "{name:<17} {value}");
        }
        text
    }

    /// Formats a share of the time.
    fn share(&self, share: &TimeShare) -> String {
        match share.percent {
            Some(part) => format!("{} ({})", self.duration(share.ticks), percent(Some(part))),
            None => self.duration(share.ticks),
        }
    }

    fn interrupts_off(&self, off: Option<&InterruptsOffReport>) -> String {
        let Some(off) = off else {
            return "not recorded".to_owned();
        };
        let mut text = format!(
            "{} in {}, kept off {} in between",
            self.share(&off.share),
            pluralise(off.count, "time", "times"),
            pluralise(off.nested, "time", "times"),
        );
        let UnknownDurations {
            start_unknown,
            switched,
            unrecorded,
            lost,
            open,
        } = off.unknown;
        let limits = [
            (start_unknown, "started before the recording"),
            (switched, "lasted at least until a switch"),
            (unrecorded, "ended without a record"),
            (lost, "lasted at least until a gap"),
            (open, "lasted until the end of the recording"),
        ];
        for (count, limit) in limits.into_iter().filter(|(count, _)| *count > 0) {
            let _ = write!(text, "; {count} {limit}");
        }
        // A section of unknown length may be longer than the maximum.
        if let Some(longest) = off.longest.iter().find(|longest| longest.complete) {
            let _ = write!(
                text,
                "; longest {} by {}",
                self.duration(longest.ticks),
                longest.context
            );
            if let Some(place) = &longest.disabled_at {
                let _ = write!(text, " at {}", place.text);
            }
            let _ = write!(text, " [event {}]", longest.first_event);
        }
        text
    }

    fn unknown(&self, found: &ContextSwitches) -> String {
        let mut text = self.share(&found.unknown);
        if found.gaps > 0 {
            let gaps = pluralise(found.gaps, "gap", "gaps");
            let _ = write!(
                text,
                "; {gaps}, after which the running context and the interrupt state are unknown until the next record"
            );
        }
        text.push_str("; reasons for switches and wakers are not recorded");
        text
    }

    /// Renders the distribution of durations over the range as bars.
    fn histogram(&self, text: &mut String, durations: Option<&Distribution>) {
        const BARS: u64 = 40;
        let bins = durations.map(|it| it.histogram.as_slice());
        let bins = bins.filter(|bins| bins.len() > 1).unwrap_or_default();
        let max = bins.iter().map(|bin| bin.count).max().unwrap_or_default();
        for bin in bins {
            // Any count above zero is visible.
            let bars = (bin.count * BARS).div_ceil(max.max(1));
            let bar = "#".repeat(usize::try_from(bars).unwrap_or_default());
            let from = self.ticks(bin.min);
            let _ = writeln!(text, "from {from:>12}  {:>8}  {bar}", bin.count);
        }
        if !bins.is_empty() {
            text.push('\n');
        }
    }

    fn longest_sections(&self, off: &InterruptsOffReport) -> String {
        self.table_with(&off.longest, |key, row| {
            (key == "ticks").then(|| row.format_duration(self.view))
        })
    }
}

fn or_none(text: String) -> String {
    if text.is_empty() {
        "no events".to_owned()
    } else {
        text
    }
}
