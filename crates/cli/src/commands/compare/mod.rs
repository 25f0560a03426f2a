//! `rtoscope compare`: what changed from some recordings to others.

pub(super) mod text;

use super::{analyze, recordings_in};
use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use rtoscope_analysis::compare::{
    Baseline, CollectedFigures, ComparisonDocument, RecordingFigures, Verdict,
};
use rtoscope_command::CheckOutcome;
use rtoscope_command::input::{DecodeArgs, FileArgs, FilesArgs, TimingArgs};
use rtoscope_command::output::{self, atomic_output, json_text};
use rtoscope_command::scope::ScopeArgs;
use rtoscope_export::html::{ComparisonSource, write_comparison};
use rtoscope_trace::printable::Printable;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(override_usage = "rtoscope compare [OPTIONS] BEFORE AFTER\n       \
                            rtoscope compare [OPTIONS] --baseline BEFORE FILE...\n       \
                            rtoscope compare [OPTIONS] --save-baseline BASELINE.json FILE...")]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    files: FilesArgs,

    /// What the recordings are compared with: a recording, a folder of recordings, or a saved
    /// baseline; repeatable
    #[arg(long, value_name = "PATH")]
    baseline: Vec<PathBuf>,

    /// Save the figures of the recordings as a baseline instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fail_above", "format"])]
    save_baseline: Option<PathBuf>,

    /// Show differences of more than this many percent
    #[arg(long, value_name = "PERCENT", default_value_t = DEFAULT_THRESHOLD)]
    threshold: f64,

    /// Exit code 1 if a figure changed by more than this many percent
    #[arg(long, value_name = "PERCENT")]
    fail_above: Option<f64>,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,

    #[command(flatten)]
    scope: ScopeArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: CompareFormat,

    /// Write the page to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The recordings of a side: their figures and, unless they are those of a saved baseline, their
/// distributions.
#[derive(Default)]
struct ComparedSide {
    figures: Vec<RecordingFigures>,
    collected: Vec<CollectedFigures>,
}

impl ComparedSide {
    fn append(&mut self, mut other: Self) {
        self.figures.append(&mut other.figures);
        self.collected.append(&mut other.collected);
    }
}

/// The format of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
    /// A summary for a merge request
    Markdown,
    /// A page with tables and distributions
    Html,
}

/// Differences up to this many percent are not shown.
pub(super) const DEFAULT_THRESHOLD: f64 = 5.0;

/// A larger baseline is refused.
const MAX_BASELINE_BYTES: u64 = 1 << 28;

pub(crate) fn run(arguments: &CompareArgs) -> anyhow::Result<CheckOutcome> {
    ensure!(
        arguments.output.is_none() || arguments.format == CompareFormat::Html,
        "--output is for --format html"
    );
    let files: Vec<_> = arguments.files.iter().collect();
    if let Some(path) = &arguments.save_baseline {
        for file in &files {
            file.guard_overwrite(&arguments.decode, Some(path))?;
        }
        let baseline = Baseline::new(arguments.side_of(&files)?.figures);
        atomic_output::write_file(Some(path), |output| {
            json_text::write_indented(&mut *output, &baseline)?;
            Ok(writeln!(output)?)
        })?;
        return Ok(CheckOutcome::Passed);
    }
    let (before, after) = match (arguments.baseline.as_slice(), files.as_slice()) {
        ([], [before, after]) => {
            let path = before.path().unwrap_or(Path::new("-")).to_owned();
            (
                arguments.baseline(&path)?,
                arguments.side_of(std::slice::from_ref(after))?,
            )
        }
        ([], _) => bail!(
            "two recordings are compared; for more, name what they are compared with by --baseline"
        ),
        (paths, files) => {
            let mut before = ComparedSide::default();
            for path in paths {
                before.append(arguments.baseline(path)?);
            }
            (before, arguments.side_of(files)?)
        }
    };
    let document = ComparisonDocument::new(&before.figures, &after.figures);
    ensure!(
        !document.comparison.figures.is_empty(),
        "the recordings have no figure in common, or the clock of some is unknown (--clock)"
    );
    let threshold = arguments.threshold;
    match arguments.format {
        CompareFormat::Json => output::write_json(&document)?,
        CompareFormat::Text => output::write_text(&text::render(&document, threshold))?,
        CompareFormat::Markdown => {
            output::write_text(&text::render_markdown(&document, threshold))?;
        }
        CompareFormat::Html => {
            for file in &files {
                file.guard_overwrite(&arguments.decode, arguments.output.as_deref())?;
            }
            let source = ComparisonSource {
                document: &document,
                collected: [&before.collected, &after.collected],
                threshold,
                fail_above: arguments.fail_above,
            };
            atomic_output::write_file(arguments.output.as_deref(), |output| {
                Ok(write_comparison(&source, output)?)
            })?;
        }
    }
    Ok(arguments.outcome(&document))
}

impl CompareArgs {
    /// With several recordings, a figure has to have changed; of one on each side, only the
    /// difference is known.
    fn outcome(&self, document: &ComparisonDocument) -> CheckOutcome {
        let Some(limit) = self.fail_above else {
            return CheckOutcome::Passed;
        };
        let is_single = document.baseline.len() == 1 && document.recordings.len() == 1;
        let figures = document.comparison.figures.iter();
        let exceeding: Vec<_> = figures.filter(|it| it.exceeds(limit)).collect();
        let has = |verdict| exceeding.iter().any(|it| it.verdict == verdict);
        match () {
            () if has(Verdict::Changed) || is_single && !exceeding.is_empty() => {
                CheckOutcome::Failed
            }
            () if has(Verdict::Undecided) => CheckOutcome::Undecided,
            () => CheckOutcome::Passed,
        }
    }

    fn side_of(&self, files: &[FileArgs]) -> anyhow::Result<ComparedSide> {
        let mut side = ComparedSide::default();
        for file in files {
            let recording = analyze(file, &self.decode, &self.timing)?;
            let scope = self.scope.scope(&recording.trace)?;
            let stats = recording.scope_stats(scope);
            let collected = CollectedFigures::new(&recording.view_of(&stats));
            side.figures.push(collected.figures(&recording.info.name));
            // Only the page shows distributions, which take memory.
            if self.format == CompareFormat::Html {
                side.collected.push(collected);
            }
        }
        Ok(side)
    }

    /// The figures of a saved baseline, of a recording, or of all recordings of a folder.
    fn baseline(&self, path: &Path) -> anyhow::Result<ComparedSide> {
        let name = || Printable::path(path).to_string();
        if path.extension().is_some_and(|it| it == "json") {
            let mut text = String::new();
            let file = File::open(path).with_context(name)?;
            file.take(MAX_BASELINE_BYTES + 1)
                .read_to_string(&mut text)
                .with_context(name)?;
            ensure!(
                text.len() as u64 <= MAX_BASELINE_BYTES,
                "{}: more than {MAX_BASELINE_BYTES} bytes",
                name()
            );
            let baseline: Baseline = serde_json::from_str(&text).with_context(name)?;
            ensure!(
                baseline.is_readable(),
                "{}: schema {:?} is not one that this version reads",
                name(),
                baseline.schema
            );
            return Ok(ComparedSide {
                figures: baseline.recordings,
                collected: Vec::new(),
            });
        }
        let file = self.files.other(path.to_owned());
        if !path.is_dir() || rtoscope_recording::Recording::is_one(path) {
            return self.side_of(&[file]);
        }
        let files: Vec<_> = recordings_in(path)?
            .into_iter()
            .map(|path| self.files.other(path))
            .collect();
        self.side_of(&files)
    }
}
