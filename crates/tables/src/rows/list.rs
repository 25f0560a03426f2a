//! Rows that a list of the trace or of its schedule has.

use super::Content;
use super::field::{Field, Get, Row};
use super::gathered::{Gathered, quantities};
use super::key::Key;
use super::lexicon::{Lexicon, Recent};
use crate::scene::Scene;
use crate::{Data, Values};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// Where rows come from.
pub(super) trait List: Send + Sync {
    /// What a row is.
    type Row: Row;

    /// How many there are.
    fn len(&self) -> usize;

    /// Calls `see` with each of some rows, in order.
    fn visit(&self, rows: Range<usize>, see: impl FnMut(&Self::Row));
}

/// A list as a table.
pub(super) struct Listed<'a, L> {
    scene: Scene<'a>,
    list: L,
    /// Of each column, once it is wanted.
    lexicons: Vec<OnceLock<Lexicon>>,
}

/// The rows of a list.
pub(super) fn listed<'a, L: List + 'a>(scene: Scene<'a>, list: L) -> Box<dyn Content<'a> + 'a> {
    let columns = L::Row::fields();
    Box::new(Listed {
        scene,
        list,
        lexicons: columns.iter().map(|_| OnceLock::new()).collect(),
    })
}

impl<'a, L: List> Content<'a> for Listed<'a, L> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn values(&self, column: usize, rows: Range<usize>) -> Values<'a> {
        let Some(field) = L::Row::fields().into_iter().nth(column) else {
            return Data::Bool(Vec::new()).into();
        };
        match field {
            Field::Bool(get) => self.gather(rows, get, Data::Bool),
            Field::U8(get) => self.gather(rows, get, |all| Data::U8(Cow::Owned(all))),
            Field::U16(get) => self.gather(rows, get, |all| Data::U16(Cow::Owned(all))),
            Field::U32(get) => self.gather(rows, get, |all| Data::U32(Cow::Owned(all))),
            Field::U64(get) => self.gather(rows, get, |all| Data::U64(Cow::Owned(all))),
            Field::I64(get) => self.gather(rows, get, |all| Data::I64(Cow::Owned(all))),
            Field::Quantity(get) => self.gather(rows, get, quantities),
            Field::F64(get) => self.gather(rows, get, |all| Data::F64(Cow::Owned(all))),
            Field::Word(get) => self.words(column, rows, get),
            Field::Text(get) => self.gather(rows, get, |all| Data::Text(all.iter().collect())),
        }
    }
}

impl<'a, L: List> Listed<'a, L> {
    fn gather<V: Default>(
        &self,
        rows: Range<usize>,
        get: Get<L::Row, V>,
        data: impl FnOnce(Vec<V>) -> Data<'a>,
    ) -> Values<'a> {
        let mut column = Gathered::new(rows.len());
        self.list
            .visit(rows, |row| column.push(get(&self.scene, row)));
        column.finish(data)
    }

    fn words(&self, column: usize, rows: Range<usize>, get: Get<L::Row, Key>) -> Values<'a> {
        let make = || {
            Lexicon::new(&self.scene, |meet| {
                self.list.visit(0..self.list.len(), |row| {
                    if let Some(key) = get(&self.scene, row) {
                        meet(key);
                    }
                });
            })
        };
        let mut column_values = Gathered::new(rows.len());
        let Some(lexicon) = self.lexicons.get(column).map(|once| once.get_or_init(make)) else {
            return Data::Bool(Vec::new()).into();
        };
        let mut recent = Recent::new();
        self.list.visit(rows, |row| {
            let key = get(&self.scene, row);
            column_values.push(key.map(|key| lexicon.code(key, &mut recent)));
        });
        column_values.finish(|codes| Data::Word {
            words: lexicon.words.clone(),
            codes,
        })
    }
}

/// Rows that lie in a slice.
pub(super) struct Flat<'a, T, M> {
    pub(super) all: &'a [T],
    /// Makes a row of a thing and its place.
    pub(super) row: M,
}

impl<'a, T: Sync, R: Row, M: Fn(usize, &'a T) -> R + Send + Sync> List for Flat<'a, T, M> {
    type Row = R;

    fn len(&self) -> usize {
        self.all.len()
    }

    fn visit(&self, rows: Range<usize>, mut see: impl FnMut(&R)) {
        let things = self.all.get(rows.clone()).unwrap_or_default();
        for (place, thing) in rows.zip(things) {
            see(&(self.row)(place, thing));
        }
    }
}

/// Rows that were made before.
pub(super) struct Made<R>(pub(super) Vec<R>);

impl<R: Row + Send + Sync> List for Made<R> {
    type Row = R;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn visit(&self, rows: Range<usize>, see: impl FnMut(&R)) {
        self.0.get(rows).unwrap_or_default().iter().for_each(see);
    }
}

/// Rows that lie in several lists, one behind the other.
pub(super) struct Nested<M> {
    /// How many rows there are up to the end of each list.
    ends: Vec<usize>,
    /// Makes a row of the place of its list and its place in that.
    row: M,
}

impl<M> Nested<M> {
    /// Of lists that are so long.
    pub(super) fn new(lengths: impl Iterator<Item = usize>, row: M) -> Self {
        let ends = lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        Self {
            ends: ends.collect(),
            row,
        }
    }
}

impl<R: Row, M: Fn(usize, usize) -> Option<R> + Send + Sync> List for Nested<M> {
    type Row = R;

    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    fn visit(&self, rows: Range<usize>, mut see: impl FnMut(&R)) {
        let first = self.ends.partition_point(|end| *end <= rows.start);
        let mut begin = match first.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or_default(),
            None => 0,
        };
        let mut at = rows.start;
        for (list, end) in self.ends.iter().enumerate().skip(first) {
            let stop = rows.end.min(*end);
            for inner in at - begin..stop - begin {
                if let Some(row) = (self.row)(list, inner) {
                    see(&row);
                }
            }
            (at, begin) = (stop, *end);
            if stop == rows.end {
                break;
            }
        }
    }
}
