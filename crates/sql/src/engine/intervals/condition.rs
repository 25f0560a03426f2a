//! Join conditions that bound two columns from either side.

use arrow::datatypes::{DataType, Schema};
use datafusion::common::tree_node::{Transformed, TransformedResult as _, TreeNode as _};
use datafusion::common::{JoinSide, Result};
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{BinaryExpr, Column};
use datafusion::physical_expr::utils::{collect_columns, conjunction_opt, split_conjunction};
use datafusion::physical_plan::joins::utils::JoinFilter;
use std::fmt;
use std::sync::Arc;

/// A join condition: one value of a left row is below a value of the right row,
/// and another one is above another.
#[derive(Debug, Clone)]
pub(super) struct OverlapCondition {
    /// `left < right`, or `<=`.
    pub(super) below: Bound,
    /// `left > right`, or `>=`.
    pub(super) above: Bound,
    /// The rest of the condition.
    pub(super) rest: Option<JoinFilter>,
}

/// A comparison of values of both sides.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    /// An expression over left rows.
    pub(super) left: Arc<dyn PhysicalExpr>,
    /// An expression over right rows.
    pub(super) right: Arc<dyn PhysicalExpr>,
    pub(super) operator: Operator,
}

impl OverlapCondition {
    /// The condition of a join, if it has this form.
    pub(super) fn new(filter: &JoinFilter) -> Result<Option<Self>> {
        let (mut below, mut above, mut rest) = (None, None, Vec::new());
        for conjunct in split_conjunction(filter.expression()) {
            let bound = Bound::new(conjunct, filter)?;
            let slot = match &bound {
                Some(bound) if bound.is_below() => &mut below,
                Some(_) => &mut above,
                None => {
                    rest.push(Arc::clone(conjunct));
                    continue;
                }
            };
            match slot {
                None => *slot = bound,
                Some(_) => rest.push(Arc::clone(conjunct)),
            }
        }
        let (Some(below), Some(above)) = (below, above) else {
            return Ok(None);
        };
        let rest = conjunction_opt(rest).map(|rest| {
            let columns = filter.column_indices().to_vec();
            JoinFilter::new(rest, columns, Arc::clone(filter.schema()))
        });
        Ok(Some(Self { below, above, rest }))
    }
}

impl Bound {
    fn new(expression: &Arc<dyn PhysicalExpr>, filter: &JoinFilter) -> Result<Option<Self>> {
        let Some(comparison) = expression.downcast_ref::<BinaryExpr>() else {
            return Ok(None);
        };
        let operator = *comparison.op();
        let (one, other) = (comparison.left(), comparison.right());
        let sides = [one, other].map(|value| side(value, filter));
        let (left, right, operator) = match (sides, operator.swap()) {
            ([Some(JoinSide::Left), Some(JoinSide::Right)], _) => (one, other, operator),
            ([Some(JoinSide::Right), Some(JoinSide::Left)], Some(swapped)) => (other, one, swapped),
            _ => return Ok(None),
        };
        let is_bound = matches!(
            operator,
            Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq
        );
        let schema = filter.schema();
        if !is_bound || !is_int64(left, schema)? || !is_int64(right, schema)? {
            return Ok(None);
        }
        Ok(Some(Self {
            left: columns_of_side(left, filter)?,
            right: columns_of_side(right, filter)?,
            operator,
        }))
    }

    fn is_below(&self) -> bool {
        matches!(self.operator, Operator::Lt | Operator::LtEq)
    }

    /// The maximum, or minimum, of the left value for a given right value;
    /// `None` if there is none.
    pub(super) fn limit(&self, right: i64) -> Option<i64> {
        match self.operator {
            Operator::Lt => right.checked_sub(1),
            Operator::Gt => right.checked_add(1),
            _ => Some(right),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.left, self.operator, self.right)
    }
}

/// The side that has all columns of an expression, if one has.
fn side(value: &Arc<dyn PhysicalExpr>, filter: &JoinFilter) -> Option<JoinSide> {
    let columns = collect_columns(value).into_iter();
    let mut sides = columns.map(|column| {
        let index = filter.column_indices().get(column.index());
        index.map(|index| index.side)
    });
    let first = sides.next()??;
    sides.all(|side| side == Some(first)).then_some(first)
}

/// Whether the values are integers that fit 64 bits with a sign.
fn is_int64(value: &Arc<dyn PhysicalExpr>, schema: &Schema) -> Result<bool> {
    let data_type = value.data_type(schema)?;
    Ok(data_type.is_integer() && data_type != DataType::UInt64)
}

/// An expression over the rows of a side.
fn columns_of_side(
    value: &Arc<dyn PhysicalExpr>,
    filter: &JoinFilter,
) -> Result<Arc<dyn PhysicalExpr>> {
    let value = Arc::clone(value).transform(|node| {
        let Some(column) = node.downcast_ref::<Column>() else {
            return Ok(Transformed::no(node));
        };
        let index = &filter.column_indices()[column.index()];
        let column = Column::new(column.name(), index.index);
        Ok(Transformed::yes(Arc::new(column) as Arc<dyn PhysicalExpr>))
    });
    value.data()
}
