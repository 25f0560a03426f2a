//! `rtoscope diagram machine`.

use super::Drawing;
use anyhow::bail;
use clap::{Args, ValueEnum};
use rtoscope_analysis::active::Active;
use rtoscope_command::scope;
use rtoscope_export::Machine;
use rtoscope_export::machine::{dot, mermaid};
use rtoscope_trace::{ContextId, Trace};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    drawing: Drawing,

    /// Whose state machine, by name, pattern or address; not needed where the
    /// trace has only one
    #[arg(long, value_name = "NAME")]
    object: Option<String>,

    /// How to write it
    #[arg(short, long, default_value = "dot")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Text for Graphviz
    Dot,
    /// Text for Mermaid, as in Markdown
    Mermaid,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.drawing.draw(|trace, active| {
        let object = object(trace, active, arguments.object.as_deref())?;
        let machine = Machine::of(trace, active, object);
        Ok(match arguments.format {
            Format::Dot => dot::render(&machine),
            Format::Mermaid => mermaid::render(&machine),
        })
    })
}

fn object(trace: &Trace, active: &Active, wanted: Option<&str>) -> anyhow::Result<ContextId> {
    let contexts = active.objects.iter();
    let contexts = contexts.filter_map(|object| trace.contexts.get(*object));
    let fitting: Vec<_> = contexts
        .filter(|context| wanted.is_none_or(|wanted| scope::fits(trace, context, wanted)))
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
        None => bail!("say with --object which of {names}"),
        Some(wanted) if fitting.is_empty() => {
            bail!("no active object is called {wanted:?}; there is {names}")
        }
        Some(wanted) => bail!("{wanted:?} is not only one of {names}"),
    }
}
