//! Applies the declarations of a file to a recording.

use super::{IntervalDeclaration, TimingDeclarations, TimingError};
use crate::AnalyzedRecording;
use crate::intervals::DeclaredIntervals;
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
        let at = |line| move |message| TimingError { line, message };
        for declared in &timing.deadlines {
            self.add_deadline(declared).map_err(at(declared.line))?;
        }
        for declared in &timing.pipelines {
            self.add_pipeline(declared).map_err(at(declared.line))?;
        }
        for declared in &timing.intervals {
            self.add_intervals(declared).map_err(at(declared.line))?;
        }
        Ok(())
    }

    /// Adds declared intervals.
    ///
    /// # Errors
    ///
    /// If the name is used already, a filter cannot be resolved in the trace, or the clock
    /// lacks a frequency for the deadline; the error describes it.
    pub fn add_intervals(&mut self, declared: &IntervalDeclaration) -> Result<(), String> {
        if self.intervals.iter().any(|it| it.name == declared.name) {
            return Err(format!("the name {:?} is used twice", declared.name));
        }
        let deadline = declared.deadline;
        let deadline = deadline.map(|limit| limit.ticks(&self.trace)).transpose()?;
        let intervals = DeclaredIntervals {
            name: declared.name.clone(),
            definition: declared.definition.clone(),
            deadline,
            series: declared.definition.find(&self.trace)?,
        };
        self.intervals.push(intervals);
        Ok(())
    }
}
