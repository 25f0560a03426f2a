//! The recordings of a query.

use crate::AnalyzedRecording;
use crate::arrow::TableBatches;
use rtoscope_command::export::dataset;
use rtoscope_command::input::{DecodeArgs, FileArgs, TextLogArgs, TimingArgs};
use rtoscope_command::progress;
use rtoscope_decode::DecodedRecording;
use rtoscope_tables::Table;
use rtoscope_trace::Frequency;
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

/// How recordings are decoded, and what is beside them.
#[derive(Clone, Copy)]
pub(crate) struct DatasetOptions<'a> {
    /// The decoding options.
    pub(crate) decode: &'a DecodeArgs,
    /// The timing declarations.
    pub(crate) timing: &'a TimingArgs,
    /// The text logs of the only recording.
    pub(crate) text_logs: &'a TextLogArgs,
}

impl Dataset {
    /// Reads the files on all cores.
    ///
    /// # Errors
    ///
    /// The error of the first file that cannot be read.
    pub(crate) fn read(files: &[FileArgs], options: DatasetOptions<'_>) -> anyhow::Result<Self> {
        let text_logs = options.text_logs;
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
            let recording = file.recording(options.decode);
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
            let (name, id) = (names.next(), ids.next());
            let (name, id) = (name.unwrap_or_default(), id.unwrap_or_default());
            let recording = LazyRecording::new(name, id, recording);
            // Declarations and text logs that do not fit the recording are an error here,
            // not later.
            let timing = options.timing.read(file)?;
            if timing.is_some() || !text_logs.is_empty() {
                let mut analyzed = recording.analyze();
                if let Some(timing) = timing {
                    timing.apply(&mut analyzed)?;
                }
                analyzed.text_logs = text_logs.read(&analyzed.trace)?;
                text_logs.hint_at_diagnostics(&analyzed.text_logs);
                recording.set_opened(analyzed);
            }
            recordings.push(recording);
        }
        Ok(Self(recordings))
    }

    /// The recording of a viewer, under the name that it has there, with the clock that a
    /// user may have changed.
    ///
    /// # Errors
    ///
    /// If the recording cannot be read, or declarations or text logs do not fit it.
    pub(crate) fn of_viewer(
        file: &FileArgs,
        name: &str,
        options: DatasetOptions<'_>,
        frequency: Option<Frequency>,
    ) -> anyhow::Result<Self> {
        let decoded = file.recording(options.decode)?;
        let id = dataset::file_stems([Path::new(name)]);
        let id = id.into_iter().next().unwrap_or_default();
        let recording = LazyRecording::new(name.to_owned(), id, decoded);
        let mut analyzed = recording.analyze();
        if let Some(timing) = options.timing.read(file)? {
            timing.apply(&mut analyzed)?;
        }
        analyzed.text_logs = options.text_logs.read(&analyzed.trace)?;
        let clock = &mut analyzed.trace.clock;
        if clock.frequency() != frequency {
            clock.set_frequency(frequency);
        }
        recording.set_opened(analyzed);
        Ok(Self(vec![recording]))
    }

    /// All recordings.
    pub(crate) fn recordings(&self) -> &[LazyRecording] {
        &self.0
    }
}

impl LazyRecording {
    fn new(name: String, id: String, recording: DecodedRecording) -> Self {
        Self {
            name,
            id,
            events: recording.trace.events.len(),
            recording: Mutex::new(Some(recording)),
            opened: OnceLock::new(),
            rows: std::array::from_fn(|_| OnceLock::new()),
        }
    }

    /// Sets the analysed recording, before anything opens it.
    fn set_opened(&self, analyzed: AnalyzedRecording) {
        let _ = self.opened.set(Arc::new(analyzed));
    }

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
