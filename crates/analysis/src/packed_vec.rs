//! A vector that takes few bits for each item.

use std::iter::FusedIterator;
use std::ops::Range;
use std::sync::Arc;

/// An item of a [`PackedVec`].
pub trait Pack: Copy {
    /// Number of columns in use, at most [`MAX_COLUMNS`].
    const COLUMNS: usize;

    /// The item as numbers. Columns whose numbers differ little from one item to
    /// the next, other than 0, take few bits: an end is better a duration.
    fn pack(&self) -> Columns;

    /// The item of these numbers.
    fn unpack(columns: Columns) -> Self;
}

/// Maximum number of columns of an item.
pub const MAX_COLUMNS: usize = 8;

/// The numbers of an item.
pub type Columns = [u64; MAX_COLUMNS];

/// The columns of an item from its first ones.
pub(crate) fn columns<const N: usize>(first: [u64; N]) -> Columns {
    std::array::from_fn(|column| first.get(column).copied().unwrap_or(0))
}

/// The number of an id in a column: that of an unknown one, which has the
/// greatest value, is 0.
pub(crate) const fn pack_id(id: u32) -> u64 {
    id.wrapping_add(1) as u64
}

/// The id of its number in a column.
pub(crate) const fn unpack_id(column: u64) -> u32 {
    (column as u32).wrapping_sub(1)
}

/// Items that a trace can have as many of as events. All but the last ones are in
/// blocks, which store of each column the distance from its minimum, in as many bits
/// as its greatest distance takes; 0 is not part of the minimum. Any item is found
/// without the others.
///
/// Clones share the blocks.
#[derive(Clone)]
pub struct PackedVec<T> {
    blocks: Vec<Block>,
    /// The last items, at least [`BLOCK_LEN`] if there are blocks, unless items
    /// were removed: what is changed is mostly among them.
    tail: Vec<T>,
}

/// Number of items of a block.
const BLOCK_LEN: usize = 128;

/// The words of [`BLOCK_LEN`] items: for each column its base, the widths in bits of the
/// columns, a byte each, the width of a row, and the rows, with a word more, so that every
/// number takes two words at most.
type Block = Arc<[u64]>;

impl<T> PackedVec<T> {
    /// Creates an empty vector.
    pub const fn new() -> Self {
        Self {
            blocks: Vec::new(),
            tail: Vec::new(),
        }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.packed_len() + self.tail.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn packed_len(&self) -> usize {
        self.blocks.len() * BLOCK_LEN
    }
}

impl<T: Pack> PackedVec<T> {
    /// Adds an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.tail.len() == 2 * BLOCK_LEN {
            self.pack_first();
        }
        self.tail.push(item);
    }

    #[cold]
    fn pack_first(&mut self) {
        self.blocks.push(pack_block(&self.tail[..BLOCK_LEN]));
        self.tail.drain(..BLOCK_LEN);
    }

    /// Unpacks the last block if no item is outside the blocks.
    fn unpack_last(&mut self) {
        if self.tail.is_empty()
            && let Some(block) = self.blocks.pop()
        {
            self.tail
                .extend((0..BLOCK_LEN).map(|row| unpack_row::<T>(&block, row)));
        }
    }

    /// Removes the last item.
    pub fn pop(&mut self) -> Option<T> {
        self.unpack_last();
        self.tail.pop()
    }

    /// The last item.
    #[inline]
    pub fn last(&self) -> Option<T> {
        let last = self.tail.last().copied();
        last.or_else(|| self.get(self.len().checked_sub(1)?))
    }

    /// The last item, to change it.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.unpack_last();
        self.tail.last_mut()
    }

    /// The `index`-th item.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        match self.blocks.get(index / BLOCK_LEN) {
            Some(block) => Some(unpack_row(block, index % BLOCK_LEN)),
            None => self.tail.get(index - self.packed_len()).copied(),
        }
    }

    /// The first column of the `index`-th item.
    #[inline]
    pub(crate) fn first_column(&self, index: usize) -> Option<u64> {
        let Some(block) = self.blocks.get(index / BLOCK_LEN) else {
            let item = self.tail.get(index - self.packed_len())?;
            return Some(item.pack()[0]);
        };
        let rows = Rows::new::<T>(block);
        Some(rows.column(0, index % BLOCK_LEN * rows.row_width))
    }

    /// Changes the `index`-th item, if it exists. An item long before the last ones takes
    /// the time of a whole block.
    pub fn update<R>(&mut self, index: usize, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.update_block(index / BLOCK_LEN, |items| {
            items.get_mut(index % BLOCK_LEN).map(change)
        })
    }

    /// Changes the items with these indices, which increase.
    pub fn update_all(&mut self, indices: &[usize], change: impl Fn(&mut T)) {
        for indices in indices.chunk_by(|one, next| one / BLOCK_LEN == next / BLOCK_LEN) {
            self.update_block(indices[0] / BLOCK_LEN, |items| {
                for index in indices {
                    if let Some(item) = items.get_mut(index % BLOCK_LEN) {
                        change(item);
                    }
                }
            });
        }
    }

    /// Changes the items from number `block * BLOCK_LEN` on.
    fn update_block<R>(&mut self, block: usize, change: impl FnOnce(&mut [T]) -> R) -> R {
        let first = block.saturating_sub(self.blocks.len()) * BLOCK_LEN;
        let Some(block) = self.blocks.get_mut(block) else {
            return change(self.tail.get_mut(first..).unwrap_or_default());
        };
        let mut items: [T; BLOCK_LEN] = std::array::from_fn(|row| unpack_row(block, row));
        let result = change(&mut items);
        *block = pack_block(&items);
        result
    }

    /// All items, in order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.range(0..self.len())
    }

    /// The items with these indices, as far as they exist.
    pub fn range(&self, range: Range<usize>) -> Iter<'_, T> {
        let end = range.end.min(self.len());
        Iter {
            items: self,
            next: range.start.min(end),
            end,
            rows: None,
        }
    }

    /// The items from index `first` on, each with the one after it.
    pub fn with_next(&self, first: usize) -> impl Iterator<Item = (T, Option<T>)> {
        let mut items = self.range(first..self.len());
        let mut next = items.next();
        std::iter::from_fn(move || {
            let item = next?;
            next = items.next();
            Some((item, next))
        })
    }

    /// The [partition point](Self::partition_point), mostly at or soon after `cursor`, which
    /// follows it.
    pub(crate) fn partition_point_after(
        &self,
        cursor: &mut usize,
        fits: impl Fn(&T) -> bool,
    ) -> usize {
        let before = cursor.checked_sub(1).and_then(|before| self.get(before));
        if before.is_some_and(|before| !fits(&before)) {
            return self.partition_point(fits);
        }
        *cursor += self
            .range(*cursor..self.len())
            .take_while(|it| fits(it))
            .count();
        *cursor
    }

    /// Number of first items that fit, if none after another one does.
    pub fn partition_point(&self, fits: impl Fn(&T) -> bool) -> usize {
        let first_fits = |block: &Block| fits(&unpack_row(block, 0));
        let begun = self.blocks.partition_point(first_fits);
        if begun == self.blocks.len() && self.tail.first().is_some_and(&fits) {
            return self.packed_len() + self.tail.partition_point(fits);
        }
        let Some(block) = begun.checked_sub(1).and_then(|last| self.blocks.get(last)) else {
            return 0;
        };
        let (mut low, mut high) = (0, BLOCK_LEN);
        while low + 1 < high {
            let middle = low.midpoint(high);
            match fits(&unpack_row(block, middle)) {
                true => low = middle,
                false => high = middle,
            }
        }
        (begun - 1) * BLOCK_LEN + high
    }
}

fn pack_block<T: Pack>(items: &[T]) -> Block {
    let mut bases = [u64::MAX; MAX_COLUMNS];
    let mut greatest = [0; MAX_COLUMNS];
    for item in items {
        for (column, number) in item.pack().into_iter().enumerate().take(T::COLUMNS) {
            bases[column] = bases[column].min(number.wrapping_sub(1));
            greatest[column] = number.max(greatest[column]);
        }
    }
    let mut widths = [0_u8; MAX_COLUMNS];
    for (column, width) in widths.iter_mut().enumerate() {
        let greatest = greatest[column].saturating_sub(bases[column]);
        *width = (u64::BITS - greatest.leading_zeros()) as u8;
    }
    let row_width: usize = widths.into_iter().map(usize::from).sum();
    let rows = T::COLUMNS + 2;
    let len = rows + items.len() * row_width / 64 + 2;
    let mut words = Vec::with_capacity(len);
    words.extend_from_slice(&bases[..T::COLUMNS]);
    words.extend([u64::from_le_bytes(widths), row_width as u64]);
    words.resize(len, 0);
    let mut at = rows * 64;
    for item in items {
        let columns = item.pack();
        for column in 0..T::COLUMNS {
            let distance = columns[column].saturating_sub(bases[column]);
            let placed = u128::from(distance) << (at % 64);
            words[at / 64] |= placed as u64;
            words[at / 64 + 1] |= (placed >> 64) as u64;
            at += usize::from(widths[column]);
        }
    }
    words.into()
}

#[inline]
fn unpack_row<T: Pack>(block: &[u64], row: usize) -> T {
    Rows::new::<T>(block).unpack(row)
}

/// The rows of a block.
#[derive(Clone)]
struct Rows<'a> {
    bases: [u64; MAX_COLUMNS],
    widths: [u8; MAX_COLUMNS],
    row_width: usize,
    words: &'a [u64],
}

impl<'a> Rows<'a> {
    #[inline]
    fn new<T: Pack>(block: &'a [u64]) -> Self {
        let (bases, rest) = block.split_at(T::COLUMNS);
        let (header, words) = rest.split_at(2);
        Self {
            bases: std::array::from_fn(|column| bases.get(column).copied().unwrap_or(0)),
            widths: header[0].to_le_bytes(),
            row_width: header[1] as usize,
            words,
        }
    }

    /// The 64 bits from a position on.
    #[inline]
    fn bits(&self, at: usize) -> u64 {
        let (low, high) = match self.words.get(at / 64..at / 64 + 2) {
            Some(&[low, high]) => (low, high),
            _ => (0, 0),
        };
        let shift = (at % 64) as u32;
        low >> shift | high << 1 << (63 - shift)
    }

    #[inline]
    fn unpack<T: Pack>(&self, row: usize) -> T {
        let at = row * self.row_width;
        if self.row_width >= 64 {
            return self.unpack_wide(at);
        }
        let mut bits = self.bits(at);
        let mut columns = [0; MAX_COLUMNS];
        for (column, number) in columns.iter_mut().enumerate().take(T::COLUMNS) {
            let width = self.widths[column] & 63;
            *number = self.number(column, bits & ((1 << width) - 1));
            bits >>= width;
        }
        T::unpack(columns)
    }

    /// Unpacks a row of more bits than a word has.
    fn unpack_wide<T: Pack>(&self, mut at: usize) -> T {
        let mut columns = [0; MAX_COLUMNS];
        for (column, number) in columns.iter_mut().enumerate().take(T::COLUMNS) {
            *number = self.column(column, at);
            at += usize::from(self.widths[column]);
        }
        T::unpack(columns)
    }

    /// The number of a column at a position.
    #[inline]
    fn column(&self, column: usize, at: usize) -> u64 {
        let mask = !u64::MAX
            .checked_shl(self.widths[column].into())
            .unwrap_or(0);
        self.number(column, self.bits(at) & mask)
    }

    /// The number with a distance from the base. Without a branch, which would often be
    /// mispredicted: 0 remains 0.
    #[inline]
    fn number(&self, column: usize, distance: u64) -> u64 {
        let is_zero = u64::from(distance == 0);
        distance.wrapping_add(self.bases[column]) & is_zero.wrapping_sub(1)
    }
}

/// Items of a [`PackedVec`], in order.
#[derive(Clone)]
pub struct Iter<'a, T> {
    items: &'a PackedVec<T>,
    next: usize,
    end: usize,
    /// The block of the last returned item.
    rows: Option<Rows<'a>>,
}

impl<T: Pack> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        self.next += 1;
        let Some(block) = self.items.blocks.get(index / BLOCK_LEN) else {
            return self.items.get(index);
        };
        let row = index % BLOCK_LEN;
        if row == 0 || self.rows.is_none() {
            self.rows = Some(Rows::new::<T>(block));
        }
        self.rows.as_ref().map(|rows| rows.unpack(row))
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<T> {
        let next = self.next.saturating_add(skipped);
        if skipped > 0 {
            self.rows = None;
        }
        self.next = next.min(self.end);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.next;
        (left, Some(left))
    }
}

impl<T: Pack> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<T> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        self.items.get(self.end)
    }
}

impl<T: Pack> ExactSizeIterator for Iter<'_, T> {}
impl<T: Pack> FusedIterator for Iter<'_, T> {}

impl<'a, T: Pack> IntoIterator for &'a PackedVec<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Pack> Extend<T> for PackedVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }
}

impl<T: Pack> FromIterator<T> for PackedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut all = Self::new();
        all.extend(items);
        all
    }
}

impl<T> Default for PackedVec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Pack + PartialEq> PartialEq for PackedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<T: Pack + Eq> Eq for PackedVec<T> {}

impl<T: Pack + std::fmt::Debug> std::fmt::Debug for PackedVec<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Pack for [u64; 3] {
        const COLUMNS: usize = 3;

        fn pack(&self) -> Columns {
            columns(*self)
        }

        fn unpack([a, b, c, ..]: Columns) -> Self {
            [a, b, c]
        }
    }

    /// Items whose numbers have all widths up to one, with zeros among them.
    fn items(width: u32, len: Range<usize>) -> impl Strategy<Value = Vec<[u64; 3]>> {
        let number = (any::<u64>(), u64::BITS - width..=u64::BITS);
        let number = number.prop_map(|(bits, shift)| bits.checked_shr(shift).unwrap_or(0));
        let item = (number.clone(), number, 0..3_u64).prop_map(|(a, b, c)| [a, b, c]);
        prop::collection::vec(item, len)
    }

    #[derive(Debug, Clone)]
    enum Change {
        Push(Vec<[u64; 3]>),
        Pop(usize),
        Update(prop::sample::Index, [u64; 3]),
    }

    proptest! {
        #[test]
        fn it_holds_what_a_vector_holds(changes in prop::collection::vec(prop_oneof![
            items(64, 0..400).prop_map(Change::Push),
            items(30, 0..400).prop_map(Change::Push),
            (0..300_usize).prop_map(Change::Pop),
            (any::<prop::sample::Index>(), items(64, 1..2))
                .prop_map(|(at, to)| Change::Update(at, to[0])),
        ], 0..12), skipped in 0..300_usize) {
            let mut packed = PackedVec::new();
            let mut plain = Vec::new();
            for change in changes {
                match change {
                    Change::Push(items) => {
                        packed.extend(items.iter().copied());
                        plain.extend(items);
                    }
                    Change::Pop(count) => for _ in 0..count {
                        prop_assert_eq!(packed.pop(), plain.pop());
                    },
                    Change::Update(at, to) if !plain.is_empty() => {
                        let at = at.index(plain.len());
                        packed.update(at, |item| *item = to);
                        plain[at] = to;
                    }
                    Change::Update(..) => {}
                }
                prop_assert_eq!(packed.last(), plain.last().copied());
            }
            prop_assert_eq!(packed.len(), plain.len());
            prop_assert!(packed.iter().eq(plain.iter().copied()));
            prop_assert!(packed.iter().rev().eq(plain.iter().rev().copied()));
            let rest = packed.iter().step_by(skipped + 1);
            prop_assert!(rest.eq(plain.iter().step_by(skipped + 1).copied()));
            prop_assert_eq!(packed.get(plain.len()), None);
            let same: PackedVec<_> = plain.iter().copied().collect();
            prop_assert_eq!(&packed, &same);
        }

        #[test]
        fn it_is_searched_as_a_vector(steps in prop::collection::vec(0..4_u64, 0..700)) {
            let sums = steps.iter().scan(0, |sum, step| { *sum += step; Some([*sum, 0, 0]) });
            let plain: Vec<_> = sums.collect();
            let packed: PackedVec<_> = plain.iter().copied().collect();
            for limit in 0..1_500 {
                let found = packed.partition_point(|[sum, ..]| *sum < limit);
                prop_assert_eq!(found, plain.partition_point(|[sum, ..]| *sum < limit));
            }
        }
    }
}
