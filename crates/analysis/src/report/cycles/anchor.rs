//! What the cycles of a recording begin with.

use super::times::CycleTimes;
use crate::PackedVec;
use crate::markers::MarkerId;
use crate::naming::find_named;
use crate::report::View;
use crate::report::markers::marker_activations;
use crate::report::periods::{
    Activation, ActivationSource, ActivationStream, regular_period, thread_and_isr_streams,
};
use rtoscope_trace::{ContextId, Ticks};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Maximum number of sources whose cycles are compared.
const MAX_COMPARED: usize = 8;
/// Maximum number of cycles of each of them that are compared.
const MAX_COMPARED_CYCLES: usize = 4096;
/// Cycles are equally regular if their spreads differ by less than this part of a period.
const SPREAD_PARTS: u128 = 20;

/// A source whose activations begin cycles; of equally regular ones, the first kind is
/// preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CycleAnchor {
    /// An interrupt service routine.
    Isr(u32),
    /// A marker.
    Marker(MarkerId),
    /// A thread.
    Thread(ContextId),
}

impl CycleAnchor {
    /// Its kind: `interrupt`, `marker` or `thread`.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Isr(_) => "interrupt",
            Self::Marker(_) => "marker",
            Self::Thread(_) => "thread",
        }
    }

    /// Its display name.
    pub fn name(self, view: &View<'_>) -> String {
        match self {
            Self::Isr(number) => view.schedule.isr_name(Some(number)),
            Self::Marker(marker) => view.markers.name(marker).to_owned(),
            Self::Thread(thread) => view.trace.context_name(thread),
        }
    }
}

/// The anchor with a name.
///
/// # Errors
///
/// If nothing has the name, or several sources; the error describes it.
pub fn find_anchor(view: &View<'_>, name: &str) -> Result<CycleAnchor, String> {
    let streams = thread_and_isr_streams(view);
    let all = candidates(view, &streams);
    let named = all.iter().map(|it| (it.anchor, it.anchor.name(view)));
    find_named("handler, thread or marker", named, name)
}

/// The names of what cycles can begin with.
pub fn anchor_names(view: &View<'_>) -> Vec<String> {
    let streams = thread_and_isr_streams(view);
    let names = candidates(view, &streams)
        .into_iter()
        .map(|it| it.anchor.name(view));
    let names: BTreeSet<_> = names.collect();
    names.into_iter().collect()
}

/// A source with its activations.
pub(super) struct Candidate<'s> {
    pub(super) anchor: CycleAnchor,
    /// Its activations, all on one core if it is a handler.
    pub(super) activations: Cow<'s, PackedVec<Activation>>,
    /// The median period, if it is periodic.
    pub(super) period: Option<Ticks>,
}

impl<'s> Candidate<'s> {
    /// `None` if it was not activated at least twice.
    fn new(anchor: CycleAnchor, activations: Cow<'s, PackedVec<Activation>>) -> Option<Self> {
        (activations.len() > 1).then(|| Self {
            anchor,
            period: regular_period(&activations),
            activations,
        })
    }

    /// The chosen source with the times of its cycles: the given one, or the periodic one
    /// whose cycles resemble each other most.
    pub(super) fn chosen(
        view: &View<'_>,
        anchor: Option<CycleAnchor>,
        streams: &'s [ActivationStream],
    ) -> Option<(Self, CycleTimes)> {
        let mut all = candidates(view, streams);
        if let Some(anchor) = anchor {
            let found = all.into_iter().find(|it| it.anchor == anchor)?;
            let times = CycleTimes::of(view, found.activations.iter());
            return Some((found, times));
        }
        all.retain(|it| it.period.is_some());
        all.sort_by_key(|it| it.anchor);
        all.truncate(MAX_COMPARED);
        let compared = all.into_iter().filter_map(|it| {
            let period = it.period?;
            let times = CycleTimes::of(view, it.activations.range(0..MAX_COMPARED_CYCLES));
            let parts = u128::from(times.spread()) * SPREAD_PARTS / u128::from(period.0.max(1));
            Some((parts, it))
        });
        let best = compared.min_by_key(|(parts, it)| (*parts, it.anchor));
        let (_, found) = best?;
        let times = CycleTimes::of(view, found.activations.iter());
        Some((found, times))
    }
}

/// The handlers, markers and threads of the scope that were activated at least twice.
fn candidates<'s>(view: &View<'_>, streams: &'s [ActivationStream]) -> Vec<Candidate<'s>> {
    let isrs = streams.iter().filter_map(|stream| {
        let ActivationSource::Isr(Some(number)) = stream.source else {
            return None;
        };
        let all = &stream.activations;
        let core = all.get(0)?.core;
        let activations = match all.iter().all(|it| it.core == core) {
            true => Cow::Borrowed(all),
            false => Cow::Owned(all.iter().filter(|it| it.core == core).collect()),
        };
        Candidate::new(CycleAnchor::Isr(number), activations)
    });
    let markers = marker_activations(view).into_iter().zip(0..);
    let markers = markers.filter_map(|(activations, marker)| {
        Candidate::new(
            CycleAnchor::Marker(MarkerId(marker)),
            Cow::Owned(activations),
        )
    });
    let threads = streams.iter().filter_map(|stream| {
        let ActivationSource::Thread(thread) = stream.source else {
            return None;
        };
        Candidate::new(
            CycleAnchor::Thread(thread),
            Cow::Borrowed(&stream.activations),
        )
    });
    isrs.chain(markers).chain(threads).collect()
}
