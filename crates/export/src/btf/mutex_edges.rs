//! When mutexes are acquired and released.

use rtoscope_analysis::View;
use rtoscope_analysis::timeline::{Label, Text, Track, spans};
use rtoscope_trace::{ContextId, EventIndex, ResourceId, Ticks};

/// A thread acquires or releases a mutex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MutexEdge {
    pub(super) time: Ticks,
    pub(super) event: EventIndex,
    pub(super) is_acquired: bool,
    pub(super) mutex: ResourceId,
    pub(super) owner: ContextId,
}

/// All, in the order of their events.
pub(super) fn mutex_edges(view: &View<'_>) -> Vec<MutexEdge> {
    let mut edges = Vec::new();
    for span in spans(view) {
        let (Track::Mutex(mutex), Text::Label(Label::Context(owner))) = (span.track, span.text)
        else {
            continue;
        };
        let [start, end] = [0, 1].map(|at| MutexEdge {
            time: span.times[at],
            event: span.events[at].unwrap_or_default(),
            is_acquired: at == 0,
            mutex,
            owner,
        });
        // One that only its release shows has no start.
        edges.extend((start.event != end.event).then_some(start));
        edges.push(end);
    }
    edges.sort_unstable();
    edges
}
