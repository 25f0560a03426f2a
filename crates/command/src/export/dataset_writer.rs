//! Writes the recordings of a dataset, as many at a time as there are cores.

use super::dataset::{self, Tag};
use super::dataset_identity::RecordingIdentity;
use super::{ExportArgs, RecordingIter, TableOutput, dataset_files};
use crate::input::FileArgs;
use crate::output::atomic_output;
use crate::progress;
use anyhow::Context as _;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_tables::{Table, TableRows};
use rtoscope_trace::printable::Printable;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::{fs, iter, thread};

/// Bytes of a file from which its recording is exported alone: it needs much memory, and its
/// columns are encoded on all cores.
const LARGE_FILE_BYTES: u64 = 32 << 20;

/// Writes a file with the rows of a table.
pub(super) type WriteTable<'a> = dyn Fn(&TableOutput<'_>, RecordingIter<'_>, &mut (dyn Write + Send)) -> anyhow::Result<()>
    + Sync
    + 'a;

/// Writes all tables of the recordings. A table without rows has a file only if its folder
/// would have none otherwise, so that every table can be read.
///
/// # Errors
///
/// The error of the first recording that failed.
pub(super) fn write(
    arguments: &ExportArgs,
    dataset: &Path,
    write: &WriteTable<'_>,
) -> anyhow::Result<()> {
    let extension = arguments.to.extension().unwrap_or_default();
    let files = arguments.files.iter().zip(arguments.recording_stems());
    let recordings = files.map(|(file, stem)| {
        let tags = dataset::tags_of_file(&arguments.tags, file.path())?;
        Ok(RecordingToWrite { file, tags, stem })
    });
    let recordings: Vec<_> = recordings.collect::<anyhow::Result<_>>()?;
    let first = recordings.first().context("there are no recordings")?;
    // Every recording has a file of the first table.
    let existing = dataset_files::list_files(&dataset.join(Table::ALL[0].name()), extension)?;
    dataset_files::check_tags_match(&existing, &first.tags)?;
    let export = DatasetExport {
        arguments,
        dataset,
        extension,
        write,
        has_rows: Table::ALL.iter().map(|_| AtomicBool::new(false)).collect(),
        large: RwLock::new(()),
    };
    export.write_recordings(&recordings)?;
    for (&table, has_rows) in Table::ALL.iter().zip(&export.has_rows) {
        let is_empty = !has_rows.load(Ordering::Relaxed);
        if is_empty && !dataset_files::has_files(&dataset.join(table.name()), extension)? {
            export.write_table(table, first, None)?;
        }
    }
    Ok(())
}

/// A recording, and its place in the dataset.
struct RecordingToWrite {
    file: FileArgs,
    tags: Vec<Tag>,
    stem: String,
}

struct DatasetExport<'a> {
    arguments: &'a ExportArgs,
    dataset: &'a Path,
    extension: &'a str,
    write: &'a WriteTable<'a>,
    /// By table: whether a recording had rows.
    has_rows: Vec<AtomicBool>,
    /// Locked exclusively for a large recording.
    large: RwLock<()>,
}

impl DatasetExport<'_> {
    fn write_recordings(&self, recordings: &[RecordingToWrite]) -> anyhow::Result<()> {
        let bar = progress::exporting_bar(recordings.len() as u64);
        let next = AtomicUsize::new(0);
        // The first recording that failed; those after it are not needed.
        let failed: Mutex<Option<(usize, anyhow::Error)>> = Mutex::new(None);
        let lock = || failed.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let is_needed = lock().as_ref().is_none_or(|(first, _)| index < *first);
                let Some(recording) = recordings.get(index).filter(|_| is_needed) else {
                    return;
                };
                if let Err(error) = self.write_recording(recording) {
                    let mut failed = lock();
                    if failed.as_ref().is_none_or(|(first, _)| index < *first) {
                        *failed = Some((index, error));
                    }
                }
                bar.inc(1);
            }
        };
        let others = rtoscope_trace::parallel::threads()
            .min(recordings.len())
            .saturating_sub(1);
        thread::scope(|scope| {
            for _ in 0..others {
                scope.spawn(work);
            }
            work();
        });
        bar.finish_and_clear();
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    fn write_recording(&self, recording: &RecordingToWrite) -> anyhow::Result<()> {
        let metadata = recording.file.path().and_then(|path| path.metadata().ok());
        // The size of a capture's folder is not known.
        let is_large = metadata.is_none_or(|file| file.is_dir() || file.len() >= LARGE_FILE_BYTES);
        let (_alone, _shared);
        match is_large {
            true => _alone = self.large.write().unwrap_or_else(PoisonError::into_inner),
            false => _shared = self.large.read().unwrap_or_else(PoisonError::into_inner),
        }
        let (file, tags, stem) = (&recording.file, &recording.tags, &recording.stem);
        let opened = Arc::new(self.arguments.open_recording(file, tags, stem)?);
        let identity = RecordingIdentity::new(&opened);
        let path = self.path(Table::Recordings, recording);
        if !self.arguments.replace {
            identity.check_same(self.dataset, &path)?;
        }
        create_parent(&path)?;
        // If the export ends before the tables are complete, the next one completes them.
        identity.write(self.dataset, &path)?;
        for (&table, has_rows) in Table::ALL.iter().zip(&self.has_rows) {
            if !TableRows::new(table, &opened).is_empty() {
                has_rows.store(true, Ordering::Relaxed);
                self.write_table(table, recording, Some(&opened))?;
                continue;
            }
            // An earlier export of the recording may have had rows.
            let path = self.path(table, recording);
            match fs::remove_file(&path) {
                Err(error)
                    if error.kind() != io::ErrorKind::NotFound
                        && error.kind() != io::ErrorKind::NotADirectory =>
                {
                    Err(error).with_context(|| Printable::path(&path).to_string())?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes the rows of a recording, or a file without rows.
    fn write_table(
        &self,
        table: Table,
        recording: &RecordingToWrite,
        opened: Option<&Arc<AnalyzedRecording>>,
    ) -> anyhow::Result<()> {
        let path = self.path(table, recording);
        create_parent(&path)?;
        let table = TableOutput {
            table,
            tags: &recording.tags,
            is_in_dataset: true,
        };
        let mut none = iter::empty();
        let mut only = opened.map(|opened| iter::once(Ok(Arc::clone(opened))));
        let recordings: RecordingIter<'_> = match &mut only {
            Some(only) => only,
            None => &mut none,
        };
        atomic_output::write_file(Some(&path), |output| {
            (self.write)(&table, recordings, output)
        })
    }

    fn path(&self, table: Table, recording: &RecordingToWrite) -> std::path::PathBuf {
        let (tags, stem) = (&recording.tags, &recording.stem);
        dataset::table_path(self.dataset, table, tags, stem, self.extension)
    }
}

/// Creates the folder of a file.
pub(super) fn create_parent(path: &Path) -> anyhow::Result<()> {
    match path.parent() {
        Some(folder) => {
            fs::create_dir_all(folder).with_context(|| Printable::path(&folder).to_string())
        }
        None => Ok(()),
    }
}
