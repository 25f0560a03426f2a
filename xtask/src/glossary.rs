//! The index at the end of the glossary: all public types, and all columns of SQL.

use crate::shell;
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

const GLOSSARY: &str = "docs/src/reference/glossary.md";
const BEGIN: &str = "<!-- From here on made by `cargo xtask bless`. -->\n";

/// Chapters that list columns, themselves made from the code.
const COLUMNS: [&str; 2] = [
    "docs/src/export/tables.md",
    "docs/src/query/tables-and-views.md",
];

/// Writes the index anew.
pub(crate) fn bless() -> anyhow::Result<()> {
    fs::write(shell::root().join(GLOSSARY), glossary()?).context(GLOSSARY)
}

fn glossary() -> anyhow::Result<String> {
    let written = read(GLOSSARY)?;
    let (terms, _) = written.split_once(BEGIN).context("no marker in it")?;
    Ok(format!("{terms}{BEGIN}\n{}\n{}", types()?, columns()?))
}

fn read(path: &str) -> anyhow::Result<String> {
    fs::read_to_string(shell::root().join(path)).with_context(|| path.to_owned())
}

/// A table of all public types of the libraries.
fn types() -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(shell::root().join("crates"))? {
        let folder = entry?;
        let name = folder.file_name().to_string_lossy().into_owned();
        let mut files = shell::files_below(&folder.path().join("src"))?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
        for file in files {
            let source = fs::read_to_string(&file)?;
            rows.extend(public_types(&source).map(|(ty, meaning)| (ty, name.clone(), meaning)));
        }
    }
    rows.sort();
    rows.dedup();
    let mut text = "## Public types\n\n| type | crate | meaning |\n|---|---|---|\n".to_owned();
    for (ty, name, meaning) in rows {
        let _ = writeln!(text, "| `{ty}` | `{name}` | {meaning} |");
    }
    Ok(text)
}

/// The names of the public types that a file defines, with the first sentences of their
/// documentation.
fn public_types(source: &str) -> impl Iterator<Item = (String, String)> {
    let mut documentation = String::new();
    let mut in_attribute = false;
    source.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("///") {
            documentation.push(' ');
            documentation.push_str(text.trim());
            return None;
        }
        // Attributes between the documentation and the type may take several lines.
        if in_attribute || line.starts_with("#[") {
            in_attribute = !line.ends_with(']');
            return None;
        }
        let meaning = first_sentence(&std::mem::take(&mut documentation));
        let name = type_name(line).filter(|_| !meaning.is_empty())?;
        Some((name.to_owned(), meaning))
    })
}

/// The type that a line defines: by a keyword, or as an argument of a macro for ids.
fn type_name(line: &str) -> Option<&str> {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_uppercase())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric())
    };
    let Some(item) = line.strip_prefix("pub ") else {
        return Some(line).filter(|name| is_name(name));
    };
    let item = item.strip_prefix("unsafe ").unwrap_or(item);
    let keywords = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = keywords
        .iter()
        .find_map(|keyword| item.strip_prefix(keyword))?;
    let name = rest
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .next()?;
    Some(name).filter(|name| is_name(name))
}

/// The first sentence of a documentation comment, as text of a Markdown table.
fn first_sentence(documentation: &str) -> String {
    let text = documentation.trim();
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    let sentence = text.get(..end).unwrap_or(text);
    // Links to other items have no destination in the book.
    let mut plain = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let Some((label, after)) = after.split_once(']') else {
            rest = after;
            break;
        };
        let destination = after
            .strip_prefix('(')
            .and_then(|link| link.split_once(')'));
        match destination {
            Some((_, after)) => {
                plain.push_str(label);
                rest = after;
            }
            None if label.starts_with('`') => {
                plain.push_str(label);
                rest = after;
            }
            None => {
                let _ = write!(plain, "[{label}]");
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain.replace('|', "\\|")
}

/// A table of all columns of tables and views.
fn columns() -> anyhow::Result<String> {
    let mut columns: BTreeMap<String, (Vec<String>, String)> = BTreeMap::new();
    for path in COLUMNS {
        let mut table = String::new();
        for line in read(path)?.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                heading.clone_into(&mut table);
                continue;
            }
            let cells: Vec<&str> = line.split(" | ").collect();
            let (Some(first), Some(last)) = (cells.first(), cells.last()) else {
                continue;
            };
            let name = first
                .strip_prefix("| `")
                .and_then(|cell| cell.strip_suffix('`'));
            let is_column = name.filter(|name| is_column_of(&table, name));
            if let Some(name) = is_column {
                let meaning = last.trim_end_matches(" |").to_owned();
                let (tables, _) = columns
                    .entry(name.to_owned())
                    .or_insert_with(|| (Vec::new(), meaning));
                tables.push(format!("`{table}`"));
            }
        }
    }
    let mut text =
        "## SQL columns\n\n| column | tables and views | meaning in the first |\n|---|---|---|\n"
            .to_owned();
    for (name, (tables, meaning)) in columns {
        let _ = match tables.len() {
            0..=6 => writeln!(text, "| `{name}` | {} | {meaning} |", tables.join(", ")),
            count => writeln!(text, "| `{name}` | {count} | {meaning} |"),
        };
    }
    Ok(text)
}

/// Whether a row of a chapter is about a column: other tables have headings of several
/// words, or link their first cells.
fn is_column_of(table: &str, name: &str) -> bool {
    let is_word = |text: &str| {
        let mut letters = text.bytes();
        letters
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_')
    };
    !table.is_empty() && is_word(table) && is_word(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_up_to_date() {
        if std::env::var_os("RTOSCOPE_BLESS").is_some() {
            bless().unwrap();
        }
        assert!(
            read(GLOSSARY).unwrap() == glossary().unwrap(),
            "run `cargo xtask bless`"
        );
    }

    #[test]
    fn public_types_have_their_first_sentences() {
        let source = "\
            /// An [`Event`]'s [number](super::Number): a | b. More\n/// of it.\n\
            #[derive(Clone)]\n#[allow(\n    missing_docs,\n    reason = \"x\"\n)]\n\
            pub struct Index<T>(T);\n\
            /// Private.\nstruct Hidden;\npub enum Bare {}\n\
            ids! {\n    /// An id\n    Id\n}\n";
        let found: Vec<_> = public_types(source).collect();
        let index = (
            "Index".to_owned(),
            "An `Event`'s number: a \\| b.".to_owned(),
        );
        assert_eq!(found, [index, ("Id".to_owned(), "An id".to_owned())]);
    }
}
