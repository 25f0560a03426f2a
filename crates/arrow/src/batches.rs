//! Tables as record batches.

use crate::TextArrays;
use crate::dictionary::{DictionaryValues, string_array};
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchOptions, cast::AsArray as _,
};
use arrow_buffer::{ArrowNativeType, BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, SchemaRef};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_tables::{ColumnData, ColumnType, ColumnValues, Table, TableRows, ValidityBitmap};
use rtoscope_trace::parallel;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

/// Rows of a record batch, and rows that are checked for ascending order at a time.
pub(crate) const BATCH_ROWS: usize = 1 << 16;

/// The values of batches in which a column has no value, or only zeros: all of them share these.
static ZEROS: LazyLock<Buffer> = LazyLock::new(|| vec![0_u64; BATCH_ROWS].into());

/// Shared zeros, if there are as many.
pub(crate) fn zeros<T: ArrowNativeType>(count: usize) -> Option<ScalarBuffer<T>> {
    (count <= BATCH_ROWS).then(|| ScalarBuffer::new(ZEROS.clone(), 0, count))
}

/// The rows of one table of a recording, converted to record batches.
pub struct TableBatches<'a> {
    table: Table,
    rows: TableRows<'a>,
    texts: TextArrays,
    schema: SchemaRef,
    /// The dictionaries of columns, built on first use.
    dictionaries: Vec<OnceLock<DictionaryValues>>,
}

impl<'a> TableBatches<'a> {
    /// The rows of a table of a recording, with plain texts.
    pub fn new(opened: &'a Arc<AnalyzedRecording>, table: Table) -> Self {
        Self::with_texts(opened, table, TextArrays::Plain)
    }

    /// The same with a choice of the arrays of texts.
    pub fn with_texts(opened: &'a Arc<AnalyzedRecording>, table: Table, texts: TextArrays) -> Self {
        let schema = texts.schema(table);
        Self {
            table,
            rows: TableRows::new(table, opened),
            texts,
            dictionaries: schema.fields().iter().map(|_| OnceLock::new()).collect(),
            schema,
        }
    }

    /// The schema of all columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some columns of a range of rows, in the order of `columns`. All batches share
    /// the dictionaries.
    ///
    /// # Errors
    ///
    /// If a column does not exist.
    pub fn batch(&self, rows: Range<usize>, columns: &[usize]) -> Result<RecordBatch, ArrowError> {
        let schema = Arc::new(self.schema.project(columns)?);
        let end = rows.end.min(self.len());
        let rows = rows.start.min(end)..end;
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let values = self.rows.batch(rows.clone(), columns);
        let arrays = columns.iter().zip(values);
        let arrays = arrays.map(|(column, values)| self.array(*column, values));
        let arrays: Vec<ArrayRef> = arrays.collect::<Result<_, _>>()?;
        RecordBatch::try_new_with_options(schema, arrays, &options)
    }

    /// The rows that [`TableBatches::batches`] computes at a time in streams.
    pub fn rows_at_a_time() -> usize {
        BATCH_ROWS * 2 * parallel::threads()
    }

    /// The same in batches of 65 536 rows, computed in parallel.
    ///
    /// # Errors
    ///
    /// If a column does not exist.
    pub fn batches(
        &self,
        rows: Range<usize>,
        columns: &[usize],
    ) -> Result<Vec<RecordBatch>, ArrowError> {
        let end = rows.end.min(self.len());
        self.rows.prepare(columns);
        let parts = (rows.start..end).step_by(BATCH_ROWS);
        let parts = parts.map(|first| first..end.min(first + BATCH_ROWS));
        let batches = parallel::map(parts.collect(), |rows| self.batch(rows, columns));
        batches.into_iter().collect()
    }

    /// One column of a range of rows.
    ///
    /// # Errors
    ///
    /// If the column does not exist.
    pub fn column(&self, rows: Range<usize>, column: usize) -> Result<ArrayRef, ArrowError> {
        let batch = self.batch(rows, &[column])?;
        Ok(Arc::clone(batch.column(0)))
    }

    /// The first column in ticks, if it has a value in every row and its values
    /// never decrease.
    pub fn ascending_column(&self) -> Option<usize> {
        let mut columns = self.table.columns().iter();
        let column = columns.position(|column| column.unit == Some("ticks") && !column.nullable)?;
        let mut last = 0;
        let mut is_ascending = |first: usize| {
            let values = self.column(first..first + BATCH_ROWS, column).ok()?;
            let values = values.as_primitive_opt::<Int64Type>()?.values();
            let ascending = *values.first()? >= last && values.is_sorted();
            last = *values.last()?;
            ascending.then_some(())
        };
        let mut firsts = (0..self.len()).step_by(BATCH_ROWS);
        firsts.try_for_each(&mut is_ascending).map(|()| column)
    }

    fn array(&self, column: usize, values: ColumnValues) -> Result<ArrayRef, ArrowError> {
        let valid = values.validity.map(null_buffer);
        Ok(match values.data {
            ColumnData::Bool(values) => {
                Arc::new(BooleanArray::new(BooleanBuffer::from(values), valid))
            }
            ColumnData::U8(values) => Self::primitive_array::<UInt8Type>(values, valid)?,
            ColumnData::U16(values) => Self::primitive_array::<UInt16Type>(values, valid)?,
            ColumnData::U32(values) => Self::primitive_array::<UInt32Type>(values, valid)?,
            ColumnData::U64(values) => Self::primitive_array::<UInt64Type>(values, valid)?,
            ColumnData::I64(values) => Self::primitive_array::<Int64Type>(values, valid)?,
            ColumnData::F64(values) => Self::primitive_array::<Float64Type>(values, valid)?,
            ColumnData::Strings { strings, codes } => {
                match self.table.columns()[column].column_type {
                    ColumnType::Text if self.texts == TextArrays::Plain => {
                        Arc::new(string_array(strings.repeat(&codes), valid)?)
                    }
                    ColumnType::Text => {
                        DictionaryValues::from_distinct(strings)?.array(codes, valid)?
                    }
                    _ => {
                        let dictionary = match self.dictionaries[column].get() {
                            Some(dictionary) => dictionary,
                            None => {
                                let built = DictionaryValues::from_strings(&strings)?;
                                self.dictionaries[column].get_or_init(|| built)
                            }
                        };
                        dictionary.array(codes, valid)?
                    }
                }
            }
        })
    }

    fn primitive_array<T: ArrowPrimitiveType>(
        values: Vec<T::Native>,
        valid: Option<NullBuffer>,
    ) -> Result<ArrayRef, ArrowError> {
        let is_empty = valid.as_ref().is_some_and(|it| it.null_count() == it.len());
        let shared = is_empty.then(|| zeros(values.len())).flatten();
        let values = shared.unwrap_or_else(|| values.into());
        Ok(Arc::new(PrimitiveArray::<T>::try_new(values, valid)?))
    }
}

fn null_buffer(validity: ValidityBitmap) -> NullBuffer {
    let rows = validity.len();
    let words: Vec<u64> = validity.into_words().into_iter().map(u64::to_le).collect();
    NullBuffer::new(BooleanBuffer::new(words.into(), 0, rows))
}
