//! `rtoscope view`: traces in the browser.

use crate::viewer::ViewerArguments;
use anyhow::ensure;
use clap::Args;
use rtoscope_command::input::{DecodeArguments, FileArguments, FilesArguments};
use rtoscope_command::progress;
use rtoscope_decode::Recording;
use rtoscope_server::{MOST_TRACES, Notes};
use rtoscope_session::Session;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: FilesArguments,

    #[command(flatten)]
    viewer: ViewerArguments,

    #[command(flatten)]
    decode: DecodeArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let files: Vec<_> = arguments.files.each().collect();
    let server = arguments
        .viewer
        .bind(&arguments.decode, &source_of(&files))?;
    ensure!(
        files.len() <= MOST_TRACES,
        "at most {MOST_TRACES} traces can be shown at once"
    );
    for file in &files {
        let namesakes = files.iter().filter(|other| other.title() == file.title());
        let name = match namesakes.count() {
            1 => file.title(),
            _ => file.source_name(),
        };
        let recording = decode(file, &arguments.decode)?;
        let notes = file.path().map(Notes::beside);
        server.add_later(name.clone(), move || analyse(name, recording, notes))?;
    }
    arguments.viewer.run(server)
}

/// The files' full paths, whatever folder the command runs in.
fn source_of(files: &[FileArguments]) -> String {
    let path = |file: &FileArguments| match file.path() {
        Some(path) => {
            let full = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            full.to_string_lossy().into_owned()
        }
        None => file.name(),
    };
    files.iter().map(path).collect::<Vec<_>>().join("\n")
}

/// A recording without the bytes it was made from.
fn decode(file: &FileArguments, options: &DecodeArguments) -> anyhow::Result<Recording> {
    let bar = progress::opening(&file.name());
    let recording = file.recording(options)?;
    bar.finish_and_clear();
    Ok(recording)
}

fn analyse(
    name: String,
    recording: Recording,
    mut notes: Option<Notes>,
) -> (Session, Option<Notes>) {
    let mut session = Session::new(name, recording);
    if let Some(notes) = &mut notes
        && let Err(error) = notes.load(&mut session)
    {
        rtoscope_command::message!("these notes are left aside: {error}");
    }
    (session, notes)
}
