//! The recording that a command opens.

use super::capture_folder::{CaptureFolder, CaptureHistory};
use super::listed_recordings::{self, ListedRecording, is_list};
use super::overwrite_guard::guard_overwrite;
use super::quantity::parse_number;
use super::{DecodeArgs, GivenDecodeOptions};
use anyhow::{Context as _, ensure};
use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use rtoscope_decode::files;
use rtoscope_decode::source::{Input, Source};
use rtoscope_decode::{
    BufferChoice, DecodeError, DecodeOptions, DecodedRecording, FORMATS, Format, UnpackedInput,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Address, Diagnostic, Diagnostics, Progress, Severity};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The recording that a command opens.
#[derive(Clone, Args)]
pub struct FileArgs {
    /// The recording: a file, the folder of a capture or a trace, `-` for standard input.
    #[arg(value_name = "FILE", help = "Recording; `-` is standard input", long_help = file_help())]
    pub file: PathBuf,

    #[command(flatten)]
    buffer: BufferArgs,

    /// What a project's file says of it, if one lists it.
    #[arg(skip)]
    listed: Option<Arc<ListedRecording>>,
}

/// The recordings that a command opens.
#[derive(Args)]
pub struct FilesArgs {
    #[arg(value_name = "FILE", required = true, num_args = 1.., help = "Recordings; `-` is standard input", long_help = files_help(), value_parser = files_parser())]
    files: Vec<RecordingPaths>,

    #[command(flatten)]
    buffer: BufferArgs,
}

/// The recordings of an argument: one, or those that a project's file lists.
#[derive(Clone)]
enum RecordingPaths {
    One(PathBuf),
    Listed(Vec<Arc<ListedRecording>>),
}

fn files_parser() -> impl TypedValueParser<Value = RecordingPaths> {
    PathBufValueParser::new().try_map(RecordingPaths::new)
}

impl RecordingPaths {
    fn new(path: PathBuf) -> Result<Self, String> {
        if !is_list(&path) {
            return Ok(Self::One(path));
        }
        let listed = listed_recordings::read(&path);
        let listed = listed.map_err(|error| format!("{error:#}"))?;
        Ok(Self::Listed(listed.into_iter().map(Arc::new).collect()))
    }

    fn files(self, buffer: BufferArgs) -> Vec<FileArgs> {
        match self {
            Self::One(file) => vec![FileArgs::new(file, buffer)],
            Self::Listed(listed) => {
                let files = listed.into_iter().map(|listed| FileArgs {
                    listed: Some(Arc::clone(&listed)),
                    ..FileArgs::new(listed.path.clone(), buffer)
                });
                files.collect()
            }
        }
    }
}

/// The buffer of a recording to open, and its format.
#[derive(Clone, Copy, Args)]
pub struct BufferArgs {
    /// Number of the buffer, from 0, in a file with several
    #[arg(
        long,
        value_name = "NUMBER",
        conflicts_with = "at",
        help_heading = "Input"
    )]
    buffer: Option<usize>,

    /// Address or file offset of the buffer, in a file with several
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = "Input")]
    at: Option<u64>,

    /// Input format, if it is not detected
    #[arg(long, value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<InputFormat>,
}

/// The file with the notes about a recording: `FILE.rtoscope.json`.
pub fn notes_path(recording: &Path) -> PathBuf {
    let mut path = recording.to_owned().into_os_string();
    path.push(".rtoscope.json");
    path.into()
}

fn file_help() -> String {
    let formats = Format::list(|it| format!("{} {}", it.article, it.title), "or");
    format!(
        "Recording: {formats}; a trace in memory also as Intel HEX, S-records, a debugger's hex \
         text, a RAM image or an ELF core; all optionally compressed with gzip or zstd; the \
         folder of a capture or of a CTF trace; `-` is standard input"
    )
}

fn files_help() -> String {
    let formats = Format::list(|it| it.plural.to_owned(), "and");
    format!(
        "Recordings: {formats}; traces in memory also as Intel HEX, S-records, a debugger's hex \
         text, RAM images or ELF cores; all optionally compressed with gzip or zstd; folders of \
         captures and of CTF traces; `-` is standard input"
    )
}

/// An input format.
#[derive(Clone, Copy)]
pub struct InputFormat(Format);

impl InputFormat {
    const ALL: [Self; FORMATS.len()] = {
        let mut all = [Self(FORMATS[0]); FORMATS.len()];
        let mut number = 1;
        while number < all.len() {
            all[number] = Self(FORMATS[number]);
            number += 1;
        }
        all
    };
}

impl Default for InputFormat {
    fn default() -> Self {
        let [first, ..] = Self::ALL;
        first
    }
}

impl ValueEnum for InputFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let mut title = self.0.title().to_owned();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        Some(PossibleValue::new(self.0.name()).help(title))
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name())
    }
}

impl From<InputFormat> for Format {
    fn from(InputFormat(format): InputFormat) -> Self {
        format
    }
}

/// The container of a recording.
pub enum Packing<'a> {
    /// A file.
    File(&'a UnpackedInput<'a>),
    /// The folder of a capture.
    Folder(&'a CaptureHistory),
}

impl FileArgs {
    /// Creates the arguments of one recording.
    pub fn new(file: PathBuf, buffer: BufferArgs) -> Self {
        Self {
            file,
            buffer,
            listed: None,
        }
    }

    /// The recordings that the path names: those that it lists if it is a project's file.
    ///
    /// # Errors
    ///
    /// If the project's file cannot be read, has a mistake, or lists none.
    pub fn each(&self) -> anyhow::Result<Vec<Self>> {
        let paths = RecordingPaths::new(self.file.clone()).map_err(anyhow::Error::msg)?;
        Ok(paths.files(self.buffer))
    }

    /// What a project's file says of it, if one lists it.
    pub fn listed(&self) -> Option<&ListedRecording> {
        self.listed.as_deref()
    }

    /// The same recording with times by its own clock, also if a project's file has its place on
    /// an axis.
    #[must_use]
    pub fn on_own_clock(mut self) -> Self {
        if let Some(listed) = &mut self.listed {
            Arc::make_mut(listed).place = None;
        }
        self
    }

    /// The decoding options of the command line with those of this recording, for a program that
    /// opens only this one.
    pub fn arguments(&self, given: &GivenDecodeOptions) -> Vec<OsString> {
        let Some(listed) = &self.listed else {
            return given.arguments();
        };
        let given = match listed.clock {
            Some(_) => given.for_other_recordings(),
            None => given.clone(),
        };
        let clock = listed
            .clock
            .iter()
            .map(|clock| format!("--clock={clock}").into());
        let symbols = listed.symbols.iter().map(|symbols| {
            let mut option = OsString::from("--symbols=");
            option.push(symbols);
            option
        });
        given
            .arguments()
            .into_iter()
            .chain(clock)
            .chain(symbols)
            .collect()
    }

    /// The decoding options of this recording.
    pub fn decode_args<'a>(&self, arguments: &'a DecodeArgs) -> Cow<'a, DecodeArgs> {
        match &self.listed {
            Some(listed) => Cow::Owned(arguments.for_listed(listed)),
            None => Cow::Borrowed(arguments),
        }
    }

    /// Places a decoded recording on the axis of a project's file.
    fn place(&self, mut recording: DecodedRecording) -> anyhow::Result<DecodedRecording> {
        if let Some(place) = self.listed().and_then(|listed| listed.place.as_ref()) {
            let placed = place.apply(&mut recording.trace);
            placed.with_context(|| self.name())?;
        }
        Ok(recording)
    }

    /// Decodes the recording, or the selected one of several buffers.
    pub fn recording(&self, arguments: &DecodeArgs) -> anyhow::Result<DecodedRecording> {
        self.with_recording(arguments, |_, recording| Ok(recording))
    }

    /// Decodes the recording and calls `use_it` with its container.
    pub fn with_recording<T>(
        &self,
        arguments: &DecodeArgs,
        look: impl FnOnce(&Packing<'_>, DecodedRecording) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let arguments = &*self.decode_args(arguments);
        let Some(folder) = self.capture_folder()? else {
            let source = self.read()?;
            let content = self.open(source.input(), arguments)?;
            let options = arguments.options(Some(content.format()))?;
            let recording = self.decode_file(&source, &content, &options)?;
            return look(&Packing::File(&content), recording);
        };
        let format = match self.format(arguments)? {
            Some(format) => Some(format),
            None => folder.format()?,
        };
        let options = arguments.options(format)?;
        let decoded = folder.decode(options, format);
        let (recording, history) = decoded.with_context(|| self.name())?;
        look(&Packing::Folder(&history), self.place(recording)?)
    }

    /// Decodes the recording; calls `on_detected` once its format is known, and reports
    /// the progress.
    pub fn recording_with_progress(
        &self,
        arguments: &DecodeArgs,
        progress: &Progress,
        on_detected: impl FnOnce(),
    ) -> anyhow::Result<DecodedRecording> {
        if files::is_dir(&self.file) && !files::is_trace_folder(&self.file) {
            return self.recording(arguments).inspect(|_| on_detected());
        }
        let arguments = &*self.decode_args(arguments);
        let source = self.read()?;
        let content = self.open(source.input(), arguments)?;
        let options = arguments.options(Some(content.format()))?;
        on_detected();
        let progress = progress.clone();
        self.decode_file(
            &source,
            &content,
            &DecodeOptions {
                progress,
                ..options
            },
        )
    }

    /// Opens the recording of a capture, if the path is a folder.
    fn capture_folder(&self) -> anyhow::Result<Option<CaptureFolder>> {
        if !files::is_dir(&self.file) || files::is_trace_folder(&self.file) {
            return Ok(None);
        }
        ensure!(
            !self.selects_buffer(),
            "{}: --buffer and --at apply only to files; a recorded capture is one trace",
            self.name()
        );
        Ok(Some(CaptureFolder::open(&self.file)?))
    }

    /// Reads the file.
    pub fn read(&self) -> anyhow::Result<Source> {
        ensure!(
            self.listed.is_some() || !is_list(&self.file),
            "{}: this command takes one recording, not a list",
            self.name()
        );
        let source = if self.file == Path::new("-") {
            Source::stdin()
        } else {
            files::source_once(&self.file)
        };
        source.map_err(|error| self.error_with_name(error))
    }

    /// Detects the contents.
    pub fn open<'a>(
        &self,
        input: Input<'a>,
        arguments: &DecodeArgs,
    ) -> anyhow::Result<UnpackedInput<'a>> {
        let choice = match (self.buffer.buffer, self.buffer.at) {
            (Some(number), _) => BufferChoice::Number(number),
            (None, Some(address)) => BufferChoice::At(Address(address)),
            (None, None) => BufferChoice::First,
        };
        let format = self.format(arguments)?;
        let is_open = format.is_none() && choice == BufferChoice::First;
        let mut content = UnpackedInput::open(input.clone(), choice, format);
        if is_open
            && let Err(DecodeError::NoBuffer { .. }) = content
            && let Some(implied) = arguments.implied_format()
        {
            content = UnpackedInput::open(input, choice, Some(implied));
        }
        let content = content.map_err(|error| self.error_with_name(error))?;
        arguments.warn_of_unused(content.format(), &self.name());
        Ok(content)
    }

    fn decode_file(
        &self,
        source: &Source,
        content: &UnpackedInput<'_>,
        options: &DecodeOptions,
    ) -> anyhow::Result<DecodedRecording> {
        let decoded = self.decode(content, options);
        source.ensure_complete()?;
        decoded
    }

    fn decode(
        &self,
        content: &UnpackedInput<'_>,
        options: &DecodeOptions,
    ) -> anyhow::Result<DecodedRecording> {
        let decoded = content.decode(options);
        self.place(decoded.map_err(|error| self.error_with_name(error))?)
    }

    /// Refuses an output that would overwrite the recording or a file that helps to
    /// decode it.
    ///
    /// # Errors
    ///
    /// If the output is such a file or is in the folder of a capture.
    pub fn guard_overwrite(
        &self,
        arguments: &DecodeArgs,
        output: Option<&Path>,
    ) -> anyhow::Result<()> {
        guard_overwrite(
            iter::once(&*self.file).chain(arguments.auxiliary_files()),
            output,
        )
    }

    /// Whether the user selected one of several buffers.
    pub fn selects_buffer(&self) -> bool {
        self.buffer.buffer.is_some() || self.buffer.at.is_some()
    }

    /// Prefixes an error with the file name.
    pub fn error_with_name(&self, error: DecodeError) -> anyhow::Error {
        match error {
            // These include the file name.
            DecodeError::Io { .. }
            | DecodeError::Directory { .. }
            | DecodeError::EndlessStream { .. } => error.into(),
            _ => anyhow::Error::new(error).context(self.name()),
        }
    }

    /// Prints a hint on standard error if the recording has diagnostics that the
    /// command does not show.
    pub fn hint_at_diagnostics(&self, diagnostics: &Diagnostics) {
        let grave = |diagnostic: &&Diagnostic| diagnostic.severity() > Severity::Info;
        let count = diagnostics.iter().filter(grave).count();
        if count > 0 {
            let problems = pluralise(count as u64, "problem", "problems");
            crate::message!(
                "{}: {problems} with this recording; run `rtoscope info` for details",
                self.name()
            );
        }
    }

    /// The unescaped file name, for JSON documents.
    pub fn source_name(&self) -> String {
        if self.file == Path::new("-") {
            "standard input".to_owned()
        } else {
            self.file.to_string_lossy().into_owned()
        }
    }

    /// The file name for messages.
    pub fn name(&self) -> String {
        if self.file == Path::new("-") {
            "standard input".to_owned()
        } else {
            Printable::path(&self.file).to_string()
        }
    }

    /// The path, unless it is standard input.
    pub fn path(&self) -> Option<&Path> {
        // A folder's name may end with a separator.
        let path = self.file.components().as_path();
        Some(path).filter(|file| *file != Path::new("-"))
    }

    /// The file name without its folder.
    pub fn title(&self) -> String {
        match self.path().and_then(Path::file_name) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => self.name(),
        }
    }
}

impl FileArgs {
    /// The input format set by the user, or implied by settings.
    ///
    /// # Errors
    ///
    /// If they contradict each other.
    pub fn format(&self, arguments: &DecodeArgs) -> anyhow::Result<Option<Format>> {
        arguments.format(self.buffer.input_format.map(Format::from))
    }
}

impl FilesArgs {
    /// Iterates over the recordings.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = FileArgs> {
        let files = self.files.iter().cloned();
        let files = files.flat_map(|paths| paths.files(self.buffer));
        files.collect::<Vec<_>>().into_iter()
    }

    /// Another recording, with the same options.
    pub fn other(&self, file: PathBuf) -> FileArgs {
        FileArgs::new(file, self.buffer)
    }
}
