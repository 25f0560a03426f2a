//! The order of the input of windows.
//!
//! A window needs its input sorted by the columns of `PARTITION BY`. The optimizer omits columns
//! that a condition makes constant from the sort. If the condition and the window are in different
//! stages, an executor does not know that they are constant, and rejects the window.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult as _, TreeNode as _};
use datafusion::config::ConfigOptions;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use std::sync::Arc;

/// Sorts the input of windows by all columns of `PARTITION BY`.
#[derive(Debug)]
pub(crate) struct WindowOrderRule;

impl PhysicalOptimizerRule for WindowOrderRule {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|plan| {
            let Some(columns) = partition_columns(&plan) else {
                return Ok(Transformed::no(plan));
            };
            let input = Arc::clone(plan.children()[0]);
            match sorted(input, &columns)? {
                Some(input) => Ok(Transformed::yes(replace_children_if_necessary(
                    plan,
                    vec![input],
                )?)),
                None => Ok(Transformed::no(plan)),
            }
        })
        .data()
    }

    fn name(&self) -> &'static str {
        "window_order"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The columns of `PARTITION BY`, if a plan is a window.
fn partition_columns(plan: &Arc<dyn ExecutionPlan>) -> Option<Vec<Arc<dyn PhysicalExpr>>> {
    let windows = match plan.downcast_ref::<BoundedWindowAggExec>() {
        Some(window) => window.window_expr(),
        None => plan.downcast_ref::<WindowAggExec>()?.window_expr(),
    };
    let first = windows.first()?;
    let columns = first.partition_by().iter();
    Some(columns.filter(|it| it.is::<Column>()).cloned().collect())
}

/// The plan with the missing columns added to the sort that it consists of, perhaps below windows.
/// These columns are constant, or equal to others of the sort, so that the order stays.
fn sorted(
    plan: Arc<dyn ExecutionPlan>,
    columns: &[Arc<dyn PhysicalExpr>],
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if partition_columns(&plan).is_some() {
        let input = sorted(Arc::clone(plan.children()[0]), columns)?;
        return input
            .map(|input| replace_children_if_necessary(plan, vec![input]))
            .transpose();
    }
    let Some(sort) = plan.downcast_ref::<SortExec>() else {
        return Ok(None);
    };
    let is_missing =
        |column: &&Arc<dyn PhysicalExpr>| sort.expr().iter().all(|sorted| !sorted.expr.eq(*column));
    let missing = columns.iter().filter(is_missing).cloned();
    let missing: Vec<_> = missing.map(PhysicalSortExpr::new_default).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let all = missing.into_iter().chain(sort.expr().iter().cloned());
    let Some(order) = LexOrdering::new(all) else {
        return Ok(None);
    };
    let sort = SortExec::new(order, Arc::clone(sort.input()))
        .with_fetch(sort.fetch())
        .with_preserve_partitioning(sort.preserve_partitioning());
    Ok(Some(Arc::new(sort)))
}
