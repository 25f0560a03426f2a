//! CPU time, threads, latency and priority inversions.

use super::table::{label, lowercase, single_values, table_or};
use super::{ReportFormatter, percent};
use rtoscope_analysis::report::TableRow;
use rtoscope_analysis::report::deadlines::DeadlineRow;
use rtoscope_analysis::report::intervals::IntervalRow;
use rtoscope_analysis::report::inversions::InversionRow;
use rtoscope_analysis::report::latency::{Latency, ThreadLatency, WaitRow};
use rtoscope_analysis::report::pipeline::PipelineRow;
use rtoscope_analysis::report::profile::{ProfileKind, ProfileRow};
use rtoscope_analysis::report::threads::ThreadRow;
use rtoscope_trace::Ticks;
use std::fmt::Write as _;

/// Maximum number of misses of one deadline in text output.
const MAX_MISSES: usize = 100;
/// Number of the longest intervals in text output.
const MAX_INTERVALS: usize = 10;
/// Maximum number of inversions in text output.
const MAX_INVERSIONS: usize = 100;

impl ReportFormatter<'_> {
    pub(crate) fn profile(&self, rows: &[ProfileRow]) -> String {
        if let Some(why) = self.view.trace.clock.quality.no_time() {
            return format!("unknown: {why}\n");
        }
        if self.view.span().0 == 0 {
            return "no time passes\n".to_owned();
        }
        let shown = |row: &&ProfileRow| row.kind == ProfileKind::Thread || row.ticks > 0;
        let columns: Vec<_> = single_values::<ProfileRow>().collect();
        let cells = rows.iter().filter(shown).map(|row| {
            let cells = columns.iter().map(|column| self.cell(column, row));
            cells.collect()
        });
        table_or(
            &self.header(&columns),
            cells.collect(),
            ProfileRow::TABLE.empty,
        )
    }

    pub(crate) fn threads(&self, rows: &[ThreadRow]) -> String {
        let mut text = self.report_table(rows);
        if !rows.is_empty() {
            text.push_str(&self.thread_states(rows));
        }
        text
    }

    fn thread_states(&self, rows: &[ThreadRow]) -> String {
        let share = |ticks| percent(self.view.percent(Ticks(ticks)));
        let states = rows.iter().map(|row| {
            let states = &row.states;
            let waits = states.waiting.iter();
            let waits = waits.map(|(wait, ticks)| format!("{wait} {}", share(*ticks)));
            vec![
                row.name.clone(),
                share(states.running),
                share(states.interrupted),
                states.ready.map_or_else(String::new, share),
                share(states.unknown),
                waits.collect::<Vec<_>>().join(", "),
            ]
        });
        let header = [
            (label::<ThreadRow>("name"), false),
            (label::<ThreadRow>("states.running"), true),
            ("interrupted".to_owned(), true),
            (label::<ThreadRow>("states.ready"), true),
            ("unknown".to_owned(), true),
            ("waiting".to_owned(), false),
        ];
        table_or(&header, states.collect(), "")
    }

    pub(crate) fn deadlines(&self, rows: &[DeadlineRow]) -> String {
        let mut text = self.table(rows);
        for row in rows {
            self.misses(&mut text, &row.name, &row.misses);
        }
        text
    }

    pub(crate) fn pipelines(&self, rows: &[PipelineRow]) -> String {
        let mut text = self.table(rows);
        self.all_distributions(&mut text, rows);
        for row in rows {
            // Distributions end with an empty line.
            let gap = if text.ends_with("\n\n") { "" } else { "\n" };
            let _ = writeln!(text, "{gap}stages of {}", row.name);
            text.push_str(&self.table(&row.stages));
            self.all_distributions(&mut text, &row.stages);
            self.misses(&mut text, &row.name, &row.misses);
        }
        text
    }

    pub(crate) fn intervals(&self, rows: &[IntervalRow]) -> String {
        let mut text = self.table(rows);
        self.all_distributions(&mut text, rows);
        for row in rows.iter().filter(|row| !row.longest.is_empty()) {
            let gap = if text.ends_with("\n\n") { "" } else { "\n" };
            let _ = writeln!(text, "{gap}longest of {}", row.name);
            let shown = row.longest.get(..MAX_INTERVALS);
            text.push_str(&self.table(shown.unwrap_or(&row.longest)));
        }
        text
    }

    fn misses<R: TableRow>(&self, text: &mut String, of: &str, misses: &[R]) {
        if misses.is_empty() {
            return;
        }
        let gap = if text.ends_with("\n\n") { "" } else { "\n" };
        let _ = writeln!(text, "{gap}misses of {of}");
        let shown = misses.get(..MAX_MISSES).unwrap_or(misses);
        text.push_str(&self.table(shown));
        if misses.len() > MAX_MISSES {
            let more = misses.len() - MAX_MISSES;
            let _ = writeln!(text, "and {more} more, which --format json lists");
        }
    }

    pub(crate) fn inversions(&self, rows: &[InversionRow]) -> String {
        let shown = rows.get(..MAX_INVERSIONS).unwrap_or(rows);
        let mut text = self.table_with(shown, |key, row| {
            // All owners, one after the other.
            let owners = row.owners.join(" > ");
            (key == "owner").then(|| format!("{owners} ({})", row.owner_priority))
        });
        if rows.len() > MAX_INVERSIONS {
            let more = rows.len() - MAX_INVERSIONS;
            let _ = writeln!(text, "and {more} more, which --format json lists");
        }
        text
    }

    pub(crate) fn latency(&self, latency: &Latency) -> String {
        let mut text = String::new();
        if let Some(why) = latency.not_recorded {
            let _ = writeln!(text, "{}", lowercase(why));
        }
        self.all_distributions(&mut text, &latency.threads);
        let waits = latency.threads.iter().flat_map(|thread| {
            let waited = thread.waited.iter();
            waited.map(|it| {
                (
                    format!("{}: {}", thread.name, waited_object(it)),
                    &it.duration,
                )
            })
        });
        let blocked_on = label::<WaitRow>("object");
        let of_thread = format!("thread: {blocked_on}");
        self.distributions(&mut text, "waits", &of_thread, waits);
        let blocking = latency.blocking.iter();
        let blocking = blocking.map(|it| (waited_object(it), &it.duration));
        let all = format!("{}, all threads", lowercase(WaitRow::TABLE.title));
        self.distributions(&mut text, &all, &blocked_on, blocking);
        let isr = latency.isr_to_thread.iter();
        let isr = isr.map(|found| ("all threads".to_owned(), found));
        let from_isr = lowercase(Latency::ISR_TO_THREAD_LABEL);
        self.distributions(&mut text, &from_isr, "", isr);
        if let Some(burst) = &latency.max_interrupt_burst {
            let _ = writeln!(
                text,
                "{}: {} on core {}, events {} to {}",
                lowercase(Latency::INTERRUPT_BURST_LABEL),
                self.duration(burst.ticks),
                burst.core,
                burst.first_event,
                burst.event
            );
        }
        if text.is_empty() {
            let _ = writeln!(text, "{}", lowercase(ThreadLatency::TABLE.empty));
        }
        text
    }
}

fn waited_object(waited: &WaitRow) -> String {
    match &waited.object {
        Some(object) => format!("{} {object}", waited.reason),
        None => waited.reason.to_owned(),
    }
}
