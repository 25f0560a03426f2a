//! Points of interest.

use super::*;
use crate::report::markers::MarkerRow;

impl TableRow for MarkerRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "markers",
        title: ReportKind::Markers.title(),
        note: "",
        empty: "No points of interest",
        rank: "spans",
        columns: &[
            text("name", "Marker", |row: &Self| name(&row.name)),
            count("spans", "Spans", |row: &Self| Some(row.spans)),
            count("instants", "Instants", |row: &Self| Some(row.instants)),
            count("begin_unknown", "Begin unknown", |row: &Self| {
                Some(row.begin_unknown)
            })
            .hint("Ends without a recorded begin"),
            count("lost", "Lost", |row: &Self| Some(row.lost))
                .hint("Open where events are missing"),
            count("open", "Open", |row: &Self| Some(row.open)).hint("Open at the end of the trace"),
            distribution("duration", "Duration", |row: &Self| row.duration.as_ref())
                .hint("From begin to end"),
            distribution("period", "Period", |row: &Self| row.period.as_ref())
                .hint("From a begin or instant to the next"),
        ],
    };
}
