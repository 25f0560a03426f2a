//! What to export, and where to.

pub mod dataset;
pub mod dataset_files;

use crate::input::{DecodeArgs, FilesArgs};
use crate::output::atomic_output;
use crate::{AnalyzedRecording, progress};
use anyhow::Context as _;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use dataset::Tag;
use rtoscope_tables::Table;
use rtoscope_trace::printable::Printable;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, iter};

/// Recordings, opened one after the other.
pub type RecordingIter<'r> = &'r mut dyn Iterator<Item = anyhow::Result<Arc<AnalyzedRecording>>>;

/// What to export, and where to.
#[derive(Args)]
pub struct ExportArgs {
    /// The recordings.
    #[command(flatten)]
    pub files: FilesArgs,

    /// What to write
    #[arg(short, long, value_name = "FORMAT")]
    pub to: ExportFormat,

    /// The file or folder to write; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Of parquet, arrow, csv and jsonl only this table, into one file; else OUT
    /// becomes a folder that has a folder for each table
    #[arg(long, value_name = "TABLE", value_parser = table_parser())]
    pub table: Option<Table>,

    /// What all rows are told apart by in a dataset, such as device=42: a level of
    /// folders, or with --table a column; can be given several times
    #[arg(long = "tag", value_name = "KEY=VALUE", value_parser = dataset::parse_tag)]
    pub tags: Vec<Tag>,

    /// Of vcd only lines of one bit, for readers that take no others, such as
    /// sigrok
    #[arg(long)]
    pub bits: bool,

    /// What the user knows better than the recordings.
    #[command(flatten)]
    pub decode: DecodeArgs,
}

/// A format for another tool.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Perfetto's protobuf trace: scheduling, slices, counters, flows
    Perfetto,
    /// Chrome's trace events in JSON, for any viewer of them
    Chrome,
    /// Common Trace Format 1.8, a folder, for babeltrace2 and Trace Compass
    Ctf,
    /// Value change dump, for GTKWave, Surfer and other waveform viewers
    Vcd,
    /// A session of sigrok and PulseView
    Sigrok,
    /// Tables in Parquet files, for DuckDB, Spark, pandas (needs rtoscope-sql)
    Parquet,
    /// Tables in Arrow IPC files (needs rtoscope-sql)
    Arrow,
    /// Tables as comma-separated values
    Csv,
    /// Tables as a JSON object a line
    Jsonl,
    /// A report to read, in one HTML file
    Html,
}

impl ExportFormat {
    /// What files of the format end with, without the dot; `None` for a folder.
    pub const fn extension(self) -> Option<&'static str> {
        Some(match self {
            Self::Perfetto => "pftrace",
            Self::Chrome => "json",
            Self::Ctf => return None,
            Self::Vcd => "vcd",
            Self::Sigrok => "sr",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Html => "html",
        })
    }

    /// Whether tables are written.
    pub const fn has_tables(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Csv | Self::Jsonl)
    }
}

impl ExportArgs {
    /// Checks what the arguments say together.
    ///
    /// # Errors
    ///
    /// If one of them means nothing for the format, or the folder is missing
    /// that the format needs.
    pub fn check(&self) -> anyhow::Result<()> {
        let tables = "parquet, arrow, csv and jsonl";
        anyhow::ensure!(
            self.to.has_tables() || self.table.is_none() && self.tags.is_empty(),
            "--table and --tag are for {tables}"
        );
        anyhow::ensure!(
            self.to == ExportFormat::Vcd || !self.bits,
            "--bits is for vcd"
        );
        dataset::check_tags(&self.tags)?;
        for file in self.files.iter() {
            file.guard_overwrite(&self.decode, self.output.as_deref())?;
        }
        let is_folder =
            self.to == ExportFormat::Ctf || self.to.has_tables() && self.table.is_none();
        let path = self.output.as_deref();
        let is_stream = path.is_none_or(|path| path.as_os_str() == "-");
        if is_folder && is_stream {
            match self.to {
                ExportFormat::Ctf => anyhow::bail!("a folder is written; name it with --output"),
                _ => anyhow::bail!(
                    "a folder of tables is written; name it with --output, or name one table with --table"
                ),
            }
        }
        Ok(())
    }

    /// The recordings, opened one after the other.
    pub fn open(&self) -> impl Iterator<Item = anyhow::Result<AnalyzedRecording>> {
        self.files
            .iter()
            .zip(self.recording_stems())
            .map(|(file, stem)| {
                let bar = progress::opening_bar(&file.name());
                let recording = file.recording(&self.decode)?;
                file.hint_at_diagnostics(&recording.trace.diagnostics);
                let id = dataset::recording_id(&self.tags, &stem);
                let opened = AnalyzedRecording::with_id(file.source_name(), id, recording);
                bar.finish_and_clear();
                Ok(opened)
            })
    }

    /// Writes tables: the named one of all recordings into a file, or all of them
    /// into a dataset. `write` gets the table, the tags that are columns, the
    /// recordings and the output. In a dataset tags are no columns: readers take
    /// them from the path.
    ///
    /// # Errors
    ///
    /// What `write` says, or if a recording cannot be opened, the output fails, or
    /// all recordings of the dataset have a tag that this export does not have. Every file that is there then
    /// is whole.
    pub fn write_tables(
        &self,
        mut write: impl FnMut(
            Table,
            &[Tag],
            RecordingIter<'_>,
            &mut (dyn Write + Send),
        ) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut recordings = self.open().map(|opened| Ok(Arc::new(opened?)));
        let path = self.output.as_deref();
        if let Some(table) = self.table {
            return atomic_output::write_file(path, |output| {
                write(table, &self.tags, &mut recordings, output)
            });
        }
        let dataset = path.context("a folder of tables is written; name it with --output")?;
        let extension = self.to.extension().unwrap_or_default();
        // The first table that is written has all recordings.
        let first = dataset.join(Table::ALL[0].name());
        dataset_files::check_tags_match(
            &dataset_files::list_files(&first, extension)?,
            &self.tags,
        )?;
        for (opened, name) in recordings.zip(self.recording_stems()) {
            let opened = opened?;
            for &table in Table::ALL {
                let path = dataset::table_path(dataset, table, &self.tags, &name, extension);
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)
                        .with_context(|| Printable::path(&folder).to_string())?;
                }
                let mut only = iter::once(Ok(Arc::clone(&opened)));
                atomic_output::write_file(Some(&path), |output| {
                    write(table, &[], &mut only, output)
                })?;
            }
        }
        Ok(())
    }

    /// What the recordings are called in a folder.
    pub fn recording_stems(&self) -> Vec<String> {
        let files: Vec<_> = self.files.iter().collect();
        let paths = files
            .iter()
            .map(|file| file.path().unwrap_or(Path::new("-")));
        dataset::file_stems(paths)
    }
}

fn table_parser() -> impl TypedValueParser<Value = Table> {
    let names = Table::ALL.iter().map(|table| table.name());
    PossibleValuesParser::new(names).try_map(|name| Table::from_name(&name).ok_or("no table"))
}
