//! `rtoscope export` to Parquet and Arrow.

use crate::arrow::TableBatches;
use crate::{AnalyzedRecording, ipc, parquet};
use anyhow::bail;
use rtoscope_command::export::{ExportArgs, ExportFormat, RecordingIter, TableOutput};
use rtoscope_command::progress;
use rtoscope_tables::Table;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Writes one table of the recordings to a file, or all tables to a dataset.
///
/// # Errors
///
/// If the options contradict each other or the format, if a recording cannot be
/// opened, or if the output fails. Every file that exists then is complete.
pub fn run(arguments: &ExportArgs) -> anyhow::Result<()> {
    arguments.check()?;
    let path = arguments.output.as_deref();
    let is_stream = path.is_none_or(|path| path == Path::new("-"));
    let format = match arguments.to {
        ExportFormat::Parquet => Format::Parquet,
        ExportFormat::Arrow if is_stream => Format::Arrow(ipc::Layout::Stream),
        ExportFormat::Arrow => Format::Arrow(ipc::Layout::File),
        _ => {
            bail!("rtoscope-sql exports to parquet and arrow only; use rtoscope for other formats")
        }
    };
    arguments.write_tables(|file, recordings, output| {
        ExportContent(*file).write(format, output, recordings)
    })
}

/// The output format.
#[derive(Clone, Copy)]
enum Format {
    Parquet,
    Arrow(ipc::Layout),
}

/// The content of a file.
struct ExportContent<'a>(TableOutput<'a>);

impl ExportContent<'_> {
    fn write(
        &self,
        format: Format,
        output: impl Write + Send,
        recordings: RecordingIter<'_>,
    ) -> anyhow::Result<()> {
        let TableOutput { table, tags, .. } = self.0;
        let partition_tags = self.0.partition_tags();
        let is_single = recordings.size_hint() == (1, Some(1));
        let mut recordings = recordings.peekable();
        match format {
            Format::Parquet => {
                // With several recordings, the values start again with each
                // recording.
                let writer = {
                    let only = recordings.peek().filter(|_| is_single);
                    let only = only.and_then(|opened| opened.as_ref().ok());
                    let only = only.map(|opened| TableBatches::new(opened, table));
                    let only = only.as_ref();
                    match self.0.is_in_dataset {
                        true => parquet::ParquetTableWriter::for_dataset(output, table, tags, only),
                        false => parquet::ParquetTableWriter::new(
                            output,
                            table,
                            partition_tags,
                            tags,
                            only.and_then(TableBatches::ascending_column),
                        ),
                    }
                };
                let mut writer = writer.map_err(output_error)?;
                self.for_each_recording(recordings, |opened, progress| {
                    writer.add_recording(opened, progress).map_err(output_error)
                })?;
                writer.finish().map_err(output_error)?;
            }
            Format::Arrow(layout) => {
                let count = match is_single {
                    true => ipc::RecordingCount::One,
                    false => ipc::RecordingCount::Several,
                };
                let writer =
                    ipc::ArrowTableWriter::new(output, layout, count, table, partition_tags, tags);
                let mut writer = writer.map_err(output_error)?;
                self.for_each_recording(recordings, |opened, progress| {
                    writer.add_recording(opened, progress).map_err(output_error)
                })?;
                writer.finish().map_err(output_error)?;
            }
        }
        Ok(())
    }

    /// Writes one recording after the other and shows the progress.
    fn for_each_recording(
        &self,
        recordings: impl Iterator<Item = anyhow::Result<Arc<AnalyzedRecording>>>,
        mut write: impl FnMut(&Arc<AnalyzedRecording>, &mut dyn FnMut(u64)) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for opened in recordings {
            let opened = opened?;
            let name = &opened.info.name;
            let bar = match self.0.table {
                // The dataset has a progress bar of its own.
                _ if self.0.is_in_dataset => progress::hidden_bar(),
                Table::Events => progress::writing_bar(name, opened.trace.events.len() as u64),
                _ => progress::opening_bar(name),
            };
            write(&opened, &mut |rows| bar.inc(rows))?;
            bar.finish_and_clear();
        }
        Ok(())
    }
}

/// The error without the wrapping of the format's writer, which repeats the
/// message of an I/O error.
fn output_error(error: impl Error + Send + Sync + 'static) -> anyhow::Error {
    let error = anyhow::Error::new(error);
    let output = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>());
    match output {
        Some(output) => io::Error::new(output.kind(), output.to_string()).into(),
        None => error,
    }
}
