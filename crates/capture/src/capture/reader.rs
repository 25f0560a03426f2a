//! The reader thread of a capture.

use super::capture_queue::{CaptureQueue, QueueItem};
use super::host_clock::HostClock;
use super::requests::SEND_TIMEOUT;
use super::shared::CaptureState;
use crate::source::RefusedConnections;
use crate::{Source, SourceError, SourceEvent, SourceState, Unread, error_chain};
use rtoscope_recording::{Recorder, RecordingError, RecordingSummary};
use std::time::{Duration, Instant};

/// Timeout of one wait for the source, after which a request to stop is checked.
const SOURCE_TIMEOUT: Duration = Duration::from_millis(50);

/// Maximum time to read what the target sent before the end.
const MAX_DRAIN_TIME: Duration = Duration::from_secs(1);

/// How long more may arrive of it after nothing waited for a moment. A target that never
/// pauses sends for ever.
const MAX_IN_FLIGHT_TIME: Duration = Duration::from_millis(50);

/// After this silence, nothing more of it arrives.
const DRAINED_SILENCE: Duration = Duration::from_millis(10);

/// Maximum number of bytes to read then: more than systems buffer.
const MAX_DRAIN_BYTES: u64 = 64 << 20;

/// Runs until the source or the capture ends.
pub(super) fn run(
    mut source: Box<dyn Source>,
    recorder: Option<Recorder>,
    commands: &[u8],
    shared: &CaptureState,
    queue: &CaptureQueue,
) {
    let mut reader = SourceReader {
        shared,
        queue,
        recorder,
        clock: HostClock::new(),
        received_bytes: 0,
        write_error: None,
        has_new_target: false,
    };
    let mut ended = None;
    while ended.is_none() && !shared.is_stopped() {
        ended = reader.handle_event(source.next(SOURCE_TIMEOUT));
        if std::mem::take(&mut reader.has_new_target) && !commands.is_empty() {
            let sent = source.send(commands, SEND_TIMEOUT);
            reader.report_commands(sent.err().as_ref());
        }
        shared.requests.serve(source.as_mut());
    }
    if ended.is_none() && shared.wants_sent() && source.prepare_end() {
        ended = reader.drain(source.as_mut());
    }
    if reader.received_bytes == 0 {
        let other_data = source.other_data();
        shared.update(|status| status.other_data = other_data);
    }
    if let Some(refused) = source.close() {
        reader.report_refused(&refused);
    }
    // The recording is on disk before the end is reported.
    reader.finish();
    shared.end_reading();
    shared.requests.refuse();
    queue.push(QueueItem::Connection(ended.unwrap_or(SourceState::Ended)));
    queue.close();
}

struct SourceReader<'a> {
    shared: &'a CaptureState,
    queue: &'a CaptureQueue,
    recorder: Option<Recorder>,
    clock: HostClock,
    /// Number of received bytes.
    received_bytes: u64,
    /// Why the recording is incomplete, if so.
    write_error: Option<String>,
    /// Whether a target has just connected.
    has_new_target: bool,
}

impl SourceReader<'_> {
    /// Handles an event of the source; returns the final state if it has ended.
    fn handle_event(&mut self, happened: SourceEvent<'_>) -> Option<SourceState> {
        let connection = match happened {
            SourceEvent::Nothing => {
                let at = self.clock.now();
                self.write_to_recorder(|recorder| recorder.check(at));
                return None;
            }
            SourceEvent::Bytes(bytes) => {
                self.handle_bytes(bytes);
                return None;
            }
            SourceEvent::Message(remark) => {
                self.queue.push(QueueItem::Message(remark));
                return None;
            }
            SourceEvent::Refused(refused) => {
                self.report_refused(&refused);
                return None;
            }
            SourceEvent::Unread(unread) => {
                self.report_unread(unread);
                return None;
            }
            SourceEvent::Ended => return Some(SourceState::Ended),
            SourceEvent::Failed(error) => return Some(SourceState::Failed(error_chain(&error))),
            SourceEvent::Waiting(what) => SourceState::Waiting(what),
            SourceEvent::Connected(who) => {
                self.has_new_target = true;
                SourceState::Connected(who)
            }
            SourceEvent::Lost(reason) | SourceEvent::Closed(reason) => {
                self.record_interruption(&reason);
                SourceState::Lost(reason)
            }
        };
        self.queue.push(QueueItem::Connection(connection));
        None
    }

    /// Reads what the target sent before the end.
    fn drain(&mut self, source: &mut dyn Source) -> Option<SourceState> {
        let most = self.received_bytes.saturating_add(MAX_DRAIN_BYTES);
        let start = Instant::now();
        let mut first_empty = None;
        let mut is_silent = false;
        let is_drained = loop {
            // What arrived within the silence may be nothing of the trace.
            let is_empty = source.queued_bytes() == 0;
            if is_empty && is_silent
                || start.elapsed() >= MAX_DRAIN_TIME
                || self.received_bytes >= most
            {
                break is_empty;
            }
            if is_empty {
                let first_empty = first_empty.get_or_insert_with(Instant::now);
                if first_empty.elapsed() >= MAX_IN_FLIGHT_TIME {
                    break true;
                }
            }
            is_silent = match source.next(DRAINED_SILENCE) {
                SourceEvent::Nothing => true,
                happened => match self.handle_event(happened) {
                    Some(ended) => return Some(ended),
                    None => false,
                },
            };
        };
        match source.unread() {
            // They have arrived since.
            Some(Unread::Bytes(_)) if is_drained => {}
            Some(unread) => self.report_unread(unread),
            None => {}
        }
        None
    }

    fn report_commands(&self, error: Option<&SourceError>) {
        if let Some(error) = error {
            let error = error_chain(error);
            let message = format!("the target did not take the commands: {error}");
            self.queue.push(QueueItem::Message(message));
        }
    }

    fn handle_bytes(&mut self, bytes: &[u8]) {
        let at = self.clock.now();
        let offset = self.received_bytes;
        self.received_bytes += bytes.len() as u64;
        let before = self.saved_bytes();
        self.write_to_recorder(|recorder| recorder.write(bytes, at));
        let written = self.saved_bytes();
        let is_saved = written
            .zip(before)
            .is_some_and(|(after, before)| after.saturating_sub(before) == bytes.len() as u64);
        self.queue.push_bytes(bytes, at, is_saved.then_some(offset));
        let came = self.received_bytes;
        self.shared.update(|status| status.bytes = came);
        self.report_saved();
    }

    /// Updates the status of the recording.
    fn report_saved(&self) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        self.shared.update(|status| {
            if let Some(saved) = &mut status.saved {
                saved.bytes = recorder.bytes();
                saved.missing_bytes = recorder.missing();
            }
        });
    }

    /// Finishes the recording, if there is one.
    fn finish(&mut self) {
        let Some(recorder) = self.recorder.take() else {
            return;
        };
        let RecordingSummary {
            bytes,
            missing_bytes: missing,
            incomplete_reason: fault,
        } = recorder.finish(self.clock.now());
        let fault = fault.map(|fault| error_chain(&fault));
        self.shared.update(|status| {
            if let Some(saved) = &mut status.saved {
                saved.bytes = bytes;
                saved.missing_bytes = missing;
                saved.incomplete_reason = fault;
            }
        });
    }

    fn record_interruption(&mut self, reason: &str) {
        if self.received_bytes == 0 {
            return;
        }
        let at = self.clock.now();
        self.write_to_recorder(|recorder| recorder.interrupt(reason, at));
        self.queue.push(QueueItem::Interrupted);
    }

    fn report_refused(&mut self, refused: &RefusedConnections) {
        let at = self.clock.now();
        let message = &refused.message;
        self.write_to_recorder(|recorder| recorder.refuse(message, at));
        self.queue.push(QueueItem::Message(message.clone()));
        self.shared
            .update(|status| status.refused_connections += refused.connections);
    }

    fn report_unread(&mut self, unread: Unread) {
        let at = self.clock.now();
        self.write_to_recorder(|recorder| recorder.mark_unread(unread, at));
        if let Unread::Datagrams(_) = unread
            && self.received_bytes > 0
        {
            self.queue.push(QueueItem::Interrupted);
        }
        self.shared.update(|status| match unread {
            Unread::Datagrams(count) => {
                status.dropped_datagrams = status.dropped_datagrams.saturating_add(count);
            }
            Unread::Bytes(count) => status.unread_bytes = count,
        });
    }

    /// Number of saved bytes, if the capture is saved.
    fn saved_bytes(&self) -> Option<u64> {
        self.recorder.as_ref().map(Recorder::bytes)
    }

    /// Runs an operation of the recorder and reports its error.
    fn write_to_recorder(
        &mut self,
        write: impl FnOnce(&mut Recorder) -> Result<(), RecordingError>,
    ) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let problem = write(recorder).err();
        let problem = problem.map(|error| error_chain(&error));
        if problem != self.write_error {
            self.write_error.clone_from(&problem);
            self.report_saved();
            let remark = match &problem {
                Some(problem) => format!("saving fails: {problem}"),
                None => "received bytes are saved again".to_owned(),
            };
            self.queue.push(QueueItem::Message(remark));
            self.shared.update(|status| {
                if let Some(saved) = &mut status.saved {
                    saved.write_error = problem;
                }
            });
        }
    }
}
