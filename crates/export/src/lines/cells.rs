//! The values of a column as text.

use super::Layout;
use rtoscope_tables::{Data, Texts, Values};
use std::io::Write as _;
use std::sync::Arc;

/// Values of a column, to be written row by row.
pub(super) struct Cells<'a> {
    layout: Layout,
    values: Values<'a>,
    /// Words as they are written.
    words: Vec<Box<[u8]>>,
    /// The words that these are.
    known: Option<Arc<Texts>>,
}

impl<'a> Cells<'a> {
    /// Of no values yet.
    pub(super) fn new(layout: Layout) -> Self {
        Self {
            layout,
            values: Data::Bool(Vec::new()).into(),
            words: Vec::new(),
            known: None,
        }
    }

    /// Has these values from now on.
    pub(super) fn fill(&mut self, values: Values<'a>) {
        if let Data::Word { words, .. } = &values.data {
            let known = self.known.as_ref();
            if !known.is_some_and(|known| Arc::ptr_eq(known, words)) {
                let written = words.iter().map(|word| {
                    let mut written = Vec::new();
                    self.layout.text(word, &mut written);
                    written.into()
                });
                self.words = written.collect();
                self.known = Some(Arc::clone(words));
            }
        }
        self.values = values;
    }

    /// Writes the value of a row.
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
            Data::Bool(values) => {
                let word: &[u8] = if *values.get(row)? { b"true" } else { b"false" };
                to.extend_from_slice(word);
            }
            Data::U8(values) => number(*values.get(row)?, to),
            Data::U16(values) => number(*values.get(row)?, to),
            Data::U32(values) => number(*values.get(row)?, to),
            Data::U64(values) => number(*values.get(row)?, to),
            Data::I64(values) => number(*values.get(row)?, to),
            Data::F64(values) => {
                let value = values.get(row).filter(|value| value.is_finite())?;
                // Writing to memory cannot fail.
                let _ = write!(to, "{value}");
            }
            Data::Word { codes, .. } => {
                let word = self.words.get(*codes.get(row)? as usize)?;
                to.extend_from_slice(word);
            }
            Data::Text(texts) => self.layout.text(texts.get(row)?, to),
        }
        Some(())
    }
}

#[inline]
fn number(number: impl itoa::Integer, to: &mut Vec<u8>) {
    let mut digits = itoa::Buffer::new();
    to.extend_from_slice(digits.format(number).as_bytes());
}
