//! The rows of a result for the page, up to a limit.

use crate::engine::SqlDiagnostic;
use crate::engine::table_columns::is_address;
use crate::results::{address, distinct_columns, is_number};
use arrow::array::{Array, AsArray as _, RecordBatch};
use arrow::datatypes::{DataType, Schema};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use rtoscope_command::sql_protocol::{SqlColumn, SqlResult};
use serde_json::{Number, Value};

/// Maximum number of rows of an answer. The others are counted.
const MAX_ROWS: usize = 10_000;
/// Maximum number of bytes of an answer, approximately.
const MAX_BYTES: usize = 16 << 20;
/// The integers up to this one are exact in JavaScript.
const MAX_SAFE_INTEGER: u64 = 1 << 53;

/// The first rows, and the number of all rows.
pub(super) async fn collect(
    sql: &str,
    mut batches: SendableRecordBatchStream,
) -> anyhow::Result<SqlResult> {
    let schema = distinct_columns(&batches.schema());
    let columns = schema.fields().iter().map(|field| SqlColumn {
        name: field.name().clone(),
        is_number: is_number(field.data_type()),
    });
    let mut result = SqlResult {
        columns: columns.collect(),
        rows: Vec::new(),
        count: 0,
        milliseconds: 0.0,
        warning: None,
    };
    let mut bytes = 0;
    while let Some(batch) = batches.next().await {
        let batch = batch.map_err(|error| SqlDiagnostic::new(sql, &error, &[]))?;
        // A gap in the rows would mislead: none follow one that does not fit.
        let is_complete = result.rows.len() as u64 == result.count;
        result.count += batch.num_rows() as u64;
        if is_complete && bytes < MAX_BYTES {
            push_rows(&schema, &batch, &mut result.rows, &mut bytes)?;
        }
    }
    Ok(result)
}

/// Appends rows while there is room.
fn push_rows(
    schema: &Schema,
    batch: &RecordBatch,
    rows: &mut Vec<Vec<Value>>,
    bytes: &mut usize,
) -> Result<(), ArrowError> {
    let options = FormatOptions::new();
    let columns = batch.columns().iter();
    let columns: Vec<_> = columns
        .map(|column| ArrayFormatter::try_new(column, &options).map(|it| (column, it)))
        .collect::<Result<_, _>>()?;
    for row in 0..batch.num_rows() {
        if rows.len() >= MAX_ROWS || *bytes >= MAX_BYTES {
            return Ok(());
        }
        let cells = columns.iter().zip(schema.fields());
        let cells = cells.map(|((column, formatter), field)| {
            if column.is_null(row) {
                return Ok(Value::Null);
            }
            if let DataType::Boolean = column.data_type() {
                return Ok(Value::Bool(column.as_boolean().value(row)));
            }
            if is_address(field)
                && let Some(address) = address(column, row)
            {
                return Ok(Value::String(address));
            }
            let text = formatter.value(row).try_to_string()?;
            let number = is_number(column.data_type()).then(|| exact_number(&text));
            Ok(number.flatten().map_or(Value::String(text), Value::Number))
        });
        let cells = cells.collect::<Result<Vec<_>, ArrowError>>()?;
        let sizes = cells.iter().map(|cell| match cell {
            Value::String(text) => text.len() + 3,
            _ => 8,
        });
        *bytes += sizes.sum::<usize>();
        rows.push(cells);
    }
    Ok(())
}

/// The number that a text shows, unless JavaScript would change it.
fn exact_number(text: &str) -> Option<Number> {
    if let Ok(integer) = text.parse::<i64>() {
        let is_safe = integer.unsigned_abs() <= MAX_SAFE_INTEGER;
        return is_safe.then(|| integer.into());
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Number::from_f64(text.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
    use std::sync::Arc;

    #[test]
    fn values_are_exact() {
        let columns: [(&str, ArrayRef); 4] = [
            (
                "integer",
                Arc::new(Int64Array::from(vec![Some(-7), Some(i64::MAX), None])),
            ),
            (
                "float",
                Arc::new(Float64Array::from(vec![0.1, f64::NAN, 1e300])),
            ),
            ("text", Arc::new(StringArray::from(vec!["12", "a\nb", ""]))),
            (
                "boolean",
                Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])),
            ),
        ];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut rows = Vec::new();
        push_rows(&batch.schema(), &batch, &mut rows, &mut 0).unwrap();
        let expected = serde_json::json!([
            [-7, 0.1, "12", true],
            ["9223372036854775807", "NaN", "a\nb", false],
            [null, 1e300, "", null]
        ]);
        assert_eq!(serde_json::to_value(rows).unwrap(), expected);
    }

    #[test]
    fn rows_stop_at_the_limits() {
        let long: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(MAX_BYTES / 4); 9]));
        let batch = RecordBatch::try_from_iter([("text", long)]).unwrap();
        let mut rows = Vec::new();
        push_rows(&batch.schema(), &batch, &mut rows, &mut 0).unwrap();
        assert_eq!(rows.len(), 4);
        let many: ArrayRef = Arc::new(Int64Array::from(vec![1; MAX_ROWS + 1]));
        let batch = RecordBatch::try_from_iter([("number", many)]).unwrap();
        let mut rows = Vec::new();
        push_rows(&batch.schema(), &batch, &mut rows, &mut 0).unwrap();
        assert_eq!(rows.len(), MAX_ROWS);
    }
}
