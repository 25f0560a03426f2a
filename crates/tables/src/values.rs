//! A batch of a column's values.

use crate::Texts;
use std::borrow::Cow;
use std::sync::Arc;

/// Values of a column, one a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Values<'a> {
    /// The values; anything where there is none.
    pub data: Data<'a>,
    /// Which rows have a value; all of them if `None`.
    pub valid: Option<Vec<bool>>,
}

/// Values by the [`Kind`](crate::Kind) of their column.
#[derive(Debug, Clone, PartialEq)]
pub enum Data<'a> {
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
    Word {
        /// The texts: the same for all batches of the column. There is at least
        /// one, and two can be equal.
        words: Arc<Texts>,
        /// Which of them; always one that there is.
        codes: Vec<u32>,
    },
    /// Texts.
    Text(Texts),
}

impl Values<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.data {
            Data::Bool(values) => values.len(),
            Data::U8(values) => values.len(),
            Data::U16(values) => values.len(),
            Data::U32(values) => values.len(),
            Data::U64(values) => values.len(),
            Data::I64(values) => values.len(),
            Data::F64(values) => values.len(),
            Data::Word { codes, .. } => codes.len(),
            Data::Text(texts) => texts.len(),
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

impl<'a> From<Data<'a>> for Values<'a> {
    /// All of them are there.
    fn from(data: Data<'a>) -> Self {
        Self { data, valid: None }
    }
}
