//! Datasets: folders of tables written by `rtoscope export --to parquet`.

mod files;
pub(crate) mod footer;
pub(crate) mod listing;
mod names;
mod recording_filter;
mod selection;
mod tags;

pub(super) use files::TableFiles;

use super::table_columns::{RECORDING_ID, columns};
use anyhow::{Context as _, anyhow, ensure};
use datafusion::catalog::TableProvider;
use datafusion::common::DFSchema;
use datafusion::error::DataFusionError;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::functions::string::expr_fn::concat;
use datafusion::logical_expr::{Expr, ident};
use datafusion::prelude::SessionContext;
use files::{DATASET_PREFIX, ID_FROM_PATH};
use listing::DatasetFolders;
use names::RecordingNames;
use rtoscope_command::output::PartialFolder;
use rtoscope_tables::Table;
use rtoscope_trace::printable::Printable;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tags::TagColumn;

/// Whether a folder is a dataset: it contains the table of recordings.
pub(crate) fn is_dataset(path: &Path) -> bool {
    let recordings = path.join(Table::Recordings.name());
    recordings.is_dir() || recordings.with_extension("parquet").is_file()
}

/// Registers the tables of datasets by name. Tags are columns; a recording that
/// lacks a tag has null there. Lists the folders of the table `recordings` only, and opens
/// one file of it for each combination of tags. Returns the table `recordings` with hidden
/// columns that its filters can use.
///
/// # Errors
///
/// If a dataset is given twice or has no recording, or if a tag cannot be a
/// column.
pub(super) fn register(
    context: &SessionContext,
    paths: &[PathBuf],
) -> anyhow::Result<Arc<dyn TableProvider>> {
    deduplicated(paths)?;
    for path in paths.iter().filter(|path| PartialFolder::exists_in(path)) {
        rtoscope_command::message!(
            "{}: an export into this dataset goes on or was killed, so that recordings may be \
             missing",
            Printable::path(path)
        );
    }
    let folders = DatasetFolders::new(paths);
    let recordings = folders.files(Table::Recordings, |level| Ok(vec![true; level.len()]))?;
    for (number, path) in paths.iter().enumerate() {
        ensure!(
            recordings.iter().any(|file| file.recording.0 == number),
            "{}: this dataset has no recordings (no Parquet files)",
            Printable::path(path)
        );
    }
    let tags = Arc::from(TagColumn::of_recordings(&recordings)?);
    let names = Arc::new(RecordingNames::new(recordings.iter(), paths));
    let folders = Arc::new(folders);
    let with_hidden_columns = |table: Table| {
        let files = TableFiles::new(
            table,
            &columns(table),
            Arc::clone(&tags),
            Arc::clone(&folders),
            Arc::clone(&names),
        );
        files.map(Arc::new)
    };
    for &table in Table::ALL {
        let provider = with_hidden_columns(table).and_then(|files| files.view(context));
        // The error contains the names of the files.
        let with_table = |error: DataFusionError| {
            let error = error.to_string();
            anyhow!("table {table} of the dataset: {}", Printable::text(&error))
        };
        let provider = provider.map_err(with_table)?;
        context.register_table(table.name(), provider)?;
    }
    Ok(with_hidden_columns(Table::Recordings)?.view_for_filters(context)?)
}

/// The column `recording_id` as users see it, in the table `recordings` that [`register`] returns
/// or in that of another source.
pub(super) fn public_recording_id(schema: &DFSchema) -> Expr {
    match schema.has_column_with_unqualified_name(DATASET_PREFIX) {
        true => {
            let id = coalesce(vec![ident(RECORDING_ID), ident(ID_FROM_PATH)]);
            concat(vec![ident(DATASET_PREFIX), id])
        }
        false => ident(RECORDING_ID),
    }
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
