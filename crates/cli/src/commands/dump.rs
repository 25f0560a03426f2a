//! `rtoscope dump`: everything, as text that can be compared line by line.

use super::{events, info, objects, report};
use crate::input::{DecodeArguments, FileArguments};
use crate::output;
use crate::scope::ScopeArguments;
use clap::Args;
use rtoscope_analysis::report::Wish;
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
    let source = arguments.file.read()?;
    let opened = arguments.file.open(source.input())?;
    let recording = arguments.file.decode(&opened, &arguments.decode)?;
    let scope = arguments.scope.scope(&recording.trace)?;
    let name = arguments.file.name();
    let title = |title: &str| {
        let mut output = output::stdout();
        writeln!(output, "\n# {title}\n")?;
        output.flush()
    };
    let print = |text: &str| output::stdout().write_all(text.as_bytes());
    print("# Trace\n\n")?;
    print(&info::text(&name, &opened, &recording))?;
    title("Objects")?;
    print(&objects::text(&recording.trace))?;
    title("Events")?;
    events::text_of_scope(&recording.trace, &scope)?;
    title("Reports")?;
    let reports = report::text(&name, &recording, &scope, &Wish::default());
    Ok(print(&reports)?)
}
