//! Splits a filter into tokens.

use super::error::{FilterError, FilterProblem};
use super::span::Span;
use super::token::{Symbol, Token, TokenKind, reserved, word_len};
use crate::Name;
use crate::quoted::{EXPECTED_ESCAPE, QuotedText, QuotedTextError};

/// Splits a filter into tokens.
#[derive(Clone)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The remaining text.
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next token; at the end always [`TokenKind::End`].
    pub(super) fn next(&mut self) -> Result<Token, FilterError> {
        // Some editors begin a file with a byte order mark.
        let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
        loop {
            let rest = self.rest().trim_start_matches(is_blank);
            let blank = self.rest().len() - rest.len();
            self.at += blank;
            if !rest.starts_with('#') || blank == 0 && self.at > 0 {
                break;
            }
            let Some(comment) = rest.find('\n') else {
                let end = self.token(TokenKind::End, 0);
                self.at = self.text.len();
                return Ok(end);
            };
            self.at += comment;
        }
        let rest = self.rest();
        let word = word_len(rest);
        if word > 0 {
            let text = rest.get(..word).unwrap_or_default();
            let kind = reserved(text).map_or(TokenKind::Word, TokenKind::Symbol);
            return Ok(self.token(kind, word));
        }
        if let Some(token) = self.quoted()? {
            return Ok(token);
        }
        let signs = Symbol::ALL.iter().copied();
        let sign = signs.into_iter().find(|sign| rest.starts_with(sign.text()));
        match (sign, rest.chars().next()) {
            (Some(sign), _) => Ok(self.token(TokenKind::Symbol(sign), sign.text().len())),
            (None, None) => Ok(self.token(TokenKind::End, 0)),
            (None, Some('|')) => Err(self.unexpected(1, "`||`")),
            (None, Some(other)) => {
                let length = other.len_utf8();
                Err(self.unexpected(length, "a name, a number, a quoted text or an operator"))
            }
        }
    }

    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let span = Span {
            start: self.at,
            end: self.at + length,
        };
        self.at += length;
        Token { kind, span }
    }

    fn unexpected(&self, length: usize, expected: &'static str) -> FilterError {
        let span = Span {
            start: self.at,
            end: self.at + length,
        };
        FilterError::unexpected(self.text, span, expected)
    }

    /// A quoted text, if there is one.
    fn quoted(&mut self) -> Result<Option<Token>, FilterError> {
        match QuotedText::read(self.rest()) {
            Ok(None) => Ok(None),
            Ok(Some(text)) => {
                let kind = TokenKind::Quoted(Name::new(&text.bytes));
                Ok(Some(self.token(kind, text.source_len)))
            }
            Err(QuotedTextError::Unterminated { quote }) => {
                let span = Span {
                    start: self.at,
                    end: self.at + quote.len_utf8(),
                };
                let problem = FilterProblem::OpenQuote { quote };
                Err(FilterError::new(span, problem).in_expression(self.text))
            }
            Err(QuotedTextError::InvalidEscape(escape)) => {
                self.at += escape.start;
                Err(self.unexpected(escape.len(), EXPECTED_ESCAPE))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut lexer = Lexer::new(text);
        let mut all = Vec::new();
        loop {
            let token = lexer.next().unwrap();
            all.push(match token.kind {
                TokenKind::End => return all,
                TokenKind::Word => text[token.span.start..token.span.end].to_owned(),
                TokenKind::Quoted(name) => format!("'{name}'"),
                TokenKind::Symbol(symbol) => format!("<{}>", symbol.text()),
            });
        }
    }

    #[test]
    fn words_and_symbols() {
        let expected = [
            "<!>", "core", "<!=>", "0x1_0", "<&&>", "tx-a.b", "<~>", "*q?",
        ];
        assert_eq!(tokens("!core!=0x1_0&&tx-a.b ~ *q?"), expected);
        let expected = ["<and>", "<or>", "<not>", "<in>", "inner"];
        assert_eq!(tokens("AND or Not in inner"), expected);
        assert_eq!(tokens("a='b' a..."), ["a", "<=>", "'b'", "a", "<...>"]);
    }

    #[test]
    fn comments_follow_blanks() {
        assert_eq!(tokens("\u{feff}a '#' # b"), ["a", "'#'"]);
        assert_eq!(tokens("# a"), [""; 0]);
        assert_eq!(tokens("a # b\nc #"), ["a", "c"]);
        assert!(Lexer { text: "a#b", at: 1 }.next().is_err());
    }

    #[test]
    fn ranges_end_words() {
        assert_eq!(tokens("1.5ms..2.5ms"), ["1.5ms", "<..>", "2.5ms"]);
        assert_eq!(tokens("1..=0x2"), ["1", "<..=>", "0x2"]);
        assert_eq!(tokens("a.b."), ["a.b."]);
    }

    #[test]
    fn quotes_are_removed() {
        assert_eq!(
            tokens(r#""a \"b\"" 'it\'s "x"'"#),
            ["'a \"b\"'", "'it's \"x\"'"]
        );
        let mut lexer = Lexer::new(r#""caf\xe9\\\t""#);
        let name = Name::new(b"caf\xE9\\\t");
        assert_eq!(lexer.next().unwrap().kind, TokenKind::Quoted(name));
    }

    #[test]
    fn errors_have_spans() {
        let fault = |text| {
            let mut lexer = Lexer::new(text);
            loop {
                match lexer.next() {
                    Ok(token) if token.kind == TokenKind::End => return None,
                    Ok(_) => {}
                    Err(error) => return Some(error.span()),
                }
            }
        };
        assert_eq!(fault("a | b"), Some(2..3));
        assert_eq!(fault("ä § b"), Some(3..5));
        assert_eq!(fault("'abc"), Some(0..1));
        assert_eq!(fault("'a\\q'"), Some(2..4));
        assert_eq!(fault("'\\x+1'"), Some(1..3));
        assert_eq!(fault("'\\xä'"), Some(1..3));
        assert_eq!(fault("'\\"), Some(1..2));
        assert_eq!(fault("fine"), None);
    }
}
