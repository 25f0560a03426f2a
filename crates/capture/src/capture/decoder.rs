//! The decoder thread of a capture.

use super::capture_queue::{CaptureQueue, Dequeued, QueueItem};
use super::event::{CaptureControl, CaptureEvent};
use super::shared::{CaptureState, DecoderState};
use crate::{SourceState, error_chain};
use rtoscope_decode::live::HostTime;
use rtoscope_recording::{Recording, RecordingError, RecordingItem};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Timeout of one wait for the queue, so that rates decrease meanwhile.
const DEQUEUE_TIMEOUT: Duration = Duration::from_millis(100);

/// Minimum interval between two reports of news, which bounds their cost.
const MIN_STEP_INTERVAL: Duration = Duration::from_millis(10);

/// Maximum number of bytes decoded before the results are visible to others.
const MAX_STEP_BYTES: u64 = 4 << 20;

/// Runs until everything is decoded.
pub(super) fn run(
    shared: &CaptureState,
    queue: &CaptureQueue,
    listen: impl FnMut(CaptureEvent<'_>) -> CaptureControl,
) {
    let mut decoder = CaptureDecoder {
        shared,
        queue,
        listener: listen,
        pushed: 0,
        decoded: 0,
        last_step: Instant::now(),
    };
    loop {
        match queue.take(DEQUEUE_TIMEOUT) {
            Dequeued::Items(items) => {
                let mut items = items.into_iter();
                // Checked before each item: one may take long.
                while !shared.is_overdue()
                    && let Some(item) = items.next()
                {
                    decoder.handle_item(item);
                }
            }
            Dequeued::OnDisk { from, to } => decoder.catch_up(from, to),
            Dequeued::End => {
                // The incomplete frame will not continue.
                decoder.store_metadata(u64::MAX);
                break;
            }
        }
        if shared.is_overdue() {
            decoder.abort();
            break;
        }
        if decoder.pushed > 0 {
            std::thread::sleep(MIN_STEP_INTERVAL.saturating_sub(decoder.last_step.elapsed()));
        }
        decoder.report_news();
    }
    shared.end_decoding(decoder.decoded);
    queue.abandon();
}

struct CaptureDecoder<'a, L> {
    shared: &'a CaptureState,
    queue: &'a CaptureQueue,
    listener: L,
    /// Bytes pushed since the last report; nonzero if there may be news without bytes.
    pushed: u64,
    /// Offset of the recording after the last pushed byte.
    decoded: u64,
    last_step: Instant,
}

impl<L: FnMut(CaptureEvent<'_>) -> CaptureControl> CaptureDecoder<'_, L> {
    fn handle_item(&mut self, item: QueueItem) {
        match item {
            QueueItem::Bytes { bytes, at } => self.push_bytes(&bytes, at),
            QueueItem::Interrupted => self.push_interruption(),
            QueueItem::Connection(connection) => self.set_connection(connection),
            QueueItem::Message(remark) => self.emit(CaptureEvent::Message(&remark)),
        }
    }

    fn push_bytes(&mut self, bytes: &[u8], at: HostTime) {
        let mut decoding = self.shared.decoder_state();
        decoding.live.push(bytes, at);
        decoding.newest_received = Some(at);
        drop(decoding);
        self.decoded += bytes.len() as u64;
        self.pushed += bytes.len() as u64;
        if self.pushed >= MAX_STEP_BYTES {
            self.report_news();
        }
    }

    /// Ends, discarding what is still queued.
    fn abort(&mut self) {
        self.report_news();
        let ended = SourceState::Ended;
        self.emit(CaptureEvent::Connection(&ended));
        self.shared.update(|status| status.connection = ended);
    }

    fn push_interruption(&mut self) {
        self.shared.decoder_state().live.connection_lost();
        // It may have completed what was open before.
        self.pushed += 1;
    }

    fn set_connection(&mut self, connection: SourceState) {
        // Report earlier events first.
        if matches!(connection, SourceState::Ended | SourceState::Failed(_)) {
            self.push_interruption();
        }
        self.report_news();
        self.emit(CaptureEvent::Connection(&connection));
        self.shared.update(|status| status.connection = connection);
    }

    /// Reads bytes that did not fit into the queue.
    fn catch_up(&mut self, from: u64, to: u64) {
        match self.decode_range(from, to) {
            Ok(read) if read > from => self.queue.caught_up(read),
            // The recording ends here.
            Ok(_) if self.shared.is_overdue() => {}
            // The bytes were on disk once: they have been removed.
            Ok(_) => {
                self.push_interruption();
                self.decoded = to;
                self.queue.caught_up(to);
            }
            Err(error) => {
                self.push_interruption();
                let remark = format!(
                    "{}; bytes received meanwhile are not shown",
                    error_chain(&error)
                );
                self.emit(CaptureEvent::Message(&remark));
                self.decoded = to;
                self.queue.caught_up(to);
            }
        }
    }

    /// Decodes from an offset to another, or to the end of the written bytes; returns
    /// the offset reached.
    fn decode_range(&mut self, from: u64, to: u64) -> Result<u64, RecordingError> {
        let Some(folder) = &self.shared.folder else {
            return Ok(to);
        };
        self.decoded = from;
        let read = Recording::open(folder)?.read(from, |part| {
            match part {
                RecordingItem::Bytes { offset, bytes, at } => {
                    if offset > self.decoded {
                        self.push_interruption();
                        self.decoded = offset;
                    }
                    let room = usize::try_from(to.saturating_sub(offset)).unwrap_or(usize::MAX);
                    let bytes = bytes.get(..room).unwrap_or(bytes);
                    self.push_bytes(bytes, at);
                }
                // The next bytes show whether bytes are missing here.
                RecordingItem::Interrupted {
                    missing_bytes: 1.., ..
                } => {}
                RecordingItem::Interrupted { .. } | RecordingItem::Unread(_) => {
                    self.push_interruption();
                }
                // Metadata is already loaded, and refusals have been reported. The bytes were
                // written by this process.
                RecordingItem::Metadata { .. }
                | RecordingItem::Refused { .. }
                | RecordingItem::Damaged(_) => {}
            }
            if self.decoded < to && !self.shared.is_overdue() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        read.map(|()| self.decoded)
    }

    /// Reports news to the listener and updates the status.
    fn report_news(&mut self) {
        self.last_step = Instant::now();
        if std::mem::take(&mut self.pushed) > 0 {
            let mut decoding = self.shared.decoder_state();
            let DecoderState {
                live,
                newest_received: newest,
            } = &mut *decoding;
            let news = live.next_update();
            let (format, tally, newest) = (live.format(), live.stats(), *newest);
            let waiting = self.queue.queued_bytes();
            let request = live.take_request();
            drop(decoding);
            if let Some(request) = request.filter(|_| self.shared.is_writable) {
                self.shared.requests.post(request);
            }
            let undecodable = news.as_ref().err().map(ToString::to_string);
            self.shared.update(|status| {
                status.format = format;
                status.tally = tally;
                status.newest_received = newest;
                status.queued_bytes = waiting;
                status.decode_error = undecodable;
            });
            if let Ok(Some(news)) = &news {
                self.emit(CaptureEvent::News(news));
            }
        }
        self.store_metadata(self.decoded);
        self.shared.update_rates();
    }

    /// Stores the metadata that later segments need beside a segment, so that older
    /// ones may be removed.
    fn store_metadata(&self, understood: u64) {
        let keeper = self.shared.retention.as_ref();
        let Some(keeper) = keeper.filter(|keeper| keeper.needs_metadata(understood)) else {
            return;
        };
        let decoding = self.shared.decoder_state();
        let live = &decoding.live;
        let (format, preface, events) = (live.format(), live.metadata(), live.stats().events);
        drop(decoding);
        // Before the first event it is unknown whether metadata is needed.
        if let Some(format) = format
            && (events > 0 || !preface.is_empty())
        {
            keeper.store_metadata(understood, format, &preface);
        }
    }

    fn emit(&mut self, event: CaptureEvent<'_>) {
        if (self.listener)(event) == CaptureControl::Stop {
            self.shared.stop_at_once();
        }
    }
}
