//! Tab completion.

use super::command::Command;
use crate::canned_queries::CannedQuery;
use crate::engine::{Engine, FUNCTIONS, KEYWORDS, Statements};
use rtoscope_tables::Table;
use rtoscope_tables::sql::views;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};
use std::collections::BTreeSet;

/// Completes names, and detects complete statements.
pub(super) struct ShellCompleter {
    tables: BTreeSet<String>,
    /// Columns of tables and views, and functions, which can replace
    /// them.
    columns: BTreeSet<String>,
    canned_queries: Vec<&'static str>,
    formats: [&'static str; 4],
}

impl ShellCompleter {
    pub(super) fn new(engine: &Engine) -> Self {
        let columns = Table::ALL.iter().flat_map(|table| table.columns());
        let columns = columns.map(|column| column.name.to_owned());
        let view_columns = views::all().flat_map(|view| view.columns);
        let view_columns = view_columns.map(|column| column.name.to_owned());
        let functions = FUNCTIONS.iter().map(|function| function.name().to_owned());
        Self {
            tables: engine.tables().into_iter().collect(),
            columns: columns.chain(view_columns).chain(functions).collect(),
            canned_queries: CannedQuery::all().map(|query| query.0.name).collect(),
            formats: ["csv", "json", "jsonl", "table"],
        }
    }

    /// Adds what statements created.
    pub(super) fn refresh(&mut self, engine: &Engine) {
        self.tables = engine.tables().into_iter().collect();
    }

    /// The start of the last word, and its completions.
    fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let is_command = line.trim_start().starts_with('.');
        let ends = |character: char| match is_command {
            true => character.is_whitespace(),
            false => !(character.is_alphanumeric() || character == '_'),
        };
        let start = line.rfind(ends).map_or(0, |at| {
            at + line[at..].chars().next().map_or(0, char::len_utf8)
        });
        let word = &line[start..];
        let fits = |known: &&str| known.starts_with(word);
        let owned = |known: &str| known.to_owned();
        if is_command {
            let names = match line[..start].trim() {
                "" => Command::NAMES.to_vec(),
                ".named" => self.canned_queries.clone(),
                ".format" => self.formats.to_vec(),
                ".schema" => self.tables.iter().map(String::as_str).collect(),
                _ => Vec::new(),
            };
            return (start, names.into_iter().filter(fits).map(owned).collect());
        }
        if word.is_empty() && !line.ends_with('.') {
            return (start, Vec::new());
        }
        let columns = self.columns.iter().map(String::as_str);
        if line[..start].ends_with('.') {
            return (start, columns.filter(fits).map(owned).collect());
        }
        let tables = self.tables.iter().map(String::as_str);
        let names = tables.chain(columns).filter(fits).map(owned);
        let upper = word.to_uppercase();
        let is_lower = word.starts_with(char::is_lowercase);
        let keywords = KEYWORDS.iter().filter(|known| known.starts_with(&upper));
        let keywords = keywords.map(|known| match is_lower {
            true => known.to_lowercase(),
            false => owned(known),
        });
        let all: BTreeSet<_> = names.chain(keywords).collect();
        (start, all.into_iter().collect())
    }
}

impl Completer for ShellCompleter {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.complete(line.get(..position).unwrap_or(line)))
    }
}

impl Validator for ShellCompleter {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        let is_complete = Command::read(text).is_some() || Statements::parse(text).rest.is_none();
        Ok(match is_complete {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Hinter for ShellCompleter {
    type Hint = String;
}

impl Highlighter for ShellCompleter {}

impl Helper for ShellCompleter {}

#[cfg(test)]
mod tests {
    use super::*;

    fn completer() -> ShellCompleter {
        ShellCompleter {
            tables: ["events", "slices"].map(str::to_owned).into(),
            columns: ["event", "end", "start"].map(str::to_owned).into(),
            canned_queries: vec!["worst-wakeup"],
            formats: ["csv", "json", "jsonl", "table"],
        }
    }

    #[test]
    fn words_complete_to_names() {
        let complete = |line: &str| completer().complete(line);
        let found =
            |start, words: &[&str]| (start, words.iter().map(|&it| it.to_owned()).collect());
        assert_eq!(complete("SELECT ev"), found(7, &["event", "events"]));
        assert_eq!(complete("SELECT s.e"), found(9, &["end", "event"]));
        assert_eq!(complete("sel"), found(0, &["select"]));
        assert_eq!(complete("SEL"), found(0, &["SELECT"]));
        assert_eq!(complete("SELECT "), found(7, &[]));
        assert_eq!(complete("SELECT 'µ"), found(8, &[]));
    }

    #[test]
    fn commands_are_completed() {
        let complete = |line: &str| completer().complete(line).1;
        assert_eq!(complete(".ta"), [".tables"]);
        assert_eq!(complete(".named wo"), ["worst-wakeup"]);
        assert_eq!(complete(".schema s"), ["slices"]);
        assert_eq!(complete(".format js"), ["json", "jsonl"]);
        assert!(complete(".quit x").is_empty());
    }
}
