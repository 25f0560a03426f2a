//! `rtoscope info`: what a trace is and what is in it.

mod document;
mod text;

use clap::Args;
use document::Document;
use rtoscope_command::input::{DecodeArguments, FileArguments, Packing};
use rtoscope_command::output::{self, Format};
use rtoscope_decode::Recording;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,

    #[command(flatten)]
    decode: DecodeArguments,

    /// How to write it
    #[arg(short, long, default_value = "text")]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let document = arguments
        .file
        .look(&arguments.decode, |packing, recording| {
            Ok(Document::new(
                &arguments.file.source_name(),
                packing,
                &recording,
            ))
        })?;
    match arguments.format {
        Format::Json => output::json(&document),
        Format::Text => {
            let text = text::render(&document);
            output::text(&text)
        }
    }
}

/// The same text as of the command.
pub(super) fn text(name: &str, packing: &Packing<'_>, recording: &Recording) -> String {
    text::render(&Document::new(name, packing, recording))
}
