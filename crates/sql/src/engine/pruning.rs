//! Excludes recordings by filters before they are decoded.

use arrow::array::{Array as _, AsArray as _, BooleanArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema};
use datafusion::catalog::Session;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};

/// The indexes of `recordings` that match all filters, which concern its
/// columns only.
pub(super) fn matching_recordings(
    state: &dyn Session,
    filters: &[Expr],
    recordings: &RecordBatch,
) -> Result<Vec<usize>> {
    let all = 0..recordings.num_rows();
    let Some(filter) = conjunction(filters.iter().cloned()) else {
        return Ok(all.collect());
    };
    let schema = DFSchema::try_from(recordings.schema())?;
    let filter = state.create_physical_expr(filter, &schema)?;
    let matches = filter
        .evaluate(recordings)?
        .into_array(recordings.num_rows())?;
    let matches = cast(&matches, &DataType::Boolean)?;
    let matches = matches.as_any().downcast_ref::<BooleanArray>();
    let matches =
        |row: &usize| matches.is_none_or(|matches| matches.is_valid(*row) && matches.value(*row));
    Ok(all.filter(matches).collect())
}

/// The values of an expression that concerns columns of `recordings` only, as texts.
pub(super) fn texts(
    state: &dyn Session,
    expression: &Expr,
    recordings: &RecordBatch,
) -> Result<StringArray> {
    let schema = DFSchema::try_from(recordings.schema())?;
    let expression = state.create_physical_expr(expression.clone(), &schema)?;
    let values = expression.evaluate(recordings)?;
    let values = values.into_array(recordings.num_rows())?;
    Ok(cast(&values, &DataType::Utf8)?.as_string().clone())
}

/// Which filters concern only columns that are the same in all rows of a
/// recording.
pub(super) fn supported(filters: &[&Expr], columns: &Schema) -> Vec<TableProviderFilterPushDown> {
    let uses_columns_only = |filter: &Expr| {
        let named = filter.column_refs();
        let mut all = named
            .iter()
            .map(|column| columns.column_with_name(&column.name));
        !named.is_empty() && all.all(|column| column.is_some()) && !filter.is_volatile()
    };
    let supported = filters
        .iter()
        .map(|filter| match uses_columns_only(filter) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        });
    supported.collect()
}
