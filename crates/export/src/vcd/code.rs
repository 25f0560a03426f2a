//! What stands for a signal where it changes.

/// Characters that no reader takes for the beginning of something else than a
/// code, such as a time, a value or a keyword, wherever it looks for one.
const LETTERS: &[u8] = b"ACDEFGIJKMNOPQTVWYacdefgijkmnopqtvwy!\"%&'()*+,./:;<=>?@[\\]^_`{|}~";
/// As many as any number of 32 bits needs.
const MOST: usize = 6;

/// A code of letters, the shorter the smaller its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Code {
    letters: [u8; MOST],
    length: u8,
}

impl Code {
    pub(super) fn of(number: u32) -> Self {
        let mut code = Self {
            letters: [0; MOST],
            length: 0,
        };
        let mut rest = number as usize;
        for place in &mut code.letters {
            *place = LETTERS.get(rest % LETTERS.len()).copied().unwrap_or(b'!');
            code.length += 1;
            rest /= LETTERS.len();
            // Without leading zeros a code would stand for several numbers.
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
        let count = LETTERS.len() as u32;
        let codes = (0..count * (count + 2)).chain(u32::MAX - 9..=u32::MAX);
        let codes: Vec<_> = codes.map(Code::of).collect();
        let distinct: HashSet<_> = codes.iter().map(Code::as_bytes).collect();
        assert_eq!(distinct.len(), codes.len());
        assert_eq!(Code::of(count - 1).as_bytes().len(), 1);
        assert_eq!(Code::of(count).as_bytes().len(), 2);
        assert_eq!(LETTERS.iter().collect::<HashSet<_>>().len(), LETTERS.len());
    }

    #[test]
    fn codes_look_like_nothing_else() {
        for letter in LETTERS {
            assert!(letter.is_ascii_graphic());
            assert!(!b"#$-01xXzZbBrRsSuUlLhH".contains(letter));
        }
    }
}
