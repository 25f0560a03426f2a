//! What commands answer, for programs that keep recordings open. The arguments of all functions
//! are those of a command line, without the program and the command.

use crate::commands::check::{self, CheckArgs};
use crate::commands::info::InfoDocument;
use crate::commands::json_text;
use crate::commands::report::ReportArgs;
use clap::{Args, Parser};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::export::dataset;
use rtoscope_command::input::{DecodeArgs, FileArgs, TextLogArgs, TimingArgs};
use rtoscope_decode::DecodedRecording;
use std::ffi::OsString;
use std::sync::Arc;

/// A recording that stays open.
pub struct OpenRecording {
    /// The recording.
    pub recording: Arc<AnalyzedRecording>,
    /// The document of `rtoscope info`, as JSON.
    pub info: String,
}

/// The results of `rtoscope check`.
pub struct CheckAnswer {
    /// The document, as JSON.
    pub json: String,
    /// The same for people.
    pub text: String,
}

/// Opens a recording with its text logs and declared timing, as `view` does.
///
/// # Errors
///
/// If an argument is wrong, or the recording or another file cannot be read.
pub fn open(arguments: &[OsString]) -> anyhow::Result<OpenRecording> {
    #[derive(Args)]
    struct OpenArgs {
        #[command(flatten)]
        file: FileArgs,

        #[command(flatten)]
        decode: DecodeArgs,

        #[command(flatten)]
        timing: TimingArgs,

        #[command(flatten)]
        text_logs: TextLogArgs,
    }
    let OpenArgs {
        file,
        decode,
        timing,
        text_logs,
    } = parse(arguments)?;
    let timing = timing.read(&decode)?;
    file.with_recording(&decode, |packing, recording| {
        let logs = text_logs.read(&decode, &recording.trace)?;
        let name = file.source_name();
        let info = json_text(&InfoDocument::new(&name, packing, &recording, &logs))?;
        let stem = dataset::file_stems(file.path()).concat();
        let id = dataset::recording_id(&[], &stem);
        let DecodedRecording { trace, format_info } = recording;
        let mut recording = AnalyzedRecording::new(name, id, trace, &format_info);
        if let Some(timing) = &timing {
            timing.apply(&mut recording)?;
        }
        recording.text_logs = logs;
        made_from(&recording, |_| Ok(()))?;
        let recording = Arc::new(recording);
        Ok(OpenRecording { recording, info })
    })
}

/// What `work` makes of an open recording.
///
/// # Errors
///
/// If `work` fails, or the file of the recording changed, so that what it made is wrong.
pub fn made_from<T>(
    recording: &AnalyzedRecording,
    work: impl FnOnce(&AnalyzedRecording) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let made = work(recording);
    match recording.trace.events.read_failure() {
        Some(failure) => Err(anyhow::anyhow!("{failure}")),
        None => made,
    }
}

/// The document of `rtoscope report` on an open recording, as JSON.
///
/// # Errors
///
/// If an argument is wrong, or does not fit the recording.
pub fn report(arguments: &[OsString], recording: &AnalyzedRecording) -> anyhow::Result<String> {
    let json = [OsString::from("--format=json")];
    let arguments: ReportArgs = parse(&[&json, arguments].concat())?;
    arguments.with_document(recording, |document, _| json_text(document))
}

/// Checks recordings as `rtoscope check` does; `opened` are the first of them, which are open.
///
/// # Errors
///
/// If an argument is wrong, a file cannot be read, or there is nothing to check.
pub fn check(
    arguments: &[OsString],
    opened: &[Arc<AnalyzedRecording>],
) -> anyhow::Result<CheckAnswer> {
    let document = parse::<CheckArgs>(arguments)?.document(opened)?;
    Ok(CheckAnswer {
        json: json_text(&document)?,
        text: check::text::render(&document, false),
    })
}

fn parse<T: Args>(arguments: &[OsString]) -> anyhow::Result<T> {
    #[derive(Parser)]
    #[command(
        name = "rtoscope",
        disable_help_flag = true,
        disable_version_flag = true
    )]
    struct ArgumentsOnly<T: Args> {
        #[command(flatten)]
        arguments: T,
    }
    let program = OsString::from("rtoscope");
    let all: Vec<_> = [program].into_iter().chain(arguments.to_vec()).collect();
    Ok(rtoscope_command::parse_from::<ArgumentsOnly<T>>(&all)?.arguments)
}
