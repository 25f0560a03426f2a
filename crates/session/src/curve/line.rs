//! A curve as it is put together.

use crate::answer::Curve;

/// A curve as it is put together, point by point. What goes on as before takes
/// no point, and of two values at one place the later counts.
#[derive(Debug, Default)]
pub(super) struct Line {
    at: Vec<f64>,
    values: Vec<Option<(f64, f64)>>,
}

impl Line {
    /// From there on the value is that: the lowest and the highest.
    pub(super) fn add(&mut self, at: f64, value: Option<(f64, f64)>) {
        if self.at.last() == Some(&at) {
            self.at.pop();
            self.values.pop();
        }
        if self.values.last() != Some(&value) {
            self.at.push(at);
            self.values.push(value);
        }
    }

    /// The curve; nothing is known of it from `end` on.
    pub(super) fn finish(mut self, end: Option<f64>, limit: Option<f64>) -> Curve {
        if let Some(end) = end {
            while self.at.last().is_some_and(|at| *at > end) {
                self.at.pop();
                self.values.pop();
            }
            self.add(end, None);
        }
        let part = |of: fn((f64, f64)) -> f64| {
            let values = self.values.iter().copied();
            values.map(|value| value.map(of)).collect()
        };
        Curve {
            low: part(|(low, _)| low),
            high: part(|(_, high)| high),
            at: self.at,
            limit,
        }
    }
}
