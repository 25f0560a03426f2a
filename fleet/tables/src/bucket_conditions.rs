//! Conditions on the device as conditions on its bucket, so that the files of other buckets are
//! not read.

use crate::partition::BucketDigits;
use crate::schema::{BUCKET, DEVICE};
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, Statistics};
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{
    BinaryExpr, Expr, Operator, TableProviderFilterPushDown, TableType,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{col, lit};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which conditions on the bucket follow from those on the device.
#[derive(Debug, Clone, Copy)]
pub struct BucketConditions(pub(crate) BucketDigits);

impl BucketConditions {
    /// The conditions that follow from others.
    pub fn of(self, filters: &[Expr]) -> Vec<Expr> {
        let conditions = filters.iter().filter_map(|filter| self.condition(filter));
        conditions.collect()
    }

    fn condition(self, filter: &Expr) -> Option<Expr> {
        let devices = devices(filter)?.into_iter();
        let buckets: BTreeSet<_> = devices.map(|device| self.0.bucket(device)).collect();
        let buckets = buckets.into_iter().map(lit).collect();
        Some(col(BUCKET).in_list(buckets, false))
    }
}

/// The devices that a condition allows: those of `device = 'a'`, `device = 'a' OR device = 'b'` and
/// `device IN ('a', 'b')`.
fn devices(filter: &Expr) -> Option<Vec<&str>> {
    let is_device = |it: &Expr| matches!(it, Expr::Column(column) if column.name == DEVICE);
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if *op == Operator::Eq => {
            let value = match (is_device(left), is_device(right)) {
                (true, false) => right,
                (false, true) => left,
                _ => return None,
            };
            Some(vec![text(value)?])
        }
        // The optimizer makes one of a short list.
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if *op == Operator::Or => {
            Some([devices(left)?, devices(right)?].concat())
        }
        Expr::InList(InList {
            expr,
            list,
            negated: false,
        }) if is_device(expr) => list.iter().map(text).collect(),
        _ => None,
    }
}

fn text(value: &Expr) -> Option<&str> {
    match value {
        Expr::Literal(value, _) => value.try_as_str()?,
        _ => None,
    }
}

/// The Delta table of a fleet. A query reads as few of its buckets as the conditions need.
#[derive(Debug)]
pub(crate) struct PrunedTable {
    table: Arc<dyn TableProvider>,
    conditions: BucketConditions,
}

impl PrunedTable {
    pub(crate) fn new(table: Arc<dyn TableProvider>, conditions: BucketConditions) -> Self {
        Self { table, conditions }
    }
}

#[async_trait]
impl TableProvider for PrunedTable {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        self.table.table_type()
    }

    fn statistics(&self) -> Option<Statistics> {
        self.table.statistics()
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        self.table.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let filters = [filters, &self.conditions.of(filters)].concat();
        self.table.scan(state, projection, &filters, limit).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_follow_from_equalities() {
        let device = || col("traces.device");
        for (filter, expected) in [
            (device().eq(lit("a")), Some(vec!["a"])),
            (lit("a").eq(device()), Some(vec!["a"])),
            (
                device().in_list(vec![lit("a"), lit("b")], false),
                Some(vec!["a", "b"]),
            ),
            (device().in_list(vec![lit("a")], true), None),
            (device().in_list(vec![lit("a"), col("x")], false), None),
            (device().not_eq(lit("a")), None),
            (device().eq(device()), None),
            (
                device().eq(lit("a")).or(device().eq(lit("b"))),
                Some(vec!["a", "b"]),
            ),
            (device().eq(lit("a")).or(col("file").eq(lit("b"))), None),
            (col("file").eq(lit("a")), None),
            (device().like(lit("a%")), None),
        ] {
            assert_eq!(devices(&filter), expected, "{filter}");
        }
    }
}
