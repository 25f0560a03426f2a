//! Identifier codes of signals.

/// Characters that no reader confuses with the start of another token, such as a
/// time, a value or a keyword.
const CODE_CHARS: &[u8] = b"ACDEFGIJKMNOPQTVWYacdefgijkmnopqtvwy!\"%&'()*+,./:;<=>?@[\\]^_`{|}~";
/// Enough for any 32-bit number.
const MAX_CODE_LEN: usize = 6;

/// A code; smaller numbers have shorter codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct IdCode {
    letters: [u8; MAX_CODE_LEN],
    length: u8,
}

impl IdCode {
    pub(super) fn new(number: u32) -> Self {
        let mut code = Self {
            letters: [0; MAX_CODE_LEN],
            length: 0,
        };
        let mut rest = number as usize;
        for place in &mut code.letters {
            *place = CODE_CHARS
                .get(rest % CODE_CHARS.len())
                .copied()
                .unwrap_or(b'!');
            code.length += 1;
            rest /= CODE_CHARS.len();
            // Without leading zeros, a code would be ambiguous.
            match rest.checked_sub(1) {
                Some(next) => rest = next,
                None => break,
            }
        }
        code
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.letters
            .get(..self.length.into())
            .unwrap_or(&self.letters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_short_and_distinct() {
        let count = CODE_CHARS.len() as u32;
        let codes = (0..count * (count + 2)).chain(u32::MAX - 9..=u32::MAX);
        let codes: Vec<_> = codes.map(IdCode::new).collect();
        let distinct: HashSet<_> = codes.iter().map(IdCode::as_bytes).collect();
        assert_eq!(distinct.len(), codes.len());
        assert_eq!(IdCode::new(count - 1).as_bytes().len(), 1);
        assert_eq!(IdCode::new(count).as_bytes().len(), 2);
        assert_eq!(
            CODE_CHARS.iter().collect::<HashSet<_>>().len(),
            CODE_CHARS.len()
        );
    }

    #[test]
    fn codes_are_unambiguous() {
        for letter in CODE_CHARS {
            assert!(letter.is_ascii_graphic());
            assert!(!b"#$-01xXzZbBrRsSuUlLhH".contains(letter));
        }
    }
}
