//! The recordings of a query.

use super::recording::LazyRecording;
use super::recording_cache::RecordingCache;
use crate::AnalyzedRecording;
use anyhow::{Context as _, ensure};
use rtoscope_command::export::dataset;
use rtoscope_command::input::{DecodeArgs, FileArgs, TextLogArgs, TimingArgs};
use rtoscope_command::progress;
use rtoscope_decode::DecodedRecording;
use rtoscope_tables::Table;
use rtoscope_trace::Frequency;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Recordings in the order of the command line. Each is decoded when a query needs it, and
/// again if it was dropped to limit memory.
#[derive(Debug)]
pub(crate) struct Dataset {
    recordings: Vec<LazyRecording>,
    cache: RecordingCache,
}

/// How recordings are decoded, and what is beside them.
pub(crate) trait RecordingOptions: Send + Sync {
    /// The decoding options.
    fn decode(&self) -> &DecodeArgs;
    /// The timing declarations.
    fn timing(&self) -> &TimingArgs;
    /// The text logs of the only recording.
    fn text_logs(&self) -> &TextLogArgs;
}

impl Dataset {
    /// Checks that the files exist. They are decoded by the queries that need them.
    ///
    /// # Errors
    ///
    /// The error of the first file that cannot be read.
    pub(crate) fn read(
        files: Vec<FileArgs>,
        options: &Arc<impl RecordingOptions + 'static>,
    ) -> anyhow::Result<Self> {
        ensure!(
            options.text_logs().is_empty() || files.len() == 1,
            "--text-log needs a single recording"
        );
        let names = distinct_names(files.iter().map(FileArgs::source_name).collect());
        let paths = files
            .iter()
            .map(|file| file.path().unwrap_or(Path::new("-")));
        let ids = dataset::file_stems(paths);
        let mut recordings = Vec::new();
        for ((file, name), id) in files.into_iter().zip(names).zip(ids) {
            let bytes = match file.path() {
                Some(path) => {
                    let found = path.metadata().with_context(|| file.name())?;
                    if found.is_file() {
                        File::open(path).with_context(|| file.name())?;
                    }
                    // A mistake in the declarations is an error here, not later.
                    options.timing().read(options.decode())?;
                    found.len()
                }
                None => 0,
            };
            let is_repeatable = file.path().is_some();
            let options = Arc::clone(options);
            let open = move |name: &str, id: &str, is_first: bool| {
                open(&file, name, id, is_first, &*options)
            };
            let recording = LazyRecording::new(name, id, bytes, Box::new(open));
            if !is_repeatable {
                recording.open()?;
            }
            recordings.push(if is_repeatable {
                recording
            } else {
                recording.into_kept()
            });
        }
        Ok(Self::new(recordings))
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
        options: &impl RecordingOptions,
        frequency: Option<Frequency>,
    ) -> anyhow::Result<Self> {
        let decoded = file.recording(options.decode())?;
        let id = dataset::file_stems([Path::new(name)]);
        let id = id.into_iter().next().unwrap_or_default();
        let mut analyzed = from_decoded(name, &id, decoded);
        if let Some(timing) = options.timing().read(options.decode())? {
            timing.apply(&mut analyzed)?;
        }
        analyzed.text_logs = options
            .text_logs()
            .read(options.decode(), &analyzed.trace)?;
        let clock = &mut analyzed.trace.clock;
        if clock.frequency() != frequency {
            clock.set_frequency(frequency);
        }
        let recording = LazyRecording::opened(name.to_owned(), id, analyzed);
        Ok(Self::new(vec![recording]))
    }

    /// Decodes the only recording, so that errors and hints precede the first query.
    ///
    /// # Errors
    ///
    /// If it cannot be decoded.
    pub(crate) fn open_only(&self) -> anyhow::Result<()> {
        if self.recordings.len() == 1 {
            self.open(0)?;
        }
        Ok(())
    }

    fn new(recordings: Vec<LazyRecording>) -> Self {
        Self {
            recordings,
            cache: RecordingCache::default(),
        }
    }

    /// All recordings.
    pub(crate) fn recordings(&self) -> &[LazyRecording] {
        &self.recordings
    }

    /// The number of events of the recordings in memory.
    pub(crate) fn events(&self) -> usize {
        let opened = self.recordings.iter().filter_map(LazyRecording::in_memory);
        opened.map(|opened| opened.trace.events.len()).sum()
    }

    /// A recording, decoded and analysed unless it is in memory.
    ///
    /// # Errors
    ///
    /// If it cannot be decoded.
    pub(crate) fn open(&self, index: usize) -> anyhow::Result<Arc<AnalyzedRecording>> {
        let recording = self.recordings.get(index).context("no such recording")?;
        let opened = recording.open()?;
        if !recording.is_kept() {
            for unused in self.cache.use_recording(index, &opened) {
                if let Some(recording) = self.recordings.get(unused) {
                    recording.drop_from_memory();
                }
            }
        }
        Ok(opened)
    }

    /// The number of rows of a recording's table.
    ///
    /// # Errors
    ///
    /// If the recording cannot be decoded.
    pub(crate) fn rows(&self, index: usize, table: Table) -> anyhow::Result<usize> {
        let recording = self.recordings.get(index).context("no such recording")?;
        match recording.known_rows(table) {
            Some(rows) => Ok(rows),
            None => Ok(recording.count_rows(table, &self.open(index)?)),
        }
    }
}

/// Decodes and analyses a recording, with what is beside it. Hints at problems the first
/// time.
fn open(
    file: &FileArgs,
    name: &str,
    id: &str,
    is_first: bool,
    options: &impl RecordingOptions,
) -> anyhow::Result<AnalyzedRecording> {
    let bar = progress::opening_bar(&file.name());
    let decoded = file.recording(options.decode())?;
    if is_first {
        file.hint_at_diagnostics(&decoded.trace.diagnostics);
    }
    let mut analyzed = from_decoded(name, id, decoded);
    if let Some(timing) = options.timing().read(options.decode())? {
        timing.apply(&mut analyzed)?;
    }
    let text_logs = options.text_logs();
    if !text_logs.is_empty() {
        analyzed.text_logs = text_logs.read(options.decode(), &analyzed.trace)?;
        if is_first {
            text_logs.hint_at_diagnostics(&analyzed.text_logs);
        }
    }
    bar.finish_and_clear();
    Ok(analyzed)
}

fn from_decoded(name: &str, id: &str, decoded: DecodedRecording) -> AnalyzedRecording {
    let DecodedRecording { trace, format_info } = decoded;
    AnalyzedRecording::new(name, id, trace, &format_info)
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
    use crate::engine::recording_cache::MIN_RECORDINGS;
    use clap::Parser as _;
    use rtoscope_command::query::QueryArgs;

    #[test]
    fn recordings_are_dropped_and_decoded_again() {
        #[derive(clap::Parser)]
        struct Cli {
            #[command(flatten)]
            query: QueryArgs,
        }
        let path = rtoscope_fixtures::testdata("threadx/cm3_short.trx");
        let words = ["query".into(), path.into_os_string()];
        let words = words.into_iter().chain(["SELECT 1".into()]);
        let query = Arc::new(Cli::try_parse_from(words).unwrap().query);
        let (files, _) = query.inputs_and_sql().unwrap();
        let count = MIN_RECORDINGS + 3;
        let files = files.into_iter().cycle().take(count).collect();
        let mut dataset = Dataset::read(files, &query).unwrap();
        dataset.cache = RecordingCache::new(1);
        let in_memory = |dataset: &Dataset| {
            let recordings = dataset.recordings.iter();
            let opened = recordings.map(|recording| recording.in_memory().is_some());
            opened.collect::<Vec<_>>()
        };
        assert!(!in_memory(&dataset).contains(&true));
        let events = dataset.open(0).unwrap().trace.events.len();
        let used_by_a_query = dataset.open(0).unwrap();
        for index in 1..count {
            assert_eq!(dataset.open(index).unwrap().trace.events.len(), events);
        }
        let expected: Vec<_> = (0..count).map(|index| index >= 3).collect();
        assert_eq!(in_memory(&dataset), expected);
        assert_eq!(used_by_a_query.trace.events.len(), events);
        let again = dataset.open(0).unwrap();
        assert_eq!(again.trace.events.len(), events);
        assert!(in_memory(&dataset)[0] && !in_memory(&dataset)[3]);
        // Known without decoding.
        let rows = dataset.recordings[1].known_row(&[0, 3]).unwrap();
        assert_eq!((rows.num_rows(), rows.num_columns()), (1, 2));
        let findings = Table::Recordings.column_index("findings").unwrap();
        assert!(dataset.recordings[1].known_row(&[findings]).is_none());
    }

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
