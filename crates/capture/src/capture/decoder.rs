//! Decodes what came.

use super::queue::{Item, Queue, Taken};
use super::shared::{Decoding, Shared};
use super::{Flow, Told};
use crate::recording::{Part, Recording, RecordingError};
use crate::{Connection, sentence};
use rtoscope_decode::live::Moment;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How long it is waited for something to decode: rates fall meanwhile.
const PATIENCE: Duration = Duration::from_millis(100);

/// The least time between two looks at what is new, so that they are worth it.
const STEP: Duration = Duration::from_millis(10);

/// Bytes that are decoded at most before others see them.
const MOST_AT_ONCE: u64 = 4 << 20;

/// Until all is decoded.
pub(super) fn run(shared: &Shared, queue: &Queue, listen: impl FnMut(Told<'_>) -> Flow) {
    let mut decoder = Decoder {
        shared,
        queue,
        listen,
        pushed: 0,
        decoded: 0,
        stepped: Instant::now(),
    };
    loop {
        match queue.take(PATIENCE) {
            Taken::Items(items) => {
                let mut items = items.into_iter();
                // Checked before each: one may take long.
                while !shared.is_overdue()
                    && let Some(item) = items.next()
                {
                    decoder.item(item);
                }
            }
            Taken::OnDisk { from, to } => decoder.catch_up(from, to),
            Taken::End => {
                // What was under way does not come any more.
                decoder.keep(u64::MAX);
                break;
            }
        }
        if shared.is_overdue() {
            decoder.give_up();
            break;
        }
        if decoder.pushed > 0 {
            std::thread::sleep(STEP.saturating_sub(decoder.stepped.elapsed()));
        }
        decoder.step();
    }
    shared.end_decoding(decoder.decoded);
    queue.abandon();
}

struct Decoder<'a, L> {
    shared: &'a Shared,
    queue: &'a Queue,
    listen: L,
    /// Bytes that were pushed since the last step, or more than 0 if there may be
    /// something new without.
    pushed: u64,
    /// Bytes of the recording up to the last that was pushed.
    decoded: u64,
    stepped: Instant,
}

impl<L: FnMut(Told<'_>) -> Flow> Decoder<'_, L> {
    fn item(&mut self, item: Item) {
        match item {
            Item::Bytes { bytes, at } => self.bytes(&bytes, at),
            Item::Interrupted => self.interrupt(),
            Item::Connection(connection) => self.connection(connection),
            Item::Remark(remark) => self.tell(Told::Remark(&remark)),
        }
    }

    fn bytes(&mut self, bytes: &[u8], at: Moment) {
        let mut decoding = self.shared.decoding();
        decoding.live.push(bytes, at);
        decoding.newest = Some(at);
        drop(decoding);
        self.decoded += bytes.len() as u64;
        self.pushed += bytes.len() as u64;
        if self.pushed >= MOST_AT_ONCE {
            self.step();
        }
    }

    /// Ends, although something still waits.
    fn give_up(&mut self) {
        self.step();
        let ended = Connection::Ended;
        self.tell(Told::Connection(&ended));
        self.shared.change(|status| status.connection = ended);
    }

    fn interrupt(&mut self) {
        self.shared.decoding().live.interrupt();
        // It may have settled what was open before.
        self.pushed += 1;
    }

    fn connection(&mut self, connection: Connection) {
        // What came before it is told before it.
        if matches!(connection, Connection::Ended | Connection::Failed(_)) {
            self.interrupt();
        }
        self.step();
        self.tell(Told::Connection(&connection));
        self.shared.change(|status| status.connection = connection);
    }

    /// Reads what did not fit into the queue.
    fn catch_up(&mut self, from: u64, to: u64) {
        match self.read(from, to) {
            Ok(read) if read > from => self.queue.caught_up(read),
            // It goes no further.
            Ok(_) if self.shared.is_overdue() => {}
            // It was written before it was said to be on disk: it is gone again.
            Ok(_) => {
                self.interrupt();
                self.decoded = to;
                self.queue.caught_up(to);
            }
            Err(error) => {
                self.interrupt();
                let remark = format!("{}; what came meanwhile is not shown", sentence(&error));
                self.tell(Told::Remark(&remark));
                self.decoded = to;
                self.queue.caught_up(to);
            }
        }
    }

    /// Reads from an offset up to another, or as far as it is written. Returns
    /// how far that was.
    fn read(&mut self, from: u64, to: u64) -> Result<u64, RecordingError> {
        let Some(folder) = &self.shared.folder else {
            return Ok(to);
        };
        self.decoded = from;
        let read = Recording::open(folder)?.read(from, |part| {
            match part {
                Part::Bytes { offset, bytes, at } => {
                    if offset > self.decoded {
                        self.interrupt();
                        self.decoded = offset;
                    }
                    let room = usize::try_from(to.saturating_sub(offset)).unwrap_or(usize::MAX);
                    let bytes = bytes.get(..room).unwrap_or(bytes);
                    self.bytes(bytes, at);
                }
                // Whether bytes are missing here is seen by those behind.
                Part::Interrupted { missing: 1.., .. } => {}
                Part::Interrupted { .. } => self.interrupt(),
                // Names from before are known, and refusals are reported.
                Part::Preface { .. } | Part::Refused { .. } => {}
            }
            if self.decoded < to && !self.shared.is_overdue() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        read.map(|()| self.decoded)
    }

    /// Looks at what is new.
    fn step(&mut self) {
        self.stepped = Instant::now();
        if std::mem::take(&mut self.pushed) > 0 {
            let mut decoding = self.shared.decoding();
            let Decoding { live, newest } = &mut *decoding;
            let news = live.advance();
            let (format, tally, newest) = (live.format(), live.tally(), *newest);
            let waiting = self.queue.waiting();
            drop(decoding);
            let undecodable = news.as_ref().err().map(ToString::to_string);
            self.shared.change(|status| {
                status.format = format;
                status.tally = tally;
                status.newest = newest;
                status.waiting = waiting;
                status.undecodable = undecodable;
            });
            if let Ok(Some(news)) = &news {
                self.tell(Told::News(news));
            }
        }
        self.keep(self.decoded);
        self.shared.measure();
    }

    /// Tells what so many bytes of the recording have told that later segments
    /// need, so that older ones may go.
    fn keep(&self, understood: u64) {
        let keeper = self.shared.keeper.as_ref();
        let Some(keeper) = keeper.filter(|keeper| keeper.awaits(understood)) else {
            return;
        };
        let decoding = self.shared.decoding();
        let live = &decoding.live;
        let (format, preface, events) = (live.format(), live.preface(), live.tally().events);
        drop(decoding);
        // Before the first event, nobody knows whether nothing is needed.
        if let Some(format) = format
            && (events > 0 || !preface.is_empty())
        {
            keeper.tell(understood, format, &preface);
        }
    }

    fn tell(&mut self, told: Told<'_>) {
        if (self.listen)(told) == Flow::Stop {
            self.shared.stop();
        }
    }
}
