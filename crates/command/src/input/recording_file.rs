//! Which recording is meant.

use super::DecodeArgs;
use super::capture_folder::CaptureHistory;
use super::cswitch::LogArgs;
use super::overwrite_guard::guard_overwrite;
use super::quantity::parse_number;
use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use rtoscope_decode::source::{Input, Source};
use rtoscope_decode::{
    BufferChoice, DecodeError, DecodeOptions, DecodedRecording, Format, UnpackedInput,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Address, Diagnostic, Diagnostics, Severity};
use std::iter;
use std::path::{Path, PathBuf};

/// Which recording is meant.
#[derive(Args)]
pub struct FileArgs {
    /// The recording: a ThreadX trace buffer as it is, as Intel HEX, S-records
    /// or hex text of a debugger, in a RAM image or an ELF core; an RKH trace
    /// stream; or a context-switch log, as a CSWL file or in memory as the
    /// others; also compressed with gzip or zstd; the folder of a recorded
    /// capture; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    buffer: BufferArgs,
}

/// Which recordings are meant.
#[derive(Args)]
pub struct FilesArgs {
    /// The recordings: ThreadX trace buffers as they are, as Intel HEX,
    /// S-records or hex text of a debugger, in RAM images or ELF cores; RKH
    /// trace streams; or context-switch logs, as CSWL files or in memory as the
    /// others; also compressed with gzip or zstd; folders of recorded captures;
    /// `-` is standard input
    #[arg(value_name = "FILE", required = true, num_args = 1..)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    buffer: BufferArgs,
}

/// Which buffer of a recording is meant.
#[derive(Clone, Copy, Args)]
pub(crate) struct BufferArgs {
    /// The number of the buffer, from 0, where the file holds several
    #[arg(
        long,
        value_name = "NUMBER",
        conflicts_with = "at",
        help_heading = "Input"
    )]
    buffer: Option<usize>,

    /// The address or file offset of the buffer, where the file holds several
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = "Input")]
    at: Option<u64>,

    /// What the file holds, instead of what its bytes speak for
    #[arg(long, value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<InputFormat>,

    #[command(flatten)]
    log: LogArgs,
}

/// What a file holds.
#[derive(Clone, Copy, ValueEnum)]
pub enum InputFormat {
    /// An event trace buffer of ThreadX
    Threadx,
    /// A trace stream of RKH
    Rkh,
    /// A context-switch log
    Cswitch,
}

impl From<InputFormat> for Format {
    fn from(format: InputFormat) -> Self {
        match format {
            InputFormat::Threadx => Self::ThreadX,
            InputFormat::Rkh => Self::Rkh,
            InputFormat::Cswitch => Self::Cswitch,
        }
    }
}

/// How the recording was packed.
pub enum Packing<'a> {
    /// In a file.
    File(&'a UnpackedInput<'a>),
    /// In the folder of a capture.
    Folder(&'a CaptureHistory),
}

impl FileArgs {
    /// A recording that is named together with others.
    pub(crate) fn new(file: PathBuf, buffer: BufferArgs) -> Self {
        Self { file, buffer }
    }

    /// The recording, of several the chosen one.
    pub fn recording(&self, arguments: &DecodeArgs) -> anyhow::Result<DecodedRecording> {
        self.with_recording(arguments, |_, recording| Ok(recording))
    }

    /// Looks at the recording, and how it was packed.
    pub fn with_recording<T>(
        &self,
        arguments: &DecodeArgs,
        look: impl FnOnce(&Packing<'_>, DecodedRecording) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(folder) = self.capture_folder()? else {
            let source = self.read()?;
            let content = self.open(source.input(), arguments)?;
            let recording = self.decode(&content, arguments)?;
            return look(&Packing::File(&content), recording);
        };
        let format = match self.buffer.format()? {
            Some(format) => Some(format),
            None => folder.format()?,
        };
        let options = self.options(format, arguments)?;
        let decoded = folder.decode(options, format);
        let (recording, history) = decoded.with_context(|| self.name())?;
        look(&Packing::Folder(&history), recording)
    }

    /// The bytes of the file.
    pub fn read(&self) -> anyhow::Result<Source> {
        let source = if self.file == Path::new("-") {
            Source::stdin()
        } else {
            Source::open(&self.file)
        };
        source.map_err(|error| self.error_with_name(error))
    }

    /// What is in the bytes.
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
        let format = self.buffer.format()?;
        let is_open = format.is_none() && choice == BufferChoice::First;
        let content = if is_open && arguments.guesses_rkh_config() {
            // What can be guessed is a stream of RKH: so is what fits nothing else.
            match UnpackedInput::open(input.clone(), choice, None) {
                Err(DecodeError::NoBuffer { .. }) => {
                    UnpackedInput::open(input, choice, Some(Format::Rkh))
                }
                opened => opened,
            }
        } else {
            UnpackedInput::open(input, choice, format)
        };
        let content = content.map_err(|error| self.error_with_name(error))?;
        arguments.warn_of_unused(content.format(), &self.name());
        Ok(content)
    }

    fn decode(
        &self,
        content: &UnpackedInput<'_>,
        arguments: &DecodeArgs,
    ) -> anyhow::Result<DecodedRecording> {
        let decoded = content.decode(&self.options(Some(content.format()), arguments)?);
        decoded.map_err(|error| self.error_with_name(error))
    }

    /// What the user knows better than a recording of a format, or of any.
    pub fn options(
        &self,
        format: Option<Format>,
        arguments: &DecodeArgs,
    ) -> anyhow::Result<DecodeOptions> {
        let mut options = arguments.options(format)?;
        self.buffer.log.apply_to(&mut options.cswitch);
        Ok(options)
    }

    /// Refuses an output that would overwrite the recording, or what helps to
    /// read it.
    ///
    /// # Errors
    ///
    /// If it is such a file, or lies in the folder of a capture.
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

    /// Whether one of the buffers that the file holds is meant.
    pub fn selects_buffer(&self) -> bool {
        self.buffer.buffer.is_some() || self.buffer.at.is_some()
    }

    /// Puts the name of the file before what is wrong with it.
    pub fn error_with_name(&self, error: DecodeError) -> anyhow::Error {
        match error {
            // These name the file themselves.
            DecodeError::Io { .. }
            | DecodeError::Directory { .. }
            | DecodeError::EndlessStream { .. } => error.into(),
            _ => anyhow::Error::new(error).context(self.name()),
        }
    }

    /// Says on standard error that there is more to know than the command shows.
    pub fn hint_at_diagnostics(&self, diagnostics: &Diagnostics) {
        let grave = |diagnostic: &&Diagnostic| diagnostic.severity() > Severity::Info;
        let count = diagnostics.iter().filter(grave).count();
        if count > 0 {
            let problems = pluralise(count as u64, "problem", "problems");
            crate::message!(
                "{}: {problems} with this recording; `rtoscope info` tells",
                self.name()
            );
        }
    }

    /// The name of the file as it is, for documents.
    pub fn source_name(&self) -> String {
        if self.file == Path::new("-") {
            "standard input".to_owned()
        } else {
            self.file.to_string_lossy().into_owned()
        }
    }

    /// The name of the file for people.
    pub fn name(&self) -> String {
        if self.file == Path::new("-") {
            "standard input".to_owned()
        } else {
            Printable::path(&self.file).to_string()
        }
    }

    /// Where the file is, if it is one.
    pub fn path(&self) -> Option<&Path> {
        // A folder's name may end with a separator.
        let path = self.file.components().as_path();
        Some(path).filter(|file| *file != Path::new("-"))
    }

    /// The name of the file without its folder.
    pub fn title(&self) -> String {
        match self.path().and_then(Path::file_name) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => self.name(),
        }
    }
}

impl BufferArgs {
    /// The format that the user says, or that the flags speak of.
    fn format(&self) -> anyhow::Result<Option<Format>> {
        let said = self.input_format.map(Format::from);
        match (self.log.is_any_set(), said) {
            (false, said) => Ok(said),
            (true, None | Some(Format::Cswitch)) => Ok(Some(Format::Cswitch)),
            (true, Some(other)) => bail!(
                "--log-... and --counter-bits are about context-switch logs, but --input-format says {}",
                other.name()
            ),
        }
    }
}

impl FilesArgs {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = FileArgs> {
        let files = self.files.iter().cloned();
        files.map(|file| FileArgs::new(file, self.buffer))
    }
}
