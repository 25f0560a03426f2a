//! What is known of the log of a core from one container to the next.

use super::kept::MOST_ENTRY_BYTES;
use super::line::{Fresh, Hand};
use super::stitch::{Next, Snapshot, Stitch, is_unfinished};
use crate::cswitch::is_known;
use crate::cswitch::log::{CoreLog, Missing, Shape};
use crate::cswitch::ring::is_unwritten;
use std::sync::Arc;

/// The log of a core, up to a container.
#[derive(Debug, Clone)]
pub(super) struct Core {
    pub(super) number: u8,
    cyclic: Option<bool>,
    full: bool,
    idle: Option<u64>,
    lost: Option<u64>,
    pub(super) hand: Option<Hand>,
    next: Option<Next>,
    /// The last entries, those of the last snapshot.
    known: Arc<Vec<u8>>,
    /// Entries of that from one on that is being written: they wait for it, until
    /// the next container.
    waiting: Arc<Vec<u8>>,
    /// Entries that are known to be missing and wait for the next event.
    owed: Missing,
    /// Entries that are known to be missing, in all.
    pub(super) missed: u64,
    /// Bytes of entries that say nothing.
    pub(super) useless: u64,
    /// Losses that the target counts and that are accounted for, and entries that
    /// were never finished: each of these may be one of those.
    accounted: u64,
    unfinished: u64,
}

/// New entries of a core, all of which are events.
pub(super) struct Grown {
    pub(super) fresh: Fresh,
    pub(super) entries: Vec<([u8; MOST_ENTRY_BYTES], Missing)>,
}

impl Core {
    pub(super) fn new(number: u8) -> Self {
        Self {
            number,
            cyclic: None,
            full: false,
            idle: None,
            lost: None,
            hand: None,
            next: None,
            known: Arc::default(),
            waiting: Arc::default(),
            owed: Missing::Nothing,
            missed: 0,
            useless: 0,
            accounted: 0,
            unfinished: 0,
        }
    }

    /// Lets go of what is another behind a container.
    pub(super) fn forget(&mut self, behind: &Self) {
        if !Arc::ptr_eq(&self.known, &behind.known) {
            self.known = Arc::default();
        }
        if !Arc::ptr_eq(&self.waiting, &behind.waiting) {
            self.waiting = Arc::default();
        }
    }

    /// What is known of its log, without entries.
    pub(super) fn log(&self) -> CoreLog<'static> {
        CoreLog {
            core: self.number,
            cyclic: self.cyclic,
            wrapped: false,
            full: self.full,
            lost: self.lost.filter(|_| self.cyclic != Some(true)),
            idle: self.idle,
            past: None,
            parts: Vec::new(),
        }
    }

    /// How a log follows what is known.
    pub(super) fn stitch(&self, snapshot: &Snapshot<'_>) -> Stitch {
        let stitch = snapshot.stitch(&self.known, self.next);
        let waited = self.waiting.len() / snapshot.shape.entry_bytes();
        Stitch {
            is_first: self.known.is_empty() && self.next.is_none(),
            waited: match stitch.missing {
                Missing::Nothing => waited,
                Missing::Entries(count) => {
                    waited.saturating_sub(usize::try_from(count).unwrap_or(waited))
                }
                Missing::Unknown => 0,
            },
            ..stitch
        }
    }

    /// Takes what is new in a log.
    pub(super) fn grow(
        &mut self,
        snapshot: &Snapshot<'_>,
        stitch: Stitch,
        log: &CoreLog<'_>,
    ) -> Grown {
        if stitch.is_another {
            self.accounted = 0;
            self.unfinished = 0;
        }
        self.miss(stitch.missing);
        let lost = log.lost.unwrap_or_default();
        match log.cyclic {
            // A ring that goes on loses an entry here and there; what it lost
            // before anybody looked is no more missing than what it overwrote.
            Some(true) if stitch.is_first => self.accounted = lost,
            Some(true) => self.lose(lost),
            _ => {}
        }
        let size = snapshot.shape.entry_bytes();
        let new = snapshot
            .bytes
            .get(stitch.known * size..)
            .unwrap_or_default();
        let is_waited_for = |(place, entry): (usize, &[u8])| {
            place >= stitch.waited && is_unfinished(entry, snapshot.shape)
        };
        let taken = new.chunks_exact(size).enumerate().position(is_waited_for);
        let (taken, waiting) = new.split_at(taken.map_or(new.len(), |taken| taken * size));
        let grown = self.take(taken, snapshot.shape, log.wrapped);
        if log.cyclic != Some(true) {
            self.lose(lost);
        }
        let end = stitch.known + taken.len() / size;
        if snapshot.entries() > 0 {
            self.next = snapshot.past.map(|past| Next {
                session: past.session,
                number: past.before.saturating_add(end as u64),
            });
        }
        if end > 0 {
            let known = snapshot.bytes.get(..end * size).unwrap_or_default();
            self.known = Arc::new(known.to_vec());
        }
        if snapshot.entries() > 0 {
            self.waiting = Arc::new(waiting.to_vec());
        }
        self.cyclic = log.cyclic;
        self.full = log.full;
        self.lost = log.lost;
        self.idle = log.idle;
        grown
    }

    /// Takes what waits for an entry that is not finished.
    pub(super) fn give_up(&mut self, shape: Shape) -> Grown {
        let waiting = std::mem::take(&mut self.waiting);
        let grown = self.take(&waiting, shape, false);
        if !waiting.is_empty() {
            self.known = Arc::new([&self.known[..], &waiting[..]].concat());
            let entries = (waiting.len() / shape.entry_bytes()) as u64;
            self.next = self.next.map(|next| Next {
                number: next.number.saturating_add(entries),
                ..next
            });
        }
        grown
    }

    /// Whether entries are missing behind the last event.
    pub(super) fn has_gap_at_end(&self) -> bool {
        self.owed != Missing::Nothing
    }

    /// Makes events of entries.
    fn take(&mut self, bytes: &[u8], shape: Shape, wrapped: bool) -> Grown {
        let size = shape.entry_bytes();
        let mut grown = Grown {
            fresh: Fresh {
                core: self.number,
                hand: self.hand,
                has_gap: false,
                wrapped,
                stamps: Vec::new(),
            },
            entries: Vec::new(),
        };
        for bytes in bytes.chunks_exact(size) {
            let Some(entry) = shape.read(bytes) else {
                continue;
            };
            if is_unfinished(bytes, shape) {
                self.unfinished += 1;
                self.lose(self.unfinished);
            } else if is_unwritten(bytes) || !is_known(entry.kind) {
                self.useless = self.useless.saturating_add(size as u64);
            } else {
                let mut whole = [0; MOST_ENTRY_BYTES];
                for (to, from) in whole.iter_mut().zip(bytes) {
                    *to = *from;
                }
                let missing = std::mem::replace(&mut self.owed, Missing::Nothing);
                grown.fresh.has_gap |= missing != Missing::Nothing;
                grown.fresh.stamps.push(entry.counter);
                grown.entries.push((whole, missing));
            }
        }
        grown
    }

    /// Accounts for so many entries that were lost in all.
    fn lose(&mut self, lost: u64) {
        let more = lost.saturating_sub(self.accounted);
        self.accounted += more;
        self.miss(Missing::entries(more));
    }

    fn miss(&mut self, missing: Missing) {
        if let Missing::Entries(count) = missing {
            self.missed = self.missed.saturating_add(count);
        }
        self.owed = self.owed.and(missing);
    }
}
