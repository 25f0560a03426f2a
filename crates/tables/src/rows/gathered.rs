//! Columns as they grow.

use crate::{Data, Values};

/// Values that may be missing.
pub(super) struct Gathered<V> {
    values: Vec<V>,
    /// Empty as long as none is missing.
    valid: Vec<bool>,
}

impl<V: Default> Gathered<V> {
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

    pub(super) fn finish<'a>(self, data: impl FnOnce(Vec<V>) -> Data<'a>) -> Values<'a> {
        Values {
            valid: (!self.valid.is_empty()).then_some(self.valid),
            data: data(self.values),
        }
    }
}

/// Values one after the other.
pub(super) fn gathered<'a, V: Default>(
    values: impl ExactSizeIterator<Item = Option<V>>,
    data: impl FnOnce(Vec<V>) -> Data<'a>,
) -> Values<'a> {
    let mut column = Gathered::new(values.len());
    values.for_each(|value| column.push(value));
    column.finish(data)
}

/// Quantities with a sign. What is beyond 2⁶³, which no clock reaches, is the most
/// that there is.
pub(super) fn quantities<'a>(values: Vec<u64>) -> Data<'a> {
    let signed = values.into_iter().map(signed);
    Data::I64(signed.collect())
}

/// The same of one.
pub(super) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
