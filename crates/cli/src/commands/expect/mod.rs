//! `rtoscope expect`: checks a trace against tests.

mod recorded;
mod text;

use anyhow::Context as _;
use clap::Args;
use rtoscope_analysis::expect::{self, ExpectDocument, Spec, TestResult};
use rtoscope_command::input::{DecodeArgs, FileArgs, guard_overwrite};
use rtoscope_command::output::{self, OutputFormat, atomic_output};
use rtoscope_decode::DecodedRecording;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct ExpectArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Test file; default: the unit tests in the recording, which the
    /// target runs on itself
    #[arg(value_name = "SPEC")]
    spec: Option<PathBuf>,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Only tests whose name contains PATTERN, or matches it if it has wildcards
    #[arg(long, value_name = "PATTERN")]
    test: Option<String>,

    /// Output format of the results
    #[arg(short, long, default_value = "text")]
    format: OutputFormat,

    /// Write the answers for a target that waits for them, one per test; `-` is standard output,
    /// and the results then go to standard error
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
}

/// Returns whether every test passed.
pub(crate) fn run(arguments: &ExpectArgs) -> anyhow::Result<bool> {
    let spec = arguments.load_spec()?;
    // Answers must not overwrite the input.
    let answers = arguments.answers.as_deref();
    arguments.file.guard_overwrite(&arguments.decode, answers)?;
    guard_overwrite(arguments.spec.as_deref(), answers)?;
    let recording = arguments.file.recording(&arguments.decode)?;
    let format_info = &recording.format_info;
    if answers.is_some() && format_info.encode_test_result(0, None).is_none() {
        anyhow::bail!(
            "--answers: no target waits for answers to {}",
            format_info.format().title_with_article()
        );
    }
    arguments
        .file
        .hint_at_diagnostics(&recording.trace.diagnostics);
    let results = arguments.run_tests(&recording, spec.as_ref())?;
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
    let name = arguments
        .spec
        .as_ref()
        .map(|path| Printable::path(&path).to_string());
    let document = ExpectDocument::new(&arguments.file.source_name(), name.as_deref(), results);
    ignore_broken_pipe(arguments.write_report(&document))?;
    Ok(document.all_passed())
}

/// A reader that closes the pipe early must still get the right exit code.
fn ignore_broken_pipe(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if rtoscope_command::is_broken_pipe(&error) => Ok(()),
        written => written,
    }
}

impl ExpectArgs {
    fn load_spec(&self) -> anyhow::Result<Option<Spec>> {
        let Some(path) = &self.spec else {
            return Ok(None);
        };
        let name = || Printable::path(&path).to_string();
        let bytes = fs::read(path).with_context(name)?;
        let text = String::from_utf8(bytes).with_context(name)?;
        Ok(Some(Spec::parse(&text).with_context(name)?))
    }

    fn run_tests(
        &self,
        recording: &DecodedRecording,
        spec: Option<&Spec>,
    ) -> anyhow::Result<Vec<TestResult>> {
        let mut results = match (spec, &self.spec) {
            (Some(spec), Some(path)) => expect::run(&recording.trace, spec)
                .with_context(|| Printable::path(&path).to_string())?,
            _ => {
                let results = recorded::run_recorded(recording);
                if results.is_empty() {
                    let name = self.file.name();
                    anyhow::bail!("{name}: the recording has no unit tests; pass a test file");
                }
                results
            }
        };
        if let Some(pattern) = &self.test {
            let glob = Glob::new(pattern);
            results.retain(|result| glob.matches(&result.name));
            if results.is_empty() {
                anyhow::bail!("--test: no test name matches {pattern:?}");
            }
        }
        Ok(results)
    }

    fn write_report(&self, document: &ExpectDocument) -> anyhow::Result<()> {
        let is_aside = self.answers.as_deref() == Some(Path::new("-"));
        let text = match self.format {
            OutputFormat::Json => {
                let mut json = Vec::new();
                output::json_text::write_pretty(&mut json, document)?;
                String::from_utf8(json)? + "\n"
            }
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
            let mut output = output::stdout();
            output.write_all(text.as_bytes())?;
            output.flush()?;
        }
        Ok(())
    }
}
