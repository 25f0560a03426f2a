//! `rtoscope diagram`: sequence diagrams and state machines of active objects.

mod machine;
mod sequence;

use anyhow::ensure;
use clap::{Args, Subcommand};
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_command::input::{DecodeArgs, FileArgs};
use rtoscope_command::output::atomic_output;
use rtoscope_trace::Trace;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub(crate) enum DiagramCommand {
    /// Draw a sequence diagram: messages, steps and state changes, from top to
    /// bottom
    Sequence(sequence::SequenceDiagramArgs),
    /// Draw the states of an active object and the transitions that it took
    Machine(machine::MachineDiagramArgs),
}

/// The arguments of all diagrams.
#[derive(Args)]
struct DiagramArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output file; default: standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(diagram: &DiagramCommand) -> anyhow::Result<()> {
    match diagram {
        DiagramCommand::Sequence(arguments) => sequence::run(arguments),
        DiagramCommand::Machine(arguments) => machine::run(arguments),
    }
}

impl DiagramArgs {
    /// Decodes the recording, renders the diagram with `draw` and writes it.
    fn write_diagram(
        &self,
        draw: impl FnOnce(&Trace, &ActiveObjects) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.file
            .guard_overwrite(&self.decode, self.output.as_deref())?;
        let recording = self.file.recording(&self.decode)?;
        self.file.hint_at_diagnostics(&recording.trace.diagnostics);
        let trace = &recording.trace;
        let active = ActiveObjects::from_trace(trace, &recording.format_info.interpreter(trace));
        ensure!(
            !active.is_empty(),
            "{}: the trace has no active objects",
            self.file.name()
        );
        let text = draw(trace, &active)?;
        // Without a path, write to standard output, even if that is a terminal.
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        atomic_output::write_file(Some(path), |output| Ok(output.write_all(text.as_bytes())?))
    }
}
