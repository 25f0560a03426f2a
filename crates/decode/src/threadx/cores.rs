//! Detects whether the high bits of event numbers are core numbers.
//!
//! No field of the buffer identifies an SMP kernel. An SMP kernel stores the
//! core number in bits 24 to 31 of every id, but any kernel accepts user events
//! of any number, so these bits can also belong to a number.

use super::columns::CORE_SHIFT;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{
    Catalogue, Diagnostic, DiagnosticKind, EventColumns, EventIndex, EventKindId,
};
use rtoscope_wire::threadx::{FIRST_USER_EVENT, LAST_USER_EVENT};

/// The interpretation of event numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CoreBits {
    /// As an SMP kernel's if most numbers with such bits are plausible as such.
    #[default]
    Detect,
    /// As an SMP kernel's: bits 24 to 31 are the core.
    Smp,
    /// As a single-core kernel's: all bits are the event number.
    SingleCore,
}

/// Maximum number of cores of any ThreadX SMP port (`TX_THREAD_SMP_MAX_CORES`).
const MAX_CORES: u8 = 32;

/// Decides the interpretation of ids, reverts the split into core and number if
/// it is wrong, and returns the cores that recorded events.
pub(crate) fn settle_core_bits(
    columns: &mut EventColumns,
    catalogue: &Catalogue,
    bits: CoreBits,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<u8> {
    let mut seen = CoreSet::default();
    columns.core.iter().for_each(|core| seen.insert(*core));
    let cores = seen.to_vec();
    if matches!(cores.as_slice(), [] | [0]) {
        columns.core = Vec::new();
        return cores;
    }
    let smp = match bits {
        CoreBits::Smp => true,
        CoreBits::SingleCore => false,
        CoreBits::Detect => guess_smp(columns, catalogue, diagnostics),
    };
    if smp {
        return cores;
    }
    for (core, kind) in columns.core.iter().zip(&mut columns.kind) {
        *kind = EventKindId(u32::from(*core) << CORE_SHIFT | kind.0);
    }
    columns.core = Vec::new();
    vec![0]
}

fn guess_smp(
    columns: &EventColumns,
    catalogue: &Catalogue,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut evidence = SmpEvidence::default();
    let mut first_odd = None;
    for ((core, kind), index) in columns.core.iter().zip(&columns.kind).zip(0..) {
        if evidence.add(*core, *kind, catalogue) == Some(false) {
            first_odd.get_or_insert(EventIndex(index));
        }
    }
    let SmpEvidence {
        plausible,
        implausible: odd,
    } = evidence;
    if !evidence.is_smp_likely() {
        return false;
    }
    if let Some(first) = first_odd {
        let message = format!(
            "core numbers are doubtful: {odd} of {} with bits 24 to 31 set do not fit an SMP \
             kernel, first at event {first}; user events of a single-core kernel can look the same",
            pluralise(plausible + odd, "event number", "event numbers")
        );
        let kind = DiagnosticKind::DoubtfulCores;
        diagnostics.push(
            Diagnostic::new(kind, message)
                .at_event(first)
                .with_count(odd),
        );
    }
    true
}

/// A set of cores.
#[derive(Debug, Clone)]
pub(crate) struct CoreSet([bool; 256]);

impl Default for CoreSet {
    fn default() -> Self {
        Self([false; 256])
    }
}

impl CoreSet {
    pub(crate) fn insert(&mut self, core: u8) {
        if let Some(seen) = self.0.get_mut(usize::from(core)) {
            *seen = true;
        }
    }

    /// The cores in order.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        let cores = (0..=u8::MAX).zip(self.0);
        cores
            .filter_map(|(core, seen)| seen.then_some(core))
            .collect()
    }
}

/// The evidence from ids with bits 24 to 31 set.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SmpEvidence {
    plausible: u64,
    implausible: u64,
}

impl SmpEvidence {
    /// Adds an event, its id split into core and number. Returns whether it
    /// fits an SMP kernel; `None` if it is no evidence.
    pub(crate) fn add(
        &mut self,
        core: u8,
        kind: EventKindId,
        catalogue: &Catalogue,
    ) -> Option<bool> {
        if core == 0 {
            return None;
        }
        let user = (FIRST_USER_EVENT..=LAST_USER_EVENT).contains(&kind.0);
        let fits = core < MAX_CORES && (user || catalogue.get(kind).is_some());
        if fits {
            self.plausible += 1;
        } else {
            self.implausible += 1;
        }
        Some(fits)
    }

    /// Number of events with evidence.
    pub(crate) fn event_count(&self) -> u64 {
        self.plausible + self.implausible
    }

    /// Whether most of them fit an SMP kernel.
    pub(crate) fn is_smp_likely(&self) -> bool {
        self.plausible > self.implausible
    }
}
