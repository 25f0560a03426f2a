//! A transfer in text mode: each 0x0A became 0x0D 0x0A.

use memchr::{memchr_iter, memmem};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind};

pub(crate) const CARRIAGE_RETURN: u8 = 0x0D;
pub(crate) const LINE_FEED: u8 = 0x0A;
pub(crate) const PAIR: [u8; 2] = [CARRIAGE_RETURN, LINE_FEED];

/// Minimum number of line feeds that prove the transfer. The byte before one is 0x0D by chance in
/// one of 256 cases, and in all of them in one of 2^64.
const MIN_LINE_FEEDS: usize = 8;

/// The bytes before such a transfer, and the diagnostic; `None` if nothing proves one.
pub(crate) fn restore(bytes: &[u8]) -> Option<(Vec<u8>, Diagnostic)> {
    if !follow_returns(bytes) || memchr_iter(LINE_FEED, bytes).count() < MIN_LINE_FEEDS {
        return None;
    }
    let restored = without_returns(bytes);
    let removed = (bytes.len() - restored.len()) as u64;
    let message = format!(
        "every 0x0a followed a 0x0d, as after a transfer in text mode: removed {}",
        pluralise(removed, "byte 0x0d", "bytes 0x0d"),
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::ExpandedLineFeeds, message);
    Some((restored, diagnostic.with_count(removed)))
}

/// Whether each line feed follows a carriage return.
pub(crate) fn follow_returns(bytes: &[u8]) -> bool {
    memchr_iter(LINE_FEED, bytes).all(|feed| {
        let before = feed.checked_sub(1).and_then(|before| bytes.get(before));
        before == Some(&CARRIAGE_RETURN)
    })
}

/// The bytes without the carriage return before each line feed.
pub(crate) fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let mut restored = Vec::with_capacity(bytes.len());
    let mut rest = 0;
    for pair in memmem::find_iter(bytes, &PAIR) {
        restored.extend_from_slice(bytes.get(rest..pair).unwrap_or_default());
        rest = pair + 1;
    }
    restored.extend_from_slice(bytes.get(rest..).unwrap_or_default());
    restored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expanded_line_feeds_are_undone() {
        let sound = [10, 1, 10, 10, 13, 10, 13, 2, 10, 3, 10, 10, 10, 13];
        let expanded = sound.iter().flat_map(|byte| match *byte {
            LINE_FEED => PAIR.to_vec(),
            byte => vec![byte],
        });
        let expanded: Vec<_> = expanded.collect();
        let (restored, diagnostic) = restore(&expanded).unwrap();
        assert_eq!(restored, sound);
        assert_eq!(diagnostic.count, 8);
        // Too few, and one without a carriage return.
        assert_eq!(restore(&expanded[2..]), None);
        assert_eq!(restore(&[&expanded, sound.as_slice()].concat()), None);
    }
}
