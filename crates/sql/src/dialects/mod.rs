//! Views and canned queries as SQL for other engines.
//!
//! There is one source of each view and query: its file, which rtoscope itself runs. The
//! text for an engine is made from its syntax tree, by the parser that DataFusion already
//! brings, instead of from a common subset of all dialects, because there is none: the same
//! `/` divides integers in two engines and makes a fraction in the others, the default
//! place of nulls in an order differs, and so do the names of types, of backslashes in
//! texts and of the function that makes rows from a range. Nor is there a text per dialect,
//! which would have to be kept equal by hand.
//!
//! The translation is sound because it knows little: [`translate`] accepts only expressions
//! and [functions] whose meaning it knows in all engines, and fails for any
//! other. A test translates everything that rtoscope has; tests in `interop/` run it.

mod base_tables;
mod delta_table;
mod functions;
mod inline;
mod literals;
mod series;
mod translate;

pub(crate) use inline::inline_functions;

use crate::canned_queries::CannedQuery;
use anyhow::{Context as _, ensure};
pub(crate) use base_tables::DatasetTables;
pub use delta_table::DeltaTable;
use rtoscope_command::query::{QueryParameter, SqlDialect};
use rtoscope_tables::sql::{SqlScript, views};
use std::fmt::Write as _;

/// The tables that a script creates before the views.
#[derive(Debug)]
pub(crate) enum BaseTables {
    /// Those of a dataset.
    Dataset(DatasetTables),
    /// Those of a fleet.
    Fleet(DeltaTable),
}

/// Where the text runs.
#[derive(Debug)]
pub(crate) struct Target {
    dialect: SqlDialect,
    /// The names of the schema that has the tables and views: none for the current one.
    schema: Vec<String>,
}

impl Target {
    /// An engine, and a schema such as `main` or `hive.traces`.
    ///
    /// # Errors
    ///
    /// If a part of the schema's name is empty or has more than one line.
    pub(crate) fn new(dialect: SqlDialect, schema: Option<&str>) -> anyhow::Result<Self> {
        let names = schema.into_iter().flat_map(|schema| schema.split('.'));
        let schema: Vec<_> = names.map(str::to_owned).collect();
        for name in &schema {
            let is_valid = !name.is_empty() && !name.contains(char::is_control);
            ensure!(
                is_valid,
                "the name of the schema has an invalid part {name:?}"
            );
        }
        Ok(Self { dialect, schema })
    }

    /// A script that creates the tables, if they are given, and all views.
    ///
    /// # Errors
    ///
    /// If a table or view has an expression without translation.
    pub(crate) fn views(&self, tables: Option<&BaseTables>) -> anyhow::Result<String> {
        let dialect = self.dialect;
        let mut script = match tables {
            Some(tables) => {
                let tables = match tables {
                    BaseTables::Dataset(tables) => tables.script(self)?,
                    BaseTables::Fleet(table) => table.script(self)?,
                };
                format!("-- Tables and views of rtoscope for {dialect}.\n\n{tables}")
            }
            None => format!(
                "-- Views of rtoscope for {dialect}, on tables with all columns. With the folder \
                of a\n-- dataset or the tables of a fleet, `rtoscope query --emit` also creates these.\n"
            ),
        };
        for view in views::all() {
            let _ = write!(script, "\n{}", self.view(&view)?);
        }
        Ok(script)
    }

    /// A statement that creates a view.
    fn view(&self, view: &SqlScript) -> anyhow::Result<String> {
        let sql = self.translated(view, view.sql)?;
        let name = self.qualified(view.name);
        let head = comments(view);
        Ok(format!("{head}CREATE OR REPLACE VIEW {name} AS\n{sql};\n"))
    }

    /// A canned query with the given values in place of its parameters.
    ///
    /// # Errors
    ///
    /// If there is no such parameter, or if the query has an expression without
    /// translation.
    pub(crate) fn query(
        &self,
        query: &CannedQuery,
        set: &[QueryParameter],
    ) -> anyhow::Result<String> {
        let sql = self.translated(&query.0, &query.bound(set)?)?;
        Ok(format!("{}{sql};\n", comments(&query.0)))
    }

    fn translated(&self, script: &SqlScript, sql: &str) -> anyhow::Result<String> {
        translate::translate(sql, self)
            .with_context(|| format!("cannot translate {} for {}", script.name, self.dialect))
    }

    /// The name of a table or view with its schema.
    fn qualified(&self, name: &str) -> String {
        let schema = self.schema.iter();
        let mut text: String = schema
            .map(|part| literals::identifier(part, self.dialect) + ".")
            .collect();
        text.push_str(name);
        text
    }
}

/// The title and description of a file as comments.
fn comments(script: &SqlScript) -> String {
    let mut text = format!("-- {}\n", script.title);
    for paragraph in &script.about {
        let _ = write!(text, "--\n-- {paragraph}\n");
    }
    text
}

#[cfg(test)]
mod tests;
