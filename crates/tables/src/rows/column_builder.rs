//! Builder for columns with nulls.

use crate::{ColumnData, ColumnValues};

/// Values that can be null.
pub(super) struct ColumnBuilder<V> {
    values: Vec<V>,
    /// Empty as long as no value is null.
    valid: Vec<bool>,
}

impl<V: Default> ColumnBuilder<V> {
    pub(super) fn new(rows: usize) -> Self {
        Self {
            values: Vec::with_capacity(rows),
            valid: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, value: Option<V>) {
        if value.is_none() && self.valid.is_empty() {
            self.valid.resize(self.values.len(), true);
            self.valid.push(false);
        } else if !self.valid.is_empty() {
            self.valid.push(value.is_some());
        }
        self.values.push(value.unwrap_or_default());
    }

    pub(super) fn finish<'a>(
        self,
        data: impl FnOnce(Vec<V>) -> ColumnData<'a>,
    ) -> ColumnValues<'a> {
        ColumnValues {
            valid: (!self.valid.is_empty()).then_some(self.valid),
            data: data(self.values),
        }
    }
}

/// Collects values into a column.
pub(super) fn collect_column<'a, V: Default>(
    values: impl ExactSizeIterator<Item = Option<V>>,
    data: impl FnOnce(Vec<V>) -> ColumnData<'a>,
) -> ColumnValues<'a> {
    let mut column = ColumnBuilder::new(values.len());
    values.for_each(|value| column.push(value));
    column.finish(data)
}

/// Quantities as signed integers. Values above 2⁶³ - 1, which no clock reaches,
/// saturate.
pub(super) fn to_i64_column<'a>(values: Vec<u64>) -> ColumnData<'a> {
    let signed = values.into_iter().map(to_i64);
    ColumnData::I64(signed.collect())
}

/// One quantity as a signed integer.
pub(super) fn to_i64(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
