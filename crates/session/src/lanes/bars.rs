//! What a lane's bars show in a window.

use super::BarClass;
use super::per_axis::PerAxis;
use super::prefix_sums::{ClassLengths, PrefixSums};
use super::track::Track;
use crate::pixels::Pixels;
use std::ops::Range;

/// What a lane's bars show in a window.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LaneBars {
    /// One by one.
    Listed(Vec<Bar>),
    /// By pixel.
    Binned {
        /// What takes most of each.
        class: Vec<u8>,
        /// The part of each in which something executes, or a machine is in a
        /// state, 0 to 255.
        busy: Vec<u8>,
        /// The same for interrupts; of cores only.
        isr: Option<Vec<u8>>,
    },
}

/// A bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bar {
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) event: u32,
    pub(super) subject: u32,
    pub(super) class: BarClass,
}

/// The steps of a lane that reach into a window, as far as the lane goes.
pub(super) fn steps_in_window(track: &impl Track, pixels: &Pixels, end: u64) -> Range<usize> {
    if pixels.end <= 0.0 || pixels.start >= end as f64 {
        return 0..0;
    }
    let first = track
        .steps_until(pixels.axis, pixels.start)
        .saturating_sub(1);
    let last = track.steps_until(pixels.axis, pixels.end);
    first..last.max(first)
}

/// What bars show, one by one if there are at most `most`. `end` is where the
/// last step ends; `kept` keeps the sums over what the track stands for, whatever
/// of it is shown.
pub(super) fn lane_bars(
    track: &impl Track,
    kept: &PerAxis<PrefixSums>,
    pixels: &Pixels,
    end: u64,
    most: usize,
    has_isr_layer: bool,
) -> LaneBars {
    let steps = steps_in_window(track, pixels, end);
    if steps.len() <= most {
        return LaneBars::Listed(listed_bars(track, pixels, end, steps).collect());
    }
    let axis = pixels.axis;
    let sums = kept.get(axis, || PrefixSums::of(track, axis, end));
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
        let next = if step + 1 < track.len() {
            track.position(pixels.axis, step + 1)
        } else {
            end
        };
        let start = track.position(pixels.axis, step);
        let is_seen = class != BarClass::NOTHING && start < next;
        is_seen.then(|| Bar {
            start: pixels.x((start as f64).max(pixels.start)),
            end: pixels.x((next as f64).min(pixels.end)),
            event: track.event(step),
            subject: track.subject(step),
            class,
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
    let mut behind = before;
    sums.lengths_before(track, kept, from, &mut before);
    for pixel in 0..pixels.width {
        let to = pixels.edge(pixel + 1).min(end as f64);
        if to <= from {
            continue;
        }
        let begins = kept;
        kept = sums.find_sample(begins, begins + inside, to);
        inside = kept - begins;
        sums.lengths_before(track, kept, to, &mut behind);
        let whole = to - from;
        // However little it is, it is something.
        let share = |part: f64| match (part / whole * 255.0).round().clamp(0.0, 255.0) as u8 {
            0 if part > 0.0 => 1,
            share => share,
        };
        let mut most = (0.0, BarClass::NOTHING);
        let (mut nothing, mut executes, mut interrupts) = (0.0, 0.0, 0.0);
        for ((class, before), behind) in sums.classes.iter().zip(&before).zip(&behind) {
            let here = track.visible_class(*class);
            let length = behind - before;
            if here == BarClass::NOTHING {
                nothing += length;
            } else if length > most.0 {
                most = (length, here);
            }
            executes += if here.is_busy() { length } else { 0.0 };
            interrupts += if here.is_isr() { length } else { 0.0 };
        }
        if let Some(class) = class.get_mut(pixel)
            && most.0 >= nothing
        {
            *class = most.1.0;
        }
        if let Some(busy) = busy.get_mut(pixel) {
            *busy = share(executes);
        }
        if let Some(isr) = isr.as_mut().and_then(|isr| isr.get_mut(pixel)) {
            *isr = share(interrupts);
        }
        std::mem::swap(&mut before, &mut behind);
        from = to;
    }
    LaneBars::Binned { class, busy, isr }
}
