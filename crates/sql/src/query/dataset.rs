//! The recordings that are asked, as one.

use crate::Opened;
use crate::arrow::Batches;
use rtoscope_command::input::{DecodeArguments, FileArguments};
use rtoscope_command::progress;
use rtoscope_decode::Recording;
use rtoscope_tables::Table;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

/// Recordings, in the order in which they were named.
#[derive(Debug)]
pub(crate) struct Dataset(Vec<Unopened>);

/// A recording that is decoded, and analysed when somebody asks.
#[derive(Debug)]
pub(crate) struct Unopened {
    name: String,
    events: usize,
    recording: Mutex<Option<Recording>>,
    opened: OnceLock<Arc<Opened>>,
    /// How many rows its tables have, where somebody asked.
    rows: [OnceLock<usize>; Table::ALL.len()],
}

impl Dataset {
    /// Reads the files, on all cores.
    ///
    /// # Errors
    ///
    /// Of the files that cannot be read, what is wrong with the first.
    pub(crate) fn read(
        files: &[FileArguments],
        arguments: &DecodeArguments,
    ) -> anyhow::Result<Self> {
        let bar = progress::opening("");
        let next = AtomicUsize::new(0);
        let read: Vec<_> = files.iter().map(|_| OnceLock::new()).collect();
        let failed = AtomicUsize::new(usize::MAX);
        let workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|threads| {
            for _ in 0..workers.min(files.len()) {
                threads.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        // Nobody wants those behind one that failed.
                        let wanted = index < failed.load(Ordering::Relaxed);
                        let Some(file) = files.get(index).filter(|_| wanted) else {
                            return;
                        };
                        bar.set_message(file.name());
                        let recording = file.recording(arguments);
                        if recording.is_err() {
                            failed.fetch_min(index, Ordering::Relaxed);
                        }
                        // Nobody else has this index.
                        let _ = read[index].set(recording);
                    }
                });
            }
        });
        bar.finish_and_clear();
        let mut names = names(files).into_iter();
        let mut recordings = Vec::new();
        // All before the first that failed were read.
        for recording in read.into_iter().filter_map(OnceLock::into_inner) {
            let recording = recording?;
            recordings.push(Unopened {
                name: names.next().unwrap_or_default(),
                events: recording.trace.events.len(),
                recording: Mutex::new(Some(recording)),
                opened: OnceLock::new(),
                rows: Default::default(),
            });
        }
        Ok(Self(recordings))
    }

    /// All recordings.
    pub(crate) fn recordings(&self) -> &[Unopened] {
        &self.0
    }
}

impl Unopened {
    /// What is in its rows' column `file`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How many events it has.
    pub(crate) fn events(&self) -> usize {
        self.events
    }

    /// The recording, analysed; that is done once.
    pub(crate) fn open(&self) -> &Arc<Opened> {
        self.opened.get_or_init(|| {
            let recording = self.recording.lock();
            let recording = recording.unwrap_or_else(PoisonError::into_inner).take();
            let opened = recording.map(|recording| Opened::new(self.name.clone(), recording));
            // It is taken here only.
            Arc::new(opened.unwrap_or_else(|| unreachable!()))
        })
    }

    /// Whether it was analysed before.
    pub(crate) fn is_open(&self) -> bool {
        self.opened.get().is_some()
    }

    /// How many rows a table of it has, which analyses it.
    pub(crate) fn rows(&self, table: Table) -> usize {
        let count = || Batches::of(self.open(), table).len();
        let place = Table::ALL.iter().position(|one| *one == table);
        let known = place.and_then(|place| self.rows.get(place));
        known.map_or_else(count, |known| *known.get_or_init(count))
    }
}

/// What the files are called: as the user named them, those that are there
/// again with a number.
fn names(files: &[FileArguments]) -> Vec<String> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let names = files.iter().map(|file| {
        let name = file.name();
        let times = times.entry(name.clone()).or_default();
        *times += 1;
        match *times {
            1 => name,
            number => format!("{name} ({number})"),
        }
    });
    names.collect()
}
