//! The Delta table with all tables of traces: opens and creates it, and commits files.

use crate::partition::{BucketDigits, Partition};
use crate::schema::{self, BUCKET, DEVICE, PARTITIONS, RECORDING_ID, TABLE};
use crate::store::{self, Location};
use anyhow::{Context as _, bail, ensure};
use arrow::array::AsArray as _;
use arrow::datatypes::{DataType as ArrowType, Field};
use deltalake_core::kernel::transaction::{CommitBuilder, TransactionError};
use deltalake_core::kernel::{
    Action, Add, DataType, PrimitiveType, Remove, StructField, StructType,
};
use deltalake_core::operations::create::CreateBuilder;
use deltalake_core::protocol::{DeltaOperation, SaveMode};
use deltalake_core::{DeltaTable, DeltaTableBuilder, DeltaTableError};
use futures::TryStreamExt as _;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rtoscope_command::message;
use rtoscope_tables::Table;
use serde_json::json;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The property of the table with the digits of buckets.
const BUCKET_DIGITS: &str = "rtoscope.bucketDigits";

/// Commits between two checkpoints of the log.
const CHECKPOINT_INTERVAL: &str = "20";

/// The tables of traces.
pub(crate) struct TraceTables {
    pub(crate) table: DeltaTable,
    pub(crate) root: Location,
    pub(crate) bucket_digits: BucketDigits,
}

/// A file that was written, and is not yet part of the tables.
#[derive(Debug, Clone)]
pub(crate) struct NewFile {
    pub(crate) table: Table,
    pub(crate) partition: Partition,
    /// Relative to the root.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    pub(crate) rows: u64,
    /// The first and the last device, by which the rows are sorted.
    pub(crate) devices: (String, String),
}

impl NewFile {
    fn add(&self, is_new_data: bool) -> Add {
        let statistics = json!({
            "numRecords": self.rows,
            "minValues": { DEVICE: self.devices.0 },
            "maxValues": { DEVICE: self.devices.1 },
            "nullCount": { DEVICE: 0 },
        });
        let values = self.partition.values(self.table);
        Add {
            path: self.path.clone(),
            partition_values: values
                .map(|(key, value)| (key.to_owned(), Some(value)))
                .into(),
            size: i64::try_from(self.bytes).unwrap_or(i64::MAX),
            modification_time: chrono::Utc::now().timestamp_millis(),
            data_change: is_new_data,
            stats: Some(statistics.to_string()),
            ..Add::default()
        }
    }
}

/// A file of the tables.
#[derive(Debug, Clone)]
pub(crate) struct StoredFile {
    /// Relative to the root.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    /// The values of the partition columns.
    pub(crate) partition: HashMap<String, Option<String>>,
}

impl StoredFile {
    /// The value of a partition column.
    pub(crate) fn value(&self, name: &str) -> anyhow::Result<&str> {
        let value = self.partition.get(name).and_then(Option::as_deref);
        value.with_context(|| format!("{}: no {name}", self.path))
    }

    /// Removes the file, whose rows are in other files.
    pub(crate) fn removal(&self) -> Remove {
        Remove {
            path: self.path.clone(),
            data_change: false,
            deletion_timestamp: Some(chrono::Utc::now().timestamp_millis()),
            extended_file_metadata: Some(true),
            partition_values: Some(self.partition.clone()),
            size: i64::try_from(self.bytes).ok(),
            ..Remove::default()
        }
    }
}

/// Whether a commit became part of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommitOutcome {
    Committed,
    /// Another process has committed since the tables were read.
    Conflict,
}

impl TraceTables {
    /// Opens the tables, at a version if it is given.
    ///
    /// # Errors
    ///
    /// If there are none, or they are not those of rtoscope.
    pub(crate) async fn open(root: &str, version: Option<u64>) -> anyhow::Result<Self> {
        let root = Location::parse(root)?;
        let tables = Self::load(root.clone(), version).await?;
        tables.with_context(|| format!("{}: no tables; `rtoscope ingest` writes them", root.url))
    }

    /// Opens the tables, or creates them, and adds columns for new tags.
    ///
    /// # Errors
    ///
    /// If the tables cannot be read or written, or have another number of digits.
    pub(crate) async fn open_or_create(
        root: &str,
        tags: &BTreeSet<String>,
        bucket_digits: Option<BucketDigits>,
    ) -> anyhow::Result<Self> {
        let root = Location::parse(root)?;
        if let Some(path) = root.local_path() {
            std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        }
        if Self::load(root.clone(), None).await?.is_none() {
            let digits = match bucket_digits {
                Some(digits) => digits,
                None => BucketDigits::new(1)?,
            };
            create(&root, tags, digits).await?;
        }
        let tables = Self::load(root.clone(), None).await?;
        let mut tables = tables.with_context(|| format!("{}: no tables", root.url))?;
        if let Some(digits) = bucket_digits.filter(|digits| *digits != tables.bucket_digits) {
            bail!(
                "{}: the tables have buckets of {} digits, not {digits}",
                root.url,
                tables.bucket_digits
            );
        }
        tables.add_columns(tags).await?;
        Ok(tables)
    }

    async fn load(root: Location, version: Option<u64>) -> anyhow::Result<Option<Self>> {
        store::register();
        let mut builder = DeltaTableBuilder::from_url(root.url.clone())?;
        if let Some(version) = version {
            builder = builder.with_version(version);
        }
        let table = match builder.load().await {
            Ok(table) => table,
            Err(DeltaTableError::NotATable(_)) => return Ok(None),
            Err(error) => return Err(error).with_context(|| root.url.to_string()),
        };
        let properties = table.snapshot()?.metadata().configuration();
        let digits = properties.get(BUCKET_DIGITS);
        let digits = digits.with_context(|| format!("{}: not written by rtoscope", root.url))?;
        Ok(Some(Self {
            bucket_digits: digits.parse()?,
            table,
            root,
        }))
    }

    /// Reads what other processes have committed.
    pub(crate) async fn update(&mut self) -> anyhow::Result<()> {
        self.table.update_state().await?;
        Ok(())
    }

    /// The names of all columns.
    pub(crate) fn columns(&self) -> anyhow::Result<BTreeSet<String>> {
        let schema = self.table.snapshot()?.schema();
        Ok(schema.fields().map(|field| field.name().clone()).collect())
    }

    /// Adds the columns that the tables lack: those of new tags and of a newer rtoscope. Another
    /// process may do the same.
    async fn add_columns(&mut self, tags: &BTreeSet<String>) -> anyhow::Result<()> {
        const ATTEMPTS: usize = 10;
        for _ in 0..ATTEMPTS {
            let known = self.columns()?;
            let fields = schema::data_fields(tags);
            let missing = fields.iter().filter(|it| !known.contains(it.name()));
            let missing: Vec<_> = missing.map(delta_field).collect::<Result<_, _>>()?;
            if missing.is_empty() {
                return Ok(());
            }
            let added = self.table.clone().add_columns().with_fields(missing).await;
            self.update().await?;
            if let Err(error) = added
                && !is_conflict(&error)
            {
                return Err(error).context("cannot add columns");
            }
        }
        bail!("other processes change the columns of the tables all the time")
    }

    /// The files of a table, or of all.
    pub(crate) async fn files(&self, table: Option<Table>) -> anyhow::Result<Vec<StoredFile>> {
        let files = self.table.get_active_add_actions_by_partitions(&[]);
        let files = files.map_ok(|file| StoredFile {
            path: file.path().into_owned(),
            bytes: u64::try_from(file.size()).unwrap_or_default(),
            partition: file.partition_values_map(),
        });
        let mut files: Vec<_> = files.try_collect().await?;
        if let Some(table) = table {
            files.retain(|file| file.value(TABLE).is_ok_and(|name| name == table.name()));
        }
        Ok(files)
    }

    /// The different values of a text column of `recordings`.
    pub(crate) async fn recordings_values(&self, column: &str) -> anyhow::Result<HashSet<String>> {
        let mut values = HashSet::new();
        for file in self.files(Some(Table::Recordings)).await? {
            values.extend(self.values(&file.path, column).await?);
        }
        Ok(values)
    }

    /// The values of a text column of a file.
    async fn values(&self, path: &str, column: &str) -> anyhow::Result<Vec<String>> {
        let bytes = self.root.join(path).read().await?;
        let read = || -> anyhow::Result<Vec<String>> {
            let builder = ParquetRecordBatchReaderBuilder::try_new(bytes)?;
            let mask = ProjectionMask::columns(builder.parquet_schema(), [column]);
            let mut values = Vec::new();
            for batch in builder.with_projection(mask).build()? {
                let batch = batch?;
                let texts = batch.column(0).as_string_opt::<i32>();
                let texts = texts.context("not a text")?.iter();
                values.extend(texts.flatten().map(str::to_owned));
            }
            Ok(values)
        };
        read().with_context(|| format!("{path}: {column}"))
    }

    /// Commits files and removes others, unless another process has committed since the tables
    /// were read.
    ///
    /// # Errors
    ///
    /// If the store fails; then it is unknown whether the commit was made.
    pub(crate) async fn commit(
        &self,
        new: &[NewFile],
        removed: Vec<Remove>,
        details: &[(&str, u64)],
    ) -> anyhow::Result<CommitOutcome> {
        let is_new_data = removed.is_empty();
        let operation = if is_new_data {
            DeltaOperation::Write {
                mode: SaveMode::Append,
                partition_by: Some(PARTITIONS.map(str::to_owned).into()),
                predicate: None,
            }
        } else {
            DeltaOperation::Optimize {
                predicate: None,
                target_size: 0,
            }
        };
        let added = new.iter().map(|file| Action::Add(file.add(is_new_data)));
        let actions = removed
            .into_iter()
            .map(Action::Remove)
            .chain(added)
            .collect();
        let details = details
            .iter()
            .map(|(key, number)| ((*key).to_owned(), json!(number)));
        let details = HashMap::from([("rtoscope".to_owned(), details.collect())]);
        let commit = CommitBuilder::default()
            .with_actions(actions)
            .with_app_metadata(details)
            // A conflict has to be looked at.
            .with_max_retries(0)
            .build(
                Some(self.table.snapshot()?),
                self.table.log_store(),
                operation,
            );
        match commit.await {
            Ok(_) => Ok(CommitOutcome::Committed),
            Err(error) if is_conflict(&error) => Ok(CommitOutcome::Conflict),
            Err(error) => Err(error).context("cannot commit"),
        }
    }

    /// Deletes files that no commit has; whatever remains is removed by `compact --vacuum`.
    pub(crate) async fn discard(&self, files: &[NewFile]) {
        for file in files {
            if let Err(error) = self.root.join(&file.path).delete().await {
                message!("{error:#}");
            }
        }
    }
}

fn is_conflict(error: &DeltaTableError) -> bool {
    match error {
        DeltaTableError::Transaction { source } => matches!(
            source,
            TransactionError::VersionAlreadyExists(_)
                | TransactionError::MaxCommitAttempts(_)
                | TransactionError::CommitConflict(_)
        ),
        DeltaTableError::VersionAlreadyExists(_) => true,
        _ => false,
    }
}

/// Creates the tables. Another process may do the same.
async fn create(
    root: &Location,
    tags: &BTreeSet<String>,
    digits: BucketDigits,
) -> anyhow::Result<()> {
    let partitions = PARTITIONS.map(|name| match name {
        schema::DAY => StructField::new(name, DataType::DATE, true),
        name => StructField::new(name, DataType::STRING, true),
    });
    let fields = schema::data_fields(tags);
    let fields: Vec<_> = fields.iter().map(delta_field).collect::<Result<_, _>>()?;
    let names = StructType::try_new(partitions.iter().chain(&fields).cloned())?;
    ensure!(
        names.num_fields() == partitions.len() + fields.len(),
        "two columns have one name"
    );
    let properties = [
        (BUCKET_DIGITS, digits.to_string()),
        ("delta.checkpointInterval", CHECKPOINT_INTERVAL.to_owned()),
        (
            "delta.dataSkippingStatsColumns",
            format!("{DEVICE},{BUCKET}"),
        ),
    ];
    let created = CreateBuilder::new()
        .with_location(root.url.as_str())
        .with_table_name("traces")
        .with_comment("Event traces of real-time operating systems, written by rtoscope")
        .with_columns(partitions.into_iter().chain(fields))
        .with_partition_columns(PARTITIONS)
        .with_configuration(properties.map(|(key, value)| (key.to_owned(), Some(value))))
        .with_raise_if_key_not_exists(false)
        .await;
    match created {
        Ok(_) => Ok(()),
        Err(error) if is_conflict(&error) => Ok(()),
        // The other process was first.
        Err(_) if TraceTables::load(root.clone(), None).await?.is_some() => Ok(()),
        Err(error) => Err(error).with_context(|| format!("{}: cannot create tables", root.url)),
    }
}

fn delta_field(field: &Field) -> anyhow::Result<StructField> {
    let data_type = match field.data_type() {
        ArrowType::Boolean => DataType::BOOLEAN,
        ArrowType::Int64 => DataType::LONG,
        ArrowType::Float64 => DataType::DOUBLE,
        ArrowType::Utf8 => DataType::STRING,
        ArrowType::Decimal128(precision, scale) => {
            let scale = u8::try_from(*scale)?;
            DataType::Primitive(PrimitiveType::decimal(*precision, scale)?)
        }
        other => bail!("{}: no type of Delta Lake for {other}", field.name()),
    };
    Ok(StructField::new(field.name(), data_type, true))
}

/// The recordings that the tables contain. Reads each file of `recordings` once.
#[derive(Default)]
pub(crate) struct KnownRecordings {
    ids: HashSet<String>,
    read: HashSet<String>,
}

impl KnownRecordings {
    pub(crate) fn contains(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Adds the recordings of files that were not read before.
    pub(crate) async fn update(&mut self, tables: &TraceTables) -> anyhow::Result<()> {
        for file in tables.files(Some(Table::Recordings)).await? {
            if self.read.contains(&file.path) {
                continue;
            }
            self.ids
                .extend(tables.values(&file.path, RECORDING_ID).await?);
            self.read.insert(file.path);
        }
        Ok(())
    }
}
