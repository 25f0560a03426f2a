//! Requests and answers, one JSON object per line.

use crate::engine::SqlPosition;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
#[cfg(test)]
use ts_rs::TS;

/// A request of the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub(super) enum SqlRequest {
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
}

/// An answer: an object with one field.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub(super) enum SqlAnswer {
    /// What queries can use.
    Catalogue(SqlCatalogue),
    /// The result of a query.
    Result(SqlResult),
    /// Why there is none.
    Error(SqlError),
}

/// What queries can use.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(super) struct SqlCatalogue {
    /// Tables, then views.
    pub(super) tables: Vec<SqlTable>,
    /// Functions beyond those of the SQL dialect.
    pub(super) functions: Vec<SqlName>,
    /// Canned queries.
    pub(super) queries: Vec<SqlCannedQuery>,
    /// Keywords.
    pub(super) keywords: &'static [&'static str],
}

/// A table or view.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(super) struct SqlTable {
    /// Its name.
    pub(super) name: String,
    /// Whether it is a view.
    pub(super) is_view: bool,
    /// A description.
    pub(super) about: String,
    /// The columns.
    pub(super) columns: Vec<SqlName>,
}

/// A column, a function or a parameter.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(super) struct SqlName {
    /// The name; a function with its arguments, a parameter with its default as
    /// `name=value`.
    pub(super) name: String,
    /// A description.
    pub(super) about: String,
}

/// A canned query.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(super) struct SqlCannedQuery {
    /// Its name.
    pub(super) name: String,
    /// A question that it answers.
    pub(super) title: String,
    /// A description, in paragraphs.
    pub(super) about: Vec<String>,
    /// The statement; a parameter is `$name`.
    pub(super) sql: String,
    /// The parameters.
    pub(super) parameters: Vec<SqlName>,
}

/// The result of a query.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(super) struct SqlResult {
    /// The columns.
    pub(super) columns: Vec<SqlColumn>,
    /// The first rows. An integer beyond 2^53 and a number that is not finite are texts.
    #[cfg_attr(test, ts(type = "(string | number | boolean | null)[][]"))]
    pub(super) rows: Vec<Vec<serde_json::Value>>,
    /// The number of all rows.
    pub(super) count: u64,
    /// Run time.
    pub(super) milliseconds: f64,
    /// A reason why the result may mislead.
    pub(super) warning: Option<String>,
}

/// A column of a result.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(super) struct SqlColumn {
    /// The name; distinct.
    pub(super) name: String,
    /// Whether its values are numbers.
    pub(super) is_number: bool,
}

/// Why a query failed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(super) struct SqlError {
    /// The message.
    pub(super) message: String,
    /// Where, if it is known.
    pub(super) position: Option<SqlPosition>,
}

impl SqlError {
    pub(super) fn from_message(message: String) -> Self {
        Self {
            message,
            position: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typescript_types_are_current() {
        let text = rtoscope_fixtures::typescript![
            "crates/sql";
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
        let path = rtoscope_fixtures::repository_path("web/src/session/sql.ts");
        if std::env::var_os("RTOSCOPE_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "run `cargo xtask bless`");
    }
}
