//! A configuration in the stream that is not that of its records: its record is
//! damaged and still sums to 0, or another firmware sent it.

use super::guess::{self, Confidence, Guess};
use super::{Options, Provenance, Recording, decoder, read, report};
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use rtoscope_wire::rkh::Configuration;

/// The recording with a diagnostic if few frames are records of the configuration
/// that the target sent; by the guessed configuration if `options` ask for that
/// and more frames fit it.
pub(super) fn checked(mut recording: Recording, bytes: &[u8], options: &Options) -> Recording {
    let Some(sent) = unfit(&recording) else {
        return recording;
    };
    let guess = guess::infer(bytes)
        .filter(|guess| guess.confidence > Confidence::Poor && guess.configuration != sent);
    let mut message = format!(
        "the configuration that the target sends fits {} of {}: its record is probably damaged",
        recording.stream.len(),
        counted(frames(&recording), "frame", "frames"),
    );
    if let Some(guess) = guess {
        let fit = fit(&guess, &sent);
        match options.guess.then(|| by_guess(&guess, bytes, options)) {
            Some(other) if other.stream.len() > recording.stream.len() => {
                recording = other;
                recording.stream.provenance = Provenance::Guessed;
                recording.stream.guess = Some(guess);
                message.push_str(&format!("; the guessed one is used, which {fit}"));
            }
            _ => message.push_str(&format!("; --guess finds one that {fit}")),
        }
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(Diagnostic::new(DiagnosticKind::ConfigurationUnfit, message));
    diagnostics.extend(std::mem::take(&mut recording.trace.diagnostics));
    recording.trace.diagnostics = diagnostics;
    recording
}

/// The configuration that the target sent, if few frames are records of it.
fn unfit(recording: &Recording) -> Option<Configuration> {
    let runs = &recording.stream.runs;
    let sent = runs.iter().rev().find(|run| run.target.is_some())?;
    decoder::doubts(recording).then_some(sent.configuration)
}

fn frames(recording: &Recording) -> u64 {
    recording.stream.len() as u64 + recording.stream.losses.bad_frames()
}

fn by_guess(guess: &Guess, bytes: &[u8], options: &Options) -> Recording {
    let options = Options {
        configuration: Some(guess.configuration),
        ignores_target: true,
        ..options.clone()
    };
    read(bytes, &options)
}

fn fit(guess: &Guess, sent: &Configuration) -> String {
    let changes = report::changes(sent, &guess.configuration).join(", ");
    format!("fits {:.1} % ({changes})", guess.score() * 100.0)
}
