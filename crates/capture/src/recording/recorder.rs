//! Writes a recording.

use super::RecordingError;
use super::facts::Facts;
use super::folder::{self, FACTS};
use super::keeper::Keeper;
use super::loss::{self, Loss, LossFile};
use super::segment::{Broken, OpenSegment, Start};
use super::sync::Syncer;
use rtoscope_decode::live::Moment;
use rtoscope_trace::diagnostic::counted;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Where and how to record.
#[derive(Debug, Clone)]
pub struct RecordingSettings {
    /// The folder, which must be empty or not exist.
    pub folder: PathBuf,
    /// What is written first: a name of the source for people.
    pub source: String,
    /// Bytes of a segment, behind which another is begun.
    pub segment_bytes: Option<u64>,
    /// Time of a segment, behind which another is begun.
    pub segment_time: Option<Duration>,
    /// How many segments are kept: the last ones, at least one, and for a while
    /// those before, see [`Keeper`].
    pub segments: Option<usize>,
}

/// Writes a recording: whatever it took survives this process at once, and the
/// machine about half a second later. It is finished when this is dropped.
pub struct Recorder {
    settings: RecordingSettings,
    /// Is written to, unless that failed.
    segment: Option<OpenSegment>,
    /// Why nothing is written, if that is so.
    failure: Option<Failure>,
    keeper: Arc<Keeper>,
    /// The number of the next segment.
    next: u64,
    syncer: Syncer,
    /// Bytes that came.
    came: u64,
    /// Of those, the ones that were written and are still there.
    written: u64,
    /// Says at the end of the recording what is missing there.
    loss: LossFile,
    /// Why the recording is not whole, if it is not.
    fault: Option<RecordingError>,
    /// When it was last checked that the segment is where it was begun.
    checked: Moment,
}

/// How a recording ended.
#[derive(Debug)]
pub struct Finished {
    /// Bytes that were written.
    pub bytes: u64,
    /// Bytes that came and are not in the recording.
    pub missing: u64,
    /// Why it is not whole, if it is not.
    pub fault: Option<RecordingError>,
}

/// Writing failed, which is tried again from time to time.
struct Failure {
    error: RecordingError,
    tried: Moment,
    /// Bytes that were lost since.
    lost: u64,
    /// Why the connection broke since, if it did.
    broke: Option<String>,
}

/// The number of the first segment.
const FIRST_SEGMENT: u64 = 1;

/// How long it is waited before writing is tried again, in nanoseconds.
const TRIED_AGAIN_AFTER: u64 = 1_000_000_000;

/// How often the recorder checks that its files were not removed, in nanoseconds.
const CHECK_INTERVAL: u64 = 200_000_000;

impl Recorder {
    /// Begins a recording.
    ///
    /// # Errors
    ///
    /// If the folder holds something, or cannot be written to.
    pub fn create(settings: RecordingSettings, at: Moment) -> Result<Self, RecordingError> {
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
            for name in [FACTS, loss::FILE_NAME] {
                let _ = fs::remove_file(folder.join(name));
            }
            let _ = folder::remove(&folder, FIRST_SEGMENT);
        })
    }

    fn create_files(settings: RecordingSettings, at: Moment) -> Result<Self, RecordingError> {
        let folder = &settings.folder;
        Facts::new(settings.source.clone(), at).write(folder)?;
        let mut recorder = Self {
            segment: None,
            failure: None,
            keeper: Arc::new(Keeper::new(folder.clone(), settings.segments)),
            next: FIRST_SEGMENT,
            syncer: Syncer::start(folder.clone())?,
            came: 0,
            written: 0,
            loss: LossFile::reserve(folder)?,
            fault: None,
            checked: at,
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
    pub fn write(&mut self, bytes: &[u8], at: Moment) -> Result<(), RecordingError> {
        if bytes.is_empty() {
            return Ok(());
        }
        if at.since(self.checked) >= CHECK_INTERVAL {
            self.find_removed(at);
        }
        let before = self.came;
        let length = bytes.len() as u64;
        let (written, problem) = match self.ready(at) {
            Ok(segment) => match segment.write(before, bytes, at) {
                Ok(()) => (length, None),
                Err(broken) => (broken.written, Some(self.fail(broken, at))),
            },
            Err(error) => (0, Some(error)),
        };
        self.came = before.saturating_add(length);
        self.written = self.written.saturating_add(written);
        if let Some(failure) = &mut self.failure {
            failure.lost = failure.lost.saturating_add(length - written);
        }
        self.mark_loss(at);
        problem.map_or_else(|| self.look_aside(), Err)
    }

    /// Checks that what was written is still there, and reached the disk.
    ///
    /// # Errors
    ///
    /// As of [`Recorder::write`].
    pub fn check(&mut self, at: Moment) -> Result<(), RecordingError> {
        if at.since(self.checked) >= CHECK_INTERVAL {
            self.find_removed(at);
        }
        match &self.failure {
            Some(failure) => Err(failure.error.clone()),
            None => self.look_aside(),
        }
    }

    /// Ends the recording: brings it to the disk, and checks that it is there.
    pub fn finish(mut self, at: Moment) -> Finished {
        self.find_removed(at);
        self.mark_loss(at);
        if let Some(failure) = &self.failure {
            // At least a mark that the connection broke may be missing.
            self.fault.get_or_insert_with(|| failure.error.clone());
            self.sync_loss();
        }
        let Self {
            syncer,
            mut fault,
            came,
            written,
            ..
        } = self;
        fault = fault.or(syncer.finish());
        Finished {
            bytes: written,
            missing: came.saturating_sub(written),
            fault,
        }
    }

    /// Bytes that came and are not in the recording.
    pub fn missing(&self) -> u64 {
        self.came.saturating_sub(self.written)
    }

    /// Takes down that the connection broke here: if that fails, once bytes are
    /// written again.
    ///
    /// # Errors
    ///
    /// As of [`Recorder::write`].
    pub fn interrupt(&mut self, reason: &str, at: Moment) -> Result<(), RecordingError> {
        let offset = self.came;
        let ready = self.ready(at);
        let error = match ready.map(|segment| segment.interrupt(offset, reason, at)) {
            Ok(Ok(())) => return self.look_aside(),
            Ok(Err(broken)) => self.fail(broken, at),
            Err(error) => error,
        };
        if let Some(failure) = &mut self.failure {
            failure.broke = Some(reason.to_owned());
        }
        Err(error)
    }

    /// Takes down that connections were refused.
    ///
    /// # Errors
    ///
    /// As of [`Recorder::write`].
    pub fn refuse(&mut self, message: &str, at: Moment) -> Result<(), RecordingError> {
        let offset = self.came;
        match self.ready(at)?.refuse(offset, message, at) {
            Ok(()) => self.look_aside(),
            Err(broken) => Err(self.fail(broken, at)),
        }
    }

    /// What decides which segments are kept, and wants to hear what is needed to
    /// understand the last ones.
    pub fn keeper(&self) -> Arc<Keeper> {
        Arc::clone(&self.keeper)
    }

    /// Bytes that were written.
    pub fn bytes(&self) -> u64 {
        self.written
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.settings.folder
    }

    /// The segment to write to: another where the last is full, or writing failed
    /// some time ago.
    fn ready(&mut self, at: Moment) -> Result<&mut OpenSegment, RecordingError> {
        if let Some(failure) = &self.failure
            && at.since(failure.tried) < TRIED_AGAIN_AFTER
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
    fn begin(&mut self, at: Moment) -> Result<OpenSegment, RecordingError> {
        let folder = &self.settings.folder;
        if !folder.is_dir() {
            let path = folder.clone();
            return Err(RecordingError::Gone { path });
        }
        let number = self.next;
        if self.failure.is_some() {
            self.keeper.make_room();
        }
        let reason = self.failure.as_ref().and_then(Failure::reason);
        let start = Start {
            folder,
            number,
            offset: self.came,
            at,
            reason: reason.as_deref(),
        };
        let segment = OpenSegment::begin(&start).inspect_err(|_| {
            // What there is of it would only be in the way next time.
            let _ = folder::remove(folder, number);
        })?;
        self.keeper.add(number, self.came);
        self.next += 1;
        self.syncer.follow(segment.files());
        Ok(segment)
    }

    /// Finds out whether the segment that is written was removed: what goes into
    /// such a file is lost, although the system takes it.
    fn find_removed(&mut self, at: Moment) {
        self.checked = at;
        let Some(path) = self.segment.as_ref().and_then(OpenSegment::removed) else {
            return;
        };
        let folder = &self.settings.folder;
        let segment_bytes = self.segment.take().map_or(0, |segment| segment.bytes());
        let (path, lost) = match folder.is_dir() {
            true => (path, segment_bytes),
            false => (folder.clone(), self.written),
        };
        self.written = self.written.saturating_sub(lost);
        let error = RecordingError::Gone { path };
        self.fault.get_or_insert_with(|| error.clone());
        self.pause(error, at);
        if let Some(failure) = &mut self.failure {
            failure.lost = failure.lost.saturating_add(lost);
        }
    }

    /// Says in the recording that bytes are missing at its end.
    fn mark_loss(&mut self, at: Moment) {
        let failure = self.failure.as_ref().filter(|failure| failure.lost > 0);
        let Some((failure, reason)) = failure.and_then(|it| Some((it, it.reason()?))) else {
            return;
        };
        self.fault.get_or_insert_with(|| failure.error.clone());
        let loss = Loss {
            offset: self.came,
            at,
            reason,
        };
        if let Err(error) = self.loss.write(&loss) {
            self.fault.get_or_insert(error);
        }
    }

    fn sync_loss(&mut self) {
        if let Err(error) = self.loss.sync() {
            self.fault.get_or_insert(error);
        }
    }

    /// Nothing more can be written for now.
    fn fail(&mut self, broken: Broken, at: Moment) -> RecordingError {
        self.segment = None;
        self.pause(broken.error.clone(), at);
        broken.error
    }

    fn pause(&mut self, error: RecordingError, at: Moment) {
        let before = self.failure.take();
        if before.is_some() {
            self.sync_loss();
        }
        self.failure = Some(Failure {
            error,
            tried: at,
            lost: before.as_ref().map_or(0, |failure| failure.lost),
            broke: before.and_then(|failure| failure.broke),
        });
    }

    /// What went wrong beside writing, to be said once.
    fn look_aside(&mut self) -> Result<(), RecordingError> {
        let unsynced = self.syncer.problem();
        if let Some(error) = &unsynced {
            self.fault.get_or_insert_with(|| error.clone());
        }
        let problem = unsynced.or_else(|| self.keeper.problem());
        problem.map_or(Ok(()), Err)
    }
}

impl RecordingSettings {
    fn is_full(&self, segment: &OpenSegment, at: Moment) -> bool {
        let is_long = self
            .segment_bytes
            .is_some_and(|most| segment.bytes() >= most);
        let is_old = self
            .segment_time
            .is_some_and(|most| segment.age(at) >= most);
        segment.bytes() > 0 && (is_long || is_old)
    }
}

impl Failure {
    /// What is written in the recording once it goes on.
    fn reason(&self) -> Option<String> {
        if self.lost == 0 {
            return self.broke.clone();
        }
        let lost = counted(self.lost, "byte", "bytes");
        Some(match &self.error {
            RecordingError::Io { source, .. } => format!("{lost} could not be written: {source}"),
            error => format!("{lost} could not be written: {error}"),
        })
    }
}
