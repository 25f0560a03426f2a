//! Priority inversions in a window.

use super::binary::TOO_MANY;
use crate::axis::Pixels;
use crate::query::Axis;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::Inversion;
use rtoscope_trace::{EventIndex, Ticks, Trace};

/// A priority inversion, or several of the same boundedness that are too close to
/// distinguish.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InversionMark {
    pub(crate) x: [f32; 2],
    /// [`TOO_MANY`] for several.
    pub(crate) number: u32,
    pub(crate) blocked: u32,
    pub(crate) owner: u32,
    /// 0 no, 1 yes, 2 unknown.
    pub(crate) unbounded: u32,
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
            if let Some(strength) = all.get_mut(boundedness(inversion) as usize) {
                strength.spans.push(InversionSpan {
                    number,
                    start,
                    end,
                    max_end: end,
                });
            }
        }
        for strength in &mut all {
            strength
                .spans
                .sort_by(|one, other| one.start.total_cmp(&other.start));
            let mut reach = f64::MIN;
            for place in &mut strength.spans {
                reach = reach.max(place.end);
                place.max_end = reach;
            }
        }
        Self(all)
    }

    /// The marks of inversions in a window.
    pub(crate) fn marks_in_window(
        &self,
        schedule: &Schedule,
        pixels: &Pixels,
    ) -> Vec<InversionMark> {
        let mut shown = Vec::new();
        for strength in &self.0 {
            strength.add_marks_in_window(&schedule.inversions, pixels, &mut shown);
        }
        shown
    }
}

impl InversionGroup {
    fn add_marks_in_window(
        &self,
        inversions: &[Inversion],
        pixels: &Pixels,
        shown: &mut Vec<InversionMark>,
    ) {
        // Two pixels: one pixel is too narrow to see next to another.
        let pixel = 2.0 * (pixels.end - pixels.start) / pixels.width as f64;
        let mut at = self
            .spans
            .partition_point(|place| place.max_end < pixels.start);
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
            let last = rest.get(inside.saturating_sub(1));
            let alone = inside <= 1 || last.is_none_or(|last| last.max_end > edge);
            let end = if alone { place.end } else { edge };
            let x = [
                pixels.x(place.start.max(pixels.start)),
                pixels.x(end.min(pixels.end)),
            ];
            at += if alone { 1 } else { inside };
            if let Some(last) = shown.last_mut()
                && !alone
                && last.number == TOO_MANY
                && last.unbounded == boundedness(inversion)
                && x[0] - last.x[1] < 2.0
            {
                // Merge with the mark of the previous pixel.
                last.x[1] = x[1];
                continue;
            }
            let context = |id: u32| if alone { id } else { TOO_MANY };
            let owner = inversion.owners.first().map_or(TOO_MANY, |owner| owner.0);
            shown.push(InversionMark {
                x,
                number: context(place.number),
                blocked: context(inversion.blocked.0),
                owner: context(owner),
                unbounded: boundedness(inversion),
            });
        }
    }
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
