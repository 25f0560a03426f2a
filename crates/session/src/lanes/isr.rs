//! Tracks of individual interrupt service routines.

use super::BarClass;
use super::track::{LaneStep, StepTrack};
use crate::index::events_by_context::EventsByContext;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::schedule::{IsrActivation, RunningContext, Schedule};
use rtoscope_trace::{Contexts, Ticks};
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
        totals.entry(isr_key(&activation)).or_default();
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
        let on_core = |activation: &IsrActivation| activation.core == slices.core;
        let mut begins = schedule.activations.iter().filter(on_core).peekable();
        let mut open: Vec<IsrActivation> = Vec::new();
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
pub(crate) type IsrTracks = BTreeMap<IsrKey, StepTrack>;

pub(crate) fn tracks(schedule: &Schedule, postings: &EventsByContext) -> IsrTracks {
    let mut tracks = IsrTracks::new();
    for slices in &schedule.cores {
        let followers = slices.slices.iter().skip(1).map(|next| next.event.0);
        let followers = followers.map(Some).chain([None]);
        for ((slice, end), next) in slices.iter().zip(followers) {
            let RunningContext::Isr(id) = slice.running.running_context() else {
                continue;
            };
            let Some(activation) = schedule.activations.get(id.index()) else {
                continue;
            };
            let track = tracks.entry(isr_key(&activation)).or_default();
            let mut add = |start: Ticks, event, class| {
                let step = LaneStep {
                    start: start.0,
                    event,
                    subject: id.0,
                    class,
                    owns_event: class == BarClass::RUNNING,
                };
                // The next state starts at the same time as this one and replaces it.
                track.push_over(step, |last| last.class != BarClass::RUNNING);
            };
            add(slice.start, slice.event.0, BarClass::RUNNING);
            let (event, then) = match next {
                // The interrupting event does not belong to the interrupted routine.
                Some(next) if activation.end > end => {
                    (next.saturating_sub(1), BarClass::INTERRUPTED)
                }
                _ => (activation.last.0, BarClass::NOTHING),
            };
            add(end, event, then);
        }
    }
    attribute(schedule, postings, |routine, event| {
        tracks.entry(routine).or_default().events.push(event);
    });
    tracks.values_mut().for_each(StepTrack::shrink_to_fit);
    tracks
}
