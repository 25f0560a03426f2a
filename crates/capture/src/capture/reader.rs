//! Takes what comes from the source.

use super::host_clock::HostClock;
use super::queue::{Item, Queue};
use super::shared::Shared;
use crate::recording::{Finished, Recorder, RecordingError};
use crate::source::Refused;
use crate::{Connection, Happened, Source, sentence};
use std::time::Duration;

/// How long it is waited for a source before the end of the capture is looked
/// for again.
const PATIENCE: Duration = Duration::from_millis(50);

/// Until the source or the capture ends.
pub(super) fn run(
    mut source: Box<dyn Source>,
    recorder: Option<Recorder>,
    shared: &Shared,
    queue: &Queue,
) {
    let mut reader = Reader {
        shared,
        queue,
        recorder,
        clock: HostClock::new(),
        came: 0,
        problem: None,
    };
    let mut ended = None;
    while ended.is_none() && !shared.is_stopped() {
        ended = reader.take(source.next(PATIENCE));
    }
    if let Some(refused) = source.close() {
        reader.refused(&refused);
    }
    // The recording is on the disk before the end is reported.
    reader.finish();
    shared.end_reading();
    queue.put(Item::Connection(ended.unwrap_or(Connection::Ended)));
    queue.close();
}

struct Reader<'a> {
    shared: &'a Shared,
    queue: &'a Queue,
    recorder: Option<Recorder>,
    clock: HostClock,
    /// Bytes that came.
    came: u64,
    /// What is wrong with the recording, if anything is.
    problem: Option<String>,
}

impl Reader<'_> {
    /// Takes what happened; the end of it all, if this is it.
    fn take(&mut self, happened: Happened<'_>) -> Option<Connection> {
        let connection = match happened {
            Happened::Nothing => {
                let at = self.clock.now();
                self.save(|recorder| recorder.check(at));
                return None;
            }
            Happened::Bytes(bytes) => {
                self.bytes(bytes);
                return None;
            }
            Happened::Remark(remark) => {
                self.queue.put(Item::Remark(remark));
                return None;
            }
            Happened::Refused(refused) => {
                self.refused(&refused);
                return None;
            }
            Happened::Ended => return Some(Connection::Ended),
            Happened::Failed(error) => return Some(Connection::Failed(sentence(&error))),
            Happened::Waiting(what) => Connection::Waiting(what),
            Happened::Connected(who) => Connection::Connected(who),
            Happened::Lost(reason) => {
                self.interrupt(&reason);
                Connection::Lost(reason)
            }
        };
        self.queue.put(Item::Connection(connection));
        None
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let at = self.clock.now();
        let offset = self.came;
        self.came += bytes.len() as u64;
        let before = self.written();
        self.save(|recorder| recorder.write(bytes, at));
        let written = self.written();
        let is_saved = written
            .zip(before)
            .is_some_and(|(after, before)| after.saturating_sub(before) == bytes.len() as u64);
        self.queue.put_bytes(bytes, at, is_saved.then_some(offset));
        let came = self.came;
        self.shared.change(|status| status.bytes = came);
        self.report_saved();
    }

    /// Reports how much is saved.
    fn report_saved(&self) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        self.shared.change(|status| {
            if let Some(saved) = &mut status.saved {
                saved.bytes = recorder.bytes();
                saved.missing = recorder.missing();
            }
        });
    }

    /// Ends the recording, if there is one.
    fn finish(&mut self) {
        let Some(recorder) = self.recorder.take() else {
            return;
        };
        let Finished {
            bytes,
            missing,
            fault,
        } = recorder.finish(self.clock.now());
        let fault = fault.map(|fault| sentence(&fault));
        self.shared.change(|status| {
            if let Some(saved) = &mut status.saved {
                saved.bytes = bytes;
                saved.missing = missing;
                saved.fault = fault;
            }
        });
    }

    fn interrupt(&mut self, reason: &str) {
        if self.came == 0 {
            return;
        }
        let at = self.clock.now();
        self.save(|recorder| recorder.interrupt(reason, at));
        self.queue.put(Item::Interrupted);
    }

    fn refused(&mut self, refused: &Refused) {
        let at = self.clock.now();
        let message = &refused.message;
        self.save(|recorder| recorder.refuse(message, at));
        self.queue.put(Item::Remark(message.clone()));
        self.shared
            .change(|status| status.refused += refused.connections);
    }

    /// Bytes that are saved, if any are to be.
    fn written(&self) -> Option<u64> {
        self.recorder.as_ref().map(Recorder::bytes)
    }

    /// Lets the recorder do something, and says if that goes wrong.
    fn save(&mut self, write: impl FnOnce(&mut Recorder) -> Result<(), RecordingError>) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let problem = write(recorder).err();
        let problem = problem.map(|error| sentence(&error));
        if problem != self.problem {
            self.problem.clone_from(&problem);
            self.report_saved();
            let remark = match &problem {
                Some(problem) => format!("saving fails: {problem}"),
                None => "what comes is saved again".to_owned(),
            };
            self.queue.put(Item::Remark(remark));
            self.shared.change(|status| {
                if let Some(saved) = &mut status.saved {
                    saved.problem = problem;
                }
            });
        }
    }
}
