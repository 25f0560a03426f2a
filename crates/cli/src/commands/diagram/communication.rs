//! `rtoscope diagram communication`.

use super::{DiagramArgs, GraphFormat};
use anyhow::ensure;
use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::scope::ScopeArgs;
use rtoscope_decode::DecodedRecording;
use rtoscope_export::CommunicationGraph;
use rtoscope_export::communication::{dot, mermaid};

#[derive(Args)]
pub(crate) struct CommunicationDiagramArgs {
    #[command(flatten)]
    diagram: DiagramArgs,

    #[command(flatten)]
    scope: ScopeArgs,

    /// Output format
    #[arg(short, long, default_value = "dot")]
    format: GraphFormat,
}

pub(super) fn run(arguments: &CommunicationDiagramArgs) -> anyhow::Result<()> {
    let DecodedRecording { trace, format_info } = arguments.diagram.decode()?;
    let name = arguments.diagram.file.name();
    let recording = AnalyzedRecording::new(name.clone(), "", trace, &format_info);
    let scope = arguments.scope.scope(&recording.trace)?;
    let stats = recording.scope_stats(scope);
    let graph = CommunicationGraph::new(&recording.view_of(&stats));
    ensure!(
        !graph.edges.is_empty(),
        "{name}: no communication of contexts is recorded in this part of the trace"
    );
    arguments.diagram.write(&match arguments.format {
        GraphFormat::Dot => dot::render(&graph),
        GraphFormat::Mermaid => mermaid::render(&graph),
    })
}
