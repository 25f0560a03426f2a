//! Excludes recordings by filters before they are analysed.

use arrow::array::{Array as _, BooleanArray, RecordBatch};
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
    let fits = filter
        .evaluate(recordings)?
        .into_array(recordings.num_rows())?;
    let fits = cast(&fits, &DataType::Boolean)?;
    let fits = fits.as_any().downcast_ref::<BooleanArray>();
    let fits = |row: &usize| fits.is_none_or(|fits| fits.is_valid(*row) && fits.value(*row));
    Ok(all.filter(fits).collect())
}

/// Which filters concern only columns that are the same in all rows of a
/// recording.
pub(super) fn supported(filters: &[&Expr], columns: &Schema) -> Vec<TableProviderFilterPushDown> {
    let is_known = |filter: &Expr| {
        let named = filter.column_refs();
        let mut all = named
            .iter()
            .map(|column| columns.column_with_name(&column.name));
        !named.is_empty() && all.all(|column| column.is_some()) && !filter.is_volatile()
    };
    let supported = filters.iter().map(|filter| match is_known(filter) {
        true => TableProviderFilterPushDown::Exact,
        false => TableProviderFilterPushDown::Unsupported,
    });
    supported.collect()
}
