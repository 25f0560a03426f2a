//! When cores take no interrupts.

use super::Class;
use super::track::Track;
use rtoscope_analysis::schedule::{Masked, Schedule};
use std::collections::BTreeMap;

/// When each core that says so takes no interrupts, by the core's number.
#[derive(Debug, Default)]
pub(super) struct MaskTracks(BTreeMap<u8, MaskTrack>);

/// When a core takes no interrupts.
#[derive(Debug, Default)]
pub(super) struct MaskTrack(Vec<Step>);

#[derive(Debug, Clone, Copy)]
struct Step {
    start: u64,
    event: u32,
    /// The time among the schedule's, or [`NOTHING`].
    what: u32,
}

/// Interrupts are taken, as far as is known.
const NOTHING: u32 = u32::MAX;

/// The ticks in which each core that says so is known to take no interrupts.
pub(super) fn totals(schedule: &Schedule) -> BTreeMap<u8, u64> {
    let mut totals = BTreeMap::new();
    for masked in &schedule.masked {
        *totals.entry(masked.core).or_default() += masked.duration().0;
    }
    totals
}

impl MaskTracks {
    pub(super) fn of(schedule: &Schedule) -> Self {
        let mut tracks: BTreeMap<u8, MaskTrack> = BTreeMap::new();
        for (masked, number) in schedule.masked.iter().zip(0..) {
            tracks.entry(masked.core).or_default().add(masked, number);
        }
        Self(tracks)
    }

    pub(super) fn get(&self, core: u8) -> Option<&MaskTrack> {
        self.0.get(&core)
    }
}

impl MaskTrack {
    fn add(&mut self, masked: &Masked, number: u32) {
        let nothing = |start, event| Step {
            start,
            event,
            what: NOTHING,
        };
        if self.0.is_empty() && masked.start.0 > 0 {
            self.0.push(nothing(0, 0));
        }
        self.0.push(Step {
            start: masked.start.0,
            event: masked.first.0,
            what: number,
        });
        self.0.push(nothing(masked.end.0, masked.last.0));
    }
}

impl Track for MaskTrack {
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
    fn class(&self, step: usize) -> Class {
        match self.what(step) {
            NOTHING => Class::NOTHING,
            _ => Class::MASKED,
        }
    }

    #[inline]
    fn what(&self, step: usize) -> u32 {
        self.0.get(step).map_or(NOTHING, |step| step.what)
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        self.class(step) == Class::MASKED
    }
}
