//! The dictionaries of several recordings as one that grows.

use arrow::array::{
    Array as _, ArrayRef, AsArray, DictionaryArray, Int32Array, RecordBatch, StringArray,
};
use arrow::datatypes::Int32Type;
use arrow::error::ArrowError;
use std::collections::HashMap;
use std::sync::Arc;

/// Gives batches one after the other the same dictionaries, which only grow at
/// the end, as Arrow's files want it.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    /// One for each column.
    columns: Vec<Grown>,
}

/// The words of all batches so far.
#[derive(Debug, Default)]
struct Grown {
    keys: HashMap<String, i32>,
    words: Option<ArrayRef>,
    /// The dictionary of the batch before, and which of our keys its keys are.
    last: Option<(ArrayRef, Vec<i32>)>,
}

impl Merge {
    /// The same batch with our dictionaries.
    ///
    /// # Errors
    ///
    /// If it has more columns than the first one, or other ones.
    pub(crate) fn batch(&mut self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let arrays = batch.columns();
        self.columns.resize_with(arrays.len(), Grown::default);
        let merged = arrays.iter().zip(&mut self.columns);
        let merged = merged.map(|(array, grown)| match array.as_dictionary_opt() {
            Some(dictionary) => grown.array(dictionary),
            None => Ok(Arc::clone(array)),
        });
        RecordBatch::try_new(batch.schema(), merged.collect::<Result<_, _>>()?)
    }
}

impl Grown {
    fn array(&mut self, array: &DictionaryArray<Int32Type>) -> Result<ArrayRef, ArrowError> {
        let is_known = matches!(&self.last, Some((last, _)) if Arc::ptr_eq(last, array.values()));
        if !is_known {
            let added = self.add(array.values().as_string());
            self.last = Some((Arc::clone(array.values()), added));
        }
        let (Some(words), Some((_, ours))) = (&self.words, &self.last) else {
            return Ok(Arc::new(array.clone()));
        };
        let key = |key: &i32| usize::try_from(*key).ok().and_then(|key| ours.get(key));
        // Rows without a value have any key.
        let keys = array.keys().values().iter();
        let keys = keys.map(|theirs| key(theirs).copied().unwrap_or_default());
        let keys = Int32Array::new(keys.collect(), array.nulls().cloned());
        let merged = DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(words))?;
        Ok(Arc::new(merged))
    }

    /// Adds the words that are new; our keys of all of them.
    fn add(&mut self, words: &StringArray) -> Vec<i32> {
        let known = self.words.take();
        let known = known.as_ref().map(AsArray::as_string::<i32>);
        let mut all: Vec<&str> = known.into_iter().flatten().flatten().collect();
        let keys = words.iter().flatten().map(|word| {
            if let Some(key) = self.keys.get(word) {
                return *key;
            }
            let key = all.len() as i32;
            self.keys.insert(word.to_owned(), key);
            all.push(word);
            key
        });
        let keys = keys.collect();
        self.words = Some(Arc::new(StringArray::from(all)));
        keys
    }
}
