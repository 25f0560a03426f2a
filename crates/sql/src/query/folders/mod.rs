//! Datasets: folders of tables that `rtoscope export --to parquet` wrote.

mod files;
mod names;

use super::provider::columns;
use anyhow::{Context as _, ensure};
use datafusion::prelude::SessionContext;
use rtoscope_command::export::dataset;
use rtoscope_command::export::found::{self, Found};
use rtoscope_tables::Table;
use std::path::{Path, PathBuf};

/// Whether a folder is a dataset: it has a folder for a table.
pub(super) fn is_dataset(path: &Path) -> bool {
    path.join(Table::Trace.name()).is_dir()
}

/// Registers the tables of datasets by their names. Tags are columns.
///
/// # Errors
///
/// If there is no recording in a dataset, or not all have the same tags.
pub(super) fn register(context: &SessionContext, folders: &[PathBuf]) -> anyhow::Result<()> {
    let mut tables = vec![Vec::new(); Table::ALL.len()];
    for (number, folder) in folders.iter().enumerate() {
        let mut is_empty = true;
        for (&table, files) in Table::ALL.iter().zip(&mut tables) {
            let folder = folder.join(table.name());
            for Found { path, tags } in found::files(&folder, "parquet")? {
                is_empty = false;
                let recording = path.strip_prefix(&folder)?.to_owned();
                let recording = (number, recording);
                let found = Found { path, tags };
                files.push(names::Part { recording, found });
            }
        }
        ensure!(
            !is_empty,
            "{}: there is no recording in this dataset: no Parquet file",
            folder.display()
        );
    }
    let tags = common_tags(tables.iter().flatten())?;
    let names = names::unique(tables.iter().flatten())?;
    for (&table, parts) in Table::ALL.iter().zip(&tables) {
        let provider = files::table(context, columns(table), &tags, parts, &names);
        let provider = provider.with_context(|| format!("the table {table} of the dataset"))?;
        context.register_table(table.name(), provider)?;
    }
    Ok(())
}

/// The keys of the tags that all files have.
fn common_tags<'a>(
    mut parts: impl Iterator<Item = &'a names::Part>,
) -> anyhow::Result<Vec<String>> {
    let Some(names::Part { found: first, .. }) = parts.next() else {
        return Ok(Vec::new());
    };
    dataset::check(&first.tags).with_context(|| first.path.display().to_string())?;
    for names::Part { found, .. } in parts {
        ensure!(
            found.is_tagged_as(&first.tags),
            "{} has {}, but {} has {}; recordings with different tags cannot be asked together",
            found.path.display(),
            found::keys(&found.tags),
            first.path.display(),
            found::keys(&first.tags)
        );
    }
    Ok(first.tags.iter().map(|(key, _)| key.clone()).collect())
}
