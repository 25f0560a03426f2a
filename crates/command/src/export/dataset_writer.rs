//! Writes the recordings of a dataset, as many at a time as there are cores.

use super::dataset::{self, Tag};
use super::dataset_identity::RecordingIdentity;
use super::{ExportArgs, RecordingIter, TableOutput, dataset_files};
use crate::input::FileArgs;
use crate::output::{PartialFolder, atomic_output, create_parent};
use crate::progress;
use anyhow::{Context as _, ensure};
use rtoscope_tables::{Table, TableRows};
use rtoscope_trace::printable::Printable;
use std::io::Write;
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
    ensure!(
        fs::metadata(dataset).map_or(true, |it| it.is_dir()),
        "{} is no folder; only --table NAME writes into a file",
        Printable::path(dataset)
    );
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
            export.write_empty(table, first)?;
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
        fs::create_dir_all(self.dataset)
            .with_context(|| Printable::path(&self.dataset).to_string())?;
        // A recording appears when all of its tables are complete.
        let partial = PartialFolder::create_in(self.dataset)?;
        for (&table, has_rows) in Table::ALL.iter().zip(&self.has_rows) {
            if !TableRows::new(table, &opened).is_empty() {
                has_rows.store(true, Ordering::Relaxed);
                let rows = &mut iter::once(Ok(Arc::clone(&opened)));
                partial.write(table.name(), &self.path(table, recording), |output| {
                    (self.write)(&output_of(table, recording), rows, output)
                })?;
            }
        }
        // If the export ends before all tables are in place, the next one completes them.
        identity.write(self.dataset, &path)?;
        // `recordings` last.
        for &table in Table::ALL.iter().rev() {
            partial.place(table.name(), &self.path(table, recording))?;
        }
        Ok(())
    }

    /// Writes a table without rows.
    fn write_empty(&self, table: Table, recording: &RecordingToWrite) -> anyhow::Result<()> {
        let path = self.path(table, recording);
        create_parent(&path)?;
        atomic_output::write_file(Some(&path), |output| {
            (self.write)(&output_of(table, recording), &mut iter::empty(), output)
        })
    }

    fn path(&self, table: Table, recording: &RecordingToWrite) -> std::path::PathBuf {
        let (tags, stem) = (&recording.tags, &recording.stem);
        dataset::table_path(self.dataset, table, tags, stem, self.extension)
    }
}

/// The file of a recording.
fn output_of(table: Table, recording: &RecordingToWrite) -> TableOutput<'_> {
    TableOutput {
        table,
        tags: &recording.tags,
        is_in_dataset: true,
    }
}
