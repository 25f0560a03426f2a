//! Plans of queries: which of them run on the cluster.

use crate::cluster::Cluster;
use crate::execution::ClusterExec;
use crate::traces_table::TracesTable;
use async_trait::async_trait;
use ballista_core::registry::BallistaFunctionRegistry;
use datafusion::catalog::Session;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::datasource::source_as_provider;
use datafusion::execution::FunctionRegistry as _;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::{Expr, LogicalPlan};
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
                check_functions(plan)?;
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

/// Checks that the executors have all functions of a plan.
///
/// # Errors
///
/// If they lack one. An executor would reject the plan without naming it.
fn check_functions(plan: &LogicalPlan) -> Result<()> {
    let known = BallistaFunctionRegistry::default();
    let (scalar, aggregate, window) = (known.udfs(), known.udafs(), known.udwfs());
    plan.apply_with_subqueries(|plan| {
        plan.apply_expressions(|expr| {
            expr.apply(|expr| {
                let (name, is_known) = match expr {
                    Expr::ScalarFunction(call) => (call.name(), scalar.contains(call.name())),
                    Expr::AggregateFunction(call) => {
                        let name = call.func.name();
                        (name, aggregate.contains(name))
                    }
                    Expr::WindowFunction(call) => {
                        let name = call.fun.name();
                        (name, aggregate.contains(name) || window.contains(name))
                    }
                    _ => return Ok(TreeNodeRecursion::Continue),
                };
                match is_known {
                    true => Ok(TreeNodeRecursion::Continue),
                    false => plan_err!(
                        "the executors of Ballista lack the function {name}; run the query without \
                         --engine"
                    ),
                }
            })
        })
    })?;
    Ok(())
}
