//! What the page draws in the tables of some reports.

use super::cells::{dash, duration};
use super::chart::{level, stacked_bar};
use super::load::{THREAD_COLOURS, colours};
use super::table::Extra;
use rtoscope_analysis::View;
use rtoscope_analysis::report::load::Load;
use rtoscope_analysis::report::objects::ObjectRow;
use rtoscope_analysis::report::profile::{ProfileKind, ProfileRow};
use rtoscope_analysis::report::states::MachineStates;
use std::collections::BTreeMap;

/// The colour of each context in the chart of the load.
pub(super) fn profile<'a>(rows: &'a [ProfileRow], load: Option<&Load>) -> Extra<'a> {
    let classes = colour_classes(load);
    let prefix = move |row: usize| {
        let class = rows.get(row).map_or("", |row| match row.kind {
            ProfileKind::Thread => {
                let address = row.address.map(|address| address.0.0);
                classes.get(&address).map_or("others", String::as_str)
            }
            ProfileKind::Isr | ProfileKind::Kernel => "isr",
            ProfileKind::Initialize => "initialize",
            ProfileKind::Idle => "idle",
            ProfileKind::Unknown => "unknown",
        });
        format!("<i class=\"swatch {class}\"></i>")
    };
    Extra {
        prefix: Some(Box::new(prefix)),
        ..Extra::default()
    }
}

/// The colour classes of threads in the chart, by address.
fn colour_classes(load: Option<&Load>) -> BTreeMap<Option<u64>, String> {
    let Some(load) = load else {
        return BTreeMap::new();
    };
    let rows = load.contexts.iter().zip(colours(load));
    let rows = rows.filter_map(|(row, class)| Some((Some(row.address?.0.0), class?)));
    rows.collect()
}

/// The level of each object over time.
pub(super) fn objects<'a>(view: &'a View<'a>, rows: &'a [ObjectRow]) -> Extra<'a> {
    let cell = move |row: usize| {
        let row = rows.get(row);
        let found = row.and_then(|row| Some(level(view, row.level.as_ref()?, row.capacity)));
        found.unwrap_or_else(dash)
    };
    Extra {
        column: Some(("Level over time", Box::new(cell))),
        ..Extra::default()
    }
}

/// The states of a machine as a bar.
pub(super) fn machine(view: &View<'_>, machine: &MachineStates) -> String {
    let classes: Vec<_> = (0..machine.states.len()).map(state_class).collect();
    let states = machine.states.iter().zip(&classes);
    let states = states.map(|(row, class)| {
        let shown = format!("{}: {}", row.state, duration(view, row.duration));
        (shown, row.duration, class.as_str())
    });
    let unknown = format!("unknown: {}", duration(view, machine.unknown));
    let parts: Vec<_> = states
        .chain([(unknown, machine.unknown, "unknown")])
        .collect();
    stacked_bar(&format!("States of {}", machine.object), &parts)
}

/// The colour of each state in the bar of its machine.
pub(super) fn states() -> Extra<'static> {
    let prefix = |row| format!("<i class=\"swatch {}\"></i>", state_class(row));
    Extra {
        prefix: Some(Box::new(prefix)),
        ..Extra::default()
    }
}

fn state_class(row: usize) -> String {
    format!("c{}", row % THREAD_COLOURS)
}
