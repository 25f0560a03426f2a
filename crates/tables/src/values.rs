//! Values of a column in a batch.

use crate::StringTable;
use std::sync::Arc;

/// Values of a column, one per row.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnValues {
    /// The values; arbitrary where a row has none.
    pub data: ColumnData,
    /// Which rows have a value; all rows if `None`.
    pub validity: Option<ValidityBitmap>,
}

/// Whether each row has a value, as in Arrow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValidityBitmap {
    /// One bit per row, the least significant first.
    words: Vec<u64>,
    rows: usize,
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
    /// Text.
    Strings {
        /// At least one string. All batches of a [`Dictionary`](crate::ColumnType::Dictionary)
        /// column share them, and two can be equal; those of a
        /// [`Text`](crate::ColumnType::Text) column are distinct, and of one batch.
        strings: Arc<StringTable>,
        /// The index of each row's string; always valid.
        codes: Vec<u32>,
    },
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
            ColumnData::Strings { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a row has a value.
    pub fn is_valid(&self, row: usize) -> bool {
        let validity = self.validity.as_ref();
        validity.is_none_or(|validity| validity.is_valid(row))
    }
}

impl From<ColumnData> for ColumnValues {
    /// Values without nulls.
    fn from(data: ColumnData) -> Self {
        Self {
            data,
            validity: None,
        }
    }
}

impl ValidityBitmap {
    /// Rows per word.
    pub(crate) const WORD_ROWS: usize = u64::BITS as usize;

    /// Appends the bits of up to 64 rows.
    #[inline]
    pub(crate) fn push(&mut self, bits: u64, rows: usize) {
        let used = self.rows % Self::WORD_ROWS;
        match self.words.last_mut() {
            Some(last) if used > 0 => {
                *last |= bits << used;
                if used + rows > Self::WORD_ROWS {
                    self.words.push(bits >> (Self::WORD_ROWS - used));
                }
            }
            _ => self.words.push(bits),
        }
        self.rows += rows;
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Whether a row has a value.
    pub fn is_valid(&self, row: usize) -> bool {
        let word = self.words.get(row / Self::WORD_ROWS);
        word.is_some_and(|word| word >> (row % Self::WORD_ROWS) & 1 == 1)
    }

    /// The bits in words, the least significant first; those of no row are 0.
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_appended(parts in prop::collection::vec((any::<u64>(), 1..=64_usize), 0..9)) {
            let mut validity = ValidityBitmap::default();
            let mut expected = Vec::new();
            for (bits, rows) in parts {
                let bits = bits & u64::MAX >> (64 - rows);
                validity.push(bits, rows);
                expected.extend((0..rows).map(|row| bits >> row & 1 == 1));
            }
            prop_assert_eq!(validity.len(), expected.len());
            let rows: Vec<_> = (0..validity.len()).map(|row| validity.is_valid(row)).collect();
            prop_assert_eq!(rows, expected);
        }
    }
}
