//! Rows as record batches.

use super::dictionary::{Dictionary, texts};
use super::{lend, schema};
use crate::Opened;
use arrow::array::{
    ArrayRef, AsArray as _, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchOptions,
};
use arrow::buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use arrow::datatypes::{
    ArrowPrimitiveType, Float64Type, Int64Type, SchemaRef, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow::error::ArrowError;
use rtoscope_tables::{Data, Rows, Table, Values};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Rows that are looked at together.
const RISING: usize = 1 << 16;

/// The rows of a table of a recording, made into record batches.
pub struct Batches<'a> {
    opened: &'a Arc<Opened>,
    table: Table,
    rows: Rows<'a>,
    schema: SchemaRef,
    /// Of the columns that have words, once they were asked for.
    dictionaries: Vec<OnceLock<Dictionary>>,
}

impl<'a> Batches<'a> {
    /// The rows of a recording's table.
    pub fn of(opened: &'a Arc<Opened>, table: Table) -> Self {
        let schema = schema(table);
        Self {
            opened,
            table,
            rows: Rows::of(table, opened.source()),
            dictionaries: schema.fields().iter().map(|_| OnceLock::new()).collect(),
            schema,
        }
    }

    /// The schema of all columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some columns of some rows, in the order of `columns`. Columns that the
    /// recording has as Arrow does are not copied. All batches share the
    /// dictionaries.
    ///
    /// # Errors
    ///
    /// If there is no such column.
    pub fn batch(&self, rows: Range<usize>, columns: &[usize]) -> Result<RecordBatch, ArrowError> {
        let schema = Arc::new(self.schema.project(columns)?);
        let end = rows.end.min(self.len());
        let rows = rows.start.min(end)..end;
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let values = self.rows.batch(rows, columns);
        let arrays = columns.iter().zip(values);
        let arrays = arrays.map(|(column, values)| self.array(*column, values));
        let arrays: Vec<ArrayRef> = arrays.collect::<Result<_, _>>()?;
        RecordBatch::try_new_with_options(schema, arrays, &options)
    }

    /// One column of some rows.
    ///
    /// # Errors
    ///
    /// If there is no such column.
    pub fn column(&self, rows: Range<usize>, column: usize) -> Result<ArrayRef, ArrowError> {
        let batch = self.batch(rows, &[column])?;
        Ok(Arc::clone(batch.column(0)))
    }

    /// The first column that counts ticks, if it has a value in every row, and
    /// that is never less than in the row before.
    pub fn rising(&self) -> Option<usize> {
        let mut columns = self.table.columns().iter();
        let column = columns.position(|column| column.unit == Some("ticks") && !column.nullable)?;
        let mut last = 0;
        let mut rises = |first: usize| {
            let values = self.column(first..first + RISING, column).ok()?;
            let values = values.as_primitive_opt::<Int64Type>()?.values();
            let rises = *values.first()? >= last && values.is_sorted();
            last = *values.last()?;
            rises.then_some(())
        };
        let mut firsts = (0..self.len()).step_by(RISING);
        firsts.try_for_each(&mut rises).map(|()| column)
    }

    fn array(&self, column: usize, values: Values<'_>) -> Result<ArrayRef, ArrowError> {
        let valid = values.valid.map(NullBuffer::from);
        Ok(match values.data {
            Data::Bool(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), valid)),
            Data::U8(values) => self.numbers::<UInt8Type>(values, valid)?,
            Data::U16(values) => self.numbers::<UInt16Type>(values, valid)?,
            Data::U32(values) => self.numbers::<UInt32Type>(values, valid)?,
            Data::U64(values) => self.numbers::<UInt64Type>(values, valid)?,
            Data::I64(values) => self.numbers::<Int64Type>(values, valid)?,
            Data::F64(values) => self.numbers::<Float64Type>(values, valid)?,
            Data::Word { words, codes } => {
                let dictionary = match self.dictionaries[column].get() {
                    Some(dictionary) => dictionary,
                    None => {
                        let made = Dictionary::of(&words)?;
                        self.dictionaries[column].get_or_init(|| made)
                    }
                };
                dictionary.array(codes, valid)?
            }
            Data::Text(values) => Arc::new(texts(values, valid)?),
        })
    }

    fn numbers<T: ArrowPrimitiveType>(
        &self,
        values: Cow<'_, [T::Native]>,
        valid: Option<NullBuffer>,
    ) -> Result<ArrayRef, ArrowError> {
        let values = match values {
            Cow::Owned(values) => ScalarBuffer::from(values),
            Cow::Borrowed(values) => ScalarBuffer::from(lend::buffer(self.opened, values)),
        };
        let array = PrimitiveArray::<T>::try_new(values, valid)?;
        Ok(Arc::new(array))
    }
}
