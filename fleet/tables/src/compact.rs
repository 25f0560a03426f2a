//! `rtoscope compact`: merges the small files of each partition into large ones, sorted by
//! device.

use crate::ingest::file_writer::{ROW_GROUP_ROWS, arrow_writer};
use crate::partition::{Day, Partition};
use crate::schema::{BUCKET, DAY, DEVICE, TABLE, file_schema};
use crate::store::Location;
use crate::traces::{CommitOutcome, NewFile, StoredFile, TraceTables};
use crate::vacuum::vacuum;
use anyhow::{Context as _, bail, ensure};
use arrow::array::{ArrayRef, AsArray as _, RecordBatch, StringArray, new_null_array};
use arrow::datatypes::SchemaRef;
use clap::Args;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use rtoscope_command::input::{parse_duration, parse_size};
use rtoscope_command::message;
use rtoscope_tables::Table;
use std::cmp::Reverse;
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

/// Limits of the files that a commit replaces. A commit reads the log again, so that it has to
/// replace many; one that is interrupted is lost.
const MAX_COMMIT_FILES: usize = 4096;
const MAX_COMMIT_BYTES: u64 = 4 << 30;

#[derive(Args)]
pub(crate) struct CompactArgs {
    /// Folder or URL of the tables
    tables: String,

    /// Size of the files to write; files of at least half of it stay
    #[arg(long, value_name = "SIZE", default_value = "384MB", value_parser = parse_size)]
    target_size: u64,

    /// Remove files that no version of the tables of this time refers to, such as 168h, and bytes
    /// of recordings that the tables do not have; readers and writers that started before lose
    /// their files
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    vacuum: Option<Duration>,
}

/// Runs the command.
///
/// # Errors
///
/// If the tables cannot be read or written, or files cannot be merged: those of other partitions
/// are merged then.
pub(crate) fn run(arguments: &CompactArgs) -> anyhow::Result<()> {
    let runtime = Runtime::new().context("cannot start threads")?;
    let mut tables = runtime.block_on(TraceTables::open(&arguments.tables, None))?;
    let partitions = runtime.block_on(small_files(&tables, arguments.target_size))?;
    let (mut before, mut after, mut failed) = (0, 0, 0);
    for partitions in commits(partitions) {
        let merge = |small: SmallFiles| {
            let merge = Merge {
                runtime: &runtime,
                small: &small,
                target_size: arguments.target_size,
            };
            let new = merge.files(&tables);
            (small, new)
        };
        let mut merged = Vec::new();
        for (small, new) in rtoscope_trace::parallel::map(partitions, merge) {
            match new {
                Ok(new) => merged.push(Merged { small, new }),
                Err(error) => {
                    message!("{error:#}");
                    failed += 1;
                }
            }
        }
        for merged in commit(&runtime, &mut tables, merged)? {
            before += merged.small.files.len();
            after += merged.new.len();
        }
    }
    message!("{before} files merged into {after}");
    if failed > 0 {
        bail!("partitions whose files could not be merged and stay as they were: {failed}");
    }
    if let Some(retention) = arguments.vacuum {
        let removed = runtime.block_on(vacuum(&mut tables, retention))?;
        message!("{removed} unused files removed");
    }
    Ok(())
}

/// Several small files of a partition.
struct SmallFiles {
    table: Table,
    partition: Partition,
    files: Vec<StoredFile>,
}

impl SmallFiles {
    fn folder(&self) -> String {
        self.partition.folder(self.table)
    }

    fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The small files of each partition that has several.
async fn small_files(tables: &TraceTables, target_size: u64) -> anyhow::Result<Vec<SmallFiles>> {
    let mut partitions: BTreeMap<(Partition, Table), Vec<StoredFile>> = BTreeMap::new();
    for file in tables.files(None).await? {
        // Of a newer version of rtoscope.
        let Some(table) = Table::from_name(file.value(TABLE)?) else {
            continue;
        };
        if file.bytes < target_size / 2 {
            let day = Day::of(file.value(DAY)?)?;
            let bucket = file.value(BUCKET)?.to_owned();
            let files = partitions.entry((Partition { day, bucket }, table));
            files.or_default().push(file);
        }
    }
    let several = partitions.into_iter().filter(|(_, files)| files.len() > 1);
    let several = several.map(|((partition, table), files)| SmallFiles {
        table,
        partition,
        files,
    });
    Ok(several.collect())
}

/// Cuts the partitions into those of each commit; of these, the largest is first.
fn commits(partitions: Vec<SmallFiles>) -> Vec<Vec<SmallFiles>> {
    let mut commits: Vec<Vec<SmallFiles>> = Vec::new();
    let (mut files, mut bytes) = (0, 0);
    for small in partitions {
        files += small.files.len();
        bytes += small.bytes();
        match commits.last_mut() {
            Some(commit) if files <= MAX_COMMIT_FILES && bytes <= MAX_COMMIT_BYTES => {
                commit.push(small);
            }
            _ => {
                (files, bytes) = (small.files.len(), small.bytes());
                commits.push(vec![small]);
            }
        }
    }
    for commit in &mut commits {
        commit.sort_by_key(|small| Reverse(small.bytes()));
    }
    commits
}

/// Files of a partition, and those with the same rows that replace them.
struct Merged {
    small: SmallFiles,
    new: Vec<NewFile>,
}

/// Replaces the files of some partitions. If another process has replaced files of a partition, it
/// is left to that process. Returns what was replaced.
fn commit(
    runtime: &Runtime,
    tables: &mut TraceTables,
    mut merged: Vec<Merged>,
) -> anyhow::Result<Vec<Merged>> {
    for _ in 0..MAX_ATTEMPTS {
        if merged.is_empty() {
            return Ok(merged);
        }
        let new: Vec<_> = merged.iter().flat_map(|it| it.new.clone()).collect();
        let old = merged.iter().flat_map(|it| &it.small.files);
        let removed: Vec<_> = old.map(StoredFile::removal).collect();
        let details = [("compacted_files", removed.len() as u64)];
        let outcome = runtime.block_on(tables.commit(&new, removed, &details))?;
        runtime.block_on(tables.update())?;
        if outcome == CommitOutcome::Committed {
            return Ok(merged);
        }
        let present = runtime.block_on(tables.files(None))?;
        let present: HashSet<_> = present.into_iter().map(|file| file.path).collect();
        let is_present = |file: &StoredFile| present.contains(&file.path);
        let replaced = merged.extract_if(.., |it| !it.small.files.iter().all(is_present));
        for other in replaced.collect::<Vec<_>>() {
            message!("{}: left to another process", other.small.folder());
            runtime.block_on(tables.discard(&other.new));
        }
    }
    for merged in merged {
        runtime.block_on(tables.discard(&merged.new));
    }
    bail!("other processes commit all the time; repeat the command")
}

/// Merges the files of a partition.
struct Merge<'a> {
    runtime: &'a Runtime,
    small: &'a SmallFiles,
    target_size: u64,
}

impl Merge<'_> {
    /// Writes the rows of the files to new ones, sorted by device; those of a device stay in the
    /// order of the files.
    fn files(&self, tables: &TraceTables) -> anyhow::Result<Vec<NewFile>> {
        let mut inputs = Vec::new();
        let mut tags = BTreeSet::new();
        for file in &self.small.files {
            let path = file.path.clone();
            let local = self
                .runtime
                .block_on(local_copy(&tables.root.join(&path)))?;
            let builder = ParquetRecordBatchReaderBuilder::try_new(local).context(path.clone())?;
            tags.extend(self.tags(builder.schema()));
            let reader = builder.with_batch_size(BATCH_ROWS).build()?;
            inputs.push(Input::new(path, reader)?);
        }
        let schema = file_schema(self.small.table, &tags);
        let mut new = Vec::new();
        let written = self.write(tables, &schema, &mut inputs, &mut new);
        if written.is_err() {
            self.runtime.block_on(tables.discard(&new));
        }
        written.map(|()| new)
    }

    fn write(
        &self,
        tables: &TraceTables,
        schema: &SchemaRef,
        inputs: &mut [Input],
        new: &mut Vec<NewFile>,
    ) -> anyhow::Result<()> {
        let mut output: Option<Output> = None;
        // The input whose next device is the first; of equal ones, the first input.
        while let Some(input) = first_input(inputs) {
            let device = input.device()?.to_owned();
            if let Some(full) =
                output.take_if(|it| it.bytes() >= self.target_size && it.last != device)
            {
                new.push(self.upload(tables, full)?);
            }
            let output = match &mut output {
                Some(output) => output,
                none => none.insert(Output::new(schema, &device)?),
            };
            while let Some(batch) = input.take(&device)? {
                output.write(&conform(&batch, schema)?)?;
            }
            output.last = device;
        }
        if let Some(output) = output {
            new.push(self.upload(tables, output)?);
        }
        Ok(())
    }

    /// The columns of a file that the table does not define.
    fn tags(&self, schema: &SchemaRef) -> Vec<String> {
        let own = file_schema(self.small.table, &BTreeSet::new());
        let names = schema.fields().iter().map(|field| field.name().clone());
        names
            .filter(|name| own.column_with_name(name).is_none())
            .collect()
    }

    fn upload(&self, tables: &TraceTables, output: Output) -> anyhow::Result<NewFile> {
        let name = format!("{}.parquet", Uuid::new_v4().simple());
        let path = format!("{}/{name}", self.small.folder());
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
            table: self.small.table,
            partition: self.small.partition.clone(),
            path,
            bytes,
            rows,
            devices: (first, last),
        })
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
    path: String,
    reader: ParquetRecordBatchReader,
    /// The rest of a batch, with at least one row; `None` at the end.
    batch: Option<RecordBatch>,
}

impl Input {
    fn new(path: String, reader: ParquetRecordBatchReader) -> anyhow::Result<Self> {
        let mut input = Self {
            path,
            reader,
            batch: None,
        };
        input.advance()?;
        Ok(input)
    }

    fn advance(&mut self) -> anyhow::Result<()> {
        self.batch = None;
        for batch in self.reader.by_ref() {
            let batch = batch.with_context(|| self.path.clone())?;
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
        Ok(self.devices(batch)?.value(0))
    }

    fn devices<'a>(&self, batch: &'a RecordBatch) -> anyhow::Result<&'a StringArray> {
        let column = batch.column_by_name(DEVICE);
        let devices = column.and_then(|it| it.as_string_opt::<i32>());
        devices.with_context(|| format!("{}: no column `{DEVICE}`", self.path))
    }

    /// The next rows of a device, in the same batch.
    fn take(&mut self, device: &str) -> anyhow::Result<Option<RecordBatch>> {
        let Some(batch) = &self.batch else {
            return Ok(None);
        };
        let devices = self.devices(batch)?;
        let count = devices.iter().take_while(|it| *it == Some(device)).count();
        if count == 0 {
            let path = &self.path;
            ensure!(
                devices.value(0) > device,
                "{path}: rows are not sorted by device"
            );
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
