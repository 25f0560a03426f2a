//! Inversions, latencies and mutexes.

use super::{DISTRIBUTION_COLUMNS, ReportFormatter, optional, percent, table_or};
use rtoscope_analysis::report::latency::{Latency, ThreadLatency, WaitRow};
use rtoscope_analysis::report::{Distribution, inversions, locks};
use std::fmt::Write as _;

/// Maximum number of rows in text output.
const MAX_ROWS: usize = 100;

impl ReportFormatter<'_> {
    pub(crate) fn inversions(&self, rows: &[inversions::InversionRow]) -> String {
        let shown = rows.iter().take(MAX_ROWS).map(|row| {
            let owners = row.owners.join(" > ");
            let culprits: Vec<_> = row.culprits.iter().map(|it| it.thread.as_str()).collect();
            vec![
                row.object.clone(),
                format!("{} ({})", row.blocked, row.blocked_priority),
                format!("{owners} ({})", row.owner_priority),
                optional(row.start_event),
                optional(row.end_event),
                self.ticks(row.ticks),
                match row.unbounded {
                    Some(true) => format!("by {}", culprits.join(", ")),
                    Some(false) => "no".to_owned(),
                    None => "unknown".to_owned(),
                },
                row.ending.to_owned(),
            ]
        });
        let header = [
            "mutex",
            "blocked (priority)",
            "owner (priority)",
            "from event",
            "to event",
            self.unit(),
            "unbounded",
            "ended",
        ];
        let none = "no priority inversions";
        let mut text = table_or(&header, &header[3..6], shown.collect(), none);
        if rows.len() > MAX_ROWS {
            let more = rows.len() - MAX_ROWS;
            let _ = writeln!(text, "and {more} more, which --format json lists");
        }
        text
    }

    pub(crate) fn latency(&self, latency: &Latency) -> String {
        type Figure = fn(&ThreadLatency) -> Option<&Distribution>;
        let figures: [(&str, Figure); 5] = [
            ("wake-up: resumed to running", |it| it.wake_up.as_ref()),
            ("response: resumed to suspended", |it| it.response.as_ref()),
            ("period: resumed to resumed", |it| it.period.as_ref()),
            ("jitter: difference of successive periods", |it| {
                it.jitter.as_ref()
            }),
            ("preempted: ready after running", |it| it.preempted.as_ref()),
        ];
        let mut text = String::new();
        for (title, figure) in figures {
            let rows = latency.threads.iter();
            let rows = rows.filter_map(|thread| Some((thread.name.clone(), figure(thread)?)));
            self.distributions(&mut text, title, "thread", rows);
        }
        let waits = latency.threads.iter().flat_map(|thread| {
            let waited = thread.waited.iter();
            waited.map(|it| {
                (
                    format!("{}: {}", thread.name, waited_object(it)),
                    &it.duration,
                )
            })
        });
        self.distributions(&mut text, "waits", "thread: blocked on", waits);
        let blocking = latency.blocking.iter();
        let blocking = blocking.map(|it| (waited_object(it), &it.duration));
        self.distributions(&mut text, "blocking, all threads", "blocked on", blocking);
        let isr = latency.isr_to_thread.iter();
        let isr = isr.map(|found| ("all threads".to_owned(), found));
        self.distributions(&mut text, "interrupt to thread", "", isr);
        if let Some(interval) = &latency.max_interrupt_burst {
            let _ = writeln!(
                text,
                "longest time in interrupts only: {} on core {}, events {} to {}",
                self.duration(interval.ticks),
                interval.core,
                interval.first_event,
                interval.event
            );
        }
        if text.is_empty() {
            text.push_str("no thread was resumed and suspended\n");
        }
        text
    }

    pub(super) fn distributions<'d>(
        &self,
        text: &mut String,
        title: &str,
        label: &str,
        rows: impl Iterator<Item = (String, &'d Distribution)>,
    ) {
        let rows: Vec<_> = rows
            .map(|(name, found)| {
                let mut row = vec![name];
                row.extend(self.distribution(found));
                row
            })
            .collect();
        if rows.is_empty() {
            return;
        }
        let mut header = vec![label];
        header.extend(DISTRIBUTION_COLUMNS);
        let _ = writeln!(text, "{title} ({})", self.unit());
        text.push_str(&table_or(&header, &DISTRIBUTION_COLUMNS, rows, ""));
        text.push('\n');
    }

    pub(crate) fn locks(&self, rows: &[locks::LockRow]) -> String {
        let header = [
            "mutex",
            "acquired",
            "contended",
            "share",
            "given up",
            "max waiting",
            "inversions",
            "unbounded",
            "longest hold",
            "by",
            "at event",
            "owner at end",
        ];
        let counts = rows.iter().map(|row| {
            let longest = row.max_hold.as_ref();
            vec![
                row.name.clone(),
                row.acquisitions.to_string(),
                row.contended.to_string(),
                percent(row.contended_percent),
                row.given_up.to_string(),
                row.max_waiting.to_string(),
                row.inversions.total.to_string(),
                row.inversions.unbounded.to_string(),
                optional(longest.map(|hold| self.ticks(hold.ticks))),
                optional(longest.map(|hold| hold.thread.as_str())),
                optional(longest.map(|hold| hold.event)),
                optional(row.owner_at_end.as_deref()),
            ]
        });
        let mut text = table_or(
            &header,
            &header[1..9],
            counts.collect(),
            "no mutexes were used",
        );
        if rows.is_empty() {
            return text;
        }
        text.push('\n');
        let named = |row: &locks::LockRow| row.name.clone();
        let holds = rows
            .iter()
            .filter_map(|row| Some((named(row), row.hold.as_ref()?)));
        self.distributions(&mut text, "held for", "mutex", holds);
        let waits = rows
            .iter()
            .filter_map(|row| Some((named(row), row.wait.as_ref()?)));
        self.distributions(&mut text, "waited for", "mutex", waits);
        text
    }
}

fn waited_object(waited: &WaitRow) -> String {
    match &waited.object {
        Some(object) => format!("{} {object}", waited.reason),
        None => waited.reason.to_owned(),
    }
}
