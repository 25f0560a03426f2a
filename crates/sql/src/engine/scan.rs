//! Table scans: rows are computed on demand.

use super::dataset::Dataset;
use super::table_columns::columns;
use crate::arrow::TableBatches;
use arrow::array::RecordBatch;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
};
use rtoscope_tables::Table;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Maximum rows per batch.
pub(super) const BATCH_ROWS: usize = 8192;

/// Batches of a partition in the channel to the consumer.
const CHANNEL_CAPACITY: usize = 4;

/// Rows of a recording's table; all of them if `None`.
#[derive(Debug, Clone)]
pub(super) struct RowRange {
    pub(super) file: usize,
    pub(super) rows: Option<Range<usize>>,
}

/// Reads some columns of a table.
#[derive(Debug, Clone)]
pub(super) struct TableScanExec {
    dataset: Arc<Dataset>,
    table: Table,
    columns: Arc<[usize]>,
    /// What each partition reads, in order.
    partitions: Vec<Vec<RowRange>>,
    /// Maximum number of rows of each partition.
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
}

impl TableScanExec {
    pub(super) fn new(
        dataset: Arc<Dataset>,
        table: Table,
        projection: Vec<usize>,
        partitions: Vec<Vec<RowRange>>,
        limit: Option<usize>,
    ) -> Result<Self> {
        let schema = Arc::new(columns(table).project(&projection)?);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Self {
            dataset,
            table,
            columns: projection.into(),
            partitions,
            limit,
            properties: Arc::new(properties),
        })
    }

    /// The number of rows, if known without decoding a recording.
    fn rows(&self, partition: Option<usize>) -> Option<usize> {
        let rows = |range: &RowRange| match &range.rows {
            Some(rows) => Some(rows.len()),
            None => self.dataset.recordings()[range.file].known_rows(self.table),
        };
        let sum = |ranges: &Vec<RowRange>| {
            let all: Option<usize> = ranges.iter().map(rows).sum();
            Some(all?.min(self.limit.unwrap_or(usize::MAX)))
        };
        match partition {
            Some(partition) => sum(self.partitions.get(partition)?),
            None => self.partitions.iter().map(sum).sum(),
        }
    }
}

/// Computes the batches of a partition and passes each to `send` until that
/// returns false.
fn read(
    scan: &TableScanExec,
    ranges: &[RowRange],
    mut send: impl FnMut(Result<RecordBatch>) -> bool,
) {
    let mut remaining = scan.limit.unwrap_or(usize::MAX);
    for range in ranges {
        if remaining == 0 {
            return;
        }
        if scan.table == Table::Recordings
            && let Some(row) = scan.dataset.recordings()[range.file].known_row(&scan.columns)
        {
            if !send(Ok(without_metadata(row))) {
                return;
            }
            remaining -= 1;
            continue;
        }
        let opened = match scan.dataset.open(range.file) {
            Ok(opened) => opened,
            Err(error) => {
                send(Err(open_error(&error)));
                return;
            }
        };
        let table = TableBatches::new(&opened, scan.table);
        let rows = range.rows.clone().unwrap_or(0..table.len());
        let mut start = rows.start;
        while start < rows.end {
            if remaining == 0 {
                return;
            }
            let end = rows.end.min(start + BATCH_ROWS.min(remaining));
            let batch = table.batch(start..end, &scan.columns);
            let batch = batch.map(without_metadata);
            if !send(batch.map_err(Into::into)) {
                return;
            }
            remaining -= end - start;
            start = end;
        }
    }
}

fn without_metadata(mut batch: RecordBatch) -> RecordBatch {
    batch.schema_metadata_mut().clear();
    batch
}

/// The error of a recording that cannot be decoded.
pub(super) fn open_error(error: &anyhow::Error) -> DataFusionError {
    DataFusionError::Execution(format!("{error:#}"))
}

impl DisplayAs for TableScanExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.properties.eq_properties.schema();
        let names: Vec<_> = schema
            .fields()
            .iter()
            .map(|field| &**field.name())
            .collect();
        let partitions = self.partitions.iter().flatten();
        let mut files: Vec<_> = partitions.map(|range| range.file).collect();
        files.dedup();
        write!(
            f,
            "Scan: table={}, columns=[{}], recordings={}",
            self.table,
            names.join(", "),
            files.len()
        )?;
        match self.limit {
            Some(limit) => write!(f, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for TableScanExec {
    fn name(&self) -> &str {
        "Scan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match children.is_empty() {
            true => Ok(self),
            false => internal_err!("a table has no inputs"),
        }
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match children.is_empty() {
            true => Ok(self),
            false => internal_err!("a table has no inputs"),
        }
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        if self.partitions.len() <= partition {
            return internal_err!("there is no partition {partition}");
        }
        // Computing batches borrows from the recording, which a stream cannot
        // do between polls: a blocking thread does it.
        let mut builder = RecordBatchReceiverStreamBuilder::new(self.schema(), CHANNEL_CAPACITY);
        let (scan, batches) = (self.clone(), builder.tx());
        builder.spawn_blocking(move || {
            read(&scan, &scan.partitions[partition], |batch| {
                batches.blocking_send(batch).is_ok()
            });
            Ok(())
        });
        Ok(builder.build())
    }

    fn statistics_from_inputs(
        &self,
        _: &[Arc<Statistics>],
        arguments: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.schema());
        if let Some(rows) = self.rows(arguments.partition()) {
            statistics.num_rows = Precision::Exact(rows);
        }
        Ok(Arc::new(statistics))
    }
}
