//! Tokens of TSDL, the language of CTF 1.8's metadata.

use super::field_class::MetadataError;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// An identifier or a keyword.
    Word(String),
    Number(i128),
    Text(String),
    /// `{`, `:=` and so on.
    Symbol(&'static str),
}

/// A token and its line.
pub(super) type LocatedToken = (Token, usize);

/// The symbols; of two that begin alike, the longer is first.
const SYMBOLS: [&str; 19] = [
    "...", ":=", "->", "{", "}", "[", "]", "(", ")", "<", ">", ";", ":", ",", "=", ".", "*", "-",
    "+",
];

/// Splits a text into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<LocatedToken>, MetadataError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    loop {
        let trimmed = rest.trim_start_matches(|it: char| it.is_whitespace() || it == '\0');
        let skipped = rest.get(..rest.len() - trimmed.len()).unwrap_or_default();
        line += skipped.matches('\n').count();
        rest = trimmed;
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let error = |problem: &str| MetadataError {
            line,
            problem: problem.to_owned(),
        };
        if let Some(comment) = rest.strip_prefix("/*") {
            let (comment, after) = comment
                .split_once("*/")
                .ok_or_else(|| error("a comment does not end"))?;
            line += comment.matches('\n').count();
            rest = after;
        } else if rest.starts_with("//") || rest.starts_with('#') {
            rest = rest
                .get(rest.find('\n').unwrap_or(rest.len())..)
                .unwrap_or_default();
        } else if first.is_ascii_digit() {
            let end = rest.find(|it: char| !it.is_ascii_alphanumeric());
            let (digits, after) = rest.split_at(end.unwrap_or(rest.len()));
            let value = number(digits).ok_or_else(|| error(&format!("no number: `{digits}`")))?;
            tokens.push((Token::Number(value), line));
            rest = after;
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push((Token::Word(word.to_owned()), line));
            rest = after;
        } else if first == '"' || first == '\'' {
            let (text, after) = quoted(rest, first).ok_or_else(|| error("a text does not end"))?;
            tokens.push((Token::Text(text), line));
            rest = after;
        } else {
            let symbol = SYMBOLS.iter().find(|it| rest.starts_with(**it));
            let symbol = symbol.ok_or_else(|| error(&format!("unexpected `{first}`")))?;
            tokens.push((Token::Symbol(symbol), line));
            rest = rest.get(symbol.len()..).unwrap_or_default();
        }
    }
}

/// A number in C's notation.
fn number(text: &str) -> Option<i128> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if lower.len() > 1 && lower.starts_with('0') => (lower.get(1..)?, 8),
        None => (lower.as_str(), 10),
    };
    let digits = digits.trim_end_matches(['u', 'l']);
    match digits {
        // A suffix follows the zero.
        "" if radix == 8 => Some(0),
        _ => i128::from_str_radix(digits, radix).ok(),
    }
}

/// The text in quotation marks at the start, and what follows it.
fn quoted(text: &str, mark: char) -> Option<(String, &str)> {
    let mut letters = text.char_indices().skip(1).peekable();
    let mut value = String::new();
    while let Some((place, letter)) = letters.next() {
        match letter {
            _ if letter == mark => return Some((value, text.get(place + letter.len_utf8()..)?)),
            '\\' => {
                let (_, escaped) = letters.next()?;
                value.push(match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '0' => '\0',
                    other => other,
                });
            }
            _ => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_lines() {
        let text = "/* CTF 1.8 */\na := 0x1F; // b\n_c[010u] \"x\\\"y\" -1 ... 0UL";
        let symbol = Token::Symbol;
        let word = |text: &str| Token::Word(text.to_owned());
        let expected = [
            (word("a"), 2),
            (symbol(":="), 2),
            (Token::Number(31), 2),
            (symbol(";"), 2),
            (word("_c"), 3),
            (symbol("["), 3),
            (Token::Number(8), 3),
            (symbol("]"), 3),
            (Token::Text("x\"y".to_owned()), 3),
            (symbol("-"), 3),
            (Token::Number(1), 3),
            (symbol("..."), 3),
            (Token::Number(0), 3),
        ];
        assert_eq!(tokens(text).unwrap(), expected);
        for bad in ["/* no end", "\"no end", "€", "12zz"] {
            assert!(tokens(bad).is_err(), "{bad}");
        }
    }
}
