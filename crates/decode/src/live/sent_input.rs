//! Whole inputs that contain what a target sent.

use super::{FormatDecoder, HostTime, LiveStats};
use crate::{DecodeError, DecodedRecording, Format};
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
    // The arrival times are unknown.
    decoder.push(bytes, HostTime(0));
    decoder.connection_lost();
    let decoded = decoder.chunk(decoder.event_range()).decode();
    let mut decoded = decoded.map_err(|error| match error {
        // Nothing that decodes the events has arrived.
        DecodeError::Empty | DecodeError::NoSwitchLog { .. } => {
            let cause = match has_expanded_line_feeds(bytes) {
                true => "; every 0x0a follows a 0x0d, as after a transfer in text mode",
                false => "",
            };
            let problem = format!("no {unit} is complete and undamaged{cause}");
            format.no_event(bytes.len() as u64, &problem)
        }
        error => error,
    })?;
    let mut diagnostics = before.clone();
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

/// Fewer line feeds may follow carriage returns by chance.
const MIN_LINE_FEEDS: usize = 4;

/// Whether a transfer in text mode wrote a carriage return before each line feed.
fn has_expanded_line_feeds(bytes: &[u8]) -> bool {
    let line_feeds = || memchr::memchr_iter(b'\n', bytes);
    let follows_return = |at: usize| at.checked_sub(1).and_then(|it| bytes.get(it)) == Some(&b'\r');
    line_feeds().all(follows_return) && line_feeds().count() >= MIN_LINE_FEEDS
}
