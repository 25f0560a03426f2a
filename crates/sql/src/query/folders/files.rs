//! A table that lies in Parquet files.

use super::names::{Part, Recording};
use arrow::datatypes::{DataType, Field, SchemaRef};
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
use datafusion::logical_expr::{Expr, TableType, ident};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::prelude::SessionContext;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// The column that names a recording.
const FILE: &str = "file";

/// A column that no table and no tag can be called by: what stands instead in
/// [`FILE`].
const INSTEAD: &str = "instead of file";

/// A table whose rows lie in files, with columns for tags, and these names
/// instead of those in the files.
pub(super) fn table(
    context: &SessionContext,
    columns: SchemaRef,
    tags: &[String],
    parts: &[Part],
    names: &BTreeMap<Recording, String>,
) -> Result<Arc<dyn TableProvider>> {
    let word = wrap_partition_type_in_dict(DataType::Utf8);
    let tags = tags.iter().map(|tag| Field::new(tag, word.clone(), false));
    let instead = (!names.is_empty()).then(|| Field::new(INSTEAD, DataType::Utf8, true));
    let labels = tags.chain(instead).map(Arc::new);
    let labels: Vec<_> = labels.collect();
    let files = parts.iter().map(|part| {
        let tags =
            part.found.tags.iter().map(|(_, value)| {
                wrap_partition_value_in_dict(ScalarValue::Utf8(Some(value.clone())))
            });
        let instead = names.get(&part.recording).cloned();
        let instead = (!names.is_empty()).then_some(ScalarValue::Utf8(instead));
        Ok(file(&part.found.path)?.with_partition_values(tags.chain(instead).collect()))
    });
    let files = Files {
        files: FileGroup::new(files.collect::<Result<_>>()?),
        schema: TableSchema::builder(columns)
            .with_table_partition_cols(labels)
            .build(),
    };
    if names.is_empty() {
        return Ok(Arc::new(files));
    }
    let schema = files.schema();
    let kind = schema.field_with_name(FILE)?.data_type().clone();
    let columns = schema.fields().iter().map(|field| match &**field.name() {
        FILE => {
            let name = coalesce(vec![ident(INSTEAD), ident(FILE)]);
            datafusion::logical_expr::cast(name, kind.clone()).alias(FILE)
        }
        name => ident(name),
    });
    let columns: Vec<Expr> = columns.take(schema.fields().len() - 1).collect();
    let frame = context.read_table(Arc::new(files))?;
    Ok(frame.select(columns)?.into_view())
}

/// A file, whose name can have any characters.
fn file(path: &Path) -> Result<PartitionedFile> {
    let size = path.metadata()?.len();
    let url = Url::from_file_path(std::path::absolute(path)?);
    let named = |()| DataFusionError::Plan(format!("{}: not a file", path.display()));
    let url = ListingTableUrl::try_new(url.map_err(named)?, None)?;
    let mut file = PartitionedFile::new("", size);
    file.object_meta.location = url.prefix().clone();
    Ok(file)
}

/// Files of a table.
#[derive(Debug)]
struct Files {
    schema: TableSchema,
    files: FileGroup,
}

#[async_trait]
impl TableProvider for Files {
    fn schema(&self) -> SchemaRef {
        self.schema.table_schema().clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if self.files.is_empty() {
            let schema = project_schema(&self.schema(), projection)?;
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let format = ParquetFormat::default();
        let source = format.file_source(self.schema.clone());
        let groups = self.files.clone();
        let groups = groups.split_files(state.config().target_partitions());
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source)
            .with_file_groups(groups)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        format.create_physical_plan(state, config).await
    }
}
