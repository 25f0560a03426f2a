//! Runs the real command on recordings.

use crate::{shell, workspace};
use anyhow::Context as _;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// `rtoscope`, built as for its own tests.
#[derive(Debug)]
pub(crate) struct Command(PathBuf);

impl Command {
    /// Builds the command, unless `RTOSCOPE_BIN` names one.
    pub(crate) fn build() -> anyhow::Result<Self> {
        if let Some(built) = std::env::var_os("RTOSCOPE_BIN") {
            return Ok(Self(built.into()));
        }
        Ok(Self(workspace::program("rtoscope")?))
    }

    /// The JSON values that a command prints for a file.
    pub(crate) fn lines(
        &self,
        verb: &str,
        file: &Path,
        more: &[&str],
    ) -> anyhow::Result<Vec<Value>> {
        let mut command = self.process();
        command.arg(verb).arg(file).args(more);
        let printed = shell::output(command.args(["--format", "json"]))?;
        let values = serde_json::Deserializer::from_slice(&printed).into_iter();
        let values: Result<_, _> = values.collect();
        values.with_context(|| format!("what `{verb}` prints for {}", file.display()))
    }

    /// The JSON output of a command for a file.
    pub(crate) fn json(&self, verb: &str, file: &Path, more: &[&str]) -> anyhow::Result<Value> {
        let value = self.lines(verb, file, more)?.pop();
        value.with_context(|| format!("`{verb}` prints nothing"))
    }

    /// The command, to run it with other arguments.
    pub(crate) fn process(&self) -> std::process::Command {
        std::process::Command::new(&self.0)
    }
}
