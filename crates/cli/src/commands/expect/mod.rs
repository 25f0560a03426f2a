//! `rtoscope expect`: checks a trace against tests.

mod live;
mod live_checks;
mod recorded;
mod text;

use super::json_text;
use anyhow::{Context as _, bail};
use clap::Args;
use live::LiveSourceArgs;
use rtoscope_analysis::expect::{self, ExpectDocument, Spec, TestResult};
use rtoscope_command::CheckOutcome;
use rtoscope_command::input::{BufferArgs, DecodeArgs, FileArgs, guard_overwrite};
use rtoscope_command::output::{self, OutputFormat, atomic_output};
use rtoscope_decode::DecodedRecording;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(override_usage = "rtoscope expect [OPTIONS] FILE [SPEC]\n       \
                            rtoscope expect [OPTIONS] --live SOURCE [SPEC]")]
pub(crate) struct ExpectArgs {
    /// Recording, as for the other commands; with --live, the test file
    #[arg(value_name = "FILE", required_unless_present = "live")]
    file: Option<PathBuf>,

    /// Test file; default: the unit tests in the recording, which the
    /// target runs on itself
    #[arg(value_name = "SPEC", conflicts_with = "live")]
    spec: Option<PathBuf>,

    #[command(flatten)]
    buffer: BufferArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Only tests whose name contains PATTERN, or matches it if it has wildcards
    #[arg(long, value_name = "PATTERN")]
    test: Option<String>,

    /// Output format of the results
    #[arg(short, long, default_value = "text")]
    format: OutputFormat,

    /// Write the answers for a target that waits for them, one per test
    ///
    /// `-` is standard output; the results then go to standard error.
    #[arg(long, value_name = "FILE", conflicts_with = "live")]
    answers: Option<PathBuf>,

    #[command(flatten)]
    live: LiveSourceArgs,
}

/// Returns the outcome of the tests.
pub(crate) fn run(arguments: &ExpectArgs) -> anyhow::Result<CheckOutcome> {
    if arguments.live.source().is_some() {
        let spec = load_spec(arguments.file.as_deref())?;
        return live::run(arguments, spec.as_ref());
    }
    if arguments.live.commands_target() {
        bail!("--target-filter and --target-command need --live: a recording has no target");
    }
    let Some(path) = &arguments.file else {
        bail!("the recording is missing");
    };
    let file = FileArgs::new(path.clone(), arguments.buffer);
    check_recording(arguments, &file)
}

fn check_recording(arguments: &ExpectArgs, file: &FileArgs) -> anyhow::Result<CheckOutcome> {
    let spec = load_spec(arguments.spec.as_deref())?;
    // Answers must not overwrite the input.
    let answers = arguments.answers.as_deref();
    file.guard_overwrite(&arguments.decode, answers)?;
    guard_overwrite(arguments.spec.as_deref(), answers)?;
    let recording = file.recording(&arguments.decode)?;
    let format_info = &recording.format_info;
    if answers.is_some() && format_info.encode_test_result(0, None).is_none() {
        bail!(
            "--answers: no target waits for answers to {}",
            format_info.format().title_with_article()
        );
    }
    file.hint_at_diagnostics(&recording.trace.diagnostics);
    let results = arguments.run_tests(file, &recording, spec.as_ref())?;
    if answers.is_some() {
        ignore_broken_pipe(atomic_output::write_file(answers, |output| {
            for result in &results {
                let problem = result.problem();
                let answer =
                    format_info.encode_test_result(result.answer_line(), problem.as_deref());
                output.write_all(&answer.unwrap_or_default())?;
            }
            Ok(())
        }))?;
    }
    let name = arguments.spec.as_deref().map(spec_name);
    let document = ExpectDocument::new(&file.source_name(), name.as_deref(), results);
    ignore_broken_pipe(arguments.write_report(&document))?;
    Ok(outcome(&document))
}

/// The outcome of all tests.
fn outcome(document: &ExpectDocument) -> CheckOutcome {
    match (document.failed, document.inconclusive) {
        (0, 0) => CheckOutcome::Passed,
        (0, _) => CheckOutcome::Undecided,
        _ => CheckOutcome::Failed,
    }
}

/// A reader that closes the pipe early must still get the right exit code.
fn ignore_broken_pipe(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if rtoscope_command::is_broken_pipe(&error) => Ok(()),
        written => written,
    }
}

fn load_spec(path: Option<&Path>) -> anyhow::Result<Option<Spec>> {
    let Some(path) = path else {
        return Ok(None);
    };
    let bytes = fs::read(path).with_context(|| spec_name(path))?;
    let text = String::from_utf8(bytes).with_context(|| spec_name(path))?;
    Ok(Some(Spec::parse(&text).with_context(|| spec_name(path))?))
}

fn spec_name(path: &Path) -> String {
    Printable::path(path).to_string()
}

impl ExpectArgs {
    fn run_tests(
        &self,
        file: &FileArgs,
        recording: &DecodedRecording,
        spec: Option<&Spec>,
    ) -> anyhow::Result<Vec<TestResult>> {
        let mut results = match (spec, &self.spec) {
            (Some(spec), Some(path)) => {
                expect::run(&recording.trace, spec).with_context(|| spec_name(path))?
            }
            _ => {
                let results = recorded::run_recorded(recording);
                if results.is_empty() {
                    let name = file.name();
                    bail!("{name}: the recording has no unit tests; pass a test file");
                }
                results
            }
        };
        if let Some(pattern) = &self.test {
            let glob = Glob::new(pattern);
            results.retain(|result| glob.matches(&result.name));
            if results.is_empty() {
                bail!("--test: no test name matches {pattern:?}");
            }
        }
        Ok(results)
    }

    fn write_report(&self, document: &ExpectDocument) -> anyhow::Result<()> {
        let is_aside = self.answers.as_deref() == Some(Path::new("-"));
        let text = match self.format {
            OutputFormat::Json => json_text(document)?,
            OutputFormat::Text => {
                let coloured = match is_aside {
                    true => text::coloured_errors(),
                    false => output::is_coloured(),
                };
                text::render(document, coloured)
            }
        };
        if is_aside {
            io::stderr().lock().write_all(text.as_bytes())?;
        } else {
            write_text(&text)?;
        }
        Ok(())
    }
}

/// Writes text to standard output at once.
fn write_text(text: &str) -> anyhow::Result<()> {
    let mut output = output::stdout();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}
