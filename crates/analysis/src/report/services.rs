//! Events by kind and frequency.

use super::View;
use super::rounding::percent_of;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{Cell, LinkTarget, ReportTable, TableRow, column};
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{ContextId, EventKindId};
use schemars::JsonSchema;
use serde::Serialize;

/// A kind of event and its frequency.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ServiceRow {
    /// Its number in the format.
    pub id: u32,
    /// Its name, or its number if it is not in the catalogue.
    pub name: String,
    /// The software component it belongs to.
    pub component: String,
    /// Number of events.
    pub count: u64,
    /// The same in percent of all events of the scope.
    pub percent: f64,
    /// Number of contexts that logged it.
    pub contexts: u64,
}

impl TableRow for ServiceRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "services",
        title: ReportKind::Services.title(),
        note: "",
        empty: "No events",
        rank: "count",
        columns: &[
            column!(Link, name, "Event", |row| {
                Some(Cell::Link(&row.name, LinkTarget::EventKind { id: row.id }))
            }),
            column!(Count, id, "Id").only(&[Text, Viewer]),
            column!(Text, component, "Component"),
            column!(Count, count, "Count"),
            column!(Percent, percent, "Share").hint("Share of all events"),
            column!(Count, contexts, "Contexts").hint("Number of contexts that logged the event"),
        ],
    };
}

/// The kinds that occur, the most frequent first; among equals the lowest
/// number first.
pub fn services(view: &View<'_>) -> Vec<ServiceRow> {
    rows(view, |_| true)
}

/// The same for the events of one context. Percentages still refer to all
/// events.
pub fn services_of(view: &View<'_>, context: ContextId) -> Vec<ServiceRow> {
    rows(view, |logged_by| logged_by == context)
}

fn rows(view: &View<'_>, includes: impl Fn(ContextId) -> bool) -> Vec<ServiceRow> {
    let mut kinds: HashMap<EventKindId, (u64, u64)> = HashMap::new();
    for ((context, kind), count) in &view.event_counts.services {
        if includes(*context) {
            let (total, contexts) = kinds.entry(*kind).or_default();
            *total += count;
            *contexts += 1;
        }
    }
    let catalogue = &view.trace.catalogue;
    let row = |(kind, (count, contexts)): (EventKindId, (u64, u64))| ServiceRow {
        id: kind.0,
        name: catalogue.name(kind).into_owned(),
        component: catalogue.component(kind).to_owned(),
        count,
        percent: percent_of(count as f64, view.event_counts.events as f64).unwrap_or_default(),
        contexts,
    };
    let mut rows: Vec<_> = kinds.into_iter().map(row).collect();
    rows.sort_unstable_by_key(|row| (std::cmp::Reverse(row.count), row.id));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::{open, testdata_path, with_view};

    #[test]
    fn counts_agree_with_the_target() {
        let trace = open("linux32_filex.trx");
        with_view(&trace, &Scope::default(), check);
    }

    fn check(view: &View<'_>) {
        let truth = std::fs::read_to_string(testdata_path("linux32_filex.gt.json")).unwrap();
        let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
        let rows = services(view);
        let counted = truth["counts_in_buffer"].as_object().unwrap();
        assert_eq!(rows.len(), counted.len());
        for row in &rows {
            assert_eq!(counted[&row.id.to_string()], row.count, "{}", row.name);
        }
        let first: Vec<_> = rows.iter().map(|row| row.id).take(3).collect();
        assert_eq!(first, [204, 52, 57]);
        assert_eq!(rows[0].component, "filex");
        assert_eq!(rows[0].percent, 16.298);

        let contexts = view.trace.contexts.iter();
        let apart = contexts.flat_map(|context| services_of(view, context.id));
        let apart: u64 = apart.map(|row| row.count).sum();
        assert_eq!(apart, view.event_counts.events);
    }
}
