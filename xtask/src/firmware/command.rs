//! Runs the real command on recordings.

use crate::{shell, workspace};
use anyhow::Context as _;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// `rtoscope`, built as for its own tests.
#[derive(Debug)]
pub(super) struct Command(PathBuf);

impl Command {
    /// Builds the command, unless `RTOSCOPE_BIN` names one.
    pub(super) fn build() -> anyhow::Result<Self> {
        if let Some(built) = std::env::var_os("RTOSCOPE_BIN") {
            return Ok(Self(built.into()));
        }
        Ok(Self(workspace::program("rtoscope")?))
    }

    /// The JSON output of a command for a file.
    pub(super) fn json(&self, verb: &str, file: &Path, more: &[&str]) -> anyhow::Result<Value> {
        let mut command = shell::program(&self.0.to_string_lossy(), &[verb]);
        command.arg(file).args(more).args(["--format", "json"]);
        let printed = shell::output(&mut command)?;
        serde_json::from_slice(&printed).with_context(|| format!("what `{verb}` prints"))
    }
}
