//! `rtoscope info`: format, contents and problems of a trace.

mod document;
mod text;

use clap::Args;
pub(crate) use document::InfoDocument;
#[cfg(feature = "mcp")]
use rtoscope_command::input::Packing;
use rtoscope_command::input::{DecodeArgs, FileArgs, TextLogArgs};
use rtoscope_command::output::{self, OutputFormat};
#[cfg(feature = "mcp")]
use rtoscope_decode::DecodedRecording;

#[derive(Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    text_logs: TextLogArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: OutputFormat,
}

/// What a recording has, as text.
#[cfg(feature = "mcp")]
pub(crate) fn text_of(name: &str, packing: &Packing<'_>, recording: &DecodedRecording) -> String {
    text::render(&InfoDocument::new(name, packing, recording, &[]))
}

pub(crate) fn run(arguments: &InfoArgs) -> anyhow::Result<()> {
    let document = arguments
        .file
        .with_recording(&arguments.decode, |packing, recording| {
            let logs = &arguments.text_logs;
            let text_logs = logs.read(&arguments.decode, &recording.trace)?;
            let name = arguments.file.source_name();
            let document = InfoDocument::new(&name, packing, &recording, &text_logs);
            Ok(document)
        })?;
    match arguments.format {
        OutputFormat::Json => output::write_json(&document),
        OutputFormat::Text => {
            let text = text::render(&document);
            output::write_text(&text)
        }
    }
}
