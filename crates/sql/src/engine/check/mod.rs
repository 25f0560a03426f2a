//! Whether a query that returned no row could have returned one.
//!
//! A check by `--expect-empty` must not pass where nothing could be judged: each recording must
//! have what the query compares.

mod judgement;
mod names;
mod needs;

use super::clock::{is_query, no_nanoseconds, without_order};
use super::table_columns::{FILE, RECORDING_ID};
use arrow::array::{Array as _, AsArray as _, RecordBatch};
use arrow::compute::cast as cast_array;
use arrow::datatypes::{DataType, Int64Type};
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Column, Result};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::provider_as_source;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, cast, ident, lit};
use datafusion::prelude::SessionContext;
use judgement::Judgement;
use names::NameTest;
use needs::{QueryNeeds, TableNeeds};
use rtoscope_command::Undecided;
use rtoscope_decode::{DecodeOptions, Format};
use rtoscope_tables::Table;
use rtoscope_trace::clock::ClockQuality;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// Recordings up to which a condition names them.
const MAX_NAMED_IN_CONDITION: usize = 1000;

/// The error of a check that cannot decide.
pub(crate) fn cannot_decide(why: impl fmt::Display) -> Undecided {
    Undecided(format!("--expect-empty cannot decide: {why}"))
}

/// A check whose query returned no row.
pub(super) struct Check<'a> {
    pub(super) context: &'a SessionContext,
    /// The table `recordings`.
    pub(super) recordings: &'a Arc<dyn TableProvider>,
    pub(super) evidence: Evidence,
}

/// What a query without a row in its result needs to prove something.
#[derive(Clone, Copy, Default)]
pub(crate) struct Evidence {
    /// The minimum number of rows of each table that it reads, except those of problems; by
    /// default one.
    pub(crate) min_rows: Option<u64>,
    /// Whether events may be missing.
    pub(crate) accepts_gaps: bool,
}

/// What a check needs to know of a recording.
struct RecordingFacts {
    id: String,
    file: String,
    format: Option<Format>,
    quality: Option<ClockQuality>,
    has_nanoseconds: bool,
    gaps: i64,
    /// The number of declared deadlines, and of the judged ones; `None` if that is not known.
    deadlines: Option<(i64, i64)>,
}

/// What a check needs to know of a recording's rows of a table.
#[derive(Default)]
struct RowFacts {
    rows: i64,
    /// The columns without any value.
    null_columns: Vec<&'static str>,
}

impl Check<'_> {
    /// Why nothing, or not everything, could be judged, if that is so.
    pub(super) async fn why_undecided(&self, plan: &LogicalPlan) -> Result<Option<String>> {
        if !is_query(plan) {
            return Ok(Some("the statement is not a query".to_owned()));
        }
        let none: [Expr; 0] = [];
        // The result of a limit that is not 0 has a row if and only if its input has one.
        let rows = LogicalPlanBuilder::from(without_order(plan).clone());
        let rows = rows.aggregate(none, [count(lit(1))])?.build()?;
        let optimized = self.context.state().optimize(&rows)?;
        let (query, tree) = QueryNeeds::of(&optimized)?;
        if query.tables.is_empty() {
            let reason = "the result is empty whatever the recordings contain";
            return Ok(Some(reason.to_owned()));
        }
        let damaged = match self.evidence.accepts_gaps {
            true => None,
            false => Some(self.damaged().await?),
        };
        let mut judged = Vec::new();
        for table in &query.tables {
            judged.push(self.decide(table, &query, damaged.as_ref()).await?);
        }
        Ok(Judgement::of(&tree, &mut judged.into_iter()).why_undecided())
    }

    /// Decides for each recording that matches the conditions on recordings.
    async fn decide(
        &self,
        needs: &TableNeeds,
        query: &QueryNeeds,
        damaged: Option<&BTreeMap<String, i64>>,
    ) -> Result<Judgement> {
        let recordings = self.matching(needs, query).await?;
        let ids: Vec<_> = recordings.iter().map(|it| it.id.as_str()).collect();
        let rows = self.rows(needs, &query.compared, &ids).await?;
        let mut with_name = Vec::new();
        for test in &needs.names {
            with_name.push(self.recordings_with_name(needs.table, test, &ids).await?);
        }
        let mut judgement = Judgement::default();
        let no_rows = RowFacts::default();
        for recording in &recordings {
            let damage = damaged.map(|it| it.get(&recording.id).copied().unwrap_or_default());
            let facts = rows.get(&recording.id).unwrap_or(&no_rows);
            let tests = needs.names.iter().zip(&with_name);
            let reason = recording
                .lacks_table(needs)
                .or_else(|| recording.is_damaged(needs.table, damage?))
                .or_else(|| recording.lacks_time(needs))
                .or_else(|| self.lacks_rows(needs.table, facts.rows))
                .or_else(|| lacks_values(needs.table, facts))
                .or_else(|| recording.lacks_names(tests));
            judgement.add(&recording.id, &recording.file, reason);
        }
        Ok(judgement)
    }

    /// The recordings that can have a matching row.
    async fn matching(
        &self,
        needs: &TableNeeds,
        query: &QueryNeeds,
    ) -> Result<Vec<RecordingFacts>> {
        let source = provider_as_source(Arc::clone(self.recordings));
        let scan = LogicalPlanBuilder::scan(Table::Recordings.name(), source, None)?.build()?;
        let mut frame = self.context.execute_logical_plan(scan).await?;
        if let Some(condition) = shared_condition(&frame, needs, query)? {
            frame = frame.filter(condition)?;
        }
        let has = |name: &str| frame.schema().has_column_with_unqualified_name(name);
        let number = |name: &str| match has(name) {
            true => cast(ident(name), DataType::Int64),
            false => cast(lit(datafusion::common::ScalarValue::Null), DataType::Int64),
        };
        let text = |value| cast(value, DataType::Utf8);
        let columns = vec![
            text(super::folders::public_recording_id(frame.schema())).alias("a"),
            text(ident(FILE)).alias("b"),
            text(ident("format")).alias("c"),
            text(ident("clock_quality")).alias("d"),
            number("span_ns").alias("e"),
            number("gaps").alias("f"),
            number("deadlines").alias("g"),
            number("judged_deadlines").alias("h"),
        ];
        let mut found = Vec::new();
        for batch in frame.select(columns)?.collect().await? {
            let texts = [0, 1, 2, 3].map(|column| batch.column(column).as_string::<i32>());
            let [ids, files, formats, qualities] = texts;
            let numbers = [4, 5, 6, 7].map(|at| batch.column(at).as_primitive::<Int64Type>());
            for row in 0..batch.num_rows() {
                let number = |at: usize| {
                    let column = numbers.get(at)?;
                    column.is_valid(row).then(|| column.value(row))
                };
                found.push(RecordingFacts {
                    id: ids.value(row).to_owned(),
                    file: files.value(row).to_owned(),
                    format: Format::from_name(formats.value(row)),
                    quality: ClockQuality::from_name(qualities.value(row)),
                    has_nanoseconds: number(0).is_some(),
                    gaps: number(1).unwrap_or_default(),
                    deadlines: number(2).zip(number(3)),
                });
            }
        }
        Ok(found)
    }

    /// The rows of a table, limited to recordings if they are few.
    async fn table_of(&self, table: Table, ids: &[&str]) -> Result<DataFrame> {
        let frame = self.context.table(table.name()).await?;
        if ids.len() > MAX_NAMED_IN_CONDITION {
            return Ok(frame);
        }
        let ids = ids.iter().map(|id| lit(*id)).collect();
        frame.filter(ident(RECORDING_ID).in_list(ids, false))
    }

    /// The number of diagnostics of each recording that something could not be used.
    async fn damaged(&self) -> Result<BTreeMap<String, i64>> {
        let frame = self.context.table(Table::Diagnostics.name()).await?;
        let frame = frame.filter(ident("severity").eq(lit("error")))?;
        let counts = counts(frame, &[]).await?;
        Ok(counts
            .into_iter()
            .map(|(id, counts)| (id, counts[0]))
            .collect())
    }

    async fn rows(
        &self,
        needs: &TableNeeds,
        compared: &BTreeSet<String>,
        ids: &[&str],
    ) -> Result<BTreeMap<String, RowFacts>> {
        let columns = needs.columns.iter();
        let columns = columns.filter(|column| column.nullable && compared.contains(column.name));
        let columns: Vec<_> = columns.map(|column| column.name).collect();
        let counts = counts(self.table_of(needs.table, ids).await?, &columns).await?;
        let facts = counts.into_iter().map(|(id, counts)| {
            let null = columns.iter().zip(counts.iter().skip(1));
            let null = null
                .filter(|(_, count)| **count == 0)
                .map(|(name, _)| *name);
            let facts = RowFacts {
                rows: counts[0],
                null_columns: null.collect(),
            };
            (id, facts)
        });
        Ok(facts.collect())
    }

    fn lacks_rows(&self, table: Table, rows: i64) -> Option<String> {
        if table.is_of_problems() {
            return None;
        }
        let least = self.evidence.min_rows.unwrap_or(1);
        match u64::try_from(rows).unwrap_or_default() {
            0 if least > 0 => Some(format!("{table} has no rows")),
            rows if rows < least => Some(format!("{table} has {rows} rows, fewer than {least}")),
            _ => None,
        }
    }

    /// The recordings in which a name occurs: in the column, or as that of a context or object.
    async fn recordings_with_name(
        &self,
        table: Table,
        test: &NameTest,
        ids: &[&str],
    ) -> Result<BTreeSet<String>> {
        let places = [
            (table, test.column.as_str()),
            (Table::Contexts, "context"),
            (Table::Objects, "object"),
        ];
        let mut found = BTreeSet::new();
        for (table, column) in places {
            let frame = self.table_of(table, ids).await?.filter(test.on(column)?)?;
            found.extend(counts(frame, &[]).await?.into_keys());
        }
        Ok(found)
    }
}

impl RecordingFacts {
    fn lacks_table(&self, needs: &TableNeeds) -> Option<String> {
        let table = needs.table;
        let description = self.format.map(Format::description);
        if let Some(format) = description
            && !format.records_table(table.name())
        {
            let (article, title) = (format.article, format.title);
            return Some(format!("{article} {title} does not record {table}"));
        }
        if table != Table::DeadlineMisses {
            return None;
        }
        match self.deadlines {
            None => Some("its deadlines are not known; export it again".to_owned()),
            Some((0, _)) => Some("no deadline is declared".to_owned()),
            Some((all, judged)) if judged < all => Some(format!(
                "{} of {all} deadlines could not be judged",
                all - judged
            )),
            Some(_) => None,
        }
    }

    fn is_damaged(&self, table: Table, errors: i64) -> Option<String> {
        let is_damaged = errors > 0 || self.gaps > 0;
        (is_damaged && !table.is_of_recording()).then(|| {
            "parts of the recording are damaged or missing; `rtoscope info` shows them".to_owned()
        })
    }

    fn lacks_time(&self, needs: &TableNeeds) -> Option<String> {
        let with_unit = |unit: &str| {
            let columns = needs.columns.iter();
            let names = columns.filter(|column| column.unit == Some(unit));
            names
                .map(|column| column.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let nanoseconds = with_unit("ns");
        if !self.has_nanoseconds && !nanoseconds.is_empty() {
            let reason = no_nanoseconds(self.quality);
            return Some(format!("{nanoseconds} is null: {reason}"));
        }
        let ticks = with_unit("ticks");
        if ticks.is_empty() && !needs.table.needs_time() {
            return None;
        }
        let reason = match self.quality? {
            ClockQuality::Unknown => "the clock is unknown with fewer than two events".to_owned(),
            quality => quality.no_time()?.to_string(),
        };
        Some(match ticks.is_empty() {
            true => reason,
            false => format!("it compares {ticks}, but {reason}"),
        })
    }

    fn lacks_names<'t>(
        &self,
        tests: impl Iterator<Item = (&'t NameTest, &'t BTreeSet<String>)>,
    ) -> Option<String> {
        let mut tests = tests.filter(|(test, found)| {
            let is_kind = || {
                let text = test.text.as_deref().filter(|_| test.column == "kind");
                text.is_some_and(|text| self.has_kind(text))
            };
            !found.contains(&self.id) && !is_kind()
        });
        let (test, _) = tests.next()?;
        Some(format!("it has no {} {}", test.column, test.value()))
    }

    /// Whether its format has a kind of events with this name.
    fn has_kind(&self, name: &str) -> bool {
        let catalogue = self
            .format
            .map(|it| it.catalogue(&DecodeOptions::default()));
        let mut kinds = catalogue.iter().flat_map(|catalogue| catalogue.iter());
        kinds.any(|kind| kind.name == name)
    }
}

fn lacks_values(table: Table, facts: &RowFacts) -> Option<String> {
    let is_known = facts.rows == 0 || facts.null_columns.is_empty();
    (!is_known).then(|| {
        let columns = facts.null_columns.join(", ");
        format!("{columns} is null in all rows of {table}")
    })
}

/// The number of rows of each recording, and of those with a value in each column.
async fn counts(frame: DataFrame, columns: &[&str]) -> Result<BTreeMap<String, Vec<i64>>> {
    let values = columns.iter().zip(1..).map(|(column, at)| {
        let count = count(ident(*column));
        count.alias(format!("n{at}"))
    });
    let rows = [count(lit(1)).alias("n0")].into_iter();
    let frame = frame.aggregate(vec![ident(RECORDING_ID)], rows.chain(values).collect())?;
    let mut all = BTreeMap::new();
    for batch in frame.collect().await? {
        let ids = cast_array(batch.column(0), &DataType::Utf8)?;
        let ids = ids.as_string::<i32>();
        for row in 0..batch.num_rows() {
            let counts = (1..batch.num_columns()).map(|at| number(&batch, at, row));
            all.insert(ids.value(row).to_owned(), counts.collect());
        }
    }
    Ok(all)
}

fn number(batch: &RecordBatch, column: usize, row: usize) -> i64 {
    batch.column(column).as_primitive::<Int64Type>().value(row)
}

/// The condition on columns that are the same in all rows of a recording.
fn shared_condition(
    frame: &DataFrame,
    needs: &TableNeeds,
    query: &QueryNeeds,
) -> Result<Option<Expr>> {
    // The other columns of `recordings` select recordings for other tables. Alone, they are judged.
    let selects = needs.table == Table::Recordings && !query.is_about_recordings();
    let is_shared = |name: &str| {
        let is_own =
            ![FILE, RECORDING_ID].contains(&name) && needs.table.column_index(name).is_some();
        (selects || !is_own) && frame.schema().has_column_with_unqualified_name(name)
    };
    let filters = needs.filters.iter().filter(|filter| {
        let columns = filter.column_refs();
        !columns.is_empty() && columns.iter().all(|column| is_shared(&column.name))
    });
    let unqualified = filters.map(|filter| {
        let renamed = filter.clone().transform(|node| match node {
            Expr::Column(column) => {
                let column = Column::new_unqualified(column.name);
                Ok(Transformed::yes(Expr::Column(column)))
            }
            other => Ok(Transformed::no(other)),
        });
        renamed.map(|it| it.data)
    });
    Ok(conjunction(unqualified.collect::<Result<Vec<_>>>()?))
}
