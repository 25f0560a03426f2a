//! The recordings of a query.

use crate::AnalyzedRecording;
use crate::arrow::TableBatches;
use rtoscope_command::export::dataset;
use rtoscope_command::input::{DecodeArgs, FileArgs, TextLogArgs};
use rtoscope_command::progress;
use rtoscope_decode::DecodedRecording;
use rtoscope_tables::Table;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Recordings in the order of the command line.
#[derive(Debug)]
pub(crate) struct Dataset(Vec<LazyRecording>);

/// A decoded recording that is analysed on first use.
#[derive(Debug)]
pub(crate) struct LazyRecording {
    name: String,
    id: String,
    events: usize,
    recording: Mutex<Option<DecodedRecording>>,
    opened: OnceLock<Arc<AnalyzedRecording>>,
    /// The number of rows of each table, once determined.
    rows: [OnceLock<usize>; Table::ALL.len()],
}

impl Dataset {
    /// Reads the files on all cores.
    ///
    /// # Errors
    ///
    /// The error of the first file that cannot be read.
    pub(crate) fn read(
        files: &[FileArgs],
        arguments: &DecodeArgs,
        text_logs: &TextLogArgs,
    ) -> anyhow::Result<Self> {
        anyhow::ensure!(
            text_logs.is_empty() || files.len() == 1,
            "--text-log needs a single recording"
        );
        let bar = progress::opening_bar("");
        let failed = AtomicUsize::new(usize::MAX);
        let read = rtoscope_parallel::map(files.iter().enumerate().collect(), |(index, file)| {
            // Files after one that failed are not needed.
            if index > failed.load(Ordering::Relaxed) {
                return None;
            }
            bar.set_message(file.name());
            let recording = file.recording(arguments);
            if recording.is_err() {
                failed.fetch_min(index, Ordering::Relaxed);
            }
            Some(recording)
        });
        bar.finish_and_clear();
        let names = files.iter().map(FileArgs::source_name).collect();
        let mut names = distinct_names(names).into_iter();
        let paths = files
            .iter()
            .map(|file| file.path().unwrap_or(Path::new("-")));
        let mut ids = dataset::file_stems(paths).into_iter();
        let mut recordings = Vec::new();
        // All files before the first that failed were read.
        for (file, recording) in files.iter().zip(read.into_iter().flatten()) {
            let recording = recording?;
            file.hint_at_diagnostics(&recording.trace.diagnostics);
            let recording = LazyRecording {
                name: names.next().unwrap_or_default(),
                id: ids.next().unwrap_or_default(),
                events: recording.trace.events.len(),
                recording: Mutex::new(Some(recording)),
                opened: OnceLock::new(),
                rows: Default::default(),
            };
            // Declarations and text logs that do not fit the recording are an error here,
            // not later.
            let timing = arguments.timing(file)?;
            if timing.is_some() || !text_logs.is_empty() {
                let mut analyzed = recording.analyze();
                if let Some(timing) = timing {
                    timing.apply(&mut analyzed)?;
                }
                analyzed.text_logs = text_logs.read(&analyzed.trace)?;
                text_logs.hint_at_diagnostics(&analyzed.text_logs);
                // Nothing else has opened it yet.
                let _ = recording.opened.set(Arc::new(analyzed));
            }
            recordings.push(recording);
        }
        Ok(Self(recordings))
    }

    /// All recordings.
    pub(crate) fn recordings(&self) -> &[LazyRecording] {
        &self.0
    }
}

impl LazyRecording {
    /// The value of the column `file`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The value of the column `recording_id`.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The number of events.
    pub(crate) fn events(&self) -> usize {
        self.events
    }

    /// The analysed recording; the analysis runs once.
    pub(crate) fn open(&self) -> &Arc<AnalyzedRecording> {
        self.opened.get_or_init(|| Arc::new(self.analyze()))
    }

    /// Analyses the recording. Called once.
    fn analyze(&self) -> AnalyzedRecording {
        let recording = self.recording.lock();
        let recording = recording.unwrap_or_else(PoisonError::into_inner).take();
        let (name, id) = (self.name.clone(), self.id.clone());
        // Only this function takes the recording.
        let recording = recording.unwrap_or_else(|| unreachable!());
        let DecodedRecording { trace, format_info } = recording;
        AnalyzedRecording::new(name, id, trace, &format_info)
    }

    /// Whether the recording is analysed.
    pub(crate) fn is_open(&self) -> bool {
        self.opened.get().is_some()
    }

    /// The number of rows of a table, which requires the analysis.
    pub(crate) fn rows(&self, table: Table) -> usize {
        let count = || TableBatches::new(self.open(), table).len();
        let index = Table::ALL.iter().position(|one| *one == table);
        let cell = index.and_then(|index| self.rows.get(index));
        cell.map_or_else(count, |cell| *cell.get_or_init(count))
    }
}

/// Makes names distinct: repeated names get a number that does not make them
/// equal to another name.
pub(super) fn distinct_names(names: Vec<String>) -> Vec<String> {
    let all: HashSet<String> = names.iter().cloned().collect();
    // The last number used for each name.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let names = names.into_iter().map(|name| {
        let number = numbers.entry(name.clone()).or_default();
        loop {
            *number += 1;
            match *number {
                1 => return name,
                number => {
                    let numbered = format!("{name} ({number})");
                    if !all.contains(&numbered) {
                        return numbered;
                    }
                }
            }
        }
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn names_become_distinct() {
        let distinct =
            |names: &[&str]| distinct_names(names.iter().map(|&name| name.into()).collect());
        assert_eq!(
            distinct(&["a", "b", "a", "a"]),
            ["a", "b", "a (2)", "a (3)"]
        );
        assert_eq!(distinct(&["a", "a", "a (2)"]), ["a", "a (3)", "a (2)"]);
        let hostile = distinct(&["a", "a (2)", "a (2)", "a", "a (2) (2)"]);
        let unique: HashSet<_> = hostile.iter().collect();
        assert_eq!(unique.len(), hostile.len(), "{hostile:?}");
    }
}
