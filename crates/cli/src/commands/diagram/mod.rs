//! `rtoscope diagram`: sequence diagrams and state machines of active objects, and
//! communication graphs.

mod communication;
mod machine;
mod sequence;

use anyhow::ensure;
use clap::{Args, Subcommand, ValueEnum};
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_command::input::{DecodeArgs, FileArgs};
use rtoscope_command::output::atomic_output;
use rtoscope_decode::DecodedRecording;
use rtoscope_trace::Trace;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub(crate) enum DiagramCommand {
    /// Draw a sequence diagram: messages, steps and state changes, from top to
    /// bottom
    Sequence(sequence::SequenceDiagramArgs),
    /// Draw the states of an active object and the transitions that it took
    Machine(machine::MachineDiagramArgs),
    /// Draw a graph of contexts, the objects that they use, and what they send to each
    /// other
    Communication(communication::CommunicationDiagramArgs),
}

/// The output formats of graphs.
#[derive(Clone, Copy, ValueEnum)]
enum GraphFormat {
    /// Graphviz text
    Dot,
    /// Mermaid text, for Markdown
    Mermaid,
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
        DiagramCommand::Communication(arguments) => communication::run(arguments),
    }
}

impl DiagramArgs {
    /// Decodes the recording, renders the diagram of active objects with `draw` and writes
    /// it.
    fn write_diagram(
        &self,
        draw: impl FnOnce(&Trace, &ActiveObjects) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        let recording = self.decode()?;
        let trace = &recording.trace;
        let active = ActiveObjects::from_trace(trace, &recording.format_info.interpreter(trace));
        ensure!(
            !active.is_empty(),
            "{}: the trace has no active objects",
            self.file.name()
        );
        self.write(&draw(trace, &active)?)
    }

    fn decode(&self) -> anyhow::Result<DecodedRecording> {
        self.file
            .guard_overwrite(&self.decode, self.output.as_deref())?;
        let recording = self.file.recording(&self.decode)?;
        self.file.hint_at_diagnostics(&recording.trace.diagnostics);
        Ok(recording)
    }

    fn write(&self, text: &str) -> anyhow::Result<()> {
        // Without a path, write to standard output, even if that is a terminal.
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        atomic_output::write_file(Some(path), |output| Ok(output.write_all(text.as_bytes())?))
    }
}
