//! The tables as data, for the viewer's TypeScript.

use super::super::table::{CellKind, FrontEnd, TableRow};
use super::super::*;
use serde::Serialize;
use ts_rs::TS;

/// A table of a report, or a list of figures.
#[derive(Debug, Serialize, TS)]
pub(in super::super) struct TableDescription {
    /// Its title.
    title: &'static str,
    /// An explanation of columns.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[ts(optional, as = "Option<String>")]
    note: &'static str,
    /// The meaning of an empty table.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[ts(optional, as = "Option<String>")]
    empty: &'static str,
    /// The columns, in order.
    #[ts(type = "readonly ColumnDescription[]")]
    columns: Vec<ColumnDescription>,
}

/// A column of a table, or a figure of a list.
#[derive(Debug, Serialize, TS)]
pub(in super::super) struct ColumnDescription {
    /// The path of the value in the row.
    key: &'static str,
    /// The label.
    label: &'static str,
    /// The kind of the values.
    kind: CellKind,
    /// The unit, unless the value is a duration.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[ts(optional, as = "Option<String>")]
    unit: &'static str,
    /// An explanation.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[ts(optional, as = "Option<String>")]
    hint: &'static str,
    /// Shown for a missing value.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[ts(optional, as = "Option<String>")]
    missing: &'static str,
}

impl TableDescription {
    /// The labels of its columns.
    pub(super) fn labels(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().map(|column| column.label)
    }
}

/// The tables by path, as the viewer shows them.
pub(in super::super) fn tables() -> Vec<(&'static str, TableDescription)> {
    vec![
        table::<profile::ProfileRow>(),
        table::<performance::Performance>(),
        table::<threads::ThreadRow>(),
        table::<stacks::StackRow>(),
        table::<services::ServiceRow>(),
        table::<inversions::InversionRow>(),
        table::<latency::ThreadLatency>(),
        table::<latency::WaitRow>(),
        table::<periods::PeriodRow>(),
        table::<deadlines::DeadlineRow>(),
        table::<deadlines::DeadlineMiss>(),
        table::<pipeline::PipelineRow>(),
        table::<pipeline::PipelineStageRow>(),
        table::<pipeline::PipelineMiss>(),
        table::<intervals::IntervalRow>(),
        table::<intervals::IntervalEntry>(),
        table::<isr::IsrRow>(),
        table::<locks::LockRow>(),
        table::<objects::ObjectRow>(),
        table::<communication::ObjectUse>(),
        table::<communication::FlowRow>(),
        table::<context_switches::ContextSwitches>(),
        table::<context_switches::ThreadSwitchRow>(),
        table::<context_switches::HandlerRow>(),
        table::<context_switches::InterruptsOffRow>(),
        table::<markers::MarkerRow>(),
        table::<hardware::HardwareRow>(),
        table::<hardware::SlotRow>(),
        table::<active::ActiveObjectRow>(),
        table::<signals::SignalRow>(),
        table::<states::StateRow>(),
        table::<transitions::TransitionRow>(),
        table::<timers::TimerRow>(),
        table::<timers::NominalRuns>(),
        table::<health::Health>(),
    ]
}

fn table<R: TableRow>() -> (&'static str, TableDescription) {
    let columns = R::columns(FrontEnd::Viewer).map(|column| ColumnDescription {
        key: column.key,
        label: column.label,
        kind: column.kind(),
        unit: column.unit,
        hint: column.hint,
        missing: column.missing,
    });
    let description = TableDescription {
        title: R::TABLE.title,
        note: R::TABLE.note,
        empty: R::TABLE.empty,
        columns: columns.collect(),
    };
    (R::TABLE.path, description)
}
