//! `rtoscope diagram machine`.

use super::{DiagramArgs, GraphFormat};
use anyhow::bail;
use clap::Args;
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_command::scope;
use rtoscope_export::StateMachine;
use rtoscope_export::machine::{dot, mermaid};
use rtoscope_trace::{ContextId, Trace};

#[derive(Args)]
pub(crate) struct MachineDiagramArgs {
    #[command(flatten)]
    diagram: DiagramArgs,

    /// Active object whose state machine is drawn, by name, pattern or address;
    /// optional if the trace has only one
    #[arg(long, value_name = "NAME")]
    object: Option<String>,

    /// Output format
    #[arg(short, long, default_value = "dot")]
    format: GraphFormat,
}

pub(super) fn run(arguments: &MachineDiagramArgs) -> anyhow::Result<()> {
    arguments.diagram.write_diagram(|trace, active| {
        let object = select_object(trace, active, arguments.object.as_deref())?;
        let machine = StateMachine::new(trace, active, object);
        Ok(match arguments.format {
            GraphFormat::Dot => dot::render(&machine),
            GraphFormat::Mermaid => mermaid::render(&machine),
        })
    })
}

fn select_object(
    trace: &Trace,
    active: &ActiveObjects,
    wanted: Option<&str>,
) -> anyhow::Result<ContextId> {
    let contexts = active.objects.iter();
    let contexts = contexts.filter_map(|object| trace.contexts.get(*object));
    let fitting: Vec<_> = contexts
        .filter(|context| {
            wanted.is_none_or(|wanted| scope::matches_context(trace, context, wanted))
        })
        .collect();
    if let [context] = fitting.as_slice() {
        return Ok(context.id);
    }
    let names = active
        .objects
        .iter()
        .map(|object| trace.context_name(*object));
    let names = names.collect::<Vec<_>>().join(", ");
    match wanted {
        None => bail!("several active objects; select one with --object: {names}"),
        Some(wanted) if fitting.is_empty() => {
            bail!("no active object matches {wanted:?}; available: {names}")
        }
        Some(wanted) => bail!("{wanted:?} matches more than one of {names}"),
    }
}
