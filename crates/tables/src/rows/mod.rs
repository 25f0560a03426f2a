//! The rows of a table, in batches.

pub(crate) mod activations;
pub(crate) mod active;
pub(crate) mod arguments;
pub(crate) mod contexts;
pub(crate) mod dispatches;
pub(crate) mod events;
mod field;
pub(crate) mod flows;
mod gathered;
pub(crate) mod holds;
pub(crate) mod inversions;
pub(crate) mod isrs;
mod key;
pub(crate) mod levels;
mod lexicon;
mod list;
pub(crate) mod locks;
pub(crate) mod masked;
pub(crate) mod notes;
pub(crate) mod objects;
pub(crate) mod recordings;
pub(crate) mod slices;
pub(crate) mod stacks;
pub(crate) mod states;

use crate::scene::Scene;
use crate::{Data, Source, Table, Texts, Values};
use std::ops::Range;
use std::sync::Arc;

/// The rows of a table of a recording: how many there are, and what is in them.
pub struct Rows<'a> {
    /// What is in the columns that are the same in all rows.
    common: [Arc<Texts>; 2],
    content: Box<dyn Content<'a> + 'a>,
}

/// What is in the columns after those of every table.
trait Content<'a>: Send + Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// The values of rows that there are. Columns are counted without those
    /// of every table; one that there is not has no values.
    fn values(&self, column: usize, rows: Range<usize>) -> Values<'a>;
}

impl<'a> Rows<'a> {
    /// The rows of a table of a source.
    pub fn of(table: Table, source: Source<'a>) -> Self {
        let scene = Scene::of(source);
        let content: Box<dyn Content<'a> + 'a> = match table {
            Table::Trace => recordings::rows(scene),
            Table::Events => events::rows(scene),
            Table::Arguments => arguments::rows(scene),
            Table::Contexts => contexts::rows(scene),
            Table::Objects => objects::rows(scene),
            Table::Slices => slices::rows(scene),
            Table::ThreadStates => states::rows(scene),
            Table::Activations => activations::rows(scene),
            Table::Dispatches => dispatches::rows(scene),
            Table::Isrs => isrs::rows(scene),
            Table::Masked => masked::rows(scene),
            Table::Flows => flows::rows(scene),
            Table::Holds => holds::rows(scene),
            Table::Locks => locks::rows(scene),
            Table::Inversions => inversions::rows(scene),
            Table::Stacks => stacks::rows(scene),
            Table::Levels => levels::rows(scene),
            Table::Posts => active::posts::rows(scene),
            Table::Steps => active::steps::rows(scene),
            Table::Stays => active::stays::rows(scene),
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

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.content.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of some columns, by their places in [`Table::columns`], in
    /// these rows. Rows that there are not are left out. A column that there is
    /// not has no values.
    ///
    /// All texts of a batch together have room for 2 GiB a column: some ten
    /// thousand rows at a time are both safe and fast.
    pub fn batch(&self, rows: Range<usize>, columns: &[usize]) -> Vec<Values<'a>> {
        let end = rows.end.min(self.len());
        let rows = rows.start.min(end)..end;
        let values = |column: &usize| match self.common.get(*column) {
            None => {
                let column = column - self.common.len();
                self.content.values(column, rows.clone())
            }
            Some(word) => Values::from(Data::Word {
                words: Arc::clone(word),
                codes: vec![0; rows.len()],
            }),
        };
        columns.iter().map(values).collect()
    }
}
