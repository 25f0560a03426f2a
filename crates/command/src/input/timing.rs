//! Declared timing: deadlines, pipelines, intervals, hardware and slots.

use super::DecodeArgs;
use crate::config_file;
use anyhow::Context as _;
use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timing::{IntervalDeclaration, PipelineDeclaration, TimingDeclarations};
use std::path::{Path, PathBuf};

/// The timing declarations of the recordings.
#[derive(Args)]
pub struct TimingArgs {
    /// Pipeline whose items are followed: `isr -> queue -> thread within 8ms`
    ///
    /// Contexts and the queues or semaphores between them (`thread [fifo 2]`, `[collects]` or `[discards]`
    /// if it has several items at a time); active objects alone; `frame: decode -> show`
    /// for points of interest with the item's number as value; or `user event 4096(info1) ->
    /// user event 4097(info1)` for events with the number as an argument
    #[arg(long, value_name = "CHAIN", help_heading = "Timing", value_parser = PipelineDeclaration::parse)]
    pipeline: Vec<PipelineDeclaration>,

    /// Intervals from one event to another, selected by two filters; repeatable
    ///
    /// `[by thread]`, `[by object]` or `[by info1]` if both ends must have the same one;
    /// `[first]` or `[nested]` if a start while an interval is open does not restart it;
    /// `within 8ms` for a deadline.
    #[arg(long, value_name = "FROM -> TO", help_heading = "Timing", value_parser = IntervalDeclaration::parse)]
    interval: Vec<IntervalDeclaration>,
}

/// Declarations that were read.
pub struct Timing {
    /// The file, if there is one.
    path: Option<PathBuf>,
    declarations: TimingDeclarations,
    /// Those of the command line.
    pipelines: Vec<PipelineDeclaration>,
    intervals: Vec<IntervalDeclaration>,
}

impl TimingArgs {
    /// Whether no option is given.
    pub fn is_empty(&self) -> bool {
        self.pipeline.is_empty() && self.interval.is_empty()
    }

    /// Reads the declarations for recordings, if there are any.
    ///
    /// # Errors
    ///
    /// If the project's file cannot be read or has a mistake.
    pub fn read(&self, decode: &DecodeArgs) -> anyhow::Result<Option<Timing>> {
        let path = decode.config_file();
        let pipelines = self.pipeline.clone();
        let intervals = self.interval.clone();
        let declarations = match path {
            Some(path) => config_file::read_timing(path)?,
            None => TimingDeclarations::default(),
        };
        if declarations.is_empty() && self.is_empty() {
            return Ok(None);
        }
        Ok(Some(Timing {
            path: path.map(Path::to_owned),
            declarations,
            pipelines,
            intervals,
        }))
    }
}

impl Timing {
    /// Applies the declarations to a recording.
    ///
    /// # Errors
    ///
    /// If the declarations do not fit the trace.
    pub fn apply(&self, recording: &mut AnalyzedRecording) -> anyhow::Result<()> {
        let applied = recording.apply_timing(&self.declarations);
        match &self.path {
            Some(path) => applied.with_context(|| path.display().to_string())?,
            None => applied?,
        }
        for pipeline in &self.pipelines {
            let added = recording.add_pipeline(pipeline);
            let added = added.map_err(anyhow::Error::msg);
            added.with_context(|| format!("--pipeline {:?}", pipeline.name))?;
        }
        for declared in &self.intervals {
            let added = recording.add_intervals(declared);
            let added = added.map_err(anyhow::Error::msg);
            added.with_context(|| format!("--interval {:?}", declared.name))?;
        }
        Ok(())
    }
}
