//! Merges the dictionaries of several recordings into one per column.

use arrow::array::{
    Array as _, ArrayRef, AsArray, DictionaryArray, Int32Array, RecordBatch, StringArray,
};
use arrow::datatypes::{DataType, Field, Int32Type, Schema, SchemaRef};
use arrow::error::ArrowError;
use std::collections::HashMap;
use std::sync::Arc;

/// Collects the dictionaries of batches. The final dictionaries are complete only
/// after the last batch; until then batches carry their keys.
#[derive(Debug)]
pub(crate) struct DictionaryMerger {
    key_schema: SchemaRef,
    /// By column.
    columns: Vec<MergedDictionary>,
}

/// The dictionaries of all batches.
#[derive(Debug)]
pub(crate) struct MergedDictionaries {
    schema: SchemaRef,
    /// By column, for those with a dictionary.
    values: Vec<Option<ArrayRef>>,
}

/// The merged values of a column so far.
#[derive(Debug, Default)]
struct MergedDictionary {
    keys: HashMap<Arc<str>, i32>,
    /// By key.
    values: Vec<Arc<str>>,
    /// The dictionary of the previous batch, and the merged key of each of its keys.
    previous: Option<(ArrayRef, Vec<i32>)>,
}

impl DictionaryMerger {
    pub(crate) fn new(schema: &Schema) -> Self {
        let fields = schema
            .fields()
            .iter()
            .map(|field| match is_dictionary(field) {
                true => Field::new(field.name(), DataType::Int32, field.is_nullable()),
                false => Field::clone(field),
            });
        let fields: Vec<_> = fields.collect();
        Self {
            columns: fields.iter().map(|_| MergedDictionary::default()).collect(),
            key_schema: Arc::new(Schema::new(fields)),
        }
    }

    /// The schema of [`Self::keys`].
    pub(crate) fn key_schema(&self) -> &SchemaRef {
        &self.key_schema
    }

    /// Replaces the values of a batch by keys of the merged dictionaries.
    ///
    /// # Errors
    ///
    /// If the batch has another schema.
    pub(crate) fn keys(&mut self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let arrays = batch.columns().iter().zip(&mut self.columns);
        let arrays = arrays.map(|(array, merged)| match array.as_dictionary_opt() {
            Some(dictionary) => Arc::new(merged.keys(dictionary)),
            None => Arc::clone(array),
        });
        RecordBatch::try_new(Arc::clone(&self.key_schema), arrays.collect())
    }

    /// The merged dictionaries of a table with this schema.
    pub(crate) fn finish(self, schema: &SchemaRef) -> MergedDictionaries {
        let columns = schema.fields().iter().zip(self.columns);
        let values = columns.map(|(field, merged)| {
            is_dictionary(field).then(|| {
                let values = merged.values.iter().map(AsRef::<str>::as_ref);
                Arc::new(StringArray::from_iter_values(values)) as ArrayRef
            })
        });
        MergedDictionaries {
            values: values.collect(),
            schema: Arc::clone(schema),
        }
    }
}

impl MergedDictionaries {
    /// Restores the values of a batch of keys. All batches share the
    /// dictionaries.
    ///
    /// # Errors
    ///
    /// If the batch does not come from [`DictionaryMerger::keys`].
    pub(crate) fn restore(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let arrays = batch.columns().iter().zip(&self.values);
        let arrays = arrays.map(|(array, values)| {
            let Some(values) = values else {
                return Ok(Arc::clone(array));
            };
            let keys = array.as_primitive::<Int32Type>().clone();
            let restored = DictionaryArray::try_new(keys, Arc::clone(values))?;
            Ok(Arc::new(restored) as ArrayRef)
        });
        let arrays = arrays.collect::<Result<_, ArrowError>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

impl MergedDictionary {
    fn keys(&mut self, array: &DictionaryArray<Int32Type>) -> Int32Array {
        let merged = match self.previous.take() {
            Some((values, merged)) if Arc::ptr_eq(&values, array.values()) => merged,
            _ => self.add(array.values().as_string()),
        };
        // Rows without a value have an arbitrary key.
        let key = |key: &i32| usize::try_from(*key).ok().and_then(|key| merged.get(key));
        let keys = array.keys().values().iter();
        let keys = keys.map(|own| key(own).copied().unwrap_or_default());
        let keys = Int32Array::new(keys.collect(), array.nulls().cloned());
        self.previous = Some((Arc::clone(array.values()), merged));
        keys
    }

    /// Adds new values and returns the merged keys of all values.
    fn add(&mut self, values: &StringArray) -> Vec<i32> {
        let keys = values.iter().flatten().map(|value| {
            if let Some(key) = self.keys.get(value) {
                return *key;
            }
            let key = self.values.len() as i32;
            let value: Arc<str> = value.into();
            self.keys.insert(Arc::clone(&value), key);
            self.values.push(value);
            key
        });
        keys.collect()
    }
}

fn is_dictionary(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Dictionary(..))
}
