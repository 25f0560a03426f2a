//! `rtoscope dump`: everything, as text that can be compared line by line.

use super::{events, info, objects, report};
use clap::Args;
use rtoscope_analysis::Analysis;
use rtoscope_analysis::report::{Document, Wish};
use rtoscope_command::input::{DecodeArguments, FileArguments, Packing};
use rtoscope_command::output;
use rtoscope_command::scope::ScopeArguments;
use rtoscope_decode::Recording;
use std::io::Write;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,

    #[command(flatten)]
    decode: DecodeArguments,

    #[command(flatten)]
    scope: ScopeArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let look = |packing: &Packing<'_>, recording| dump(arguments, packing, &recording);
    arguments.file.look(&arguments.decode, look)
}

fn dump(arguments: &Arguments, packing: &Packing<'_>, recording: &Recording) -> anyhow::Result<()> {
    let trace = &recording.trace;
    let scope = arguments.scope.scope(trace)?;
    let name = arguments.file.name();
    chapter("Trace", &info::text(&name, packing, recording))?;
    chapter("Objects", &objects::text(trace))?;
    chapter("Events", "")?;
    events::list(recording, &scope)?;
    writeln!(output::stdout())?;
    let analysis = Analysis::of(trace, scope, &mut recording.origin.interpreter(trace));
    let view = analysis.view(trace, recording.origin.statistics());
    let document = Document::new(&name, &view, &Wish::default());
    let findings = report::summary::findings(&document);
    let reports = report::text::render(&document, &view);
    chapter("Findings", &findings)?;
    chapter("Reports", &reports)
}

fn chapter(title: &str, text: &str) -> anyhow::Result<()> {
    let mut output = output::stdout();
    write!(output, "# {title}\n\n{text}")?;
    if !text.is_empty() {
        writeln!(output)?;
    }
    Ok(output.flush()?)
}
