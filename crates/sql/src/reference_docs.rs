//! The pages of the book about tables, views and canned queries, generated from
//! their definitions by `cargo xtask bless`.

use crate::canned_queries::CannedQuery;
use crate::query::FUNCTIONS;
use crate::script::{DocumentedName, SqlScript};
use crate::views;
use rtoscope_tables::Table;
use std::fmt::Write as _;
use std::{fs, io};

const TABLES_PREFACE: &str = "\
# Tables and views

What [`rtoscope query`](query.md) can be asked about. Tables are the same in
[Parquet, Arrow, CSV and JSON lines](../export/tables.md), where their columns are told; views
are there in SQL only. In the shell, `.tables` lists them and `.schema NAME` tells the columns
of one; everywhere `DESCRIBE NAME` does.

All of them have the rows of all recordings that were named. Join them by `recording_id` and,
say, `event` or `context_id`. `end` is a word of SQL: write `\"end\"`.

This page is made from the tables of `rtoscope-tables` and the views of `rtoscope-sql` by
`cargo xtask bless`.
";

const FUNCTIONS_PREFACE: &str = "
## Functions

Beside those of [DataFusion](https://datafusion.apache.org/user-guide/sql/):

| function | returns |
|---|---|
";

const CANNED_PREFACE: &str = "\
# Canned queries

Questions that come with rtoscope. `rtoscope query --list` lists them, and

```sh
rtoscope query --named worst-wakeup --set n=3 FILE...
```

answers one of them for any recordings. Each is a statement as a user could write it, of
[tables and views](tables-and-views.md), shown here as a start for others.

This page is made from the files in `crates/sql/src/canned` by `cargo xtask bless`.
";

fn tables_page() -> String {
    let mut page = TABLES_PREFACE.to_owned();
    page.push_str("\n## Tables\n\n| table | rows |\n|---|---|\n");
    for table in Table::ALL {
        let name = table.name();
        let link = format!("../export/tables.md#{name}");
        let _ = writeln!(page, "| [`{name}`]({link}) | {} |", cell(table.about()));
    }
    page.push_str("\n## Views\n\n| view | rows |\n|---|---|\n");
    for view in views::all() {
        let name = view.name;
        let _ = writeln!(page, "| [`{name}`](#{name}) | {} |", cell(view.title));
    }
    page.push_str(FUNCTIONS_PREFACE);
    for function in &FUNCTIONS {
        let _ = writeln!(page, "| `{}` | {} |", function.call, cell(function.about));
    }
    for view in views::all() {
        let _ = write!(page, "\n## {}\n\n{}\n", view.name, sentence(view.title));
        paragraphs(&mut page, &view);
        list(&mut page, "column", "tells", &view.columns);
    }
    page
}

fn canned_page() -> String {
    let mut page = CANNED_PREFACE.to_owned();
    for CannedQuery(script) in CannedQuery::all() {
        let _ = write!(page, "\n## {}\n\n{}\n", script.name, script.title);
        paragraphs(&mut page, &script);
        list(&mut page, "column", "tells", &script.columns);
        list(&mut page, "parameter", "sets", &script.parameters);
        let _ = write!(page, "\n```sql\n{}\n```\n", script.sql);
    }
    page
}

fn paragraphs(page: &mut String, script: &SqlScript) {
    for paragraph in &script.about {
        let _ = write!(page, "\n{paragraph}\n");
    }
}

fn list(page: &mut String, name: &str, tells: &str, items: &[DocumentedName]) {
    if items.is_empty() {
        return;
    }
    let _ = write!(page, "\n| {name} | {tells} |\n|---|---|\n");
    for item in items {
        let _ = writeln!(page, "| `{}` | {} |", item.name, cell(&item.about));
    }
}

/// Text in a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Text as a sentence of its own.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).chain(['.']).collect()
}

fn check(chapter: &str, page: &str) -> io::Result<()> {
    let path = format!(
        "{}/../../docs/src/query/{chapter}",
        env!("CARGO_MANIFEST_DIR")
    );
    if std::env::var_os("RTOSCOPE_BLESS").is_some() {
        fs::write(&path, page)?;
    }
    let found = fs::read_to_string(&path)?;
    assert!(
        found == page,
        "{chapter} is out of date; run `cargo xtask bless`"
    );
    Ok(())
}

#[test]
fn the_book_lists_every_table_and_view() -> io::Result<()> {
    check("tables-and-views.md", &tables_page())
}

#[test]
fn the_book_lists_every_canned_query() -> io::Result<()> {
    check("canned.md", &canned_page())
}

#[test]
fn canned_files_are_documented() {
    let questions = CannedQuery::all().map(|question| question.0);
    for script in questions.chain(views::all()) {
        let name = script.name;
        assert!(script.title.len() > 10, "{name}");
        assert!(
            script.columns.iter().any(|column| column.name == "file"),
            "{name}"
        );
        assert!(
            script.columns.iter().all(|it| !it.about.is_empty()),
            "{name}"
        );
        for parameter in &script.parameters {
            let (parameter, _) = parameter.name.split_once('=').unwrap();
            assert!(script.sql.contains(&format!("${parameter}")), "{name}");
        }
    }
}
