//! Whole inputs that contain what a target sent.

use super::{FormatDecoder, HostTime, LiveStats};
use crate::{DecodeError, DecodedRecording, Format, line_feeds};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// Decodes all that a target sent; `unit` and `units` are what it sends. `before` are the
/// diagnostics so far.
pub(crate) fn decode_sent(
    mut decoder: impl FormatDecoder,
    format: Format,
    bytes: &[u8],
    [unit, units]: [&str; 2],
    before: &Diagnostics,
) -> Result<DecodedRecording, DecodeError> {
    let restored = line_feeds::restore(bytes);
    let bytes = restored.as_ref().map_or(bytes, |(restored, _)| restored);
    // The arrival times are unknown.
    decoder.push(bytes, HostTime(0));
    decoder.connection_lost();
    let decoded = decoder.chunk(decoder.event_range()).decode();
    let mut decoded = decoded.map_err(|error| match error {
        // Nothing that decodes the events has arrived.
        DecodeError::Empty | DecodeError::NoSwitchLog { .. } => {
            let problem = format!("no {unit} is complete and undamaged");
            format.no_event(bytes.len() as u64, &problem)
        }
        error => error,
    })?;
    let mut diagnostics = before.clone();
    diagnostics.extend(restored.map(|(_, diagnostic)| diagnostic));
    let LiveStats {
        unusable,
        unusable_bytes,
        ..
    } = decoder.stats();
    if unusable > 0 || unusable_bytes > 0 {
        let message = format!(
            "{} or truncated: {} unusable",
            pluralise(
                unusable,
                &format!("{unit} is damaged"),
                &format!("{units} are damaged")
            ),
            pluralise(unusable_bytes, "byte is", "bytes are"),
        );
        diagnostics.push(Diagnostic::new(DiagnosticKind::Truncated, message));
    }
    diagnostics.extend(decoded.trace.diagnostics);
    decoded.trace.diagnostics = diagnostics;
    Ok(decoded)
}
