//! Writes a recording.

use super::RecordingError;
use super::folder::{self, MANIFEST_FILE_NAME};
use super::loss_record::{self, LossRecord, LossRecordFile};
use super::manifest::Manifest;
use super::retention::SegmentRetention;
use super::segment::{SegmentStart, SegmentWriteError, SegmentWriter};
use super::sync::Syncer;
use rtoscope_decode::live::HostTime;
use rtoscope_trace::diagnostic::pluralise;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Where and how to record.
#[derive(Debug, Clone)]
pub struct RecorderOptions {
    /// The folder, which must be empty or not exist.
    pub folder: PathBuf,
    /// What is written first: a name of the source for people.
    pub source: String,
    /// Bytes of a segment, behind which another is begun.
    pub segment_bytes: Option<u64>,
    /// Time of a segment, behind which another is begun.
    pub segment_time: Option<Duration>,
    /// How many segments are kept: the last ones, at least one, and for a while
    /// those before, see [`SegmentRetention`].
    pub max_segments: Option<usize>,
}

/// Writes a recording: whatever it took survives this process at once, and the
/// machine about half a second later. It is finished when this is dropped.
pub struct Recorder {
    settings: RecorderOptions,
    /// Is written to, unless that failed.
    segment: Option<SegmentWriter>,
    /// Why nothing is written, if that is so.
    failure: Option<WriteFailure>,
    retention: Arc<SegmentRetention>,
    /// The number of the next segment.
    next_segment: u64,
    syncer: Syncer,
    /// Bytes that came.
    received_bytes: u64,
    /// Of those, the ones that were written and are still there.
    written_bytes: u64,
    /// Says at the end of the recording what is missing there.
    loss: LossRecordFile,
    /// Why the recording is not whole, if it is not.
    incomplete_reason: Option<RecordingError>,
    /// When it was last checked that the segment is where it was begun.
    last_check: HostTime,
}

/// How a recording ended.
#[derive(Debug)]
pub struct RecordingSummary {
    /// Bytes that were written.
    pub bytes: u64,
    /// Bytes that came and are not in the recording.
    pub missing_bytes: u64,
    /// Why it is not whole, if it is not.
    pub incomplete_reason: Option<RecordingError>,
}

/// Writing failed, which is tried again from time to time.
struct WriteFailure {
    error: RecordingError,
    last_attempt: HostTime,
    /// Bytes that were lost since.
    lost_bytes: u64,
    /// Why the connection broke since, if it did.
    disconnect_reason: Option<String>,
}

/// The number of the first segment.
const FIRST_SEGMENT: u64 = 1;

/// How long it is waited before writing is tried again, in nanoseconds.
const RETRY_INTERVAL_NS: u64 = 1_000_000_000;

/// How often the recorder checks that its files were not removed, in nanoseconds.
const CHECK_INTERVAL: u64 = 200_000_000;

impl Recorder {
    /// Begins a recording.
    ///
    /// # Errors
    ///
    /// If the folder holds something, or cannot be written to.
    pub fn create(settings: RecorderOptions, at: HostTime) -> Result<Self, RecordingError> {
        let folder = &settings.folder;
        let failed = |what| move |error| RecordingError::io(what, folder, error);
        fs::create_dir_all(folder).map_err(failed("cannot make the folder"))?;
        let mut files = fs::read_dir(folder).map_err(failed("cannot read the folder"))?;
        if files.next().is_some() {
            let folder = folder.clone();
            return Err(RecordingError::NotEmpty { folder });
        }
        let folder = folder.clone();
        Self::create_files(settings, at).inspect_err(|_| {
            // So that the folder can be used when there is room.
            for name in [MANIFEST_FILE_NAME, loss_record::FILE_NAME] {
                let _ = fs::remove_file(folder.join(name));
            }
            let _ = folder::remove(&folder, FIRST_SEGMENT);
        })
    }

    fn create_files(settings: RecorderOptions, at: HostTime) -> Result<Self, RecordingError> {
        let folder = &settings.folder;
        Manifest::new(settings.source.clone(), at).write(folder)?;
        let mut recorder = Self {
            segment: None,
            failure: None,
            retention: Arc::new(SegmentRetention::new(folder.clone(), settings.max_segments)),
            next_segment: FIRST_SEGMENT,
            syncer: Syncer::start(folder.clone())?,
            received_bytes: 0,
            written_bytes: 0,
            loss: LossRecordFile::reserve(folder)?,
            incomplete_reason: None,
            last_check: at,
            settings,
        };
        recorder.segment = Some(recorder.begin(at)?);
        Ok(recorder)
    }

    /// Writes bytes as they came.
    ///
    /// # Errors
    ///
    /// If not all of them could be written, or bytes do not get from the system
    /// to the disk, or an old segment cannot be removed. What was written stays,
    /// and later bytes may be written again, behind a mark that some are missing.
    pub fn write(&mut self, bytes: &[u8], at: HostTime) -> Result<(), RecordingError> {
        if bytes.is_empty() {
            return Ok(());
        }
        if at.since(self.last_check) >= CHECK_INTERVAL {
            self.find_removed(at);
        }
        let before = self.received_bytes;
        let length = bytes.len() as u64;
        let (written, problem) = match self.ready(at) {
            Ok(segment) => match segment.write(before, bytes, at) {
                Ok(()) => (length, None),
                Err(broken) => (broken.written, Some(self.fail(broken, at))),
            },
            Err(error) => (0, Some(error)),
        };
        self.received_bytes = before.saturating_add(length);
        self.written_bytes = self.written_bytes.saturating_add(written);
        if let Some(failure) = &mut self.failure {
            failure.lost_bytes = failure.lost_bytes.saturating_add(length - written);
        }
        self.mark_loss(at);
        problem.map_or_else(|| self.look_aside(), Err)
    }

    /// Checks that what was written is still there, and reached the disk.
    ///
    /// # Errors
    ///
    /// As of [`Recorder::write`].
    pub fn check(&mut self, at: HostTime) -> Result<(), RecordingError> {
        if at.since(self.last_check) >= CHECK_INTERVAL {
            self.find_removed(at);
        }
        match &self.failure {
            Some(failure) => Err(failure.error.clone()),
            None => self.look_aside(),
        }
    }

    /// Ends the recording: brings it to the disk, and checks that it is there.
    pub fn finish(mut self, at: HostTime) -> RecordingSummary {
        self.find_removed(at);
        self.mark_loss(at);
        if let Some(failure) = &self.failure {
            // At least a mark that the connection broke may be missing.
            self.incomplete_reason
                .get_or_insert_with(|| failure.error.clone());
            self.sync_loss();
        }
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

    /// Bytes that came and are not in the recording.
    pub fn missing(&self) -> u64 {
        self.received_bytes.saturating_sub(self.written_bytes)
    }

    /// Takes down that the connection broke here: if that fails, once bytes are
    /// written again.
    ///
    /// # Errors
    ///
    /// As of [`Recorder::write`].
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

    /// Takes down that connections were refused.
    ///
    /// # Errors
    ///
    /// As of [`Recorder::write`].
    pub fn refuse(&mut self, message: &str, at: HostTime) -> Result<(), RecordingError> {
        let offset = self.received_bytes;
        match self.ready(at)?.write_refusal(offset, message, at) {
            Ok(()) => self.look_aside(),
            Err(broken) => Err(self.fail(broken, at)),
        }
    }

    /// What decides which segments are kept, and wants to hear what is needed to
    /// understand the last ones.
    pub fn keeper(&self) -> Arc<SegmentRetention> {
        Arc::clone(&self.retention)
    }

    /// Bytes that were written.
    pub fn bytes(&self) -> u64 {
        self.written_bytes
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.settings.folder
    }

    /// The segment to write to: another where the last is full, or writing failed
    /// some time ago.
    fn ready(&mut self, at: HostTime) -> Result<&mut SegmentWriter, RecordingError> {
        if let Some(failure) = &self.failure
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

    /// Begins the next segment: where writing failed, in the room of an old one.
    fn begin(&mut self, at: HostTime) -> Result<SegmentWriter, RecordingError> {
        let folder = &self.settings.folder;
        if !folder.is_dir() {
            let path = folder.clone();
            return Err(RecordingError::Removed { path });
        }
        let number = self.next_segment;
        if self.failure.is_some() {
            self.retention.make_room();
        }
        let reason = self.failure.as_ref().and_then(WriteFailure::reason);
        let start = SegmentStart {
            folder,
            number,
            offset: self.received_bytes,
            at,
            reason: reason.as_deref(),
        };
        let segment = SegmentWriter::begin(&start).inspect_err(|_| {
            // What there is of it would only be in the way next time.
            let _ = folder::remove(folder, number);
        })?;
        self.retention.add(number, self.received_bytes);
        self.next_segment += 1;
        self.syncer.follow(segment.files());
        Ok(segment)
    }

    /// Finds out whether the segment that is written was removed: what goes into
    /// such a file is lost, although the system takes it.
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

    /// Says in the recording that bytes are missing at its end.
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

    /// Nothing more can be written for now.
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
        });
    }

    /// What went wrong beside writing, to be said once.
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
    /// What is written in the recording once it goes on.
    fn reason(&self) -> Option<String> {
        if self.lost_bytes == 0 {
            return self.disconnect_reason.clone();
        }
        let lost = pluralise(self.lost_bytes, "byte", "bytes");
        Some(match &self.error {
            RecordingError::Io { source, .. } => format!("{lost} could not be written: {source}"),
            error => format!("{lost} could not be written: {error}"),
        })
    }
}
