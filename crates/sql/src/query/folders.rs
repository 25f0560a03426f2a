//! Datasets: folders of tables that `rtoscope export --to parquet` wrote.

use crate::arrow::schema;
use arrow::datatypes::DataType;
use datafusion::catalog::TableProvider;
use datafusion::common::plan_err;
use datafusion::datasource::empty::EmptyTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::datasource::physical_plan::wrap_partition_type_in_dict;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionContext;
use rtoscope_tables::Table;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// Whether a folder is a dataset: it has a folder for a table.
pub(super) fn is_dataset(path: &Path) -> bool {
    path.join(Table::Trace.name()).is_dir()
}

/// Registers the tables of datasets by their names. Tags are columns.
pub(super) async fn register(context: &SessionContext, folders: &[PathBuf]) -> Result<()> {
    for &table in Table::ALL {
        let paths = folders.iter().map(|folder| folder.join(table.name()));
        let urls = paths.filter(|path| path.is_dir()).map(|path| url(&path));
        let urls: Vec<_> = urls.collect::<Result<_>>()?;
        let provider: Arc<dyn TableProvider> = if urls.is_empty() {
            Arc::new(EmptyTable::new(schema(table)))
        } else {
            let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
                .with_file_extension(".parquet")
                .with_table_partition_cols(tags(context, &urls).await?);
            let config = ListingTableConfig::new_with_multi_paths(urls);
            let config = config.with_listing_options(options);
            let config = config.infer_schema(&context.state()).await?;
            Arc::new(ListingTable::try_new(config)?)
        };
        context.register_table(table.name(), provider)?;
    }
    Ok(())
}

/// The columns of the tags by which the folders below these are called.
async fn tags(
    context: &SessionContext,
    folders: &[ListingTableUrl],
) -> Result<Vec<(String, DataType)>> {
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()));
    let mut tags: Option<Vec<String>> = None;
    for folder in folders {
        let found = options.infer_partitions(&context.state(), folder).await?;
        if tags.get_or_insert_with(|| found.clone()) != &found {
            return plan_err!("the datasets have different tags, which cannot be asked together");
        }
    }
    let word = |tag| (tag, wrap_partition_type_in_dict(DataType::Utf8));
    Ok(tags.unwrap_or_default().into_iter().map(word).collect())
}

/// A folder, whose name can have any characters.
fn url(folder: &Path) -> Result<ListingTableUrl> {
    let absolute = std::path::absolute(folder)?;
    let url = Url::from_directory_path(&absolute);
    let named = |()| DataFusionError::Plan(format!("{}: not a folder", folder.display()));
    ListingTableUrl::try_new(url.map_err(named)?, None)
}
