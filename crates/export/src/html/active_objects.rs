//! Active objects: states and transitions.

use super::cells::{duration, escaped};
use super::chart::stacked_bar;
use super::load::THREAD_COLOURS;
use super::table::{MAX_ROWS, caption, columns_with_prefix, report_table, table};
use rtoscope_analysis::View;
use rtoscope_analysis::report::states::{MachineStates, StateRow};
use rtoscope_analysis::report::transitions::Transitions;

/// The states of machines.
pub(super) fn states(view: &View<'_>, machines: &[MachineStates]) -> String {
    let machines = machines.iter().zip(0..).take(MAX_ROWS);
    machines
        .map(|(one, place)| machine_table(view, one, place))
        .collect()
}

fn machine_table(view: &View<'_>, machine: &MachineStates, place: usize) -> String {
    let states = &machine.states;
    let colours: Vec<_> = (0..states.len()).map(colour).collect();
    let unknown = duration(view, machine.unknown_ticks);
    let state = |row: &StateRow| format!("{}: {}", row.state, duration(view, row.ticks));
    let mut parts: Vec<_> = states
        .iter()
        .zip(&colours)
        .map(|(row, colour)| (state(row), row.ticks, colour.as_str()))
        .collect();
    parts.push((
        format!("unknown: {unknown}"),
        machine.unknown_ticks,
        "unknown",
    ));
    let bar = stacked_bar(&format!("States of {}", machine.object), &parts);
    let columns = columns_with_prefix(view, |row: &StateRow| {
        let mut places = states.iter().zip(&colours);
        let found = places.find(|(state, _)| std::ptr::eq(*state, row));
        let class = found.map_or("", |(_, colour)| colour);
        format!("<i class=\"swatch {class}\"></i>")
    });
    let name = escaped(&machine.object);
    let caption = format!(
        "{} of {name}; its state is unknown for {unknown}",
        caption::<StateRow>()
    );
    let path = format!("states.{place}.states");
    let table = table(&path, &caption, states, &columns, |row| row.ticks);
    format!("<h3>{name} {bar}</h3>{table}")
}

fn colour(place: usize) -> String {
    format!("c{}", place % THREAD_COLOURS)
}

/// The transitions of machines, and those never taken.
pub(super) fn transitions(view: &View<'_>, found: &Transitions) -> String {
    let mut html = report_table(view, &found.taken, |row| row.count);
    let states = found
        .states_never_entered
        .iter()
        .map(|never| match &never.object {
            Some(object) => format!("{} of {}", escaped(&never.state), escaped(object)),
            None => escaped(&never.state),
        });
    html.push_str(&never_list("States never entered", states.collect()));
    let signals = found.signals_never_received.iter().map(escaped);
    html.push_str(&never_list("Signals never received", signals.collect()));
    html
}

fn never_list(title: &str, mut names: Vec<String>) -> String {
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(MAX_ROWS);
    names.truncate(MAX_ROWS);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("<p><b>{title}:</b> {}{more}</p>", names.join(", "))
}
