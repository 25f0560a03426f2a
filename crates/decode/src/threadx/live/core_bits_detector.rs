//! Settles the meaning of the high bits of ids once enough ids were received:
//! chunks of a recording must not decide separately.

use crate::threadx::cores;
use crate::threadx::cores::{CoreBits, CoreSet, SmpEvidence};
use rtoscope_trace::Catalogue;

/// The meaning of the high bits of ids.
#[derive(Debug, Clone)]
pub(super) struct CoreBitsDetector {
    wanted: CoreBits,
    evidence: SmpEvidence,
    /// The cores that recorded events.
    pub(super) seen: CoreSet,
}

/// Number of events whose ids determine whether a kernel is SMP.
const MIN_IDS: u64 = 64;

impl CoreBitsDetector {
    /// Creates a detector with the user's setting.
    pub(super) fn new(wanted: CoreBits) -> Self {
        Self {
            wanted,
            evidence: SmpEvidence::default(),
            seen: CoreSet::default(),
        }
    }

    /// Adds the id of the next entry.
    pub(super) fn push_id(&mut self, id: u32, catalogue: &Catalogue) {
        let (core, kind) = cores::split_id(id);
        self.seen.insert(core);
        if self.evidence.event_count() < MIN_IDS {
            self.evidence.add(core, kind, catalogue);
        }
    }

    /// The interpretation of ids, as far as known.
    pub(super) fn core_bits(&self) -> CoreBits {
        match self.wanted {
            CoreBits::Detect if self.evidence.event_count() == 0 => CoreBits::Detect,
            CoreBits::Detect if self.evidence.is_smp_likely() => CoreBits::Smp,
            CoreBits::Detect => CoreBits::SingleCore,
            wanted => wanted,
        }
    }
}
