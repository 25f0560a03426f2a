//! The tokens of a filter.

use super::span::Span;
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
            pub(super) const ALL: &[Self] = &[$(Self::$variant),*];

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
    Assign "=";
    NotEqual "!=";
    LessOrEqual "<=";
    Less "<";
    GreaterOrEqual ">=";
    Greater ">";
    Like "~";
    Unlike "!~";
    Dots "...";
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
pub fn is_plain_word(text: &str) -> bool {
    is_word(text) && !text.contains(['*', '?'])
}

/// Whether a text is one bare word that is not reserved.
pub(super) fn is_word(text: &str) -> bool {
    let word = !text.is_empty() && word_len(text) == text.len();
    word && reserved(text).is_none()
}

/// The reserved word with that text, in any case.
pub(super) fn reserved(word: &str) -> Option<Symbol> {
    let mut words = [Symbol::And, Symbol::Or, Symbol::Not, Symbol::In].into_iter();
    words.find(|symbol| symbol.text().eq_ignore_ascii_case(word))
}

/// Number of bytes at the start of a text that belong to one word. Two dots are
/// a range, not part of a word.
pub(super) fn word_len(text: &str) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_need_no_quotes() {
        assert!(is_plain_word("event-flags") && is_plain_word("über.2"));
        for text in ["", "a b", "and", "IN", "a*", "a..b", "(idle)"] {
            assert!(!is_plain_word(text), "{text}");
        }
    }
}
