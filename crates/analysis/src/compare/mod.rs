//! Comparison of recordings: the figures of their reports side by side, and which of them
//! changed.

mod comparison;
mod figures;
mod rank_test;

pub use comparison::{ComparedFigure, Comparison, ComparisonDocument, Subject, Verdict};
pub use figures::{Baseline, Figure, FigureUnit, RecordingFigures};
