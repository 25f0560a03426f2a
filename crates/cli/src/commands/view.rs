//! `rtoscope view`: shows traces in the browser.

use crate::companion;
use crate::viewer::ViewerArgs;
use anyhow::{Context as _, bail, ensure};
use clap::Args;
use rtoscope_command::input::{
    DecodeArgs, FileArgs, FilesArgs, GivenDecodeOptions, TextLogArgs, TimingArgs, open_analyzed,
    parse_recording_id,
};
use rtoscope_command::progress;
use rtoscope_server::{
    MAX_TRACES, NotesFile, RecentFile, RecentRecording, RecentRecordings, RecordingFile,
    TraceOpener,
};
use rtoscope_session::Session;
use rtoscope_session::response::RecordingSource;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

#[derive(Args)]
#[command(mut_arg("files", |files| files.required(false)))]
pub(crate) struct ViewArgs {
    // Before the options that it inspects.
    #[command(flatten)]
    given: GivenDecodeOptions,

    #[command(flatten)]
    files: FilesArgs,

    /// Show the recording with this `recording_id` from the tables of a fleet, FILE
    #[arg(long, value_name = "ID", requires = "files", value_parser = parse_recording_id)]
    recording: Option<String>,

    /// Show two recordings, FILE FILE, one above the other, and compare their figures
    #[arg(long, conflicts_with = "recording")]
    compare: bool,

    #[command(flatten)]
    viewer: ViewerArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,

    #[command(flatten)]
    text_logs: TextLogArgs,
}

pub(crate) fn run(arguments: ViewArgs) -> anyhow::Result<()> {
    let files = match &arguments.recording {
        Some(id) => vec![arguments.files.other(fetch(&arguments.files, id)?)],
        // The viewer shows each trace by its own clock.
        None => arguments.files.iter().map(FileArgs::on_own_clock).collect(),
    };
    ensure!(
        !arguments.compare || files.len() == 2,
        "--compare takes two recordings"
    );
    let source = source_of(&files);
    let viewer = &arguments.viewer;
    let server = viewer.bind(&arguments.decode, &arguments.given, &source)?;
    ensure!(
        files.len() <= MAX_TRACES,
        "at most {MAX_TRACES} traces can be shown at once"
    );
    ensure!(
        arguments.text_logs.is_empty() || files.len() == 1,
        "--text-log needs a single trace"
    );
    let openings = files.iter().map(|file| {
        let namesakes = files.iter().filter(|other| other.title() == file.title());
        let name = match namesakes.count() {
            1 => file.title(),
            _ => file.source_name(),
        };
        Ok(Opening {
            file: file.clone(),
            opener: server.add_opening(name, RecordingFile::of(file, &arguments.given))?,
        })
    });
    let openings: Vec<Opening> = openings.collect::<anyhow::Result<_>>()?;
    let arguments = Arc::new(arguments);
    server.offer_recent(Arc::new(RecentInViewer {
        arguments: Arc::clone(&arguments),
        file: RecentFile::of_user(),
    }));
    if openings.is_empty() {
        return arguments.viewer.run(server, "");
    }
    let (sender, outcomes) = mpsc::channel();
    let (opener, stop) = (Arc::clone(&arguments), server.stop_handle());
    thread::Builder::new().spawn(move || {
        if let Err(error) = opener.open_all(openings, &sender) {
            // The receiver waits for it, or reads it when the server has stopped.
            let _ = sender.send(Err(error));
            stop.stop();
        }
    })?;
    outcomes.recv()??;
    let fragment = if arguments.compare { COMPARISON } else { "" };
    arguments.viewer.run(server, fragment)?;
    outcomes.try_iter().collect()
}

/// The address of the view that compares the first two recordings.
const COMPARISON: &str = "compare=0.1&side=comparison";

/// Gets a recording from the tables of a fleet; returns its path. It stays there, with the notes
/// that the user makes.
fn fetch(tables: &FilesArgs, id: &str) -> anyhow::Result<PathBuf> {
    let tables: Vec<_> = tables.iter().map(|tables| tables.file).collect();
    let [tables] = &tables[..] else {
        bail!("--recording takes one place with tables");
    };
    let folder = RecentFile::of_user().recordings_folder();
    let folder = folder.context("no folder for the recording: set XDG_STATE_HOME")?;
    fs::create_dir_all(&folder).with_context(|| Printable::path(&folder).to_string())?;
    let path = folder.join(format!("{id}.trx"));
    let mut command = companion::FLEET.command()?;
    command
        .arg("fetch")
        .arg(tables)
        .arg(id)
        .arg("--output")
        .arg(&path);
    let status = command.status().context("rtoscope-fleet")?;
    ensure!(status.success(), "the recording {id} was not fetched");
    Ok(path)
}

/// A recording that is being opened.
struct Opening {
    file: FileArgs,
    opener: TraceOpener,
}

/// `Ok` when a recording is found worth waiting for; an error if there is none to show.
type Outcomes = Sender<anyhow::Result<()>>;

impl ViewArgs {
    /// Opens the recordings one after the other.
    ///
    /// # Errors
    ///
    /// If none can be opened.
    fn open_all(&self, openings: Vec<Opening>, outcomes: &Outcomes) -> anyhow::Result<()> {
        let count = openings.len();
        let mut is_any_open = false;
        let recent = RecentFile::of_user();
        for (number, Opening { file, opener }) in (1..).zip(openings) {
            let bar = progress::opening_bar(&file.name());
            let opened = self.open(&file, &self.given, &self.decode, &opener, &|| {
                let _ = outcomes.send(Ok(()));
            });
            bar.finish_and_clear();
            match opened {
                Ok((session, notes)) => {
                    is_any_open = true;
                    // Before: who sees the trace finds it in the list.
                    remember(&recent, &file);
                    opener.finish(session, notes);
                }
                Err(error) => {
                    opener.fail(format!("{error:#}"));
                    // The others are shown.
                    if !is_any_open && number == count {
                        return Err(error);
                    }
                    rtoscope_command::message!("not shown: {error:#}");
                }
            }
        }
        Ok(())
    }

    fn open(
        &self,
        file: &FileArgs,
        given: &GivenDecodeOptions,
        decode: &DecodeArgs,
        opener: &TraceOpener,
        announce: &dyn Fn(),
    ) -> anyhow::Result<(Session, Option<NotesFile>)> {
        let (recording, format_info) = open_analyzed(
            opener.name(),
            file,
            decode,
            &self.timing,
            &self.text_logs,
            opener.progress(),
            announce,
        )?;
        let mut session = Session::from_analyzed(recording, format_info);
        session.note_given_clock(decode.given_clock());
        session.set_source(source_options(file, given));
        let mut notes = file.path().map(NotesFile::beside);
        if let Some(notes) = &mut notes
            && let Err(error) = notes.load(&mut session)
        {
            rtoscope_command::message!("notes ignored: {error}");
        }
        Ok((session, notes))
    }
}

/// Keeps a recording in the list of those opened last.
fn remember(recent: &RecentFile, file: &FileArgs) {
    if let Some(path) = file.path()
        && let Err(error) = recent.add(path)
    {
        rtoscope_command::message!("not added to the recent recordings: {error}");
    }
}

/// The recordings opened last. They open with the options of this command except its clock,
/// like files that are dropped on the page.
struct RecentInViewer {
    arguments: Arc<ViewArgs>,
    file: RecentFile,
}

impl RecentRecordings for RecentInViewer {
    fn list(&self) -> Vec<RecentRecording> {
        self.file.list()
    }

    fn file(&self, path: &Path) -> RecordingFile {
        let file = self.arguments.files.other(path.to_owned());
        RecordingFile::of(&file, &self.arguments.given.for_other_recordings())
    }

    fn open(&self, path: &Path, opener: TraceOpener, detected: &dyn Fn()) -> Result<(), String> {
        if !self.arguments.text_logs.is_empty() {
            let name = opener.name();
            return Err(format!(
                "{name}: --text-log is for the recording that it was given with"
            ));
        }
        let file = self.arguments.files.other(path.to_owned());
        let given = self.arguments.given.for_other_recordings();
        let decode = self.arguments.decode.for_other_recordings();
        let opened = self
            .arguments
            .open(&file, &given, &decode, &opener, detected);
        match opened.map_err(|error| format!("{error:#}")) {
            Ok((session, notes)) => {
                remember(&self.file, &file);
                opener.finish(session, notes);
                Ok(())
            }
            Err(message) => {
                opener.fail(message.clone());
                Err(message)
            }
        }
    }

    fn clear(&self) -> Result<(), String> {
        self.file.clear().map_err(|error| error.to_string())
    }
}

/// How a command opens a recording; `None` if its options cannot be written as text.
fn source_options(file: &FileArgs, given: &GivenDecodeOptions) -> Option<RecordingSource> {
    let options = file.arguments(given).into_iter();
    Some(RecordingSource {
        file: file.path()?.to_str()?.to_owned(),
        options: options
            .map(|it| it.into_string().ok())
            .collect::<Option<_>>()?,
    })
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
