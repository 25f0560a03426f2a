//! Error messages for SQL statements, with positions.

mod suggestions;

use datafusion::common::utils::datafusion_strsim::levenshtein;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use rtoscope_command::sql_protocol::SqlPosition;
use rtoscope_trace::printable::Printable;
use std::fmt;
use unicode_width::UnicodeWidthStr as _;

/// An error in a statement.
#[derive(Debug)]
pub(crate) struct SqlDiagnostic {
    message: String,
    /// The line of the statement, and the range of columns that is meant, from
    /// 0.
    span: Option<SourceSpan>,
}

#[derive(Debug)]
struct SourceSpan {
    number: usize,
    is_multiline: bool,
    line: String,
    start: usize,
    end: usize,
}

impl SqlDiagnostic {
    /// Creates a diagnostic from a DataFusion error, given the names of all
    /// tables.
    pub(crate) fn new(sql: &str, error: &DataFusionError, tables: &[String]) -> Self {
        let root = error.find_root();
        let mut message = message(root);
        let unknown = suggestions::unknown_column(root, sql);
        let names_columns = matches!(
            root,
            DataFusionError::SchemaError(..) | DataFusionError::SQL(..)
        );
        if !names_columns && is_about_a_subquery(&message) {
            SUBQUERY.clone_into(&mut message);
        }
        let mut position = None;
        if let Some(diagnostic) = error.diagnostic() {
            let span = diagnostic.span;
            position = span.and_then(|span| {
                let to = (span.start.line == span.end.line).then_some(span.end.column);
                SourceSpan::new(sql, span.start.line, span.start.column, to)
            });
            // What another tool calls so is a better help than a similar name.
            let helps = unknown.is_none().then_some(&diagnostic.helps);
            for help in helps.into_iter().flatten() {
                if !message.contains(&help.message) {
                    message.push('\n');
                    message.push_str(&help.message);
                }
            }
        }
        if let Some((before, line, column)) = split_location(&message) {
            position = SourceSpan::new(sql, line, column, None);
            message = before.to_owned();
        }
        if let Some(unknown) = unknown {
            message = unknown;
        }
        if let Some(name) = missing_table(&message) {
            let known = suggestions::table(name).or_else(|| similar(name, tables));
            if let Some(known) = known {
                message = format!("{message}. Did you mean '{known}'?");
            }
        }
        if let DataFusionError::Internal(_) = root {
            message = internal(&message, sql);
        }
        Self {
            message,
            span: position,
        }
    }

    /// The message without the position.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The position, if it is known.
    pub(crate) fn position(&self) -> Option<SqlPosition> {
        let span = self.span.as_ref()?;
        Some(SqlPosition {
            line: span.number,
            start: span.start,
            end: span.end,
        })
    }
}

/// Replaces messages that mention nodes of DataFusion's plans.
const SUBQUERY: &str = "this form of correlated subquery is not supported; rewrite it as a JOIN, with GROUP BY if it \
     yields one value per row";

/// Whether planning failed because of a correlated subquery.
fn is_about_a_subquery(message: &str) -> bool {
    [
        "OuterReferenceColumn",
        "outer_ref(",
        "ScalarSubquery",
        "scalar subquery",
        "<subquery>",
        "orrelated subquer",
        "orrelated scalar",
        "orrelated column",
        "LATERAL",
        "ateral join",
    ]
    .iter()
    .any(|pattern| message.contains(pattern))
}

/// A mistake of the engine itself, with the statement, which can be reported.
fn internal(message: &str, sql: &str) -> String {
    let sql: String = sql
        .lines()
        .map(|line| format!("\n  {}", Printable::text(line)))
        .collect();
    format!(
        "the SQL engine cannot run this statement; another form of it may work ({message}){sql}"
    )
}

/// The message without DataFusion's prefixes.
fn message(error: &DataFusionError) -> String {
    let message = match error {
        DataFusionError::SQL(error, _) => match &**error {
            ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
                message.clone()
            }
            other => other.to_string(),
        },
        DataFusionError::SchemaError(error, _) => error.to_string(),
        DataFusionError::Plan(message) => match rejected_statement(message) {
            Some(statement) => format!("statements only read: {statement} is rejected"),
            None => message.clone(),
        },
        DataFusionError::ResourcesExhausted(message) => {
            let first = message.lines().next().unwrap_or_default();
            format!("the statement needs more memory than it can use ({first})")
        }
        // Without the request to report it to DataFusion.
        DataFusionError::Internal(message) => message.lines().next().unwrap_or_default().to_owned(),
        DataFusionError::Execution(message) | DataFusionError::Configuration(message) => {
            message.clone()
        }
        DataFusionError::Diagnostic(_, error) => return self::message(error),
        DataFusionError::External(error) => error.to_string(),
        other => other.strip_backtrace(),
    };
    // DataFusion's backtrace does not help users.
    let end = message.find("\n\nbacktrace:").unwrap_or(message.len());
    let message = message[..end].trim_end();
    message.replace("datafusion.public.", "")
}

/// The kind of a statement that the engine does not allow.
fn rejected_statement(message: &str) -> Option<&str> {
    let kinds = ["DML not supported: ", "DDL not supported: "];
    kinds.iter().find_map(|kind| message.strip_prefix(kind))
}

/// Splits the position from the end of a parser message.
fn split_location(message: &str) -> Option<(&str, u64, u64)> {
    let (before, position) = message.rsplit_once(" at Line: ")?;
    let (line, column) = position.split_once(", Column: ")?;
    Some((before, line.parse().ok()?, column.parse().ok()?))
}

/// The table that does not exist.
fn missing_table(message: &str) -> Option<&str> {
    message.strip_prefix("table '")?.strip_suffix("' not found")
}

/// The most similar name, if one is similar enough.
fn similar<'a>(name: &str, names: &'a [String]) -> Option<&'a str> {
    let distance = |known: &&String| levenshtein(&name.to_lowercase(), known);
    let nearest = names.iter().min_by_key(distance)?;
    let longest = name.len().max(nearest.len());
    (distance(&nearest) * 2 <= longest).then_some(nearest)
}

impl SourceSpan {
    /// Lines and columns count from 1; 0 means unknown.
    fn new(sql: &str, line: u64, column: u64, to: Option<u64>) -> Option<Self> {
        let number = usize::try_from(line).ok()?;
        let text = sql.lines().nth(number.checked_sub(1)?)?;
        let length = text.chars().count();
        let from = usize::try_from(column.checked_sub(1)?).ok()?.min(length);
        let to = to.map_or(Some(from + 1), |to| {
            usize::try_from(to).ok()?.checked_sub(1)
        })?;
        Some(Self {
            number,
            is_multiline: sql.trim().lines().nth(1).is_some(),
            line: text.to_owned(),
            start: from,
            end: to.clamp(from + 1, length.max(from + 1)),
        })
    }
}

impl fmt::Display for SqlDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let Some(span) = &self.span else {
            return Ok(());
        };
        if span.is_multiline {
            write!(f, "\nin line {}:", span.number)?;
        }
        // Markers align with what they mark even if some of it is escaped.
        let escaped = |from: usize, to: usize| {
            let characters = span.line.chars().take(to).skip(from);
            let blanks_for_tabs = characters.map(|it| if it == '\t' { ' ' } else { it });
            Printable::text(&blanks_for_tabs.collect::<String>()).to_string()
        };
        let line = escaped(0, usize::MAX);
        let blanks = " ".repeat(escaped(0, span.start).width());
        let marks = "^".repeat(escaped(span.start, span.end).width().max(1));
        write!(f, "\n  {line}\n  {blanks}{marks}")
    }
}

impl std::error::Error for SqlDiagnostic {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parser_errors_have_positions() {
        let error = ParserError::ParserError("Expected: x, found: y at Line: 2, Column: 3".into());
        let error = DataFusionError::SQL(Box::new(error), None);
        let diagnostic = SqlDiagnostic::new("SELECT\n\ty y", &error, &[]).to_string();
        assert_eq!(
            diagnostic,
            "Expected: x, found: y\nin line 2:\n   y y\n    ^"
        );
        let escaped = SqlDiagnostic::new("SELECT\n\u{9b}y", &error, &[]).to_string();
        assert!(
            escaped.ends_with("\n  \\xc2\\x9by\n           ^"),
            "{escaped}"
        );
        let end = SqlDiagnostic::new("SELECT", &error, &[]).to_string();
        assert_eq!(end, "Expected: x, found: y");
    }

    #[test]
    fn tables_are_suggested() {
        let names = ["events", "slices"].map(str::to_owned);
        let message = |name: &str| {
            let error =
                DataFusionError::Plan(format!("table 'datafusion.public.{name}' not found"));
            SqlDiagnostic::new("", &error, &names).to_string()
        };
        let suggested = "table 'Event' not found. Did you mean 'events'?";
        assert_eq!(message("Event"), suggested);
        assert_eq!(message("zzz"), "table 'zzz' not found");
    }
}
