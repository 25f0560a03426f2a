//! Tracks of interrupts-off sections.

use super::BarClass;
use super::track::Track;
use rtoscope_analysis::schedule::{InterruptsOffSection, Schedule};
use std::collections::BTreeMap;

/// The interrupts-off sections of each core that records them, by core number.
#[derive(Debug, Default)]
pub(crate) struct InterruptsOffTracks(BTreeMap<u8, InterruptsOffTrack>);

/// The interrupts-off sections of a core.
#[derive(Debug, Default)]
pub(crate) struct InterruptsOffTrack(Vec<InterruptsOffStep>);

#[derive(Debug, Clone, Copy)]
struct InterruptsOffStep {
    start: u64,
    event: u32,
    /// The index of the section in the schedule, or [`NOTHING`].
    section: u32,
}

/// Interrupts are enabled, as far as known.
const NOTHING: u32 = u32::MAX;

/// Interrupts-off time in ticks of each core that records it.
pub(crate) fn totals(schedule: &Schedule) -> BTreeMap<u8, u64> {
    let mut totals = BTreeMap::new();
    for section in &schedule.interrupts_off {
        *totals.entry(section.core).or_default() += section.duration().0;
    }
    totals
}

impl InterruptsOffTracks {
    pub(crate) fn of(schedule: &Schedule) -> Self {
        let mut tracks: BTreeMap<u8, InterruptsOffTrack> = BTreeMap::new();
        for (section, number) in schedule.interrupts_off.iter().zip(0..) {
            tracks.entry(section.core).or_default().add(section, number);
        }
        Self(tracks)
    }

    pub(crate) fn get(&self, core: u8) -> Option<&InterruptsOffTrack> {
        self.0.get(&core)
    }
}

impl InterruptsOffTrack {
    fn add(&mut self, section: &InterruptsOffSection, number: u32) {
        let nothing = |start, event| InterruptsOffStep {
            start,
            event,
            section: NOTHING,
        };
        if self.0.is_empty() && section.start.0 > 0 {
            self.0.push(nothing(0, 0));
        }
        self.0.push(InterruptsOffStep {
            start: section.start.0,
            event: section.first.0,
            section: number,
        });
        self.0.push(nothing(section.end.0, section.last.0));
    }
}

impl Track for InterruptsOffTrack {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.0.get(step).map_or(0, |step| step.start)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.0.get(step).map_or(0, |step| step.event)
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        match self.subject(step) {
            NOTHING => BarClass::NOTHING,
            _ => BarClass::INTERRUPTS_OFF,
        }
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        self.0.get(step).map_or(NOTHING, |step| step.section)
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        self.class(step) == BarClass::INTERRUPTS_OFF
    }
}
