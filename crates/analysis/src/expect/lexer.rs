//! Splits a line of a spec into words.

use super::error::{Span, SpecError};
use rtoscope_trace::quoted::{EXPECTED_ESCAPE, QuotedText, QuotedTextError};

/// A word, or `name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpecWord {
    pub(super) name: SpecToken,
    pub(super) value: Option<SpecToken>,
}

/// A name or a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpecToken {
    pub(super) span: Span,
    /// Whether it is quoted, so that its characters are literal.
    pub(super) quoted: bool,
    /// Without quotation marks and escapes.
    pub(super) bytes: Vec<u8>,
}

impl SpecToken {
    /// The text, unless it is quoted.
    pub(super) fn bare(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes)
            .ok()
            .filter(|_| !self.quoted)
    }

    /// The text, with replacement characters for invalid UTF-8.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl SpecWord {
    /// The text of a word that is neither quoted nor has a value.
    pub(super) fn bare(&self) -> Option<&str> {
        self.name.bare().filter(|_| self.value.is_none())
    }

    /// From the start of the name to the end of the value.
    pub(super) fn span(&self) -> Span {
        let last = self.value.as_ref().unwrap_or(&self.name);
        Span {
            end: last.span.end,
            ..self.name.span
        }
    }
}

/// Splits a line of a spec into words, without comments.
pub(super) fn split_words(spec: &str, line: &str, number: u32) -> Result<Vec<SpecWord>, SpecError> {
    let mut lexer = Lexer {
        spec,
        line,
        number,
        at: 0,
    };
    let mut words = Vec::new();
    while let Some(word) = lexer.next_word()? {
        words.push(word);
    }
    Ok(words)
}

/// Spaces, tabs, and the byte order mark that some editors write.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

struct Lexer<'t> {
    spec: &'t str,
    line: &'t str,
    number: u32,
    /// In bytes.
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span_from(&self, start: usize) -> Span {
        Span {
            line: self.number,
            start,
            end: self.at,
        }
    }

    fn next_word(&mut self) -> Result<Option<SpecWord>, SpecError> {
        self.at += self.rest().len() - self.rest().trim_start_matches(is_blank).len();
        if matches!(self.peek(), None | Some('#')) {
            return Ok(None);
        }
        let name = self.next_token(|letter| is_blank(letter) || letter == '=', "a name")?;
        let value = if self.peek() == Some('=') {
            self.at += 1;
            Some(self.next_token(is_blank, "a value")?)
        } else {
            None
        };
        if self.peek().is_some_and(|letter| !is_blank(letter)) {
            let start = self.at;
            self.at += self.peek().map_or(0, char::len_utf8);
            let span = self.span_from(start);
            return Err(SpecError::unexpected(self.spec, span, "a blank"));
        }
        Ok(Some(SpecWord { name, value }))
    }

    /// Reads a name or a value, up to a terminating character.
    fn next_token(
        &mut self,
        ends: impl Fn(char) -> bool,
        expected: &'static str,
    ) -> Result<SpecToken, SpecError> {
        let start = self.at;
        if let Some(bytes) = self.quoted()? {
            return Ok(SpecToken {
                span: self.span_from(start),
                quoted: true,
                bytes,
            });
        }
        let length = self.rest().find(ends).unwrap_or(self.rest().len());
        let text = self.rest().get(..length).unwrap_or_default();
        self.at += length;
        let span = self.span_from(start);
        if text.is_empty() {
            return Err(SpecError::unexpected(self.spec, span, expected));
        }
        Ok(SpecToken {
            span,
            quoted: false,
            bytes: text.into(),
        })
    }

    /// A quoted text, if there is one.
    fn quoted(&mut self) -> Result<Option<Vec<u8>>, SpecError> {
        let start = self.at;
        match QuotedText::read(self.rest()) {
            Ok(None) => Ok(None),
            Ok(Some(text)) => {
                self.at += text.source_len;
                Ok(Some(text.bytes))
            }
            Err(QuotedTextError::Unterminated { quote }) => {
                self.at = self.line.len();
                let expected = format!("a closing {quote}");
                let span = self.span_from(start);
                Err(SpecError::new(
                    self.spec,
                    span,
                    "unterminated text",
                    expected,
                ))
            }
            Err(QuotedTextError::InvalidEscape(escape)) => {
                self.at = start + escape.end;
                let span = self.span_from(start + escape.start);
                Err(SpecError::unexpected(self.spec, span, EXPECTED_ESCAPE))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<String> {
        let token = |token: &SpecToken| match token.quoted {
            true => format!("'{}'", token.text()),
            false => token.text(),
        };
        let words = split_words(line, line, 1).unwrap();
        let word = |word: &SpecWord| match &word.value {
            Some(value) => format!("{} := {}", token(&word.name), token(value)),
            None => token(&word.name),
        };
        words.iter().map(word).collect()
    }

    #[test]
    fn lines_are_split_into_words() {
        assert_eq!(shown(""), [""; 0]);
        assert_eq!(shown("  # nothing"), [""; 0]);
        assert_eq!(shown("\u{feff}... # x"), ["..."]);
        let words = ["SM.TRN", "ao := &me->queue=1", "'odd name' := 'a \"b\"'"];
        let line = r#"SM.TRN ao=&me->queue=1	"odd name"="a \"b\"""#;
        assert_eq!(shown(line), words);
        assert_eq!(shown("a#b 'it''s'"[..3].as_ref()), ["a#b"]);
    }

    #[test]
    fn errors_have_spans() {
        let fault = |line: &str| {
            let error = split_words(line, line, 1).unwrap_err();
            (error.column, error.expected)
        };
        assert_eq!(fault("a =b"), (3, "a name".to_owned()));
        assert_eq!(fault("ä=  "), (3, "a value".to_owned()));
        assert_eq!(fault("x \"abc"), (3, "a closing \"".to_owned()));
        assert_eq!(fault("\"a\"b"), (4, "a blank".to_owned()));
        assert_eq!(fault("a='b\\q'").0, 5);
        assert_eq!(fault("a='\\x+1'").0, 4);
        assert_eq!(fault("'\\").0, 2);
    }
}
