//! Detects a configuration in the stream that does not match its records: its
//! record is damaged but still sums to 0, or another firmware sent it.

use super::guess::{self, Confidence, ConfigurationGuess};
use super::losses::{ProblemDetail, ProblemKind};
use super::{
    DecodedStream, Provenance, RkhOptions, configuration_choice, read, stream_diagnostics,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::id::{FIRST_USER_ID, USER_EVENTS};
use std::collections::BTreeMap;

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
    if let Some(diagnostic) = undeclared_records(&recording, options) {
        return with_first(recording, diagnostic);
    }
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
    let diagnostic = Diagnostic::new(DiagnosticKind::ConfigurationUnfit, message);
    with_first(recording, diagnostic)
}

/// The recording with a further diagnostic before the others.
fn with_first(mut recording: DecodedStream, first: Diagnostic) -> DecodedStream {
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(first);
    diagnostics.extend(std::mem::take(&mut recording.trace.diagnostics));
    recording.trace.diagnostics = diagnostics;
    recording
}

/// Most frames that do not fit are records of the application that no
/// declaration describes.
fn undeclared_records(recording: &DecodedStream, options: &RkhOptions) -> Option<Diagnostic> {
    let problems = &recording.stream_info.losses.problems;
    let bad = problems.iter().filter(|it| it.detail.kind().is_bad_frame());
    let bad = bad.count();
    let own = FIRST_USER_ID..=FIRST_USER_ID + (USER_EVENTS - 1);
    let mut frames: BTreeMap<u8, usize> = BTreeMap::new();
    for problem in problems {
        if let ProblemDetail::Malformed { id, .. } = problem.detail
            && own.contains(&id)
            && options.own_records.formats(id).is_none()
        {
            *frames.entry(id).or_default() += 1;
        }
    }
    let undeclared: usize = frames.values().sum();
    if undeclared * 2 <= bad {
        return None;
    }
    let ids: Vec<_> = frames.keys().map(|id| format!("{id:#04x}")).collect();
    let message = format!(
        "{} not fit the arguments of {} {} of the application: declare them with -O custom-events",
        pluralise(undeclared as u64, "frame does", "frames do"),
        if ids.len() == 1 {
            "record"
        } else {
            "the records"
        },
        ids.join(", "),
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::UnknownRecord, message);
    Some(diagnostic.with_count(undeclared as u64))
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
    is_doubtful(recording).then_some(sent.configuration)
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

/// Whether the configuration is probably wrong: too many frames do not fit it. Those with
/// wrong checksums say nothing about it while others are right.
pub(super) fn is_doubtful(recording: &DecodedStream) -> bool {
    if is_checked(recording) {
        return is_wrong(recording);
    }
    let [part, whole] = configuration_choice::MIN_FIT_RATIO.map(u64::from);
    let records = recording.stream_info.len() as u64;
    let frames = records + recording.stream_info.losses.bad_frames();
    records * whole < frames * part
}

/// Whether the configuration is certainly wrong: many frames are intact, but no
/// records of it; or nearly all frames are damaged, which hardly any recording is.
/// Without checksums, damaged frames look like intact ones.
pub(super) fn is_wrong(recording: &DecodedStream) -> bool {
    let losses = &recording.stream_info.losses;
    let records = recording.stream_info.len() as u64;
    let misfits = losses.count(ProblemKind::Malformed) + losses.count(ProblemKind::Unknown);
    let tolerated = match is_checked(recording) {
        true => records / 9,
        false => records,
    };
    misfits > tolerated || losses.bad_frames() > MAX_DAMAGE_FACTOR * records
}

fn is_checked(recording: &DecodedStream) -> bool {
    let mut runs = recording.stream_info.runs.iter();
    runs.all(|run| run.configuration.checksum)
}

/// Maximum number of bad frames for each record.
const MAX_DAMAGE_FACTOR: u64 = 4;
