//! `rtoscope compact`: merges the small files of each partition into large ones, sorted by
//! device, and removes files that nothing refers to.

use crate::ingest::file_writer::{ROW_GROUP_ROWS, arrow_writer};
use crate::partition::{Day, Partition};
use crate::schema::{BUCKET, DAY, DEVICE, TABLE, file_schema};
use crate::store::Location;
use crate::traces::{CommitOutcome, NewFile, StoredFile, TraceTables};
use anyhow::{Context as _, ensure};
use arrow::array::{ArrayRef, AsArray as _, RecordBatch, new_null_array};
use arrow::datatypes::SchemaRef;
use clap::Args;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use rtoscope_command::input::{parse_duration, parse_size};
use rtoscope_command::message;
use rtoscope_tables::Table;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Rows that are read at a time.
const BATCH_ROWS: usize = 1 << 14;

/// Attempts to commit, after commits of other processes.
const MAX_ATTEMPTS: usize = 100;

#[derive(Args)]
pub(crate) struct CompactArgs {
    /// Folder or URL of the tables
    tables: String,

    /// Size of the files to write; files of at least half of it stay
    #[arg(long, value_name = "SIZE", default_value = "384MB", value_parser = parse_size)]
    target_size: u64,

    /// Remove files that no version of the tables of this time refers to, such as 168h; readers and
    /// writers that started before lose their files
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    vacuum: Option<Duration>,
}

/// Runs the command.
///
/// # Errors
///
/// If the tables cannot be read or written. Each partition is merged by a commit of its own.
pub(crate) fn run(arguments: &CompactArgs) -> anyhow::Result<()> {
    let runtime = Runtime::new().context("cannot start threads")?;
    let mut tables = runtime.block_on(TraceTables::open(&arguments.tables, None))?;
    let groups = runtime.block_on(small_files(&tables, arguments.target_size))?;
    let (mut before, mut after) = (0, 0);
    for ((table, partition), files) in groups {
        let merged = Merge {
            runtime: &runtime,
            table,
            partition: &partition,
            target_size: arguments.target_size,
        };
        let new = merged.files(&tables, &files)?;
        let count = new.len();
        if merged.commit(&mut tables, new, &files)? {
            before += files.len();
            after += count;
        }
    }
    message!("{before} files merged into {after}");
    if let Some(retention) = arguments.vacuum {
        let removed = runtime.block_on(vacuum(&tables, retention))?;
        message!("{removed} unused files removed");
    }
    Ok(())
}

type Group = (Table, Partition);

/// The small files of each partition that has several.
async fn small_files(
    tables: &TraceTables,
    target_size: u64,
) -> anyhow::Result<BTreeMap<Group, Vec<StoredFile>>> {
    let mut groups: BTreeMap<Group, Vec<StoredFile>> = BTreeMap::new();
    for file in tables.files(None).await? {
        // Of a newer version of rtoscope.
        let Some(table) = Table::from_name(file.value(TABLE)?) else {
            continue;
        };
        if file.bytes < target_size / 2 {
            let day = Day::of(file.value(DAY)?)?;
            let bucket = file.value(BUCKET)?.to_owned();
            groups
                .entry((table, Partition { day, bucket }))
                .or_default()
                .push(file);
        }
    }
    groups.retain(|_, files| files.len() > 1);
    Ok(groups)
}

/// Merges the files of a partition.
struct Merge<'a> {
    runtime: &'a Runtime,
    table: Table,
    partition: &'a Partition,
    target_size: u64,
}

impl Merge<'_> {
    /// Writes the rows of files to new ones, sorted by device; those of a device stay in the order
    /// of the files.
    fn files(&self, tables: &TraceTables, files: &[StoredFile]) -> anyhow::Result<Vec<NewFile>> {
        let mut inputs = Vec::new();
        let mut tags = BTreeSet::new();
        for file in files {
            let path = file.path.clone();
            let local = self
                .runtime
                .block_on(local_copy(&tables.root.join(&path)))?;
            let builder = ParquetRecordBatchReaderBuilder::try_new(local).context(path.clone())?;
            tags.extend(self.tags(builder.schema()));
            let reader = builder.with_batch_size(BATCH_ROWS).build()?;
            inputs.push(Input::new(reader).context(path)?);
        }
        let schema = file_schema(self.table, &tags);
        let mut new = Vec::new();
        let mut output: Option<Output> = None;
        // The input whose next device is the first; of equal ones, the first input.
        while let Some(input) = first_input(&mut inputs) {
            let device = input.device()?.to_owned();
            if let Some(full) =
                output.take_if(|it| it.bytes() >= self.target_size && it.last != device)
            {
                new.push(self.upload(tables, full)?);
            }
            let output = match &mut output {
                Some(output) => output,
                none => none.insert(Output::new(&schema, &device)?),
            };
            while let Some(batch) = input.take(&device)? {
                output.write(&conform(&batch, &schema)?)?;
            }
            output.last = device;
        }
        if let Some(output) = output {
            new.push(self.upload(tables, output)?);
        }
        Ok(new)
    }

    /// The columns of a file that the table does not define.
    fn tags(&self, schema: &SchemaRef) -> Vec<String> {
        let own = file_schema(self.table, &BTreeSet::new());
        let names = schema.fields().iter().map(|field| field.name().clone());
        names
            .filter(|name| own.column_with_name(name).is_none())
            .collect()
    }

    fn upload(&self, tables: &TraceTables, output: Output) -> anyhow::Result<NewFile> {
        let name = format!("{}.parquet", Uuid::new_v4().simple());
        let path = format!("{}/{name}", self.partition.folder(self.table));
        let Output {
            writer,
            mut file,
            rows,
            first,
            last,
        } = output;
        writer.close()?;
        let bytes = file.metadata()?.len();
        file.rewind()?;
        self.runtime.block_on(tables.root.join(&path).write(file))?;
        Ok(NewFile {
            table: self.table,
            partition: self.partition.clone(),
            path,
            bytes,
            rows,
            devices: (first, last),
        })
    }

    /// Replaces the old files by the new ones, unless another process has replaced some of them.
    /// Returns whether it did.
    fn commit(
        &self,
        tables: &mut TraceTables,
        new: Vec<NewFile>,
        old: &[StoredFile],
    ) -> anyhow::Result<bool> {
        let details = [("compacted_files", old.len() as u64)];
        for _ in 0..MAX_ATTEMPTS {
            let removed = old.iter().map(StoredFile::removal).collect();
            let commit = tables.commit(&new, removed, &details);
            if self.runtime.block_on(commit)? == CommitOutcome::Committed {
                self.runtime.block_on(tables.update())?;
                return Ok(true);
            }
            self.runtime.block_on(tables.update())?;
            let present = self.runtime.block_on(tables.files(Some(self.table)))?;
            let present: HashSet<_> = present.into_iter().map(|file| file.path).collect();
            if !old.iter().all(|file| present.contains(&file.path)) {
                break;
            }
        }
        for file in &new {
            self.runtime
                .block_on(tables.root.join(&file.path).delete())?;
        }
        message!(
            "{}: left to another process",
            self.partition.folder(self.table)
        );
        Ok(false)
    }
}

/// A file with the bytes of an object.
async fn local_copy(object: &Location) -> anyhow::Result<File> {
    if let Some(path) = object.local_path() {
        return File::open(&path).with_context(|| path.display().to_string());
    }
    let mut file = tempfile::tempfile().context("cannot create a temporary file")?;
    file.write_all(&object.read().await?)?;
    file.rewind()?;
    Ok(file)
}

/// A file to merge, at a row.
struct Input {
    reader: ParquetRecordBatchReader,
    /// The rest of a batch, with at least one row; `None` at the end.
    batch: Option<RecordBatch>,
}

impl Input {
    fn new(reader: ParquetRecordBatchReader) -> anyhow::Result<Self> {
        let mut input = Self {
            reader,
            batch: None,
        };
        input.advance()?;
        Ok(input)
    }

    fn advance(&mut self) -> anyhow::Result<()> {
        self.batch = None;
        for batch in self.reader.by_ref() {
            let batch = batch?;
            if batch.num_rows() > 0 {
                self.batch = Some(batch);
                break;
            }
        }
        Ok(())
    }

    /// The device of the next row.
    fn device(&self) -> anyhow::Result<&str> {
        let batch = self.batch.as_ref().context("no row")?;
        let devices = batch
            .column_by_name(DEVICE)
            .and_then(|it| it.as_string_opt::<i32>());
        Ok(devices.context("no column `device`")?.value(0))
    }

    /// The next rows of a device, in the same batch.
    fn take(&mut self, device: &str) -> anyhow::Result<Option<RecordBatch>> {
        let Some(batch) = &self.batch else {
            return Ok(None);
        };
        let devices = batch
            .column_by_name(DEVICE)
            .and_then(|it| it.as_string_opt::<i32>());
        let devices = devices.context("no column `device`")?;
        let count = devices.iter().take_while(|it| *it == Some(device)).count();
        if count == 0 {
            ensure!(devices.value(0) > device, "rows are not sorted by device");
            return Ok(None);
        }
        let taken = batch.slice(0, count);
        match count == batch.num_rows() {
            true => self.advance()?,
            false => self.batch = Some(batch.slice(count, batch.num_rows() - count)),
        }
        Ok(Some(taken))
    }
}

fn first_input(inputs: &mut [Input]) -> Option<&mut Input> {
    let inputs = inputs.iter_mut().filter(|input| input.batch.is_some());
    inputs.min_by(|one, other| {
        let device = |input: &Input| input.device().map(str::to_owned).unwrap_or_default();
        device(one).cmp(&device(other))
    })
}

/// A new file.
struct Output {
    writer: ArrowWriter<File>,
    file: File,
    rows: u64,
    first: String,
    last: String,
}

impl Output {
    fn new(schema: &SchemaRef, device: &str) -> anyhow::Result<Self> {
        let file = tempfile::tempfile().context("cannot create a temporary file")?;
        Ok(Self {
            writer: arrow_writer(file.try_clone()?, schema)?,
            file,
            rows: 0,
            first: device.to_owned(),
            last: device.to_owned(),
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        self.rows += batch.num_rows() as u64;
        Ok(self.writer.write(batch)?)
    }

    /// The size so far, approximately: rows of a group that is not full count as in memory.
    fn bytes(&self) -> u64 {
        debug_assert!(self.writer.in_progress_rows() <= ROW_GROUP_ROWS);
        (self.writer.bytes_written() + self.writer.in_progress_size()) as u64
    }
}

/// A batch with all columns of a schema.
fn conform(batch: &RecordBatch, schema: &SchemaRef) -> anyhow::Result<RecordBatch> {
    let column = |name: &str, data_type| -> ArrayRef {
        match batch.column_by_name(name) {
            Some(array) => Arc::clone(array),
            None => new_null_array(data_type, batch.num_rows()),
        }
    };
    let fields = schema.fields().iter();
    let columns = fields.map(|field| column(field.name(), field.data_type()));
    Ok(RecordBatch::try_new(Arc::clone(schema), columns.collect())?)
}

/// Removes files that no version of a time refers to; returns their number.
async fn vacuum(tables: &TraceTables, retention: Duration) -> anyhow::Result<usize> {
    let retention = chrono::Duration::from_std(retention)?;
    let vacuum = tables.table.clone().vacuum();
    let vacuum = vacuum
        .with_retention_period(retention)
        .with_enforce_retention_duration(false);
    let (_, metrics) = vacuum.await.context("cannot remove unused files")?;
    Ok(metrics.files_deleted.len())
}
