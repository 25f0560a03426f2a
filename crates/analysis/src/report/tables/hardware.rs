//! Declared hardware and slots.

use super::*;
use crate::report::hardware::{HardwareRow, SlotRow};

impl TableRow for HardwareRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "hardware.units",
        title: ReportKind::Hardware.title(),
        note: "",
        empty: "No hardware is declared",
        rank: "busy_ticks",
        columns: &[
            text("name", "Hardware", |row: &Self| name(&row.name)),
            count("kicks", "Kicks", |row: &Self| Some(row.kicks)),
            duration("busy_ticks", "Total busy time", |row: &Self| {
                Some(row.busy_ticks)
            }),
            percent("busy_percent", "Busy", |row: &Self| row.busy_percent),
            percent("cpu_worked_percent", "CPU worked", |row: &Self| {
                row.cpu_worked_percent
            })
            .hint("Share of the busy time in which the CPU worked"),
            percent("cpu_idle_percent", "CPU idle", |row: &Self| {
                row.cpu_idle_percent
            })
            .hint("Share of the busy time in which the CPU was idle"),
            count("end_unknown", "End unknown", |row: &Self| {
                Some(row.end_unknown)
            }),
            count("kicks_while_busy", "Kicks while busy", |row: &Self| {
                Some(row.kicks_while_busy)
            }),
            count("ends_while_idle", "Ends while idle", |row: &Self| {
                Some(row.ends_while_idle)
            }),
            distribution("busy", "Busy time", |row: &Self| row.busy.as_ref())
                .hint("From kick to end"),
            distribution("down", "Down time", |row: &Self| row.down.as_ref())
                .hint("From an end to the next kick"),
        ],
    };
}

impl TableRow for SlotRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "hardware.slots",
        title: "Slots",
        note: "",
        empty: "No slots are declared",
        rank: "outside",
        columns: &[
            text("schedule", "Schedule", |row: &Self| name(&row.schedule)),
            text("subject", "Subject", |row: &Self| name(&row.subject)),
            count("spans", "Spans", |row: &Self| Some(row.spans)),
            count("outside", "Outside", |row: &Self| Some(row.outside)),
            duration("max_early_ticks", "Earliest", |row: &Self| {
                Some(row.max_early_ticks)
            })
            .hint("Longest time before the start of the slot"),
            duration("max_late_ticks", "Latest", |row: &Self| {
                Some(row.max_late_ticks)
            })
            .hint("Longest time after the end of the slot"),
            event("event", "First event", |row: &Self| row.event),
            count("unplanned", "Unplanned", |row: &Self| Some(row.unplanned))
                .hint("Before the first cycle"),
        ],
    };
}
