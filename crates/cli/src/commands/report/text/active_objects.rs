//! Active objects: states, transitions and timers.

use super::table::{distributions, label, single_values, table_or, title};
use super::{ReportFormatter, percent};
use rtoscope_analysis::report::TableRow;
use rtoscope_analysis::report::active::ActiveObjectRow;
use rtoscope_analysis::report::states::{MachineStates, StateRow};
use rtoscope_analysis::report::timers::{NominalRuns, TimerRow};
use rtoscope_analysis::report::transitions::Transitions;
use std::fmt::Write as _;

/// Shown for an unknown state.
const UNKNOWN: &str = "(unknown)";

impl ReportFormatter<'_> {
    pub(crate) fn states(&self, machines: &[MachineStates]) -> String {
        let columns: Vec<_> = single_values::<StateRow>().collect();
        let row = |machine: &MachineStates, row: &StateRow| {
            let cells = columns.iter().map(|column| self.cell(column, row));
            let object = std::iter::once(machine.object.clone());
            object.chain(cells).collect::<Vec<_>>()
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
        let mut header = vec![(label::<ActiveObjectRow>("name"), false)];
        header.extend(self.header(&columns));
        let mut text = "states of machines between steps\n".to_owned();
        text.push_str(&table_or(&header, intervals, StateRow::TABLE.empty));
        if !active_intervals.is_empty() {
            text.push_str("\nactive states, from entry to exit\n");
            text.push_str(&table_or(&header, active_intervals, ""));
        }
        text
    }

    pub(crate) fn transitions(&self, found: &Transitions) -> String {
        let mut text = self.table(&found.taken);
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

    pub(crate) fn timers(&self, rows: &[TimerRow]) -> String {
        let mut text = self.table(rows);
        text.push('\n');
        let nominal = rows.iter().flat_map(|row| {
            row.nominal.iter().map(|nominal| {
                let kind = if nominal.periodic { "every" } else { "after" };
                let name = format!("{}: {kind} {}", row.name, nominal.timer_ticks);
                (name, &nominal.duration)
            })
        });
        for column in distributions::<NominalRuns>() {
            self.distributions(
                &mut text,
                &title(column),
                "timer and its ticks",
                nominal.clone(),
            );
        }
        self.all_distributions(&mut text, rows);
        text
    }
}
