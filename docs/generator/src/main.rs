//! Writes the parts of the book that list what is in the code, one Markdown file each, into
//! the folder that is its argument.
//!
//! `cargo xtask book` runs it. The pages in `docs/src` include the files:
//! `{{#include ../generated/tables.md}}`.

#![forbid(unsafe_code)]

mod check;
mod events;
mod extensions;
mod json;
mod sql;
mod tables;

use anyhow::Context as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> anyhow::Result<()> {
    let folder = env::args_os().nth(1).context("no folder to write to")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let fixed = [
        ("tables.md", tables::tables()),
        ("sql-tables.md", sql::table_list()),
        ("sql-views.md", sql::view_list()),
        ("sql-functions.md", sql::function_list()),
        ("sql-view-columns.md", sql::views()),
        ("canned-queries.md", sql::canned_queries()),
        ("report-members.md", json::report()),
        ("check-figures.md", check::figures()),
        ("extensions.md", extensions::table()),
        ("settings.txt", rtoscope_command::input::list_settings()),
    ];
    let fixed = fixed.map(|(name, text)| (name.to_owned(), text));
    for (name, text) in fixed.into_iter().chain(events::all()) {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
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
