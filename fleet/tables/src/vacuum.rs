//! `rtoscope compact --vacuum`: removes files that nothing refers to.

use crate::ingest::pack;
use crate::schema::PACK;
use crate::traces::TraceTables;
use anyhow::Context as _;
use chrono::{DateTime, TimeDelta, Utc};
use deltalake_core::operations::vacuum::VacuumMode;
use object_store::path::Path as StorePath;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Removes files of the tables that no version of a time refers to, packs without a recording in
/// the tables, and parts of files whose writers were killed, if they are older than the time.
/// Returns the number of removed files.
///
/// # Errors
///
/// If files cannot be listed or removed.
pub(crate) async fn vacuum(tables: &mut TraceTables, retention: Duration) -> anyhow::Result<usize> {
    let retention = TimeDelta::from_std(retention)?;
    let oldest = Utc::now() - retention;
    let present = tables.root.list().await?;
    let present: HashMap<_, _> = present
        .into_iter()
        .map(|object| (object.location, object.last_modified))
        .collect();
    let vacuum = tables.table.clone().vacuum();
    let vacuum = vacuum
        // Also files without a commit.
        .with_mode(VacuumMode::Full)
        .with_retention_period(retention)
        .with_enforce_retention_duration(false);
    let (_, metrics) = vacuum.await.context("cannot remove unused files")?;
    let deleted = metrics.files_deleted.iter();
    let deleted = deleted.map(|path| tables.root.join(path).path);
    // The operation reports files again that an earlier vacuum removed.
    let mut removed = deleted.filter(|path| present.contains_key(path)).count();
    let old = present.into_iter().filter(|(_, time)| *time < oldest);
    removed += remove_packs(tables, old.map(|(path, _)| path)).await?;
    if let Some(folder) = tables.root.local_path() {
        removed += remove_parts(&folder, oldest)?;
    }
    Ok(removed)
}

/// Removes the packs among old objects that have no recording in the tables.
async fn remove_packs(
    tables: &mut TraceTables,
    old: impl Iterator<Item = StorePath>,
) -> anyhow::Result<usize> {
    // After the list, so that all commits that refer to a listed pack are read.
    tables.update().await?;
    let used = tables.recordings_values(PACK).await?;
    let folder = tables.root.join(pack::FOLDER).path;
    let mut removed = 0;
    for path in old {
        let mut below = path.prefix_match(&folder).into_iter().flatten();
        let (Some(name), None) = (below.next(), below.next()) else {
            continue;
        };
        let relative = format!("{}/{}", pack::FOLDER, name.as_ref());
        if !used.contains(&relative) {
            tables.root.join(&relative).delete().await?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Removes old parts of files from a folder: an upload to a folder writes `NAME#NUMBER` until it
/// is complete, and no list of the store has those.
fn remove_parts(folder: &Path, oldest: DateTime<Utc>) -> anyhow::Result<usize> {
    let mut removed = 0;
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            removed += remove_parts(&path, oldest)?;
        } else if is_part(&path) && DateTime::<Utc>::from(entry.metadata()?.modified()?) < oldest {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
            removed += 1;
        }
    }
    Ok(removed)
}

fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parts = name.rsplit_once('#');
    parts.is_some_and(|(name, number)| {
        let is_ours = name.ends_with(".parquet") || name.ends_with(".zst");
        is_ours && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_tables_and_packs() {
        for (name, expected) in [
            ("a/0074b572.parquet#1", true),
            ("a/0074b572.zst#12", true),
            ("a/0074b572.parquet", false),
            ("a/0074b572.parquet#", false),
            ("a/0074b572.parquet#x", false),
            ("a/notes#1", false),
        ] {
            assert_eq!(is_part(Path::new(name)), expected, "{name}");
        }
    }
}
