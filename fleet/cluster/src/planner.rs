//! Plans of queries: which of them run on the cluster.

use crate::cluster::Cluster;
use crate::execution::ClusterExec;
use crate::traces_table::TracesTable;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::datasource::source_as_provider;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner as _};
use std::sync::Arc;

/// Lets the cluster execute queries on the tables of a fleet; all others run in this process.
#[derive(Debug)]
pub(crate) struct ClusterPlanner {
    pub(crate) cluster: Arc<Cluster>,
}

#[async_trait]
impl QueryPlanner for ClusterPlanner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let planner = DefaultPhysicalPlanner::default();
        let physical = planner.create_physical_plan(plan, session);
        match plan {
            // Shows the plan that the scheduler receives.
            LogicalPlan::Explain(_) => physical.await,
            _ if !reads_traces(plan)? => physical.await,
            LogicalPlan::Analyze(_) => {
                not_impl_err!("EXPLAIN ANALYZE is not supported on a cluster; use EXPLAIN")
            }
            _ => {
                let cluster = Arc::clone(&self.cluster);
                Ok(Arc::new(ClusterExec::new(physical.await?, cluster)))
            }
        }
    }
}

/// Whether a plan reads the tables of a fleet.
///
/// # Errors
///
/// If it also reads others, which executors may lack.
fn reads_traces(plan: &LogicalPlan) -> Result<bool> {
    let mut reads_traces = false;
    let mut other = None;
    plan.apply_with_subqueries(|plan| {
        if let LogicalPlan::TableScan(scan) = plan {
            match source_as_provider(&scan.source)?.is::<TracesTable>() {
                true => reads_traces = true,
                false => other = Some(scan.table_name.clone()),
            }
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    match other {
        Some(other) if reads_traces => plan_err!(
            "{other} is not a table of the fleet; a query on a cluster cannot combine both"
        ),
        _ => Ok(reads_traces),
    }
}
