//! The columns that a line may have, by its own characters alone.

use super::text_column::{self, TextMatch};
use crate::container::digits;
use std::ops::Range;

/// How the columns of a line are separated. The lines of a dump share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    /// Whether values have `0x`.
    pub(super) prefixed: bool,
    /// What separates a number before the values from them.
    pub(super) mark: AddressMark,
    /// The last character of the text before the first column: 0 if there is none, or if a
    /// sign marks the address anyway.
    lead: u8,
}

/// What separates the values from the hex digits before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressMark {
    /// There are no digits, or a character that separates no address.
    None,
    /// White space.
    Blank,
    /// `:`, `=` or `|`.
    Sign(u8),
}

/// The columns of a line in one of its forms.
#[derive(Debug, Clone)]
pub(super) struct Fields<'t, 'w> {
    text: &'t [u8],
    pub(super) form: Form,
    /// The number before the values.
    pub(super) address: Option<Number<'t>>,
    values: &'w [Word],
}

/// Hex digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number<'t> {
    pub(super) digits: &'t [u8],
    pub(super) is_prefixed: bool,
}

/// Letters and digits without another character between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    start: usize,
    /// Where its digits start, after any `0x`.
    digits: usize,
    end: usize,
    is_hex: bool,
}

impl Word {
    fn is_prefixed(self) -> bool {
        self.digits > self.start
    }

    fn digit_count(self) -> usize {
        self.end - self.digits
    }

    fn is_value(self) -> bool {
        self.is_hex && self.digit_count().is_multiple_of(2)
    }

    fn digits(self, text: &[u8]) -> &[u8] {
        text.get(self.digits..self.end).unwrap_or_default()
    }
}

/// Maximum number of words of a line; a longer line is no line of a dump.
const MAX_WORDS: usize = 1 << 22;

/// Splits a line into words. GDB's symbol between an address and its colon is none of them.
pub(super) fn split_words(text: &[u8], words: &mut Vec<Word>) {
    words.clear();
    let symbols_end = memchr::memmem::rfind(text, b">:").unwrap_or_default();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let after_number = || words.last().is_some_and(|word: &Word| word.is_hex);
        if byte == b'<' && at < symbols_end && after_number() {
            at = symbols_end + 1;
        }
        let rest = text.get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let prefixed = rest.starts_with(b"0x") || rest.starts_with(b"0X");
        let mut word = Word {
            start: at,
            digits: at + if prefixed { 2 } else { 0 },
            end: at + length,
            is_hex: false,
        };
        let digits = word.digits(text);
        word.is_hex = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
        if words.len() == MAX_WORDS {
            words.clear();
            return;
        }
        words.push(word);
        at = word.end;
    }
}

/// All forms in which a line with these words has values.
pub(super) fn all<'t, 'w>(
    text: &'t [u8],
    words: &'w [Word],
) -> impl Iterator<Item = Fields<'t, 'w>> {
    runs(text, words).flat_map(move |run| {
        // The first of several equal words may be an address.
        let rest = run.start + 1..run.end;
        let digits = |index: usize| words.get(index).map(|word| word.digit_count());
        let is_equal = !rest.is_empty() && digits(run.start) == digits(rest.start);
        let without_first = Some(rest).filter(|_| is_equal);
        let fields = move |run| fields_of(text, words, run);
        [fields(run), without_first.and_then(fields)]
            .into_iter()
            .flatten()
    })
}

/// The columns of a line with these words in a given form; the longest if there are several.
pub(super) fn in_form<'t, 'w>(
    text: &'t [u8],
    words: &'w [Word],
    form: Form,
) -> Option<Fields<'t, 'w>> {
    let matching = all(text, words).filter(|fields| fields.form == form);
    matching.reduce(|best, next| match next.byte_count() > best.byte_count() {
        true => next,
        false => best,
    })
}

/// The number that alone makes up a line.
pub(super) fn lone_number<'t>(text: &'t [u8], words: &[Word]) -> Option<Number<'t>> {
    let [word] = words else { return None };
    let whole = word.start == 0 && word.end == text.len() && word.is_hex;
    whole.then(|| Number {
        digits: word.digits(text),
        is_prefixed: word.is_prefixed(),
    })
}

/// How many words could be values of `digits` digits.
pub(super) fn value_count(words: &[Word], digits: usize) -> usize {
    let equal = |word: &&Word| word.is_hex && word.digit_count() == digits;
    words.iter().filter(equal).count()
}

/// The longest sequences of values that nothing but blanks and commas separates.
fn runs(text: &[u8], words: &[Word]) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let start = next;
            let first = *words.get(start)?;
            next += 1;
            if !first.is_value() || !may_start(text, first) {
                continue;
            }
            let follows = |end: usize| {
                let previous = words.get(end - 1)?;
                let word = words.get(end)?;
                let between = text.get(previous.end..word.start)?;
                let separated = between.iter().all(|byte| is_blank(*byte) || *byte == b',');
                let like = word.is_value() && word.is_prefixed() == first.is_prefixed();
                (separated && like).then(|| word.digit_count())
            };
            let mut end = start + 1;
            while follows(end) == Some(first.digit_count()) {
                end += 1;
            }
            next = end;
            // The last group of a line may be shorter.
            let is_shorter = |digits: usize| digits < first.digit_count();
            let gap = |end: usize| {
                let previous = words.get(end - 1)?;
                words.get(end).map(|word| word.start - previous.end)
            };
            let is_last = follows(end + 1).is_none() || gap(end + 1) > gap(end);
            if !first.is_prefixed() && follows(end).is_some_and(is_shorter) && is_last {
                end += 1;
            }
            while end > start && !words.get(end - 1).is_some_and(|last| may_end(text, *last)) {
                end -= 1;
            }
            if end > start {
                return Some(start..end);
            }
        }
    })
}

fn fields_of<'t, 'w>(
    text: &'t [u8],
    words: &'w [Word],
    run: Range<usize>,
) -> Option<Fields<'t, 'w>> {
    let values = words.get(run.clone())?;
    let first = values.first()?;
    let previous = run.start.checked_sub(1).and_then(|index| words.get(index));
    let number = previous.filter(|word| word.is_hex);
    let mark = number.map_or(AddressMark::None, |number| {
        mark(text.get(number.end..first.start).unwrap_or_default())
    });
    let start = match (mark, number) {
        (AddressMark::Blank, Some(number)) => number.start,
        _ => first.start,
    };
    let before = text.get(..start).unwrap_or_default().trim_ascii_end();
    let lead = match (mark, before.last()) {
        // A declaration in C.
        (AddressMark::Sign(_), _) | (_, None | Some(b'{')) => 0,
        (_, Some(last)) => *last,
    };
    let values = &values[..cut_off_text(text, values)];
    Some(Fields {
        text,
        form: Form {
            prefixed: first.is_prefixed(),
            mark,
            lead,
        },
        address: number
            .filter(|_| mark != AddressMark::None)
            .map(|number| Number {
                digits: number.digits(text),
                is_prefixed: number.is_prefixed(),
            }),
        values,
    })
}

/// The number of values before those that are the text of the others: letters and digits.
fn cut_off_text(text: &[u8], values: &[Word]) -> usize {
    let mut bytes = 0;
    let is_text = |(index, word): (usize, &Word)| {
        let shown = text.get(word.start..).unwrap_or_default();
        let begins = index > 0 && shown.len() == bytes;
        bytes += word.digit_count() / 2;
        begins.then_some(index)
    };
    let Some(cut) = values.iter().enumerate().find_map(is_text) else {
        return values.len();
    };
    let (before, after) = values.split_at(cut);
    let is_shown = after
        .first()
        .is_some_and(|word| shown(text, before, word.start).any());
    if is_shown { cut } else { values.len() }
}

/// Compares the text from `start` on with the bytes of values.
fn shown(text: &[u8], values: &[Word], start: usize) -> TextMatch {
    let width = values.first().map_or(1, |word| word.digit_count() / 2);
    let shown = text.get(start..).unwrap_or_default();
    text_column::matches(shown, &bytes(text, values), width)
}

fn bytes(text: &[u8], values: &[Word]) -> Vec<u8> {
    let digits = values.iter().map(|value| value.digits(text));
    let mut bytes = Vec::new();
    for digits in digits {
        // They are pairs of digits.
        let _ = digits::parse_bytes(digits, 1, &mut bytes);
    }
    bytes
}

impl<'t> Fields<'t, '_> {
    /// The number of values.
    pub(super) fn count(&self) -> usize {
        self.values.len()
    }

    /// The number of bytes of all values.
    pub(super) fn byte_count(&self) -> usize {
        self.values.iter().map(|word| word.digit_count() / 2).sum()
    }

    /// The number of digits of a value.
    pub(super) fn digit_count(&self) -> usize {
        self.values.first().map_or(0, |word| word.digit_count())
    }

    /// Skips what starts `offset` characters after the first value, or later.
    pub(super) fn truncate_at(&mut self, offset: usize) {
        let end = self.start() + offset;
        let inside = self.values.iter().take_while(|word| word.end <= end);
        self.values = &self.values[..inside.count()];
    }

    /// The bytes of the values in the order of their digits.
    pub(super) fn bytes(&self) -> Vec<u8> {
        bytes(self.text, self.values)
    }

    /// The number of bytes of a last value with fewer digits than the others.
    pub(super) fn tail(&self) -> usize {
        let last = self.values.last().map_or(0, |word| word.digit_count());
        if last == self.digit_count() {
            0
        } else {
            last / 2
        }
    }

    /// The text from `offset` characters after the first value on.
    pub(super) fn text_at(&self, offset: usize) -> &'t [u8] {
        self.text.get(self.start() + offset..).unwrap_or_default()
    }

    /// Where letters, digits or other characters follow the values: their distance from the
    /// first value.
    pub(super) fn text_offset(&self) -> Option<usize> {
        let end = self.values.last()?.end;
        let rest = self.text.get(end..)?;
        let is_text = |byte: &u8| !is_blank(*byte) && !CLOSING.contains(byte);
        let shown = rest.iter().position(|byte| !is_blank(*byte))?;
        rest.iter().any(is_text).then(|| end + shown - self.start())
    }

    /// Where the values end: the distance from the start of the first one.
    pub(super) fn end_offset(&self) -> Option<usize> {
        Some(self.values.last()?.end - self.start())
    }

    /// Whether text after the values shows them.
    pub(super) fn shows_text(&self) -> bool {
        self.text_offset()
            .is_some_and(|offset| self.shown_at(offset).any())
    }

    /// Compares the text from `offset` characters after the first value on with the values.
    pub(super) fn shown_at(&self, offset: usize) -> TextMatch {
        shown(self.text, self.values, self.start() + offset)
    }

    fn start(&self) -> usize {
        self.values.first().map_or(0, |word| word.start)
    }
}

/// What may close a list of values.
const CLOSING: &[u8] = b",;})]\"'";

fn mark(between: &[u8]) -> AddressMark {
    let between = between.trim_ascii();
    match between {
        [] => AddressMark::Blank,
        [b'<', .., b'>', sign @ b':']
        | [sign @ (b':' | b'=' | b'|')]
        // Trace32 points at an address.
        | [sign @ b'|', b'>'] => AddressMark::Sign(*sign),
        _ => AddressMark::None,
    }
}

fn may_start(text: &[u8], word: Word) -> bool {
    let before = word.start.checked_sub(1).and_then(|at| text.get(at));
    before.is_none_or(|byte| is_blank(*byte) || b":|>,{=([@#\"'".contains(byte))
}

fn may_end(text: &[u8], word: Word) -> bool {
    let after = text.get(word.end);
    after.is_none_or(|byte| is_blank(*byte) || CLOSING.contains(byte) || b"|>".contains(byte))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}
