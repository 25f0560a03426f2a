//! Applies the declarations of a file to a recording.

use super::{TimingDeclarations, TimingError};
use crate::AnalyzedRecording;
use crate::markers::MarkerSpan;

impl AnalyzedRecording {
    /// Applies the declarations of a file.
    ///
    /// # Errors
    ///
    /// If a filter cannot be resolved in the trace, a name is unknown or used twice, or
    /// the trace's clock lacks a frequency for a duration.
    pub fn apply_timing(&mut self, timing: &TimingDeclarations) -> Result<(), TimingError> {
        for declaration in &timing.hardware {
            self.add_hardware(declaration)?;
        }
        let first = MarkerSpan::first_event;
        self.markers.spans.sort_by_key(first);
        for schedule in &timing.schedules {
            self.add_schedule(schedule)?;
        }
        for declared in &timing.deadlines {
            let added = self.add_deadline(declared);
            added.map_err(|message| TimingError {
                line: declared.line,
                message,
            })?;
        }
        for declared in &timing.pipelines {
            let added = self.add_pipeline(declared);
            added.map_err(|message| TimingError {
                line: declared.line,
                message,
            })?;
        }
        for declared in &timing.intervals {
            let added = self.add_intervals(declared);
            added.map_err(|message| TimingError {
                line: declared.line,
                message,
            })?;
        }
        Ok(())
    }
}
