//! Positions on the two axes, and windows divided into pixels.

use crate::query::{Axis, Window};

/// A time at a tick or between two ticks.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct FractionalTime {
    pub(crate) tick: u64,
    /// The fraction of a tick since then, below 1.
    pub(crate) fraction: f64,
}

impl FractionalTime {
    /// Ticks since another time that is not later.
    pub(crate) fn since(self, other: Self) -> f64 {
        let ticks = self.tick.saturating_sub(other.tick) as f64;
        (ticks + self.fraction - other.fraction).max(0.0)
    }

    /// The time `ticks` (not negative) after `tick`.
    pub(crate) fn after(tick: u64, ticks: f64) -> Self {
        let whole = ticks.floor();
        Self {
            tick: tick.saturating_add(whole as u64),
            fraction: ticks - whole,
        }
    }
}

/// The number of leading indices for which `holds` is true, as
/// `slice::partition_point`.
pub(crate) fn partition_point(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// A window divided into pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pixels {
    pub(crate) axis: Axis,
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) width: usize,
}

impl Pixels {
    pub(crate) fn new(window: &Window, width: u32) -> Self {
        Self {
            axis: window.axis,
            start: window.start,
            end: window.end,
            width: width as usize,
        }
    }

    /// The start of a pixel, and end of the previous one, in units of the axis.
    #[inline]
    pub(crate) fn edge(&self, pixel: usize) -> f64 {
        if pixel == self.width {
            return self.end;
        }
        self.start + (self.end - self.start) * (pixel as f64 / self.width as f64)
    }

    /// The starts of all pixels, and the end of the last one.
    pub(crate) fn edges(&self) -> impl Iterator<Item = f64> {
        let pixels = *self;
        (0..=self.width).map(move |pixel| pixels.edge(pixel))
    }

    /// A position in pixels from the window's start.
    #[inline]
    pub(crate) fn x(&self, at: f64) -> f32 {
        ((at - self.start) / (self.end - self.start) * self.width as f64) as f32
    }
}
