//! The metadata of a session: a GLib key file with the channel names.

use crate::naming::file_name;
use crate::signals::{Signal, SignalTable, UniqueNames};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::{Frequency, Name};
use std::fmt::Write as _;

/// Renders `metadata` for a session with a sample rate in hertz and samples of
/// `unit` bytes.
pub(super) fn text(
    sources: &[&AnalyzedRecording],
    table: &SignalTable,
    hertz: u64,
    unit: usize,
) -> String {
    let probes = table.signals.len();
    let mut text = String::new();
    // Writing to a string does not fail.
    for source in sources {
        if let Some(why) = source.trace.clock.quality.no_time() {
            let _ = writeln!(text, "# {}: {why}", Name::new(source.info.name.as_bytes()));
        }
    }
    text.push_str("[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\n");
    let _ = writeln!(text, "total probes={probes}");
    if let Some(rate) = Frequency::from_hertz(hertz) {
        let _ = writeln!(text, "samplerate={rate}");
    }
    let _ = writeln!(text, "total analog=0");
    for (name, number) in line_names(sources, table).iter().zip(1_u32..) {
        let _ = writeln!(text, "probe{number}={}", value(name));
    }
    let _ = writeln!(text, "unitsize={unit}");
    text
}

/// Escapes a value: a backslash escapes, and unescaped leading blanks are lost.
fn value(text: &str) -> String {
    // The backslashes are those of escaped names; only the text between them can
    // contain unprintable characters.
    let parts = text.split('\\').map(|part| Name::new(part.as_bytes()));
    let parts: Vec<_> = parts.map(|part| part.to_string()).collect();
    let text = parts.join("\\");
    let trimmed = text.trim_start_matches(' ');
    let blanks = text.len() - trimmed.len();
    format!("{}{}", "\\s".repeat(blanks), trimmed.replace('\\', "\\\\"))
}

/// The unique names of the channels: readers select channels by name. With the name
/// of the recording if there are several.
fn line_names(sources: &[&AnalyzedRecording], table: &SignalTable) -> Vec<String> {
    let mut unique = UniqueNames::default();
    let numbered = |name: &str, count| format!("{name} ({count})");
    let names = table
        .signals
        .iter()
        .map(|signal| line_name(sources, signal));
    names
        .map(|name| unique.make_unique(name, numbered))
        .collect()
}

fn line_name(sources: &[&AnalyzedRecording], signal: &Signal) -> String {
    let label = &signal.label;
    match sources.get(signal.source) {
        Some(source) if sources.len() > 1 => {
            format!("{}: {label}", file_name(&source.info.name))
        }
        _ => label.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_on_one_line() {
        assert_eq!(value("  a=b;#c\n[x]"), "\\s\\sa=b;#c\\\\n[x]");
        assert_eq!(value("plain name"), "plain name");
    }

    #[test]
    fn names_are_escaped_once() {
        let shown = Name::new(b"a\r\xff").to_string();
        // GLib parses two backslashes as one.
        assert_eq!(value(&shown), "a\\\\r\\\\xff");
        assert_eq!(value(&shown).replace("\\\\", "\\"), shown);
        assert_eq!(value("$end,\\n"), "$end,\\\\n");
        assert_eq!(value("file\u{7}: a\\tb"), "file\\\\x07: a\\\\tb");
    }
}
