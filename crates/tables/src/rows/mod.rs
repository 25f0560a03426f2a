//! The rows of tables, in batches.

pub(crate) mod activations;
pub(crate) mod active_objects;
pub(crate) mod arguments;
pub(crate) mod call_stack_frames;
mod column_filler;
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
use column_filler::{ColumnFiller, RowSource};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::{cycles, locks, stacks};
use rtoscope_trace::Progress;
use std::ops::Range;
use std::sync::Arc;

/// The rows of one table of a recording.
pub struct TableRows<'a> {
    /// The values of the columns that are the same in all rows.
    common: [Arc<StringTable>; 2],
    content: Box<dyn TableContent + 'a>,
}

/// The values of all columns except those common to all tables.
trait TableContent: Send + Sync {
    /// The number of rows.
    fn len(&self) -> usize;

    /// The values of some columns in a range of rows, which must exist. Columns are
    /// counted without those common to all tables. A column that does not exist
    /// has no values.
    fn batch(&self, columns: &[usize], rows: Range<usize>) -> Vec<ColumnValues>;
}

impl<S: RowSource> TableContent for S {
    fn len(&self) -> usize {
        RowSource::len(self)
    }

    fn batch(&self, columns: &[usize], rows: Range<usize>) -> Vec<ColumnValues> {
        let fillers = columns
            .iter()
            .map(|column| self.filler(*column, rows.len()));
        let mut fillers: Vec<_> = fillers.collect();
        self.visit(rows, |rows| {
            for filler in fillers.iter_mut().flatten() {
                filler.append(rows);
            }
        });
        let finish = |filler: Option<Box<dyn ColumnFiller<S::Row> + '_>>| match filler {
            Some(filler) => filler.finish(),
            None => ColumnData::Bool(Vec::new()).into(),
        };
        fillers.into_iter().map(finish).collect()
    }
}

impl<'a> TableRows<'a> {
    /// The rows of a table of a recording.
    pub fn new(table: Table, recording: &'a AnalyzedRecording) -> Self {
        let ctx = RowContext::new(recording);
        let can_do_without_analysis = matches!(
            table,
            Table::Recordings
                | Table::Events
                | Table::Arguments
                | Table::Objects
                | Table::CallStackFrames
                | Table::TextLogLines
                | Table::Gaps
        );
        if !can_do_without_analysis {
            // Before several threads need it, as in [`Self::prepare`].
            recording.analyze(&Progress::default());
        }
        let content: Box<dyn TableContent + 'a> = match table {
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

    /// Computes on all threads what the batches with these columns share. Without it, the
    /// first batch does that; but several threads must not compute the first batch, because
    /// one that waits for the others may take up the work of another batch, which waits for it.
    pub fn prepare(&self, columns: &[usize]) {
        self.batch(0..0, columns);
    }

    /// The values of some columns, given by their indexes in
    /// [`Table::columns`], in a range of rows. Rows that do not exist are
    /// skipped. A column that does not exist has no values.
    ///
    /// The text of a column is limited to 2 GiB per batch. Batches of some ten
    /// thousand rows are safe and fast.
    pub fn batch(&self, rows: Range<usize>, columns: &[usize]) -> Vec<ColumnValues> {
        let end = rows.end.min(self.len());
        let rows = rows.start.min(end)..end;
        let own = columns
            .iter()
            .filter_map(|column| column.checked_sub(self.common.len()));
        let mut own = self
            .content
            .batch(&own.collect::<Vec<_>>(), rows.clone())
            .into_iter();
        let values = |column: &usize| match self.common.get(*column) {
            None => own.next(),
            Some(word) => Some(ColumnValues::from(ColumnData::Strings {
                strings: Arc::clone(word),
                codes: vec![0; rows.len()],
            })),
        };
        columns.iter().filter_map(values).collect()
    }
}
