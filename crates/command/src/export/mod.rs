//! The arguments and datasets of exports.

pub mod dataset;
pub mod dataset_files;
mod dataset_identity;
mod dataset_writer;

use crate::input::{DecodeArgs, FileArgs, FilesArgs, GivenDecodeOptions, TimingArgs};
use crate::output::atomic_output;
use crate::progress;
use anyhow::Context as _;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use dataset::Tag;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::DecodedRecording;
use rtoscope_tables::Table;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Recordings that are opened one after the other.
pub type RecordingIter<'r> = &'r mut dyn Iterator<Item = anyhow::Result<Arc<AnalyzedRecording>>>;

/// The content of a file: rows of a table.
#[derive(Clone, Copy)]
pub struct TableOutput<'a> {
    /// The table.
    pub table: Table,
    /// The tags of all rows.
    pub tags: &'a [Tag],
    /// Whether the file is part of a dataset and holds the rows of one recording.
    pub is_in_dataset: bool,
}

impl<'a> TableOutput<'a> {
    /// The tags that become columns. In a dataset, readers take them from the path.
    pub fn partition_tags(&self) -> &'a [Tag] {
        if self.is_in_dataset { &[] } else { self.tags }
    }
}

/// The arguments and datasets of exports.
#[derive(Args)]
pub struct ExportArgs {
    /// The decoding options as given; before the options that it inspects.
    #[command(flatten)]
    pub given: GivenDecodeOptions,

    /// The recordings.
    #[command(flatten)]
    pub files: FilesArgs,

    /// Output format
    #[arg(short, long, value_name = "FORMAT")]
    pub to: ExportFormat,

    /// Output file or folder; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Only this table, into one file; otherwise OUT becomes a folder of tables
    #[arg(
        long,
        value_name = "TABLE",
        value_parser = table_parser(),
        hide_possible_values = true,
        long_help = table_help()
    )]
    pub table: Option<Table>,

    /// Partition key added to every row, such as device=42; repeatable
    ///
    /// A folder level of the dataset, or a column with --table; in a dataset, `{name}` is the name
    /// of the recording's file without the extension, and `{folder}` that of its folder.
    #[arg(long = "tag", value_name = "KEY=VALUE", value_parser = dataset::parse_tag)]
    pub tags: Vec<Tag>,

    /// Replace recordings of the dataset that have the same names and tags, but other events
    #[arg(long)]
    pub replace: bool,

    /// For vcd: only one-bit signals, for readers that support no others
    #[arg(long)]
    pub bits: bool,

    /// The decoding options.
    #[command(flatten)]
    pub decode: DecodeArgs,

    /// The timing declarations, for the formats that have them.
    #[command(flatten)]
    pub timing: TimingArgs,
}

/// An export format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Perfetto protobuf trace: scheduling, slices, counters, flows
    Perfetto,
    /// Chrome trace events in JSON, for any viewer of that format
    Chrome,
    /// Best Trace Format, for timing tools of the automotive industry and Trace Compass
    Btf,
    /// Common Trace Format 1.8, a folder, for babeltrace2 and Trace Compass
    Ctf,
    /// Value change dump, for GTKWave, Surfer and other waveform viewers
    Vcd,
    /// sigrok session, for PulseView and sigrok-cli
    Sigrok,
    /// Tables as Parquet files, for DuckDB, Spark, pandas (needs rtoscope-sql)
    Parquet,
    /// Tables as Arrow IPC files (needs rtoscope-sql)
    Arrow,
    /// Tables as comma-separated values
    Csv,
    /// Tables with one JSON object per line
    Jsonl,
    /// Report for people, in one HTML file
    Html,
    /// The viewer with the recordings, in one HTML file that opens without rtoscope
    Page,
}

impl ExportFormat {
    /// The extension of the format's files, without the dot; `None` if it writes a
    /// folder.
    pub const fn extension(self) -> Option<&'static str> {
        Some(match self {
            Self::Perfetto => "pftrace",
            Self::Chrome => "json",
            Self::Btf => "btf",
            Self::Ctf => return None,
            Self::Vcd => "vcd",
            Self::Sigrok => "sr",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Html | Self::Page => "html",
        })
    }

    /// Whether the format consists of tables.
    pub const fn has_tables(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Csv | Self::Jsonl)
    }
}

impl ExportArgs {
    /// Checks the combination of arguments.
    ///
    /// # Errors
    ///
    /// If an option does not apply to the format, or a required output folder is
    /// missing.
    pub fn check(&self) -> anyhow::Result<()> {
        let tables = "parquet, arrow, csv and jsonl";
        anyhow::ensure!(
            self.to.has_tables() || self.table.is_none() && self.tags.is_empty(),
            "--table and --tag apply only to {tables}"
        );
        anyhow::ensure!(
            self.to.has_tables() && self.table.is_none() || !self.replace,
            "--replace applies only to datasets: {tables} without --table"
        );
        anyhow::ensure!(
            self.to == ExportFormat::Vcd || !self.bits,
            "--bits applies only to vcd"
        );
        anyhow::ensure!(
            self.to.has_tables()
                || matches!(self.to, ExportFormat::Html | ExportFormat::Page)
                || self.timing.is_empty(),
            "--pipeline and --interval apply only to html, page, {tables}"
        );
        anyhow::ensure!(
            self.to != ExportFormat::Btf || self.files.iter().count() == 1,
            "btf holds one recording; merge several with `rtoscope merge`"
        );
        dataset::check_tags(&self.tags)?;
        if let Some((key, value)) = self.tags.iter().find(|tag| dataset::is_per_file(tag)) {
            anyhow::ensure!(
                self.table.is_none(),
                "--tag {key}={value} differs between recordings; with --table, all have the same tags"
            );
        }
        for file in self.files.iter() {
            file.guard_overwrite(&self.decode, self.output.as_deref())?;
        }
        let is_folder =
            self.to == ExportFormat::Ctf || self.to.has_tables() && self.table.is_none();
        let path = self.output.as_deref();
        let is_stream = path.is_none_or(|path| path.as_os_str() == "-");
        if is_folder && is_stream {
            match self.to {
                ExportFormat::Ctf => anyhow::bail!("the output is a folder; set it with --output"),
                _ => anyhow::bail!(
                    "the output is a folder of tables; set it with --output, or select one table with --table"
                ),
            }
        }
        Ok(())
    }

    /// Opens the recordings one after the other.
    pub fn open(&self) -> impl Iterator<Item = anyhow::Result<AnalyzedRecording>> {
        let stems = self.recording_stems();
        self.files.iter().zip(stems).map(|(file, stem)| {
            let bar = progress::opening_bar(&file.name());
            let tags = dataset::tags_of_file(&self.tags, file.path())?;
            let opened = self.open_recording(&file, &tags, &stem)?;
            bar.finish_and_clear();
            Ok(opened)
        })
    }

    fn open_recording(
        &self,
        file: &FileArgs,
        tags: &[Tag],
        stem: &str,
    ) -> anyhow::Result<AnalyzedRecording> {
        let DecodedRecording { trace, format_info } = file.recording(&self.decode)?;
        file.hint_at_diagnostics(&trace.diagnostics);
        let id = dataset::recording_id(tags, stem);
        let name = file.source_name();
        let mut recording = AnalyzedRecording::new(name, id, trace, &format_info);
        if let Some(timing) = self.timing.read(&self.decode)? {
            timing.apply(&mut recording)?;
        }
        Ok(recording)
    }

    /// Writes tables: the selected one of all recordings into a file, or all tables
    /// into a dataset, several recordings at the same time. `write` gets the table, the
    /// recordings and the output.
    ///
    /// # Errors
    ///
    /// If `write` fails, a recording cannot be opened, the output fails, or the
    /// export lacks a tag that all recordings of the dataset have. Files written so
    /// far are complete.
    pub fn write_tables(
        &self,
        write: impl Fn(
            &TableOutput<'_>,
            RecordingIter<'_>,
            &mut (dyn Write + Send),
        ) -> anyhow::Result<()>
        + Sync,
    ) -> anyhow::Result<()> {
        let path = self.output.as_deref();
        let Some(table) = self.table else {
            let dataset = path.context("the output is a folder of tables; set it with --output")?;
            return dataset_writer::write(self, dataset, &write);
        };
        let mut recordings = self.open().map(|opened| Ok(Arc::new(opened?)));
        let table = TableOutput {
            table,
            tags: &self.tags,
            is_in_dataset: false,
        };
        atomic_output::write_file(path, |output| write(&table, &mut recordings, output))
    }

    /// The names of the recordings in a dataset: unique among those with the same tags.
    pub fn recording_stems(&self) -> Vec<String> {
        let files: Vec<_> = self.files.iter().collect();
        let mut by_tags: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            let tags = dataset::tags_of_file(&self.tags, file.path());
            by_tags.entry(tags.ok()).or_default().push(index);
        }
        let mut stems = vec![String::new(); files.len()];
        for indexes in by_tags.into_values() {
            let same = indexes.iter().filter_map(|index| files.get(*index));
            let paths = same.map(|file| file.path().unwrap_or(Path::new("-")));
            for (index, stem) in indexes.iter().zip(dataset::file_stems(paths)) {
                if let Some(slot) = stems.get_mut(*index) {
                    *slot = stem;
                }
            }
        }
        stems
    }
}

fn table_help() -> String {
    let names: Vec<_> = Table::ALL.iter().map(|table| table.name()).collect();
    format!(
        "For parquet, arrow, csv and jsonl: only this table, into one file; otherwise OUT becomes \
         a folder with one folder per table. One of {}",
        names.join(", ")
    )
}

fn table_parser() -> impl TypedValueParser<Value = Table> {
    let names = Table::ALL.iter().map(|table| table.name());
    PossibleValuesParser::new(names).try_map(|name| Table::from_name(&name).ok_or("no table"))
}
