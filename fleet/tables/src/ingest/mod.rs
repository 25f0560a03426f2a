//! `rtoscope ingest`: adds recordings to the tables.
//!
//! ```text
//! sources ──sort, cut──▶ batches ──▶ partitions, on all cores ──▶ files ──▶ one commit a batch
//! ```
//!
//! A batch is in all tables or in none. A recording is known by its bytes, so that an interrupted
//! command continues when it is repeated, and several can work on the same sources.

mod batch;
pub(crate) mod file_writer;
pub(crate) mod pack;
mod shard;

use crate::partition::BucketDigits;
use crate::sources::{SourceArgs, SourceRecording, tag_names};
use crate::traces::{KnownRecordings, TraceTables};
use anyhow::{Context as _, bail};
use batch::{Batch, BatchCounts};
use clap::Args;
use rtoscope_command::input::{BufferArgs, DecodeArgs};
use rtoscope_command::message;
use rtoscope_tables::Table;
use shard::Shard;
use std::process;
use tokio::runtime::Runtime;

#[derive(Args)]
pub(crate) struct IngestArgs {
    #[command(flatten)]
    sources: SourceArgs,

    /// Folder or URL of the tables, such as s3://bucket/traces; created if it does not exist
    #[arg(long, value_name = "TABLES")]
    to: String,

    /// Recordings in a commit
    #[arg(long, value_name = "NUMBER", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// Only a part of the recordings, such as 2/4 in the second of four processes; without it,
    /// several processes also share the work, and may do some of it twice
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// Tables to write; all but `arguments` if omitted
    #[arg(long, value_name = "TABLE,...", value_delimiter = ',', value_parser = parse_table)]
    tables: Vec<Table>,

    /// For new tables: hexadecimal digits of the buckets into which devices are distributed: 0
    /// to 2, for 1, 16 or 256 buckets a day [default: 1]
    #[arg(long, value_name = "NUMBER")]
    bucket_digits: Option<BucketDigits>,

    #[command(flatten)]
    buffer: BufferArgs,

    #[command(flatten)]
    decode: DecodeArgs,
}

fn parse_table(name: &str) -> Result<Table, String> {
    Table::from_name(name).ok_or_else(|| "no such table".to_owned())
}

/// How recordings are decoded, and what is written.
pub(crate) struct IngestOptions<'a> {
    pub(crate) buffer: BufferArgs,
    pub(crate) decode: &'a DecodeArgs,
    pub(crate) tables: Vec<Table>,
}

/// Runs the command.
///
/// # Errors
///
/// If the sources or the tables cannot be read or written, or a recording cannot be read or
/// decoded: the others are in the tables then.
pub(crate) fn run(arguments: &IngestArgs) -> anyhow::Result<()> {
    let runtime = Runtime::new().context("cannot start threads")?;
    let mut sources = runtime.block_on(arguments.sources.list())?;
    let tags = tag_names(&sources.recordings)?;
    if let Some(shard) = arguments.shard {
        sources
            .recordings
            .retain(|it| shard.has(it.location.url.as_str()));
    }
    if sources.skipped > 0 {
        message!(
            "{} files skipped: their paths differ from the pattern",
            sources.skipped
        );
    }
    let tables = TraceTables::open_or_create(&arguments.to, &tags, arguments.bucket_digits);
    let mut tables = runtime.block_on(tables)?;
    let options = IngestOptions {
        buffer: arguments.buffer,
        decode: &arguments.decode,
        tables: written_tables(&arguments.tables),
    };
    let mut known = KnownRecordings::default();
    let mut counts = BatchCounts::default();
    let batches = batches(&mut sources.recordings, arguments.batch as usize);
    // Processes with the same sources start at different ones.
    let first = match arguments.shard {
        Some(_) => 0,
        None => process::id() as usize % batches.len().max(1),
    };
    let count = batches.len();
    let rotated = batches.iter().skip(first).chain(batches.iter().take(first));
    for (number, recordings) in (1..).zip(rotated) {
        let batch = Batch {
            recordings,
            tags: &tags,
            options: &options,
            runtime: &runtime,
        };
        counts += batch.ingest(&mut tables, &mut known)?;
        message!("batch {number} of {count}: {counts}");
    }
    if counts.failed > 0 {
        bail!(
            "{} recordings could not be read or decoded; all others are in the tables",
            counts.failed
        );
    }
    Ok(())
}

/// The tables to write; `recordings` is always one of them.
fn written_tables(selected: &[Table]) -> Vec<Table> {
    let all = Table::ALL.iter().copied();
    all.filter(|table| match selected {
        [] => *table != Table::Arguments,
        selected => *table == Table::Recordings || selected.contains(table),
    })
    .collect()
}

/// Cuts the recordings into batches, sorted by partition, device and time.
fn batches(recordings: &mut [SourceRecording], length: usize) -> Vec<&[SourceRecording]> {
    let key = |it: &SourceRecording| {
        let time = it.recorded_at.clone().unwrap_or_default();
        (
            it.day.clone(),
            it.device().to_owned(),
            time,
            it.location.url.to_string(),
        )
    };
    recordings.sort_by_cached_key(key);
    recordings.chunks(length).collect()
}
