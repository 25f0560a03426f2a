//! The timing file: declared deadlines, pipelines, intervals, hardware and slots.

use super::FileArgs;
use anyhow::Context as _;
use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timing::{IntervalDeclaration, PipelineDeclaration, TimingFile};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The timing declarations of the recordings.
#[derive(Args)]
pub struct TimingArgs {
    /// TOML file that declares deadlines, pipelines, intervals, hardware and slots; default: the file of
    /// the trace with `.timing.toml` appended to its name, if there is one
    #[arg(long, value_name = "FILE", help_heading = "Timing")]
    timing: Option<PathBuf>,

    /// Pipeline whose items are followed: `isr -> queue -> thread within 8ms`, contexts and
    /// the queues or semaphores between them (`thread [fifo 2]`, `[collects]` or `[discards]`
    /// if it has several items at a time); active objects alone; `frame: decode -> show`
    /// for points of interest with the item's number as value; or `user event 4096(info1) ->
    /// user event 4097(info1)` for events with the number as an argument
    #[arg(long, value_name = "CHAIN", help_heading = "Timing", value_parser = PipelineDeclaration::parse)]
    pipeline: Vec<PipelineDeclaration>,

    /// Intervals from one event to another, selected by two filters: `FROM -> TO`, with
    /// `[by thread]`, `[by object]` or `[by info1]` if both ends must have the same one;
    /// `[first]` or `[nested]` if a start while an interval is open does not restart it;
    /// `within 8ms` for a deadline. May be repeated
    #[arg(long, value_name = "FROM -> TO", help_heading = "Timing", value_parser = IntervalDeclaration::parse)]
    interval: Vec<IntervalDeclaration>,
}

/// Declarations that were read.
pub struct Timing {
    /// The file, if there is one.
    path: Option<PathBuf>,
    file: TimingFile,
    /// Those of the command line.
    pipelines: Vec<PipelineDeclaration>,
    intervals: Vec<IntervalDeclaration>,
}

impl TimingArgs {
    /// Whether no option is given.
    pub fn is_empty(&self) -> bool {
        self.timing.is_none() && self.pipeline.is_empty() && self.interval.is_empty()
    }

    /// The timing file that an option names.
    pub fn file(&self) -> Option<&Path> {
        self.timing.as_deref()
    }

    /// Reads the declarations for a recording, if there are any.
    ///
    /// # Errors
    ///
    /// If the timing file cannot be read or has a mistake.
    pub fn read(&self, recording: &FileArgs) -> anyhow::Result<Option<Timing>> {
        let beside = || {
            let mut name = OsString::from(recording.path()?);
            name.push(".timing.toml");
            Some(PathBuf::from(name)).filter(|path| path.is_file())
        };
        let path = self.timing.clone().or_else(beside);
        let pipelines = self.pipeline.clone();
        let intervals = self.interval.clone();
        let file = match &path {
            Some(path) => {
                let name = || path.display().to_string();
                let text = std::fs::read_to_string(path).with_context(name)?;
                TimingFile::parse(&text).with_context(name)?
            }
            None if pipelines.is_empty() && intervals.is_empty() => return Ok(None),
            None => TimingFile::default(),
        };
        Ok(Some(Timing {
            path,
            file,
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
        let applied = recording.apply_timing(&self.file);
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
