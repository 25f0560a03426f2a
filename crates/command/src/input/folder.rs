//! Recordings of captures: folders.

use super::file::FileArguments;
use anyhow::{bail, ensure};
use rtoscope_capture::recording::{Part, Problem, Recording, RecordingError};
use rtoscope_decode::live::{Live, Moment, News, Settings};
use rtoscope_decode::{self as decode, Format, Options};
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics, EventIndex};
use std::ops::ControlFlow;
use std::path::Path;

/// A recording of a capture.
pub(super) struct Folder {
    recording: Recording,
    problems: Vec<Problem>,
}

/// What a capture's recording tells beside its trace.
pub struct History {
    /// The bytes that came.
    pub recording: Recording,
    /// Where the connection broke.
    pub interruptions: Vec<Interruption>,
    /// Connections that were refused, in sentences.
    pub refusals: Vec<String>,
    /// When the newest bytes came.
    pub newest: Option<Moment>,
}

/// A place where the connection broke.
pub struct Interruption {
    pub at: Moment,
    pub reason: String,
    /// Bytes that came and are not in the folder.
    pub missing: u64,
    /// Events that came before.
    pub events: u64,
}

impl Folder {
    pub(super) fn open(folder: &Path) -> Result<Self, RecordingError> {
        let recording = Recording::open(folder)?;
        let problems = recording.problems()?;
        Ok(Self {
            recording,
            problems,
        })
    }

    /// The format that its bytes speak for.
    pub(super) fn format(&self) -> Result<Option<Format>, RecordingError> {
        let mut live = Live::new(settings(Options::default(), None));
        self.recording.read(0, |part| {
            match part {
                Part::Bytes { bytes, at, .. } => live.push(bytes, at),
                Part::Preface { format, bytes } => live.teach(format, bytes),
                Part::Interrupted { .. } => live.interrupt(),
                Part::Refused { .. } => {}
            }
            match live.format() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        Ok(live.format())
    }

    /// Decodes all of it.
    pub(super) fn decode(
        self,
        options: Options,
        format: Option<Format>,
    ) -> anyhow::Result<(decode::Recording, History)> {
        let mut live = Live::new(settings(options, format));
        let mut interruptions = Vec::new();
        let mut refusals = Vec::new();
        let mut newest = None;
        self.recording.read(0, |part| {
            match part {
                Part::Bytes { bytes, at, .. } => {
                    live.push(bytes, at);
                    newest = Some(at);
                }
                Part::Preface { format, bytes } => live.teach(format, bytes),
                Part::Interrupted {
                    at,
                    reason,
                    missing,
                } => {
                    live.interrupt();
                    interruptions.push(Interruption {
                        at,
                        reason: reason.to_owned(),
                        missing,
                        events: live.tally().events,
                    });
                }
                Part::Refused { message, .. } => refusals.push(message.to_owned()),
            }
            match live.tally().events > MOST_EVENTS {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        live.interrupt();
        ensure!(
            live.tally().events <= MOST_EVENTS,
            "it has more than {MOST_EVENTS} events, which are too many to be shown at once"
        );
        let bytes = counted(self.recording.bytes(), "byte", "bytes");
        let Some(News { mut recording, .. }) = live.advance()? else {
            let missing = self.recording.missing_at_end();
            match live.format() {
                _ if newest.is_none() && missing > 0 => bail!(
                    "nothing of what came could be saved: {} are missing",
                    counted(missing, "byte", "bytes")
                ),
                _ if newest.is_none() => bail!("the recording is empty: nothing came"),
                Some(format) => bail!("no event in {bytes} that should be {}", format.name()),
                None => bail!("nothing in {bytes} tells a format; --input-format does"),
            }
        };
        let history = History {
            recording: self.recording,
            interruptions,
            refusals,
            newest,
        };
        let trace = &mut recording.trace;
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(history.diagnostics(&self.problems, trace.events.len()));
        diagnostics.extend(std::mem::take(&mut trace.diagnostics));
        trace.diagnostics = diagnostics;
        Ok((recording, history))
    }
}

/// Events are numbered with 32 bits.
const MOST_EVENTS: u64 = u32::MAX as u64;

fn settings(options: Options, format: Option<Format>) -> Settings {
    Settings {
        options,
        format,
        most_events: u64::MAX,
    }
}

impl History {
    /// Bytes before the first that is there.
    pub fn removed(&self) -> u64 {
        let first = self.recording.segments().first();
        first.map_or(0, |segment| segment.offset)
    }

    fn diagnostics(&self, problems: &[Problem], events: usize) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if self.removed() > 0 {
            let removed = counted(self.removed(), "byte", "bytes");
            let message = format!("only the end was kept: the first {removed} were removed");
            let diagnostic = Diagnostic::new(DiagnosticKind::Overwritten, message);
            found.push(diagnostic.times(self.removed()));
        }
        for problem in problems {
            let message = problem.to_string();
            found.push(match problem {
                Problem::Missing { offset, bytes } => {
                    let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
                    diagnostic.at(*offset).times(*bytes)
                }
                _ => Diagnostic::new(DiagnosticKind::DamagedRecording, message),
            });
        }
        let refusals = self.refusals.iter();
        found.extend(
            refusals.map(|refusal| {
                Diagnostic::new(DiagnosticKind::RefusedConnections, refusal.clone())
            }),
        );
        // Of those without bytes it was just told, and behind the last event
        // nothing is missing.
        for interruption in self.interruptions.iter().filter(|it| it.missing == 0) {
            let event = u32::try_from(interruption.events).map(EventIndex);
            if let Ok(event) = event
                && event.index() < events
            {
                let message = format!("the connection broke: {}", interruption.reason);
                let diagnostic = Diagnostic::new(DiagnosticKind::Interrupted, message);
                found.push(diagnostic.on(event));
            }
        }
        found
    }
}

impl FileArguments {
    /// The recording of a capture, if it is one.
    pub(super) fn folder(&self) -> anyhow::Result<Option<Folder>> {
        if !self.file.is_dir() {
            return Ok(None);
        }
        ensure!(
            !self.is_one_buffer(),
            "{}: --buffer and --at say which buffer of a file; all of a recording make one trace",
            self.name()
        );
        Ok(Some(Folder::open(&self.file)?))
    }
}
