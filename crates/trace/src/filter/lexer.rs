//! The tokens of a filter.

use super::ast::Span;
use super::error::{FilterError, FilterProblem};
use crate::Name;

macro_rules! symbols {
    ($($(#[doc = $doc:literal])* $variant:ident $text:literal;)*) => {
        /// An operator or a reserved word.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Symbol {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Symbol {
            /// All symbols; a symbol precedes its own prefixes.
            const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its source form.
            pub(super) const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

symbols! {
    Open "(";
    Close ")";
    Comma ",";
    Equal "==";
    NotEqual "!=";
    LessOrEqual "<=";
    Less "<";
    GreaterOrEqual ">=";
    Greater ">";
    Like "~";
    Unlike "!~";
    RangeInclusive "..=";
    Range "..";
    AndSign "&&";
    Bits "&";
    OrSign "||";
    NotSign "!";
    And "and";
    Or "or";
    Not "not";
    In "in";
}

/// The kind of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and `_ - . * ?`.
    Word,
    /// A text in quotes, without them and its escapes.
    Quoted(Name),
    /// An operator or a reserved word.
    Symbol(Symbol),
    /// After the last token.
    End,
}

/// A token of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// Whether a text is one bare word and a name: not reserved, and without
/// wildcards.
pub(super) fn is_plain_word(text: &str) -> bool {
    is_word(text) && !text.contains(['*', '?'])
}

/// Whether a text is one bare word that is not reserved.
pub(super) fn is_word(text: &str) -> bool {
    let word = !text.is_empty() && word_len(text) == text.len();
    word && reserved(text).is_none()
}

fn reserved(word: &str) -> Option<Symbol> {
    let mut words = [Symbol::And, Symbol::Or, Symbol::Not, Symbol::In].into_iter();
    words.find(|symbol| symbol.text().eq_ignore_ascii_case(word))
}

/// Number of bytes at the start of a text that belong to one word. Two dots are
/// a range, not part of a word.
fn word_len(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let inside = match letter {
            '.' => letters.peek().is_none_or(|(_, next)| *next != '.'),
            '_' | '-' | '*' | '?' => true,
            _ => letter.is_alphanumeric(),
        };
        if !inside {
            return at;
        }
    }
    text.len()
}

/// Splits a filter into tokens.
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
        let blank = self.rest().len() - self.rest().trim_start().len();
        self.at += blank;
        let rest = self.rest();
        let word = word_len(rest);
        if word > 0 {
            let text = rest.get(..word).unwrap_or_default();
            let kind = reserved(text).map_or(TokenKind::Word, TokenKind::Symbol);
            return Ok(self.token(kind, word));
        }
        if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
            return self.quoted(quote);
        }
        let signs = Symbol::ALL.iter().copied();
        let sign = signs.into_iter().find(|sign| rest.starts_with(sign.text()));
        match (sign, rest.chars().next()) {
            (Some(sign), _) => Ok(self.token(TokenKind::Symbol(sign), sign.text().len())),
            (None, None) => Ok(self.token(TokenKind::End, 0)),
            (None, Some('=')) => Err(self.unexpected(1, "`==`")),
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

    /// A quoted text. The escapes are those with which names are displayed, and
    /// those of the quotes.
    fn quoted(&mut self, quote: char) -> Result<Token, FilterError> {
        let start = self.at;
        let mut bytes = Vec::new();
        self.at += quote.len_utf8();
        while let Some(letter) = self.rest().chars().next() {
            if letter == '\\' {
                self.escape(&mut bytes)?;
                continue;
            }
            self.at += letter.len_utf8();
            if letter == quote {
                let kind = TokenKind::Quoted(Name::new(&bytes));
                let span = Span {
                    start,
                    end: self.at,
                };
                return Ok(Token { kind, span });
            }
            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        let span = Span {
            start,
            end: start + 1,
        };
        let problem = FilterProblem::OpenQuote { quote };
        Err(FilterError::new(self.text, span, problem))
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), FilterError> {
        const ESCAPE: &str = r#"one of the escapes \\ \" \' \t \r \n \xNN"#;
        let rest = self.rest();
        let byte = match rest.chars().nth(1) {
            Some(plain @ ('\\' | '"' | '\'')) => u8::try_from(plain).ok(),
            Some('t') => Some(b'\t'),
            Some('r') => Some(b'\r'),
            Some('n') => Some(b'\n'),
            Some('x') => {
                let digits = rest.get(2..4).unwrap_or_default();
                let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                u8::from_str_radix(digits, 16).ok().filter(|_| plain)
            }
            _ => None,
        };
        let hex = rest.starts_with("\\x");
        let Some(byte) = byte else {
            let length = rest.chars().take(2).map(char::len_utf8).sum();
            return Err(self.unexpected(length, ESCAPE));
        };
        bytes.push(byte);
        self.at += if hex { 4 } else { 2 };
        Ok(())
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
        assert_eq!(fault("a = b"), Some(2..3));
        assert_eq!(fault("a | b"), Some(2..3));
        assert_eq!(fault("ä § b"), Some(3..5));
        assert_eq!(fault("'abc"), Some(0..1));
        assert_eq!(fault("'a\\q'"), Some(2..4));
        assert_eq!(fault("'\\x+1'"), Some(1..3));
        assert_eq!(fault("'\\xä'"), Some(1..3));
        assert_eq!(fault("'\\"), Some(1..2));
        assert_eq!(fault("fine"), None);
    }

    #[test]
    fn plain_words_need_no_quotes() {
        assert!(is_plain_word("event-flags") && is_plain_word("über.2"));
        for text in ["", "a b", "and", "IN", "a*", "a..b", "(idle)"] {
            assert!(!is_plain_word(text), "{text}");
        }
    }
}
