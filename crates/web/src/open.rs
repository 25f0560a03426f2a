//! Opens the files that the user gives to the page.

use clap::Parser;
use rtoscope_command::input::{
    DecodeArgs, FileArgs, TextLogArgs, TimingArgs, notes_path, open_analyzed, option_of_file,
};
use rtoscope_command::{message_with_causes, parse_from};
use rtoscope_decode::files;
use rtoscope_session::{Notes, Session};
use rtoscope_trace::Progress;
use serde::Deserialize;
use std::ffi::OsString;
use std::iter;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// What the page asks for.
#[derive(Debug, Default, Deserialize)]
pub struct OpenRequest {
    /// The recording: a file, or the folder of a capture.
    pub name: String,
    /// Options of `rtoscope view`; the files that they name are given, too.
    #[serde(default)]
    pub options: Vec<String>,
}

/// The name of a project's file.
const PROJECT_FILE: &str = "rtoscope.toml";

/// The option for no project's file.
const NO_CONFIG: &str = "--no-config";

/// The options that the page has in common with `rtoscope view`.
#[derive(Parser)]
#[command(
    name = "rtoscope",
    disable_help_flag = true,
    disable_version_flag = true
)]
struct PageArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,

    #[command(flatten)]
    text_logs: TextLogArgs,
}

/// An open recording.
pub struct OpenRecording {
    /// Its session.
    pub session: Session,
    /// The clock in the notes that it was opened with.
    pub(crate) noted_clock: Option<NonZeroU64>,
}

/// Opens a recording. The other files help to decode it: the project's file, notes, files with
/// symbols and definitions; whatever is not named by an option or the project's file is recognised
/// by its name.
///
/// # Errors
///
/// A message for the user if a file cannot be used.
pub fn open(
    request: &OpenRequest,
    given: Vec<(String, Vec<u8>)>,
    progress: &Progress,
) -> Result<OpenRecording, String> {
    let OpenRequest { name, options } = request;
    let its_notes = notes_path(Path::new(name)).to_string_lossy().into_owned();
    let ending = notes_path(Path::new("")).to_string_lossy().into_owned();
    let (notes, others): (Vec<_>, _) = given
        .into_iter()
        .partition(|(other, _)| other != name && other.ends_with(&ending));
    let mut arguments = vec!["rtoscope".to_owned()];
    arguments.extend(options.iter().cloned());
    arguments.extend(implied_options(name, options, &others));
    arguments.extend(["--".to_owned(), name.clone()]);
    let arguments: Vec<_> = arguments.into_iter().map(OsString::from).collect();
    let path = |(name, bytes): (String, Vec<u8>)| (PathBuf::from(name), bytes);
    files::give(others.into_iter().map(path));
    let opened = parse_from(&arguments).and_then(|arguments: PageArgs| {
        let PageArgs {
            file,
            decode,
            timing,
            text_logs,
        } = arguments;
        let opened = open_analyzed(name, &file, &decode, &timing, &text_logs, progress, &|| ())?;
        let (recording, format_info) = opened;
        let mut session = Session::from_analyzed(recording, format_info);
        session.note_given_clock(decode.given_clock());
        Ok(session)
    });
    let session = opened.map_err(|error| message_with_causes(&error))?;
    let mut recording = OpenRecording {
        session,
        noted_clock: None,
    };
    if let Some((_, text)) = notes.iter().find(|(other, _)| *other == its_notes) {
        let applied = recording.apply_notes(text);
        applied.map_err(|reason| format!("{its_notes}: {reason}"))?;
    }
    Ok(recording)
}

impl OpenRecording {
    /// Applies the text of a notes file.
    pub(crate) fn apply_notes(&mut self, text: &[u8]) -> Result<(), String> {
        let notes = Notes::parse(text)?;
        let clock = notes.clock_hz();
        notes.apply_to(&mut self.session)?;
        self.noted_clock = clock;
        Ok(())
    }
}

/// The options that use the files that no option names. Options that name a project's file, or
/// none, are complete: the other files are those that it names.
fn implied_options(name: &str, options: &[String], files: &[(String, Vec<u8>)]) -> Vec<String> {
    let is_complete = |option: &String| option == NO_CONFIG || option.starts_with("--config=");
    if options.iter().any(is_complete) {
        return Vec::new();
    }
    // The folder of a capture can contain one, as for the command.
    let paths = [
        Path::new(name).join(PROJECT_FILE),
        PathBuf::from(PROJECT_FILE),
    ];
    let project = paths.into_iter().find_map(|path| {
        let mut files = files.iter();
        files.find(|(other, _)| Path::new(other) == path)
    });
    let config = project.map_or(NO_CONFIG.to_owned(), |(path, _)| format!("--config={path}"));
    let text = project.map_or("".into(), |(_, text)| String::from_utf8_lossy(text));
    let is_named = |other: &str| {
        let ends_value = |quote: char| text.contains(&format!("{other}{quote}"));
        let is_in_project = ['"', '\''].into_iter().any(ends_value);
        is_in_project || options.iter().any(|option| option.ends_with(other))
    };
    let others = files.iter().map(|(other, _)| other.as_str());
    let others = others.filter(|other| {
        let is_below = Path::new(other).starts_with(name);
        !is_below && !other.ends_with(PROJECT_FILE) && !is_named(other)
    });
    let others = others.map(option_of_file);
    iter::once(config).chain(others).collect()
}
