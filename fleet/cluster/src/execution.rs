//! A plan that a cluster executes.

use crate::cluster::Cluster;
use crate::running_jobs::RunningJob;
use ballista_core::config::BallistaConfig;
use ballista_core::execution_plans::execute_physical_plan;
use ballista_core::extension::SessionConfigExt as _;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::TryStreamExt as _;
use rtoscope_command::message;
use std::fmt;
use std::sync::Arc;
use uuid::Uuid;

/// Sends a plan to the scheduler and returns the rows from the executors.
#[derive(Debug)]
pub(crate) struct ClusterExec {
    plan: Arc<dyn ExecutionPlan>,
    cluster: Arc<Cluster>,
    properties: Arc<PlanProperties>,
}

impl ClusterExec {
    pub(crate) fn new(plan: Arc<dyn ExecutionPlan>, cluster: Arc<Cluster>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(plan.schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self {
            plan,
            cluster,
            properties: Arc::new(properties),
        }
    }
}

impl DisplayAs for ClusterExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClusterExec: {}", self.cluster)
    }
}

impl ExecutionPlan for ClusterExec {
    fn name(&self) -> &'static str {
        "ClusterExec"
    }

    fn schema(&self) -> SchemaRef {
        self.plan.schema()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    // The executors run it; rules of this process must not change it.
    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match children.is_empty() {
            true => Ok(self),
            false => internal_err!("ClusterExec has no children"),
        }
    }

    fn execute(&self, _: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = run(Arc::clone(&self.plan), Arc::clone(&self.cluster), context);
        let rows = futures::stream::once(rows).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }
}

/// Runs a plan on the cluster; returns its rows when the job is complete.
async fn run(
    plan: Arc<dyn ExecutionPlan>,
    cluster: Arc<Cluster>,
    context: Arc<TaskContext>,
) -> Result<SendableRecordBatchStream> {
    let external = |error: anyhow::Error| DataFusionError::External(error.into());
    cluster.connect().await.map_err(external)?;
    let job_name = format!("rtoscope query {}", Uuid::new_v4());
    let config = context.session_config().clone();
    let config = config.with_ballista_job_name(&job_name);
    let ballista_config: BallistaConfig = config.ballista_config();
    let codec = config.ballista_physical_extension_codec();
    let job = execute_physical_plan::<PhysicalPlanNode>(
        cluster.scheduler_url(),
        &ballista_config,
        plan,
        codec.as_ref(),
        context.session_id(),
        config,
    );
    let running = RunningJob::new(Arc::clone(&cluster), job_name.clone());
    let result = tokio::select! {
        rows = job => rows.map_err(explain),
        error = cluster.lack_of_progress(&job_name) => {
            // The job would go on when an executor is free.
            if let Err(error) = cluster.cancel(&job_name).await {
                message!("cannot cancel the job {job_name}: {error:#}");
            }
            Err(external(error))
        }
    };
    running.ended();
    result
}

/// Explains errors that do not name their cause.
fn explain(error: DataFusionError) -> DataFusionError {
    match error.to_string().contains("recursion limit reached") {
        true => DataFusionError::Plan(
            "the scheduler does not decode a plan as deep as that of this query; write the rows of \
             an inner query to a file, or run the query without --engine"
                .to_owned(),
        ),
        false => error,
    }
}
