//! Dictionary arrays.

use crate::batches::zeros;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use rtoscope_tables::StringTable;
use std::collections::HashMap;
use std::sync::Arc;

/// The distinct strings of a column: readers may assume that two keys mean two
/// strings.
#[derive(Debug)]
pub(crate) struct DictionaryValues {
    strings: ArrayRef,
    /// The key of each code, if the strings of the table are not distinct.
    keys: Option<Vec<i32>>,
}

impl DictionaryValues {
    pub(crate) fn from_strings(strings: &StringTable) -> Result<Self, ArrowError> {
        let mut first = HashMap::with_capacity(strings.len());
        let mut distinct = Vec::with_capacity(strings.len());
        let keys = strings.iter().map(|string| {
            *first.entry(string).or_insert_with(|| {
                distinct.push(string);
                (distinct.len() - 1) as i32
            })
        });
        let keys: Vec<i32> = keys.collect();
        let is_distinct = distinct.len() == strings.len();
        Ok(Self {
            strings: Arc::new(match is_distinct {
                true => string_array(strings.clone(), None)?,
                false => StringArray::from(distinct),
            }),
            keys: (!is_distinct).then_some(keys),
        })
    }

    /// The same for strings that are distinct.
    pub(crate) fn from_distinct(strings: Arc<StringTable>) -> Result<Self, ArrowError> {
        let strings = Arc::unwrap_or_clone(strings);
        Ok(Self {
            strings: Arc::new(string_array(strings, None)?),
            keys: None,
        })
    }

    /// A dictionary array with these codes.
    pub(crate) fn array(
        &self,
        codes: Vec<u32>,
        valid: Option<NullBuffer>,
    ) -> Result<ArrayRef, ArrowError> {
        let shared = match self.strings.len() {
            1 => zeros(codes.len()),
            _ => None,
        };
        let codes = match (shared, &self.keys) {
            (Some(zeros), _) => zeros,
            (None, Some(keys)) => {
                let key = |code: u32| keys.get(code as usize).copied().unwrap_or(-1);
                codes.into_iter().map(key).collect()
            }
            // The same bits.
            (None, None) => ScalarBuffer::from(Buffer::from(codes)),
        };
        let keys = Int32Array::new(codes, valid);
        let array = DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(&self.strings))?;
        Ok(Arc::new(array))
    }
}

/// A string array that takes over the strings without a copy.
pub(crate) fn string_array(
    strings: StringTable,
    valid: Option<NullBuffer>,
) -> Result<StringArray, ArrowError> {
    let (offsets, bytes) = strings.into_parts();
    StringArray::try_new(OffsetBuffer::new(offsets.into()), bytes.into(), valid)
}
