//! The files of a table that a query has to read.

use super::files::{DATASET_PREFIX, FILE_PREFIX, ID_FROM_PATH, TableFiles};
use super::footer::Footer;
use super::listing::{TableFile, TablePath};
use super::names::RecordingKey;
use super::recording_filter::TextComparisons;
use crate::arrow::data_type;
use crate::engine::pruning;
use crate::engine::table_columns::RECORDING_ID;
use anyhow::ensure;
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{Field, Schema};
use datafusion::catalog::Session;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Expr;
use rtoscope_tables::{ColumnType, Table};
use rtoscope_trace::printable::Printable;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

impl TableFiles {
    /// The files that can have rows which match the filters. Lists only folders whose tags
    /// match.
    pub(super) fn matching_files(
        &self,
        state: &dyn Session,
        filters: &[Expr],
    ) -> anyhow::Result<Vec<(TableFile, Vec<ScalarValue>)>> {
        let by_recording = |filter: &Expr| {
            let mut columns = filter.column_refs().into_iter();
            columns.any(|column| column.name == RECORDING_ID)
        };
        let (by_recording, by_path): (Vec<_>, Vec<_>) =
            filters.iter().cloned().partition(by_recording);
        let recordings = by_recording
            .iter()
            .map(|filter| self.required_recordings(state, filter));
        let recordings: Vec<_> = recordings.collect::<anyhow::Result<_>>()?;
        let recordings = recordings.into_iter().flatten().next();
        let known = recordings.map(|recordings| self.recording_files(state, &by_path, &recordings));
        let mut files = match known.transpose()?.flatten() {
            Some(files) => files,
            None => self
                .folders
                .files(self.table, |level| self.select(state, &by_path, level))?,
        };
        for file in &files {
            for key in file.found.keys() {
                let mut tags = self.tags.iter().filter(|tag| tag.is_in_paths);
                ensure!(
                    tags.any(|tag| tag.key == key),
                    "{}: no recording of the dataset has the tag {key}",
                    Printable::path(&file.found.path)
                );
            }
        }
        let values = self.partition_values(&files)?;
        let matching = pruning::matching_recordings(state, &by_path, &values)?;
        retain(&mut files, &matching);
        let names: Vec<_> = self.partitions.fields().iter().collect();
        let with_values = files.into_iter().map(|file| {
            let values = names.iter().map(|field| {
                let value = ScalarValue::Utf8(self.value(&file, field.name()));
                value.cast_to(field.data_type())
            });
            let values = values.collect::<Result<_>>()?;
            Ok((file, values))
        });
        with_values.collect()
    }

    /// The recordings that a filter lists; `None` if it has another form or if one
    /// of them has no file of its own.
    fn required_recordings(
        &self,
        state: &dyn Session,
        filter: &Expr,
    ) -> anyhow::Result<Option<Vec<RecordingKey>>> {
        let Some(comparisons) = TextComparisons::of(filter) else {
            return Ok(None);
        };
        let known = comparisons.texts.iter().map(|id| {
            let recording = self.names.by_id(id)?;
            let path = self.folders.file(Table::Recordings, recording);
            is_of_one_recording(&path).then(|| recording.clone())
        });
        let Some(known) = known.collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        for compared in comparisons.compared {
            if !self.is_identifier(state, compared)? {
                return Ok(None);
            }
        }
        Ok(Some(known))
    }

    /// Whether an expression is the identifier of the recording: the engine rewrites the one
    /// of the view, so it is recognised by its values.
    fn is_identifier(&self, state: &dyn Session, expression: &Expr) -> anyhow::Result<bool> {
        let recordings = self.names.recordings().map(|recording| TableFile {
            recording: recording.clone(),
            found: TablePath::default(),
        });
        let recordings: Vec<_> = recordings.collect();
        // No recording has such an identifier.
        let other = "\u{1}Other ID ".to_owned();
        for id_in_file in [None, Some(other)] {
            let values = self.partition_values(&recordings)?;
            let id = StringArray::from(vec![id_in_file.as_deref(); recordings.len()]);
            let id = cast(&id, &data_type(ColumnType::Dictionary))?;
            let values = with_last_column(&values, id)?;
            let found = pruning::texts(state, expression, &values)?;
            let expected = recordings.iter().map(|file| {
                let prefix = self.names.dataset_prefix(&file.recording);
                let from_path = || self.names.recording_id(&file.recording);
                let id = id_in_file.clone().unwrap_or_else(from_path);
                prefix.unwrap_or_default() + &id
            });
            let expected: Vec<_> = expected.map(Some).collect();
            if !found.iter().eq(expected.iter().map(Option::as_deref)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The files of recordings that have files of their own in the table `recordings`; `None`
    /// if another file can have rows of them. rtoscope names the file of a recording after it,
    /// and another tool may have merged those of its folder.
    fn recording_files(
        &self,
        state: &dyn Session,
        filters: &[Expr],
        recordings: &[RecordingKey],
    ) -> anyhow::Result<Option<Vec<TableFile>>> {
        let paths = recordings.iter();
        let paths: Vec<_> = paths
            .map(|recording| self.folders.file(self.table, recording))
            .collect();
        let mut files = self.folders.files(self.table, |level| {
            let mut selected = self.select(state, filters, level)?;
            for (folder, selected) in level.iter().zip(&mut selected) {
                *selected &= paths.iter().any(|path| path.starts_with(&folder.path));
            }
            Ok(selected)
        })?;
        if files
            .iter()
            .any(|file| !self.names.is_known(&file.recording))
        {
            return Ok(None);
        }
        let recordings: HashSet<_> = recordings.iter().collect();
        files.retain(|file| recordings.contains(&file.recording));
        let is_own = |file: &TableFile| is_of_one_recording(&file.found.path);
        Ok(files.iter().all(is_own).then_some(files))
    }

    /// Which folders to list: those whose known tags do not contradict a filter.
    fn select(
        &self,
        state: &dyn Session,
        filters: &[Expr],
        level: &[TablePath],
    ) -> anyhow::Result<Vec<bool>> {
        let mut selected = vec![true; level.len()];
        let in_paths: Vec<_> = self.tags.iter().filter(|tag| tag.is_in_paths).collect();
        let fields = in_paths.iter().map(|tag| {
            let name = tag.name_in_paths();
            Field::new(name, data_type(ColumnType::Dictionary), true)
        });
        let fields: Vec<_> = fields.collect();
        for filter in filters {
            let columns = filter.column_refs();
            let is_known = |path: &TablePath| {
                columns.iter().all(|column| {
                    let tag = in_paths
                        .iter()
                        .find(|tag| tag.name_in_paths() == column.name);
                    tag.is_some_and(|tag| path.keys().any(|key| key == tag.key))
                })
            };
            if !level.iter().any(is_known) {
                continue;
            }
            let tags = in_paths.iter().zip(&fields);
            let arrays = tags.map(|(tag, field)| {
                dictionary_array(level.iter().map(|path| path.tag(&tag.key)), field)
            });
            let arrays: Vec<_> = arrays.collect::<Result<_>>()?;
            let values = record_batch(fields.clone(), arrays, level.len())?;
            let matching =
                pruning::matching_recordings(state, std::slice::from_ref(filter), &values)?;
            let matching: HashSet<_> = matching.into_iter().collect();
            for (index, (path, selected)) in level.iter().zip(&mut selected).enumerate() {
                *selected &= matching.contains(&index) || !is_known(path);
            }
        }
        Ok(selected)
    }

    /// The values per file, with `recording_id` as if it were not in the files.
    fn partition_values(&self, files: &[TableFile]) -> Result<RecordBatch> {
        let fields = self.partitions.fields().iter();
        let mut arrays: Vec<ArrayRef> = fields
            .clone()
            .map(|field| {
                let values: Vec<_> = files
                    .iter()
                    .map(|file| self.value(file, field.name()))
                    .collect();
                dictionary_array(values.iter().map(Option::as_deref), field)
            })
            .collect::<Result<_>>()?;
        let mut fields: Vec<_> = fields.map(|field| field.as_ref().clone()).collect();
        let id = Field::new(RECORDING_ID, data_type(ColumnType::Dictionary), true);
        arrays.push(new_null_array(id.data_type(), files.len()));
        fields.push(id);
        record_batch(fields, arrays, files.len())
    }

    /// The value of a file in a column with a value per file.
    fn value(&self, file: &TableFile, column: &str) -> Option<String> {
        match column {
            FILE_PREFIX => self.names.file_prefix(&file.recording).map(str::to_owned),
            DATASET_PREFIX => self.names.dataset_prefix(&file.recording),
            ID_FROM_PATH => Some(self.names.recording_id(&file.recording)),
            name => {
                let mut tags = self.tags.iter();
                let tag = tags.find(|tag| tag.is_in_paths && tag.name_in_paths() == name)?;
                file.found.tag(&tag.key).map(str::to_owned)
            }
        }
    }
}

/// Whether rtoscope wrote a file for one recording.
fn is_of_one_recording(path: &Path) -> bool {
    let recordings = Footer::read(path).and_then(|footer| footer.recordings);
    recordings.is_some_and(|recordings| recordings <= 1)
}

/// A batch with other values in its last column.
fn with_last_column(batch: &RecordBatch, values: ArrayRef) -> Result<RecordBatch> {
    let mut columns = batch.columns().to_vec();
    columns.pop();
    columns.push(values);
    Ok(RecordBatch::try_new(batch.schema(), columns)?)
}

/// Keeps the files with these indexes, which ascend.
fn retain(files: &mut Vec<TableFile>, indexes: &[usize]) {
    let mut indexes = indexes.iter().peekable();
    let mut index = 0;
    files.retain(|_| {
        let is_kept = indexes.next_if_eq(&&index).is_some();
        index += 1;
        is_kept
    });
}

fn dictionary_array<'a>(
    values: impl Iterator<Item = Option<&'a str>>,
    field: &Field,
) -> Result<ArrayRef> {
    Ok(cast(&values.collect::<StringArray>(), field.data_type())?)
}

fn record_batch(fields: Vec<Field>, arrays: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let schema = Arc::new(Schema::new(fields));
    Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
}
