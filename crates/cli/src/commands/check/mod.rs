//! `rtoscope check`: checks recordings against rules.

mod annotations;
mod junit;
mod live;
pub(super) mod markdown;
mod rules;
mod sarif;
mod sql;
pub(crate) mod text;

use super::{analyze, analyze_decoded, json_text};
use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use live::LiveSourceArgs;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::check::{
    CheckDocument, CheckResult, CheckedRecording, LearnedRules, MarginPercent,
};
use rtoscope_command::input::{
    DecodeArgs, FileArgs, FilesArgs, GivenDecodeOptions, TimingArgs, guard_overwrite,
};
use rtoscope_command::output::{self, atomic_output};
use rtoscope_command::scope::ScopeArgs;
use rtoscope_command::sql_process::RecordingFile;
use rtoscope_command::{CheckOutcome, is_broken_pipe, message};
use rtoscope_trace::printable::Printable;
#[cfg(feature = "mcp")]
pub(crate) use rules::FailOn;
pub(crate) use rules::{RuleArgs, Rules};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args)]
pub(crate) struct CheckArgs {
    // Before the options that it inspects.
    #[command(flatten)]
    given: GivenDecodeOptions,

    #[command(flatten)]
    files: FilesArgs,

    #[command(flatten)]
    rules: RuleArgs,

    /// Print rules that these recordings satisfy, with this margin in percent
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

    #[command(flatten)]
    live: LiveSourceArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: CheckFormat,

    /// Write that format to a file, and text to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
    ensure!(
        arguments.live.live || arguments.live.target.is_empty(),
        "--target-filter and --target-command need --live: a recording has no target"
    );
    if let Some(margin) = arguments.learn {
        arguments.learn(MarginPercent(margin))?;
        return Ok(CheckOutcome::Passed);
    }
    let output = arguments.output.as_deref();
    for file in arguments.files.iter() {
        file.guard_overwrite(&arguments.decode, output)?;
    }
    guard_overwrite(arguments.rules.file(), output)?;
    let (document, broken_off) = match arguments.live.live {
        true => arguments.check_live()?,
        false => (arguments.document(&[])?, None),
    };
    match arguments.write(&document) {
        // A reader that closes the pipe early must still get the right exit code.
        Err(error) if is_broken_pipe(&error) => {}
        written => written?,
    }
    let totals = document.totals;
    Ok(match (totals.failed, totals.undecided, broken_off) {
        (0, _, Some(error)) => return Err(error),
        (0, 0, None) => CheckOutcome::Passed,
        (0, _, None) => CheckOutcome::Undecided,
        (_, _, error) => {
            if let Some(error) = error {
                message!("{error:#}");
            }
            CheckOutcome::Failed
        }
    })
}

impl CheckArgs {
    /// Checks the recordings; `opened` are the same, or the first of them, already open.
    pub(crate) fn document(
        &self,
        opened: &[Arc<AnalyzedRecording>],
    ) -> anyhow::Result<CheckDocument> {
        let rules = self.rules.read(&self.decode)?;
        let mut recordings = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let sql_file = RecordingFile::of(&file, &self.given);
            let checked = match opened.get(number) {
                Some(recording) => self.check(&file, recording, &sql_file, &rules),
                None => {
                    let recording = analyze(&file, &self.decode, &self.timing)?;
                    self.check(&file, &recording, &sql_file, &rules)
                }
            };
            recordings.push(checked?);
        }
        document(recordings)
    }

    /// Checks a running target; also returns why its stream broke off, if it did.
    fn check_live(&self) -> anyhow::Result<(CheckDocument, Option<anyhow::Error>)> {
        let rules = self.rules.read(&self.decode)?;
        let mut files = self.files.iter();
        let file = files.next().filter(|_| files.len() == 0);
        let file = file.context("--live: expected one source")?;
        let (recording, broken_off) = live::receive(&file, &self.decode, &self.live)?;
        let name = file.source_name();
        let recording = analyze_decoded(name, recording, &self.decode, &self.timing)?;
        let why = "SQL needs the file of a recording; this one is live";
        let sql_file = RecordingFile::Unavailable(why.to_owned());
        let checked = self.check(&file, &recording, &sql_file, &rules)?;
        Ok((document(vec![checked])?, broken_off))
    }

    fn check(
        &self,
        file: &FileArgs,
        recording: &AnalyzedRecording,
        sql_file: &RecordingFile,
        rules: &Rules,
    ) -> anyhow::Result<CheckedRecording> {
        let scope = self.scope.scope(&recording.trace)?;
        let checked = rules.check(recording, &scope, sql_file);
        checked.with_context(|| file.name())
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

fn document(recordings: Vec<CheckedRecording>) -> anyhow::Result<CheckDocument> {
    let document = CheckDocument::new(recordings);
    ensure!(
        document.recordings.iter().any(|it| !it.results.is_empty()),
        "nothing to check: no rules, no declared deadlines, no unit tests; see --rules and \
         --fail-on"
    );
    Ok(document)
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
