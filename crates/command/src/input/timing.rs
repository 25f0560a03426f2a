//! The timing file: declared deadlines, pipelines, hardware and slots.

use super::{DecodeArgs, FileArgs};
use anyhow::Context as _;
use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timing::{PipelineDeclaration, TimingFile};
use std::ffi::OsString;
use std::path::PathBuf;

/// Declarations of timing.
#[derive(Args)]
pub(super) struct TimingArgs {
    /// TOML file that declares deadlines, pipelines, hardware and slots; default: the file of
    /// the trace with `.timing.toml` appended to its name, if there is one
    #[arg(long, value_name = "FILE", help_heading = "Timing")]
    timing: Option<PathBuf>,

    /// Pipeline whose items are followed: `isr -> queue -> thread within 8ms`, contexts and
    /// the queues or semaphores between them; active objects alone; or `frame: decode ->
    /// show` for points of interest with the item's number as value
    #[arg(long, value_name = "CHAIN", help_heading = "Timing", value_parser = PipelineDeclaration::parse)]
    pipeline: Vec<PipelineDeclaration>,
}

/// Declarations that were read.
pub struct Timing {
    /// The file, if there is one.
    path: Option<PathBuf>,
    file: TimingFile,
    /// Those of the command line.
    pipelines: Vec<PipelineDeclaration>,
}

impl DecodeArgs {
    /// Reads the timing file of a recording, if there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be read or has a mistake.
    pub fn timing(&self, recording: &FileArgs) -> anyhow::Result<Option<Timing>> {
        let beside = || {
            let mut name = OsString::from(recording.path()?);
            name.push(".timing.toml");
            Some(PathBuf::from(name)).filter(|path| path.is_file())
        };
        let path = self.timing.timing.clone().or_else(beside);
        let pipelines = self.timing.pipeline.clone();
        let file = match &path {
            Some(path) => {
                let name = || path.display().to_string();
                let text = std::fs::read_to_string(path).with_context(name)?;
                TimingFile::parse(&text).with_context(name)?
            }
            None if pipelines.is_empty() => return Ok(None),
            None => TimingFile::default(),
        };
        Ok(Some(Timing {
            path,
            file,
            pipelines,
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
        Ok(())
    }
}
