//! The files of a table in datasets, listed when a query needs them.

use super::names::RecordingKey;
use anyhow::ensure;
use rtoscope_command::export::dataset_files::{TableFolder, has_files};
use rtoscope_tables::Table;
use rtoscope_trace::printable::Printable;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What Hive, Spark and DuckDB name the folder of rows without a value.
const NULL_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Folders within each other; links can form circles.
const MAX_TAGS: usize = 64;

/// The tag in the name of a folder, and its value unless that is null.
pub(crate) type FolderTag = (String, Option<String>);

/// A folder or file of a table, with the tags in the names of its folders.
#[derive(Debug, Clone, Default)]
pub(crate) struct TablePath {
    pub(crate) path: PathBuf,
    pub(crate) tags: Vec<FolderTag>,
}

/// A file of a table: the rows of one recording, or of several.
#[derive(Debug, Clone)]
pub(crate) struct TableFile {
    pub(crate) recording: RecordingKey,
    pub(crate) found: TablePath,
}

impl TablePath {
    /// The value of a tag.
    pub(crate) fn tag(&self, wanted: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(key, _)| key == wanted)?.1.as_deref()
    }

    /// The keys of the tags, in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|(key, _)| key.as_str())
    }
}

/// Datasets, whose folders are listed at most once each.
#[derive(Debug)]
pub(crate) struct DatasetFolders {
    folders: Vec<PathBuf>,
    listed: Mutex<HashMap<PathBuf, Arc<Folder>>>,
}

/// A table that has no file in a dataset, although an export always writes one.
#[derive(Debug)]
pub(crate) struct MissingTable {
    table: Table,
    dataset: PathBuf,
}

impl fmt::Display for MissingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, dataset } = self;
        write!(
            f,
            "{}: the dataset has no table {table}; export its recordings again with `rtoscope \
             export --to parquet`",
            Printable::path(dataset)
        )
    }
}

impl std::error::Error for MissingTable {}

/// The entries of a folder.
#[derive(Debug)]
struct Folder {
    files: Vec<PathBuf>,
    folders: Vec<(PathBuf, FolderTag)>,
}

impl DatasetFolders {
    pub(crate) fn new(folders: &[PathBuf]) -> Self {
        Self {
            folders: folders.to_vec(),
            listed: Mutex::default(),
        }
    }

    /// The path of a recording's file in the folder of a table.
    pub(crate) fn file(&self, table: Table, (dataset, path): &RecordingKey) -> PathBuf {
        let dataset = self.folders.get(*dataset).cloned().unwrap_or_default();
        dataset.join(table.name()).join(path)
    }

    /// Checks that each of them has a file of a table, perhaps without rows.
    ///
    /// # Errors
    ///
    /// If one has none.
    pub(super) fn require(&self, table: Table) -> Result<(), MissingTable> {
        let has_table = |dataset: &&PathBuf| {
            let folder = dataset.join(table.name());
            let has_files = has_files(&folder, "parquet").unwrap_or_default();
            has_files || folder.with_extension("parquet").is_file()
        };
        match self.folders.iter().find(|dataset| !has_table(dataset)) {
            None => Ok(()),
            Some(dataset) => Err(MissingTable {
                table,
                dataset: dataset.clone(),
            }),
        }
    }

    /// Lists the files of a table, sorted by name within each dataset. `select` gets all
    /// folders of a level and returns which of them to list.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read or its name is not a tag, or if `select` fails.
    pub(crate) fn files(
        &self,
        table: Table,
        mut select: impl FnMut(&[TablePath]) -> anyhow::Result<Vec<bool>>,
    ) -> anyhow::Result<Vec<TableFile>> {
        let mut all = Vec::new();
        for (number, dataset) in self.folders.iter().enumerate() {
            // A tool may have merged all recordings into a file beside the folders.
            let merged = PathBuf::from(format!("{table}.parquet"));
            let path = dataset.join(&merged);
            if path.is_file() {
                let tags = Vec::new();
                all.push(TableFile {
                    recording: (number, merged),
                    found: TablePath { path, tags },
                });
            }
            let root = dataset.join(table.name());
            if !root.is_dir() {
                continue;
            }
            let mut files = Vec::new();
            let mut level = vec![TablePath {
                path: root.clone(),
                tags: Vec::new(),
            }];
            while let Some(first) = level.first() {
                ensure!(
                    first.tags.len() <= MAX_TAGS,
                    "{}: too many folders within each other",
                    Printable::path(&first.path)
                );
                let selected = select(&level)?;
                let mut next = Vec::new();
                let selected = level.iter().zip(selected).filter(|(_, it)| *it);
                for (TablePath { path, tags }, _) in selected {
                    let folder = self.folder(path)?;
                    files.extend(folder.files.iter().map(|path| TablePath {
                        path: path.clone(),
                        tags: tags.clone(),
                    }));
                    next.extend(folder.folders.iter().map(|(path, tag)| TablePath {
                        path: path.clone(),
                        tags: tags.iter().chain([tag]).cloned().collect(),
                    }));
                }
                level = next;
            }
            files.sort_by(|one, other| one.path.cmp(&other.path));
            for found in files {
                let recording = (number, found.path.strip_prefix(&root)?.to_owned());
                all.push(TableFile { recording, found });
            }
        }
        Ok(all)
    }

    fn folder(&self, path: &Path) -> anyhow::Result<Arc<Folder>> {
        let lock = || self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listed) = lock().get(path) {
            return Ok(Arc::clone(listed));
        }
        let folder = Arc::new(Folder::list(path)?);
        lock().insert(path.to_owned(), Arc::clone(&folder));
        Ok(folder)
    }
}

impl Folder {
    fn list(folder: &Path) -> anyhow::Result<Self> {
        let TableFolder { folders, files } = TableFolder::list(folder, "parquet")?;
        let folders = folders.into_iter().map(|(path, (key, value))| {
            let value = (value != NULL_VALUE).then_some(value);
            (path, (key, value))
        });
        let folders = folders.collect();
        Ok(Self { folders, files })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use std::fs;

    #[test]
    fn only_selected_folders_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let table = Table::Events;
        for name in [
            "device=1/site=a/b.parquet",
            "device=1/a.parquet",
            "device=2/a.parquet",
        ] {
            let path = folder.path().join("events").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let null = folder
            .path()
            .join("events/device=__HIVE_DEFAULT_PARTITION__");
        fs::create_dir(&null).unwrap();
        fs::write(null.join("part.parquet"), "").unwrap();
        let folders = DatasetFolders::new(&[folder.path().to_owned()]);
        let names = |wanted: Option<&str>| -> Vec<String> {
            let files = folders.files(table, |level| {
                let is_wanted = |path: &TablePath| {
                    path.tags.is_empty() || wanted.is_none() || path.tag("device") == wanted
                };
                Ok(level.iter().map(is_wanted).collect())
            });
            let files = files.unwrap().into_iter();
            files
                .map(|file| file.recording.1.to_string_lossy().replace('\\', "/"))
                .collect()
        };
        assert_eq!(names(Some("2")), ["device=2/a.parquet"]);
        assert_eq!(folders.listed.lock().unwrap().len(), 2);
        let all = [
            "device=1/a.parquet",
            "device=1/site=a/b.parquet",
            "device=2/a.parquet",
            "device=__HIVE_DEFAULT_PARTITION__/part.parquet",
        ];
        assert_eq!(names(None), all);
        let nulls = folders.files(table, |level| Ok(vec![true; level.len()]));
        assert_eq!(nulls.unwrap().last().unwrap().found.tag("device"), None);
    }
}
