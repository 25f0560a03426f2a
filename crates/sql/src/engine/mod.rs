//! DataFusion with the tables and views of traces.

mod clock;
mod dataset;
mod diagnostics;
mod folders;
mod functions;
mod intervals;
mod provider;
mod pruning;
mod scan;
mod statements;
mod table_columns;

pub(crate) use dataset::Dataset;
pub(crate) use diagnostics::SqlDiagnostic;
pub(crate) use folders::is_dataset;
pub(crate) use functions::FUNCTIONS;
pub(crate) use statements::Statements;

use crate::views;
use clock::unknown_time;
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt as _;
use intervals::IntervalJoinRule;
use provider::RecordingsTable;
use rtoscope_tables::Table;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs SQL statements.
pub(crate) struct Engine {
    context: SessionContext,
    /// The table `recordings`.
    recordings: Arc<dyn TableProvider>,
    /// Whether the warning about unknown clock frequencies was shown.
    has_warned: AtomicBool,
}

impl Engine {
    /// An engine for recordings.
    pub(crate) async fn from_recordings(dataset: Dataset) -> anyhow::Result<Self> {
        let context = session();
        let dataset = Arc::new(dataset);
        for &table in Table::ALL {
            let provider = RecordingsTable::new(table, Arc::clone(&dataset))?;
            context.register_table(table.name(), Arc::new(provider))?;
        }
        Self::new(context).await
    }

    /// An engine for exported datasets.
    pub(crate) async fn from_datasets(folders: &[PathBuf]) -> anyhow::Result<Self> {
        let context = session();
        folders::register(&context, folders)?;
        Self::new(context).await
    }

    /// An engine for a session with tables; adds the views.
    async fn new(context: SessionContext) -> anyhow::Result<Self> {
        let recordings = context.table_provider(Table::Recordings.name()).await?;
        let engine = Self {
            context,
            recordings,
            has_warned: AtomicBool::new(false),
        };
        engine.create_views().await?;
        Ok(engine)
    }

    /// Creates the views.
    async fn create_views(&self) -> anyhow::Result<()> {
        for view in views::all() {
            let create = format!("CREATE VIEW {} AS {}", view.name, view.sql);
            let created = self.context.sql(&create).await;
            created.map_err(|error| SqlDiagnostic::new(&create, &error, &[]))?;
        }
        Ok(())
    }

    /// The result of a statement as a stream. A check whose result must be
    /// empty is rejected if it would be empty for lack of clock frequencies.
    pub(crate) async fn query(
        &self,
        sql: &str,
        expects_empty: bool,
    ) -> anyhow::Result<SendableRecordBatchStream> {
        let diagnostic = |error| SqlDiagnostic::new(sql, &error, &self.tables());
        let plan = self.plan(sql).await.map_err(diagnostic)?;
        let unknown = unknown_time(&self.context, &self.recordings, sql, &plan).await;
        if let Some(unknown) = unknown.map_err(diagnostic)? {
            if expects_empty {
                unknown.reject_check()?;
            }
            if !self.has_warned.swap(true, Ordering::Relaxed) {
                rtoscope_command::message!("{}", unknown.warning());
            }
        }
        Ok(spawn_stream(self.rows(plan).await.map_err(diagnostic)?))
    }

    async fn plan(&self, sql: &str) -> Result<LogicalPlan, DataFusionError> {
        let plan = self.context.state().create_logical_plan(sql).await?;
        // Recordings are read-only; results are written with --output.
        let allowed = SQLOptions::new().with_allow_dml(false);
        allowed.verify_plan(&plan)?;
        Ok(plan)
    }

    async fn rows(&self, plan: LogicalPlan) -> Result<SendableRecordBatchStream, DataFusionError> {
        let keeps_order = preserves_row_order(&plan)?;
        let frame = self.context.execute_logical_plan(plan).await?;
        if !keeps_order {
            return frame.execute_stream().await;
        }
        let (mut state, plan) = frame.into_parts();
        state.config_mut().options_mut().execution.target_partitions = 1;
        DataFrame::new(state, plan).execute_stream().await
    }

    /// The names of all tables and views.
    pub(crate) fn tables(&self) -> Vec<String> {
        let catalogs = self.context.catalog_names().into_iter();
        let catalogs = catalogs.filter_map(|name| self.context.catalog(&name));
        let schemas = catalogs.filter_map(|catalog| catalog.schema("public"));
        schemas.flat_map(|schema| schema.table_names()).collect()
    }
}

/// A session without tables.
fn session() -> SessionContext {
    let mut config = SessionConfig::new().with_information_schema(true);
    // Lets errors include the position in the SQL.
    config.options_mut().sql_parser.collect_spans = true;
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
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
