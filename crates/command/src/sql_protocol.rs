//! What the viewer's page, or another command, and `rtoscope-sql serve` write to each other:
//! requests and answers, one JSON object per line.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
#[cfg(test)]
use ts_rs::TS;

/// A request of the page.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub enum SqlRequest {
    /// Lists tables, functions and canned queries.
    Catalogue,
    /// Runs a statement.
    Query {
        /// The SQL.
        sql: String,
        /// The canned query whose parameters it has.
        named: Option<String>,
        /// Values of parameters; the others have their defaults.
        set: BTreeMap<String, String>,
    },
    /// Runs a query that must return no row. The warning of a result without one is the reason
    /// why that proves nothing.
    Check {
        /// The SQL.
        sql: String,
        /// Whether it may prove something in spite of missing events.
        accepts_gaps: bool,
    },
}

/// An answer: an object with one field.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum SqlAnswer {
    /// What queries can use.
    #[serde(skip_deserializing)]
    Catalogue(SqlCatalogue),
    /// The result of a query.
    Result(SqlResult),
    /// Why there is none.
    Error(SqlError),
}

/// What queries can use.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlCatalogue {
    /// Tables, then views.
    pub tables: Vec<SqlTable>,
    /// Functions beyond those of the SQL dialect.
    pub functions: Vec<SqlName>,
    /// Canned queries.
    pub queries: Vec<SqlCannedQuery>,
    /// Keywords.
    pub keywords: &'static [&'static str],
}

/// A table or view.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlTable {
    /// Its name.
    pub name: String,
    /// Whether it is a view.
    pub is_view: bool,
    /// A description.
    pub about: String,
    /// The columns.
    pub columns: Vec<SqlName>,
}

/// A column, a function or a parameter.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlName {
    /// The name; a function with its arguments, a parameter with its default as
    /// `name=value`.
    pub name: String,
    /// A description.
    pub about: String,
}

/// A canned query.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlCannedQuery {
    /// Its name.
    pub name: String,
    /// A question that it answers.
    pub title: String,
    /// A description, in paragraphs.
    pub about: Vec<String>,
    /// The statement; a parameter is `$name`.
    pub sql: String,
    /// The parameters.
    pub parameters: Vec<SqlName>,
}

/// The result of a query.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlResult {
    /// The columns.
    pub columns: Vec<SqlColumn>,
    /// The first rows. An integer beyond 2^53 and a number that is not finite are texts.
    #[cfg_attr(test, ts(type = "(string | number | boolean | null)[][]"))]
    pub rows: Vec<Vec<serde_json::Value>>,
    /// The number of all rows.
    pub count: u64,
    /// Run time.
    pub milliseconds: f64,
    /// A reason why the result may mislead.
    pub warning: Option<String>,
}

/// A column of a result.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlColumn {
    /// The name; distinct.
    pub name: String,
    /// Whether its values are numbers.
    pub is_number: bool,
}

/// Why a query failed.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlError {
    /// The message.
    pub message: String,
    /// Where, if it is known.
    pub position: Option<SqlPosition>,
}

/// A position in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SqlPosition {
    /// The line, from 1.
    pub line: usize,
    /// The first character in the line, from 0, in Unicode code points.
    pub start: usize,
    /// The character after the last one.
    pub end: usize,
}

impl SqlError {
    /// An error without a position.
    pub fn from_message(message: String) -> Self {
        Self {
            message,
            position: None,
        }
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.position {
            Some(at) => write!(f, " (line {}, character {})", at.line, at.start + 1),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SqlError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typescript_types_are_current() {
        let text = rtoscope_fixtures::typescript![
            "crates/command";
            SqlRequest,
            SqlAnswer,
            SqlCatalogue,
            SqlTable,
            SqlName,
            SqlCannedQuery,
            SqlResult,
            SqlColumn,
            SqlError,
            SqlPosition,
        ];
        rtoscope_fixtures::assert_current("web/src/session/sql.ts", &text);
    }
}
