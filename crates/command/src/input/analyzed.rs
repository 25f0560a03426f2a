//! Opens a recording as the viewer shows it.

use super::{DecodeArgs, FileArgs, TextLogArgs, TimingArgs};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::{DecodedRecording, FormatInfo};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Progress, ProgressPhase};

/// Decodes and analyses a recording with its text logs and declared timing; `announce` is called
/// once its format is known, unless text logs may be wrong, and once they are read. Declarations
/// that do not fit are skipped and reported by a diagnostic.
///
/// # Errors
///
/// If the recording or another file cannot be read, or has a mistake.
pub fn open_analyzed(
    name: &str,
    file: &FileArgs,
    decode: &DecodeArgs,
    timing: &TimingArgs,
    text_logs: &TextLogArgs,
    progress: &Progress,
    announce: &dyn Fn(),
) -> anyhow::Result<(AnalyzedRecording, FormatInfo)> {
    let timing = timing.read(decode)?;
    let on_detected = || {
        if text_logs.is_empty() {
            announce();
        }
    };
    let recording = file.recording_with_progress(decode, progress, on_detected)?;
    let logs = text_logs.read(decode, &recording.trace)?;
    text_logs.hint_at_diagnostics(&logs);
    announce();
    let DecodedRecording { trace, format_info } = recording;
    let mut recording = AnalyzedRecording::new(name, "", trace, &format_info);
    recording.analyze(progress);
    progress.start(ProgressPhase::Indexing, None);
    if let Some(timing) = timing
        && let Err(error) = timing.apply(&mut recording)
    {
        let message = format!("declared timing ignored: {error:#}");
        crate::message!("{message}");
        let diagnostic = Diagnostic::new(DiagnosticKind::IgnoredTiming, message);
        recording.diagnostics.push(diagnostic);
    }
    recording.text_logs = logs;
    Ok((recording, format_info))
}
