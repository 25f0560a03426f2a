//! The recordings that the server was started with: no other file is opened.

use super::McpArgs;
use crate::commands::info;
use crate::commands::recordings_in;
use anyhow::{Context as _, bail, ensure};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::input::FileArgs;
use rtoscope_command::sql_process::RecordingFile;
use rtoscope_decode::{DecodedRecording, FormatInfo};
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{EventIndex, TracePosition};
use std::fmt::Write as _;
use std::fs;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of recordings that are kept in memory.
const MAX_OPEN: usize = 4;

/// The recordings by number, from 1.
pub(super) struct Recordings {
    arguments: McpArgs,
    files: Vec<FileArgs>,
    /// The one used last at the end.
    open: Mutex<Vec<Arc<OpenRecording>>>,
}

/// A recording in memory.
pub(super) struct OpenRecording {
    pub(super) number: usize,
    pub(super) recording: AnalyzedRecording,
    pub(super) format_info: FormatInfo,
    /// What `rtoscope info` shows.
    pub(super) info: String,
    /// How the program for SQL opens it.
    pub(super) sql_file: RecordingFile,
}

impl Recordings {
    /// # Errors
    ///
    /// If there is no such file, or it is standard input.
    pub(super) fn new(arguments: McpArgs) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        for file in arguments.files.iter() {
            let path = file.path();
            let path = path.context("standard input is the connection to the client")?;
            let name = || Printable::path(path).to_string();
            let folder = fs::canonicalize(path).with_context(name)?;
            if !folder.is_dir() || rtoscope_recording::Recording::is_one(&folder) {
                files.push(file);
                continue;
            }
            let found = recordings_in(path)?.into_iter().filter(|path| {
                // A link can lead out of the folder.
                fs::canonicalize(path).is_ok_and(|path| path.starts_with(&folder))
            });
            files.extend(found.map(|path| arguments.files.other(path)));
        }
        Ok(Self {
            arguments,
            files,
            open: Mutex::default(),
        })
    }

    /// The numbers and names.
    pub(super) fn list(&self) -> String {
        let mut text = String::new();
        for (number, file) in (1..).zip(&self.files) {
            let _ = writeln!(text, "{number}  {}", file.name());
        }
        text
    }

    /// How a person sees an event of a recording; nothing if there is no such recording.
    pub(super) fn evidence(&self, number: Option<usize>) -> String {
        let at = number.unwrap_or(1).checked_sub(1);
        let Some(file) = at.and_then(|at| self.files.get(at)) else {
            return String::new();
        };
        let file = file.name();
        format!(
            "[evidence: tool critical_path with the number of an event; for a person, `rtoscope \
             critical-path {file} --event NUMBER`, or `rtoscope view {file}` with #event=NUMBER at \
             the end of the page's address]\n"
        )
    }

    /// The recording with a number, by default the only one.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub(super) fn open(&self, number: Option<usize>) -> anyhow::Result<Arc<OpenRecording>> {
        let count = self.files.len();
        let number = match number {
            Some(number) => number,
            None if count == 1 => 1,
            None => bail!("there are {count} recordings; select one by its number"),
        };
        let file = number.checked_sub(1).and_then(|at| self.files.get(at));
        let file = file.with_context(|| {
            format!("there is no recording {number}: they are numbered from 1 to {count}")
        })?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let found = open.iter().position(|it| it.number == number);
        let recording = match found {
            Some(at) => open.remove(at),
            None => Arc::new(self.read(number, file)?),
        };
        if open.len() >= MAX_OPEN {
            open.remove(0);
        }
        open.push(Arc::clone(&recording));
        Ok(recording)
    }

    fn read(&self, number: usize, file: &FileArgs) -> anyhow::Result<OpenRecording> {
        let McpArgs {
            given,
            decode,
            timing,
            ..
        } = &self.arguments;
        let sql_file = RecordingFile::of(file, given);
        let name = file.source_name();
        let (info, DecodedRecording { trace, format_info }) = file
            .with_recording(decode, |packing, recording| {
                Ok((info::text_of(&name, packing, &recording), recording))
            })?;
        let mut recording = AnalyzedRecording::new(name, "", trace, &format_info);
        if let Some(timing) = timing.read(decode)? {
            timing.apply(&mut recording)?;
        }
        Ok(OpenRecording {
            number,
            recording,
            format_info,
            info,
            sql_file,
        })
    }
}

impl OpenRecording {
    /// The event from which on times are at or after a position.
    ///
    /// # Errors
    ///
    /// If the recording has no such event, or its times are unknown.
    pub(super) fn event_at(&self, position: TracePosition) -> anyhow::Result<EventIndex> {
        let trace = &self.recording.trace;
        if let TracePosition::Event(number) = position {
            let count = trace.events.len();
            ensure!(
                (number as usize) < count,
                "there is no event {number}: the trace has {count} events"
            );
            return Ok(EventIndex(number));
        }
        let tick = position.first_tick(trace).map_err(anyhow::Error::msg)?;
        Ok(trace.events.index_at_or_after(tick))
    }
}
