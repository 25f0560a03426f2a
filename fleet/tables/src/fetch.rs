//! `rtoscope fetch`: the bytes of a recording, as they were ingested.

use crate::ingest::pack;
use crate::query;
use crate::traces::TraceTables;
use anyhow::{Context as _, bail};
use arrow::array::AsArray as _;
use arrow::datatypes::Int64Type;
use clap::Args;
use datafusion::prelude::SessionContext;
use rtoscope_command::input::parse_recording_id;
use rtoscope_command::output::atomic_output;
use std::path::PathBuf;
use tokio::runtime::Runtime;

#[derive(Args)]
pub(crate) struct FetchArgs {
    /// Folder or URL of the tables
    tables: String,

    /// The recording's `recording_id`, or the start of it
    #[arg(value_parser = parse_recording_id)]
    recording_id: String,

    /// Output file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
///
/// # Errors
///
/// If there is not exactly one such recording, or its bytes cannot be read or written.
pub(crate) fn run(arguments: &FetchArgs) -> anyhow::Result<()> {
    let runtime = Runtime::new().context("cannot start threads")?;
    let bytes = runtime.block_on(read(&arguments.tables, &arguments.recording_id))?;
    atomic_output::write_file(Some(&arguments.output), |output| {
        Ok(output.write_all(&bytes)?)
    })
}

async fn read(root: &str, id: &str) -> anyhow::Result<Vec<u8>> {
    let tables = TraceTables::open(root, None).await?;
    let context = SessionContext::new();
    query::register(&context, &tables).await?;
    let sql = format!(
        "SELECT recording_id, pack, pack_offset, pack_bytes FROM traces \
         WHERE table_name = 'recordings' AND recording_id LIKE '{id}%' LIMIT 2"
    );
    let batches = context.sql(&sql).await?.collect().await?;
    let mut found = None;
    for batch in &batches {
        for row in 0..batch.num_rows() {
            if found.is_some() {
                bail!("several recordings start with {id}");
            }
            let text = |column: usize| -> anyhow::Result<String> {
                let array =
                    arrow::compute::cast(batch.column(column), &arrow::datatypes::DataType::Utf8)?;
                Ok(array.as_string::<i32>().value(row).to_owned())
            };
            let number = |column: usize| {
                let value = batch.column(column).as_primitive::<Int64Type>().value(row);
                u64::try_from(value).context("a damaged table")
            };
            found = Some((text(0)?, text(1)?, number(2)?, number(3)?));
        }
    }
    let (id, path, offset, length) = found.with_context(|| format!("no recording {id}"))?;
    let packed = tables.root.join(&path).read_range(offset, length).await?;
    pack::unpack(&packed, &id).with_context(|| path)
}
