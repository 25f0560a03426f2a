//! The files of the tables in one version, for an engine that reads them by itself.

use crate::bucket_conditions::BucketConditions;
use crate::query;
use crate::schema::{DEVICE, PARTITIONS};
use crate::traces::TraceTables;
use anyhow::{Context as _, ensure};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use futures::TryStreamExt as _;
use object_store::path::Path;
use rtoscope_sql::query::DeltaTable;
use serde_json::Value;
use std::sync::Arc;
use url::Url;

/// The name of the Delta table in SQL.
pub const TRACES: &str = DeltaTable::NAME;

/// The tables in one version: their columns and exactly their files.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The URL of the tables.
    pub url: Url,
    /// All columns of the table [`TRACES`], in its order.
    pub schema: SchemaRef,
    /// The files, in the order of their paths.
    pub files: Vec<SnapshotFile>,
    /// Which conditions on the partition columns follow from those on the device.
    pub bucket_conditions: BucketConditions,
    views: Vec<String>,
}

/// A file with rows of one partition.
#[derive(Debug, Clone)]
pub struct SnapshotFile {
    /// The path in its store.
    pub path: Path,
    /// Its size.
    pub bytes: u64,
    /// The time when it was written, in milliseconds since 1970.
    pub modified_ms: i64,
    /// The values of [`Snapshot::partition_columns`].
    pub partition: [String; 3],
    /// The first and the last device, if the log states them.
    pub devices: Option<(String, String)>,
}

impl Snapshot {
    /// Reads the log of the tables, at a version if it is given.
    ///
    /// # Errors
    ///
    /// If there are no tables of rtoscope, or if Parquet files alone do not determine their rows.
    pub async fn open(root: &str, version: Option<u64>) -> anyhow::Result<Self> {
        let tables = TraceTables::open(root, version).await?;
        let configuration = tables.table.snapshot()?.metadata().configuration();
        let mapping = configuration.get("delta.columnMapping.mode");
        ensure!(
            mapping.is_none_or(|mode| mode == "none"),
            "{}: tables with mapped columns cannot be read on a cluster",
            tables.root.url
        );
        let views: Vec<_> = query::views(&tables.columns()?).collect();
        let provider = tables.table.table_provider().await?;
        let views_and_schema = (views, plain_schema(&provider.schema()));
        let stream = tables.table.get_active_add_actions_by_partitions(&[]);
        let mut files: Vec<_> = stream
            .map_err(anyhow::Error::from)
            .and_then(async |file| {
                let path = file.path();
                ensure!(
                    file.deletion_vector_descriptor().is_none(),
                    "{path}: rows of this file are deleted in the log only, which executors do not \
                     read; rewrite the file with the engine that deleted them"
                );
                let mut values = file.partition_values_map();
                let mut value = |name: &str| {
                    let value = values.remove(name).flatten();
                    value.with_context(|| format!("{path}: no {name}"))
                };
                let [table, day, bucket] = PARTITIONS;
                Ok(SnapshotFile {
                    partition: [value(table)?, value(day)?, value(bucket)?],
                    path: tables.root.join(&path).path,
                    bytes: u64::try_from(file.size())?,
                    modified_ms: file.modification_time(),
                    devices: file.stats().and_then(|text| devices(&text)),
                })
            })
            .try_collect()
            .await?;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let (views, schema) = views_and_schema;
        Ok(Self {
            url: tables.root.url,
            schema,
            files,
            views,
            bucket_conditions: BucketConditions(tables.bucket_digits),
        })
    }

    /// The columns whose values are the same for all rows of a file: the table's name, the day and
    /// the bucket.
    pub fn partition_columns() -> [&'static str; 3] {
        PARTITIONS
    }

    /// The column by which files are sorted.
    pub fn device_column() -> &'static str {
        DEVICE
    }

    /// The statements that create the view of each table on [`TRACES`].
    pub fn views(&self) -> &[String] {
        &self.views
    }
}

/// The first and the last device in the statistics of a file. Writers may cut long texts; then
/// the first one is a prefix, and the last one is not smaller than any.
fn devices(statistics: &str) -> Option<(String, String)> {
    let statistics: Value = serde_json::from_str(statistics).ok()?;
    let value = |key: &str| {
        let value = statistics.get(key)?.get(DEVICE)?.as_str();
        value.map(str::to_owned)
    };
    Some((value("minValues")?, value("maxValues")?))
}

/// The schema with the types of files and their partitions: texts are neither views of buffers nor
/// in dictionaries.
fn plain_schema(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| {
        let data_type = match field.data_type() {
            DataType::Utf8View => DataType::Utf8,
            DataType::Dictionary(_, value) => value.as_ref().clone(),
            other => other.clone(),
        };
        Field::new(field.name(), data_type, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_may_lack_the_device() {
        let both =
            r#"{"numRecords": 3, "minValues": {"device": "a"}, "maxValues": {"device": "b"}}"#;
        assert_eq!(devices(both), Some(("a".to_owned(), "b".to_owned())));
        for other in [
            "",
            "{}",
            r#"{"minValues": {"device": "a"}}"#,
            r#"{"minValues": {"device": 1}, "maxValues": {"device": 2}}"#,
        ] {
            assert_eq!(devices(other), None, "{other}");
        }
    }
}
