//! `rtoscope view`: shows traces in the browser.

use crate::viewer::ViewerArgs;
use anyhow::ensure;
use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::input::{DecodeArgs, FileArgs, FilesArgs, TextLogArgs, Timing};
use rtoscope_command::progress;
use rtoscope_decode::DecodedRecording;
use rtoscope_server::{MAX_TRACES, NotesFile};
use rtoscope_session::Session;
use rtoscope_trace::TextLog;

#[derive(Args)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    files: FilesArgs,

    #[command(flatten)]
    viewer: ViewerArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    text_logs: TextLogArgs,
}

pub(crate) fn run(arguments: &ViewArgs) -> anyhow::Result<()> {
    let files: Vec<_> = arguments.files.iter().collect();
    let server = arguments
        .viewer
        .bind(&arguments.decode, &source_of(&files))?;
    ensure!(
        files.len() <= MAX_TRACES,
        "at most {MAX_TRACES} traces can be shown at once"
    );
    ensure!(
        arguments.text_logs.is_empty() || files.len() == 1,
        "--text-log needs a single trace"
    );
    for file in &files {
        let namesakes = files.iter().filter(|other| other.title() == file.title());
        let name = match namesakes.count() {
            1 => file.title(),
            _ => file.source_name(),
        };
        let recording = decode(file, &arguments.decode)?;
        let timing = arguments.decode.timing(file)?;
        let text_logs = arguments.text_logs.read(&recording.trace)?;
        arguments.text_logs.hint_at_diagnostics(&text_logs);
        let notes = file.path().map(NotesFile::beside);
        server.add_later(name.clone(), move || {
            analyse(name, recording, timing.as_ref(), text_logs, notes)
        })?;
    }
    arguments.viewer.run(server)
}

/// The absolute paths of the files, independent of the working directory.
fn source_of(files: &[FileArgs]) -> String {
    let path = |file: &FileArgs| match file.path() {
        Some(path) => {
            let full = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            full.to_string_lossy().into_owned()
        }
        None => file.name(),
    };
    files.iter().map(path).collect::<Vec<_>>().join("\n")
}

/// Decodes a recording and drops the bytes that it was decoded from.
fn decode(file: &FileArgs, options: &DecodeArgs) -> anyhow::Result<DecodedRecording> {
    let bar = progress::opening_bar(&file.name());
    let recording = file.recording(options)?;
    bar.finish_and_clear();
    Ok(recording)
}

fn analyse(
    name: String,
    recording: DecodedRecording,
    timing: Option<&Timing>,
    text_logs: Vec<TextLog>,
    mut notes: Option<NotesFile>,
) -> (Session, Option<NotesFile>) {
    let DecodedRecording { trace, format_info } = recording;
    let mut recording = AnalyzedRecording::new(name, "", trace, &format_info);
    if let Some(timing) = timing
        && let Err(error) = timing.apply(&mut recording)
    {
        rtoscope_command::message!("declared timing ignored: {error:#}");
    }
    recording.text_logs = text_logs;
    let mut session = Session::from_analyzed(recording, format_info);
    if let Some(notes) = &mut notes
        && let Err(error) = notes.load(&mut session)
    {
        rtoscope_command::message!("notes ignored: {error}");
    }
    (session, notes)
}
