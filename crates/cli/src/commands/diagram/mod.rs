//! `rtoscope diagram`: what active objects send each other, and their state
//! machines.

mod machine;
mod sequence;

use anyhow::ensure;
use clap::{Args, Subcommand};
use rtoscope_analysis::active::Active;
use rtoscope_command::input::{DecodeArguments, FileArguments};
use rtoscope_command::output::whole;
use rtoscope_trace::Trace;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub(crate) enum Diagram {
    /// Who sent what to whom, and what came of it, from top to bottom
    Sequence(sequence::Arguments),
    /// The states of an active object, and the transitions that were taken
    Machine(machine::Arguments),
}

/// What all diagrams need to know.
#[derive(Args)]
struct Drawing {
    #[command(flatten)]
    file: FileArguments,

    #[command(flatten)]
    decode: DecodeArguments,

    /// Where to write it; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(diagram: &Diagram) -> anyhow::Result<()> {
    match diagram {
        Diagram::Sequence(arguments) => sequence::run(arguments),
        Diagram::Machine(arguments) => machine::run(arguments),
    }
}

impl Drawing {
    /// Decodes the recording and writes the diagram that `draw` makes of it.
    fn draw(
        &self,
        draw: impl FnOnce(&Trace, &Active) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.file.keep_from(&self.decode, self.output.as_deref())?;
        let recording = self.file.recording(&self.decode)?;
        self.file.hint(&recording.trace.diagnostics);
        let trace = &recording.trace;
        let active = Active::of(trace, &recording.origin.interpreter(trace));
        ensure!(
            !active.is_empty(),
            "{}: the trace speaks of no active object",
            self.file.name()
        );
        let text = draw(trace, &active)?;
        // Without a path standard output, even if that is a terminal.
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        whole::file(Some(path), |output| Ok(output.write_all(text.as_bytes())?))
    }
}
