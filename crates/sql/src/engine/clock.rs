//! Queries that use nanoseconds of recordings whose clock frequency is unknown.
//!
//! Their columns in nanoseconds are null, and a comparison with null holds for
//! no row: a check that depends on one would always pass.

use super::statements;
use anyhow::bail;
use arrow::array::{Array as _, AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{Transformed, TreeNode as _, TreeNodeRecursion};
use datafusion::common::{Column, Result, ScalarValue};
use datafusion::datasource::provider_as_source;
use datafusion::execution::SessionState;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, TableScan, ident, lit};
use datafusion::prelude::SessionContext;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::printable::Printable;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A column that is null if and only if a recording has no nanoseconds.
const SPAN_NS: &str = "span_ns";

/// Recordings that a message names.
const MAX_NAMED: usize = 3;

/// The use of nanoseconds of recordings that have none.
#[derive(Debug)]
pub(super) struct UnknownTime {
    /// The columns in nanoseconds that the query uses, sorted.
    columns: BTreeSet<String>,
    /// The recordings without nanoseconds, and the quality of their clocks.
    recordings: BTreeSet<(String, String)>,
    /// Whether the columns determine which rows the result has.
    decides_rows: bool,
}

/// How a query uses columns in nanoseconds of recordings that have none, if it
/// does. `recordings` is the table of that name. Columns selected by `*` alone
/// do not count.
pub(super) async fn unknown_time(
    context: &SessionContext,
    recordings: &Arc<dyn TableProvider>,
    sql: &str,
    plan: &LogicalPlan,
) -> Result<Option<UnknownTime>> {
    if !is_query(plan) {
        return Ok(None);
    }
    let state = context.state();
    let none: [Expr; 0] = [];
    let rows = LogicalPlanBuilder::from(without_order(plan).clone());
    let rows = rows.aggregate(none, [count(lit(1))])?.build()?;
    let mut scans = nanosecond_scans(&state, &rows)?;
    let decides_rows = !scans.is_empty();
    if !decides_rows && statements::names_nanoseconds(sql) {
        scans = nanosecond_scans(&state, plan)?;
    }
    let mut unknown = UnknownTime {
        columns: BTreeSet::new(),
        recordings: BTreeSet::new(),
        decides_rows,
    };
    for scan in scans {
        let without_frequency =
            recordings_without_frequency(context, recordings, &scan.filters).await?;
        if !without_frequency.is_empty() {
            unknown.columns.extend(nanosecond_columns(&scan));
            unknown.recordings.extend(without_frequency);
        }
    }
    Ok((!unknown.columns.is_empty()).then_some(unknown))
}

impl UnknownTime {
    /// Rejects a check that would pass for this reason.
    ///
    /// # Errors
    ///
    /// If the columns determine which rows the result has.
    pub(super) fn reject_check(&self) -> anyhow::Result<()> {
        if self.decides_rows {
            bail!(
                "--expect-empty cannot check this: it depends on {}, and {}",
                self.columns(),
                self.reason()
            );
        }
        Ok(())
    }

    /// The warning for the user.
    pub(super) fn warning(&self) -> String {
        format!("{} is null: {}", self.columns(), self.reason())
    }

    fn columns(&self) -> String {
        let columns: Vec<_> = self.columns.iter().map(String::as_str).collect();
        columns.join(", ")
    }

    fn reason(&self) -> String {
        let files = self.recordings.iter().map(|(file, _)| file.as_str());
        let named: Vec<_> = files.take(MAX_NAMED).collect();
        let more = match self.recordings.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named = named.join(", ");
        let named = Printable::text(&named);
        let qualities = self.recordings.iter();
        let qualities = qualities.map(|(_, name)| ClockQuality::from_name(name));
        let why: Option<BTreeSet<_>> = qualities
            .map(|quality| Some(quality?.no_nanoseconds()?.to_string()))
            .collect();
        match why {
            Some(why) => {
                let why: Vec<_> = why.into_iter().collect();
                format!(
                    "the times of {named}{more} are unknown ({})",
                    why.join("; ")
                )
            }
            None => format!(
                "the clock frequency of {named}{more} is unknown (set it with --clock, or export again with --clock)"
            ),
        }
    }
}

/// Whether a statement is a query.
fn is_query(plan: &LogicalPlan) -> bool {
    !matches!(
        plan,
        LogicalPlan::Ddl(_)
            | LogicalPlan::Dml(_)
            | LogicalPlan::Copy(_)
            | LogicalPlan::Statement(_)
            | LogicalPlan::Explain(_)
            | LogicalPlan::Analyze(_)
            | LogicalPlan::DescribeTable(_)
    )
}

/// The input of a plan without nodes that only sort, transform or limit rows:
/// it has a row if and only if the plan has one. (Unnesting is a node of its
/// own, not a projection.)
fn without_order(plan: &LogicalPlan) -> &LogicalPlan {
    match plan {
        LogicalPlan::Sort(sort) => without_order(&sort.input),
        LogicalPlan::Limit(limit) if limit.skip.is_none() && has_rows(limit.fetch.as_deref()) => {
            without_order(&limit.input)
        }
        LogicalPlan::Projection(projection) => without_order(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => without_order(&alias.input),
        _ => plan,
    }
}

/// Whether a limit is not 0.
fn has_rows(fetch: Option<&Expr>) -> bool {
    match fetch {
        None => true,
        Some(Expr::Literal(ScalarValue::Int64(Some(rows)), _)) => *rows > 0,
        Some(_) => false,
    }
}

/// Scans of tables from which a plan needs columns in nanoseconds.
fn nanosecond_scans(state: &SessionState, plan: &LogicalPlan) -> Result<Vec<TableScan>> {
    let plan = state.optimize(plan)?;
    let mut scans = Vec::new();
    plan.apply_with_subqueries(|plan| {
        if let LogicalPlan::TableScan(scan) = plan
            && nanosecond_columns(scan).next().is_some()
        {
            scans.push(scan.clone());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(scans)
}

fn nanosecond_columns(scan: &TableScan) -> impl Iterator<Item = String> {
    let fields = scan.projected_schema.fields().iter();
    let fields = fields.filter(|field| field.metadata().get("unit").is_some_and(|it| it == "ns"));
    fields.map(|field| field.name().clone())
}

/// The recordings without nanoseconds that can have a matching row, and the
/// quality of their clocks.
async fn recordings_without_frequency(
    context: &SessionContext,
    recordings: &Arc<dyn TableProvider>,
    filters: &[Expr],
) -> Result<Vec<(String, String)>> {
    let source = provider_as_source(Arc::clone(recordings));
    let scan = LogicalPlanBuilder::scan("recordings", source, None)?.build()?;
    let mut frame = context.execute_logical_plan(scan).await?;
    let schema = frame.schema().clone();
    // The filters of a table that concern columns shared by all rows of a
    // recording.
    let shared = filters.iter().filter(|filter| {
        let mut columns = filter.column_refs().into_iter();
        columns.all(|column| schema.has_column_with_unqualified_name(&column.name))
    });
    let shared = shared.map(|filter| {
        let unqualified = filter.clone().transform(|node| match node {
            Expr::Column(column) => {
                let column = Column::new_unqualified(column.name);
                Ok(Transformed::yes(Expr::Column(column)))
            }
            other => Ok(Transformed::no(other)),
        });
        unqualified.map(|it| it.data)
    });
    if let Some(filter) = conjunction(shared.collect::<Result<Vec<_>>>()?) {
        frame = frame.filter(filter)?;
    }
    let frame = frame.filter(ident(SPAN_NS).is_null())?;
    let frame = frame.select(vec![ident("file"), ident("clock_quality")])?;
    let mut found = Vec::new();
    for batch in frame.collect().await? {
        let [files, qualities] = [0, 1].map(|column| cast(batch.column(column), &DataType::Utf8));
        let (files, qualities) = (files?, qualities?);
        let (files, qualities) = (files.as_string::<i32>(), qualities.as_string::<i32>());
        for row in 0..batch.num_rows().min(files.len()) {
            found.push((files.value(row).to_owned(), qualities.value(row).to_owned()));
        }
    }
    Ok(found)
}
