//! Comparison with another recording, whose session may be elsewhere: its figures are part of
//! the query.

use crate::query::FigureName;
use crate::session::Session;
use rtoscope_analysis::compare::{
    CollectedFigures, ComparisonDocument, Durations, FigureDetails, OverlaidHistogram,
    RecordingFigures,
};
use std::convert::Infallible;
use std::slice;
use std::sync::Arc;

impl Session {
    fn collected_figures(&self) -> Arc<CollectedFigures> {
        let collected = self.caches.figures.get_or_insert(self.frequency_hz(), |_| {
            let found = CollectedFigures::new(&self.recording.view());
            let bytes = found.memory_bytes();
            Ok::<_, Infallible>((found, bytes))
        });
        match collected {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    pub(crate) fn figures(&self) -> RecordingFigures {
        self.collected_figures().figures(self.name())
    }

    pub(crate) fn comparison(&self, baseline: &RecordingFigures) -> ComparisonDocument {
        ComparisonDocument::new(slice::from_ref(baseline), &[self.figures()])
    }

    pub(crate) fn figure_details(&self, of: &FigureName) -> Option<FigureDetails> {
        let collected = self.collected_figures();
        collected.details(&of.table, &of.subject, &of.figure)
    }

    pub(crate) fn overlaid_histogram(
        &self,
        of: &FigureName,
        baseline: &Durations,
    ) -> Option<OverlaidHistogram> {
        let durations = self.figure_details(of)?.durations?;
        OverlaidHistogram::new(baseline, &durations)
    }
}
