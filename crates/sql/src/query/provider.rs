//! The tables of all recordings, as DataFusion sees them.

use super::dataset::Dataset;
use super::scan::{Part, Scan};
use crate::arrow::schema;
use arrow::array::{Array as _, BooleanArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use rtoscope_tables::Table;
use std::sync::Arc;

/// The column that is the same in all rows of a recording.
const FILE: &str = "file";

/// The columns of a table. Their schema itself says nothing: DataFusion takes what
/// those of the two sides of a join say for one, which must not depend on which
/// side comes first.
pub(super) fn columns(table: Table) -> SchemaRef {
    Arc::new(Schema::new(schema(table).fields().clone()))
}

/// A table of all recordings.
#[derive(Debug)]
pub(crate) struct Provider {
    table: Table,
    schema: SchemaRef,
    dataset: Arc<Dataset>,
}

impl Provider {
    pub(crate) fn new(table: Table, dataset: Arc<Dataset>) -> Self {
        Self {
            table,
            schema: columns(table),
            dataset,
        }
    }

    /// The recordings that can have a row that fits, by their places. The
    /// filters speak of nothing but the file.
    fn files(&self, state: &dyn Session, filters: &[Expr]) -> Result<Vec<usize>> {
        let recordings = self.dataset.recordings();
        let Some(filter) = conjunction(filters.iter().cloned()) else {
            return Ok((0..recordings.len()).collect());
        };
        let names: StringArray = recordings.iter().map(|one| Some(one.name())).collect();
        let kind = self.schema.field_with_name(FILE)?.data_type();
        let names = cast(&names, kind)?;
        let schema = Arc::new(Schema::new(vec![Field::new(FILE, kind.clone(), false)]));
        let filter = state.create_physical_expr(filter, &DFSchema::try_from(schema.clone())?)?;
        let names = RecordBatch::try_new(schema, vec![names])?;
        let fits = filter.evaluate(&names)?.into_array(names.num_rows())?;
        let fits = cast(&fits, &DataType::Boolean)?;
        let fits = fits.as_any().downcast_ref::<BooleanArray>();
        let places = (0..recordings.len())
            .filter(|place| fits.is_none_or(|fits| fits.is_valid(*place) && fits.value(*place)));
        Ok(places.collect())
    }

    /// The recordings in as many parts as can be read at the same time.
    fn parts(&self, files: &[usize], most: usize) -> Vec<Vec<Part>> {
        let whole = |file: &usize| Part {
            file: *file,
            rows: None,
        };
        if most == 1 || files.is_empty() {
            return vec![files.iter().map(whole).collect()];
        }
        if files.len() >= 4 * most {
            // Enough of them to be opened by those who read them, in parts of
            // about as many events.
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
        let each = all.div_ceil(most).max(super::scan::ROWS);
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
                let part = Part {
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
impl TableProvider for Provider {
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
        let supported = filters.iter().map(|filter| match is_of_the_file(filter) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        });
        Ok(supported.collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let files = self.files(state, filters)?;
        let most = match limit {
            // The first rows are nearer in one part.
            Some(limit) if limit <= 8 * super::scan::ROWS => 1,
            _ => state.config().target_partitions(),
        };
        let parts = self.parts(&files, most);
        let columns = match projection {
            Some(columns) => columns.clone(),
            None => (0..self.schema.fields().len()).collect(),
        };
        let scan = Scan::new(self.dataset.clone(), self.table, columns, parts, limit)?;
        Ok(Arc::new(scan))
    }
}

/// Whether a filter says the same of all rows of a recording.
fn is_of_the_file(filter: &Expr) -> bool {
    let columns = filter.column_refs();
    let file = !columns.is_empty() && columns.iter().all(|column| column.name == FILE);
    file && !filter.is_volatile()
}
