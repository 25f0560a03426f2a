//! Parses the output of `nm`: BSD format, with or without sizes (`-S`), and
//! POSIX format (`-P`).

use crate::entry::{SymbolEntry, SymbolKind, is_name};
use rtoscope_trace::text::{TextLine, lines, parse_hex};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use std::ops::Range;

/// Bytes to examine for `nm` output and its format: sorted by address, it
/// begins with undefined symbols.
const SAMPLE_BYTES: usize = 256 << 10;

/// Maximum size of a function without a known size.
const MAX_UNSIZED_FUNCTION_BYTES: u64 = 64 << 10;

/// The format of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NmFormat {
    /// `ADDRESS [SIZE] TYPE NAME`.
    Bsd,
    /// `NAME TYPE ADDRESS [SIZE]`.
    Posix,
}

/// A parsed line.
struct NmLine {
    /// The symbol type letter of `nm`.
    letter: u8,
    /// `None` for undefined symbols.
    address: Option<u64>,
    size: u64,
    name: Range<usize>,
}

impl NmFormat {
    /// Detects the format of `bytes` if they are `nm` output: at least half of
    /// the first lines have one format, and one of them has an address.
    pub(crate) fn detect(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..SAMPLE_BYTES).unwrap_or(bytes);
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..);
        if !head.iter().all(is_text) {
            return None;
        }
        [Self::Bsd, Self::Posix].into_iter().find(|style| {
            let (mut all, mut sound, mut placed) = (0, 0, 0);
            for line in lines(head) {
                all += 1;
                if let Ok(row) = style.parse_line(line.text) {
                    sound += 1;
                    placed += usize::from(row.address.is_some());
                }
            }
            placed > 0 && sound * 2 >= all
        })
    }

    /// Parses the symbols of `bytes`; reports and skips invalid lines.
    pub(crate) fn read(self, bytes: &[u8], diagnostics: &mut Diagnostics) -> Vec<SymbolEntry> {
        let mut all = Vec::new();
        for line in lines(bytes) {
            match self.parse_line(line.text) {
                Ok(row) => all.extend(entry(&row, line, bytes)),
                // The heading of a file.
                Err(_) if line.text.ends_with(b":") => {}
                Err(problem) => {
                    let message = format!("line {} is not an nm symbol: {problem}", line.number);
                    let diagnostic = Diagnostic::new(DiagnosticKind::BadRecord, message);
                    diagnostics.push(diagnostic.at_offset(line.offset));
                }
            }
        }
        all
    }

    fn parse_line(self, text: &[u8]) -> Result<NmLine, &'static str> {
        match self {
            Self::Bsd => bsd(text),
            Self::Posix => posix(text),
        }
    }
}

fn bsd(text: &[u8]) -> Result<NmLine, &'static str> {
    let (mut word, mut rest) = first_word(text);
    let (mut address, mut size) = (None, 0);
    if word.len() != 1 {
        address = Some(parse_padded_hex(word).ok_or("it does not begin with an address")?);
        (word, rest) = first_word(rest);
        if let Some(digits) = parse_padded_hex(word) {
            size = digits;
            (word, rest) = first_word(rest);
        }
    }
    let letter = letter(word).ok_or("there is no type before the name")?;
    if address.is_none() && !is_undefined(letter) {
        return Err("it has no address");
    }
    let start = text.len() - rest.len();
    // `-l` appends the source location after a tab.
    let length = memchr::memchr(b'\t', rest).unwrap_or(rest.len());
    if length == 0 {
        return Err("it has no name");
    }
    Ok(NmLine {
        letter,
        address,
        size,
        name: start..start + length,
    })
}

fn posix(text: &[u8]) -> Result<NmLine, &'static str> {
    // The name may contain spaces, so parse the rest from the end.
    let (before, last) = last_word(text);
    let (middle, second) = last_word(before);
    let (front, third) = last_word(middle);
    let (name, kind, address, size) = match (letter(third), parse_hex(second), parse_hex(last)) {
        (Some(kind), Some(address), Some(size)) => (front, kind, Some(address), size),
        (_, _, value) => match (letter(second), value, letter(last)) {
            (Some(kind), Some(address), _) => (middle, kind, Some(address), 0),
            (_, _, Some(kind)) if is_undefined(kind) => (before, kind, None, 0),
            _ => return Err("it does not end with a type and an address"),
        },
    };
    if name.is_empty() {
        return Err("it has no name");
    }
    Ok(NmLine {
        letter: kind,
        address,
        size,
        name: 0..name.len(),
    })
}

fn entry(row: &NmLine, line: TextLine<'_>, bytes: &[u8]) -> Option<SymbolEntry> {
    let address = row.address?;
    let kind = match row.letter.to_ascii_lowercase() {
        _ if row.letter == b'v' => return None,
        b't' | b'w' | b'i' => SymbolKind::Function,
        b'b' | b'c' | b'd' | b'g' | b'r' | b's' | b'u' | b'v' => SymbolKind::Object,
        _ => return None,
    };
    let start = usize::try_from(line.offset).ok()?;
    let name = start + row.name.start..start + row.name.end;
    is_name(bytes.get(name.clone())?).then_some(SymbolEntry {
        kind,
        address,
        size: row.size,
        max_end: address.saturating_add(MAX_UNSIZED_FUNCTION_BYTES),
        is_global: row.letter.is_ascii_uppercase() || row.letter == b'u',
        name,
    })
}

/// Whether a type letter means an undefined symbol.
fn is_undefined(letter: u8) -> bool {
    matches!(letter, b'U' | b'w' | b'v')
}

/// A type, which is a single letter.
fn letter(word: &[u8]) -> Option<u8> {
    match word {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    }
}

/// A hex number with as many digits as an address of 4 or 8 bytes.
fn parse_padded_hex(word: &[u8]) -> Option<u64> {
    matches!(word.len(), 8 | 16).then(|| parse_hex(word))?
}

/// The text before the first space, and the rest.
fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(u8::is_ascii_whitespace);
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word, rest.trim_ascii_start())
}

/// The text after the last space, and the rest before it.
fn last_word(text: &[u8]) -> (&[u8], &[u8]) {
    let space = text.iter().rposition(u8::is_ascii_whitespace);
    let (before, word) = text.split_at(space.map_or(0, |space| space + 1));
    (before.trim_ascii_end(), word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(String, u64, u64)>, Vec<String>) {
        let style = NmFormat::detect(text.as_bytes()).unwrap();
        let mut diagnostics = Diagnostics::default();
        let entries = style.read(text.as_bytes(), &mut diagnostics);
        let named = |entry: &SymbolEntry| text.get(entry.name.clone()).unwrap().to_owned();
        let all = entries.iter().map(|it| (named(it), it.address, it.size));
        let problems = diagnostics.iter().map(|it| it.message.clone());
        (all.collect(), problems.collect())
    }

    fn known(name: &str, address: u64, size: u64) -> (String, u64, u64) {
        (name.to_owned(), address, size)
    }

    #[test]
    fn every_format_says_the_same() {
        let expected = [known("main", 0x8000, 0x24), known("log", 0x2000_0000, 4)];
        let plain = "00008000 T main\n20000000 B log\n         U other\n";
        let unsized_ones = [known("main", 0x8000, 0), known("log", 0x2000_0000, 0)];
        assert_eq!(read(plain), (unsized_ones.to_vec(), vec![]));
        let sized = "00008000 00000024 T main\r\n20000000 00000004 B log\r\n";
        assert_eq!(read(sized), (expected.to_vec(), vec![]));
        let wide = "0000000000008000 0000000000000024 T main\n\
                    0000000020000000 0000000000000004 B log\n                 w weak\n";
        assert_eq!(read(wide), (expected.to_vec(), vec![]));
        let posix = "main T 8000 24\nlog B 20000000 4\nother U         \nweak w\n";
        assert_eq!(read(posix), (expected.to_vec(), vec![]));
    }

    #[test]
    fn names_may_have_spaces() {
        let expected = [known("uart::send(char const*, int)", 0x8000, 0x10)];
        let bsd = "00008000 00000010 T uart::send(char const*, int)\t/src/uart.cpp:12\n";
        assert_eq!(read(bsd).0, expected);
        assert_eq!(read("uart::send(char const*, int) T 8000 10\n").0, expected);
    }

    #[test]
    fn only_what_lies_in_memory_has_a_name() {
        let text = "00008000 T main\n00008000 t $t\n00008010 t .L3\n00000400 A stack_size\n\
                    00008020 W weak_function\n20000000 V weak_object\n\nfile.o:\n";
        let names: Vec<_> = read(text).0.into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["main", "weak_function", "weak_object"]);
    }

    #[test]
    fn damaged_lines_are_reported_by_number() {
        let (all, problems) = read(
            "00008000 T main\n00008004 T next\nxx008004 T bad\n00008008 Tt bad\n\
             00008008 T\n T bad\n00008010 t last\n20000000 b some\n",
        );
        assert_eq!(all.len(), 4);
        assert_eq!(
            problems,
            [
                "line 3 is not an nm symbol: it does not begin with an address",
                "line 4 is not an nm symbol: there is no type before the name",
                "line 5 is not an nm symbol: it has no name",
                "line 6 is not an nm symbol: it has no address",
            ]
        );
        let (all, problems) = read("main T 8000 24\nbad T\nT 8000\nother t 9000\nthird t 9010\n");
        assert_eq!(all.len(), 3);
        assert_eq!(
            problems,
            [
                "line 2 is not an nm symbol: it does not end with a type and an address",
                "line 3 is not an nm symbol: it has no name",
            ]
        );
    }

    #[test]
    fn other_texts_are_not_of_nm() {
        for text in [
            "",
            "hello world\n",
            ":10000000000102030405060708090A0B0C0D0E0F78\n:00000001FF\n",
            "00000000  54 58 54 42 00 00 00 00\n00000008  54 58 54 42 00 00 00 00\n",
            "0x20000000:\t0x54585442\t0x00000000\n",
            "         U undefined\n         U other\n",
            "00008000 T main\x00\n",
        ] {
            assert_eq!(NmFormat::detect(text.as_bytes()), None, "{text:?}");
        }
    }
}
