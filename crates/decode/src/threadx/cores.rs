//! Detects whether the high bits of event numbers are core numbers.
//!
//! No field of the buffer identifies an SMP kernel. An SMP kernel stores the
//! core number in bits 24 to 31 of every id, but any kernel accepts user events
//! of any number, so these bits can also belong to a number.

use super::entry_survey::EntrySurvey;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Catalogue, Diagnostic, DiagnosticKind, EventIndex, EventKindId};
use rtoscope_wire::threadx::BufferLayout;
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

/// SMP kernels store the core number in bits 24 to 31 of an id.
pub(crate) const CORE_SHIFT: u32 = 24;

/// The bits of an id that contain the event number of an SMP kernel.
const NUMBER_MASK: u32 = (1 << CORE_SHIFT) - 1;

/// Splits an SMP kernel's id into the core and the event number.
#[inline(always)]
pub(crate) fn split_id(id: u32) -> (u8, EventKindId) {
    ((id >> CORE_SHIFT) as u8, EventKindId(id & NUMBER_MASK))
}

/// Maximum number of cores of any ThreadX SMP port (`TX_THREAD_SMP_MAX_CORES`).
const MAX_CORES: u8 = 32;

/// Decides the interpretation of ids. Returns the cores that recorded events, and whether ids
/// have core numbers.
pub(super) fn settle_core_bits(
    layout: BufferLayout,
    survey: &EntrySurvey<'_>,
    catalogue: &Catalogue,
    bits: CoreBits,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<u8>, bool) {
    let cores = survey.cores.to_vec();
    if matches!(cores.as_slice(), [] | [0]) {
        return (cores, false);
    }
    let is_smp = match bits {
        CoreBits::Smp => true,
        CoreBits::SingleCore => false,
        CoreBits::Detect => guess_smp(layout, survey, catalogue, diagnostics),
    };
    (if is_smp { cores } else { vec![0] }, is_smp)
}

fn guess_smp(
    layout: BufferLayout,
    survey: &EntrySurvey<'_>,
    catalogue: &Catalogue,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut evidence = SmpEvidence::default();
    let mut first_odd = None;
    let mut index = 0;
    survey.visit(layout, 0..survey.count, |_, id| {
        let (core, kind) = split_id(id);
        if evidence.add(core, kind, catalogue) == Some(false) {
            first_odd.get_or_insert(EventIndex(index));
        }
        index += 1;
    });
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

    pub(crate) fn extend(&mut self, others: &Self) {
        others
            .to_vec()
            .into_iter()
            .for_each(|core| self.insert(core));
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
