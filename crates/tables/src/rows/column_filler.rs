//! Columns that are computed from rows, block by block.

use crate::distinct_texts::DistinctTexts;
use crate::{ColumnData, ColumnValues, StringTable, ValidityBitmap};
use std::ops::Range;
use std::sync::Arc;

/// Rows that are computed at a time: few enough to stay in the processor's cache while
/// each column reads them.
const BLOCK_ROWS: usize = 256;

/// How often a text occurs in a batch, as most recordings have it.
pub(super) const EXPECTED_REPETITIONS: usize = 8;

/// Rows that are read once for all columns of a batch.
pub(super) trait RowSource: Send + Sync {
    /// A row.
    type Row;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Calls `visit` with the rows of a range, in order.
    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[Self::Row]));

    /// What computes a column; `None` if there is no such column. Columns are counted
    /// without those common to all tables.
    fn filler(&self, column: usize, rows: usize) -> Option<Box<dyn ColumnFiller<Self::Row> + '_>>;
}

/// Computes the values of a column.
pub(super) trait ColumnFiller<R> {
    /// Appends the values of rows.
    fn append(&mut self, rows: &[R]);

    /// The values of all rows.
    fn finish(self: Box<Self>) -> ColumnValues;
}

/// A function of a row, a state that it changes, and what it has returned.
struct FunctionColumn<V, S, F, D> {
    value: F,
    state: S,
    values: Vec<V>,
    validity: ValidityBitmap,
    has_nulls: bool,
    data: D,
}

impl<R, V, S, F, D> ColumnFiller<R> for FunctionColumn<V, S, F, D>
where
    V: Default,
    F: FnMut(&R, &mut S) -> Option<V>,
    D: FnOnce(Vec<V>, S) -> ColumnData,
{
    fn append(&mut self, rows: &[R]) {
        for rows in rows.chunks(ValidityBitmap::WORD_ROWS) {
            let (mut bits, mut bit) = (0, 1_u64);
            self.values.extend(rows.iter().map(|row| {
                let value = (self.value)(row, &mut self.state);
                bits |= if value.is_some() { bit } else { 0 };
                bit <<= 1;
                value.unwrap_or_default()
            }));
            self.validity.push(bits, rows.len());
            self.has_nulls |= bits.count_ones() as usize != rows.len();
        }
    }

    fn finish(self: Box<Self>) -> ColumnValues {
        ColumnValues {
            validity: self.has_nulls.then_some(self.validity),
            data: (self.data)(self.values, self.state),
        }
    }
}

fn column_with_state<'f, R: 'f, V: Default + 'f, S: 'f>(
    rows: usize,
    state: S,
    value: impl FnMut(&R, &mut S) -> Option<V> + 'f,
    data: impl FnOnce(Vec<V>, S) -> ColumnData + 'f,
) -> Box<dyn ColumnFiller<R> + 'f> {
    Box::new(FunctionColumn {
        value,
        state,
        values: Vec::with_capacity(rows),
        validity: ValidityBitmap::default(),
        has_nulls: false,
        data,
    })
}

/// A column with the results of a function of each row.
pub(super) fn column<'f, R: 'f, V: Default + 'f>(
    rows: usize,
    mut value: impl FnMut(&R) -> Option<V> + 'f,
    data: impl FnOnce(Vec<V>) -> ColumnData + 'f,
) -> Box<dyn ColumnFiller<R> + 'f> {
    column_with_state(
        rows,
        (),
        move |row, ()| value(row),
        |values, ()| data(values),
    )
}

/// A column with strings, by the codes that are the results of a function of each row.
pub(super) fn dictionary_column<'f, R: 'f>(
    rows: usize,
    code: impl FnMut(&R) -> Option<u32> + 'f,
    strings: &Arc<StringTable>,
) -> Box<dyn ColumnFiller<R> + 'f> {
    let strings = Arc::clone(strings);
    column(rows, code, |codes| ColumnData::Strings { strings, codes })
}

/// A column with the texts whose codes are the results of a function of each row.
pub(super) fn text_column<'f, R: 'f>(
    rows: usize,
    code: impl FnMut(&R, &mut DistinctTexts) -> Option<u32> + 'f,
) -> Box<dyn ColumnFiller<R> + 'f> {
    let texts = DistinctTexts::with_capacity(rows / EXPECTED_REPETITIONS);
    column_with_state(rows, texts, code, coded_texts)
}

fn coded_texts(codes: Vec<u32>, texts: DistinctTexts) -> ColumnData {
    let strings = Arc::new(texts.into_strings());
    ColumnData::Strings { strings, codes }
}

/// Texts as they are.
pub(super) fn to_text_column(values: Vec<String>) -> ColumnData {
    let mut texts = DistinctTexts::default();
    let codes = values.into_iter().map(|text| texts.code_of(&text));
    let codes = codes.collect();
    coded_texts(codes, texts)
}

/// Collects rows into blocks.
pub(super) struct RowBlocks<R, F> {
    rows: Vec<R>,
    visit: F,
}

impl<R, F: FnMut(&[R])> RowBlocks<R, F> {
    pub(super) fn new(visit: F) -> Self {
        Self {
            rows: Vec::with_capacity(BLOCK_ROWS),
            visit,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, row: R) {
        self.rows.push(row);
        if self.rows.len() == BLOCK_ROWS {
            (self.visit)(&self.rows);
            self.rows.clear();
        }
    }

    /// Ends the last block.
    pub(super) fn finish(mut self) {
        (self.visit)(&self.rows);
    }
}

/// Quantities as signed integers. Values above 2⁶³ - 1, which no clock reaches,
/// saturate.
pub(super) fn to_i64_column(values: Vec<u64>) -> ColumnData {
    let signed = values.into_iter().map(to_i64);
    ColumnData::I64(signed.collect())
}

/// One quantity as a signed integer.
pub(super) fn to_i64(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
