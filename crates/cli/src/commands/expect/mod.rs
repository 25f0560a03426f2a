//! `rtoscope expect`: whether a trace is as a test expects.

mod recorded;
mod text;

use anyhow::Context as _;
use clap::Args;
use rtoscope_analysis::expect::{self, Document, Spec, TestResult};
use rtoscope_command::input::{DecodeArguments, FileArguments, keep};
use rtoscope_command::output::{self, Format, whole};
use rtoscope_decode::rkh::unit_test;
use rtoscope_trace::Trace;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,

    /// The tests; those that the recording holds itself (RKH's unit test
    /// records) if none are given
    #[arg(value_name = "SPEC")]
    spec: Option<PathBuf>,

    #[command(flatten)]
    decode: DecodeArguments,

    /// Only tests of which the name fits: a part of it, or with `*` and `?` all
    #[arg(long, value_name = "PATTERN")]
    test: Option<String>,

    /// How to write what came of the tests
    #[arg(short, long, default_value = "text")]
    format: Format,

    /// Write the answers that an RKH target waits for, one a test; `-` is
    /// standard output, and standard error then says what came of the tests
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
}

/// Whether every test passed.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let spec = arguments.spec()?;
    // Answers must not be written over what they are about.
    let answers = arguments.answers.as_deref();
    arguments.file.keep_from(&arguments.decode, answers)?;
    keep(arguments.spec.as_deref(), answers)?;
    let recording = arguments.file.recording(&arguments.decode)?;
    arguments.file.hint(&recording.trace.diagnostics);
    let results = arguments.results(&recording.trace, spec.as_ref())?;
    if answers.is_some() {
        unless_closed(whole::file(answers, |output| {
            for result in &results {
                let problem = result.problem();
                output.write_all(&unit_test::answer(result.answer_line(), problem.as_deref()))?;
            }
            Ok(())
        }))?;
    }
    let name = arguments
        .spec
        .as_ref()
        .map(|path| Printable::path(&path).to_string());
    let document = Document::new(&arguments.file.source_name(), name.as_deref(), results);
    unless_closed(arguments.report(&document))?;
    Ok(document.is_good())
}

/// Who reads no further must still learn whether the tests passed.
fn unless_closed(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if rtoscope_command::is_broken_pipe(&error) => Ok(()),
        written => written,
    }
}

impl Arguments {
    fn spec(&self) -> anyhow::Result<Option<Spec>> {
        let Some(path) = &self.spec else {
            return Ok(None);
        };
        let name = || Printable::path(&path).to_string();
        let bytes = fs::read(path).with_context(name)?;
        let text = String::from_utf8(bytes).with_context(name)?;
        Ok(Some(Spec::parse(&text).with_context(name)?))
    }

    fn results(&self, trace: &Trace, spec: Option<&Spec>) -> anyhow::Result<Vec<TestResult>> {
        let mut results = match (spec, &self.spec) {
            (Some(spec), Some(path)) => {
                expect::run(trace, spec).with_context(|| Printable::path(&path).to_string())?
            }
            _ => {
                let results = recorded::run(trace);
                if results.is_empty() {
                    let name = self.file.name();
                    anyhow::bail!("{name}: the recording holds no unit test; give a file of tests");
                }
                results
            }
        };
        if let Some(pattern) = &self.test {
            let glob = Glob::new(pattern);
            results.retain(|result| glob.matches(&result.name));
            if results.is_empty() {
                anyhow::bail!("--test: no test has a name that fits {pattern:?}");
            }
        }
        Ok(results)
    }

    fn report(&self, document: &Document) -> anyhow::Result<()> {
        let is_aside = self.answers.as_deref() == Some(Path::new("-"));
        let text = match self.format {
            Format::Json => {
                let mut json = Vec::new();
                output::json_text::write_pretty(&mut json, document)?;
                String::from_utf8(json)? + "\n"
            }
            Format::Text => {
                let coloured = match is_aside {
                    true => text::coloured_errors(),
                    false => output::coloured(),
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
