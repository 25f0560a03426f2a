//! What single interrupt service routines do.

use super::Class;
use super::track::Track;
use crate::postings::Postings;
use rtoscope_analysis::Analysis;
use rtoscope_analysis::schedule::{Activation, Executing, Schedule};
use rtoscope_trace::Contexts;
use std::collections::BTreeMap;

/// A routine: the number of the core that executes it, and its own, if the
/// application gave it one.
pub(super) type Routine = (u8, Option<u32>);

/// How many events each routine logged, and ticks in which it executed. Every
/// routine is there, even if no time passed in it.
pub(super) fn totals(analysis: &Analysis, postings: &Postings) -> BTreeMap<Routine, (u32, u64)> {
    let mut totals: BTreeMap<Routine, (u32, u64)> = BTreeMap::new();
    for core in analysis.shares.iter() {
        for (number, ticks) in &core.isrs {
            totals.entry((core.core, *number)).or_default().1 += ticks;
        }
    }
    for activation in &analysis.schedule.activations {
        totals.entry(routine(activation)).or_default();
    }
    attribute(&analysis.schedule, postings, |routine, _| {
        totals.entry(routine).or_default().0 += 1;
    });
    totals
}

fn routine(activation: &Activation) -> Routine {
    (activation.core, activation.number)
}

/// Tells the innermost routine that had begun at each event of
/// an interrupt, core by core in the order of the events.
fn attribute(schedule: &Schedule, postings: &Postings, mut tell: impl FnMut(Routine, u32)) {
    for (place, slices) in schedule.cores.iter().enumerate() {
        let on_core = |activation: &&Activation| activation.core == slices.core;
        let mut begins = schedule.activations.iter().filter(on_core).peekable();
        let mut open: Vec<&Activation> = Vec::new();
        for event in postings.on_core(Contexts::INTERRUPT, place) {
            while let Some(next) = begins.next_if(|next| next.first.0 <= *event) {
                open.push(next);
            }
            while open.last().is_some_and(|last| last.last.0 < *event) {
                open.pop();
            }
            if let Some(innermost) = open.last() {
                tell(routine(innermost), *event);
            }
        }
    }
}

/// What each routine does.
#[derive(Debug, Default)]
pub(super) struct IsrTracks(BTreeMap<Routine, IsrTrack>);

/// What a routine does.
#[derive(Debug, Default)]
pub(super) struct IsrTrack {
    steps: Vec<Step>,
    /// The events that it logged, rising.
    pub(super) events: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    start: u64,
    event: u32,
    /// The activation, and in the highest bits what it does.
    what: u32,
}

const ACTIVATION: u32 = (1 << 30) - 1;
const NOTHING: u32 = 0;
const RUNNING: u32 = 1 << 30;
const INTERRUPTED: u32 = 2 << 30;

impl IsrTracks {
    pub(super) fn of(schedule: &Schedule, postings: &Postings) -> Self {
        let mut tracks: BTreeMap<Routine, IsrTrack> = BTreeMap::new();
        let activations = &schedule.activations;
        for slices in &schedule.cores {
            let followers = slices.all.iter().skip(1).map(|next| next.event.0);
            let followers = followers.map(Some).chain([None]);
            for ((slice, end), next) in slices.iter().zip(followers) {
                let Executing::Isr(id) = slice.who.executing() else {
                    continue;
                };
                let Some(activation) = activations.get(id.index()) else {
                    continue;
                };
                let track = tracks.entry(routine(activation)).or_default();
                track.add(slice.start.0, slice.event.0, RUNNING | id.0 & ACTIVATION);
                let (event, then) = match next {
                    // The event that interrupts it is no longer its own.
                    Some(next) if activation.end > end => (next.saturating_sub(1), INTERRUPTED),
                    _ => (activation.last.0, NOTHING),
                };
                track.add(end.0, event, then | id.0 & ACTIVATION);
            }
        }
        attribute(schedule, postings, |routine, event| {
            tracks.entry(routine).or_default().events.push(event);
        });
        for track in tracks.values_mut() {
            track.settle();
        }
        Self(tracks)
    }

    pub(super) fn get(&self, routine: Routine) -> Option<&IsrTrack> {
        self.0.get(&routine)
    }
}

impl IsrTrack {
    fn add(&mut self, start: u64, event: u32, what: u32) {
        let step = Step { start, event, what };
        match self.steps.last_mut() {
            // What it does next begins where the last step would.
            Some(last) if last.start == start && last.what & !ACTIVATION != RUNNING => *last = step,
            _ => self.steps.push(step),
        }
    }

    /// Begins at the start of the trace.
    fn settle(&mut self) {
        let begins = self.steps.first().is_none_or(|first| first.start > 0);
        if begins {
            self.steps.insert(
                0,
                Step {
                    start: 0,
                    event: 0,
                    what: NOTHING,
                },
            );
        }
        self.steps.shrink_to_fit();
    }

    fn word(&self, step: usize) -> u32 {
        self.steps.get(step).map_or(NOTHING, |step| step.what)
    }
}

impl Track for IsrTrack {
    fn len(&self) -> usize {
        self.steps.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.steps.get(step).map_or(0, |step| step.start)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.steps.get(step).map_or(0, |step| step.event)
    }

    #[inline]
    fn class(&self, step: usize) -> Class {
        match self.word(step) & !ACTIVATION {
            RUNNING => Class::RUNNING,
            INTERRUPTED => Class::INTERRUPTED,
            _ => Class::NOTHING,
        }
    }

    #[inline]
    fn what(&self, step: usize) -> u32 {
        self.word(step) & ACTIVATION
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        self.class(step) == Class::RUNNING
    }
}
