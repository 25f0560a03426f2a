//! The pages of the book about tables, views and canned queries, generated from
//! their definitions by `cargo xtask bless`.

use crate::canned_queries::CannedQuery;
use crate::engine::FUNCTIONS;
use crate::script::{DocumentedName, SqlScript};
use crate::views;
use rtoscope_tables::Table;
use std::fmt::Write as _;
use std::{fs, io};

const TABLES_PREFACE: &str = "\
# Tables and views

The tables and views for [`rtoscope query`](query.md). Tables have the same names and columns in
[Parquet, Arrow, CSV and JSON lines](../export/tables.md), where each column is described; views
exist in SQL only, [in other engines too](dialects.md). In the shell, `.tables` lists tables and
views, and `.schema NAME` lists the columns of one; the SQL statement `DESCRIBE NAME` does the same.

Every table and view has the rows of all recordings given. Join them by `recording_id` and, for
example, `event` or `context_id`. `end` is an SQL keyword: write `\"end\"`.

`cargo xtask bless` generates this page from the tables of `rtoscope-tables` and the views of
`rtoscope-sql`.
";

const FUNCTIONS_PREFACE: &str = "
## Functions

In addition to those of [DataFusion](https://datafusion.apache.org/user-guide/sql/):

| function | description |
|---|---|
";

const CANNED_PREFACE: &str = "\
# Canned queries

Queries that are part of rtoscope. `rtoscope query --list` lists them, and

```sh
rtoscope query --named worst-wakeup --set n=3 FILE...
```

runs one of them on recordings. Each is an ordinary SQL statement on
[tables and views](tables-and-views.md), shown here as a starting point for your own queries.
`--emit` prints it [for another engine](dialects.md), such as DuckDB or Spark.

The last queries compare recordings by their tags: those of [tables of a fleet](../fleet/ingest.md),
or of a dataset that [`rtoscope export --tag`](../export/export.md#datasets) wrote.

`cargo xtask bless` generates this page from the files in `crates/sql/src/canned_queries`.
";

fn tables_page() -> String {
    let mut page = TABLES_PREFACE.to_owned();
    page.push_str("\n## Tables\n\n| table | description |\n|---|---|\n");
    for table in Table::ALL {
        let name = table.name();
        let link = format!("../export/tables.md#{name}");
        let _ = writeln!(page, "| [`{name}`]({link}) | {} |", cell(table.about()));
    }
    page.push_str("\n## Views\n\n| view | description |\n|---|---|\n");
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
        list(&mut page, "column", "description", &view.columns);
    }
    page
}

fn canned_page() -> String {
    let mut page = CANNED_PREFACE.to_owned();
    for CannedQuery(script) in CannedQuery::all() {
        let _ = write!(page, "\n## {}\n\n{}\n", script.name, script.title);
        paragraphs(&mut page, &script);
        list(&mut page, "column", "description", &script.columns);
        list(&mut page, "parameter", "description", &script.parameters);
        list(&mut page, "tag", "description", &script.tags);
        let _ = write!(page, "\n```sql\n{}\n```\n", script.sql);
    }
    page
}

fn paragraphs(page: &mut String, script: &SqlScript) {
    for paragraph in &script.about {
        let _ = write!(page, "\n{paragraph}\n");
    }
}

fn list(page: &mut String, name: &str, heading: &str, items: &[DocumentedName]) {
    if items.is_empty() {
        return;
    }
    let _ = write!(page, "\n| {name} | {heading} |\n|---|---|\n");
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
    let path = rtoscope_fixtures::repository_path(&format!("docs/src/query/{chapter}"));
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
    let queries = CannedQuery::all().map(|query| query.0);
    for script in queries.chain(views::all()) {
        let name = script.name;
        assert!(script.title.len() > 10, "{name}");
        let names_recording = script.columns.iter().any(|column| column.name == "file");
        assert!(names_recording || !script.tags.is_empty(), "{name}");
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
