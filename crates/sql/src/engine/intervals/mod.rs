//! Interval joins: rows that overlap in time.
//!
//! DataFusion compares every row of one side with every row of the other side
//! that has the same key, the recording. For a condition that bounds two
//! columns from either side, such as `a.start < b."end" AND b.start < a."end"`,
//! this join uses an index instead.

mod condition;
mod index;
mod join;

use condition::OverlapCondition;
use datafusion::common::tree_node::{Transformed, TransformedResult as _, TreeNode as _};
use datafusion::common::{JoinType, NullEquality, Result};
use datafusion::config::ConfigOptions;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, PartitionMode};
use join::{IntervalJoin, JoinInputs};
use std::sync::Arc;

/// A view as an interval join. Other engines would compare all pairs of its rows: the view for
/// them sorts both sides instead, which takes several times as long as this join.
pub(super) fn view(name: &str) -> Option<&'static str> {
    (name == "ready_while_running").then_some(include_str!("ready_while_running.sql"))
}

/// Replaces nested-loop and hash joins by [`IntervalJoin`] if the condition has
/// that form.
#[derive(Debug)]
pub(super) struct IntervalJoinRule;

impl PhysicalOptimizerRule for IntervalJoinRule {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let replace = |plan: Arc<dyn ExecutionPlan>| {
            Ok(match replace_join(&plan)? {
                Some(join) => Transformed::yes(join),
                None => Transformed::no(plan),
            })
        };
        plan.transform_up(replace).data()
    }

    fn name(&self) -> &str {
        "interval_joins"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The equivalent indexed join, if there is one.
fn replace_join(plan: &Arc<dyn ExecutionPlan>) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let (inputs, filter) = if let Some(join) = plan.downcast_ref::<HashJoinExec>() {
        let is_plain = *join.join_type() == JoinType::Inner
            && join.null_equality() == NullEquality::NullEqualsNothing
            && join.fetch().is_none();
        let inputs = JoinInputs {
            left: Arc::clone(join.left()),
            right: Arc::clone(join.right()),
            on: join.on().to_vec(),
            is_left_shared: *join.partition_mode() == PartitionMode::CollectLeft,
            projection: join.projection.as_ref().map(|columns| columns.to_vec()),
        };
        (inputs, join.filter().filter(|_| is_plain))
    } else if let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() {
        let is_plain = *join.join_type() == JoinType::Inner;
        let inputs = JoinInputs {
            left: Arc::clone(join.left()),
            right: Arc::clone(join.right()),
            on: Vec::new(),
            is_left_shared: true,
            projection: join.projection().as_ref().map(|columns| columns.to_vec()),
        };
        (inputs, join.filter().filter(|_| is_plain))
    } else {
        return Ok(None);
    };
    let Some(condition) = filter.map(OverlapCondition::new).transpose()?.flatten() else {
        return Ok(None);
    };
    // The result has the same rows, partitions and order.
    let properties = Arc::clone(plan.properties());
    Ok(Some(Arc::new(IntervalJoin::new(
        inputs, condition, properties,
    ))))
}
