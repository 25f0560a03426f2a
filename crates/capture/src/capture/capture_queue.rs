//! The queue between reader and decoder.

use crate::SourceState;
use rtoscope_decode::live::HostTime;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An item from the reader for the decoder.
#[derive(Debug)]
pub(super) enum QueueItem {
    /// Bytes, and when they arrived.
    Bytes { bytes: Vec<u8>, at: HostTime },
    /// The following bytes need not continue the ones before.
    Interrupted,
    /// The state of the source changed.
    Connection(SourceState),
    /// A message for the user.
    Message(String),
}

/// What the decoder takes from the queue.
#[derive(Debug)]
pub(super) enum Dequeued {
    /// All queued items; empty after a timeout.
    Items(VecDeque<QueueItem>),
    /// Bytes that did not fit: read them from the recording, from this offset to its
    /// current end.
    OnDisk { from: u64, to: u64 },
    /// The queue is closed and empty.
    End,
}

/// Connects the reader to the decoder.
pub(super) struct CaptureQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    /// Maximum number of queued bytes.
    max_bytes: usize,
    /// Whether bytes that do not fit can be read from the recording.
    may_spill: bool,
}

#[derive(Default)]
struct QueueState {
    items: VecDeque<QueueItem>,
    bytes: usize,
    /// Start and end of the bytes in the recording that did not fit.
    spilled: Option<(u64, u64)>,
    /// Items after those bytes.
    after_spill: VecDeque<QueueItem>,
    /// Whether there was an interruption after the last of those bytes.
    is_interrupted: bool,
    /// Whether the reader has closed the queue.
    is_closed: bool,
    /// Whether the decoder has abandoned the queue.
    is_abandoned: bool,
}

impl CaptureQueue {
    pub(super) fn new(max_bytes: usize, may_spill: bool) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            max_bytes,
            may_spill,
        }
    }

    /// Pushes bytes. If they are saved at `offset` of the recording, they may spill
    /// there; otherwise waits until all spilled bytes are decoded and there is room.
    pub(super) fn push_bytes(&self, bytes: &[u8], at: HostTime, offset: Option<u64>) {
        let mut state = self.lock();
        if let Some(offset) = offset.filter(|_| self.may_spill) {
            let end = offset + bytes.len() as u64;
            if let Some((_, spilled_to)) = &mut state.spilled {
                *spilled_to = end;
                state.is_interrupted = false;
                return;
            }
            if state.bytes >= self.max_bytes {
                state.spilled = Some((offset, end));
                return;
            }
        } else {
            state = self.wait_for_room(state);
        }
        state.bytes += bytes.len();
        // Many small chunks are coalesced.
        match state.items.back_mut() {
            Some(QueueItem::Bytes {
                bytes: last,
                at: when,
            }) if last.len() < MAX_COALESCED_BYTES => {
                last.extend_from_slice(bytes);
                *when = at;
            }
            _ => state.items.push_back(QueueItem::Bytes {
                bytes: bytes.to_vec(),
                at,
            }),
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Pushes an item without bytes. An interruption before spilled bytes is read from
    /// the recording.
    pub(super) fn push(&self, item: QueueItem) {
        let mut state = self.lock();
        if state.spilled.is_none() {
            state.items.push_back(item);
        } else if matches!(item, QueueItem::Interrupted) {
            state.is_interrupted = true;
        } else {
            state.after_spill.push_back(item);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Closes the queue: the reader has ended.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Abandons the queue: the decoder has ended, and the reader need not wait.
    pub(super) fn abandon(&self) {
        self.lock().is_abandoned = true;
        self.changed.notify_all();
    }

    /// Takes all queued items, waiting for some until the timeout.
    pub(super) fn take(&self, wait: Duration) -> Dequeued {
        let state = self.lock();
        let is_idle = |state: &mut QueueState| {
            state.items.is_empty() && state.spilled.is_none() && !state.is_closed
        };
        let waited = self.changed.wait_timeout_while(state, wait, is_idle);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if !state.items.is_empty() {
            state.bytes = 0;
            let items = std::mem::take(&mut state.items);
            drop(state);
            self.changed.notify_all();
            return Dequeued::Items(items);
        }
        match state.spilled {
            Some((from, to)) => Dequeued::OnDisk { from, to },
            None if state.is_closed => Dequeued::End,
            None => Dequeued::Items(VecDeque::new()),
        }
    }

    /// The decoder has read the recording up to this offset.
    pub(super) fn caught_up(&self, to: u64) {
        let mut state = self.lock();
        state.spilled = state
            .spilled
            .filter(|(_, end)| *end > to)
            .map(|(_, end)| (to, end));
        if state.spilled.is_none() {
            let interrupted = std::mem::take(&mut state.is_interrupted);
            let after_spill = std::mem::take(&mut state.after_spill);
            state
                .items
                .extend(interrupted.then_some(QueueItem::Interrupted));
            state.items.extend(after_spill);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Number of bytes that wait for decoding, in memory or on disk.
    pub(super) fn queued_bytes(&self) -> u64 {
        let state = self.lock();
        let spilled = state.spilled.map_or(0, |(from, to)| to - from);
        state.bytes as u64 + spilled
    }

    fn wait_for_room<'s>(
        &'s self,
        state: MutexGuard<'s, QueueState>,
    ) -> MutexGuard<'s, QueueState> {
        let must_wait = |state: &mut QueueState| {
            (state.bytes >= self.max_bytes || state.spilled.is_some()) && !state.is_abandoned
        };
        let waited = self.changed.wait_while(state, must_wait);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Chunks up to this size are coalesced.
const MAX_COALESCED_BYTES: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;
    const MAX_QUEUED_BYTES: usize = 100_000;

    fn bytes_of(taken: Dequeued) -> usize {
        match taken {
            Dequeued::Items(items) => items
                .iter()
                .map(|item| match item {
                    QueueItem::Bytes { bytes, .. } => bytes.len(),
                    _ => 0,
                })
                .sum(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn overflow_is_read_from_disk() {
        let queue = CaptureQueue::new(MAX_QUEUED_BYTES, true);
        let piece = vec![0; MAX_QUEUED_BYTES];
        let size = MAX_QUEUED_BYTES as u64;
        queue.push_bytes(&piece, HostTime(1), Some(0));
        queue.push_bytes(&piece, HostTime(2), Some(size));
        queue.push(QueueItem::Interrupted);
        queue.push(QueueItem::Message("after".to_owned()));
        queue.push_bytes(&[1], HostTime(3), Some(2 * size));
        assert_eq!(queue.queued_bytes(), 2 * size + 1);
        assert_eq!(bytes_of(queue.take(NOW)), MAX_QUEUED_BYTES);
        let Dequeued::OnDisk { from, to } = queue.take(NOW) else {
            panic!("nothing is on disk");
        };
        assert_eq!((from, to), (size, 2 * size + 1));
        // More bytes arrived meanwhile.
        queue.push_bytes(&[2], HostTime(4), Some(to));
        queue.caught_up(to);
        let Dequeued::OnDisk { from, to } = queue.take(NOW) else {
            panic!("nothing is on disk");
        };
        assert_eq!((from, to), (2 * size + 1, 2 * size + 2));
        queue.caught_up(to);
        queue.push_bytes(&[3], HostTime(5), Some(to));
        let Dequeued::Items(items) = queue.take(NOW) else {
            panic!("no items");
        };
        let mut items = items.into_iter();
        assert!(matches!(items.next(), Some(QueueItem::Message(_))));
        assert!(matches!(items.next(), Some(QueueItem::Bytes { .. })));
        queue.close();
        assert!(matches!(queue.take(NOW), Dequeued::End));
    }

    #[test]
    fn unsaved_bytes_wait_for_spilled_bytes() {
        let queue = CaptureQueue::new(MAX_QUEUED_BYTES, true);
        let size = MAX_QUEUED_BYTES as u64;
        queue.push_bytes(&vec![0; MAX_QUEUED_BYTES], HostTime(1), Some(0));
        queue.push_bytes(&[1], HostTime(2), Some(size));
        assert_eq!(bytes_of(queue.take(NOW)), MAX_QUEUED_BYTES);
        std::thread::scope(|scope| {
            // The disk is full.
            let put = scope.spawn(|| queue.push_bytes(&[2, 3], HostTime(3), None));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!put.is_finished());
            let Dequeued::OnDisk { to, .. } = queue.take(NOW) else {
                panic!("nothing is on disk");
            };
            queue.caught_up(to);
            put.join().unwrap();
        });
        assert_eq!(bytes_of(queue.take(NOW)), 2);
    }

    #[test]
    fn interruptions_after_spilled_bytes_are_reported() {
        let queue = CaptureQueue::new(MAX_QUEUED_BYTES, true);
        let size = MAX_QUEUED_BYTES as u64;
        queue.push_bytes(&vec![0; MAX_QUEUED_BYTES], HostTime(1), Some(0));
        queue.push_bytes(&[1], HostTime(2), Some(size));
        queue.push(QueueItem::Interrupted);
        queue.push(QueueItem::Message("it broke".to_owned()));
        assert_eq!(bytes_of(queue.take(NOW)), MAX_QUEUED_BYTES);
        queue.caught_up(size + 1);
        let Dequeued::Items(items) = queue.take(NOW) else {
            panic!("no items");
        };
        let mut items = items.into_iter();
        assert!(matches!(items.next(), Some(QueueItem::Interrupted)));
        assert!(matches!(items.next(), Some(QueueItem::Message(_))));
    }

    #[test]
    fn source_blocks_without_a_recording() {
        let queue = CaptureQueue::new(MAX_QUEUED_BYTES, false);
        queue.push_bytes(&vec![0; MAX_QUEUED_BYTES], HostTime(1), None);
        std::thread::scope(|scope| {
            let put = scope.spawn(|| queue.push_bytes(&[1], HostTime(2), None));
            assert_eq!(bytes_of(queue.take(NOW)), MAX_QUEUED_BYTES);
            put.join().unwrap();
        });
        assert_eq!(bytes_of(queue.take(NOW)), 1);
        queue.push_bytes(&vec![0; MAX_QUEUED_BYTES], HostTime(1), None);
        queue.abandon();
        queue.push_bytes(&[1], HostTime(2), None);
    }
}
