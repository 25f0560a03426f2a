//! Builds a graph point by point.

use crate::response::Graph;

/// Builds a graph point by point. A repeated value adds no point; of two values at one
/// position the later wins.
#[derive(Debug, Default)]
pub(super) struct GraphBuilder {
    positions: Vec<f64>,
    values: Vec<Option<(f64, f64)>>,
}

impl GraphBuilder {
    /// Sets the minimum and maximum from position `at` on.
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

    /// Finishes the graph; the value is unknown from `end` on.
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
