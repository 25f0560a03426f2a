//! `rtoscope-sql query`: SQL queries on recordings.

use crate::canned_queries::CannedQuery;
pub use crate::dialects::DeltaTable;
use crate::dialects::{BaseTables, DatasetTables, Target};
use crate::engine::{
    Dataset, Engine, Evidence, RecordingOptions, Statements, cannot_decide, is_dataset, nesting,
};
use crate::{fleet_report, results, shell};
use anyhow::{Context as _, ensure};
use datafusion::prelude::SessionContext;
use rtoscope_command::input::{DecodeArgs, FileArgs, TextLogArgs, TimingArgs, guard_overwrite};
use rtoscope_command::query::{QueryArgs, QueryFormat, SqlDialect};
use rtoscope_command::{Undecided, output};
use rtoscope_trace::printable::Printable;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{panic, thread};
use tokio::runtime::Runtime;

/// Runs the command and returns whether its check passed, if it is a check.
///
/// # Errors
///
/// If a recording cannot be read, the query fails, or the result cannot be
/// written.
pub fn run(arguments: Box<QueryArgs>) -> anyhow::Result<bool> {
    let arguments: Arc<QueryArgs> = arguments.into();
    if arguments.list {
        let mut output = results::stdout();
        output.write_all(CannedQuery::list().as_bytes())?;
        output.flush()?;
        return Ok(true);
    }
    if let Some(dialect) = arguments.emit {
        emit(&arguments, dialect)?;
        return Ok(true);
    }
    let (files, sql) = arguments.inputs_and_sql()?;
    ensure!(
        arguments.engine.is_none(),
        "--engine needs rtoscope-cluster; run `rtoscope query`"
    );
    ensure!(
        arguments.as_of.is_none(),
        "--as-of applies to the tables of a fleet only"
    );
    let request = Request::new(&arguments, sql)?;
    guard_overwrite(arguments.text_logs.files(), arguments.output())?;
    for file in &files {
        file.guard_overwrite(&arguments.decode, arguments.output())?;
    }
    let folders = files.iter().filter_map(FileArgs::path);
    let folders = folders.filter(|path| is_dataset(path));
    let folders: Vec<_> = folders.map(PathBuf::from).collect();
    ensure!(
        folders.is_empty() || folders.len() == files.len(),
        "{} is a dataset; a query cannot mix datasets and recordings",
        Printable::path(&folders[0])
    );
    if !folders.is_empty() {
        arguments.reject_decode_options()?;
    }
    let runtime = runtime()?;
    let engine = if folders.is_empty() {
        let dataset = Dataset::read(files, &arguments)?;
        if matches!(request.task, Task::Shell(_)) {
            dataset.open_only()?;
        }
        runtime.block_on(Engine::from_recordings(dataset))?
    } else {
        runtime.block_on(Engine::from_datasets(&folders))?
    };
    request.run(runtime, &engine)
}

/// Runs the command on tables that `register` adds to a session: all of [`Table::ALL`], with the
/// columns of each, and perhaps more.
///
/// # Errors
///
/// If the query fails, or the result cannot be written.
///
/// [`Table::ALL`]: rtoscope_tables::Table::ALL
pub fn run_on_tables(
    arguments: &QueryArgs,
    sql: Option<&str>,
    register: impl AsyncFnOnce(&SessionContext) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    arguments.reject_decode_options()?;
    let request = Request::new(arguments, sql)?;
    let runtime = runtime()?;
    let engine = runtime.block_on(Engine::from_tables(register))?;
    request.run(runtime, &engine)
}

/// Runs the command on a cluster: on the session that `open` returns, with the tables as for
/// [`run_on_tables`]. The executors need none of rtoscope's functions.
///
/// # Errors
///
/// If the query fails, calls a function that executors lack, or the result cannot be written.
pub fn run_on_cluster(
    arguments: &QueryArgs,
    sql: Option<&str>,
    open: impl AsyncFnOnce() -> anyhow::Result<SessionContext>,
) -> anyhow::Result<bool> {
    arguments.reject_decode_options()?;
    let request = Request::new(arguments, sql)?;
    let runtime = runtime()?;
    let engine = runtime.block_on(async { Engine::on_cluster(open().await?).await })?;
    request.run(runtime, &engine)
}

/// Threads that plan and run statements.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    // A quarter suffices for expressions of the maximum depth.
    let builder = builder
        .enable_all()
        .thread_stack_size(nesting::STACK_BYTES / 4);
    builder
        .build()
        .context("cannot start threads for the query")
}

/// Runs what plans statements on a thread whose stack suffices for those of the maximum depth.
///
/// # Errors
///
/// If the system has no thread, or as `run`.
pub(crate) fn with_large_stack<T: Send>(
    run: impl FnOnce() -> anyhow::Result<T> + Send,
) -> anyhow::Result<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("query".to_owned());
        let running = builder
            .stack_size(nesting::STACK_BYTES)
            .spawn_scoped(scope, run)
            .context("cannot start a thread for the query")?;
        running
            .join()
            .unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}

/// What to do with the tables.
enum Task {
    Statement {
        sql: String,
        /// The canned query that it is.
        canned: Option<CannedQuery>,
        format: QueryFormat,
    },
    Shell(QueryFormat),
    Report,
}

/// What to run.
struct Request<'a> {
    arguments: &'a QueryArgs,
    task: Task,
}

impl<'a> Request<'a> {
    fn new(arguments: &'a QueryArgs, sql: Option<&str>) -> anyhow::Result<Self> {
        Ok(Self {
            arguments,
            task: Task::new(arguments, sql)?,
        })
    }

    fn run(self, runtime: Runtime, engine: &Engine) -> anyhow::Result<bool> {
        with_large_stack(|| self.run_here(runtime, engine))
    }

    fn run_here(self, runtime: Runtime, engine: &Engine) -> anyhow::Result<bool> {
        let output = self.arguments.output();
        if self.arguments.require_clock
            && let Some(reason) = runtime.block_on(engine.why_without_clock())?
        {
            return Err(Undecided(reason).into());
        }
        match self.task {
            Task::Report => {
                output::atomic_output::write_file(output, |output| {
                    runtime.block_on(fleet_report::write(engine, output))
                })?;
                Ok(true)
            }
            Task::Shell(format) => {
                shell::run(runtime, engine, format)?;
                Ok(true)
            }
            Task::Statement {
                sql,
                canned,
                format,
            } => {
                let undecided = canned.as_ref().map(|it| it.undecided(&self.arguments.set));
                let undecided = undecided.transpose()?.flatten();
                if let Some(query) = canned {
                    query.require_tags(&engine.recordings_schema())?;
                }
                let expects_empty = self.arguments.expect_empty;
                let rows = match expects_empty {
                    true => runtime.block_on(engine.query_for_check(&sql))?,
                    false => runtime.block_on(engine.query(&sql))?,
                };
                let count = results::save(&runtime, &sql, rows, format, output);
                let evidence = Evidence {
                    min_rows: self.arguments.min_rows,
                    accepts_gaps: false,
                };
                let why = match (&count, undecided) {
                    (Ok(0), Some(query)) if expects_empty => runtime
                        .block_on(engine.texts(&query))
                        .map(|reasons| (!reasons.is_empty()).then(|| reasons.join("; ")))
                        .map(|why| why.map(|why| Printable::text(&why).to_string())),
                    (Ok(0), None) if expects_empty => {
                        runtime.block_on(engine.why_undecided(&sql, evidence))
                    }
                    _ => Ok(None),
                };
                // Does not wait for cancelled queries.
                runtime.shutdown_background();
                let count = count?;
                if let Some(why) = why? {
                    return Err(cannot_decide(why).into());
                }
                Ok(count == 0 || !expects_empty)
            }
        }
    }
}

impl Task {
    fn new(arguments: &QueryArgs, sql: Option<&str>) -> anyhow::Result<Self> {
        if arguments.report {
            return Ok(Self::Report);
        }
        let format = arguments.format()?;
        let named = arguments.named.as_deref();
        let canned = named.map(CannedQuery::by_name).transpose()?;
        let sql = match (&canned, sql) {
            (Some(query), _) => query.bound(&arguments.set)?,
            (None, Some(sql)) => Statements::single(sql)?.to_owned(),
            (None, None) => return Ok(Self::Shell(format)),
        };
        Ok(Self::Statement {
            sql,
            canned,
            format,
        })
    }
}

impl RecordingOptions for QueryArgs {
    fn decode(&self) -> &DecodeArgs {
        &self.decode
    }

    fn timing(&self) -> &TimingArgs {
        &self.timing
    }

    fn text_logs(&self) -> &TextLogArgs {
        &self.text_logs
    }
}

/// The tables of a folder for another engine.
fn dataset_tables(folder: &Path) -> anyhow::Result<DatasetTables> {
    ensure!(
        is_dataset(folder),
        "{}: --emit takes a folder written by `rtoscope export --to parquet`",
        Printable::path(&folder)
    );
    DatasetTables::read(folder)
}

/// Writes a script for another engine.
fn emit(arguments: &QueryArgs, dialect: SqlDialect) -> anyhow::Result<()> {
    arguments.reject_decode_options()?;
    let dataset = arguments.dataset_to_emit()?.map(dataset_tables);
    let tables = dataset.transpose()?.map(BaseTables::Dataset);
    emit_script(arguments, dialect, tables.as_ref())
}

/// Writes a script for another engine that creates the tables of a fleet, and then the views or
/// the canned query.
///
/// # Errors
///
/// If a table, view or query has an expression without translation, or the output fails.
pub fn emit_fleet(
    arguments: &QueryArgs,
    dialect: SqlDialect,
    table: DeltaTable,
) -> anyhow::Result<()> {
    arguments.reject_decode_options()?;
    emit_script(arguments, dialect, Some(&BaseTables::Fleet(table)))
}

fn emit_script(
    arguments: &QueryArgs,
    dialect: SqlDialect,
    tables: Option<&BaseTables>,
) -> anyhow::Result<()> {
    let target = Target::new(dialect, arguments.schema.as_deref())?;
    let query = arguments.named.as_ref().map(|name| {
        let query = CannedQuery::by_name(name)?;
        target.query(&query, &arguments.set)
    });
    let script = match (query.transpose()?, tables) {
        (Some(query), None) => query,
        (Some(query), Some(_)) => target.views(tables)? + "\n" + &query,
        (None, _) => target.views(tables)?,
    };
    let Some(path) = arguments.output() else {
        let mut output = results::stdout();
        output.write_all(script.as_bytes())?;
        return Ok(output.flush()?);
    };
    output::atomic_output::write_file(
        Some(path),
        |output| Ok(output.write_all(script.as_bytes())?),
    )
}
