//! Priority inversions in a window.

use super::binary::TOO_MANY;
use crate::axis::Pixels;
use crate::query::Axis;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::Inversion;
use rtoscope_trace::{ContextId, EventIndex, Ticks, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// Average number of pixels per inversion below which none of them is a mark of its own
/// unless it is wide enough.
const PIXELS_PER_INVERSION: usize = 8;

/// A priority inversion that is distinguishable from its neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InversionMark {
    pub(crate) x: [f32; 2],
    pub(crate) number: u32,
    pub(crate) blocked: u32,
    pub(crate) owner: u32,
    /// 0 no, 1 yes, 2 unknown.
    pub(crate) unbounded: u32,
}

/// The inversions of a context that are too close to each other to distinguish, as
/// shares of the pixels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InversionShares {
    /// The blocked thread or the owner of the mutex; `None` for any context.
    pub(crate) context: Option<ContextId>,
    /// The sum of the parts of each pixel during which an inversion lasts that is not
    /// unbounded or may be either, 255 for the whole pixel and more.
    pub(crate) bounded: Vec<u8>,
    /// The same for unbounded inversions.
    pub(crate) unbounded: Vec<u8>,
}

/// The inversions in a window.
#[derive(Debug, Default)]
pub(crate) struct InversionsInWindow {
    pub(crate) marks: Vec<InversionMark>,
    pub(crate) shares: Vec<InversionShares>,
}

/// The positions of a trace's inversions on an axis, by boundedness.
#[derive(Debug)]
pub(crate) struct InversionIndex([InversionGroup; 3]);

/// The inversions of one boundedness, sorted by start.
#[derive(Debug, Default)]
struct InversionGroup {
    spans: Vec<InversionSpan>,
}

#[derive(Debug, Clone, Copy)]
struct InversionSpan {
    number: u32,
    start: f64,
    end: f64,
    /// Maximum end of this inversion and all before it.
    max_end: f64,
}

impl InversionIndex {
    pub(crate) fn of(trace: &Trace, schedule: &Schedule, axis: Axis) -> Self {
        let mut all = [const { InversionGroup { spans: Vec::new() } }; 3];
        for (number, inversion) in (0..).zip(&schedule.inversions) {
            let start = inversion.first.or(inversion.get);
            let start = position(trace, axis, start, inversion.start);
            let end = position(trace, axis, inversion.last, inversion.end).max(start);
            if let Some(group) = all.get_mut(boundedness(inversion) as usize) {
                group.spans.push(InversionSpan {
                    number,
                    start,
                    end,
                    max_end: end,
                });
            }
        }
        for group in &mut all {
            group
                .spans
                .sort_by(|one, other| one.start.total_cmp(&other.start));
            let mut reach = f64::MIN;
            for place in &mut group.spans {
                reach = reach.max(place.end);
                place.max_end = reach;
            }
        }
        Self(all)
    }

    /// The inversions in a window: those that are distinguishable, and shares of the
    /// others for all contexts together and for each of `contexts` that has some.
    pub(crate) fn in_window(
        &self,
        schedule: &Schedule,
        pixels: &Pixels,
        contexts: &BTreeSet<ContextId>,
    ) -> InversionsInWindow {
        let mut marks = Vec::new();
        let mut sums: BTreeMap<Option<ContextId>, [Vec<f32>; 2]> = BTreeMap::new();
        for (group, is_unbounded) in self.0.iter().zip([false, true, false]) {
            let dense = group.add_marks(&schedule.inversions, pixels, &mut marks);
            for span in dense {
                let x = [pixels.x(span.start), pixels.x(span.end)];
                let Some(inversion) = schedule.inversions.get(span.number as usize) else {
                    continue;
                };
                let own = [Some(&inversion.blocked), inversion.owners.first()];
                let own = own
                    .into_iter()
                    .flatten()
                    .filter(|own| contexts.contains(own));
                for context in own.map(|own| Some(*own)).chain([None]) {
                    let sums = sums
                        .entry(context)
                        .or_insert_with(|| [const { Vec::new() }; 2]);
                    let [bounded, unbounded] = sums;
                    add_share(
                        if is_unbounded { unbounded } else { bounded },
                        x,
                        pixels.width,
                    );
                }
            }
        }
        let shares = sums
            .into_iter()
            .map(|(context, [bounded, unbounded])| InversionShares {
                context,
                bounded: layer(&bounded, pixels.width),
                unbounded: layer(&unbounded, pixels.width),
            });
        InversionsInWindow {
            marks,
            shares: shares.collect(),
        }
    }
}

impl InversionGroup {
    /// Adds the marks of the inversions of a window that are distinguishable, and
    /// returns the others.
    fn add_marks(
        &self,
        inversions: &[Inversion],
        pixels: &Pixels,
        marks: &mut Vec<InversionMark>,
    ) -> Vec<InversionSpan> {
        // Two pixels: one pixel is too narrow to see next to another.
        let pixel = 2.0 * (pixels.end - pixels.start) / pixels.width as f64;
        let mut dense = Vec::new();
        let mut at = self
            .spans
            .partition_point(|place| place.max_end < pixels.start);
        // Among many, short ones would stand out only for being apart by chance.
        let end = self
            .spans
            .partition_point(|place| place.start <= pixels.end);
        let is_crowded = end.saturating_sub(at) > pixels.width / PIXELS_PER_INVERSION;
        while let Some(place) = self.spans.get(at).filter(|place| place.start <= pixels.end) {
            if place.end < pixels.start {
                at += 1;
                continue;
            }
            let Some(inversion) = inversions.get(place.number as usize) else {
                break;
            };
            // All inversions in the pixel that starts here, if none extends beyond it.
            let edge = place.start + pixel;
            let rest = self.spans.get(at..).unwrap_or_default();
            let inside = rest.partition_point(|next| next.start < edge);
            let here = rest.get(..inside).unwrap_or_default();
            let is_dense = inside > 1 || is_crowded;
            if is_dense && here.last().is_some_and(|last| last.max_end <= edge) {
                dense.extend_from_slice(here);
                at += inside;
                continue;
            }
            at += 1;
            let owner = inversion.owners.first().map_or(TOO_MANY, |owner| owner.0);
            marks.push(InversionMark {
                x: [
                    pixels.x(place.start.max(pixels.start)),
                    pixels.x(place.end.min(pixels.end)),
                ],
                number: place.number,
                blocked: inversion.blocked.0,
                owner,
                unbounded: boundedness(inversion),
            });
        }
        dense
    }
}

/// Adds an interval, in pixels, to the shares of the pixels that it covers.
fn add_share(sums: &mut Vec<f32>, [start, end]: [f32; 2], width: usize) {
    sums.resize(width, 0.0);
    let first = (start.max(0.0) as usize).min(width.saturating_sub(1));
    for (pixel, sum) in sums.iter_mut().enumerate().skip(first) {
        let left = pixel as f32;
        if left > end {
            break;
        }
        // An inversion that ends as it starts is visible, too.
        *sum += (end.min(left + 1.0) - start.max(left)).max(f32::EPSILON);
    }
}

/// Shares as a layer by pixel; none of them becomes 0.
fn layer(sums: &[f32], width: usize) -> Vec<u8> {
    if sums.is_empty() {
        return vec![0; width];
    }
    let share = |sum: &f32| (sum * 255.0).ceil().min(255.0) as u8;
    sums.iter().map(share).collect()
}

/// Whether an inversion is unbounded: 0 no, 1 yes, 2 unknown.
fn boundedness(inversion: &Inversion) -> u32 {
    match inversion.unbounded() {
        Some(false) => 0,
        Some(true) => 1,
        None => 2,
    }
}

/// The position of an event, if known, else of its time.
fn position(trace: &Trace, axis: Axis, event: Option<EventIndex>, time: Ticks) -> f64 {
    match (axis, event) {
        (Axis::Time, _) => time.0 as f64,
        (Axis::Index, Some(event)) => f64::from(event.0) + 0.5,
        (Axis::Index, None) => f64::from(trace.events.index_at_or_after(time).0),
    }
}
