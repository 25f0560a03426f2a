//! The line formats.

use rtoscope_tables::Column;

/// A line format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    /// Comma-separated values (RFC 4180), with a header line.
    Csv,
    /// One JSON object per line.
    Json,
}

/// The constant parts of every line.
pub(super) struct LineTemplate {
    /// The text before each value.
    pub(super) prefixes: Vec<Vec<u8>>,
    /// The text after the last value.
    pub(super) line_end: Vec<u8>,
}

impl LineFormat {
    /// The text before the first line.
    pub(super) fn header(self, columns: &[Column], tags: &[(String, String)]) -> Vec<u8> {
        let mut head = Vec::new();
        if self == Self::Csv {
            let names = columns.iter().map(|column| column.name);
            for name in names.chain(tags.iter().map(|(name, _)| name.as_str())) {
                if !head.is_empty() {
                    head.push(b',');
                }
                self.text(name, &mut head);
            }
            head.push(b'\n');
        }
        head
    }

    /// The constant parts of a table's lines.
    pub(super) fn template(self, columns: &[Column], tags: &[(String, String)]) -> LineTemplate {
        let before = columns.iter().enumerate().map(|(place, column)| {
            let mut edge = Vec::new();
            self.write_prefix(place == 0, column.name, &mut edge);
            edge
        });
        let mut line_end = Vec::new();
        for (name, value) in tags {
            self.write_prefix(
                columns.is_empty() && line_end.is_empty(),
                name,
                &mut line_end,
            );
            self.text(value, &mut line_end);
        }
        line_end.extend_from_slice(match self {
            Self::Csv => b"\n",
            Self::Json => b"}\n",
        });
        LineTemplate {
            prefixes: before.collect(),
            line_end,
        }
    }

    fn write_prefix(self, is_first: bool, name: &str, to: &mut Vec<u8>) {
        match self {
            Self::Csv if is_first => {}
            Self::Csv => to.push(b','),
            Self::Json => {
                to.push(if is_first { b'{' } else { b',' });
                self.text(name, to);
                to.push(b':');
            }
        }
    }

    /// The text of a missing value.
    pub(super) fn missing(self) -> &'static [u8] {
        match self {
            Self::Csv => b"",
            Self::Json => b"null",
        }
    }

    /// Writes an escaped text.
    pub(super) fn text(self, text: &str, to: &mut Vec<u8>) {
        match self {
            Self::Csv => quoted_field(text, to),
            Self::Json => {
                // Writing to memory cannot fail.
                let _ = serde_json::to_writer(to, text);
            }
        }
    }
}

/// Quotes a CSV field where necessary, and doubles its quotation marks. Fields with
/// leading or trailing blanks are quoted, too, because some readers would strip
/// them.
fn quoted_field(text: &str, to: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let is_special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    // Looking at all bytes is faster than ending at the first.
    let special = bytes.iter().fold(false, |any, byte| any | is_special(byte));
    let plain = !special && !is_blank(bytes.first()) && !is_blank(bytes.last());
    if plain {
        to.extend_from_slice(bytes);
        return;
    }
    to.push(b'"');
    for (place, part) in text.split('"').enumerate() {
        if place > 0 {
            to.extend_from_slice(b"\"\"");
        }
        to.extend_from_slice(part.as_bytes());
    }
    to.push(b'"');
}
