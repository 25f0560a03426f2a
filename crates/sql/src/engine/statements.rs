//! Splits text into statements.

use anyhow::bail;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

/// The statements in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Statements<'a> {
    /// Complete statements, without their `;`.
    pub(crate) complete: Vec<&'a str>,
    /// The text after the last `;`, unless it consists of white space and
    /// comments.
    pub(crate) rest: Option<&'a str>,
}

impl<'a> Statements<'a> {
    /// Splits a text at each `;` outside of quotes and comments.
    pub(crate) fn parse(text: &'a str) -> Self {
        let mut tokens: Vec<TokenWithSpan> = Vec::new();
        let tokenized =
            Tokenizer::new(&GenericDialect {}, text).tokenize_with_location_into_buf(&mut tokens);
        let mut offsets = ByteOffsets::new(text);
        let mut whole = Vec::new();
        let mut start = 0;
        // An unterminated quote or comment is part of a statement.
        let mut has_tokens = false;
        for token in &tokens {
            match token.token {
                Token::SemiColon => {
                    let end = offsets.offset(token.span.start);
                    if has_tokens {
                        whole.push(&text[start..end]);
                    }
                    start = end + 1;
                    has_tokens = false;
                }
                Token::Whitespace(_) | Token::EOF => {}
                _ => has_tokens = true,
            }
        }
        has_tokens |= tokenized.is_err();
        Self {
            complete: whole,
            rest: has_tokens.then(|| &text[start..]),
        }
    }

    /// The only statement in a text.
    pub(crate) fn single(text: &'a str) -> anyhow::Result<&'a str> {
        let Self {
            complete: whole,
            rest,
        } = Self::parse(text);
        match (&whole[..], rest) {
            ([only], None) => Ok(only),
            ([], Some(only)) => Ok(only),
            ([], None) => bail!("the SQL is empty"),
            _ => bail!("more than one statement; use --shell to run several"),
        }
    }
}

/// Whether a statement names a column in nanoseconds, or has no `*` that could
/// select one.
pub(super) fn names_nanoseconds(sql: &str) -> bool {
    let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize();
    let tokens = tokens.unwrap_or_default().into_iter();
    let tokens: Vec<_> = tokens
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .collect();
    let names = tokens.iter().any(|token| match token {
        Token::Word(word) => word.value.to_ascii_lowercase().ends_with("_ns"),
        _ => false,
    });
    let has_star = tokens.windows(2).any(|pair| {
        let is_before_star = match &pair[0] {
            Token::Comma | Token::Period => true,
            Token::Word(word) => matches!(
                word.keyword,
                Keyword::SELECT | Keyword::DISTINCT | Keyword::ALL
            ),
            _ => false,
        };
        is_before_star && pair[1] == Token::Mul
    });
    names || !has_star
}

/// Converts ascending positions from lines and columns to bytes.
pub(crate) struct ByteOffsets<'a> {
    rest: std::str::CharIndices<'a>,
    line: u64,
    column: u64,
}

impl<'a> ByteOffsets<'a> {
    /// For the positions in a text.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            rest: text.char_indices(),
            line: 1,
            column: 1,
        }
    }

    /// The byte offset of a location, which must not precede the previous one.
    pub(crate) fn offset(&mut self, location: Location) -> usize {
        loop {
            let offset = self.rest.offset();
            if (self.line, self.column) >= (location.line, location.column) {
                return offset;
            }
            match self.rest.next() {
                Some((_, '\n')) => {
                    self.line += 1;
                    self.column = 1;
                }
                Some(_) => self.column += 1,
                None => return offset,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_outside_quotes_and_comments() {
        let text = "SELECT ';', \"µ;\" -- ;\n/* ; */ FROM a;\n ;; SELECT 2 ; -- done\n";
        let cut = Statements::parse(text);
        let first = "SELECT ';', \"µ;\" -- ;\n/* ; */ FROM a";
        assert_eq!(cut.complete, [first, " SELECT 2 "]);
        assert_eq!(cut.rest, None);
        assert_eq!(Statements::parse("SELECT 1").rest, Some("SELECT 1"));
        for open in ["SELECT 'a;", "SELECT 1 /* ;", "SELECT \"a;"] {
            let cut = Statements::parse(open);
            assert_eq!((cut.complete.len(), cut.rest), (0, Some(open)));
        }
    }

    #[test]
    fn stars_do_not_name_nanoseconds() {
        for named in [
            "SELECT duration_ns FROM slices",
            "SELECT *, duration_NS FROM slices",
            "SELECT count(*) FROM slices",
            "SELECT duration * 2 FROM mine",
        ] {
            assert!(names_nanoseconds(named), "{named}");
        }
        for star in [
            "SELECT * FROM slices -- duration_ns",
            "select distinct *, 'x_ns' FROM slices",
            "SELECT s.* FROM slices s",
        ] {
            assert!(!names_nanoseconds(star), "{star}");
        }
    }

    #[test]
    fn single_accepts_exactly_one_statement() {
        assert_eq!(Statements::single("SELECT 1;").unwrap(), "SELECT 1");
        assert_eq!(Statements::single(" SELECT 1 ").unwrap(), " SELECT 1 ");
        assert!(Statements::single("; -- nothing").is_err());
        assert!(Statements::single("SELECT 1; SELECT 2").is_err());
    }
}
