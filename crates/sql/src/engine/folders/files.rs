//! Tables in Parquet files.

use super::listing::DatasetFolders;
use super::names::RecordingNames;
use super::tags::TagColumn;
use crate::arrow::data_type;
use crate::engine::pruning;
use crate::engine::table_columns::{FILE, RECORDING_ID};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, project_schema};
use datafusion::datasource::file_format::FileFormat as _;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingTableUrl, PartitionedFile};
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::FunctionRegistry as _;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::functions::string::expr_fn::{concat, ltrim};
use datafusion::logical_expr::{
    Expr, ScalarUDF, TableProviderFilterPushDown, TableType, ident, lit, when,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::prelude::SessionContext;
use rtoscope_command::export::dataset::TICKS_PER_SECOND;
use rtoscope_tables::{ColumnType, Derivation, Table};
use rtoscope_trace::printable::Printable;
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// Names of hidden columns, which no table or tag can have: values derived from
/// the path of a recording.
pub(super) const FILE_PREFIX: &str = "file prefix";
pub(super) const DATASET_PREFIX: &str = "recording_id prefix";
pub(super) const ID_FROM_PATH: &str = "recording_id from path";

/// The SQL function that converts ticks.
const TICKS_TO_NS: &str = "ticks_to_ns";

/// The files of a table, with hidden columns for what follows from their paths. Folders are
/// listed by the scans that need them.
#[derive(Debug)]
pub(in crate::engine) struct TableFiles {
    pub(super) table: Table,
    /// The number of columns of the table, without tags.
    columns: usize,
    schema: TableSchema,
    /// The columns with a value per file: tags and hidden ones.
    pub(super) partitions: SchemaRef,
    pub(super) tags: Arc<[TagColumn]>,
    pub(super) folders: Arc<DatasetFolders>,
    pub(super) names: Arc<RecordingNames>,
}

impl TableFiles {
    pub(super) fn new(
        table: Table,
        columns: &SchemaRef,
        tags: Arc<[TagColumn]>,
        folders: Arc<DatasetFolders>,
        names: Arc<RecordingNames>,
    ) -> Result<Self> {
        let nullable = |name: &str| Field::new(name, data_type(ColumnType::Dictionary), true);
        let in_paths = tags.iter().filter(|tag| tag.is_in_paths);
        let in_paths = in_paths.map(|tag| nullable(&tag.name_in_paths()));
        let hidden = [FILE_PREFIX, DATASET_PREFIX, ID_FROM_PATH].map(nullable);
        let partitions: Vec<_> = in_paths.chain(hidden).map(Arc::new).collect();
        // Files of older versions lack columns, and other tools do not keep which columns
        // have a value in every row.
        let in_files = columns.fields().iter();
        let in_files = in_files.map(|field| field.as_ref().clone().with_nullable(true));
        let in_files = in_files.chain([Field::new(TICKS_PER_SECOND, DataType::Int64, true)]);
        let tags_in_files = tags.iter().filter(|tag| tag.is_in_files);
        let in_files = in_files.chain(tags_in_files.map(|tag| nullable(&tag.key)));
        let in_files = Arc::new(Schema::new(in_files.collect::<Vec<_>>()));
        Ok(Self {
            table,
            columns: columns.fields().len(),
            schema: TableSchema::builder(in_files)
                .with_table_partition_cols(partitions.clone())
                .build(),
            partitions: Arc::new(Schema::new(partitions)),
            tags,
            folders,
            names,
        })
    }

    /// The table.
    pub(in crate::engine) fn table(&self) -> Table {
        self.table
    }

    /// The table as users see it.
    pub(super) fn view(
        self: Arc<Self>,
        context: &SessionContext,
    ) -> Result<Arc<dyn TableProvider>> {
        let columns = self.visible_columns(&*context.udf(TICKS_TO_NS)?)?;
        let frame = context.read_table(self)?;
        Ok(frame.select(columns)?.into_view())
    }

    /// The table with the columns that filters of scans use: the hidden ones, and
    /// `recording_id` as it is in the files.
    pub(super) fn view_for_filters(
        self: Arc<Self>,
        context: &SessionContext,
    ) -> Result<Arc<dyn TableProvider>> {
        let mut columns = self.visible_columns(&*context.udf(TICKS_TO_NS)?)?;
        let id = self.schema().index_of(RECORDING_ID)?;
        if let Some(column) = columns.get_mut(id) {
            *column = ident(RECORDING_ID);
        }
        let visible = |name: &str| self.tags.iter().any(|tag| tag.key == name);
        let hidden = self.partitions.fields().iter();
        let hidden = hidden.filter(|field| !visible(field.name()));
        columns.extend(hidden.map(|field| ident(field.name())));
        let frame = context.read_table(self)?;
        Ok(frame.select(columns)?.into_view())
    }

    fn visible_columns(&self, ticks_to_ns: &ScalarUDF) -> Result<Vec<Expr>> {
        let dictionary = data_type(ColumnType::Dictionary);
        let as_column = |value, name: &str| {
            datafusion::logical_expr::cast(value, dictionary.clone()).alias(name)
        };
        let schema = self.schema();
        let fields = schema.fields().iter().take(self.columns);
        let columns = fields.map(|field| match &**field.name() {
            FILE if self.names.has_prefixes() => {
                let prefixed = vec![ident(FILE_PREFIX), ltrim(vec![ident(FILE), lit("/")])];
                let mut name = when(ident(FILE_PREFIX).is_null(), ident(FILE));
                Ok(as_column(name.otherwise(concat(prefixed))?, FILE))
            }
            RECORDING_ID => {
                // Files of older versions lack the column.
                let id = coalesce(vec![ident(RECORDING_ID), ident(ID_FROM_PATH)]);
                let id = match self.names.has_datasets() {
                    true => concat(vec![ident(DATASET_PREFIX), id]),
                    false => id,
                };
                Ok(as_column(id, RECORDING_ID))
            }
            name => Ok(self.with_derivation(name, ticks_to_ns)),
        });
        let tags = self.tags.iter().map(|tag| {
            Ok(match tag.is_in_paths && tag.is_in_files {
                true => {
                    let values = vec![ident(tag.name_in_paths()), ident(&tag.key)];
                    as_column(coalesce(values), &tag.key)
                }
                false => ident(&tag.key),
            })
        });
        columns.chain(tags).collect()
    }

    /// A column that files lack if it follows from others.
    fn with_derivation(&self, name: &str, ticks_to_ns: &ScalarUDF) -> Expr {
        let derivation = self.table.column_index(name);
        let derivation = derivation.and_then(|column| self.table.derivation(column));
        let other = |column: usize| {
            let column = self.table.columns().get(column);
            column.map(|column| self.with_derivation(column.name, ticks_to_ns))
        };
        // The function takes frequencies as the table `recordings` has them.
        let hertz = || datafusion::logical_expr::cast(ident(TICKS_PER_SECOND), DataType::Float64);
        let derived = match derivation {
            None => None,
            Some(Derivation::Nanoseconds { ticks }) => {
                let ticks = other(ticks);
                ticks.map(|ticks| ticks_to_ns.call(vec![ticks, hertz()]))
            }
            Some(Derivation::Difference { end, start }) => {
                other(end).zip(other(start)).map(|(end, start)| end - start)
            }
        };
        match derived {
            None => ident(name),
            Some(derived) => coalesce(vec![ident(name), derived]).alias(name),
        }
    }
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

#[async_trait]
impl TableProvider for TableFiles {
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
        let exact = pruning::supported(filters, &self.partitions);
        let id = self.schema().field_with_name(RECORDING_ID)?.clone();
        let with_id = self
            .partitions
            .fields()
            .iter()
            .map(|it| it.as_ref().clone());
        let with_id = Schema::new(with_id.chain([id]).collect::<Vec<_>>());
        let inexact = pruning::supported(filters, &with_id);
        let supported = exact.into_iter().zip(inexact).map(|both| match both {
            (TableProviderFilterPushDown::Exact, _) => TableProviderFilterPushDown::Exact,
            // The files of some recordings are known by their names.
            (_, TableProviderFilterPushDown::Exact) => TableProviderFilterPushDown::Inexact,
            _ => TableProviderFilterPushDown::Unsupported,
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
        let missing = |missing| DataFusionError::External(Box::new(missing));
        self.folders.require(self.table).map_err(missing)?;
        let matching = self.matching_files(state, filters);
        let matching =
            matching.map_err(|error| DataFusionError::Execution(format!("{error:#}")))?;
        let files = matching.into_iter().map(|(file, values)| {
            Ok(partitioned_file(&file.found.path)?.with_partition_values(values))
        });
        // The error contains the names of the files.
        let escaped = |error: DataFusionError| {
            let error = error.to_string();
            DataFusionError::Execution(Printable::text(&error).to_string())
        };
        let files: Vec<_> = files.collect::<Result<_>>().map_err(escaped)?;
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
