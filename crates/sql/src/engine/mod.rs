//! DataFusion with the tables and views of traces.

mod check;
mod clock;
mod dataset;
mod diagnostics;
pub(crate) mod folders;
mod functions;
mod intervals;
mod keywords;
mod limits;
pub(crate) mod nesting;
mod provider;
mod pruning;
mod recording;
mod recording_cache;
mod scan;
mod statements;
pub(crate) mod table_columns;

pub(crate) use check::{Evidence, cannot_decide};
pub(crate) use dataset::{Dataset, RecordingOptions};
pub(crate) use diagnostics::SqlDiagnostic;
pub(crate) use folders::is_dataset;
#[cfg(test)]
pub(crate) use functions::register as register_functions;
pub(crate) use keywords::KEYWORDS;
pub(crate) use limits::limit_address_space;
pub(crate) use rtoscope_command::sql_protocol::SqlPosition;
pub(crate) use rtoscope_tables::sql::FUNCTIONS;
pub(crate) use statements::{ByteOffsets, Statements};

use crate::dialects::inline_functions;
use arrow::array::AsArray as _;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema, SchemaRef};
use check::Check;
use clock::{UnknownTime, recordings_without_clock, unknown_time};
use datafusion::catalog::TableProvider;
use datafusion::common::DFSchema;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::config::ConfigOptions;
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::SQLOptions;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::stream::{
    RecordBatchReceiverStreamBuilder, RecordBatchStreamAdapter,
};
use datafusion::prelude::{SessionConfig, SessionContext};
use folders::listing::MissingTable;
use futures::{StreamExt as _, future, stream};
use intervals::IntervalJoinRule;
use provider::RecordingsTable;
use rtoscope_tables::Table;
use rtoscope_tables::sql::views;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs SQL statements.
pub(crate) struct Engine {
    context: SessionContext,
    /// The kinds of statements that it runs.
    allowed: SQLOptions,
    /// The table `recordings`.
    recordings: Arc<dyn TableProvider>,
    /// Whether the warning about unknown clock frequencies was shown.
    has_warned: Arc<AtomicBool>,
    /// Whether that is checked after the rows: the recordings were decoded for them then, and
    /// need not be decoded once more.
    warns_last: bool,
    /// Where queries run.
    execution: Execution,
}

/// Where queries run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Execution {
    /// In this process.
    Local,
    /// On executors that lack rtoscope's functions and that return rows in any order.
    Cluster,
}

impl Engine {
    /// An engine for recordings.
    pub(crate) async fn from_recordings(dataset: Dataset) -> anyhow::Result<Self> {
        let context = session(limits::spilling()?);
        let has_several = dataset.recordings().len() > 1;
        register(&context, dataset)?;
        let recordings = context.table_provider(Table::Recordings.name()).await?;
        let mut engine = Self::new(context, recordings).await?;
        engine.warns_last = has_several;
        Ok(engine)
    }

    /// An engine for recordings that runs only queries: no statement that defines
    /// something, which could read other files, or that changes a setting. A query that
    /// needs too much memory fails; nothing is written to the disk.
    pub(crate) async fn read_only(dataset: Dataset) -> anyhow::Result<Self> {
        let context = session(limits::without_files()?);
        register(&context, dataset)?;
        let recordings = context.table_provider(Table::Recordings.name()).await?;
        let mut engine = Self::new(context, recordings).await?;
        let allowed = engine.allowed;
        engine.allowed = allowed.with_allow_ddl(false).with_allow_statements(false);
        Ok(engine)
    }

    /// An engine for exported datasets.
    pub(crate) async fn from_datasets(folders: &[PathBuf]) -> anyhow::Result<Self> {
        let context = session(limits::spilling()?);
        let recordings = folders::register(&context, folders)?;
        Self::new(context, recordings).await
    }

    /// An engine for tables that `register` adds to a session.
    pub(crate) async fn from_tables(
        register: impl AsyncFnOnce(&SessionContext) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let context = session(limits::spilling()?);
        register(&context).await?;
        let recordings = context.table_provider(Table::Recordings.name()).await?;
        Self::new(context, recordings).await
    }

    /// An engine for a session with tables whose queries a cluster runs.
    pub(crate) async fn on_cluster(context: SessionContext) -> anyhow::Result<Self> {
        let recordings = context.table_provider(Table::Recordings.name()).await?;
        Self::with_execution(context, recordings, Execution::Cluster).await
    }

    /// An engine for a session with tables whose queries run in this process.
    async fn new(
        context: SessionContext,
        recordings: Arc<dyn TableProvider>,
    ) -> anyhow::Result<Self> {
        Self::with_execution(context, recordings, Execution::Local).await
    }

    /// An engine for a session with tables; adds the views.
    async fn with_execution(
        context: SessionContext,
        recordings: Arc<dyn TableProvider>,
        execution: Execution,
    ) -> anyhow::Result<Self> {
        let state = context.state_ref();
        allow_different_metadata(state.write().config_mut().options_mut());
        let engine = Self {
            context,
            // No statement writes a file; results are written with --output.
            allowed: SQLOptions::new().with_allow_dml(false),
            recordings,
            has_warned: Arc::default(),
            warns_last: false,
            execution,
        };
        engine.create_views().await?;
        Ok(engine)
    }

    /// Creates the views.
    async fn create_views(&self) -> anyhow::Result<()> {
        for view in views::all() {
            let sql = match self.execution {
                Execution::Local => intervals::view(view.name).unwrap_or(view.sql),
                Execution::Cluster => view.sql,
            };
            let create = format!("CREATE VIEW {} AS {sql}", view.name);
            let diagnostic = |error| SqlDiagnostic::new(&create, &error, &[]);
            let plan = self.plan(&create).await.map_err(diagnostic)?;
            let created = self.context.execute_logical_plan(plan).await;
            created.map_err(diagnostic)?;
        }
        Ok(())
    }

    /// The result of a statement as a stream. Uses of unknown times give one warning on standard
    /// error.
    pub(crate) async fn query(&self, sql: &str) -> anyhow::Result<SendableRecordBatchStream> {
        if self.warns_last {
            return self.rows_then_warning(sql).await;
        }
        let (rows, unknown) = self.rows_and_unknown_time(sql).await?;
        warn(&self.has_warned, unknown.as_ref());
        Ok(rows)
    }

    /// The result of a statement as a stream, without warnings.
    pub(crate) async fn query_for_check(
        &self,
        sql: &str,
    ) -> anyhow::Result<SendableRecordBatchStream> {
        let failed = |error| self.check_error(sql, &error);
        let plan = self.plan(sql).await.map_err(failed)?;
        Ok(spawn_stream(self.rows(plan).await.map_err(failed)?))
    }

    /// Why a statement without a row in its result proves nothing, if that is so.
    pub(crate) async fn why_undecided(
        &self,
        sql: &str,
        evidence: Evidence,
    ) -> anyhow::Result<Option<String>> {
        let check = Check {
            context: &self.context,
            recordings: &self.recordings,
            evidence,
        };
        let failed = |error| self.check_error(sql, &error);
        let plan = self.plan(sql).await.map_err(failed)?;
        check.why_undecided(&plan).await.map_err(failed)
    }

    /// The error of a check, which is undecided if a dataset lacks a table.
    fn check_error(&self, sql: &str, error: &DataFusionError) -> anyhow::Error {
        if let DataFusionError::External(external) = error.find_root()
            && let Some(missing) = external.downcast_ref::<MissingTable>()
        {
            return cannot_decide(missing).into();
        }
        SqlDiagnostic::new(sql, error, &self.tables()).into()
    }

    /// Why the times of a recording are not known, if there is such a recording.
    pub(crate) async fn why_without_clock(&self) -> anyhow::Result<Option<String>> {
        let found = recordings_without_clock(&self.context, &self.recordings, &[]).await?;
        Ok((!found.is_empty()).then(|| found.reason()))
    }

    /// The first column of a statement's result, as texts.
    pub(crate) async fn texts(&self, sql: &str) -> anyhow::Result<Vec<String>> {
        let diagnostic = |error| SqlDiagnostic::new(sql, &error, &self.tables());
        let plan = self.plan(sql).await.map_err(diagnostic)?;
        let frame = self.context.execute_logical_plan(plan).await;
        let batches = frame
            .map_err(diagnostic)?
            .collect()
            .await
            .map_err(diagnostic)?;
        let mut texts = Vec::new();
        for batch in batches {
            let column = cast(batch.column(0), &DataType::Utf8)?;
            let column = column.as_string::<i32>().iter().flatten();
            texts.extend(column.map(str::to_owned));
        }
        Ok(texts)
    }

    /// The result of a statement as a stream, which gives the warning at its end.
    async fn rows_then_warning(&self, sql: &str) -> anyhow::Result<SendableRecordBatchStream> {
        let diagnostic = |error| SqlDiagnostic::new(sql, &error, &self.tables());
        let plan = self.plan(sql).await.map_err(diagnostic)?;
        let rows = self.rows(plan.clone()).await.map_err(diagnostic)?;
        let (context, recordings) = (self.context.clone(), Arc::clone(&self.recordings));
        let (sql, has_warned) = (sql.to_owned(), Arc::clone(&self.has_warned));
        let check = async move {
            let unknown = unknown_time(&context, &recordings, &sql, &plan).await;
            unknown
                .map(|unknown| warn(&has_warned, unknown.as_ref()))
                .err()
        };
        let schema = rows.schema();
        let check = stream::once(check).filter_map(|error| future::ready(error.map(Err)));
        let rows = RecordBatchStreamAdapter::new(schema, rows.chain(check));
        Ok(spawn_stream(Box::pin(rows)))
    }

    /// The result of a statement as a stream, and a warning if it uses unknown times.
    pub(crate) async fn query_with_warning(
        &self,
        sql: &str,
    ) -> anyhow::Result<(SendableRecordBatchStream, Option<String>)> {
        let (rows, unknown) = self.rows_and_unknown_time(sql).await?;
        Ok((rows, unknown.map(|unknown| unknown.warning())))
    }

    async fn rows_and_unknown_time(
        &self,
        sql: &str,
    ) -> anyhow::Result<(SendableRecordBatchStream, Option<UnknownTime>)> {
        let diagnostic = |error| SqlDiagnostic::new(sql, &error, &self.tables());
        let plan = self.plan(sql).await.map_err(diagnostic)?;
        let unknown = unknown_time(&self.context, &self.recordings, sql, &plan).await;
        let unknown = unknown.map_err(diagnostic)?;
        let rows = spawn_stream(self.rows(plan).await.map_err(diagnostic)?);
        Ok((rows, unknown))
    }

    async fn plan(&self, sql: &str) -> Result<LogicalPlan, DataFusionError> {
        nesting::check(sql)?;
        let state = self.context.state();
        let dialect = state.config().options().sql_parser.dialect;
        let mut statement = state.sql_to_statement(sql, &dialect)?;
        if self.execution == Execution::Cluster {
            inline_functions(&mut statement)?;
        }
        let plan = state.statement_to_plan(statement).await?;
        self.allowed.verify_plan(&plan)?;
        Ok(plan)
    }

    async fn rows(&self, plan: LogicalPlan) -> Result<SendableRecordBatchStream, DataFusionError> {
        let keeps_order = self.execution == Execution::Local && preserves_row_order(&plan)?;
        let columns = Arc::clone(plan.schema());
        let mut frame = self.context.execute_logical_plan(plan).await?;
        if keeps_order {
            let (mut state, plan) = frame.into_parts();
            state.config_mut().options_mut().execution.target_partitions = 1;
            frame = DataFrame::new(state, plan);
        }
        Ok(with_metadata(frame.execute_stream().await?, &columns))
    }

    /// The columns of the table `recordings`, with the tags.
    pub(crate) fn recordings_schema(&self) -> SchemaRef {
        self.recordings.schema()
    }

    /// The names of all tables and views.
    pub(crate) fn tables(&self) -> Vec<String> {
        let catalogs = self.context.catalog_names().into_iter();
        let catalogs = catalogs.filter_map(|name| self.context.catalog(&name));
        let schemas = catalogs.filter_map(|catalog| catalog.schema("public"));
        schemas.flat_map(|schema| schema.table_names()).collect()
    }
}

/// Lets the engine run unions of columns with different metadata: its logical and its physical
/// plans then differ in the metadata of the result, which it otherwise takes for a mistake.
///
/// Also avoids a limit on `DISTINCT` that it cannot run on rows in the order of a key.
fn allow_different_metadata(options: &mut ConfigOptions) {
    options.execution.skip_physical_aggregate_schema_check = true;
    options.optimizer.enable_distinct_aggregation_soft_limit = false;
}

/// The rows with the metadata that columns have in the plan as written: that of a union is what
/// all of its branches agree on.
fn with_metadata(rows: SendableRecordBatchStream, columns: &DFSchema) -> SendableRecordBatchStream {
    let schema = rows.schema();
    if schema.fields().len() != columns.fields().len() {
        return rows;
    }
    let fields = schema.fields().iter().zip(columns.fields());
    let fields = fields.map(|(field, column)| {
        let field = field.as_ref().clone();
        field.with_metadata(column.metadata().clone())
    });
    let schema = Schema::new(fields.collect::<Vec<_>>());
    Box::pin(RecordBatchStreamAdapter::new(Arc::new(schema), rows))
}

/// Gives the warning about unknown times, once.
fn warn(has_warned: &AtomicBool, unknown: Option<&UnknownTime>) {
    if let Some(unknown) = unknown
        && !has_warned.swap(true, Ordering::Relaxed)
    {
        rtoscope_command::message!("{}", unknown.warning());
    }
}

/// Registers the tables of recordings.
fn register(context: &SessionContext, dataset: Dataset) -> anyhow::Result<()> {
    let dataset = Arc::new(dataset);
    for &table in Table::ALL {
        let provider = RecordingsTable::new(table, Arc::clone(&dataset))?;
        context.register_table(table.name(), Arc::new(provider))?;
    }
    Ok(())
}

/// A session without tables.
fn session(limits: Arc<RuntimeEnv>) -> SessionContext {
    let mut config = SessionConfig::new().with_information_schema(true);
    // Lets errors include the position in the SQL.
    config.options_mut().sql_parser.collect_spans = true;
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_runtime_env(limits)
        .with_physical_optimizer_rule(Arc::new(IntervalJoinRule));
    let context = SessionContext::new_with_state(state.build());
    functions::register(&context);
    context
}

/// Runs a stream in a task of its own, so that its consumer can cancel it while
/// a batch is computed.
fn spawn_stream(mut rows: SendableRecordBatchStream) -> SendableRecordBatchStream {
    let mut builder = RecordBatchReceiverStreamBuilder::new(rows.schema(), 1);
    let sender = builder.tx();
    builder.spawn(async move {
        while let Some(batch) = rows.next().await {
            if sender.send(batch).await.is_err() {
                break;
            }
        }
        Ok(())
    });
    builder.build()
}

/// Whether a plan only selects rows and columns. Its result is in the order of
/// the recordings if one is read after the other: users expect that, though SQL
/// does not promise it.
fn preserves_row_order(plan: &LogicalPlan) -> Result<bool, DataFusionError> {
    let mut only_selects = true;
    plan.apply(|plan| {
        only_selects = matches!(
            plan,
            LogicalPlan::Projection(_)
                | LogicalPlan::Filter(_)
                | LogicalPlan::Limit(_)
                | LogicalPlan::SubqueryAlias(_)
                | LogicalPlan::TableScan(_)
        );
        Ok(match only_selects {
            true => TreeNodeRecursion::Continue,
            false => TreeNodeRecursion::Stop,
        })
    })?;
    Ok(only_selects)
}
