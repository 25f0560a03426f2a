//! Whether the high bits of event numbers are core numbers.
//!
//! No field of the buffer says that a kernel is SMP. Its core number stands in
//! bits 24 to 31 of every id, but any kernel accepts user events of any
//! number, so these bits can also be part of one.

use super::columns::CORE_SHIFT;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Catalogue, Diagnostic, DiagnosticKind, EventIndex, Events, KindId};
use rtoscope_wire::threadx::{USER_EVENT_FIRST, USER_EVENT_LAST};

/// How event numbers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CoreBits {
    /// As an SMP kernel's if most of those with such bits make sense that way.
    #[default]
    Detect,
    /// As an SMP kernel's: bits 24 to 31 are the core.
    Smp,
    /// As a single-core kernel's: all bits are the event's number.
    SingleCore,
}

/// No port of ThreadX SMP has more cores than this (`TX_THREAD_SMP_MAX_CORES`).
const MOST_CORES: u8 = 32;

/// Decides how ids are read, undoes the split into core and number where it is
/// wrong, and returns the cores that recorded events.
pub(crate) fn settle(
    events: &mut Events,
    catalogue: &Catalogue,
    bits: CoreBits,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<u8> {
    let mut seen = [false; 256];
    for core in &events.core {
        if let Some(seen) = seen.get_mut(usize::from(*core)) {
            *seen = true;
        }
    }
    let cores: Vec<u8> = (0..=u8::MAX)
        .zip(seen)
        .filter_map(|(core, seen)| seen.then_some(core))
        .collect();
    if matches!(cores.as_slice(), [] | [0]) {
        events.core = Vec::new();
        return cores;
    }
    let smp = match bits {
        CoreBits::Smp => true,
        CoreBits::SingleCore => false,
        CoreBits::Detect => guess(events, catalogue, diagnostics),
    };
    if smp {
        return cores;
    }
    for (core, kind) in events.core.iter().zip(&mut events.kind) {
        *kind = KindId(u32::from(*core) << CORE_SHIFT | kind.0);
    }
    events.core = Vec::new();
    vec![0]
}

fn guess(events: &Events, catalogue: &Catalogue, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut evidence = Evidence::default();
    let mut first_odd = None;
    for ((core, kind), index) in events.core.iter().zip(&events.kind).zip(0..) {
        if evidence.add(*core, *kind, catalogue) == Some(false) {
            first_odd.get_or_insert(EventIndex(index));
        }
    }
    let Evidence { plausible, odd } = evidence;
    if !evidence.speaks_for_smp() {
        return false;
    }
    if let Some(first) = first_odd {
        let message = format!(
            "core numbers are doubtful: of {} with bits 24 to 31 set {odd} do not fit an SMP kernel, \
             first at event {first}; user events of a single-core kernel can look the same",
            counted(plausible + odd, "event number", "event numbers")
        );
        let kind = DiagnosticKind::DoubtfulCores;
        diagnostics.push(Diagnostic::new(kind, message).on(first).times(odd));
    }
    true
}

/// What ids with bits 24 to 31 set speak for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Evidence {
    plausible: u64,
    odd: u64,
}

impl Evidence {
    /// Adds an event, its id split into core and number. Returns whether it
    /// fits an SMP kernel; `None` if it says nothing.
    pub(crate) fn add(&mut self, core: u8, kind: KindId, catalogue: &Catalogue) -> Option<bool> {
        if core == 0 {
            return None;
        }
        let user = (USER_EVENT_FIRST..=USER_EVENT_LAST).contains(&kind.0);
        let fits = core < MOST_CORES && (user || catalogue.get(kind).is_some());
        if fits {
            self.plausible += 1;
        } else {
            self.odd += 1;
        }
        Some(fits)
    }

    /// Events that said something.
    pub(crate) fn events(&self) -> u64 {
        self.plausible + self.odd
    }

    /// Whether most of them fit an SMP kernel.
    pub(crate) fn speaks_for_smp(&self) -> bool {
        self.plausible > self.odd
    }
}
