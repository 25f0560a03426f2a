//! CPU time and scheduling: profile, performance, threads, stacks, services.

use super::{ReportFormatter, optional, percent, table_or};
use rtoscope_analysis::report::performance::Performance;
use rtoscope_analysis::report::{profile, services, stacks, threads};
use rtoscope_command::output::format_table;
use std::fmt::Write as _;

impl ReportFormatter<'_> {
    pub(crate) fn profile(&self, rows: &[profile::ProfileRow]) -> String {
        let header = ["context", "address", self.unit(), "share"];
        if !self.view.trace.clock.measures_time() {
            return "unknown: the clock does not measure time\n".to_owned();
        }
        if self.view.span().0 == 0 {
            return "no time passes\n".to_owned();
        }
        let shown =
            |row: &&profile::ProfileRow| row.kind == profile::ProfileKind::Thread || row.ticks > 0;
        let rows = rows.iter().filter(shown).map(|row| {
            vec![
                row.context.clone(),
                optional(row.address),
                self.ticks(row.ticks),
                percent(row.percent),
            ]
        });
        format_table(&header, &[self.unit(), "share"], rows)
    }

    pub(crate) fn performance(&self, counts: &Performance) -> String {
        let rows = [
            ("dispatches", counts.dispatches),
            ("context switches", counts.context_switches),
            ("solicited preemptions", counts.preemptions.solicited),
            ("interrupt preemptions", counts.preemptions.interrupt),
            ("time slices", counts.time_slices),
            ("relinquishes", counts.relinquishes),
            ("suspensions", counts.suspensions),
            ("resumptions", counts.resumptions),
            ("priority changes", counts.priority_changes),
            ("interrupts", counts.interrupts),
            ("nested interrupts", counts.nested_interrupts),
            ("priority inversions", counts.inversions.total),
            ("  of these unbounded", counts.inversions.unbounded),
        ];
        let mut text = String::new();
        for (name, count) in rows {
            let _ = writeln!(text, "{name:<22} {count:>10}");
        }
        text
    }

    pub(crate) fn threads(&self, rows: &[threads::ThreadRow]) -> String {
        let counts = rows.iter().map(|row| {
            vec![
                row.name.clone(),
                optional(row.priority),
                priorities(row),
                row.events.to_string(),
                row.dispatches.to_string(),
                row.suspensions.to_string(),
                row.resumptions.to_string(),
                row.preemptions.solicited.to_string(),
                row.preemptions.interrupt.to_string(),
                row.time_slices.to_string(),
                row.relinquishes.to_string(),
                row.inversions.total.to_string(),
                percent(row.stack.as_ref().and_then(|stack| stack.used_percent)),
            ]
        });
        const COUNTS: [&str; 13] = [
            "thread",
            "priority",
            "seen",
            "events",
            "dispatches",
            "suspended",
            "resumed",
            "solicited",
            "by ISR",
            "slices",
            "yields",
            "inversions",
            "stack",
        ];
        let mut text = table_or(&COUNTS, &COUNTS[1..], counts.collect(), "no threads");
        text.push_str(
            "solicited and by ISR: preemptions by the thread's own calls, and by interrupts\n",
        );
        if rows.is_empty() {
            return text;
        }
        text.push('\n');
        text.push_str(&self.thread_states(rows));
        text
    }

    fn thread_states(&self, rows: &[threads::ThreadRow]) -> String {
        let share = |ticks| percent(self.view.percent(rtoscope_trace::Ticks(ticks)));
        let states = rows.iter().map(|row| {
            let states = &row.states;
            let waits = states.waiting.iter();
            let waits = waits.map(|(wait, ticks)| format!("{wait} {}", share(*ticks)));
            vec![
                row.name.clone(),
                share(states.running),
                share(states.interrupted),
                share(states.ready),
                share(states.unknown),
                waits.collect::<Vec<_>>().join(", "),
            ]
        });
        let header = [
            "thread",
            "running",
            "interrupted",
            "ready",
            "unknown",
            "waiting",
        ];
        format_table(&header, &header[1..5], states)
    }

    pub(crate) fn services(&self, rows: &[services::ServiceRow]) -> String {
        let rows = rows.iter().map(|row| {
            vec![
                row.name.clone(),
                row.id.to_string(),
                row.component.clone(),
                row.count.to_string(),
                percent(Some(row.percent)),
                row.contexts.to_string(),
            ]
        });
        let header = ["event", "id", "component", "count", "share", "contexts"];
        let right = ["id", "count", "share", "contexts"];
        table_or(&header, &right, rows.collect(), "no events")
    }

    pub(crate) fn stacks(&self, rows: &[stacks::StackRow]) -> String {
        let rows = rows.iter().map(|row| {
            let stack = &row.stack;
            vec![
                row.thread.clone(),
                stack.start.to_string(),
                stack.size.to_string(),
                optional(stack.min_free),
                percent(stack.used_percent),
                optional(stack.event),
                stack.outside.to_string(),
            ]
        });
        let header = [
            "thread", "start", "bytes", "free", "used", "at event", "outside",
        ];
        let mut text = table_or(
            &header,
            &header[2..],
            rows.collect(),
            "the recording has no stack data",
        );
        text.push_str(
            "The kernel records an address inside its own functions: the real usage is slightly higher.\n",
        );
        text
    }
}

/// The effective priorities in a thread's events.
fn priorities(row: &threads::ThreadRow) -> String {
    match (row.highest_priority, row.lowest_priority) {
        (Some(highest), Some(lowest)) if highest != lowest => format!("{highest}-{lowest}"),
        (highest, _) => optional(highest),
    }
}
