//! State residency of state machines.

use super::{Hex, View};
use crate::active::{Residency, StateInterval, residencies};
use crate::naming::NameFormatter;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{ReportTable, TableRow, column};
use rtoscope_trace::{ContextId, Ticks, Vertex};
use schemars::JsonSchema;
use serde::Serialize;

/// A state machine.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MachineStates {
    /// Its active object.
    pub object: String,
    /// Its address.
    pub address: Hex,
    /// The states between steps, the longest time first. The time of a step
    /// counts for the state that it leaves. Their ticks and the unknown ones
    /// add up to the time of the scope.
    pub states: Vec<StateRow>,
    /// Time with an unknown state, in ticks: before the first record of it,
    /// after gaps, and while the machine does not exist.
    pub unknown: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_ns: Option<u64>,
    /// The same in percent; `None` if no time passes.
    pub unknown_percent: Option<f64>,
    /// Time from entry to exit of states, including composite ones. Several are
    /// active at once. Only states with both records in the trace.
    pub active: Vec<StateRow>,
}

impl TableRow for MachineStates {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "states",
        title: "State machines",
        note: "",
        empty: "No state machines",
        rank: "",
        columns: &[
            column!(Text, object, "Active object"),
            column!(Duration, unknown, "Unknown")
                .total()
                .hint("Time in an unknown state"),
            column!(Percent, unknown_percent, "Share"),
        ],
    };
}

/// State residency in one state.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StateRow {
    /// The state: its name, or its address if it has none.
    pub state: String,
    /// Its address.
    pub address: Hex,
    /// Time in ticks.
    pub duration: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<u64>,
    /// The same in percent of the time; `None` if no time passes.
    pub percent: Option<f64>,
    /// Number of times that the machine entered it, or was first known to be in
    /// it, in the scope.
    pub visits: u64,
    /// Visits with an unknown end, because records are missing: they count for
    /// as long as the trace confirms them.
    pub uncertain: u64,
    /// The longest visit, as far as it is in the scope.
    pub max: u64,
    /// The event with which it began.
    pub max_event: u32,
}

impl TableRow for StateRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "states.*.states",
        title: ReportKind::States.title(),
        note: "",
        empty: "No state machines",
        rank: "duration",
        columns: &[
            column!(Text, state, "State"),
            column!(Duration, duration, "Time").total(),
            column!(Percent, percent, "Share"),
            column!(Count, visits, "Visits"),
            column!(Count, uncertain, "Uncertain")
                .hint("Visits with an unknown end")
                .only(&[Text, Viewer]),
            column!(Duration, max, "Longest").hint("Longest visit"),
            column!(Event, max_event, "At event").hint("Start of the longest visit"),
        ],
    };
}

impl MachineStates {
    /// Whether states were active that no machine is in between steps.
    pub fn has_composite_states(&self) -> bool {
        let is_simple = |row: &StateRow| self.states.iter().any(|it| it.address == row.address);
        !self.active.iter().all(is_simple)
    }
}

/// The machines of the scope, in the order of the trace.
pub fn states(view: &View<'_>) -> Vec<MachineStates> {
    let machine = |object: ContextId| {
        let context = view.trace.contexts.get(object);
        let states = rows(view, intervals_of(&view.active.state_intervals, object));
        let known: u64 = states.iter().map(|row| row.duration).sum();
        let unknown = Ticks(view.span().0.saturating_sub(known));
        MachineStates {
            object: view.trace.context_name(object),
            address: Hex(context.map(|context| context.address).unwrap_or_default()),
            states,
            unknown: unknown.0,
            unknown_ns: view.nanoseconds(unknown),
            unknown_percent: view.percent(unknown),
            active: rows(
                view,
                intervals_of(&view.active.active_state_intervals, object),
            ),
        }
    };
    view.active_objects().map(machine).collect()
}

fn intervals_of(intervals: &[Vec<StateInterval>], object: ContextId) -> &[StateInterval] {
    intervals
        .get(object.index())
        .map(Vec::as_slice)
        .unwrap_or_default()
}

fn rows(view: &View<'_>, intervals: &[StateInterval]) -> Vec<StateRow> {
    let states = residencies(intervals, &view.window());
    let row = |(state, residency): (Vertex, Residency)| {
        let (max, max_event) = residency.max.unwrap_or_default();
        StateRow {
            state: NameFormatter(view.trace).vertex(state),
            address: Hex(state.0),
            duration: residency.ticks,
            duration_ns: view.nanoseconds(Ticks(residency.ticks)),
            percent: view.percent(Ticks(residency.ticks)),
            visits: residency.visits,
            uncertain: residency.uncertain,
            max,
            max_event,
        }
    };
    let mut rows: Vec<_> = states.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.duration));
    rows
}

#[cfg(test)]
mod tests;
