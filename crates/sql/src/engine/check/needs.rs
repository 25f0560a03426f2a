//! What the rows of a query depend on.

use super::super::folders::TableFiles;
use super::names::{NameTest, name_tests};
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::common::{JoinType, Result};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::utils::split_conjunction_owned;
use datafusion::logical_expr::{Expr, Join, LogicalPlan, TableScan};
use rtoscope_tables::{Column, Table};
use std::collections::BTreeSet;

/// The column by which the tables of a fleet, which are one Delta table, are distinguished.
const TABLE_NAME: &str = "table_name";

/// The tables whose rows determine whether a query has rows.
#[derive(Debug, Default)]
pub(super) struct QueryNeeds {
    pub(super) tables: Vec<TableNeeds>,
    /// The names of columns in whose values the query is interested, not only in whether they are
    /// null.
    pub(super) compared: BTreeSet<String>,
}

/// How the tables of a query combine. Each table is one of [`QueryNeeds::tables`], in this order.
#[derive(Debug)]
pub(super) enum Needs {
    Table,
    /// Without a row of any of them, there is none.
    All(Vec<Needs>),
    /// The same for two that are joined by the recording.
    SameRecording(Box<[Needs; 2]>),
    /// A row of one of them suffices.
    Any(Vec<Needs>),
}

/// A table that is read.
#[derive(Debug)]
pub(super) struct TableNeeds {
    pub(super) table: Table,
    /// The columns on which rows of the result depend.
    pub(super) columns: Vec<&'static Column>,
    /// Conditions on rows.
    pub(super) filters: Vec<Expr>,
    /// Names that its rows must have.
    pub(super) names: Vec<NameTest>,
}

impl QueryNeeds {
    /// What an optimized plan needs.
    pub(super) fn of(plan: &LogicalPlan) -> Result<(Self, Needs)> {
        let mut all = Self::default();
        let tree = all.needs(plan, &[])?;
        all.compared = compared_columns(plan)?;
        Ok((all, tree))
    }

    /// Whether it reads no other table than `recordings`.
    pub(super) fn is_about_recordings(&self) -> bool {
        let mut tables = self.tables.iter();
        tables.all(|needs| needs.table == Table::Recordings)
    }

    /// `conditions` are those of the nodes directly above.
    fn needs(&mut self, plan: &LogicalPlan, conditions: &[Expr]) -> Result<Needs> {
        Ok(match plan {
            LogicalPlan::TableScan(scan) => match table_needs(scan, conditions) {
                Some(table) => {
                    self.tables.push(table);
                    Needs::Table
                }
                None => Needs::All(Vec::new()),
            },
            LogicalPlan::Filter(filter) => {
                let mut all = conditions.to_vec();
                all.extend(split_conjunction_owned(filter.predicate.clone()));
                let input = self.needs(&filter.input, &all)?;
                self.with_subqueries(input, [&filter.predicate])?
            }
            LogicalPlan::SubqueryAlias(alias) => self.needs(&alias.input, conditions)?,
            LogicalPlan::Union(union) => {
                let inputs = union.inputs.iter();
                let inputs = inputs.map(|input| self.needs(input, &[]));
                Needs::Any(inputs.collect::<Result<_>>()?)
            }
            LogicalPlan::Join(join) => self.join_needs(join)?,
            other => {
                let inputs = other.inputs().into_iter();
                let inputs = inputs.map(|input| self.needs(input, &[]));
                let inputs = Needs::All(inputs.collect::<Result<_>>()?);
                self.with_subqueries(inputs, &other.expressions())?
            }
        })
    }

    fn join_needs(&mut self, join: &Join) -> Result<Needs> {
        let Join { left, right, .. } = join;
        Ok(match join.join_type {
            JoinType::Inner | JoinType::LeftSemi | JoinType::RightSemi => {
                let both = [self.needs(left, &[])?, self.needs(right, &[])?];
                let is_id = |side: &Expr| match side {
                    Expr::Column(column) => column.name == super::RECORDING_ID,
                    _ => false,
                };
                match join.on.iter().any(|(one, two)| is_id(one) && is_id(two)) {
                    true => Needs::SameRecording(Box::new(both)),
                    false => Needs::All(both.into()),
                }
            }
            JoinType::Left | JoinType::LeftAnti | JoinType::LeftMark => self.needs(left, &[])?,
            JoinType::Right | JoinType::RightAnti | JoinType::RightMark => {
                self.needs(right, &[])?
            }
            JoinType::Full => Needs::Any(vec![self.needs(left, &[])?, self.needs(right, &[])?]),
        })
    }

    /// Adds the subqueries in expressions whose rows are needed.
    fn with_subqueries<'e>(
        &mut self,
        input: Needs,
        expressions: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Needs> {
        let mut plans = Vec::new();
        for expression in expressions {
            expression.apply(|node| {
                plans.extend(match node {
                    Expr::ScalarSubquery(subquery) => Some(subquery.subquery.clone()),
                    Expr::InSubquery(it) if !it.negated => Some(it.subquery.subquery.clone()),
                    Expr::Exists(it) if !it.negated => Some(it.subquery.subquery.clone()),
                    _ => None,
                });
                Ok(TreeNodeRecursion::Continue)
            })?;
        }
        if plans.is_empty() {
            return Ok(input);
        }
        let mut all = vec![input];
        for plan in plans {
            all.push(self.needs(&plan, &[])?);
        }
        Ok(Needs::All(all))
    }
}

/// What a scan needs, if it reads a table of recordings.
fn table_needs(scan: &TableScan, conditions: &[Expr]) -> Option<TableNeeds> {
    let filters: Vec<_> = scan.filters.iter().chain(conditions).cloned().collect();
    let provider = source_as_provider(&scan.source).ok();
    let files = provider
        .as_ref()
        .and_then(|provider| provider.downcast_ref::<TableFiles>());
    let table = match files {
        Some(files) => files.table(),
        None => Table::from_name(scan.table_name.table()).or_else(|| {
            let tests = filters.iter().flat_map(name_tests);
            let mut named = tests.filter(|test| test.column == TABLE_NAME);
            Table::from_name(named.find_map(|test| test.text)?.as_str())
        })?,
    };
    let fields = scan.projected_schema.fields().iter();
    let names = fields.map(|field| field.name().as_str());
    let column = |name: &str| table.columns().iter().find(|column| column.name == name);
    let tests = filters.iter().flat_map(name_tests);
    Some(TableNeeds {
        table,
        columns: names.filter_map(column).collect(),
        names: tests
            .filter(|test| column(&test.column).is_some_and(|it| it.is_name))
            .collect(),
        filters,
    })
}

/// The columns whose values a plan uses. A plain copy or group of a column does not count.
fn compared_columns(plan: &LogicalPlan) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    plan.apply_with_subqueries(|node| {
        let expressions = match node {
            LogicalPlan::Projection(projection) => projection
                .expr
                .iter()
                .filter(|it| !is_copy(it))
                .cloned()
                .collect(),
            LogicalPlan::Aggregate(aggregate) => {
                let groups = aggregate.group_expr.iter().filter(|it| !is_copy(it));
                groups.chain(&aggregate.aggr_expr).cloned().collect()
            }
            LogicalPlan::Sort(_) => Vec::new(),
            other => other.expressions(),
        };
        for expression in &expressions {
            expression.apply(|node| {
                Ok(match node {
                    // It says what null means.
                    Expr::IsNull(inner) | Expr::IsNotNull(inner) if is_copy(inner) => {
                        TreeNodeRecursion::Jump
                    }
                    Expr::ScalarFunction(call) if call.name() == "coalesce" => {
                        TreeNodeRecursion::Jump
                    }
                    Expr::Column(column) => {
                        all.insert(column.name.clone());
                        TreeNodeRecursion::Continue
                    }
                    _ => TreeNodeRecursion::Continue,
                })
            })?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(all)
}

/// Whether an expression is a column, perhaps under another name.
fn is_copy(expression: &Expr) -> bool {
    match expression {
        Expr::Alias(alias) => is_copy(&alias.expr),
        Expr::Cast(cast) => is_copy(&cast.expr),
        expression => matches!(expression, Expr::Column(_)),
    }
}
