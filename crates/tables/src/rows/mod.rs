//! The rows of tables, in batches.

pub(crate) mod activations;
pub(crate) mod active;
pub(crate) mod arguments;
mod column_builder;
pub(crate) mod contexts;
mod dictionary;
pub(crate) mod dispatches;
pub(crate) mod events;
mod field;
pub(crate) mod flows;
pub(crate) mod interrupts_off;
pub(crate) mod inversions;
pub(crate) mod isrs;
mod label;
pub(crate) mod levels;
pub(crate) mod locks;
pub(crate) mod mutex_holds;
pub(crate) mod notes;
pub(crate) mod objects;
pub(crate) mod recordings;
mod row_list;
pub(crate) mod slices;
pub(crate) mod stacks;
pub(crate) mod states;

use crate::row_context::RowContext;
use crate::{ColumnData, ColumnValues, StringTable, Table, TableSource};
use std::ops::Range;
use std::sync::Arc;

/// The rows of one table of a recording.
pub struct TableRows<'a> {
    /// The values of the columns that are the same in all rows.
    common: [Arc<StringTable>; 2],
    content: Box<dyn TableContent<'a> + 'a>,
}

/// The values of all columns except those common to all tables.
trait TableContent<'a>: Send + Sync {
    /// The number of rows.
    fn len(&self) -> usize;

    /// The values of a column in a range of rows, which must exist. Columns are
    /// counted without those common to all tables. A column that does not exist
    /// has no values.
    fn values(&self, column: usize, rows: Range<usize>) -> ColumnValues<'a>;
}

impl<'a> TableRows<'a> {
    /// The rows of a table of a source.
    pub fn new(table: Table, source: TableSource<'a>) -> Self {
        let scene = RowContext::new(source);
        let content: Box<dyn TableContent<'a> + 'a> = match table {
            Table::Recordings => recordings::rows(scene),
            Table::Events => events::rows(scene),
            Table::Arguments => arguments::rows(scene),
            Table::Contexts => contexts::rows(scene),
            Table::Objects => objects::rows(scene),
            Table::Slices => slices::rows(scene),
            Table::ThreadStates => states::rows(scene),
            Table::Activations => activations::rows(scene),
            Table::Dispatches => dispatches::rows(scene),
            Table::Isrs => isrs::rows(scene),
            Table::InterruptsOff => interrupts_off::rows(scene),
            Table::Flows => flows::rows(scene),
            Table::MutexHolds => mutex_holds::rows(scene),
            Table::Locks => locks::rows(scene),
            Table::Inversions => inversions::rows(scene),
            Table::Stacks => stacks::rows(scene),
            Table::Levels => levels::rows(scene),
            Table::Posts => active::posts::rows(scene),
            Table::Steps => active::steps::rows(scene),
            Table::StateIntervals => active::state_intervals::rows(scene),
            Table::Transitions => active::transitions::rows(scene),
            Table::Timers => active::timers::rows(scene),
            Table::Findings => notes::findings::rows(scene),
            Table::Gaps => notes::gaps::rows(scene),
            Table::Diagnostics => notes::diagnostics::rows(scene),
        };
        Self {
            common: [source.name, source.recording_id]
                .map(|word| Arc::new([word].iter().collect())),
            content,
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.content.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of some columns, given by their indexes in
    /// [`Table::columns`], in a range of rows. Rows that do not exist are
    /// skipped. A column that does not exist has no values.
    ///
    /// The text of a column is limited to 2 GiB per batch. Batches of some ten
    /// thousand rows are safe and fast.
    pub fn batch(&self, rows: Range<usize>, columns: &[usize]) -> Vec<ColumnValues<'a>> {
        let end = rows.end.min(self.len());
        let rows = rows.start.min(end)..end;
        let values = |column: &usize| match self.common.get(*column) {
            None => {
                let column = column - self.common.len();
                self.content.values(column, rows.clone())
            }
            Some(word) => ColumnValues::from(ColumnData::Dictionary {
                strings: Arc::clone(word),
                codes: vec![0; rows.len()],
            }),
        };
        columns.iter().map(values).collect()
    }
}
