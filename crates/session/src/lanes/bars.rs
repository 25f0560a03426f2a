//! Bars of a lane in a window.

use super::BarClass;
use super::per_axis::PerAxis;
use super::prefix_sums::{ClassLengths, PrefixSums};
use super::track::Track;
use crate::axis::Pixels;
use std::ops::Range;

/// The bars of a lane in a window.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LaneBars {
    /// Individual bars.
    Listed(Vec<Bar>),
    /// Aggregated by pixel.
    Binned {
        /// The class with the largest share of each pixel.
        class: Vec<u8>,
        /// The share of each pixel in which the lane is busy, or a machine is in a
        /// known state, 0 to 255.
        busy: Vec<u8>,
        /// The same for interrupts; core lanes only.
        isr: Option<Vec<u8>>,
    },
}

/// A bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bar {
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) event: u32,
    pub(crate) subject: u32,
    pub(crate) class: BarClass,
    /// The step of the track.
    pub(crate) step: usize,
}

/// The steps of a lane that overlap a window, clipped to the end of the lane.
pub(crate) fn steps_in_window(track: &impl Track, pixels: &Pixels, end: u64) -> Range<usize> {
    if pixels.end <= 0.0 || pixels.start >= end as f64 {
        return 0..0;
    }
    let first = track
        .steps_until(pixels.axis, pixels.start)
        .saturating_sub(1);
    let last = track.steps_until(pixels.axis, pixels.end);
    first..last.max(first)
}

/// The bars of a window: individual ones if there are at most `limit`. `end` is where
/// the last step ends; `cache` holds the prefix sums of the unfiltered track.
pub(crate) fn lane_bars(
    track: &impl Track,
    cache: &PerAxis<PrefixSums>,
    pixels: &Pixels,
    end: u64,
    limit: usize,
    has_isr_layer: bool,
) -> LaneBars {
    let steps = steps_in_window(track, pixels, end);
    if steps.len() <= limit {
        return LaneBars::Listed(listed_bars(track, pixels, end, steps).collect());
    }
    let axis = pixels.axis;
    let sums = cache.get(axis, || PrefixSums::of(track, axis, end));
    binned_bars(track, sums, pixels, end, has_isr_layer)
}

fn listed_bars<'t>(
    track: &'t impl Track,
    pixels: &'t Pixels,
    end: u64,
    steps: Range<usize>,
) -> impl Iterator<Item = Bar> + 't {
    steps.filter_map(move |step| {
        let class = track.visible_class(track.class(step));
        let next = track.end_position(pixels.axis, step, end);
        let start = track.position(pixels.axis, step);
        let is_seen = class != BarClass::NOTHING && start < next;
        is_seen.then(|| Bar {
            start: pixels.x((start as f64).max(pixels.start)),
            end: pixels.x((next as f64).min(pixels.end)),
            event: track.event(step),
            subject: track.subject(step),
            class,
            step,
        })
    })
}

fn binned_bars(
    track: &impl Track,
    sums: &PrefixSums,
    pixels: &Pixels,
    end: u64,
    has_isr_layer: bool,
) -> LaneBars {
    let mut class = vec![BarClass::NOTHING.0; pixels.width];
    let mut busy = vec![0; pixels.width];
    let mut isr = has_isr_layer.then(|| vec![0; pixels.width]);
    let mut from = pixels.start.max(0.0);
    let mut kept = sums.find_sample(0, 0, from);
    let mut inside = 0;
    let mut before: ClassLengths = [0.0; BarClass::COUNT];
    let mut after = before;
    sums.lengths_before(track, kept, from, &mut before);
    for pixel in 0..pixels.width {
        let to = pixels.edge(pixel + 1).min(end as f64);
        if to <= from {
            continue;
        }
        let begins = kept;
        kept = sums.find_sample(begins, begins + inside, to);
        inside = kept - begins;
        sums.lengths_before(track, kept, to, &mut after);
        let whole = to - from;
        // Any nonzero share stays visible.
        let share = |part: f64| match (part / whole * 255.0).round().clamp(0.0, 255.0) as u8 {
            0 if part > 0.0 => 1,
            share => share,
        };
        let mut largest = (0.0, BarClass::NOTHING);
        let (mut nothing, mut executes, mut interrupts) = (0.0, 0.0, 0.0);
        for ((class, before), after) in sums.classes.iter().zip(&before).zip(&after) {
            let here = track.visible_class(*class);
            let length = after - before;
            if here == BarClass::NOTHING {
                nothing += length;
            } else if length > largest.0 {
                largest = (length, here);
            }
            executes += if here.is_busy() { length } else { 0.0 };
            interrupts += if here.is_isr() { length } else { 0.0 };
        }
        if let Some(class) = class.get_mut(pixel)
            && largest.0 >= nothing
        {
            *class = largest.1.0;
        }
        if let Some(busy) = busy.get_mut(pixel) {
            *busy = share(executes);
        }
        if let Some(isr) = isr.as_mut().and_then(|isr| isr.get_mut(pixel)) {
            *isr = share(interrupts);
        }
        std::mem::swap(&mut before, &mut after);
        from = to;
    }
    LaneBars::Binned { class, busy, isr }
}
