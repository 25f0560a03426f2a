//! Settles the meaning of the high bits of ids once enough ids were received:
//! chunks of a recording must not decide separately.

use crate::threadx::columns;
use crate::threadx::cores::{CoreBits, SmpEvidence};
use rtoscope_trace::Catalogue;

/// The meaning of the high bits of ids.
#[derive(Debug, Clone)]
pub(super) struct CoreBitsDetector {
    wanted: CoreBits,
    evidence: SmpEvidence,
    settled: Option<CoreBits>,
    /// The cores that recorded events, one bit each.
    seen: [u64; 4],
}

/// Number of events whose ids determine whether a kernel is SMP.
const MIN_IDS: u64 = 64;

impl CoreBitsDetector {
    /// Creates a detector with the user's setting.
    pub(super) fn new(wanted: CoreBits) -> Self {
        Self {
            wanted,
            evidence: SmpEvidence::default(),
            settled: None,
            seen: [0; 4],
        }
    }

    /// The interpretation of ids, as far as known.
    pub(super) fn core_bits(&self) -> CoreBits {
        self.settled.unwrap_or(self.verdict())
    }

    /// The cores that recorded events so far.
    pub(super) fn cores_seen(&self) -> Vec<u8> {
        let words = self.seen.iter().zip(0_u8..);
        let seen = words.flat_map(|(bits, word)| {
            (0..64).filter_map(move |bit| (bits >> bit & 1 == 1).then_some(word * 64 + bit))
        });
        seen.collect()
    }

    /// Adds the id of the next entry.
    pub(super) fn push_id(&mut self, id: u32, catalogue: &Catalogue) {
        let (core, kind) = columns::split_id(id);
        if let Some(word) = self.seen.get_mut(usize::from(core / 64)) {
            *word |= 1 << (core % 64);
        }
        if core == 0 || self.settled.is_some() {
            return;
        }
        self.evidence.add(core, kind, catalogue);
        if self.evidence.event_count() >= MIN_IDS {
            self.settled = Some(self.verdict());
        }
    }

    fn verdict(&self) -> CoreBits {
        match self.wanted {
            CoreBits::Detect if self.evidence.event_count() == 0 => CoreBits::Detect,
            CoreBits::Detect if self.evidence.is_smp_likely() => CoreBits::Smp,
            CoreBits::Detect => CoreBits::SingleCore,
            wanted => wanted,
        }
    }
}
