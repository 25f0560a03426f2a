//! The rules of a check.

use super::sql::RuleQueries;
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use rtoscope_analysis::check::{CheckedRecording, RuleSet};
use rtoscope_analysis::report::findings::FindingSeverity;
use rtoscope_analysis::{AnalyzedRecording, Scope};
use rtoscope_command::input::{DecodeArgs, read_rules};
use rtoscope_command::sql_process::RecordingFile;
use rtoscope_trace::printable::Printable;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The rules of a check.
#[derive(Args)]
pub(crate) struct RuleArgs {
    /// File with the rules; default: table `check` of `rtoscope.toml`
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    rules: Option<PathBuf>,

    /// Fail on such findings, or worse
    #[arg(long, value_name = "SEVERITY", help_heading = "Rules")]
    fail_on: Option<FailOn>,
}

/// The least severity on which a check fails.
#[derive(Clone, Copy, ValueEnum, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailOn {
    /// Something went wrong
    Critical,
    /// Something may go wrong
    Warning,
}

/// Rules, with the name of their file.
#[derive(Clone, Default)]
pub(crate) struct Rules {
    set: RuleSet,
    file: Option<String>,
}

impl RuleArgs {
    /// The file that was named.
    pub(super) fn file(&self) -> Option<&Path> {
        self.rules.as_deref()
    }

    /// Reads the rules.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has a mistake.
    pub(crate) fn read(&self, decode: &DecodeArgs) -> anyhow::Result<Rules> {
        let mut set = match (&self.rules, decode.config_file()) {
            (Some(path), _) => read_rules(path, RuleSet::parse)?,
            (None, Some(path)) => read_rules(path, RuleSet::parse_project)?,
            (None, None) => RuleSet::default(),
        };
        if let Some(fail_on) = self.fail_on {
            set.fail_on(fail_on.into());
        }
        let file = self.file().or(decode.config_file());
        let file = file.map(|path| Printable::path(&path).to_string());
        Ok(Rules { set, file })
    }
}

impl Rules {
    /// The same rules, or those of a text; they also fail on findings.
    ///
    /// # Errors
    ///
    /// If the text has a mistake.
    #[cfg(feature = "mcp")]
    pub(crate) fn with(&self, text: Option<&str>, fail_on: Option<FailOn>) -> anyhow::Result<Self> {
        let mut rules = match text {
            Some(text) => Self {
                set: RuleSet::parse(text)?,
                file: None,
            },
            None => self.clone(),
        };
        if let Some(fail_on) = fail_on {
            rules.set.fail_on(fail_on.into());
        }
        Ok(rules)
    }

    /// Checks a scope of a recording; queries, sequences and unit tests see all of it.
    ///
    /// # Errors
    ///
    /// If the rules do not fit the recording.
    pub(crate) fn check(
        &self,
        recording: &AnalyzedRecording,
        scope: &Scope,
        sql_file: &RecordingFile,
    ) -> anyhow::Result<CheckedRecording> {
        let mut queries = RuleQueries::new(recording, sql_file);
        let run_query = &mut |rule: &_| queries.run(rule);
        let results = self.set.check(recording, scope, run_query);
        Ok(CheckedRecording {
            source: recording.info.name.clone(),
            results: match &self.file {
                Some(file) => results.with_context(|| file.clone())?,
                None => results?,
            },
        })
    }
}

impl From<FailOn> for FindingSeverity {
    fn from(fail_on: FailOn) -> Self {
        match fail_on {
            FailOn::Critical => Self::Critical,
            FailOn::Warning => Self::Warning,
        }
    }
}
