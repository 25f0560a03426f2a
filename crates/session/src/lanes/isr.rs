//! Tracks of individual interrupt service routines.

use super::BarClass;
use super::track::Track;
use crate::index::events_by_context::EventsByContext;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::schedule::{IsrActivation, RunningContext, Schedule};
use rtoscope_trace::Contexts;
use std::collections::BTreeMap;

/// An interrupt service routine: the core that runs it, and its number, if the
/// application gave it one.
pub(crate) type IsrKey = (u8, Option<u32>);

/// Number of events and self time in ticks of each routine, including routines without
/// any.
pub(crate) fn totals(
    recording: &AnalyzedRecording,
    postings: &EventsByContext,
) -> BTreeMap<IsrKey, (u32, u64)> {
    let mut totals: BTreeMap<IsrKey, (u32, u64)> = BTreeMap::new();
    for core in recording.whole.cpu_times.iter() {
        for (number, ticks) in &core.isrs {
            totals.entry((core.core, *number)).or_default().1 += ticks;
        }
    }
    for activation in &recording.schedule.activations {
        totals.entry(isr_key(activation)).or_default();
    }
    attribute(&recording.schedule, postings, |routine, _| {
        totals.entry(routine).or_default().0 += 1;
    });
    totals
}

fn isr_key(activation: &IsrActivation) -> IsrKey {
    (activation.core, activation.number)
}

/// Calls `visit` with the innermost active routine for each interrupt event, core by
/// core, in the order of events.
fn attribute(schedule: &Schedule, postings: &EventsByContext, mut visit: impl FnMut(IsrKey, u32)) {
    for (place, slices) in schedule.cores.iter().enumerate() {
        let on_core = |activation: &&IsrActivation| activation.core == slices.core;
        let mut begins = schedule.activations.iter().filter(on_core).peekable();
        let mut open: Vec<&IsrActivation> = Vec::new();
        for event in postings.on_core(Contexts::INTERRUPT, place) {
            while let Some(next) = begins.next_if(|next| next.first.0 <= *event) {
                open.push(next);
            }
            while open.last().is_some_and(|last| last.last.0 < *event) {
                open.pop();
            }
            if let Some(innermost) = open.last() {
                visit(isr_key(innermost), *event);
            }
        }
    }
}

/// The track of each routine.
#[derive(Debug, Default)]
pub(crate) struct IsrTracks(BTreeMap<IsrKey, IsrTrack>);

/// The track of a routine.
#[derive(Debug, Default)]
pub(crate) struct IsrTrack {
    steps: Vec<IsrStep>,
    /// Numbers of the events that it logged, in ascending order.
    pub(crate) events: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct IsrStep {
    start: u64,
    event: u32,
    /// The activation; the two highest bits hold the state.
    state_and_activation: u32,
}

const ACTIVATION_MASK: u32 = (1 << 30) - 1;
const NOTHING: u32 = 0;
const RUNNING: u32 = 1 << 30;
const INTERRUPTED: u32 = 2 << 30;

impl IsrTracks {
    pub(crate) fn of(schedule: &Schedule, postings: &EventsByContext) -> Self {
        let mut tracks: BTreeMap<IsrKey, IsrTrack> = BTreeMap::new();
        let activations = &schedule.activations;
        for slices in &schedule.cores {
            let followers = slices.slices.iter().skip(1).map(|next| next.event.0);
            let followers = followers.map(Some).chain([None]);
            for ((slice, end), next) in slices.iter().zip(followers) {
                let RunningContext::Isr(id) = slice.running.running_context() else {
                    continue;
                };
                let Some(activation) = activations.get(id.index()) else {
                    continue;
                };
                let track = tracks.entry(isr_key(activation)).or_default();
                track.add(
                    slice.start.0,
                    slice.event.0,
                    RUNNING | id.0 & ACTIVATION_MASK,
                );
                let (event, then) = match next {
                    // The interrupting event does not belong to the interrupted
                    // routine.
                    Some(next) if activation.end > end => (next.saturating_sub(1), INTERRUPTED),
                    _ => (activation.last.0, NOTHING),
                };
                track.add(end.0, event, then | id.0 & ACTIVATION_MASK);
            }
        }
        attribute(schedule, postings, |routine, event| {
            tracks.entry(routine).or_default().events.push(event);
        });
        for track in tracks.values_mut() {
            track.finish();
        }
        Self(tracks)
    }

    pub(crate) fn get(&self, routine: IsrKey) -> Option<&IsrTrack> {
        self.0.get(&routine)
    }
}

impl IsrTrack {
    fn add(&mut self, start: u64, event: u32, what: u32) {
        let step = IsrStep {
            start,
            event,
            state_and_activation: what,
        };
        match self.steps.last_mut() {
            // The next state starts at the same time as this one and replaces it.
            Some(last)
                if last.start == start
                    && last.state_and_activation & !ACTIVATION_MASK != RUNNING =>
            {
                *last = step;
            }
            _ => self.steps.push(step),
        }
    }

    /// Makes the track start at the start of the trace.
    fn finish(&mut self) {
        let begins = self.steps.first().is_none_or(|first| first.start > 0);
        if begins {
            self.steps.insert(
                0,
                IsrStep {
                    start: 0,
                    event: 0,
                    state_and_activation: NOTHING,
                },
            );
        }
        self.steps.shrink_to_fit();
    }

    fn state_word(&self, step: usize) -> u32 {
        self.steps
            .get(step)
            .map_or(NOTHING, |step| step.state_and_activation)
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
    fn class(&self, step: usize) -> BarClass {
        match self.state_word(step) & !ACTIVATION_MASK {
            RUNNING => BarClass::RUNNING,
            INTERRUPTED => BarClass::INTERRUPTED,
            _ => BarClass::NOTHING,
        }
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        self.state_word(step) & ACTIVATION_MASK
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        self.class(step) == BarClass::RUNNING
    }
}
