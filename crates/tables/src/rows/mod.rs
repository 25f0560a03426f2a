//! The rows of tables, in batches.

pub(crate) mod activations;
pub(crate) mod active_objects;
pub(crate) mod arguments;
pub(crate) mod call_stack_frames;
mod column_builder;
mod column_getters;
pub(crate) mod contexts;
mod dictionary;
pub(crate) mod dispatches;
pub(crate) mod events;
pub(crate) mod flows;
pub(crate) mod hardware;
pub(crate) mod interrupts_off;
pub(crate) mod inversions;
pub(crate) mod isrs;
mod kind_table;
mod label;
pub(crate) mod levels;
pub(crate) mod markers;
pub(crate) mod mutex_holds;
pub(crate) mod objects;
pub(crate) mod periods;
pub(crate) mod problems;
pub(crate) mod recordings;
pub(crate) mod report_rows;
mod row_list;
pub(crate) mod slices;
pub(crate) mod states;
pub(crate) mod text_log_lines;
pub(crate) mod timing;

use crate::row_context::RowContext;
use crate::{ColumnData, ColumnValues, StringTable, Table};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::{cycles, locks, stacks};
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
    /// The rows of a table of a recording.
    pub fn new(table: Table, recording: &'a AnalyzedRecording) -> Self {
        let ctx = RowContext::new(recording);
        let content: Box<dyn TableContent<'a> + 'a> = match table {
            Table::Recordings => recordings::rows(ctx),
            Table::Events => events::rows(ctx),
            Table::Arguments => arguments::rows(ctx),
            Table::Contexts => contexts::rows(ctx),
            Table::Objects => objects::rows(ctx),
            Table::Slices => slices::rows(ctx),
            Table::ThreadStates => states::rows(ctx),
            Table::Activations => activations::rows(ctx),
            Table::Dispatches => dispatches::rows(ctx),
            Table::Isrs => isrs::rows(ctx),
            Table::InterruptsOff => interrupts_off::rows(ctx),
            Table::Markers => markers::rows(ctx),
            Table::HardwareSpans => hardware::hardware_span_rows(ctx),
            Table::SlotSpans => hardware::slot_span_rows(ctx),
            Table::CallStackFrames => call_stack_frames::rows(ctx),
            Table::TextLogLines => text_log_lines::rows(ctx),
            Table::Periods => periods::rows(ctx),
            Table::Cycles => report_rows::rows(ctx, cycles::outlier_rows),
            Table::DeadlineMisses => timing::deadline_miss_rows(ctx),
            Table::PipelineItems => timing::pipeline_item_rows(ctx),
            Table::Intervals => timing::interval_rows(ctx),
            Table::PipelineVisits => timing::pipeline_visit_rows(ctx),
            Table::Flows => flows::rows(ctx),
            Table::MutexHolds => mutex_holds::rows(ctx),
            Table::Locks => report_rows::rows(ctx, locks::locks),
            Table::Inversions => inversions::rows(ctx),
            Table::Stacks => report_rows::rows(ctx, stacks::stacks),
            Table::Levels => levels::rows(ctx),
            Table::Posts => active_objects::post_rows(ctx),
            Table::Steps => active_objects::step_rows(ctx),
            Table::StateIntervals => active_objects::state_interval_rows(ctx),
            Table::Transitions => active_objects::transition_rows(ctx),
            Table::Timers => active_objects::timer_rows(ctx),
            Table::Findings => problems::finding_rows(ctx),
            Table::Gaps => problems::gap_rows(ctx),
            Table::Diagnostics => problems::diagnostic_rows(ctx),
        };
        Self {
            common: [&recording.info.name, &recording.info.id]
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
