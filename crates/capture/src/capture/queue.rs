//! What waits to be decoded.

use crate::Connection;
use rtoscope_decode::live::Moment;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the reader has for the decoder.
#[derive(Debug)]
pub(super) enum Item {
    /// Bytes, and when they came.
    Bytes { bytes: Vec<u8>, at: Moment },
    /// What comes next need not follow what came before.
    Interrupted,
    /// The target is there, or is not.
    Connection(Connection),
    /// Something to tell.
    Remark(String),
}

/// What the decoder gets.
#[derive(Debug)]
pub(super) enum Taken {
    /// All that waits; nothing if nothing came for a while.
    Items(VecDeque<Item>),
    /// What did not fit: it is to be read from the recording, from this offset
    /// on, up to where it ends now.
    OnDisk { from: u64, to: u64 },
    /// Nothing will come any more.
    End,
}

/// Bytes that may wait.
const MOST: usize = 32 << 20;

/// Connects the reader to the decoder.
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    /// Whether what does not fit can be read from the recording.
    may_spill: bool,
}

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    bytes: usize,
    /// Bytes of the recording before the first one that did not fit, and behind
    /// the last one.
    spilled: Option<(u64, u64)>,
    /// What is to be told behind those.
    behind: VecDeque<Item>,
    /// Whether there was an interruption behind the last of those.
    is_interrupted: bool,
    /// Whether nothing more will be put in.
    is_closed: bool,
    /// Whether nothing more will be taken out.
    is_abandoned: bool,
}

impl Queue {
    pub(super) fn new(may_spill: bool) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            may_spill,
        }
    }

    /// Puts bytes in that stand behind `offset` bytes of the recording, if they
    /// were saved there; else waits until all before are taken out and there is
    /// room.
    pub(super) fn put_bytes(&self, bytes: &[u8], at: Moment, offset: Option<u64>) {
        let mut state = self.lock();
        if let Some(offset) = offset.filter(|_| self.may_spill) {
            let end = offset + bytes.len() as u64;
            if let Some((_, spilled_to)) = &mut state.spilled {
                *spilled_to = end;
                state.is_interrupted = false;
                return;
            }
            if state.bytes >= MOST {
                state.spilled = Some((offset, end));
                return;
            }
        } else {
            state = self.wait_for_room(state);
        }
        state.bytes += bytes.len();
        // Many small pieces are one.
        match state.items.back_mut() {
            Some(Item::Bytes {
                bytes: last,
                at: when,
            }) if last.len() < SMALL => {
                last.extend_from_slice(bytes);
                *when = at;
            }
            _ => state.items.push_back(Item::Bytes {
                bytes: bytes.to_vec(),
                at,
            }),
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Puts something in that takes no room. An interruption before bytes that go
    /// to the recording alone is read from there.
    pub(super) fn put(&self, item: Item) {
        let mut state = self.lock();
        if state.spilled.is_none() {
            state.items.push_back(item);
        } else if matches!(item, Item::Interrupted) {
            state.is_interrupted = true;
        } else {
            state.behind.push_back(item);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Nothing more will be put in.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Nothing more will be taken out: who puts something in need not wait.
    pub(super) fn abandon(&self) {
        self.lock().is_abandoned = true;
        self.changed.notify_all();
    }

    /// Takes all that waits, after waiting for it for a while.
    pub(super) fn take(&self, wait: Duration) -> Taken {
        let state = self.lock();
        let is_idle = |state: &mut State| {
            state.items.is_empty() && state.spilled.is_none() && !state.is_closed
        };
        let waited = self.changed.wait_timeout_while(state, wait, is_idle);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if !state.items.is_empty() {
            state.bytes = 0;
            let items = std::mem::take(&mut state.items);
            drop(state);
            self.changed.notify_all();
            return Taken::Items(items);
        }
        match state.spilled {
            Some((from, to)) => Taken::OnDisk { from, to },
            None if state.is_closed => Taken::End,
            None => Taken::Items(VecDeque::new()),
        }
    }

    /// The decoder has read the recording up to there.
    pub(super) fn caught_up(&self, to: u64) {
        let mut state = self.lock();
        state.spilled = state
            .spilled
            .filter(|(_, end)| *end > to)
            .map(|(_, end)| (to, end));
        if state.spilled.is_none() {
            let interrupted = std::mem::take(&mut state.is_interrupted);
            let behind = std::mem::take(&mut state.behind);
            state.items.extend(interrupted.then_some(Item::Interrupted));
            state.items.extend(behind);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Bytes that wait, be it on disk.
    pub(super) fn waiting(&self) -> u64 {
        let state = self.lock();
        let spilled = state.spilled.map_or(0, |(from, to)| to - from);
        state.bytes as u64 + spilled
    }

    fn wait_for_room<'s>(&'s self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let must_wait = |state: &mut State| {
            (state.bytes >= MOST || state.spilled.is_some()) && !state.is_abandoned
        };
        let waited = self.changed.wait_while(state, must_wait);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Pieces up to this are put together.
const SMALL: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn bytes_of(taken: Taken) -> usize {
        match taken {
            Taken::Items(items) => items
                .iter()
                .map(|item| match item {
                    Item::Bytes { bytes, .. } => bytes.len(),
                    _ => 0,
                })
                .sum(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_does_not_fit_is_read_from_disk() {
        let queue = Queue::new(true);
        let piece = vec![0; MOST];
        let size = MOST as u64;
        queue.put_bytes(&piece, Moment(1), Some(0));
        queue.put_bytes(&piece, Moment(2), Some(size));
        queue.put(Item::Interrupted);
        queue.put(Item::Remark("behind".to_owned()));
        queue.put_bytes(&[1], Moment(3), Some(2 * size));
        assert_eq!(queue.waiting(), 2 * size + 1);
        assert_eq!(bytes_of(queue.take(NOW)), MOST);
        let Taken::OnDisk { from, to } = queue.take(NOW) else {
            panic!("nothing is on disk");
        };
        assert_eq!((from, to), (size, 2 * size + 1));
        // More came while that was read.
        queue.put_bytes(&[2], Moment(4), Some(to));
        queue.caught_up(to);
        let Taken::OnDisk { from, to } = queue.take(NOW) else {
            panic!("nothing is on disk");
        };
        assert_eq!((from, to), (2 * size + 1, 2 * size + 2));
        queue.caught_up(to);
        queue.put_bytes(&[3], Moment(5), Some(to));
        let Taken::Items(items) = queue.take(NOW) else {
            panic!("nothing to tell");
        };
        let mut items = items.into_iter();
        assert!(matches!(items.next(), Some(Item::Remark(_))));
        assert!(matches!(items.next(), Some(Item::Bytes { .. })));
        queue.close();
        assert!(matches!(queue.take(NOW), Taken::End));
    }

    #[test]
    fn what_is_not_on_disk_waits_for_what_is() {
        let queue = Queue::new(true);
        let size = MOST as u64;
        queue.put_bytes(&vec![0; MOST], Moment(1), Some(0));
        queue.put_bytes(&[1], Moment(2), Some(size));
        assert_eq!(bytes_of(queue.take(NOW)), MOST);
        std::thread::scope(|scope| {
            // The disk is full.
            let put = scope.spawn(|| queue.put_bytes(&[2, 3], Moment(3), None));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!put.is_finished());
            let Taken::OnDisk { to, .. } = queue.take(NOW) else {
                panic!("nothing is on disk");
            };
            queue.caught_up(to);
            put.join().unwrap();
        });
        assert_eq!(bytes_of(queue.take(NOW)), 2);
    }

    #[test]
    fn what_breaks_behind_the_last_on_disk_is_told() {
        let queue = Queue::new(true);
        let size = MOST as u64;
        queue.put_bytes(&vec![0; MOST], Moment(1), Some(0));
        queue.put_bytes(&[1], Moment(2), Some(size));
        queue.put(Item::Interrupted);
        queue.put(Item::Remark("it broke".to_owned()));
        assert_eq!(bytes_of(queue.take(NOW)), MOST);
        queue.caught_up(size + 1);
        let Taken::Items(items) = queue.take(NOW) else {
            panic!("nothing to tell");
        };
        let mut items = items.into_iter();
        assert!(matches!(items.next(), Some(Item::Interrupted)));
        assert!(matches!(items.next(), Some(Item::Remark(_))));
    }

    #[test]
    fn without_a_recording_the_source_waits() {
        let queue = Queue::new(false);
        queue.put_bytes(&vec![0; MOST], Moment(1), None);
        std::thread::scope(|scope| {
            let put = scope.spawn(|| queue.put_bytes(&[1], Moment(2), None));
            assert_eq!(bytes_of(queue.take(NOW)), MOST);
            put.join().unwrap();
        });
        assert_eq!(bytes_of(queue.take(NOW)), 1);
        queue.put_bytes(&vec![0; MOST], Moment(1), None);
        queue.abandon();
        queue.put_bytes(&[1], Moment(2), None);
    }
}
