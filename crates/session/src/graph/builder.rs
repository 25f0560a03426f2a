//! A curve as it is put together.

use crate::response::Graph;

/// A curve as it is put together, point by point. What goes on as before takes
/// no point, and of two values at one place the later counts.
#[derive(Debug, Default)]
pub(super) struct GraphBuilder {
    positions: Vec<f64>,
    values: Vec<Option<(f64, f64)>>,
}

impl GraphBuilder {
    /// From there on the value is that: the lowest and the highest.
    pub(super) fn push(&mut self, at: f64, value: Option<(f64, f64)>) {
        if self.positions.last() == Some(&at) {
            self.positions.pop();
            self.values.pop();
        }
        if self.values.last() != Some(&value) {
            self.positions.push(at);
            self.values.push(value);
        }
    }

    /// The curve; nothing is known of it from `end` on.
    pub(super) fn finish(mut self, end: Option<f64>, limit: Option<f64>) -> Graph {
        if let Some(end) = end {
            while self.positions.last().is_some_and(|at| *at > end) {
                self.positions.pop();
                self.values.pop();
            }
            self.push(end, None);
        }
        let part = |of: fn((f64, f64)) -> f64| {
            let values = self.values.iter().copied();
            values.map(|value| value.map(of)).collect()
        };
        Graph {
            min: part(|(low, _)| low),
            max: part(|(_, high)| high),
            positions: self.positions,
            limit,
        }
    }
}
