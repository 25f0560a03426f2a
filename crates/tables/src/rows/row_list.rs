//! Tables whose rows come from a list in the trace or its schedule.

use super::TableContent;
use super::column_builder::{ColumnBuilder, to_i64_column};
use super::column_getters::{ColumnGetter, Getter, TableRow};
use super::dictionary::{CodeCache, Dictionary};
use super::label::Label;
use crate::row_context::RowContext;
use crate::{ColumnData, ColumnValues};
use rtoscope_analysis::packed_vec::{Pack, PackedVec};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// A source of rows.
pub(super) trait RowList: Send + Sync {
    /// The type of a row.
    type Row: TableRow;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Calls `visit_row` with each row of a range, in order.
    fn visit(&self, rows: Range<usize>, visit_row: impl FnMut(&Self::Row));
}

/// The content of a table whose rows come from a list.
struct ListContent<'a, L> {
    ctx: RowContext<'a>,
    list: L,
    /// By column, built on first use.
    dictionaries: Vec<OnceLock<Dictionary>>,
}

/// The content of a table with the rows of a list.
pub(super) fn list_content<'a, L: RowList + 'a>(
    ctx: RowContext<'a>,
    list: L,
) -> Box<dyn TableContent<'a> + 'a> {
    let columns = L::Row::getters();
    Box::new(ListContent {
        ctx,
        list,
        dictionaries: columns.iter().map(|_| OnceLock::new()).collect(),
    })
}

impl<'a, L: RowList> TableContent<'a> for ListContent<'a, L> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn values(&self, column: usize, rows: Range<usize>) -> ColumnValues<'a> {
        let Some(getter) = L::Row::getters().into_iter().nth(column) else {
            return ColumnData::Bool(Vec::new()).into();
        };
        match getter {
            ColumnGetter::Bool(get) => self.collect(rows, get, ColumnData::Bool),
            ColumnGetter::U8(get) => self.collect(rows, get, |all| ColumnData::U8(Cow::Owned(all))),
            ColumnGetter::U16(get) => {
                self.collect(rows, get, |all| ColumnData::U16(Cow::Owned(all)))
            }
            ColumnGetter::U32(get) => {
                self.collect(rows, get, |all| ColumnData::U32(Cow::Owned(all)))
            }
            ColumnGetter::U64(get) => {
                self.collect(rows, get, |all| ColumnData::U64(Cow::Owned(all)))
            }
            ColumnGetter::I64(get) => {
                self.collect(rows, get, |all| ColumnData::I64(Cow::Owned(all)))
            }
            ColumnGetter::Quantity(get) => self.collect(rows, get, to_i64_column),
            ColumnGetter::F64(get) => {
                self.collect(rows, get, |all| ColumnData::F64(Cow::Owned(all)))
            }
            ColumnGetter::Time(get) => self.collect(
                rows,
                |ctx, row| get(ctx, row).map(|time| ctx.time(time)),
                to_i64_column,
            ),
            ColumnGetter::TimeNs(get) => self.collect(
                rows,
                |ctx, row| ctx.time_ns(get(ctx, row)?),
                |all| ColumnData::I64(Cow::Owned(all)),
            ),
            ColumnGetter::Duration(get) => self.collect(
                rows,
                |ctx, row| get(ctx, row).map(|ticks| ticks.0),
                to_i64_column,
            ),
            ColumnGetter::DurationNs(get) => self.collect(
                rows,
                |ctx, row| ctx.nanoseconds(get(ctx, row)?),
                |all| ColumnData::I64(Cow::Owned(all)),
            ),
            ColumnGetter::Dictionary(get) => self.dictionary_column(column, rows, get),
            ColumnGetter::Text(get) => {
                self.collect(rows, get, |all| ColumnData::Text(all.iter().collect()))
            }
        }
    }
}

impl<'a, L: RowList> ListContent<'a, L> {
    fn collect<V: Default>(
        &self,
        rows: Range<usize>,
        get: impl Fn(&RowContext<'_>, &L::Row) -> Option<V>,
        data: impl FnOnce(Vec<V>) -> ColumnData<'a>,
    ) -> ColumnValues<'a> {
        let mut column = ColumnBuilder::new(rows.len());
        self.list
            .visit(rows, |row| column.push(get(&self.ctx, row)));
        column.finish(data)
    }

    fn dictionary_column(
        &self,
        column: usize,
        rows: Range<usize>,
        get: Getter<L::Row, Label>,
    ) -> ColumnValues<'a> {
        let build = || {
            Dictionary::new(&self.ctx, |add| {
                self.list.visit(0..self.list.len(), |row| {
                    if let Some(label) = get(&self.ctx, row) {
                        add(label);
                    }
                });
            })
        };
        let mut builder = ColumnBuilder::new(rows.len());
        let Some(dictionary) = self
            .dictionaries
            .get(column)
            .map(|once| once.get_or_init(build))
        else {
            return ColumnData::Bool(Vec::new()).into();
        };
        let mut cache = CodeCache::new();
        self.list.visit(rows, |row| {
            let label = get(&self.ctx, row);
            builder.push(label.map(|label| dictionary.code(label, &mut cache)));
        });
        builder.finish(|codes| ColumnData::Dictionary {
            strings: dictionary.strings.clone(),
            codes,
        })
    }
}

/// Rows made from the items of a slice.
pub(super) struct SliceRows<'a, T, M> {
    pub(super) all: &'a [T],
    /// Makes a row from the index of an item and the item.
    pub(super) make_row: M,
}

impl<'a, T: Sync, R: TableRow, M: Fn(usize, &'a T) -> R + Send + Sync> RowList
    for SliceRows<'a, T, M>
{
    type Row = R;

    fn len(&self) -> usize {
        self.all.len()
    }

    fn visit(&self, rows: Range<usize>, mut visit_row: impl FnMut(&R)) {
        let items = self.all.get(rows.clone()).unwrap_or_default();
        for (index, item) in rows.zip(items) {
            visit_row(&(self.make_row)(index, item));
        }
    }
}

/// Rows made from the items of the schedule.
pub(super) struct PackedRows<'a, T, M> {
    pub(super) all: &'a PackedVec<T>,
    /// Makes a row from the index of an item and the item.
    pub(super) make_row: M,
}

impl<T: Pack + Send + Sync, R: TableRow, M: Fn(usize, T) -> R + Send + Sync> RowList
    for PackedRows<'_, T, M>
{
    type Row = R;

    fn len(&self) -> usize {
        self.all.len()
    }

    fn visit(&self, rows: Range<usize>, mut visit_row: impl FnMut(&R)) {
        for (index, item) in rows.clone().zip(self.all.range(rows)) {
            visit_row(&(self.make_row)(index, item));
        }
    }
}

/// Rows computed in advance.
pub(super) struct OwnedRows<R>(pub(super) Vec<R>);

impl<R: TableRow + Send + Sync> RowList for OwnedRows<R> {
    type Row = R;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn visit(&self, rows: Range<usize>, visit_row: impl FnMut(&R)) {
        self.0
            .get(rows)
            .unwrap_or_default()
            .iter()
            .for_each(visit_row);
    }
}

/// Rows from several lists, one after the other.
pub(super) struct NestedRows<M> {
    /// The number of rows up to the end of each list.
    ends: Vec<usize>,
    /// Makes a row from the index of its list and its index in that list.
    make_row: M,
}

impl<M> NestedRows<M> {
    /// Creates a list from the lengths of its inner lists.
    pub(super) fn new(lengths: impl Iterator<Item = usize>, make_row: M) -> Self {
        let ends = lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        Self {
            ends: ends.collect(),
            make_row,
        }
    }
}

impl<R: TableRow, M: Fn(usize, usize) -> Option<R> + Send + Sync> RowList for NestedRows<M> {
    type Row = R;

    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    fn visit(&self, rows: Range<usize>, mut visit_row: impl FnMut(&R)) {
        let first = self.ends.partition_point(|end| *end <= rows.start);
        let mut begin = match first.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or_default(),
            None => 0,
        };
        let mut at = rows.start;
        for (list, end) in self.ends.iter().enumerate().skip(first) {
            let stop = rows.end.min(*end);
            for inner in at - begin..stop - begin {
                if let Some(row) = (self.make_row)(list, inner) {
                    visit_row(&row);
                }
            }
            (at, begin) = (stop, *end);
            if stop == rows.end {
                break;
            }
        }
    }
}
