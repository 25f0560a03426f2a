//! A batch of a column's values.

use crate::StringTable;
use std::borrow::Cow;
use std::sync::Arc;

/// Values of a column, one a row.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnValues<'a> {
    /// The values; anything where there is none.
    pub data: ColumnData<'a>,
    /// Which rows have a value; all of them if `None`.
    pub valid: Option<Vec<bool>>,
}

/// Values by the [`Kind`](crate::Kind) of their column.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnData<'a> {
    /// True or false.
    Bool(Vec<bool>),
    /// Numbers below 2⁸.
    U8(Cow<'a, [u8]>),
    /// Numbers below 2¹⁶.
    U16(Cow<'a, [u16]>),
    /// Numbers below 2³².
    U32(Cow<'a, [u32]>),
    /// Numbers below 2⁶⁴.
    U64(Cow<'a, [u64]>),
    /// Signed numbers.
    I64(Cow<'a, [i64]>),
    /// Numbers with a fraction.
    F64(Cow<'a, [f64]>),
    /// Texts out of few.
    Dictionary {
        /// The texts: the same for all batches of the column. There is at least
        /// one, and two can be equal.
        strings: Arc<StringTable>,
        /// Which of them; always one that there is.
        codes: Vec<u32>,
    },
    /// Texts.
    Text(StringTable),
}

impl ColumnValues<'_> {
    /// How many there are.
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a row has a value.
    pub fn is_valid(&self, row: usize) -> bool {
        let valid = self.valid.as_ref();
        valid.is_none_or(|valid| valid.get(row).copied().unwrap_or_default())
    }
}

impl<'a> From<ColumnData<'a>> for ColumnValues<'a> {
    /// All of them are there.
    fn from(data: ColumnData<'a>) -> Self {
        Self { data, valid: None }
    }
}
