//! The side of nested-loop joins that tasks collect.
//!
//! A nested-loop join collects its left input, and each task joins it with a part of the right
//! one. Rows of the left input without a match belong to the result of some joins. Within a
//! process, the partitions find them together; tasks in several processes cannot, and each would
//! return them again. As the other side, they are in one task only.

use datafusion::common::tree_node::{Transformed, TransformedResult as _, TreeNode as _};
use datafusion::common::{JoinType, Result, not_impl_err};
use datafusion::config::ConfigOptions;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::joins::NestedLoopJoinExec;
use std::sync::Arc;

/// Swaps the inputs of nested-loop joins that return rows of the left input.
#[derive(Debug)]
pub(crate) struct CollectedSideRule;

impl PhysicalOptimizerRule for CollectedSideRule {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|plan| {
            let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() else {
                return Ok(Transformed::no(plan));
            };
            match join.join_type() {
                JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => {
                    Ok(Transformed::yes(join.swap_inputs()?))
                }
                JoinType::Full => not_impl_err!(
                    "a FULL JOIN whose condition has no equality is not supported on a cluster"
                ),
                JoinType::Inner
                | JoinType::Right
                | JoinType::RightSemi
                | JoinType::RightAnti
                | JoinType::RightMark => Ok(Transformed::no(plan)),
            }
        })
        .data()
    }

    fn name(&self) -> &'static str {
        "collected_side"
    }

    fn schema_check(&self) -> bool {
        true
    }
}
