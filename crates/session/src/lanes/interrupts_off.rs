//! Tracks of interrupts-off sections.

use super::BarClass;
use super::track::{LaneStep, StepTrack};
use rtoscope_analysis::schedule::Schedule;
use std::collections::BTreeMap;

/// The interrupts-off sections of each core that records them, by core number. The subject of a
/// step is the index of the section in the schedule.
pub(crate) type InterruptsOffTracks = BTreeMap<u8, StepTrack>;

/// Interrupts-off time in ticks of each core that records it.
pub(crate) fn totals(schedule: &Schedule) -> BTreeMap<u8, u64> {
    let mut totals = BTreeMap::new();
    for section in &schedule.interrupts_off {
        *totals.entry(section.core).or_default() += section.duration().0;
    }
    totals
}

pub(crate) fn tracks(schedule: &Schedule) -> InterruptsOffTracks {
    let mut tracks = InterruptsOffTracks::new();
    for (section, number) in schedule.interrupts_off.iter().zip(0..) {
        let track = tracks.entry(section.core).or_default();
        track.push(LaneStep {
            start: section.start.0,
            event: section.first.0,
            subject: number,
            class: BarClass::INTERRUPTS_OFF,
            owns_event: true,
        });
        track.push(LaneStep::nothing(section.end.0, section.last.0));
    }
    tracks
}
