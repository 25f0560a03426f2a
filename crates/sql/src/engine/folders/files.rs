//! Tables in Parquet files.

use super::names::{RecordingNames, TableFile};
use crate::engine::pruning;
use crate::engine::table_columns::{FILE, RECORDING_ID};
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, ScalarValue, project_schema};
use datafusion::datasource::file_format::FileFormat as _;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingTableUrl, PartitionedFile};
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::{
    FileGroup, FileScanConfigBuilder, wrap_partition_type_in_dict, wrap_partition_value_in_dict,
};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::functions::string::expr_fn::{concat, ltrim};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType, ident, lit, when};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::prelude::SessionContext;
use rtoscope_trace::printable::Printable;
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// Names of hidden columns, which no table or tag can have: values derived from
/// the path of a recording.
const FILE_PREFIX: &str = "file prefix";
const DATASET_PREFIX: &str = "recording_id prefix";
const ID_FROM_PATH: &str = "recording_id from path";

/// A table in files, with columns for tags and with the names that distinguish
/// recordings.
pub(super) fn table(
    context: &SessionContext,
    columns: &SchemaRef,
    tags: &[String],
    table_files: &[TableFile],
    names: &RecordingNames,
) -> Result<Arc<dyn TableProvider>> {
    let count = columns.fields().len();
    let data_type = |name| {
        columns
            .field_with_name(name)
            .map(|it| it.data_type().clone())
    };
    let (file, recording_id) = (data_type(FILE)?, data_type(RECORDING_ID)?);
    let files = FileTable::new(columns, tags, table_files, names)?;
    let schema = files.schema();
    let selected = schema.fields().iter().take(count + tags.len());
    let selected = selected.map(|field| match &**field.name() {
        FILE if names.has_prefixes() => {
            let prefixed = vec![ident(FILE_PREFIX), ltrim(vec![ident(FILE), lit("/")])];
            let name =
                when(ident(FILE_PREFIX).is_null(), ident(FILE)).otherwise(concat(prefixed))?;
            Ok(datafusion::logical_expr::cast(name, file.clone()).alias(FILE))
        }
        RECORDING_ID => {
            // Files of older versions lack the column.
            let id = coalesce(vec![ident(RECORDING_ID), ident(ID_FROM_PATH)]);
            let id = match names.has_datasets() {
                true => concat(vec![ident(DATASET_PREFIX), id]),
                false => id,
            };
            Ok(datafusion::logical_expr::cast(id, recording_id.clone()).alias(RECORDING_ID))
        }
        name => Ok(ident(name)),
    });
    let selected: Vec<Expr> = selected.collect::<Result<_>>()?;
    let frame = context.read_table(Arc::new(files))?;
    Ok(frame.select(selected)?.into_view())
}

/// A file whose name can contain any characters.
fn partitioned_file(path: &Path) -> Result<PartitionedFile> {
    let size = path.metadata()?.len();
    let url = Url::from_file_path(std::path::absolute(path)?);
    let error = |()| DataFusionError::Plan(format!("{}: not a file", Printable::path(path)));
    let url = ListingTableUrl::try_new(url.map_err(error)?, None)?;
    let mut file = PartitionedFile::new("", size);
    file.object_meta.location = url.prefix().clone();
    Ok(file)
}

/// The files of a table.
#[derive(Debug)]
struct FileTable {
    schema: TableSchema,
    files: Vec<PartitionedFile>,
    /// The values per file: its tags, and what follows from its path.
    partition_values: RecordBatch,
}

impl FileTable {
    fn new(
        columns: &SchemaRef,
        tags: &[String],
        table_files: &[TableFile],
        names: &RecordingNames,
    ) -> Result<Self> {
        let value = |table_file: &TableFile, label: &str| match label {
            FILE_PREFIX => names.file_prefix(&table_file.recording).map(str::to_owned),
            DATASET_PREFIX => names.dataset_prefix(&table_file.recording),
            ID_FROM_PATH => Some(names.recording_id(&table_file.recording)),
            tag => {
                let mut tags = table_file.found.tags.iter();
                tags.find(|(key, _)| key == tag)
                    .map(|(_, value)| value.clone())
            }
        };
        let data_type = wrap_partition_type_in_dict(DataType::Utf8);
        let labels = tags.iter().map(String::as_str);
        let labels: Vec<_> = labels
            .chain([FILE_PREFIX, DATASET_PREFIX, ID_FROM_PATH])
            .collect();
        let field = |label: &&str| Field::new(*label, data_type.clone(), true);
        let fields: Vec<_> = labels.iter().map(field).collect();
        let arrays = labels.iter().map(|label| {
            let values: StringArray = table_files
                .iter()
                .map(|table_file| value(table_file, label))
                .collect();
            Ok(cast(&values, &data_type)?)
        });
        let arrays: Vec<ArrayRef> = arrays.collect::<Result<_>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(table_files.len()));
        let schema = Arc::new(Schema::new(fields.clone()));
        let partition_values = RecordBatch::try_new_with_options(schema, arrays, &options)?;
        let files = table_files.iter().map(|table_file| {
            let values = labels.iter().map(|label| {
                wrap_partition_value_in_dict(ScalarValue::Utf8(value(table_file, label)))
            });
            Ok(partitioned_file(&table_file.found.path)?.with_partition_values(values.collect()))
        });
        let files = files.collect::<Result<_>>()?;
        let in_files = columns.fields().iter().map(|field| match &**field.name() {
            RECORDING_ID => Arc::new(field.as_ref().clone().with_nullable(true)),
            _ => Arc::clone(field),
        });
        let in_files = Arc::new(Schema::new(in_files.collect::<Vec<_>>()));
        Ok(Self {
            schema: TableSchema::builder(in_files)
                .with_table_partition_cols(fields.into_iter().map(Arc::new).collect::<Vec<_>>())
                .build(),
            files,
            partition_values,
        })
    }
}

#[async_trait]
impl TableProvider for FileTable {
    fn schema(&self) -> SchemaRef {
        self.schema.table_schema().clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(pruning::supported(filters, &self.partition_values.schema()))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let matching =
            pruning::matching_recordings(state, filters, &self.partition_values)?.into_iter();
        let files = matching.filter_map(|index| self.files.get(index).cloned());
        let files: Vec<_> = files.collect();
        if files.is_empty() {
            let schema = project_schema(&self.schema(), projection)?;
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let format = ParquetFormat::default();
        let source = format.file_source(self.schema.clone());
        let groups = FileGroup::new(files).split_files(state.config().target_partitions());
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source)
            .with_file_groups(groups)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        format.create_physical_plan(state, config).await
    }
}
