//! Guesses the layout of a log's entries from the entries themselves.

use super::UNFINISHED;
use super::log::{EntryLayout, SwitchLog};
use super::ring_order::{is_backward_step, is_unwritten};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{EntryKind, PointerSize};
use std::collections::HashSet;

/// All layouts that a log can have.
pub(super) const LAYOUTS: [(PointerSize, ByteOrder); 4] = [
    (PointerSize::Four, ByteOrder::Little),
    (PointerSize::Four, ByteOrder::Big),
    (PointerSize::Eight, ByteOrder::Little),
    (PointerSize::Eight, ByteOrder::Big),
];

/// Maximum number of entries to examine.
const MAX_SAMPLED_ENTRIES: usize = 4096;

/// Minimum number of entries for a guess.
const MIN_ENTRIES: u32 = 8;

/// The only layout in which the bytes of a buffer are a plausible log; `None`
/// if there is none, or more than one.
pub(super) fn layout(
    bytes: &[u8],
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Option<(PointerSize, ByteOrder)> {
    let allowed = LAYOUTS
        .into_iter()
        .filter(|(size, order)| allowed(*size, *order));
    let mut plausible = allowed
        .filter(|(size, order)| LayoutEvidence::collect(bytes, *size, *order).is_convincing());
    plausible.next().filter(|_| plausible.next().is_none())
}

/// The likeliest layout of the bytes of a buffer that is known to be a log, and
/// whether another one is as likely. `None` if none has an entry of a known type.
pub(super) fn likely_layout(
    bytes: &[u8],
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Option<((PointerSize, ByteOrder), bool)> {
    let mut likeliest = None;
    for layout in LAYOUTS {
        let (size, order) = layout;
        let evidence = LayoutEvidence::collect(bytes, size, order);
        if !allowed(size, order) || evidence.known_types == 0 {
            continue;
        }
        let share = |part: u32| (u64::from(part) << 16) / u64::from(evidence.entries);
        let is_whole = bytes.len().is_multiple_of(size.entry_bytes());
        let likelihood = (
            share(evidence.known_types),
            is_whole,
            evidence.backward_steps <= 1,
            share(evidence.valid_pointers),
        );
        likeliest = match likeliest {
            Some((known, best, is_ambiguous)) if best > likelihood => {
                Some((known, best, is_ambiguous))
            }
            Some((known, best, _)) if best == likelihood => Some((known, best, true)),
            _ => Some((layout, likelihood, false)),
        };
    }
    likeliest.map(|(layout, _, is_ambiguous)| (layout, is_ambiguous))
}

/// What the entries of a log in memory, and the names to which they point, show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogEvidence {
    /// Most entries are of unknown types.
    NoLog,
    /// Little: there may be few entries.
    Doubtful,
    /// The entries are those of a log, but most names begin within words.
    OddNames,
    Certain,
}

/// The evidence of a log's first core.
pub(super) fn evidence(log: &SwitchLog<'_>) -> LogEvidence {
    let EntryLayout { pointer, order, .. } = log.layout;
    let parts = log.cores.iter().take(1).flat_map(|core| &core.parts);
    let bytes = parts.flat_map(|part| part.bytes).copied();
    let bytes: Vec<u8> = bytes
        .take(MAX_SAMPLED_ENTRIES * pointer.entry_bytes())
        .collect();
    let evidence = LayoutEvidence::collect(&bytes, pointer, order);
    if evidence.entries >= MIN_ENTRIES && evidence.known_types * 2 < evidence.entries {
        return LogEvidence::NoLog;
    }
    if !evidence.is_convincing() {
        return LogEvidence::Doubtful;
    }
    let follows_letter = |name: &u64| {
        let memory = log.name_source.memory?;
        let before = memory.available_from(name.checked_sub(1)?);
        Some(before.first()?.is_ascii_alphanumeric())
    };
    let names: Vec<_> = evidence.names.iter().filter_map(follows_letter).collect();
    let odd = names.iter().filter(|is_odd| **is_odd).count();
    match odd > 0 && odd * 2 >= names.len() {
        true => LogEvidence::OddNames,
        false => LogEvidence::Certain,
    }
}

/// The evidence for a layout.
#[derive(Debug, Default)]
struct LayoutEvidence {
    entries: u32,
    /// Whether the first slot contains an entry, as in every log.
    starts_used: bool,
    /// Entries of known types.
    known_types: u32,
    /// Counter steps that are shorter forwards.
    forward_steps: u32,
    backward_steps: u32,
    /// Entries with a code address and a name.
    valid_pointers: u32,
    kinds: HashSet<u32>,
    names: HashSet<u64>,
}

impl LayoutEvidence {
    fn collect(bytes: &[u8], pointer: PointerSize, order: ByteOrder) -> Self {
        let layout = EntryLayout {
            order,
            pointer,
            counter_bits: 32,
        };
        let mut evidence = Self::default();
        let mut before = None;
        let slots = bytes
            .chunks_exact(layout.entry_bytes())
            .take(MAX_SAMPLED_ENTRIES);
        for (slot, bytes) in slots.enumerate() {
            let Some(entry) = layout.read(bytes).filter(|_| !is_unwritten(bytes)) else {
                continue;
            };
            if before.is_none() {
                let kind = entry.kind;
                evidence.starts_used = slot == 0 && (super::is_known(kind) || kind == UNFINISHED);
            }
            evidence.entries += 1;
            evidence.known_types += u32::from(super::is_known(entry.kind));
            let kind = EntryKind::from_number(entry.kind);
            let is_stack = kind.is_some_and(EntryKind::is_stack);
            // The address word of a marker is a value.
            let is_value = kind.is_some_and(EntryKind::is_extension);
            let is_valid = (entry.address != 0 || is_value) && (entry.name != 0 || is_stack);
            evidence.valid_pointers += u32::from(is_valid);
            match before.map(|before| is_backward_step(layout, before, entry.counter)) {
                Some(true) => evidence.backward_steps += 1,
                Some(false) => evidence.forward_steps += 1,
                None => {}
            }
            before = Some(entry.counter);
            evidence.kinds.insert(entry.kind);
            if !is_stack {
                evidence.names.insert(entry.name);
            }
        }
        evidence
    }

    /// Nearly all types are known, nearly all counters ascend, there are few
    /// names and more than one type of entry.
    fn is_convincing(&self) -> bool {
        let nearly_all = |part: u32, whole: u32| u64::from(part) * 16 >= u64::from(whole) * 15;
        let few = |number: usize, whole: u32| number * 2 <= whole as usize;
        let happens = (2..=EntryKind::ALL.len() + 4).contains(&self.kinds.len());
        // A single backward step is the seam of a ring.
        let ascends = nearly_all(
            self.forward_steps + self.backward_steps.min(1),
            self.forward_steps + self.backward_steps,
        );
        // The pointers of idle entries need not be valid.
        let points = self.valid_pointers * 2 >= self.entries;
        self.entries >= MIN_ENTRIES
            && self.starts_used
            && nearly_all(self.known_types, self.entries)
            && ascends
            && points
            && happens
            && few(self.names.len(), self.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cswitch::test_log;

    fn guessed(bytes: &[u8]) -> Option<(PointerSize, ByteOrder)> {
        layout(bytes, |_, _| true)
    }

    #[test]
    fn every_layout_is_recognised() {
        for (pointer, order) in LAYOUTS {
            let bytes = test_log::entry_bytes(pointer, order, &test_log::example_log(3));
            assert_eq!(guessed(&bytes), Some((pointer, order)));
            assert_eq!(layout(&bytes, |_, other| other != order), None);
        }
    }

    #[test]
    fn few_or_uniform_entries_suffice_if_they_are_known_to_be_a_log() {
        for (pointer, order) in LAYOUTS {
            let log = test_log::example_log(1);
            for count in 1..4 {
                let bytes = test_log::entry_bytes(pointer, order, &log[3..3 + count]);
                assert_eq!(guessed(&bytes), None);
                let (likely, _) = likely_layout(&bytes, |_, _| true).unwrap();
                assert_eq!(likely, (pointer, order), "{count} entries");
            }
        }
        assert_eq!(likely_layout(&[7; 64], |_, _| true), None);
    }

    #[test]
    fn other_memory_is_none() {
        assert_eq!(guessed(&[]), None);
        assert_eq!(guessed(&[0; 4096]), None);
        assert_eq!(guessed(&[0xFF; 4096]), None);
        assert_eq!(guessed(&[7; 4096]), None);
        let counting: Vec<u8> = (0..4096_u32).flat_map(u32::to_le_bytes).collect();
        assert_eq!(guessed(&counting), None);
        let following = [
            &[1; 64][..],
            &test_log::entry_bytes(LAYOUTS[0].0, LAYOUTS[0].1, &test_log::example_log(9)),
        ];
        assert_eq!(guessed(&following.concat()), None);
        let text = "What is written here is no log of anything. ".repeat(100);
        assert_eq!(guessed(text.as_bytes()), None);
    }
}
