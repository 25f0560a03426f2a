//! The token that requests need if others can reach the server.

use std::hint::black_box;
use std::str::FromStr;

/// Minimum length of a token given by the user.
const MIN_LEN: usize = 16;
const MAX_LEN: usize = 256;

/// A secret of at least 16 letters, digits, `-`, `_`, `.` or `~`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// A token is {MIN_LEN} to {MAX_LEN} letters, digits, `-`, `_`, `.` or `~`
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {MIN_LEN} to {MAX_LEN} letters, digits, -, _, . or ~")]
pub struct InvalidToken;

impl Token {
    /// Generates a token of 128 random bits.
    ///
    /// # Errors
    ///
    /// If the system provides no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{:032x}", u128::from_ne_bytes(bytes))))
    }

    /// Whether a text is the token, compared in constant time.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let difference = pairs.fold(0, |all, (ours, theirs)| black_box(all | (ours ^ theirs)));
        self.0.len() == text.len() && difference == 0
    }

    pub(crate) fn secret(&self) -> &str {
        &self.0
    }
}

impl FromStr for Token {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<Self, InvalidToken> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        if (MIN_LEN..=MAX_LEN).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidToken)
        }
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_matches_only_itself() {
        let token: Token = "0123456789abcdef".parse().unwrap();
        assert!(token.matches("0123456789abcdef"));
        for wrong in [
            "",
            "0123456789abcde",
            "0123456789abcdeg",
            "0123456789abcdef0",
        ] {
            assert!(!token.matches(wrong), "{wrong}");
        }
        assert_eq!(format!("{token:?}"), "Token(…)");
    }

    #[test]
    fn tokens_are_url_safe() {
        for bad in [
            "",
            "short",
            "0123456789abcde/",
            "0123456789 abcdef",
            &"x".repeat(257),
        ] {
            assert_eq!(bad.parse::<Token>(), Err(InvalidToken), "{bad}");
        }
    }

    #[test]
    fn random_tokens_differ() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.secret().len(), 32);
        assert_ne!(one, other);
        assert_eq!(one.secret().parse(), Ok(one.clone()));
    }
}
