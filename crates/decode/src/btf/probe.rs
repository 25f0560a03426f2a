//! Recognises a file.

use super::catalogue;
use super::entities::EntityType;
use crate::format::detection::ProbeWindow;
use rtoscope_wire::btf::{BtfLine, TimeScale};

/// Maximum number of lines before the first event.
const MAX_HEADER_LINES: usize = 4096;

/// Number of bytes up to the end of the first event, at the start of an input.
pub(super) fn probe(window: &ProbeWindow<'_>) -> Option<usize> {
    window.is_start.then(|| end_of_first_event(window.bytes))?
}

/// Whether the bytes begin as a file does.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    end_of_first_event(bytes).is_some()
}

/// The end of the first event, if only a header precedes it. It must be one of the specification,
/// or follow a unit of time.
fn end_of_first_event(bytes: &[u8]) -> Option<usize> {
    let text = rtoscope_trace::text::strip_bom(bytes);
    let mut at = bytes.len() - text.len();
    let mut has_unit = false;
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    for line in lines.take(MAX_HEADER_LINES) {
        at += line.len();
        match BtfLine::read(line).ok()? {
            BtfLine::Empty | BtfLine::Comment => {}
            BtfLine::Parameter { key, value } => {
                let is_unit = key.eq_ignore_ascii_case(TimeScale::KEY.as_bytes());
                has_unit |= is_unit && TimeScale::from_name(value).is_some();
            }
            // Only a whole line: its end might change the event.
            BtfLine::Event(event) => {
                let target_type = EntityType::from_name(event.target_type);
                let is_known = catalogue::number(target_type, event.event).is_some();
                let is_event = line.ends_with(b"\n") && (has_unit || is_known);
                return is_event.then_some(at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_event_is_the_proof() {
        for (text, expected) in [
            (
                "#timeScale us\n5,Core_0,0,C,Core_0,0,set_clock,9\nx",
                Some(48),
            ),
            ("\u{FEFF}5,Core_0,0,T,a,0,start\n", Some(26)),
            ("# 1\n\n5,Core_0,0,T,a,0,start", None),
            ("5,Core_0,0,T,a,0,other\n", None),
            ("1,2,3\n", None),
            ("Dear reader\n", None),
            ("", None),
        ] {
            assert_eq!(end_of_first_event(text.as_bytes()), expected, "{text}");
        }
    }
}
