//! Finds the new entries of a snapshot.

use super::super::UNFINISHED;
use super::super::log::{CoreLog, EntryLayout, MissingEntries};
use rtoscope_wire::cswitch::CoreHistory;
use std::borrow::Cow;

/// How the log of a core in a container overlaps with the previous snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SnapshotOverlap {
    /// Entries of the container before the first new one.
    pub(super) known_entries: usize,
    /// The entries missing before that.
    pub(super) missing: MissingEntries,
    /// Whether it belongs to another recording session.
    pub(super) is_new_session: bool,
    /// Whether the target restarted before it.
    pub(super) is_restart: bool,
    /// Whether this is the first snapshot.
    pub(super) is_first_snapshot: bool,
    /// New entries that arrived earlier, and waited for a half-written one.
    pub(super) waiting_entries: usize,
}

impl SnapshotOverlap {
    const fn with_known(known: usize) -> Self {
        Self {
            known_entries: known,
            missing: MissingEntries::None,
            is_new_session: false,
            is_restart: false,
            is_first_snapshot: false,
            waiting_entries: 0,
        }
    }

    /// All entries are new, and the entries before them are unknown.
    const fn all_new(is_another: bool) -> Self {
        Self {
            missing: MissingEntries::Unknown,
            is_new_session: is_another,
            ..Self::with_known(0)
        }
    }

    /// The log of a target that restarted.
    pub(super) const fn restart() -> Self {
        Self {
            is_restart: true,
            ..Self::all_new(true)
        }
    }
}

/// The position at which a core's recording continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NextEntry {
    pub(super) session: u32,
    /// The number of the next entry.
    pub(super) number: u64,
}

/// The log of a core in a container.
pub(super) struct LogSnapshot<'s> {
    pub(super) layout: EntryLayout,
    /// Its entries, oldest first.
    pub(super) bytes: Cow<'s, [u8]>,
    pub(super) past: Option<CoreHistory>,
}

impl<'s> LogSnapshot<'s> {
    pub(super) fn new(layout: EntryLayout, log: &CoreLog<'s>) -> Self {
        let bytes = match log.parts.as_slice() {
            [only] => Cow::Borrowed(only.bytes),
            parts => {
                let parts: Vec<&[u8]> = parts.iter().map(|part| part.bytes).collect();
                Cow::Owned(parts.concat())
            }
        };
        Self {
            layout,
            bytes,
            past: log.core_past,
        }
    }

    pub(super) fn entries(&self) -> usize {
        self.bytes.len() / self.layout.entry_bytes()
    }

    pub(super) fn entry(&self, number: usize) -> Option<&[u8]> {
        self.bytes
            .chunks_exact(self.layout.entry_bytes())
            .nth(number)
    }

    /// Finds the entries after `known`, the known entries. `next` is the number
    /// of the next entry, if entries are numbered.
    pub(super) fn overlap(&self, known: &[u8], next: Option<NextEntry>) -> SnapshotOverlap {
        let size = self.layout.entry_bytes();
        match (self.past, next) {
            _ if known.is_empty() && next.is_none() => {
                SnapshotOverlap::with_known(self.overwritten_entries())
            }
            _ if self.bytes.is_empty() => SnapshotOverlap::with_known(0),
            (Some(past), Some(next)) if past.session == next.session => {
                self.overlap_by_number(past, next, known)
            }
            // The recorder was started again.
            (Some(past), Some(next)) if past.session == next.session.wrapping_add(1) => {
                SnapshotOverlap::all_new(true)
            }
            (Some(_), Some(_)) => SnapshotOverlap::restart(),
            _ => {
                let skipped = self.overwritten_entries();
                let following = self.bytes.get(skipped * size..).unwrap_or_default();
                match overlap_by_content(known, following, size) {
                    0 => SnapshotOverlap::all_new(false),
                    common => SnapshotOverlap::with_known(skipped + common),
                }
            }
        }
    }

    /// Uses the entry numbers unless the entries contradict them: a target that
    /// was reset restarts its numbering.
    fn overlap_by_number(
        &self,
        past: CoreHistory,
        next: NextEntry,
        known: &[u8],
    ) -> SnapshotOverlap {
        if let Some(count) = past
            .preceding_entries
            .checked_sub(next.number)
            .filter(|count| *count > 0)
        {
            return SnapshotOverlap {
                missing: MissingEntries::Known(count),
                ..SnapshotOverlap::with_known(0)
            };
        }
        let size = self.layout.entry_bytes();
        let ours = usize::try_from(next.number - past.preceding_entries).unwrap_or(usize::MAX);
        // The last entry may be missing if it was half-written.
        let common = ours.min(self.entries());
        let surplus = ours - common;
        let here = common.checked_sub(1).and_then(|last| self.entry(last));
        let there = known.chunks_exact(size).nth_back(surplus);
        let differ = here.zip(there).is_some_and(|(here, there)| here != there);
        match differ || surplus > 1 {
            true => SnapshotOverlap::restart(),
            false => SnapshotOverlap::with_known(common),
        }
    }

    /// Entries at the start that were overwritten while they were read.
    fn overwritten_entries(&self) -> usize {
        let entries = self.bytes.chunks_exact(self.layout.entry_bytes());
        entries
            .take_while(|entry| is_unfinished(entry, self.layout))
            .count()
    }
}

/// Whether an entry is half-written.
pub(super) fn is_unfinished(bytes: &[u8], layout: EntryLayout) -> bool {
    layout
        .read(bytes)
        .is_some_and(|entry| entry.kind == UNFINISHED)
}

/// The maximum number of entries of `size` bytes at the end of `known` that are
/// also at the start of `new`. One pass over both: the running time does not
/// depend on the contents.
fn overlap_by_content(known: &[u8], new: &[u8], size: usize) -> usize {
    let entry = |number: usize| new.get(number * size..(number + 1) * size);
    let entries = new.len() / size;
    // For each prefix of `new`: the length of its longest proper prefix that is
    // also its suffix.
    let mut shorter = vec![0_u32; entries + 1];
    let step = |shorter: &[u32], mut length: usize, next: &[u8]| loop {
        if entry(length) == Some(next) {
            break length + 1;
        }
        match shorter.get(length) {
            Some(less) if length > 0 => length = *less as usize,
            _ => break 0,
        }
    };
    let mut length = 0;
    for number in 1..entries {
        length = step(&shorter, length, entry(number).unwrap_or_default());
        if let Some(place) = shorter.get_mut(number + 1) {
            *place = u32::try_from(length).unwrap_or(u32::MAX);
        }
    }
    known
        .chunks_exact(size)
        .fold(0, |length, next| step(&shorter, length, next))
}
