//! Shell commands: lines that begin with a dot.

use crate::engine::{Engine, FUNCTIONS};
use anyhow::{Context as _, anyhow, bail, ensure};
use clap::ValueEnum as _;
use rtoscope_command::output;
use rtoscope_command::query::{QueryFormat, QueryParameter};
use rtoscope_tables::Table;
use rtoscope_tables::sql::views;
use std::path::PathBuf;

/// A shell command.
pub(super) enum Command {
    Help,
    Tables,
    Functions,
    Schema(String),
    List,
    Named(String, Vec<QueryParameter>),
    Format(QueryFormat),
    /// Whether to show the run time of queries.
    Timer(bool),
    Read(PathBuf),
    /// Where to write results; standard output if `None`.
    Output(Option<PathBuf>),
    Quit,
}

impl Command {
    /// The commands, for completion.
    pub(super) const NAMES: [&'static str; 12] = [
        ".exit",
        ".format",
        ".functions",
        ".help",
        ".list",
        ".named",
        ".output",
        ".quit",
        ".read",
        ".schema",
        ".tables",
        ".timer",
    ];

    pub(super) const HELP: &'static str = "\
SQL statements end with `;` and can span several lines. Ctrl-C cancels a query.

.tables                 list tables and views
.schema TABLE           list the columns of a table or view
.functions              list the functions added to DataFusion's
.list                   list the canned queries
.named NAME [P=VALUE]   run a canned query; quote values with spaces: P='A VALUE'
.format FORMAT          set the output format: table, csv, json, jsonl
.read FILE              run the statements and commands in a file
.output [FILE]          write results to a new file; without FILE, to the screen again
.timer on|off           show the run time of each query
.help                   show this text
.quit                   exit, like Ctrl-D
";

    /// Parses a line if it is a command.
    pub(super) fn read(line: &str) -> Option<anyhow::Result<Self>> {
        let line = line.trim();
        line.starts_with('.').then(|| Self::parse(line))
    }

    fn parse(line: &str) -> anyhow::Result<Self> {
        let mut words = words(line.trim_end_matches(';'))?.into_iter();
        let name = words.next().unwrap_or_default();
        let command = match (&*name, words.next()) {
            (".help", None) => Self::Help,
            (".tables", None) => Self::Tables,
            (".functions", None) => Self::Functions,
            // With its quotes, which are those of SQL.
            (".schema", Some(_)) => {
                let table = line[name.len()..].trim_end_matches(';').trim();
                Self::Schema(table.to_owned())
            }
            (".list", None) => Self::List,
            (".named", Some(name)) => {
                let parameters = words.by_ref().map(|word| {
                    let parameter = word.parse();
                    parameter.map_err(|error: String| anyhow!("{word}: {error}"))
                });
                Self::Named(name, parameters.collect::<Result<_, _>>()?)
            }
            (".format", Some(format)) => {
                let known = QueryFormat::from_str(&format, true);
                let text = known.ok().filter(|format| !format.is_binary());
                Self::Format(text.with_context(|| {
                    format!("unknown format {format:?}; use table, csv, json or jsonl")
                })?)
            }
            (".timer", Some(state)) => Self::Timer(match state.as_str() {
                "on" => true,
                "off" => false,
                _ => bail!(".timer takes on or off, not {state:?}"),
            }),
            (".read", Some(file)) => Self::Read(file.into()),
            (".output", file) => Self::Output(file.map(PathBuf::from)),
            (".quit" | ".exit", None) => Self::Quit,
            (".schema" | ".named" | ".format" | ".read", None) => bail!("{name} needs a name"),
            (".timer", None) => bail!(".timer needs on or off"),
            (known, Some(more)) if Self::NAMES.contains(&known) => {
                bail!("{known} does not take {more:?}")
            }
            (other, _) => bail!("unknown command {other}; type .help for help"),
        };
        match words.next() {
            None => Ok(command),
            Some(more) => bail!("{name} does not take {more:?}"),
        }
    }
}

/// Splits a line at spaces outside of quotes. A quote ends at the next quote of
/// the same kind.
fn words(line: &str) -> anyhow::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    ensure!(quote.is_none(), "unterminated quote");
    words.extend(word);
    Ok(words)
}

/// The names and descriptions of all tables and views.
pub(super) fn tables(engine: &Engine) -> String {
    let mut rows: Vec<[String; 3]> = Vec::new();
    for table in Table::ALL {
        rows.push([table.name(), "table", table.about()].map(str::to_owned));
    }
    for view in views::all() {
        rows.push([view.name, "view", view.title].map(str::to_owned));
    }
    let mut others = engine.tables();
    others.retain(|name| rows.iter().all(|row| row[0] != *name));
    others.sort();
    rows.extend(
        others
            .into_iter()
            .map(|name| [name, String::new(), String::new()]),
    );
    output::format_table(&["name", "", "rows"], &[], rows.into_iter().map(Vec::from))
}

/// The functions added to DataFusion's.
pub(super) fn functions() -> String {
    let rows = FUNCTIONS.iter().map(|function| {
        let cells = [function.call, function.about];
        cells.map(str::to_owned).to_vec()
    });
    output::format_table(&["function", "returns"], &[], rows)
}

/// The columns of a built-in table or view.
pub(super) fn schema(name: &str) -> Option<String> {
    if let Some(table) = Table::from_name(name) {
        let columns = table.columns().iter().map(|column| {
            let optional = if column.nullable { "?" } else { "" };
            vec![
                column.name.to_owned(),
                format!("{}{optional}", column.column_type.name()),
                column.unit.unwrap_or_default().to_owned(),
                column.about.to_owned(),
            ]
        });
        return Some(output::format_table(
            &["column", "type", "unit", ""],
            &[],
            columns,
        ));
    }
    let view = views::all().find(|view| view.name == name)?;
    let columns = view.columns.into_iter();
    let columns = columns.map(|column| vec![column.name.to_owned(), column.about]);
    Some(output::format_table(&["column", ""], &[], columns))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn quotes_group_words() {
        let line = ".named  x thread='System Timer Thread' \"o=it's\" p=''";
        let expected = [".named", "x", "thread=System Timer Thread", "o=it's", "p="];
        assert_eq!(words(line).unwrap(), expected);
        assert!(words(".named x thread='System").is_err());
        let Command::Named(name, parameters) = Command::parse(line).unwrap() else {
            panic!("{line}");
        };
        assert_eq!(
            (&*name, &*parameters[0].value),
            ("x", "System Timer Thread")
        );
    }

    #[test]
    fn unknown_formats_are_listed() {
        for format in ["xyz", "parquet"] {
            let error = Command::parse(&format!(".format {format}")).err().unwrap();
            assert!(error.to_string().contains("table, csv, json or jsonl"));
        }
    }
}
