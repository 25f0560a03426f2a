//! Datasets: folders of tables written by `rtoscope export --to parquet`.

mod files;
mod names;

use super::table_columns::columns;
use anyhow::{Context as _, anyhow, ensure};
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;
use names::{RecordingNames, TableFile};
use rtoscope_command::export::dataset;
use rtoscope_command::export::dataset_files::{self, DatasetFile};
use rtoscope_tables::Table;
use rtoscope_trace::printable::Printable;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Whether a folder is a dataset: it contains a folder for a table.
pub(crate) fn is_dataset(path: &Path) -> bool {
    path.join(Table::Recordings.name()).is_dir()
}

/// Registers the tables of datasets by name. Tags are columns; a recording that
/// lacks a tag has null there. Opens no file.
///
/// # Errors
///
/// If a dataset is given twice or has no recording, or if a tag cannot be a
/// column.
pub(super) fn register(context: &SessionContext, folders: &[PathBuf]) -> anyhow::Result<()> {
    deduplicated(folders)?;
    let mut tables = vec![Vec::new(); Table::ALL.len()];
    for (number, folder) in folders.iter().enumerate() {
        let mut is_empty = true;
        for (&table, files) in Table::ALL.iter().zip(&mut tables) {
            let folder = folder.join(table.name());
            for DatasetFile { path, tags } in dataset_files::list_files(&folder, "parquet")? {
                is_empty = false;
                let recording = path.strip_prefix(&folder)?.to_owned();
                let recording = (number, recording);
                let found = DatasetFile { path, tags };
                files.push(TableFile { recording, found });
            }
        }
        ensure!(
            !is_empty,
            "{}: this dataset has no recordings (no Parquet files)",
            Printable::path(folder)
        );
    }
    let tags = all_tags(tables.iter().flatten())?;
    let names = RecordingNames::new(tables.iter().flatten(), folders);
    for (&table, table_files) in Table::ALL.iter().zip(&tables) {
        let provider = files::table(context, &columns(table), &tags, table_files, &names);
        // The error contains the names of the files.
        let with_table = |error: DataFusionError| {
            let error = error.to_string();
            anyhow!("table {table} of the dataset: {}", Printable::text(&error))
        };
        let provider = provider.map_err(with_table)?;
        context.register_table(table.name(), provider)?;
    }
    Ok(())
}

/// Rejects a dataset that is given twice: all of its rows would be doubled.
fn deduplicated(folders: &[PathBuf]) -> anyhow::Result<()> {
    let mut seen = HashMap::new();
    for folder in folders {
        let path = folder.canonicalize();
        let path = path.with_context(|| Printable::path(folder).to_string())?;
        if let Some(other) = seen.insert(path, folder) {
            anyhow::bail!(
                "{} and {} are the same dataset; give it once",
                Printable::path(other),
                Printable::path(folder)
            );
        }
    }
    Ok(())
}

/// The keys of the tags of all files, in order of occurrence.
fn all_tags<'a>(table_files: impl Iterator<Item = &'a TableFile>) -> anyhow::Result<Vec<String>> {
    let mut all: Vec<dataset::Tag> = Vec::new();
    let mut last: &[dataset::Tag] = &[];
    for TableFile { found, .. } in table_files {
        if found.has_tag_keys_of(last) {
            continue;
        }
        last = &found.tags;
        let path = || Printable::path(&found.path).to_string();
        dataset::check_tags(last).with_context(path)?;
        for tag in last {
            if all.iter().all(|(key, _)| *key != tag.0) {
                all.push(tag.clone());
                // Two tags can differ in case only.
                dataset::check_tags(&all).with_context(path)?;
            }
        }
    }
    Ok(all.into_iter().map(|(key, _)| key).collect())
}
