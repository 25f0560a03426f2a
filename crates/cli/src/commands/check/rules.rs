//! The rules of a check, and the files that they name.

use super::sql::RuleQueries;
use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use rtoscope_analysis::check::{CheckResult, CheckedRecording, RuleSet};
use rtoscope_analysis::expect::{self, Spec};
use rtoscope_analysis::report::findings::FindingSeverity;
use rtoscope_analysis::{AnalyzedRecording, Scope};
use rtoscope_command::input::{DecodeArgs, is_below, read_rules};
use rtoscope_command::sql_process::RecordingFile;
use rtoscope_trace::printable::Printable;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The rules of a check.
#[derive(Args)]
pub(crate) struct RuleArgs {
    /// File with the rules; default: table `check` of `rtoscope.toml`
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    rules: Option<PathBuf>,

    /// Also fail on findings of this severity, or a higher one
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

/// Rules that were read, with the tests of expected records, each with the name of its file.
#[derive(Clone, Default)]
pub(crate) struct Rules {
    set: RuleSet,
    specs: Vec<(String, Spec)>,
}

impl RuleArgs {
    /// The file that was named.
    pub(super) fn file(&self) -> Option<&Path> {
        self.rules.as_deref()
    }

    /// Reads the rules, and the tests of expected records; their paths are relative to the file
    /// with the rules.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or has a mistake.
    pub(crate) fn read(&self, decode: &DecodeArgs) -> anyhow::Result<Rules> {
        let mut set = match (&self.rules, decode.config_file()) {
            (Some(path), _) => read_rules(path, RuleSet::parse)?,
            (None, Some(path)) => read_rules(path, RuleSet::parse_project)?,
            (None, None) => RuleSet::default(),
        };
        if let Some(fail_on) = self.fail_on {
            set.fail_on(fail_on.into());
        }
        let folder = self.file().or(decode.config_file()).and_then(Path::parent);
        let folder = folder.unwrap_or(Path::new(""));
        let specs = set.expect_files().iter().map(|file| {
            let path = folder.join(file);
            let name = Printable::path(&path).to_string();
            // A project's file that lies beside a foreign recording reads only files below it.
            ensure!(
                self.rules.is_some() || is_below(file, folder),
                "{file:?} is not below the folder of this file; name the file with --rules to \
                 allow it"
            );
            let text = fs::read_to_string(&path).with_context(|| name.clone())?;
            let spec = Spec::parse(&text).with_context(|| name.clone())?;
            Ok((name, spec))
        });
        let specs = specs.collect::<anyhow::Result<_>>()?;
        Ok(Rules { set, specs })
    }
}

impl Rules {
    /// The same rules, or those of a text, which name no files; they also fail on findings.
    ///
    /// # Errors
    ///
    /// If the text has a mistake.
    #[cfg(feature = "mcp")]
    pub(crate) fn with(&self, text: Option<&str>, fail_on: Option<FailOn>) -> anyhow::Result<Self> {
        let mut rules = match text {
            Some(text) => Self {
                set: RuleSet::parse(text)?,
                specs: Vec::new(),
            },
            None => self.clone(),
        };
        ensure!(
            text.is_none() || rules.set.expect_files().is_empty(),
            "`expect` names files; only rules that the server was started with may"
        );
        if let Some(fail_on) = fail_on {
            rules.set.fail_on(fail_on.into());
        }
        Ok(rules)
    }

    /// Checks a scope of a recording, and all of it by queries and for expected records.
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
        let mut results = self.set.check(recording, scope, run_query)?;
        for (name, spec) in &self.specs {
            let tests = expect::run(&recording.trace, spec).with_context(|| name.clone())?;
            results.extend(tests.iter().map(CheckResult::from));
        }
        for result in &mut results {
            self.set.apply_policy(result);
        }
        Ok(CheckedRecording {
            source: recording.info.name.clone(),
            results,
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
