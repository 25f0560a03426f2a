//! What the high bits of ids are, settled once enough of them came: pieces of a
//! recording must not each decide for themselves.

use crate::threadx::columns;
use crate::threadx::cores::{CoreBits, SmpEvidence};
use rtoscope_trace::Catalogue;

/// What the high bits of ids are.
#[derive(Debug, Clone)]
pub(super) struct CoreBitsDetector {
    wanted: CoreBits,
    evidence: SmpEvidence,
    settled: Option<CoreBits>,
    /// The cores that recorded events, a bit each.
    seen: [u64; 4],
}

/// Events whose ids tell whether a kernel is SMP.
const MIN_IDS: u64 = 64;

impl CoreBitsDetector {
    /// How the user wants ids to be read.
    pub(super) fn new(wanted: CoreBits) -> Self {
        Self {
            wanted,
            evidence: SmpEvidence::default(),
            settled: None,
            seen: [0; 4],
        }
    }

    /// How ids are read, as far as that is known.
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

    /// Takes the id of the next entry.
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
