//! The columns of each table.

use crate::{cell, sentence};
use rtoscope_tables::{Column, Table};
use std::fmt::Write as _;

pub(crate) fn tables() -> String {
    let mut text = String::new();
    for table in Table::ALL {
        let _ = write!(text, "\n## {table}\n\n{}\n\n", sentence(table.about()));
        text.push_str("| column | type | |\n|---|---|---|\n");
        for column in table.columns() {
            let (name, about) = (column.name, cell(column.about));
            let _ = writeln!(text, "| `{name}` | {} | {about} |", column_type(column));
        }
    }
    text
}

fn column_type(column: &Column) -> String {
    let mut text = column.column_type.name().to_owned();
    if let Some(unit) = column.unit {
        let _ = write!(text, ", {unit}");
    }
    if column.nullable {
        text.push_str(", or null");
    }
    text
}
