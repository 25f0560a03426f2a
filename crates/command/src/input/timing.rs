//! The timing file: declared deadlines, hardware and slots.

use super::{DecodeArgs, FileArgs};
use anyhow::Context as _;
use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timing::TimingFile;
use std::ffi::OsString;
use std::path::PathBuf;

/// Declarations of timing.
#[derive(Args)]
pub(super) struct TimingArgs {
    /// TOML file that declares deadlines, hardware and slots; default: the file of the trace
    /// with `.timing.toml` appended to its name, if there is one
    #[arg(long, value_name = "FILE", help_heading = "Timing")]
    timing: Option<PathBuf>,
}

/// A timing file that was read.
pub struct Timing {
    path: PathBuf,
    file: TimingFile,
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
        let Some(path) = self.timing.timing.clone().or_else(beside) else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let file = TimingFile::parse(&text).with_context(|| path.display().to_string())?;
        Ok(Some(Timing { path, file }))
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
        applied.with_context(|| self.path.display().to_string())
    }
}
