//! The event kinds of each format.

use crate::cell;
use rtoscope_decode::{DecodeOptions, FORMATS};
use rtoscope_trace::EventKind;
use std::fmt::Write as _;
use std::iter;

/// A file for each format, with a table for each component.
pub(crate) fn all() -> impl Iterator<Item = (String, String)> {
    FORMATS.into_iter().map(|format| {
        let catalogue = format.catalogue(&DecodeOptions::default());
        let kinds: Vec<_> = catalogue.iter().collect();
        let components = kinds.chunk_by(|one, other| one.component == other.component);
        let text = components.map(component).collect();
        (format!("{}-events.md", format.name()), text)
    })
}

fn component(kinds: &[&EventKind]) -> String {
    let name = kinds.first().map_or("", |kind| &kind.component);
    let columns = kinds.iter().map(|kind| kind.all_arguments().count());
    let columns = columns.max().unwrap_or_default();
    let headings: String = (1..=columns)
        .map(|position| format!(" info{position} |"))
        .collect();
    let mut text = format!(
        "\n## {name}\n\n| id | event | symbol |{headings}\n|---|---|---|{}\n",
        "---|".repeat(columns)
    );
    for kind in kinds {
        let symbol = match kind.symbol.as_ref() {
            "" => String::new(),
            symbol => format!("`{symbol}`"),
        };
        let _ = write!(text, "| {} | {} | {symbol} |", kind.id, cell(&kind.name));
        let arguments = kind.all_arguments().chain(iter::repeat(None));
        for argument in arguments.take(columns) {
            let described = argument.map(|it| format!(" {} *({})*", it.name, it.meaning));
            let _ = write!(text, "{} |", described.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}
