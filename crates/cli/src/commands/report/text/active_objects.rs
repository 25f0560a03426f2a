//! Active objects: steps, signals, states, transitions and timers.

use super::{ReportFormatter, optional, percent, table_or};
use rtoscope_analysis::report::active::{self, StepEndings};
use rtoscope_analysis::report::states::{self, MachineStates};
use rtoscope_analysis::report::transitions::{self, ActionCount, Transitions};
use rtoscope_analysis::report::{Distribution, signals, timers};
use std::fmt::Write as _;

/// Shown for an unknown object or signal.
const UNKNOWN: &str = "(unknown)";

impl ReportFormatter<'_> {
    pub(crate) fn active(&self, rows: &[active::ActiveObjectRow]) -> String {
        let header = [
            "object",
            "posted",
            "steps",
            "busy",
            "share",
            "unhandled",
            "guards false",
            "no branch",
            "failed",
            "unfinished",
            "deferred",
            "recalled",
            "max queued",
            "at event",
            "capacity",
            "min free",
        ];
        let table = rows.iter().map(|row| {
            let (max, queue) = (row.max_queued, row.queue.as_ref());
            vec![
                row.name.clone(),
                row.posted.to_string(),
                row.steps.to_string(),
                self.ticks(row.busy_ticks),
                percent(row.busy_percent),
                row.endings.unhandled.to_string(),
                row.guards_false.to_string(),
                row.endings.no_branch.to_string(),
                row.endings.failed.to_string(),
                unfinished_runs(&row.endings).to_string(),
                row.deferred.to_string(),
                row.recalled.to_string(),
                optional(max.map(|max| max.events)),
                optional(max.map(|max| max.event)),
                optional(queue.and_then(|queue| queue.capacity)),
                optional(queue.and_then(|queue| queue.min_free)),
            ]
        });
        let none = "no active objects";
        let mut text = table_or(&header, &header[1..], table.collect(), none);
        type Figure = fn(&active::ActiveObjectRow) -> Option<&Distribution>;
        let figures: [(&str, Figure); 3] = [
            ("queue time: post to step", |it| it.queueing.as_ref()),
            ("step: start to end", |it| it.duration.as_ref()),
            ("response: post to end of step", |it| it.response.as_ref()),
        ];
        text.push('\n');
        for (title, figure) in figures {
            let rows = rows.iter();
            let rows = rows.filter_map(|row| Some((row.name.clone(), figure(row)?)));
            self.distributions(&mut text, title, "object", rows);
        }
        text
    }

    pub(crate) fn signals(&self, rows: &[signals::SignalRow]) -> String {
        let header = [
            "object",
            "signal",
            "sender",
            "posted",
            "front",
            "recalled",
            "taken",
            "median queue time",
            "median response",
            "longest",
            "post",
            "from event",
            "to event",
        ];
        let median = |found: &Option<Distribution>| {
            let median = found.as_ref().map(|found| self.ticks(found.p50));
            optional(median)
        };
        let table = rows.iter().map(|row| {
            let slowest = row.slowest;
            vec![
                row.object.clone(),
                row.signal.clone(),
                or_unknown(row.sender.as_deref()),
                row.posted.to_string(),
                row.front.to_string(),
                row.recalled.to_string(),
                row.taken.to_string(),
                median(&row.queueing),
                median(&row.response),
                optional(slowest.map(|slowest| self.ticks(slowest.ticks))),
                optional(slowest.map(|slowest| slowest.post_event)),
                optional(slowest.map(|slowest| slowest.first_event)),
                optional(slowest.map(|slowest| slowest.last_event)),
            ]
        });
        table_or(
            &header,
            &header[3..],
            table.collect(),
            "no events were posted",
        )
    }

    pub(crate) fn states(&self, machines: &[MachineStates]) -> String {
        let header = [
            "object",
            "state",
            self.unit(),
            "share",
            "visits",
            "uncertain",
            "longest",
            "at event",
        ];
        let row = |machine: &MachineStates, row: &states::StateRow| {
            vec![
                machine.object.clone(),
                row.state.clone(),
                self.ticks(row.ticks),
                percent(row.percent),
                row.visits.to_string(),
                row.uncertain.to_string(),
                self.ticks(row.max_ticks),
                row.max_event.to_string(),
            ]
        };
        let mut intervals = Vec::new();
        let mut active_intervals = Vec::new();
        for machine in machines {
            intervals.extend(machine.states.iter().map(|it| row(machine, it)));
            if machine.unknown_ticks > 0 {
                intervals.push(vec![
                    machine.object.clone(),
                    UNKNOWN.to_owned(),
                    self.ticks(machine.unknown_ticks),
                    percent(machine.unknown_percent),
                ]);
            }
            active_intervals.extend(machine.active.iter().map(|it| row(machine, it)));
        }
        let mut text = "states of machines between steps\n".to_owned();
        text.push_str(&table_or(
            &header,
            &header[2..],
            intervals,
            "no state machines",
        ));
        if !active_intervals.is_empty() {
            text.push_str("\nactive states, from entry to exit\n");
            text.push_str(&table_or(&header, &header[2..], active_intervals, ""));
        }
        text
    }

    pub(crate) fn transitions(&self, found: &Transitions) -> String {
        let header = [
            "object",
            "source",
            "trigger",
            "target",
            "final state",
            "count",
            "at event",
            "actions",
        ];
        let table = found.taken.iter().map(|row| {
            vec![
                row.object.clone(),
                row.source.clone(),
                trigger_text(row),
                row.target
                    .clone()
                    .unwrap_or_else(|| "(internal)".to_owned()),
                optional(row.settled.as_ref()),
                row.count.to_string(),
                row.first_event.to_string(),
                actions_text(&row.actions),
            ]
        });
        let none = "no transitions were recorded";
        let mut text = table_or(&header, &["count", "at event"], table.collect(), none);
        if !found.states_never_entered.is_empty() {
            let states = found.states_never_entered.iter().map(|never| {
                let object = never.object.iter();
                let parts = object.chain([&never.state]).map(String::as_str);
                parts.collect::<Vec<_>>().join(": ")
            });
            let states = states.collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "\nstates never entered: {states}");
        }
        if !found.signals_never_received.is_empty() {
            let signals = found.signals_never_received.join(", ");
            let _ = writeln!(text, "\nsignals never received: {signals}");
        }
        text
    }

    pub(crate) fn timers(&self, rows: &[timers::TimerRow]) -> String {
        let header = [
            "timer",
            "object",
            "signal",
            "runs",
            "expired",
            "stopped",
            "restarted",
            "running",
            "lost",
        ];
        let table = rows.iter().map(|row| {
            vec![
                row.name.clone(),
                row.object.clone(),
                or_unknown(row.signal.as_deref()),
                row.runs.to_string(),
                row.expired.to_string(),
                row.stopped.to_string(),
                row.restarted.to_string(),
                row.running.to_string(),
                row.lost.to_string(),
            ]
        });
        let none = "no timers were started";
        let mut text = table_or(&header, &header[3..], table.collect(), none);
        text.push('\n');
        let nominal = rows.iter().flat_map(|row| {
            row.nominal.iter().map(|nominal| {
                let kind = if nominal.periodic { "every" } else { "after" };
                let name = format!("{}: {kind} {}", row.name, nominal.timer_ticks);
                (name, &nominal.duration)
            })
        });
        let title = "start, or last expiry, to expiry";
        self.distributions(&mut text, title, "timer and its ticks", nominal);
        let named = |figure: fn(&timers::TimerRow) -> Option<&Distribution>| {
            let rows = rows.iter();
            rows.filter_map(move |row| Some((row.name.clone(), figure(row)?)))
        };
        let jitter = named(|row| row.jitter.as_ref());
        self.distributions(
            &mut text,
            "difference of successive periods",
            "timer",
            jitter,
        );
        let delay = named(|row| row.delay.as_ref());
        self.distributions(&mut text, "expiry to step", "timer", delay);
        text
    }
}

/// The number of steps whose end is unknown.
fn unfinished_runs(endings: &StepEndings) -> u64 {
    endings.lost + endings.unrecorded + endings.open
}

fn or_unknown(name: Option<&str>) -> String {
    name.unwrap_or(UNKNOWN).to_owned()
}

fn trigger_text(row: &transitions::TransitionRow) -> String {
    if row.initial {
        "(initial)".to_owned()
    } else {
        or_unknown(row.trigger.as_deref())
    }
}

fn actions_text(actions: &[ActionCount]) -> String {
    let named = actions.iter();
    let named = named.map(|action| format!("{} {}", action.role, action.function));
    named.collect::<Vec<_>>().join(", ")
}
