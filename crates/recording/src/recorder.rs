//! Writes a recording.

use super::folder::{self, MANIFEST_FILE_NAME};
use super::loss_record::{self, LossRecord, LossRecordFile};
use super::manifest::Manifest;
use super::retention::SegmentRetention;
use super::segment::{SegmentStart, SegmentWriteError, SegmentWriter};
use super::sync::Syncer;
use super::{RecordingError, Unread};
use rtoscope_decode::live::HostTime;
use rtoscope_trace::diagnostic::pluralise;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Options of a recorder.
#[derive(Debug, Clone)]
pub struct RecorderOptions {
    /// The folder, which must be empty or not exist.
    pub folder: PathBuf,
    /// Display name of the source.
    pub source: String,
    /// Maximum size of a segment in bytes.
    pub segment_bytes: Option<u64>,
    /// Maximum duration of a segment.
    pub segment_time: Option<Duration>,
    /// Number of segments to keep: the last ones, at least one, and temporarily earlier
    /// ones, see [`SegmentRetention`].
    pub max_segments: Option<usize>,
}

/// Writes a recording: written bytes survive a crash of this process at once, and a
/// power failure after about 0.5 s. The recording is finished when this is dropped.
pub struct Recorder {
    settings: RecorderOptions,
    /// The current segment, unless writing failed.
    segment: Option<SegmentWriter>,
    /// Why nothing is written, if so.
    failure: Option<WriteFailure>,
    retention: Arc<SegmentRetention>,
    /// The number of the next segment.
    next_segment: u64,
    syncer: Syncer,
    /// Number of received bytes.
    received_bytes: u64,
    /// Number of them that were written and still exist.
    written_bytes: u64,
    /// Records at the end which bytes are missing there.
    loss: LossRecordFile,
    /// Why the recording is incomplete, if so.
    incomplete_reason: Option<RecordingError>,
    /// When the segment's file was last checked.
    last_check: HostTime,
}

/// The result of a finished recording.
#[derive(Debug)]
pub struct RecordingSummary {
    /// Number of written bytes.
    pub bytes: u64,
    /// Number of received bytes that are missing.
    pub missing_bytes: u64,
    /// Why it is incomplete, if so.
    pub incomplete_reason: Option<RecordingError>,
}

/// A failed write, retried from time to time.
struct WriteFailure {
    error: RecordingError,
    last_attempt: HostTime,
    /// Bytes lost since then.
    lost_bytes: u64,
    /// Why the connection was lost since then, if so.
    disconnect_reason: Option<String>,
    /// Whether space was freed since then.
    has_room: bool,
}

/// The number of the first segment.
const FIRST_SEGMENT: u64 = 1;

/// Interval between retries, in nanoseconds.
const RETRY_INTERVAL_NS: u64 = 1_000_000_000;

/// Interval between checks that the files still exist, in nanoseconds.
const CHECK_INTERVAL: u64 = 200_000_000;

impl Recorder {
    /// Starts a recording.
    ///
    /// # Errors
    ///
    /// If the folder is not empty or cannot be written.
    pub fn create(settings: RecorderOptions, at: HostTime) -> Result<Self, RecordingError> {
        let folder = &settings.folder;
        let failed = |what| move |error| RecordingError::io(what, folder, error);
        let parents = parents_of_new(folder);
        fs::create_dir_all(folder).map_err(failed("cannot create the folder"))?;
        let mut files = fs::read_dir(folder).map_err(failed("cannot read the folder"))?;
        if files.next().is_some() {
            let folder = folder.clone();
            return Err(RecordingError::NotEmpty { folder });
        }
        let folder = folder.clone();
        Self::create_files(settings, parents, at).inspect_err(|_| {
            // The folder can be used again when there is space.
            for name in [MANIFEST_FILE_NAME, loss_record::FILE_NAME] {
                let _ = fs::remove_file(folder.join(name));
            }
            let _ = folder::remove(&folder, FIRST_SEGMENT);
        })
    }

    /// `parents` are the folders in which folders were created.
    fn create_files(
        settings: RecorderOptions,
        parents: Vec<PathBuf>,
        at: HostTime,
    ) -> Result<Self, RecordingError> {
        let folder = &settings.folder;
        // First: readers expect it.
        let loss = LossRecordFile::reserve(folder)?;
        Manifest::new(settings.source.clone(), at).write(folder)?;
        let mut recorder = Self {
            segment: None,
            failure: None,
            retention: Arc::new(SegmentRetention::new(folder.clone(), settings.max_segments)),
            next_segment: FIRST_SEGMENT,
            syncer: Syncer::start(folder.clone(), parents)?,
            received_bytes: 0,
            written_bytes: 0,
            loss,
            incomplete_reason: None,
            last_check: at,
            settings,
        };
        recorder.segment = Some(recorder.begin(at)?);
        Ok(recorder)
    }

    /// Writes received bytes.
    ///
    /// # Errors
    ///
    /// If not all of them could be written, if flushing to disk failed, or if an old
    /// segment could not be removed. Written bytes stay, and later bytes may be written
    /// again after an interruption. If only the last segments are kept, older ones make room
    /// on a full disk before anything is lost.
    pub fn write(&mut self, bytes: &[u8], at: HostTime) -> Result<(), RecordingError> {
        if bytes.is_empty() {
            return Ok(());
        }
        if at.since(self.last_check) >= CHECK_INTERVAL {
            self.find_removed(at);
        }
        let truncated = self.find_truncated(at);
        let mut rest = bytes;
        let problem = loop {
            let error = match self.write_once(rest, at) {
                Ok(()) => break None,
                Err((written, error)) => {
                    rest = rest.get(written..).unwrap_or_default();
                    error
                }
            };
            if !self.make_room(&error) {
                break Some(error);
            }
        };
        if problem.is_some() {
            let lost = rest.len() as u64;
            self.received_bytes = self.received_bytes.saturating_add(lost);
            if let Some(failure) = &mut self.failure {
                failure.lost_bytes = failure.lost_bytes.saturating_add(lost);
            }
        }
        self.mark_loss(at);
        problem.or(truncated).map_or_else(|| self.look_aside(), Err)
    }

    /// Writes bytes to the current segment, or returns how many could be written.
    fn write_once(&mut self, bytes: &[u8], at: HostTime) -> Result<(), (usize, RecordingError)> {
        let offset = self.received_bytes;
        let segment = self.ready(at).map_err(|error| (0, error))?;
        let result = segment.write(offset, bytes, at);
        let written = match &result {
            Ok(()) => bytes.len(),
            Err(broken) => broken.written,
        };
        self.received_bytes = offset.saturating_add(written as u64);
        self.written_bytes = self.written_bytes.saturating_add(written as u64);
        result.map_err(|broken| (written, self.fail(broken, at)))
    }

    /// Removes the oldest segment if the disk is full and only the last ones are kept.
    /// Returns whether writing can be tried again.
    fn make_room(&mut self, error: &RecordingError) -> bool {
        let keeps_all = self.settings.max_segments.is_none();
        if keeps_all || !error.is_full_disk() || !self.retention.remove_oldest() {
            return false;
        }
        if let Some(failure) = &mut self.failure {
            failure.has_room = true;
        }
        true
    }

    /// Checks that the written bytes still exist and reached the disk.
    ///
    /// # Errors
    ///
    /// As for [`Recorder::write`].
    pub fn check(&mut self, at: HostTime) -> Result<(), RecordingError> {
        if at.since(self.last_check) >= CHECK_INTERVAL {
            self.find_removed(at);
        }
        self.find_truncated(at);
        if let Some(segment) = &mut self.segment
            && let Err(broken) = segment.write_checksum(at)
        {
            self.fail(broken, at);
        }
        match &self.failure {
            Some(failure) => Err(failure.error.clone()),
            None => self.look_aside(),
        }
    }

    /// Finishes the recording: flushes it and checks it.
    pub fn finish(mut self, at: HostTime) -> RecordingSummary {
        self.find_removed(at);
        self.find_truncated(at);
        self.mark_loss(at);
        if let Some(failure) = &self.failure {
            // An interruption may still have to be recorded.
            self.incomplete_reason
                .get_or_insert_with(|| failure.error.clone());
            self.sync_loss();
        }
        // Before the flush, as it marks the end.
        self.segment = None;
        let Self {
            syncer,
            incomplete_reason: mut fault,
            received_bytes: came,
            written_bytes: written,
            ..
        } = self;
        fault = fault.or(syncer.finish());
        RecordingSummary {
            bytes: written,
            missing_bytes: came.saturating_sub(written),
            incomplete_reason: fault,
        }
    }

    /// Number of received bytes that are missing.
    pub fn missing(&self) -> u64 {
        self.received_bytes.saturating_sub(self.written_bytes)
    }

    /// Records that the connection was lost here; if that fails, records it before the
    /// next written bytes.
    ///
    /// # Errors
    ///
    /// As for [`Recorder::write`].
    pub fn interrupt(&mut self, reason: &str, at: HostTime) -> Result<(), RecordingError> {
        let offset = self.received_bytes;
        let ready = self.ready(at);
        let error = match ready.map(|segment| segment.write_interruption(offset, reason, at)) {
            Ok(Ok(())) => return self.look_aside(),
            Ok(Err(broken)) => self.fail(broken, at),
            Err(error) => error,
        };
        if let Some(failure) = &mut self.failure {
            failure.disconnect_reason = Some(reason.to_owned());
        }
        Err(error)
    }

    /// Records that connections were refused.
    ///
    /// # Errors
    ///
    /// As for [`Recorder::write`].
    pub fn refuse(&mut self, message: &str, at: HostTime) -> Result<(), RecordingError> {
        let offset = self.received_bytes;
        match self.ready(at)?.write_refusal(offset, message, at) {
            Ok(()) => self.look_aside(),
            Err(broken) => Err(self.fail(broken, at)),
        }
    }

    /// Records that the target sent more here.
    ///
    /// # Errors
    ///
    /// As for [`Recorder::write`].
    pub fn mark_unread(&mut self, unread: Unread, at: HostTime) -> Result<(), RecordingError> {
        let offset = self.received_bytes;
        match self.ready(at)?.write_unread(offset, unread) {
            Ok(()) => self.look_aside(),
            Err(broken) => Err(self.fail(broken, at)),
        }
    }

    /// The retention of the segments, which stores the metadata that the last ones
    /// need.
    pub fn keeper(&self) -> Arc<SegmentRetention> {
        Arc::clone(&self.retention)
    }

    /// Number of written bytes.
    pub fn bytes(&self) -> u64 {
        self.written_bytes
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.settings.folder
    }

    /// The segment to write to: a new one if the last is full, or if writing failed
    /// some time ago.
    fn ready(&mut self, at: HostTime) -> Result<&mut SegmentWriter, RecordingError> {
        if let Some(failure) = &self.failure
            && !failure.has_room
            && at.since(failure.last_attempt) < RETRY_INTERVAL_NS
        {
            return Err(failure.error.clone());
        }
        let open = self.segment.take();
        let segment = match open.filter(|segment| !self.settings.is_full(segment, at)) {
            Some(segment) => segment,
            None => self
                .begin(at)
                .inspect_err(|error| self.pause(error.clone(), at))?,
        };
        self.failure = None;
        Ok(self.segment.insert(segment))
    }

    /// Starts the next segment.
    fn begin(&mut self, at: HostTime) -> Result<SegmentWriter, RecordingError> {
        let folder = &self.settings.folder;
        if !folder.is_dir() {
            let path = folder.clone();
            return Err(RecordingError::Removed { path });
        }
        let number = self.next_segment;
        let reason = self.failure.as_ref().and_then(WriteFailure::reason);
        let start = SegmentStart {
            folder,
            number,
            offset: self.received_bytes,
            at,
            reason: reason.as_deref(),
        };
        let segment = SegmentWriter::begin(&start).inspect_err(|_| {
            // A partial segment would only be in the way of the next attempt.
            let _ = folder::remove(folder, number);
        })?;
        self.retention.add(number, self.received_bytes);
        self.next_segment += 1;
        self.syncer.follow(segment.files());
        Ok(segment)
    }

    /// Detects whether the current segment was removed: bytes written to such a file
    /// are lost without an error.
    fn find_removed(&mut self, at: HostTime) {
        self.last_check = at;
        let Some(path) = self.segment.as_ref().and_then(SegmentWriter::removed) else {
            return;
        };
        let folder = &self.settings.folder;
        let segment_bytes = self.segment.take().map_or(0, |segment| segment.bytes());
        let (path, lost) = match folder.is_dir() {
            true => (path, segment_bytes),
            false => (folder.clone(), self.written_bytes),
        };
        self.written_bytes = self.written_bytes.saturating_sub(lost);
        let error = RecordingError::Removed { path };
        self.incomplete_reason.get_or_insert_with(|| error.clone());
        self.pause(error, at);
        if let Some(failure) = &mut self.failure {
            failure.lost_bytes = failure.lost_bytes.saturating_add(lost);
        }
    }

    /// Detects whether another program truncated the current segment, and goes on with a
    /// new one.
    fn find_truncated(&mut self, at: HostTime) -> Option<RecordingError> {
        let lost = self.segment.as_ref()?.truncated();
        if lost == 0 {
            return None;
        }
        let path = self.segment.take()?.path().to_owned();
        self.written_bytes = self.written_bytes.saturating_sub(lost);
        let error = RecordingError::Truncated { path };
        self.incomplete_reason.get_or_insert_with(|| error.clone());
        self.pause(error.clone(), at);
        if let Some(failure) = &mut self.failure {
            failure.lost_bytes = failure.lost_bytes.saturating_add(lost);
            failure.has_room = true;
        }
        Some(error)
    }

    /// Records that bytes are missing at the end.
    fn mark_loss(&mut self, at: HostTime) {
        let failure = self
            .failure
            .as_ref()
            .filter(|failure| failure.lost_bytes > 0);
        let Some((failure, reason)) = failure.and_then(|it| Some((it, it.reason()?))) else {
            return;
        };
        self.incomplete_reason
            .get_or_insert_with(|| failure.error.clone());
        let loss = LossRecord {
            offset: self.received_bytes,
            at,
            reason,
        };
        if let Err(error) = self.loss.write(&loss) {
            self.incomplete_reason.get_or_insert(error);
        }
    }

    fn sync_loss(&mut self) {
        if let Err(error) = self.loss.sync() {
            self.incomplete_reason.get_or_insert(error);
        }
    }

    /// Stops writing for now.
    fn fail(&mut self, broken: SegmentWriteError, at: HostTime) -> RecordingError {
        self.segment = None;
        self.pause(broken.error.clone(), at);
        broken.error
    }

    fn pause(&mut self, error: RecordingError, at: HostTime) {
        let before = self.failure.take();
        if before.is_some() {
            self.sync_loss();
        }
        self.failure = Some(WriteFailure {
            error,
            last_attempt: at,
            lost_bytes: before.as_ref().map_or(0, |failure| failure.lost_bytes),
            disconnect_reason: before.and_then(|failure| failure.disconnect_reason),
            has_room: false,
        });
    }

    /// Errors besides those of writing, reported once.
    fn look_aside(&mut self) -> Result<(), RecordingError> {
        let unsynced = self.syncer.take_error();
        if let Some(error) = &unsynced {
            self.incomplete_reason.get_or_insert_with(|| error.clone());
        }
        let problem = unsynced.or_else(|| self.retention.take_error());
        problem.map_or(Ok(()), Err)
    }
}

impl RecorderOptions {
    fn is_full(&self, segment: &SegmentWriter, at: HostTime) -> bool {
        let is_long = self
            .segment_bytes
            .is_some_and(|most| segment.bytes() >= most);
        let is_old = self
            .segment_time
            .is_some_and(|most| segment.age(at) >= most);
        segment.bytes() > 0 && (is_long || is_old)
    }
}

impl WriteFailure {
    /// The reason recorded when writing continues.
    fn reason(&self) -> Option<String> {
        if self.lost_bytes == 0 {
            return self.disconnect_reason.clone();
        }
        let lost = pluralise(self.lost_bytes, "byte", "bytes");
        Some(match &self.error {
            RecordingError::Io { source, .. } => format!("{lost} could not be written: {source}"),
            error => format!("{lost} lost: {error}"),
        })
    }
}

/// The folders in which a folder and its missing parents will be created.
fn parents_of_new(folder: &Path) -> Vec<PathBuf> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let parents = missing.filter_map(Path::parent);
    let named = parents.map(|parent| match parent.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => parent.to_owned(),
    });
    named.collect()
}
