//! The book's list of tables matches their definitions.

use rtoscope_tables::{Column, Table};
use std::fmt::Write as _;

const BEGIN: &str = "<!-- From here on made by `cargo xtask bless` from crates/tables. -->\n";

#[test]
fn the_book_lists_the_tables() {
    let path = rtoscope_fixtures::repository_path("docs/src/export/tables.md");
    let written = std::fs::read_to_string(&path).unwrap();
    let (before, _) = written.split_once(BEGIN).unwrap();
    let chapter = format!("{before}{BEGIN}{}", reference());
    if std::env::var_os("RTOSCOPE_BLESS").is_some() {
        std::fs::write(&path, &chapter).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written == chapter, "run `cargo xtask bless`");
}

fn reference() -> String {
    let mut text = String::new();
    for table in Table::ALL {
        let _ = write!(text, "\n## {table}\n\n{}.\n\n", sentence(table.about()));
        text.push_str("| column | type | |\n|---|---|---|\n");
        for column in table.columns() {
            let _ = writeln!(
                text,
                "| `{}` | {} | {} |",
                column.name,
                kind(column),
                column.about
            );
        }
    }
    text
}

fn sentence(about: &str) -> String {
    let (first, rest) = about.split_at(1);
    first.to_uppercase() + rest
}

fn kind(column: &Column) -> String {
    let mut kind = column.column_type.name().to_owned();
    if let Some(unit) = column.unit {
        let _ = write!(kind, ", {unit}");
    }
    if column.nullable {
        kind.push_str(", or null");
    }
    kind
}
