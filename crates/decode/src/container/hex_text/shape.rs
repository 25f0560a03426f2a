//! The columns that the lines of a dump share.

use super::block_address;
use super::fields::{self, AddressMark, Fields, Form, Number, Word};
use std::collections::BTreeMap;

/// The columns of a dump.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) form: Form,
    /// The radix of the addresses before the values; `None` if there are none.
    pub(super) radix: Option<u32>,
    /// Whether addresses count words rather than bytes.
    pub(super) counts_words: bool,
    /// Whether `@` addresses are unusable, because it is unknown what they count.
    pub(super) ignores_blocks: bool,
    /// What most lines are like.
    pub(super) usual: Group,
    /// Whether nearly all lines are like that.
    pub(super) is_regular: bool,
    /// The column after the values.
    pub(super) text: Option<TextColumn>,
}

/// A column that shows the values as text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextColumn {
    /// Its distance from the first value.
    pub(super) offset: usize,
    /// Whether it is a comment instead.
    pub(super) is_comment: bool,
}

/// Lines with equally many values of equal width.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    /// The number of values.
    pub(super) count: usize,
    /// The digits of a value.
    pub(super) digits: usize,
}

impl Group {
    /// Whether the values may be words rather than bytes in order.
    pub(super) fn is_of_words(self) -> bool {
        matches!(self.digits, 4 | 8 | 16)
    }
}

/// Radices of addresses, the most frequent first.
const RADICES: [u32; 3] = [16, 8, 10];
/// Digits of an address that is recognised without others that continue it.
const MIN_ADDRESS_DIGITS: usize = 6;
/// `od` without `-Ax` prints addresses of 7 octal or decimal digits.
const FOREIGN_ADDRESS_DIGITS: usize = 7;
/// This many addresses that do not continue one another are something else.
const MAX_UNRELATED: u64 = 4;
/// Maximum number of different groups and forms to count.
const MAX_KINDS: usize = 1 << 10;

/// Finds the shape of most bytes in lines.
#[derive(Default)]
pub(super) struct ShapeFinder {
    forms: BTreeMap<Form, FormStats>,
    block: Block,
    words: Vec<Word>,
}

/// The last `@` address.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Block {
    number: u64,
    address: u64,
}

#[derive(Default)]
struct FormStats {
    lines: u64,
    bytes: u64,
    /// Lines that end with their values as text.
    shown_lines: u64,
    /// The address of the previous line, in each radix, with its bytes and values.
    previous: Option<([Option<u64>; 3], u64, u64)>,
    /// Pairs of consecutive addresses, and how many of them continue each other, counted in
    /// bytes and in words.
    pairs: u64,
    in_bytes: [u64; 3],
    in_words: [u64; 3],
    has_prefix: bool,
    min_digits: Option<usize>,
    max_digits: usize,
    highest: u64,
    blocks: BlockStats,
    groups: BTreeMap<Group, GroupStats>,
}

/// The steps between `@` addresses.
#[derive(Default)]
struct BlockStats {
    current: Block,
    bytes: u64,
    values: u64,
    in_bytes: u64,
    in_words: u64,
    unclear: u64,
}

#[derive(Default, Clone, Copy)]
struct GroupStats {
    lines: u64,
    text_lines: u64,
    /// Text that starts a comment.
    comments: u64,
    text_offset: Option<usize>,
}

impl ShapeFinder {
    pub(super) fn add(&mut self, text: &[u8]) {
        if let Some(address) = block_address(text) {
            self.block.number += 1;
            self.block.address = address;
            return;
        }
        if text == b"*" {
            // What follows does not continue what precedes.
            let all = self.forms.values_mut();
            all.for_each(|stats| stats.previous = None);
            return;
        }
        fields::split_words(text, &mut self.words);
        // The text at the end may look like values of the same form, which are fewer.
        let mut longest = BTreeMap::<Form, Fields<'_, '_>>::new();
        for fields in fields::all(text, &self.words) {
            let known = longest.get(&fields.form);
            if known.is_none_or(|known| fields.byte_count() > known.byte_count()) {
                longest.insert(fields.form, fields);
            }
        }
        for (form, fields) in longest {
            if self.forms.len() < MAX_KINDS || self.forms.contains_key(&form) {
                let stats = self.forms.entry(form).or_default();
                stats.add(&fields, self.block);
            }
        }
    }

    /// The shape with most bytes, preferably one whose addresses continue each
    /// other, or whose text shows its values.
    pub(super) fn finish(mut self) -> Result<Option<Shape>, String> {
        let best = self.forms.iter().max_by_key(|(form, stats)| {
            let sign = matches!(form.mark, AddressMark::Sign(_));
            let proofs = u8::from(stats.continues()) + u8::from(stats.shows_text());
            (proofs, stats.bytes, sign, stats.lines)
        });
        let Some(form) = best.map(|(form, _)| *form) else {
            return Ok(None);
        };
        let stats = self.forms.remove(&form).unwrap_or_default();
        stats.shape(form).map(Some)
    }
}

impl FormStats {
    fn add(&mut self, fields: &Fields<'_, '_>, block: Block) {
        let (bytes, values) = (fields.byte_count() as u64, fields.count() as u64);
        self.lines += 1;
        self.bytes += bytes;
        if let Some(number) = fields.address {
            self.add_address(number, bytes, values);
        }
        self.blocks.add(block, bytes, values);
        self.shown_lines += u64::from(fields.shows_text());
        let group = Group {
            count: fields.count(),
            digits: fields.digit_count(),
        };
        if self.groups.len() < MAX_KINDS || self.groups.contains_key(&group) {
            self.groups.entry(group).or_default().add(fields);
        }
    }

    fn add_address(&mut self, number: Number<'_>, bytes: u64, values: u64) {
        let digits = number.digits.len();
        self.has_prefix |= number.is_prefixed;
        self.min_digits = Some(self.min_digits.map_or(digits, |least| least.min(digits)));
        self.max_digits = self.max_digits.max(digits);
        let addresses = RADICES.map(|radix| number.value(radix));
        self.highest = self.highest.max(number.value(16).unwrap_or(u64::MAX));
        if let Some((before, bytes, values)) = self.previous {
            self.pairs += 1;
            for (index, (before, after)) in std::iter::zip(before, addresses).enumerate() {
                let step = after
                    .zip(before)
                    .and_then(|(after, before)| after.checked_sub(before));
                self.in_bytes[index] += u64::from(step == Some(bytes));
                self.in_words[index] += u64::from(step == Some(values) && values != bytes);
            }
        }
        self.previous = Some((addresses, bytes, values));
    }

    /// Whether most numbers before the values continue each other, and not by chance.
    fn continues(&self) -> bool {
        let best = self.in_bytes.iter().chain(&self.in_words).max();
        let least = match self.min_digits {
            None | Some(0..=3) => return false,
            Some(4..=5) => 2,
            Some(_) => 1,
        };
        best.is_some_and(|best| *best >= least && best * 2 >= self.pairs)
    }

    /// Whether most lines show their values as text, too.
    fn shows_text(&self) -> bool {
        self.shown_lines > 0 && self.shown_lines * 2 >= self.lines
    }

    fn shape(self, form: Form) -> Result<Shape, String> {
        let usual = self
            .groups
            .iter()
            .max_by_key(|(group, stats)| (stats.lines, group.count, group.digits));
        let (usual, of_usual) =
            usual.map_or_else(Default::default, |(group, stats)| (*group, *stats));
        let radix = self.radix(form)?;
        let best = radix.and_then(|radix| RADICES.iter().position(|each| *each == radix));
        let of_words = |index: usize| self.in_words[index] > self.in_bytes[index];
        let blocks = &self.blocks;
        let in_blocks = radix.is_none() && blocks.in_words > blocks.in_bytes;
        let is_unclear = radix.is_none()
            && usual.is_of_words()
            && blocks.current.number > 0
            && blocks.in_words + blocks.in_bytes == 0;
        if is_unclear && blocks.unclear > 0 {
            return Err("the addresses after @ may count bytes or words".to_owned());
        }
        Ok(Shape {
            form,
            radix,
            counts_words: best.is_some_and(of_words) || in_blocks,
            ignores_blocks: is_unclear,
            usual,
            is_regular: of_usual.lines * 4 >= self.lines * 3,
            text: of_usual.text(),
        })
    }

    /// The radix of the numbers before the values, if they are addresses.
    fn radix(&self, form: Form) -> Result<Option<u32>, String> {
        if form.mark == AddressMark::None {
            return Ok(None);
        }
        let votes = |index: usize| self.in_bytes[index].max(self.in_words[index]);
        let best = (1..RADICES.len()).fold(0, |best, next| match votes(next) > votes(best) {
            true => next,
            false => best,
        });
        let is_long = self
            .min_digits
            .is_some_and(|digits| digits >= MIN_ADDRESS_DIGITS);
        let unrelated = votes(best) == 0 && self.pairs >= MAX_UNRELATED;
        if self.has_prefix {
            return Ok(Some(16));
        }
        if self.continues() || (is_long && !unrelated) {
            let is_foreign = self.max_digits == FOREIGN_ADDRESS_DIGITS && self.highest > 0;
            if is_foreign && votes(best) == 0 {
                return Err(format!(
                    "its address has {FOREIGN_ADDRESS_DIGITS} digits and may be octal or \
                     decimal, expected hex digits as in the output of od -Ax"
                ));
            }
            return Ok(RADICES.get(best).copied());
        }
        match form.mark {
            AddressMark::Blank => {
                Err("the numbers before the values are neither addresses nor values".to_owned())
            }
            _ => Ok(None),
        }
    }
}

impl BlockStats {
    fn add(&mut self, block: Block, bytes: u64, values: u64) {
        if block != self.current {
            if self.current.number > 0 {
                match block.address.checked_sub(self.current.address) {
                    Some(step) if step == self.bytes => self.in_bytes += 1,
                    Some(step) if step >= self.values && step < self.bytes => self.in_words += 1,
                    _ => self.unclear += 1,
                }
            }
            *self = Self {
                current: block,
                bytes: 0,
                values: 0,
                ..*self
            };
        }
        self.bytes += bytes;
        self.values += values;
    }
}

impl GroupStats {
    fn add(&mut self, fields: &Fields<'_, '_>) {
        self.lines += 1;
        let Some(offset) = fields.text_offset() else {
            return;
        };
        self.text_lines += 1;
        self.comments += u64::from(matches!(fields.text_at(offset), [b'/' | b';' | b'#', ..]));
        self.text_offset = Some(self.text_offset.map_or(offset, |least| least.min(offset)));
    }

    fn text(&self) -> Option<TextColumn> {
        let is_column = self.text_lines * 2 > self.lines;
        self.text_offset
            .filter(|_| is_column)
            .map(|offset| TextColumn {
                offset,
                is_comment: self.comments == self.text_lines,
            })
    }
}

impl Number<'_> {
    /// Its value in a radix.
    pub(super) fn value(&self, radix: u32) -> Option<u64> {
        let text = std::str::from_utf8(self.digits).ok()?;
        u64::from_str_radix(text, radix).ok()
    }
}
