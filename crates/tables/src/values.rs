//! Values of a column in a batch.

use crate::StringTable;
use std::sync::Arc;

/// Values of a column, one per row.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnValues {
    /// The values; arbitrary where a row has none.
    pub data: ColumnData,
    /// Which rows have a value; all rows if `None`.
    pub valid: Option<Vec<bool>>,
}

/// Values by the [`ColumnType`](crate::ColumnType) of their column.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnData {
    /// Booleans.
    Bool(Vec<bool>),
    /// Unsigned integers of 8 bits.
    U8(Vec<u8>),
    /// Unsigned integers of 16 bits.
    U16(Vec<u16>),
    /// Unsigned integers of 32 bits.
    U32(Vec<u32>),
    /// Unsigned integers of 64 bits.
    U64(Vec<u64>),
    /// Signed integers of 64 bits.
    I64(Vec<i64>),
    /// Floating-point numbers.
    F64(Vec<f64>),
    /// Text with few distinct values.
    Dictionary {
        /// The strings, shared by all batches of the column. There is at least
        /// one; two can be equal.
        strings: Arc<StringTable>,
        /// The index of each row's string; always valid.
        codes: Vec<u32>,
    },
    /// Text.
    Text(StringTable),
}

impl ColumnValues {
    /// The number of values, including nulls.
    pub fn len(&self) -> usize {
        match &self.data {
            ColumnData::Bool(values) => values.len(),
            ColumnData::U8(values) => values.len(),
            ColumnData::U16(values) => values.len(),
            ColumnData::U32(values) => values.len(),
            ColumnData::U64(values) => values.len(),
            ColumnData::I64(values) => values.len(),
            ColumnData::F64(values) => values.len(),
            ColumnData::Dictionary { codes, .. } => codes.len(),
            ColumnData::Text(texts) => texts.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a row has a value.
    pub fn is_valid(&self, row: usize) -> bool {
        let valid = self.valid.as_ref();
        valid.is_none_or(|valid| valid.get(row).copied().unwrap_or_default())
    }
}

impl From<ColumnData> for ColumnValues {
    /// Values without nulls.
    fn from(data: ColumnData) -> Self {
        Self { data, valid: None }
    }
}
