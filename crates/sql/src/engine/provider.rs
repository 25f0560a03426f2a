//! The tables of recordings as DataFusion table providers.

use super::dataset::Dataset;
use super::pruning;
use super::scan::{BATCH_ROWS, RowRange, TableScanExec, open_error};
use super::table_columns::{FILE, RECORDING_ID, columns};
use arrow::array::{RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use rtoscope_tables::Table;
use std::sync::Arc;

/// A table with the rows of all recordings.
#[derive(Debug)]
pub(crate) struct RecordingsTable {
    table: Table,
    schema: SchemaRef,
    dataset: Arc<Dataset>,
    /// The columns that are the same in all rows, with one row per recording.
    recordings: RecordBatch,
}

impl RecordingsTable {
    pub(crate) fn new(table: Table, dataset: Arc<Dataset>) -> Result<Self> {
        let schema = columns(table);
        let recordings = dataset.recordings();
        let files = recordings.iter().map(|recording| Some(recording.name()));
        let ids = recordings.iter().map(|recording| Some(recording.id()));
        let columns = [
            (FILE, files.collect::<StringArray>()),
            (RECORDING_ID, ids.collect()),
        ];
        let mut fields = Vec::new();
        let mut arrays = Vec::new();
        for (name, values) in columns {
            let data_type = schema.field_with_name(name)?.data_type();
            fields.push(Field::new(name, data_type.clone(), false));
            arrays.push(cast(&values, data_type)?);
        }
        let recordings = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?;
        Ok(Self {
            table,
            schema,
            dataset,
            recordings,
        })
    }

    /// Distributes the recordings over at most `max_partitions` partitions.
    fn partitions(&self, files: &[usize], max_partitions: usize) -> Result<Vec<Vec<RowRange>>> {
        let all_rows = |file: &usize| RowRange {
            file: *file,
            rows: None,
        };
        if max_partitions == 1 || files.is_empty() {
            return Ok(vec![files.iter().map(all_rows).collect()]);
        }
        if files.len() >= 4 * max_partitions {
            // Enough recordings to be opened by the partitions themselves:
            // balance the size of the files.
            let bytes = |file: &usize| u128::from(self.dataset.recordings()[*file].bytes()) + 1;
            let all: u128 = files.iter().map(bytes).sum();
            let mut partitions = vec![Vec::new(); max_partitions];
            let mut bytes_before = 0;
            for file in files {
                partitions[(bytes_before * max_partitions as u128 / all) as usize]
                    .push(all_rows(file));
                bytes_before += bytes(file);
            }
            return Ok(partitions);
        }
        let count = |file: &usize| self.dataset.rows(*file, self.table);
        let counts = rtoscope_trace::parallel::map(files.iter().collect(), count);
        let counts: anyhow::Result<Vec<_>> = counts.into_iter().collect();
        let counts = counts.map_err(|error| open_error(&error))?;
        let all: usize = counts.iter().sum();
        let rows_per_partition = all.div_ceil(max_partitions).max(BATCH_ROWS);
        let mut partitions = vec![Vec::new()];
        let mut remaining = rows_per_partition;
        for (file, count) in files.iter().zip(counts) {
            let mut start = 0;
            while start < count {
                if remaining == 0 {
                    partitions.push(Vec::new());
                    remaining = rows_per_partition;
                }
                let end = count.min(start + remaining);
                remaining -= end - start;
                let range = RowRange {
                    file: *file,
                    rows: Some(start..end),
                };
                if let Some(last) = partitions.last_mut() {
                    last.push(range);
                }
                start = end;
            }
        }
        Ok(partitions)
    }
}

#[async_trait]
impl TableProvider for RecordingsTable {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(pruning::supported(filters, &self.recordings.schema()))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let files = pruning::matching_recordings(state, filters, &self.recordings)?;
        let max_partitions = match limit {
            // One partition reaches the first rows sooner.
            Some(limit) if limit <= 8 * BATCH_ROWS => 1,
            _ => state.config().target_partitions(),
        };
        let partitions = self.partitions(&files, max_partitions)?;
        let columns = match projection {
            Some(columns) => columns.clone(),
            None => (0..self.schema.fields().len()).collect(),
        };
        let scan =
            TableScanExec::new(self.dataset.clone(), self.table, columns, partitions, limit)?;
        Ok(Arc::new(scan))
    }
}
