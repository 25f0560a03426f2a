//! Queries that use nanoseconds of recordings whose clock frequency is unknown.
//!
//! Their columns in nanoseconds are null, and a comparison with null holds for
//! no row.

use super::statements;
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
    recordings: WithoutClock,
}

/// Recordings without nanoseconds.
#[derive(Debug, Default)]
pub(super) struct WithoutClock {
    /// Their files, and the quality of their clocks.
    recordings: BTreeSet<(String, String)>,
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
    if scans.is_empty() && statements::names_nanoseconds(sql) {
        scans = nanosecond_scans(&state, plan)?;
    }
    let mut unknown = UnknownTime {
        columns: BTreeSet::new(),
        recordings: WithoutClock::default(),
    };
    for scan in scans {
        let without_clock = recordings_without_clock(context, recordings, &scan.filters).await?;
        if !without_clock.is_empty() {
            unknown.columns.extend(nanosecond_columns(&scan));
            let recordings = &mut unknown.recordings.recordings;
            recordings.extend(without_clock.recordings);
        }
    }
    Ok((!unknown.columns.is_empty()).then_some(unknown))
}

impl UnknownTime {
    /// The warning for the user.
    pub(super) fn warning(&self) -> String {
        let columns: Vec<_> = self.columns.iter().map(String::as_str).collect();
        format!(
            "{} is null: {}",
            columns.join(", "),
            self.recordings.reason()
        )
    }
}

impl WithoutClock {
    pub(super) fn is_empty(&self) -> bool {
        self.recordings.is_empty()
    }

    /// Why they have none.
    pub(super) fn reason(&self) -> String {
        let files = self.recordings.iter().map(|(file, _)| file.as_str());
        let named = named(&files.collect());
        let qualities = self.recordings.iter();
        let qualities = qualities.map(|(_, name)| ClockQuality::from_name(name));
        let why: Option<BTreeSet<_>> = qualities
            .map(|quality| Some(quality?.no_nanoseconds()?.to_string()))
            .collect();
        match why {
            Some(why) => {
                let why: Vec<_> = why.into_iter().collect();
                format!("the times of {named} are unknown ({})", why.join("; "))
            }
            None => format!("the clock frequency of {named} is unknown ({SET_CLOCK})"),
        }
    }
}

/// How to set the frequency of a clock.
const SET_CLOCK: &str = "set it with --clock, or export again with --clock";

/// Why a recording with a clock of this quality has no nanoseconds.
pub(super) fn no_nanoseconds(quality: Option<ClockQuality>) -> String {
    match quality.and_then(ClockQuality::no_nanoseconds) {
        Some(why) => why.to_string(),
        None => format!("the clock frequency is unknown ({SET_CLOCK})"),
    }
}

/// Files in a message: the first ones by name.
pub(super) fn named(files: &BTreeSet<&str>) -> String {
    let named: Vec<_> = files.iter().copied().take(MAX_NAMED).collect();
    let more = match files.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", Printable::text(&named.join(", ")))
}

/// Whether a statement is a query.
pub(super) fn is_query(plan: &LogicalPlan) -> bool {
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
pub(super) fn without_order(plan: &LogicalPlan) -> &LogicalPlan {
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
pub(super) async fn recordings_without_clock(
    context: &SessionContext,
    recordings: &Arc<dyn TableProvider>,
    filters: &[Expr],
) -> Result<WithoutClock> {
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
    let mut found = WithoutClock::default();
    for batch in frame.collect().await? {
        let [files, qualities] = [0, 1].map(|column| cast(batch.column(column), &DataType::Utf8));
        let (files, qualities) = (files?, qualities?);
        let (files, qualities) = (files.as_string::<i32>(), qualities.as_string::<i32>());
        for row in 0..batch.num_rows().min(files.len()) {
            let recording = (files.value(row).to_owned(), qualities.value(row).to_owned());
            found.recordings.insert(recording);
        }
    }
    Ok(found)
}
