//! A window divided into pixels.

use crate::query::{Axis, Window};

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

    /// Where a pixel begins, and the one before it ends, in the units of the axis.
    #[inline]
    pub(crate) fn edge(&self, pixel: usize) -> f64 {
        if pixel == self.width {
            return self.end;
        }
        self.start + (self.end - self.start) * (pixel as f64 / self.width as f64)
    }

    /// Where the pixels begin, and where the last one ends.
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
