//! Comparison of recordings: the figures of their reports side by side, and which of them
//! changed.

mod collected;
mod comparison;
mod durations;
mod figures;
mod rank_test;

pub use collected::{CollectedFigures, FigureDetails};
pub use comparison::{ComparedFigure, Comparison, ComparisonDocument, Subject, Verdict};
pub use durations::{Durations, OverlaidBin, OverlaidHistogram};
pub use figures::{Baseline, Figure, FigureUnit, RecordingFigures};
