//! JSON that is safe to print on a terminal.

use rtoscope_trace::printable::is_printable;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{self, Write};

/// Writes a document as JSON on one line. In addition to JSON's own rules, it
/// escapes unprintable characters: DEL, C1 controls and bidirectional controls.
pub fn write(to: impl Write, document: &impl Serialize) -> io::Result<()> {
    serialize(to, 1, document)
}

/// Writes an indented document, escaped in the same way. Each element of a list, such as a row of
/// a table, is on one line: nested indentation would be a third of a long report.
pub fn write_indented(to: impl Write, document: &impl Serialize) -> io::Result<()> {
    serialize(to, 0, document)
}

fn serialize(to: impl Write, lists: usize, document: &impl Serialize) -> io::Result<()> {
    let formatter = DocumentFormatter {
        indented: PrettyFormatter::new(),
        lists,
    };
    let mut serializer = serde_json::Serializer::with_formatter(to, formatter);
    document.serialize(&mut serializer).map_err(io::Error::from)
}

/// A writer for JSON text from another serializer. It escapes the same characters,
/// which occur only in strings.
#[derive(Debug)]
pub struct EscapingWriter<W>(pub W);

impl<W: Write> Write for EscapingWriter<W> {
    /// Writes complete characters only.
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let (valid, error) = match std::str::from_utf8(text) {
            Ok(valid) => (valid, None),
            Err(error) => {
                let valid = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
                (valid, Some(error))
            }
        };
        match error {
            Some(error) if valid.is_empty() => {
                Err(io::Error::new(io::ErrorKind::InvalidData, error))
            }
            _ => {
                write_escaped(&mut self.0, valid, |to, text| to.write_all(text.as_bytes()))?;
                Ok(valid.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes text with `\u` escapes for unprintable characters, and everything else
/// with `plain`.
fn write_escaped<W: ?Sized + Write>(
    to: &mut W,
    text: &str,
    mut plain: impl FnMut(&mut W, &str) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = text;
    // Most text is ASCII.
    if rest.bytes().all(|it| it < 0x7f) {
        return plain(to, rest);
    }
    let unprintable = |it: char| it == '\u{7f}' || (!it.is_ascii() && !is_printable(it));
    while let Some((place, found)) = rest.char_indices().find(|(_, it)| unprintable(*it)) {
        let (before, after) = rest.split_at(place);
        plain(to, before)?;
        for unit in found.encode_utf16(&mut [0; 2]) {
            write!(to, "\\u{unit:04x}")?;
        }
        rest = &after[found.len_utf8()..];
    }
    plain(to, rest)
}

/// Escapes unprintable characters in strings, and indents what is in no list.
struct DocumentFormatter {
    indented: PrettyFormatter<'static>,
    /// The number of lists that the current value is in.
    lists: usize,
}

macro_rules! delegate {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(
            fn $name<W: ?Sized + Write>(&mut self, to: &mut W $(, $argument: $kind)*) -> io::Result<()> {
                match self.lists {
                    0 => self.indented.$name(to $(, $argument)*),
                    _ => CompactFormatter.$name(to $(, $argument)*),
                }
            }
        )*
    };
}

impl Formatter for DocumentFormatter {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        to: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_escaped(to, fragment, |to, text| to.write_all(text.as_bytes()))
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.lists += 1;
        match self.lists {
            1 => self.indented.begin_array_value(to, first),
            _ => CompactFormatter.begin_array_value(to, first),
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.lists -= 1;
        match self.lists {
            0 => self.indented.end_array_value(to),
            _ => CompactFormatter.end_array_value(to),
        }
    }

    delegate! {
        begin_array();
        end_array();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn control_characters_are_escaped() {
        let value =
            json!({ "a\u{9b}": ["\u{1b}[0m\u{7f}\u{85}", "\u{202e}ü日\u{e0001}"], "b": {} });
        let mut text = Vec::new();
        write(&mut text, &value).unwrap();
        let text = String::from_utf8(text).unwrap();
        let expected = r#"{"a\u009b":["\u001b[0m\u007f\u0085","\u202eü日\udb40\udc01"],"b":{}}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn text_of_other_serializers_is_escaped() {
        let mut text = EscapingWriter(Vec::new());
        text.write_all("{\"a\u{9b}\":\"\u{7f}ü\u{e0001}\"}\n".as_bytes())
            .unwrap();
        let text = String::from_utf8(text.0).unwrap();
        assert_eq!(text, "{\"a\\u009b\":\"\\u007fü\\udb40\\udc01\"}\n");
        let mut text = EscapingWriter(Vec::new());
        assert!(text.write_all(b"a\xff").is_err());
    }

    #[test]
    fn elements_of_lists_are_on_one_line() {
        let value = json!({ "a": [1, { "b": [2, {}], "c": null }], "d": { "e": [], "f": {} } });
        let mut text = Vec::new();
        write_indented(&mut text, &value).unwrap();
        let expected = r#"{
  "a": [
    1,
    {"b":[2,{}],"c":null}
  ],
  "d": {
    "e": [],
    "f": {}
  }
}"#;
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
