//! Column values as text.

use super::LineFormat;
use rtoscope_tables::{ColumnData, ColumnValues, StringTable};
use std::io::Write as _;
use std::sync::Arc;

/// The values of a column, written row by row.
pub(super) struct ColumnCells {
    layout: LineFormat,
    values: ColumnValues,
    /// The encoded texts of the string table, and where each ends.
    encoded_texts: Vec<u8>,
    encoded_ends: Vec<usize>,
    /// The string table they were encoded from.
    encoded_table: Option<Arc<StringTable>>,
}

impl ColumnCells {
    /// Creates the cells without values.
    pub(super) fn new(layout: LineFormat) -> Self {
        Self {
            layout,
            values: ColumnData::Bool(Vec::new()).into(),
            encoded_texts: Vec::new(),
            encoded_ends: Vec::new(),
            encoded_table: None,
        }
    }

    /// Replaces the values.
    pub(super) fn set_values(&mut self, values: ColumnValues) {
        if let ColumnData::Strings { strings, .. } = &values.data {
            let known = self.encoded_table.as_ref();
            if !known.is_some_and(|known| Arc::ptr_eq(known, strings)) {
                self.encoded_texts.clear();
                self.encoded_ends.clear();
                for text in strings.iter() {
                    self.layout.text(text, &mut self.encoded_texts);
                    self.encoded_ends.push(self.encoded_texts.len());
                }
                self.encoded_table = Some(Arc::clone(strings));
            }
        }
        self.values = values;
    }

    /// Writes the value in a row.
    #[inline]
    pub(super) fn write(&self, row: usize, to: &mut Vec<u8>) {
        let written = self.values.is_valid(row) && self.write_value(row, to).is_some();
        if !written {
            to.extend_from_slice(self.layout.missing());
        }
    }

    #[inline]
    fn write_value(&self, row: usize, to: &mut Vec<u8>) -> Option<()> {
        match &self.values.data {
            ColumnData::Bool(values) => {
                let word: &[u8] = if *values.get(row)? { b"true" } else { b"false" };
                to.extend_from_slice(word);
            }
            ColumnData::U8(values) => number(*values.get(row)?, to),
            ColumnData::U16(values) => number(*values.get(row)?, to),
            ColumnData::U32(values) => number(*values.get(row)?, to),
            ColumnData::U64(values) => number(*values.get(row)?, to),
            ColumnData::I64(values) => number(*values.get(row)?, to),
            ColumnData::F64(values) => {
                let value = values.get(row).filter(|value| value.is_finite())?;
                // Writing to memory cannot fail.
                let _ = write!(to, "{value}");
            }
            ColumnData::Strings { codes, .. } => {
                let code = *codes.get(row)? as usize;
                let start = code
                    .checked_sub(1)
                    .map_or(Some(&0), |last| self.encoded_ends.get(last));
                to.extend_from_slice(
                    self.encoded_texts
                        .get(*start?..*self.encoded_ends.get(code)?)?,
                );
            }
        }
        Some(())
    }
}

#[inline]
fn number(number: impl itoa::Integer, to: &mut Vec<u8>) {
    let mut digits = itoa::Buffer::new();
    to.extend_from_slice(digits.format(number).as_bytes());
}
