//! Column values as text.

use super::LineFormat;
use rtoscope_tables::{ColumnData, ColumnValues};
use std::io::Write as _;

/// The values of a column, written row by row.
pub(super) struct ColumnCells {
    format: LineFormat,
    values: ColumnValues,
    /// The encoded texts of the string table, and where each ends.
    encoded_texts: Vec<u8>,
    encoded_ends: Vec<usize>,
}

impl ColumnCells {
    pub(super) fn new(format: LineFormat, values: ColumnValues) -> Self {
        let (mut encoded_texts, mut encoded_ends) = (Vec::new(), Vec::new());
        if let ColumnData::Strings { strings, .. } = &values.data {
            for text in strings.iter() {
                format.text(text, &mut encoded_texts);
                encoded_ends.push(encoded_texts.len());
            }
        }
        Self {
            format,
            values,
            encoded_texts,
            encoded_ends,
        }
    }

    /// Writes the value in a row.
    #[inline]
    pub(super) fn write(&self, row: usize, to: &mut Vec<u8>) {
        let written = self.values.is_valid(row) && self.write_value(row, to).is_some();
        if !written {
            to.extend_from_slice(self.format.missing());
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
