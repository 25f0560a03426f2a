//! The tables of a fleet, which are one Delta table, in other engines.

use super::{Target, literals, translate};
use anyhow::Context as _;
use rtoscope_command::query::SqlDialect;
use std::fmt::Write as _;

/// A Delta table with the rows of all tables.
#[derive(Debug, Clone)]
pub struct DeltaTable {
    /// The URL of its folder.
    pub url: String,
    /// The name of each table, and its query on the Delta table.
    pub tables: Vec<(&'static str, String)>,
}

impl DeltaTable {
    /// Its name in SQL.
    pub const NAME: &'static str = "traces";

    /// Statements that create the tables.
    ///
    /// # Errors
    ///
    /// If a table has an expression without translation.
    pub(super) fn script(&self, target: &Target) -> anyhow::Result<String> {
        let mut script = format!(
            "-- The Delta table with all tables\n{}",
            self.source(target)
        );
        for (name, select) in &self.tables {
            let sql = translate::translate(select, target);
            let sql = sql.with_context(|| format!("table {name} for {}", target.dialect))?;
            let view = target.qualified(name);
            let _ = write!(script, "\nCREATE OR REPLACE VIEW {view} AS\n{sql};\n");
        }
        Ok(script)
    }

    /// The statement that creates the Delta table in the engine.
    fn source(&self, target: &Target) -> String {
        let name = target.qualified(Self::NAME);
        let url = literals::text(&self.url, target.dialect);
        match target.dialect {
            SqlDialect::Datafusion => format!(
                "CREATE EXTERNAL TABLE IF NOT EXISTS {name} STORED AS DELTATABLE LOCATION {url};\n"
            ),
            SqlDialect::Duckdb => {
                format!("LOAD delta;\nCREATE OR REPLACE VIEW {name} AS FROM delta_scan({url});\n")
            }
            SqlDialect::Spark => {
                format!("CREATE TABLE IF NOT EXISTS {name} USING delta LOCATION {url};\n")
            }
            SqlDialect::Trino => format!(
                "-- In a catalog of the Delta Lake connector, register it first:\n\
                 -- CALL delta.system.register_table('SCHEMA', '{}', {url})\n",
                Self::NAME
            ),
        }
    }
}
