//! Detects a configuration in the stream that does not match its records: its
//! record is damaged but still sums to 0, or another firmware sent it.

use super::guess::{self, Confidence, ConfigurationGuess};
use super::{
    DecodedStream, Provenance, RkhOptions, configuration_choice, decoder, read, stream_diagnostics,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use rtoscope_wire::rkh::StreamConfiguration;

/// Adds a diagnostic if few frames fit the configuration that the target sent;
/// decodes with a guessed configuration if `options` allow it and more frames
/// fit.
pub(super) fn check_configuration(
    mut recording: DecodedStream,
    bytes: &[u8],
    options: &RkhOptions,
) -> DecodedStream {
    let Some(sent) = unfit_configuration(&recording) else {
        return recording;
    };
    let guess = other_checksum(&sent, bytes, options).or_else(|| {
        guess::infer(bytes, &options.own_records).filter(|guess| guess.configuration != sent)
    });
    let mut message = format!(
        "the configuration that the target sent fits {} of {}: its record is probably damaged",
        recording.stream_info.len(),
        pluralise(frame_count(&recording), "frame", "frames"),
    );
    if let Some(guess) = guess {
        let fit = fit_text(&guess, &sent);
        match options
            .guess
            .then(|| decode_by_guess(&guess, bytes, options))
        {
            Some(other) if other.stream_info.len() > recording.stream_info.len() => {
                recording = other;
                recording.stream_info.provenance = Provenance::Guessed;
                recording.stream_info.guess = Some(guess);
                message.push_str(&format!("; using the guessed one, which {fit}"));
            }
            _ => message.push_str(&format!("; -O guess finds one that {fit}")),
        }
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(Diagnostic::new(DiagnosticKind::ConfigurationUnfit, message));
    diagnostics.extend(std::mem::take(&mut recording.trace.diagnostics));
    recording.trace.diagnostics = diagnostics;
    recording
}

/// The configuration that the target sent, with checksums that omit the timestamp or
/// cover it: no target sends which of the two. `None` if it does not fit.
fn other_checksum(
    sent: &StreamConfiguration,
    bytes: &[u8],
    options: &RkhOptions,
) -> Option<ConfigurationGuess> {
    let configuration = StreamConfiguration {
        checksum_covers_timestamp: !sent.checksum_covers_timestamp,
        ..*sent
    };
    if !configuration_choice::fits(&configuration, bytes, options) {
        return None;
    }
    let [fitting, frames] =
        configuration_choice::count_valid_frames(&configuration, bytes, options, u32::MAX);
    Some(ConfigurationGuess {
        configuration,
        frames: frames.into(),
        fitting_frames: fitting.into(),
        runner_up_frames: 0,
        confidence: Confidence::Certain,
        ambiguous: Vec::new(),
    })
}

/// The configuration that the target sent, if few frames fit it.
fn unfit_configuration(recording: &DecodedStream) -> Option<StreamConfiguration> {
    let runs = &recording.stream_info.runs;
    let sent = runs.iter().rev().find(|run| run.target.is_some())?;
    decoder::is_doubtful(recording).then_some(sent.configuration)
}

fn frame_count(recording: &DecodedStream) -> u64 {
    recording.stream_info.len() as u64 + recording.stream_info.losses.bad_frames()
}

fn decode_by_guess(
    guess: &ConfigurationGuess,
    bytes: &[u8],
    options: &RkhOptions,
) -> DecodedStream {
    let options = RkhOptions {
        configuration: Some(guess.configuration),
        ignores_target: true,
        ..options.clone()
    };
    read(bytes, &options)
}

fn fit_text(guess: &ConfigurationGuess, sent: &StreamConfiguration) -> String {
    let changes = stream_diagnostics::configuration_changes(sent, &guess.configuration).join(", ");
    format!("fits {:.1} % ({changes})", guess.score() * 100.0)
}
