//! A column shows the value that JSON has at its key.

use super::super::table::{Cell, TableRow};
use super::super::{ReportDocument, ReportOptions, View};
use crate::Scope;
use crate::fixture::switch_log::{DISABLE, RESTORE, SLEEP, WAKE, enter, exit, resume};
use crate::fixture::{self, active_story, switch_log};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// Compares each cell of the rows with their JSON.
fn compare<R: TableRow + Serialize>(rows: &[R]) {
    for row in rows {
        let json = serde_json::to_value(row).unwrap();
        for column in R::TABLE.columns {
            let value = json.pointer(&format!("/{}", column.key.replace('.', "/")));
            let value = value.unwrap_or(&Value::Null);
            let matches = match column.cell(row) {
                Some(Cell::Text(text)) => value.is_array() || value == text.as_ref(),
                Some(Cell::Note(_)) => value.is_null(),
                Some(Cell::Thread(name, priority)) => {
                    value == name && json[format!("{}_priority", column.key)] == priority
                }
                Some(Cell::Count(count)) => match value {
                    Value::Array(all) => all.len() as u64 == count,
                    value => *value == count,
                },
                Some(Cell::Duration(ticks)) => *value == ticks,
                Some(Cell::Event(event)) => *value == event,
                Some(
                    Cell::Decimal(figure)
                    | Cell::Percent(figure)
                    | Cell::FractionalDuration(figure),
                ) => *value == figure,
                Some(Cell::Flag(flag)) => *value == flag,
                Some(Cell::Distribution(found)) => *value == serde_json::to_value(found).unwrap(),
                None => value.is_null() || *value == 0 || *value == 0.0,
            };
            let place = format!("{}: {}", R::TABLE.path, column.key);
            assert!(matches, "{place}: {:?} is not {value}", column.cell(row));
        }
    }
}

fn rows<R>(report: &Option<Vec<R>>) -> &[R] {
    report.as_deref().unwrap_or_default()
}

fn compare_all(view: &View<'_>) {
    let found = ReportDocument::new("", view, &ReportOptions::default());
    compare(rows(&found.profile));
    compare(found.performance.as_slice());
    compare(rows(&found.threads));
    compare(rows(&found.stacks));
    compare(rows(&found.services));
    compare(rows(&found.inversions));
    compare(rows(&found.periods));
    compare(rows(&found.isr));
    compare(rows(&found.locks));
    compare(rows(&found.objects));
    compare(rows(&found.markers));
    if let Some(communication) = &found.communication {
        compare(&communication.uses);
        compare(&communication.flows);
    }
    if let Some(hardware) = &found.hardware {
        compare(&hardware.units);
        compare(&hardware.slots);
    }
    compare(rows(&found.active));
    compare(rows(&found.signals));
    compare(rows(&found.timers));
    if let Some(latency) = &found.latency {
        compare(&latency.threads);
        compare(&latency.blocking);
    }
    for timer in rows(&found.timers) {
        compare(&timer.nominal);
    }
    for machine in rows(&found.states) {
        compare(&machine.states);
        compare(&machine.active);
    }
    if let Some(transitions) = &found.transitions {
        compare(&transitions.taken);
    }
    if let Some(switches) = &found.context_switches {
        compare(std::slice::from_ref(switches));
        compare(&switches.threads);
        compare(&switches.handlers);
        if let Some(off) = &switches.interrupts_off {
            compare(&off.longest);
        }
    }
    if let Some(health) = &found.health {
        compare(std::slice::from_ref(health));
        compare(&health.diagnostics);
        compare(&health.gaps);
    }
}

#[test]
fn columns_show_the_values_of_json() {
    for name in [
        "cm3_system",
        "linux32_inv_nondet",
        "linux32_services_all",
        "smp32_cores",
    ] {
        let trace = fixture::open(&format!("{name}.trx"));
        fixture::with_view(&trace, &Scope::default(), compare_all);
    }
    active_story::with_view(&Scope::default(), compare_all);
    let log = switch_log::on_one_core(&[
        (1, resume(switch_log::A)),
        (3, DISABLE),
        (5, RESTORE),
        (6, enter(1)),
        (8, exit(1)),
        (9, SLEEP),
        (12, WAKE),
        (13, resume(switch_log::B)),
    ]);
    switch_log::with_view(&log, false, &Scope::default(), compare_all);
}

#[test]
fn labels_of_a_table_differ() {
    for (path, table) in super::description::tables() {
        let mut labels = BTreeSet::new();
        for label in table.labels() {
            assert!(label.starts_with(char::is_uppercase), "{path}: {label}");
            assert!(labels.insert(label), "{path}: {label}");
        }
    }
}
