//! `rtoscope check`: checks recordings against rules.

mod annotations;
mod junit;
pub(super) mod markdown;
mod sarif;
pub(crate) mod text;

use super::{analyze, json_text};
use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::check::{
    CheckDocument, CheckResult, CheckedRecording, LearnedRules, MarginPercent, RuleSet,
};
use rtoscope_analysis::expect::{self, Spec};
use rtoscope_analysis::report::findings::FindingSeverity;
use rtoscope_command::CheckOutcome;
use rtoscope_command::input::{
    DecodeArgs, FileArgs, FilesArgs, TimingArgs, guard_overwrite, is_below, read_rules,
};
use rtoscope_command::output::{self, atomic_output};
use rtoscope_command::scope::ScopeArgs;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    files: FilesArgs,

    /// File with the rules; default: table `check` of `rtoscope.toml`
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    rules: Option<PathBuf>,

    /// Also fail on findings of this severity, or a higher one
    #[arg(long, value_name = "SEVERITY", help_heading = "Rules")]
    fail_on: Option<FailOn>,

    /// Print rules instead: the highest figures of these recordings, and a margin in percent
    #[arg(
        long,
        value_name = "PERCENT",
        conflicts_with_all = ["rules", "fail_on", "format", "output"],
        help_heading = "Rules"
    )]
    learn: Option<u32>,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,

    #[command(flatten)]
    scope: ScopeArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: CheckFormat,

    /// Write that format to a file, and text to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The least severity on which a check fails.
#[derive(Clone, Copy, ValueEnum)]
enum FailOn {
    /// Something went wrong
    Critical,
    /// Something may go wrong
    Warning,
}

/// The format of the results.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
    /// JUnit XML, which most build servers show
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// A code quality report of GitLab
    Gitlab,
    /// A summary for a merge request
    Markdown,
}

pub(crate) fn run(arguments: &CheckArgs) -> anyhow::Result<CheckOutcome> {
    if let Some(margin) = arguments.learn {
        arguments.learn(MarginPercent(margin))?;
        return Ok(CheckOutcome::Passed);
    }
    let output = arguments.output.as_deref();
    for file in arguments.files.iter() {
        file.guard_overwrite(&arguments.decode, output)?;
    }
    guard_overwrite(arguments.rules.as_deref(), output)?;
    let document = arguments.document(&[])?;
    arguments.write(&document)?;
    let totals = document.totals;
    Ok(match (totals.failed, totals.undecided) {
        (0, 0) => CheckOutcome::Passed,
        (0, _) => CheckOutcome::Undecided,
        _ => CheckOutcome::Failed,
    })
}

impl CheckArgs {
    /// Checks the recordings; `opened` are the same, or the first of them, already open.
    pub(crate) fn document(
        &self,
        opened: &[Arc<AnalyzedRecording>],
    ) -> anyhow::Result<CheckDocument> {
        let rules = self.rules()?;
        let specs = self.specs(&rules)?;
        let mut recordings = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let checked = match opened.get(number) {
                Some(recording) => self.check(&file, recording, &rules, &specs),
                None => {
                    let recording = analyze(&file, &self.decode, &self.timing)?;
                    self.check(&file, &recording, &rules, &specs)
                }
            };
            recordings.push(checked?);
        }
        let document = CheckDocument::new(recordings);
        ensure!(
            document.recordings.iter().any(|it| !it.results.is_empty()),
            "nothing to check: no rules, no declared deadlines; see --rules and --fail-on"
        );
        Ok(document)
    }

    /// The file with the rules, unless they are in no file.
    fn rules_file(&self) -> Option<&Path> {
        self.rules.as_deref().or(self.decode.config_file())
    }

    fn rules(&self) -> anyhow::Result<RuleSet> {
        let mut rules = match (&self.rules, self.decode.config_file()) {
            (Some(path), _) => read_rules(path, RuleSet::parse)?,
            (None, Some(path)) => read_rules(path, RuleSet::parse_project)?,
            (None, None) => RuleSet::default(),
        };
        if let Some(fail_on) = self.fail_on {
            rules.fail_on(match fail_on {
                FailOn::Critical => FindingSeverity::Critical,
                FailOn::Warning => FindingSeverity::Warning,
            });
        }
        Ok(rules)
    }

    /// The tests of expected records; their paths are relative to the file with the rules.
    fn specs(&self, rules: &RuleSet) -> anyhow::Result<Vec<(String, Spec)>> {
        let folder = self.rules_file().and_then(Path::parent);
        let folder = folder.unwrap_or(Path::new(""));
        let files = rules.expect_files().iter().map(|file| {
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
        files.collect()
    }

    fn check(
        &self,
        file: &FileArgs,
        recording: &AnalyzedRecording,
        rules: &RuleSet,
        specs: &[(String, Spec)],
    ) -> anyhow::Result<CheckedRecording> {
        let scope = self.scope.scope(&recording.trace)?;
        let mut results = rules
            .check(recording, &scope)
            .with_context(|| file.name())?;
        for (name, spec) in specs {
            let tests = expect::run(&recording.trace, spec).with_context(|| name.clone())?;
            results.extend(tests.iter().map(CheckResult::from));
        }
        for result in &mut results {
            rules.apply_policy(result);
        }
        Ok(CheckedRecording {
            source: recording.info.name.clone(),
            results,
        })
    }

    fn learn(&self, margin: MarginPercent) -> anyhow::Result<()> {
        let mut learned = LearnedRules::default();
        for file in self.files.iter() {
            let recording = analyze(&file, &self.decode, &self.timing)?;
            let scope = self.scope.scope(&recording.trace)?;
            let stats = recording.scope_stats(scope);
            let added = learned.add(&recording.view_of(&stats));
            added
                .map_err(anyhow::Error::msg)
                .with_context(|| file.name())?;
        }
        output::write_text(&learned.text(margin))
    }

    fn write(&self, document: &CheckDocument) -> anyhow::Result<()> {
        let text = || text::render(document, output::is_coloured());
        let Some(path) = &self.output else {
            let rendered = match self.format {
                CheckFormat::Text => text(),
                format => format.render(document)?,
            };
            let mut output = output::stdout();
            output.write_all(rendered.as_bytes())?;
            return Ok(output.flush()?);
        };
        let rendered = self.format.render(document)?;
        atomic_output::write_file(Some(path), |output| {
            Ok(output.write_all(rendered.as_bytes())?)
        })?;
        let mut output = output::stdout();
        output.write_all(text().as_bytes())?;
        Ok(output.flush()?)
    }
}

impl CheckFormat {
    fn render(self, document: &CheckDocument) -> anyhow::Result<String> {
        Ok(match self {
            Self::Text => text::render(document, false),
            Self::Json => json_text(document)?,
            Self::Junit => junit::render(document)?,
            Self::Sarif => json_text(&sarif::log(document))?,
            Self::Github => annotations::github(document),
            Self::Gitlab => json_text(&annotations::gitlab(document))?,
            Self::Markdown => markdown::render(document),
        })
    }
}

/// What was found, and the worst violations, a line each.
fn details(result: &CheckResult) -> String {
    let message = Printable::text(&result.message).to_string();
    let worst = result.worst.iter().map(ToString::to_string);
    let more = result.violations.saturating_sub(result.worst.len());
    let more = (more > 0).then(|| format!("and {more} more"));
    let lines: Vec<_> = std::iter::once(message).chain(worst).chain(more).collect();
    lines.join("\n")
}
