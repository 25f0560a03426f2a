//! `rtoscope dump`: everything about a trace, as text for comparison line by line.

use super::{events, info, objects, report};
use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use rtoscope_command::input::{DecodeArgs, FileArgs, Packing, TimingArgs};
use rtoscope_command::output;
use rtoscope_command::scope::ScopeArgs;
use rtoscope_decode::DecodedRecording;
use std::io::Write;

#[derive(Args)]
pub(crate) struct DumpArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,

    #[command(flatten)]
    scope: ScopeArgs,
}

pub(crate) fn run(arguments: &DumpArgs) -> anyhow::Result<()> {
    let look = |packing: &Packing<'_>, recording| dump(arguments, packing, recording);
    arguments.file.with_recording(&arguments.decode, look)
}

fn dump(
    arguments: &DumpArgs,
    packing: &Packing<'_>,
    recording: DecodedRecording,
) -> anyhow::Result<()> {
    let trace = &recording.trace;
    let scope = arguments.scope.scope(trace)?;
    let name = arguments.file.name();
    write_chapter("Trace", &info::render_text(&name, packing, &recording))?;
    write_chapter("Objects", &objects::render_text(trace))?;
    write_chapter("Events", "")?;
    events::write_all(&recording, &scope)?;
    writeln!(output::stdout())?;
    let DecodedRecording { trace, format_info } = recording;
    let mut recording = AnalyzedRecording::new(&name, "", trace, &format_info);
    if let Some(timing) = arguments.timing.read(&arguments.file)? {
        timing.apply(&mut recording)?;
    }
    let stats = recording.scope_stats(scope);
    let view = recording.view_of(&stats);
    let document = ReportDocument::new(&name, &view, &ReportOptions::default());
    let findings = report::summary::findings_text(&document);
    let reports = report::text::render(&document, &view);
    write_chapter("Findings", &findings)?;
    write_chapter("Reports", &reports)
}

fn write_chapter(title: &str, text: &str) -> anyhow::Result<()> {
    let mut output = output::stdout();
    write!(output, "# {title}\n\n{text}")?;
    if !text.is_empty() {
        writeln!(output)?;
    }
    Ok(output.flush()?)
}
