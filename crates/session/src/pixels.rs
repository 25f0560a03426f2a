//! A window divided into pixels.

use crate::query::{Axis, Window};

/// A window divided into pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pixels {
    pub(crate) axis: Axis,
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) width: usize,
}

impl Pixels {
    pub(crate) fn of(window: &Window, width: u32) -> Self {
        Self {
            axis: window.axis,
            from: window.from,
            to: window.to,
            width: width as usize,
        }
    }

    /// Where a pixel begins, and the one before it ends, in the units of the axis.
    #[inline]
    pub(crate) fn edge(&self, pixel: usize) -> f64 {
        if pixel == self.width {
            return self.to;
        }
        self.from + (self.to - self.from) * (pixel as f64 / self.width as f64)
    }

    /// Where the pixels begin, and where the last one ends.
    pub(crate) fn edges(&self) -> impl Iterator<Item = f64> {
        let pixels = *self;
        (0..=self.width).map(move |pixel| pixels.edge(pixel))
    }

    /// A position in pixels from the window's start.
    #[inline]
    pub(crate) fn x(&self, at: f64) -> f32 {
        ((at - self.from) / (self.to - self.from) * self.width as f64) as f32
    }
}
