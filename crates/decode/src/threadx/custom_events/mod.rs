//! Event kinds that an application defines: TraceX custom event files and
//! rtoscope's own format.
//!
//! Numbers 4096 to 65535 are reserved for them (`tx_api.h`), but a target may
//! log any; only the numbers of events that ThreadX and its companions log
//! cannot be redefined.

mod definitions;
mod error;
mod toml;
mod trxc;

pub use error::{CustomEventMistake, CustomEventsError, MistakeReason};

use rtoscope_trace::EventKind;

/// The component of an application's events without one.
const DEFAULT_COMPONENT: &str = "user";

/// Whether a file is a TraceX custom event file: it has a line `Start` or `End`.
pub fn is_trxc(text: &[u8]) -> bool {
    trxc::is_trxc(text)
}

/// Parses the event kinds in a file. A file with a line `Start` or `End` is a
/// TraceX custom event file, any other is TOML.
///
/// # Errors
///
/// If any part of the file is invalid; the error contains up to
/// [`CustomEventsError::MAX_MISTAKES`] mistakes, each with its line.
pub fn parse(text: &[u8]) -> Result<Vec<EventKind>, CustomEventsError> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    if trxc::is_trxc(text) {
        trxc::parse(text)
    } else {
        toml::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_content_determines_the_format() {
        let trxc = b"\xEF\xBB\xBFStart\r\n4096,a,A,(1,2,3),(4,5,6),a,b,c,d\r\nEnd\r\n";
        let toml = b"\xEF\xBB\xBF[[event]]\nid = 4096\nname = 'a'\nicon = 'A'\ncolour = '#010203'";
        assert_eq!(parse(trxc).unwrap().len(), 1);
        assert_eq!(parse(toml).unwrap().len(), 1);
        let no_start = parse(b"4096,a,A,(1,2,3),(4,5,6),a,b,c,d\nEnd").unwrap_err();
        assert_eq!(no_start.to_string(), "line 2: no line `Start` before `End`");
    }

    proptest! {
        #[test]
        fn bytes_never_panic(bytes in any::<Vec<u8>>()) {
            let _ = parse(&bytes);
        }

        #[test]
        fn lines_never_panic(text in "(Start\r?\n)?(([0-9]{1,5}|0x[0-9a-f]{0,9}),\"?a\"?,..?.?.?,[(0-9, )]{0,30},[a,\"]{0,12}\n){0,30}(End)?") {
            let _ = parse(text.as_bytes());
        }

        #[test]
        fn tables_never_panic(text in "(\\[\\[event\\]\\]\n(id = [0-9]{1,10}\n)?(name = '.?'\n)?(icon = '.{0,4}'\n)?(colour = '#[0-9a-f]{5,6}'\n)?(arguments = \\[(\\{name = 'a', meaning = 'count', position = [0-9]\\},){0,6}\\]\n)?){0,3}") {
            let _ = parse(text.as_bytes());
        }
    }
}
