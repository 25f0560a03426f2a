//! How lines look.

use rtoscope_tables::Column;

/// How lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    /// Comma-separated values (RFC 4180), the columns' names first.
    Csv,
    /// A JSON object a line.
    Json,
}

/// What of a line is the same in all.
pub(super) struct LineTemplate {
    /// Before each value.
    pub(super) prefixes: Vec<Vec<u8>>,
    /// Behind the last.
    pub(super) line_end: Vec<u8>,
}

impl LineFormat {
    /// What stands before the first line.
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

    /// What the lines of a table have in common.
    pub(super) fn template(self, columns: &[Column], tags: &[(String, String)]) -> LineTemplate {
        let before = columns.iter().enumerate().map(|(place, column)| {
            let mut edge = Vec::new();
            self.write_prefix(place == 0, column.name, &mut edge);
            edge
        });
        let mut behind = Vec::new();
        for (name, value) in tags {
            self.write_prefix(columns.is_empty() && behind.is_empty(), name, &mut behind);
            self.text(value, &mut behind);
        }
        behind.extend_from_slice(match self {
            Self::Csv => b"\n",
            Self::Json => b"}\n",
        });
        LineTemplate {
            prefixes: before.collect(),
            line_end: behind,
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

    /// What stands where a value is missing.
    pub(super) fn missing(self) -> &'static [u8] {
        match self {
            Self::Csv => b"",
            Self::Json => b"null",
        }
    }

    /// Writes a text so that nothing in it can end it.
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

/// In quotation marks, each of its own twice, where it needs any. Blanks at its
/// ends, which some readers would drop, need them, too.
fn quoted_field(text: &str, to: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let is_special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let plain =
        !bytes.iter().any(is_special) && !is_blank(bytes.first()) && !is_blank(bytes.last());
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
