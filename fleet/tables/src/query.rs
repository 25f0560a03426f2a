//! `rtoscope query` on the tables of a fleet.

use crate::bucket_conditions::{BucketConditions, PrunedTable};
use crate::schema::{PROVENANCE, TABLE, data_fields, stored_name};
use crate::snapshot::TRACES;
use crate::traces::TraceTables;
use anyhow::{Context as _, ensure};
use datafusion::prelude::SessionContext;
use rtoscope_command::query::{QueryArgs, SqlDialect};
use rtoscope_sql::query::{DeltaTable, emit_fleet, run_on_tables};
use rtoscope_tables::Table;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// Runs the command; returns whether its check passed, if it is a check.
///
/// # Errors
///
/// If the tables cannot be read, the query fails, or the result cannot be written.
pub(crate) fn run(arguments: Box<QueryArgs>) -> anyhow::Result<bool> {
    if arguments.list || arguments.emit.is_some() && !arguments.is_of_fleet() {
        return rtoscope_sql::query::run(arguments);
    }
    if let Some(dialect) = arguments.emit {
        emit(&arguments, dialect)?;
        return Ok(true);
    }
    ensure!(
        arguments.engine.is_none(),
        "--engine needs rtoscope-cluster; run `rtoscope query`"
    );
    let (root, sql) = arguments.tables_and_sql()?;
    run_on_tables(&arguments, sql, async |context| {
        let tables = TraceTables::open(&root, arguments.as_of).await?;
        register(context, &tables).await
    })
}

/// Writes a script for another engine, with the tables.
fn emit(arguments: &QueryArgs, dialect: SqlDialect) -> anyhow::Result<()> {
    ensure!(
        arguments.as_of.is_none(),
        "--as-of applies to rtoscope's own queries only"
    );
    let (root, _) = arguments.tables_and_sql()?;
    let runtime = Runtime::new().context("cannot start threads")?;
    let tables = runtime.block_on(TraceTables::open(&root, None))?;
    let columns = tables.columns()?;
    let table = DeltaTable {
        url: tables.root.url.to_string(),
        tables: selects(&columns).collect(),
    };
    emit_fleet(arguments, dialect, table)
}

/// Adds the tables to a session.
pub(crate) async fn register(context: &SessionContext, tables: &TraceTables) -> anyhow::Result<()> {
    tables.table.update_datafusion_session(&context.state())?;
    let provider = tables.table.table_provider().await?;
    let provider = PrunedTable::new(provider, BucketConditions(tables.bucket_digits));
    context.register_table(TRACES, Arc::new(provider))?;
    for create in views(&tables.columns()?) {
        context.sql(&create).await.with_context(|| create.clone())?;
    }
    Ok(())
}

/// The statements that create a view for each table.
pub(crate) fn views(columns: &BTreeSet<String>) -> impl Iterator<Item = String> {
    selects(columns).map(|(name, select)| format!("CREATE VIEW {name} AS {select}"))
}

/// The name of each table, and its query.
fn selects(columns: &BTreeSet<String>) -> impl Iterator<Item = (&'static str, String)> {
    let tables = Table::ALL.iter();
    tables.map(|table| (table.name(), select(*table, columns)))
}

/// The query for a table: its own columns, for `recordings` those of their origin, the partition
/// columns but the table's name, and the tags.
fn select(table: Table, columns: &BTreeSet<String>) -> String {
    let own = table.columns().iter().map(|column| {
        let stored = stored_name(table, column);
        match stored == column.name {
            true => format!("\"{stored}\""),
            false => format!("\"{stored}\" AS \"{}\"", column.name),
        }
    });
    let provenance = PROVENANCE
        .iter()
        .filter(|_| table == Table::Recordings)
        .map(|(name, _)| format!("\"{name}\""));
    let known: BTreeSet<_> = data_fields(&BTreeSet::new())
        .into_iter()
        .map(|field| field.name().clone())
        .collect();
    let is_tag = |name: &&String| !known.contains(*name) && *name != TABLE;
    let tags = columns.iter().filter(is_tag);
    let tags = tags.map(|name| format!("\"{name}\""));
    let columns: Vec<_> = own.chain(provenance).chain(tags).collect();
    format!(
        "SELECT {} FROM {TRACES} WHERE {TABLE} = '{}'",
        columns.join(", "),
        table.name()
    )
}
