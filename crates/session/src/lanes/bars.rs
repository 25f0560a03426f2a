//! What a lane's bars show in a window.

use super::Class;
use super::per_axis::PerAxis;
use super::sums::{Lengths, Sums};
use super::track::Track;
use crate::pixels::Pixels;
use std::ops::Range;

/// What a lane's bars show in a window.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bars {
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
    pub(super) what: u32,
    pub(super) class: Class,
}

/// The steps of a lane that reach into a window, as far as the lane goes.
pub(super) fn steps(track: &impl Track, pixels: &Pixels, end: u64) -> Range<usize> {
    if pixels.to <= 0.0 || pixels.from >= end as f64 {
        return 0..0;
    }
    let first = track.until(pixels.axis, pixels.from).saturating_sub(1);
    let last = track.until(pixels.axis, pixels.to);
    first..last.max(first)
}

/// What bars show, one by one if there are at most `most`. `end` is where the
/// last step ends; `kept` keeps the sums over what the track stands for, whatever
/// of it is shown.
pub(super) fn bars(
    track: &impl Track,
    kept: &PerAxis<Sums>,
    pixels: &Pixels,
    end: u64,
    most: usize,
    has_isr_layer: bool,
) -> Bars {
    let steps = steps(track, pixels, end);
    if steps.len() <= most {
        return Bars::Listed(listed(track, pixels, end, steps).collect());
    }
    let axis = pixels.axis;
    let sums = kept.get(axis, || Sums::of(track, axis, end));
    binned(track, sums, pixels, end, has_isr_layer)
}

fn listed<'t>(
    track: &'t impl Track,
    pixels: &'t Pixels,
    end: u64,
    steps: Range<usize>,
) -> impl Iterator<Item = Bar> + 't {
    steps.filter_map(move |step| {
        let class = track.shown(track.class(step));
        let next = if step + 1 < track.len() {
            track.position(pixels.axis, step + 1)
        } else {
            end
        };
        let start = track.position(pixels.axis, step);
        let is_seen = class != Class::NOTHING && start < next;
        is_seen.then(|| Bar {
            start: pixels.x((start as f64).max(pixels.from)),
            end: pixels.x((next as f64).min(pixels.to)),
            event: track.event(step),
            what: track.what(step),
            class,
        })
    })
}

fn binned(track: &impl Track, sums: &Sums, pixels: &Pixels, end: u64, has_isr_layer: bool) -> Bars {
    let mut class = vec![Class::NOTHING.0; pixels.width];
    let mut busy = vec![0; pixels.width];
    let mut isr = has_isr_layer.then(|| vec![0; pixels.width]);
    let mut from = pixels.from.max(0.0);
    let mut kept = sums.find(0, 0, from);
    let mut inside = 0;
    let mut before: Lengths = [0.0; Class::COUNT];
    let mut behind = before;
    sums.before(track, kept, from, &mut before);
    for pixel in 0..pixels.width {
        let to = pixels.edge(pixel + 1).min(end as f64);
        if to <= from {
            continue;
        }
        let begins = kept;
        kept = sums.find(begins, begins + inside, to);
        inside = kept - begins;
        sums.before(track, kept, to, &mut behind);
        let whole = to - from;
        // However little it is, it is something.
        let share = |part: f64| match (part / whole * 255.0).round().clamp(0.0, 255.0) as u8 {
            0 if part > 0.0 => 1,
            share => share,
        };
        let mut most = (0.0, Class::NOTHING);
        let (mut nothing, mut executes, mut interrupts) = (0.0, 0.0, 0.0);
        for ((class, before), behind) in sums.classes.iter().zip(&before).zip(&behind) {
            let here = track.shown(*class);
            let length = behind - before;
            if here == Class::NOTHING {
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
    Bars::Binned { class, busy, isr }
}
