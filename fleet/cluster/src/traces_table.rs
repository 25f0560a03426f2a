//! The files of a snapshot as a table.
//!
//! The scan lists exactly the files of the snapshot that can have matching rows, with the values
//! of their partition columns; executors neither list folders nor read the log. The plan consists
//! of DataFusion's own nodes, which every executor decodes.

use anyhow::Context as _;
use arrow::array::{Array as _, ArrayRef, BooleanArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema, SchemaRef};
use async_trait::async_trait;
use chrono::DateTime;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::stats::Precision;
use datafusion::common::{Column, DFSchema, Result, ScalarValue, Statistics};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use object_store::ObjectMeta;
use rtoscope_fleet::{BucketConditions, Snapshot, SnapshotFile};
use std::collections::HashSet;
use std::sync::Arc;
use url::Position;

/// The table with the rows of all tables of traces.
#[derive(Debug)]
pub(crate) struct TracesTable {
    schema: SchemaRef,
    /// The columns of files, then the partition columns.
    table_schema: TableSchema,
    store: ObjectStoreUrl,
    files: Vec<SnapshotFile>,
    /// The values of the partition columns, with one row per file.
    partitions: RecordBatch,
    bucket_conditions: BucketConditions,
}

impl TracesTable {
    pub(crate) fn new(snapshot: &Snapshot) -> anyhow::Result<Self> {
        let names = Snapshot::partition_columns();
        let (partition_fields, file_fields): (Vec<_>, Vec<_>) = snapshot
            .schema
            .fields()
            .iter()
            .cloned()
            .partition(|field| names.contains(&&**field.name()));
        let mut columns = Vec::new();
        let mut fields = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            let field = partition_fields.iter().find(|field| field.name() == name);
            let field = field.with_context(|| format!("no column {name}"))?;
            let values = snapshot
                .files
                .iter()
                .map(|file| Some(&file.partition[index]));
            let values: StringArray = values.collect();
            columns.push(cast(&values, field.data_type())?);
            fields.push(Arc::clone(field));
        }
        let partitions = RecordBatch::try_new(Arc::new(Schema::new(fields.clone())), columns)?;
        let file_schema = Arc::new(Schema::new(file_fields));
        let url = &snapshot.url;
        Ok(Self {
            schema: Arc::clone(&snapshot.schema),
            table_schema: TableSchema::builder(file_schema)
                .with_table_partition_cols(fields)
                .build(),
            store: ObjectStoreUrl::parse(&url[url::Position::BeforeScheme..Position::BeforePath])?,
            files: snapshot.files.clone(),
            partitions,
            bucket_conditions: snapshot.bucket_conditions,
        })
    }

    /// The files that can have rows which match all filters, by their partitions and devices.
    fn matching_files(&self, state: &dyn Session, filters: &[Expr]) -> Result<Vec<usize>> {
        let (exact, others): (Vec<_>, Vec<_>) = filters
            .iter()
            .cloned()
            .partition(|filter| self.concerns_partitions(filter));
        let mut rows: Vec<_> = (0..self.files.len()).collect();
        if let Some(filter) = conjunction(exact) {
            let schema = DFSchema::try_from(self.partitions.schema())?;
            let filter = state.create_physical_expr(filter, &schema)?;
            let matches = filter.evaluate(&self.partitions)?;
            let matches = cast(&matches.into_array(rows.len())?, &DataType::Boolean)?;
            let matches = BooleanArray::from(matches.to_data());
            rows.retain(|row| matches.is_valid(*row) && matches.value(*row));
        }
        if let Some(filter) = conjunction(others) {
            let schema = DFSchema::try_from(Arc::clone(&self.schema))?;
            let filter = state.create_physical_expr(filter, &schema)?;
            let pruning = PruningPredicateBuilder::new()
                .with_file_schema(Arc::clone(&self.schema))
                .try_build(filter)?;
            let devices = DeviceRanges::new(rows.iter().map(|row| &self.files[*row]));
            let mut keep = pruning.prune(&devices)?.into_iter();
            rows.retain(|_| keep.next().unwrap_or(true));
        }
        Ok(rows)
    }

    /// Whether a filter has the same value for all rows of a file.
    fn concerns_partitions(&self, filter: &Expr) -> bool {
        let columns = filter.column_refs();
        let schema = self.partitions.schema();
        let mut all = columns
            .iter()
            .map(|column| schema.column_with_name(&column.name));
        !columns.is_empty() && all.all(|column| column.is_some()) && !filter.is_volatile()
    }

    fn partitioned_file(&self, row: usize) -> Result<PartitionedFile> {
        let file = &self.files[row];
        let meta = ObjectMeta {
            location: file.path.clone(),
            last_modified: DateTime::from_timestamp_millis(file.modified_ms).unwrap_or_default(),
            size: file.bytes,
            e_tag: None,
            version: None,
        };
        let values = self.partitions.columns().iter();
        let values = values.map(|column| ScalarValue::try_from_array(column, row));
        let file = PartitionedFile::new_from_meta(meta);
        Ok(file.with_partition_values(values.collect::<Result<_>>()?))
    }

    /// Distributes files over `count` groups of about the same size, in their order.
    fn groups(&self, rows: &[usize], count: usize) -> Result<Vec<FileGroup>> {
        let size = |row: &usize| u128::from(self.files[*row].bytes) + 1;
        let all: u128 = rows.iter().map(size).sum();
        let mut groups = vec![Vec::new(); count.max(1)];
        let mut before = 0;
        for row in rows {
            let group = usize::try_from(before * groups.len() as u128 / all).unwrap_or_default();
            groups[group].push(self.partitioned_file(*row)?);
            before += size(row);
        }
        groups.retain(|group| !group.is_empty());
        Ok(groups.into_iter().map(FileGroup::new).collect())
    }
}

#[async_trait]
impl TableProvider for TracesTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let supported = filters.iter().map(|filter| {
            if self.concerns_partitions(filter) {
                TableProviderFilterPushDown::Exact
            } else if filter.is_volatile() {
                TableProviderFilterPushDown::Unsupported
            } else {
                TableProviderFilterPushDown::Inexact
            }
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
        let columns = match projection {
            Some(columns) => columns.clone(),
            None => (0..self.schema.fields().len()).collect(),
        };
        let filters = [filters, &self.bucket_conditions.of(filters)].concat();
        let rows = self.matching_files(state, &filters)?;
        if rows.is_empty() {
            let schema = self.schema.project(&columns)?;
            return Ok(Arc::new(EmptyExec::new(Arc::new(schema))));
        }
        let source = ParquetSource::new(self.table_schema.clone())
            .with_table_parquet_options(state.default_table_options().parquet);
        let table_schema = self.table_schema.table_schema();
        let indices = columns.iter().map(|column| {
            let name = self.schema.field(*column).name();
            Ok(table_schema.index_of(name)?)
        });
        let indices = indices.collect::<Result<Vec<_>>>()?;
        let mut statistics = Statistics::new_unknown(table_schema);
        let bytes: u64 = rows.iter().map(|row| self.files[*row].bytes).sum();
        statistics.total_byte_size =
            Precision::Inexact(usize::try_from(bytes).unwrap_or(usize::MAX));
        let groups = self.groups(&rows, state.config().target_partitions())?;
        let scan = FileScanConfigBuilder::new(self.store.clone(), Arc::new(source))
            .with_file_groups(groups)
            .with_statistics(statistics)
            .with_projection_indices(Some(indices))?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(scan))
    }
}

/// The first and the last device of files.
struct DeviceRanges {
    first: ArrayRef,
    last: ArrayRef,
}

impl DeviceRanges {
    fn new<'a>(files: impl Iterator<Item = &'a SnapshotFile> + Clone) -> Self {
        let devices = files.map(|file| file.devices.as_ref());
        let first = devices.clone().map(|it| it.map(|(first, _)| first));
        let last = devices.map(|it| it.map(|(_, last)| last));
        Self {
            first: Arc::new(first.collect::<StringArray>()),
            last: Arc::new(last.collect::<StringArray>()),
        }
    }
}

impl PruningStatistics for DeviceRanges {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        (column.name == Snapshot::device_column()).then(|| Arc::clone(&self.first))
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        (column.name == Snapshot::device_column()).then(|| Arc::clone(&self.last))
    }

    fn num_containers(&self) -> usize {
        self.first.len()
    }

    fn null_counts(&self, _: &Column) -> Option<ArrayRef> {
        None
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        None
    }

    fn contained(&self, _: &Column, _: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}
