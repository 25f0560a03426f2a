//! Parses the event tables: one event per line, columns separated by tabs.
//!
//! Columns: number, name in the source, display name, `internal` or `call`,
//! letters, colour, second colour, and four arguments, each `name:meaning` or
//! `-` if nothing is recorded. Events that the recorder has a generated function for also
//! have its group, or `-`, and a note for its documentation, or `-`. The first line contains
//! the column names.

use super::names::meaning_from_name;
use rtoscope_trace::catalogue::{ArgumentDef, ExtrasLayout, Icon};
use rtoscope_trace::{EventKind, EventKindId};

/// A malformed line of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the {component} table: no {wanted}")]
pub(super) struct MalformedLine {
    component: &'static str,
    /// Counted from 1, including the line of column names.
    line: usize,
    /// The missing part.
    wanted: &'static str,
}

/// The kinds in a component's table, line by line.
pub(super) fn kinds(
    component: &'static str,
    table: &'static str,
) -> impl Iterator<Item = Result<EventKind, MalformedLine>> {
    let lines = table.lines().zip(1..).skip(1);
    lines.map(move |(text, line)| {
        kind(component, text).map_err(|wanted| MalformedLine {
            component,
            line,
            wanted,
        })
    })
}

/// Parses one event; an error contains the missing part.
fn kind(component: &'static str, line: &'static str) -> Result<EventKind, &'static str> {
    let mut columns = line.split('\t');
    let mut column = |wanted| columns.next().ok_or(wanted);
    let id = column("number")?.parse().map_err(|_| "number")?;
    let symbol = column("symbol")?;
    let name = column("name")?;
    let internal = match column("origin")? {
        "internal" => true,
        "call" => false,
        _ => return Err("origin, `internal` or `call`"),
    };
    let letters = column("letters")?;
    let colour = column("colour")?.parse().map_err(|_| "colour")?;
    let second = column("second colour")?;
    let second = second.parse().map_err(|_| "second colour")?;
    let mut arguments = [const { None }; 4];
    for place in &mut arguments {
        *place = argument(column("fourth argument")?)?;
    }
    if !matches!(columns.count(), 0 | 2) {
        return Err("end after the fourth argument, or group and note");
    }
    Ok(EventKind {
        id: EventKindId(id),
        symbol: symbol.into(),
        name: name.into(),
        component: component.into(),
        internal,
        icon: Icon {
            letters: letters.into(),
            colour,
            second_colour: second,
        },
        arguments,
        extras: ExtrasLayout::NONE,
        marker: None,
    })
}

fn argument(text: &'static str) -> Result<Option<ArgumentDef>, &'static str> {
    if text == "-" {
        return Ok(None);
    }
    let (name, meaning) = text.split_once(':').ok_or("argument `name:meaning`")?;
    let meaning = meaning_from_name(meaning).ok_or("known meaning of an argument")?;
    Ok(Some(ArgumentDef {
        name: name.into(),
        meaning,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::catalogue::{Colour, Meaning};
    use std::borrow::Cow;

    const GOOD: &str =
        "7\tTX_X\ttx_x\tcall\tXX\t#010203\t#040506\tn:count\t-\t-\tstate:thread-state";

    #[test]
    fn a_line_is_a_kind() {
        let kind = kind("test", GOOD).unwrap();
        assert_eq!(kind.id, EventKindId(7));
        assert!(matches!(kind.name, Cow::Borrowed("tx_x")));
        assert_eq!(kind.component, "test");
        assert!(!kind.internal);
        assert_eq!(kind.icon.second_colour, Colour([4, 5, 6]));
        let [first, second, _, last] = kind.arguments;
        assert_eq!(first.unwrap().meaning, Meaning::Count);
        assert_eq!(second, None);
        assert_eq!(last.unwrap().meaning.name(), "thread-state");
    }

    #[test]
    fn what_a_line_lacks_is_said_with_its_number() {
        let problem = |table| kinds("test", table).find_map(Result::err);
        let message = |table| problem(table).map(|problem| problem.to_string());
        assert_eq!(problem("columns\n"), None);
        assert_eq!(
            message("columns\nseven").as_deref(),
            Some("line 2 of the test table: no number")
        );
        for (wrong, wanted) in [
            ("7\tTX_X\ttx_x\tmaybe", "origin, `internal` or `call`"),
            ("7\tTX_X\ttx_x\tcall\tXX\tred", "colour"),
            (
                "7\tX\tx\tcall\tX\t#010203\t#040506\tn:count\t-\t-",
                "fourth argument",
            ),
            (
                "7\tX\tx\tcall\tX\t#010203\t#040506\tn:counts\t-\t-\t-",
                "known meaning of an argument",
            ),
            (
                "7\tX\tx\tcall\tX\t#010203\t#040506\tn\t-\t-\t-",
                "argument `name:meaning`",
            ),
            (
                "7\tX\tx\tcall\tX\t#010203\t#040506\t-\t-\t-\t-\t-",
                "end after the fourth argument, or group and note",
            ),
        ] {
            assert_eq!(kind("test", wrong), Err(wanted), "{wrong}");
        }
    }
}
