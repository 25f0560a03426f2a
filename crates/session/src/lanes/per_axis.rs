//! Lazily initialised values per axis.

use crate::query::Axis;
use std::sync::OnceLock;

/// A value for each axis, computed on first use.
#[derive(Debug)]
pub(crate) struct PerAxis<T> {
    time: OnceLock<T>,
    index: OnceLock<T>,
}

impl<T> PerAxis<T> {
    pub(crate) const fn new() -> Self {
        Self {
            time: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    pub(crate) fn get(&self, axis: Axis, make: impl FnOnce() -> T) -> &T {
        let cell = match axis {
            Axis::Time => &self.time,
            Axis::Index => &self.index,
        };
        cell.get_or_init(make)
    }
}
