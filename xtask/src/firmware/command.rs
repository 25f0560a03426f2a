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

    /// The JSON lines that a command prints for a file.
    pub(crate) fn lines(
        &self,
        verb: &str,
        file: &Path,
        more: &[&str],
    ) -> anyhow::Result<Vec<Value>> {
        let mut command = shell::program(&self.0.to_string_lossy(), &[verb]);
        command.arg(file).args(more).args(["--format", "json"]);
        let printed = String::from_utf8(shell::output(&mut command)?)?;
        let lines = printed.lines().map(serde_json::from_str);
        let lines: Result<_, _> = lines.collect();
        lines.with_context(|| format!("what `{verb}` prints"))
    }

    /// The JSON output of a command for a file.
    pub(crate) fn json(&self, verb: &str, file: &Path, more: &[&str]) -> anyhow::Result<Value> {
        let printed = self.output(verb, file, more)?;
        serde_json::from_slice(&printed).with_context(|| format!("what `{verb}` prints"))
    }

    /// The events of a file.
    pub(crate) fn events(&self, file: &Path, more: &[&str]) -> anyhow::Result<Vec<Value>> {
        let printed = self.output("events", file, more)?;
        let events = serde_json::Deserializer::from_slice(&printed).into_iter();
        let events: Result<_, _> = events.collect();
        events.context("what `events` prints")
    }

    /// The command, to run it with other arguments.
    pub(crate) fn process(&self) -> std::process::Command {
        std::process::Command::new(&self.0)
    }

    fn output(&self, verb: &str, file: &Path, more: &[&str]) -> anyhow::Result<Vec<u8>> {
        let mut command = shell::program(&self.0.to_string_lossy(), &[verb]);
        command.arg(file).args(more).args(["--format", "json"]);
        shell::output(&mut command)
    }
}
