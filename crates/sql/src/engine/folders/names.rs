//! Names of the recordings in datasets, derived from their paths.

use super::listing::TableFile;
use crate::engine::dataset::distinct_names;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A recording: the index of its dataset, and its path within every table.
pub(crate) type RecordingKey = (usize, PathBuf);

/// Names of recordings, determined without opening their files.
#[derive(Debug)]
pub(super) struct RecordingNames {
    /// By recording: its prefix if its file name occurs in another folder as well.
    prefixes: BTreeMap<RecordingKey, Option<String>>,
    /// By folder with a recording that has a prefix. Tools that merge files name them
    /// differently in each table.
    folder_prefixes: BTreeMap<RecordingKey, String>,
    /// The names of the datasets, if there are several.
    datasets: Option<Vec<String>>,
}

impl RecordingNames {
    /// Determines the names of the recordings of datasets from the files of the table
    /// `recordings`.
    pub(super) fn new<'a>(
        files: impl Iterator<Item = &'a TableFile>,
        datasets: &[PathBuf],
    ) -> Self {
        let labels = datasets.iter().map(|folder| {
            let name = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            let name = name.file_name().map(|name| name.to_string_lossy());
            name.map(String::from).unwrap_or_default()
        });
        let labels = distinct_names(labels.collect());
        let recordings: BTreeSet<&RecordingKey> = files.map(|file| &file.recording).collect();
        let mut folders_by_name: HashMap<_, BTreeSet<_>> = HashMap::new();
        for (dataset, path) in &recordings {
            let folder = (*dataset, path.parent());
            folders_by_name
                .entry(path.file_name())
                .or_default()
                .insert(folder);
        }
        let prefixes = recordings.into_iter().filter_map(|recording| {
            let (dataset, path) = recording;
            let same_name = folders_by_name.get(&path.file_name())?;
            let in_one_dataset = same_name.iter().all(|(other, _)| other == dataset);
            let dataset = (!in_one_dataset)
                .then(|| labels.get(*dataset).cloned())
                .flatten();
            let folders = path.parent().into_iter().flat_map(Path::components);
            let folders = folders.map(|it| it.as_os_str().to_string_lossy().into_owned());
            let prefix = dataset.into_iter().chain(folders);
            let prefix: String = prefix.map(|folder| folder + "/").collect();
            let prefix = (same_name.len() > 1).then_some(prefix);
            Some((recording.clone(), prefix))
        });
        let prefixes: BTreeMap<RecordingKey, Option<String>> = prefixes.collect();
        let folder_prefixes = prefixes.iter().filter_map(|((dataset, path), prefix)| {
            Some(((*dataset, path.parent()?.to_owned()), prefix.clone()?))
        });
        Self {
            folder_prefixes: folder_prefixes.collect(),
            prefixes,
            datasets: (labels.len() > 1).then_some(labels),
        }
    }

    /// The prefix of a recording's name in the column `file`. It distinguishes
    /// recordings of several devices, which often share a name.
    pub(super) fn file_prefix(&self, recording: &RecordingKey) -> Option<&str> {
        if let Some(prefix) = self.prefixes.get(recording) {
            return prefix.as_deref();
        }
        let folder = (recording.0, recording.1.parent()?.to_owned());
        self.folder_prefixes.get(&folder).map(String::as_str)
    }

    /// The identifier of a recording whose file has none: its path.
    pub(super) fn recording_id(&self, (_, path): &RecordingKey) -> String {
        let path = path.with_extension("");
        let folders = path.components();
        let folders: Vec<_> = folders
            .map(|it| it.as_os_str().to_string_lossy().into_owned())
            .collect();
        folders.join("/")
    }

    /// All recordings that have a file of their own in the table `recordings`.
    pub(super) fn recordings(&self) -> impl Iterator<Item = &RecordingKey> {
        self.prefixes.keys()
    }

    /// Whether the table `recordings` has a file at this path, too.
    pub(super) fn is_known(&self, recording: &RecordingKey) -> bool {
        self.prefixes.contains_key(recording)
    }

    /// The recording with an identifier, among several datasets with its prefix.
    pub(super) fn by_id(&self, id: &str) -> Option<&RecordingKey> {
        self.prefixes.keys().find(|recording| {
            let prefix = self.dataset_prefix(recording).unwrap_or_default();
            id.strip_prefix(&prefix) == Some(&*self.recording_id(recording))
        })
    }

    /// The prefix of a recording's identifier, which makes it unique among
    /// several datasets.
    pub(super) fn dataset_prefix(&self, (dataset, _): &RecordingKey) -> Option<String> {
        let label = self.datasets.as_ref()?.get(*dataset)?;
        Some(format!("{label}/"))
    }

    /// Whether any recording has a prefix.
    pub(super) fn has_prefixes(&self) -> bool {
        !self.folder_prefixes.is_empty()
    }

    /// Whether there are several datasets.
    pub(super) fn has_datasets(&self) -> bool {
        self.datasets.is_some()
    }
}
