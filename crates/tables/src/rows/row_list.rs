//! Tables whose rows come from a list in the trace or its schedule.

use super::TableContent;
use super::column_filler::{
    ColumnFiller, RowBlocks, RowSource, column, dictionary_column, to_i64_column, to_text_column,
};
use super::column_getters::{ColumnGetter, Getter, TableRow};
use super::dictionary::Dictionary;
use super::label::Label;
use crate::ColumnData;
use crate::row_context::RowContext;
use rtoscope_analysis::packed_vec::{Pack, PackedVec};
use std::ops::Range;
use std::sync::OnceLock;

/// A source of rows.
pub(super) trait RowList: Send + Sync {
    /// The type of a row.
    type Row: TableRow;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Calls `visit` with the rows of a range, in order.
    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[Self::Row]));
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
) -> Box<dyn TableContent + 'a> {
    let columns = L::Row::getters();
    Box::new(ListContent {
        ctx,
        list,
        dictionaries: columns.iter().map(|_| OnceLock::new()).collect(),
    })
}

impl<L: RowList> RowSource for ListContent<'_, L> {
    type Row = L::Row;

    fn len(&self) -> usize {
        self.list.len()
    }

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[L::Row])) {
        self.list.visit(rows, visit);
    }

    fn filler(&self, number: usize, rows: usize) -> Option<Box<dyn ColumnFiller<L::Row> + '_>> {
        let ctx = &self.ctx;
        macro_rules! column {
            ($data:path, $get:ident) => {
                column(rows, move |row| $get(ctx, row), $data)
            };
        }
        Some(match L::Row::getters().into_iter().nth(number)? {
            ColumnGetter::Bool(get) => column!(ColumnData::Bool, get),
            ColumnGetter::U8(get) => column!(ColumnData::U8, get),
            ColumnGetter::U16(get) => column!(ColumnData::U16, get),
            ColumnGetter::U32(get) => column!(ColumnData::U32, get),
            ColumnGetter::U64(get) => column!(ColumnData::U64, get),
            ColumnGetter::I64(get) => column!(ColumnData::I64, get),
            ColumnGetter::Quantity(get) => column!(to_i64_column, get),
            ColumnGetter::F64(get) => column!(ColumnData::F64, get),
            ColumnGetter::Time(get) => {
                let time = move |row: &_| get(ctx, row).map(|time| ctx.time(time));
                column(rows, time, to_i64_column)
            }
            ColumnGetter::TimeNs(get) => {
                let time = move |row: &_| ctx.time_ns(get(ctx, row)?);
                column(rows, time, ColumnData::I64)
            }
            ColumnGetter::Duration(get) => {
                let ticks = move |row: &_| get(ctx, row).map(|ticks| ticks.0);
                column(rows, ticks, to_i64_column)
            }
            ColumnGetter::DurationNs(get) => {
                let duration = move |row: &_| ctx.nanoseconds(get(ctx, row)?);
                column(rows, duration, ColumnData::I64)
            }
            ColumnGetter::Dictionary(get) => {
                let dictionary = self.dictionary(number, get)?;
                let code = move |row: &_| {
                    let label = get(ctx, row)?;
                    Some(dictionary.code(label))
                };
                dictionary_column(rows, code, &dictionary.strings)
            }
            ColumnGetter::Text(get) => column!(to_text_column, get),
        })
    }
}

impl<L: RowList> ListContent<'_, L> {
    fn dictionary(&self, number: usize, get: Getter<L::Row, Label>) -> Option<&Dictionary> {
        let build = || {
            Dictionary::new(&self.ctx, self.list.len(), |rows, add| {
                self.list.visit(rows, |rows| {
                    let labels = rows.iter().filter_map(|row| get(&self.ctx, row));
                    labels.for_each(&mut *add);
                });
            })
        };
        Some(self.dictionaries.get(number)?.get_or_init(build))
    }
}

/// Calls `visit` with rows in blocks.
pub(super) fn visit_blocks<R>(rows: impl Iterator<Item = R>, visit: impl FnMut(&[R])) {
    let mut blocks = RowBlocks::new(visit);
    rows.for_each(|row| blocks.push(row));
    blocks.finish();
}

/// The items of a slice.
pub(super) struct SliceRows<'a, T>(pub(super) &'a [T]);

impl<'a, T: Sync> RowList for SliceRows<'a, T>
where
    &'a T: TableRow,
{
    type Row = &'a T;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[&'a T])) {
        visit_blocks(self.0.get(rows).unwrap_or_default().iter(), visit);
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

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[R])) {
        let rows = rows.clone().zip(self.all.range(rows));
        visit_blocks(
            rows.map(|(index, item)| (self.make_row)(index, item)),
            visit,
        );
    }
}

/// Rows computed in advance.
pub(super) struct OwnedRows<R>(pub(super) Vec<R>);

impl<R: TableRow + Send + Sync> RowList for OwnedRows<R> {
    type Row = R;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn visit(&self, rows: Range<usize>, mut visit: impl FnMut(&[R])) {
        visit(self.0.get(rows).unwrap_or_default());
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

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[R])) {
        let mut blocks = RowBlocks::new(visit);
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
                    blocks.push(row);
                }
            }
            (at, begin) = (stop, *end);
            if stop == rows.end {
                break;
            }
        }
        blocks.finish();
    }
}
