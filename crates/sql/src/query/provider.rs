//! The tables of recordings as DataFusion table providers.

use super::dataset::Dataset;
use super::pruning;
use super::scan::{RowRange, TableScanExec};
use crate::arrow::schema;
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

/// The columns that are the same in all rows of a recording.
pub(super) const FILE: &str = "file";
pub(super) const RECORDING_ID: &str = "recording_id";

/// The columns of a table, without schema metadata: DataFusion merges the
/// metadata of both sides of a join, so that it would depend on the order of
/// the sides.
pub(super) fn columns(table: Table) -> SchemaRef {
    Arc::new(Schema::new(schema(table).fields().clone()))
}

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
        let files = recordings.iter().map(|one| Some(one.name()));
        let ids = recordings.iter().map(|one| Some(one.id()));
        let words = [
            (FILE, files.collect::<StringArray>()),
            (RECORDING_ID, ids.collect()),
        ];
        let mut fields = Vec::new();
        let mut arrays = Vec::new();
        for (name, words) in words {
            let kind = schema.field_with_name(name)?.data_type();
            fields.push(Field::new(name, kind.clone(), false));
            arrays.push(cast(&words, kind)?);
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
    fn partitions(&self, files: &[usize], most: usize) -> Vec<Vec<RowRange>> {
        let whole = |file: &usize| RowRange {
            file: *file,
            rows: None,
        };
        if most == 1 || files.is_empty() {
            return vec![files.iter().map(whole).collect()];
        }
        if files.len() >= 4 * most {
            // Enough recordings to be opened by the partitions themselves:
            // balance the number of events.
            let events = |file: &usize| self.dataset.recordings()[*file].events() as u64 + 1;
            let all: u64 = files.iter().map(events).sum();
            let mut parts = vec![Vec::new(); most];
            let mut before = 0;
            for file in files {
                parts[(before * most as u64 / all) as usize].push(whole(file));
                before += events(file);
            }
            return parts;
        }
        let rows = |file: &usize| self.dataset.recordings()[*file].rows(self.table);
        let counts: Vec<_> = files.iter().map(rows).collect();
        let all: usize = counts.iter().sum();
        let each = all.div_ceil(most).max(super::scan::BATCH_ROWS);
        let mut parts = vec![Vec::new()];
        let mut room = each;
        for (file, count) in files.iter().zip(counts) {
            let mut start = 0;
            while start < count {
                if room == 0 {
                    parts.push(Vec::new());
                    room = each;
                }
                let end = count.min(start + room);
                room -= end - start;
                let part = RowRange {
                    file: *file,
                    rows: Some(start..end),
                };
                if let Some(last) = parts.last_mut() {
                    last.push(part);
                }
                start = end;
            }
        }
        parts
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
        let most = match limit {
            // One partition reaches the first rows sooner.
            Some(limit) if limit <= 8 * super::scan::BATCH_ROWS => 1,
            _ => state.config().target_partitions(),
        };
        let parts = self.partitions(&files, most);
        let columns = match projection {
            Some(columns) => columns.clone(),
            None => (0..self.schema.fields().len()).collect(),
        };
        let scan = TableScanExec::new(self.dataset.clone(), self.table, columns, parts, limit)?;
        Ok(Arc::new(scan))
    }
}
