//! Flushes written data to disk in the background.

use super::RecordingError;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The files of a segment being written.
pub(super) struct SegmentFiles {
    pub(super) bytes: File,
    pub(super) bytes_path: PathBuf,
    pub(super) index: File,
    pub(super) index_path: PathBuf,
    /// Whether there may be data that is not on disk.
    pub(super) changed: AtomicBool,
}

/// Flushes written data to disk in a separate thread, because a disk may be slow.
/// Everything is flushed when this is dropped.
pub(super) struct Syncer {
    sender: Option<Sender<Arc<SegmentFiles>>>,
    problem: Arc<Mutex<Option<RecordingError>>>,
    thread: Option<JoinHandle<()>>,
}

/// Maximum time that data stays unflushed, in addition to the flush itself.
const SYNC_INTERVAL: Duration = Duration::from_millis(400);

impl Syncer {
    /// For the files in a folder, and for the folders in which it and its parents were
    /// created.
    pub(super) fn start(folder: PathBuf, parents: Vec<PathBuf>) -> Result<Self, RecordingError> {
        let (begun, segments) = mpsc::channel();
        let problem = Arc::default();
        let work = SyncWorker {
            folder: folder.clone(),
            parents,
            problem: Arc::clone(&problem),
        };
        let thread = thread::Builder::new().name("recording".to_owned());
        let thread = thread.spawn(move || work.run(&segments));
        let failed =
            |error| RecordingError::io("cannot start the thread that flushes", folder, error);
        Ok(Self {
            sender: Some(begun),
            problem,
            thread: Some(thread.map_err(failed)?),
        })
    }

    /// Switches to the files of a new segment.
    pub(super) fn follow(&self, files: Arc<SegmentFiles>) {
        if let Some(begun) = &self.sender {
            // The thread runs until this sender is dropped.
            let _ = begun.send(files);
        }
    }

    /// Waits until everything is flushed; returns the last unreported error.
    pub(super) fn finish(mut self) -> Option<RecordingError> {
        self.join();
        self.take_error()
    }

    /// The error since the last call, if any.
    pub(super) fn take_error(&self) -> Option<RecordingError> {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        problem.take()
    }
}

impl Syncer {
    fn join(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // The thread does not panic.
            let _ = thread.join();
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.join();
    }
}

struct SyncWorker {
    folder: PathBuf,
    parents: Vec<PathBuf>,
    problem: Arc<Mutex<Option<RecordingError>>>,
}

impl SyncWorker {
    fn run(&self, segments: &Receiver<Arc<SegmentFiles>>) {
        for parent in &self.parents {
            self.sync_folder(parent);
        }
        let mut current: Option<Arc<SegmentFiles>> = None;
        loop {
            let next = segments.recv_timeout(SYNC_INTERVAL);
            if let Some(files) = &current {
                self.sync_files(files);
            }
            match next {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(files) => {
                    self.sync_folder(&self.folder);
                    current = Some(files);
                }
                Err(RecvTimeoutError::Disconnected) => return self.sync_folder(&self.folder),
            }
        }
    }

    fn sync_files(&self, files: &SegmentFiles) {
        if files.changed.swap(false, Ordering::AcqRel) {
            self.record_result(&files.bytes_path, files.bytes.sync_data());
            self.record_result(&files.index_path, files.index.sync_data());
        }
    }

    /// Flushes a folder itself.
    fn sync_folder(&self, folder: &Path) {
        // On other systems, folders cannot be opened, and need no flush.
        if cfg!(unix) {
            match File::open(folder) {
                Ok(open) => self.record_result(folder, open.sync_all()),
                Err(error) => match error.kind() {
                    // A folder that takes new files need not be readable, and the recorder
                    // itself finds that one was removed.
                    ErrorKind::PermissionDenied | ErrorKind::NotFound => {}
                    _ => self.record_result(folder, Err(error)),
                },
            }
        }
    }

    fn record_result(&self, path: &Path, synced: std::io::Result<()>) {
        if let Err(error) = synced {
            let error = RecordingError::io("cannot flush to disk", path, error);
            let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
            problem.get_or_insert(error);
        }
    }
}
