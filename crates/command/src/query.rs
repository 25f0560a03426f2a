//! The arguments of `rtoscope query`.

use crate::input::{BufferArgs, DecodeArgs, FileArgs, GivenDecodeOptions, TextLogArgs, TimingArgs};
use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use rtoscope_trace::printable::Printable;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The arguments of a query.
#[derive(Args)]
#[command(override_usage = "rtoscope query [OPTIONS] <FILE>... <SQL>\n       \
        rtoscope query [OPTIONS] --named <NAME> [--set <NAME=VALUE>]... <FILE>...\n       \
        rtoscope query [OPTIONS] --shell <FILE>...\n       \
        rtoscope query --report --output <PAGE> <FILE>...\n       \
        rtoscope query --list\n       \
        rtoscope query --emit <DIALECT> [--schema <NAME>] [--named <NAME> [--set <NAME=VALUE>]...] [TABLES]")]
pub struct QueryArgs {
    /// Recordings, or folders or tables of them; followed by one SQL statement
    ///
    /// Recordings, as for the other commands, or folders written by `rtoscope
    /// export --to parquet`, or the tables that `rtoscope ingest` writes; followed by
    /// one SQL statement, unless --named, --shell or --report is given.
    #[arg(value_name = "FILE|SQL", num_args = 1.., required_unless_present_any = ["list", "emit"])]
    words: Vec<OsString>,

    /// Run a canned query; --list shows them
    #[arg(long, value_name = "NAME", conflicts_with = "shell")]
    pub named: Option<String>,

    /// Set a parameter of a canned query; repeatable
    #[arg(long, value_name = "NAME=VALUE", requires = "named")]
    pub set: Vec<QueryParameter>,

    /// List the canned queries
    #[arg(long, conflicts_with_all = ["named", "shell", "words"])]
    pub list: bool,

    /// Run queries interactively
    ///
    /// From a pipe, it runs statements until one fails.
    #[arg(long)]
    pub shell: bool,

    /// Write the canned queries for fleets as one HTML page
    #[arg(
        long,
        conflicts_with_all = ["named", "shell", "list", "emit", "format", "expect_empty"]
    )]
    pub report: bool,

    /// Tables of a fleet as they were after a commit
    #[arg(long, value_name = "COMMIT")]
    pub as_of: Option<u64>,

    /// Scheduler of a Ballista cluster that runs the query, such as df://HOST:50050
    #[arg(long, value_name = "URL", conflicts_with_all = ["list", "emit"])]
    pub engine: Option<String>,

    /// Print the views, or a canned query, as SQL for another engine
    ///
    /// With a folder written by `rtoscope export --to parquet`, or the tables of a fleet, the
    /// script also creates the tables on its files.
    #[arg(
        long,
        value_name = "DIALECT",
        conflicts_with_all = ["shell", "list", "format", "expect_empty"]
    )]
    pub emit: Option<SqlDialect>,

    /// Schema of the tables and views in that SQL
    #[arg(long, value_name = "NAME", requires = "emit")]
    pub schema: Option<String>,

    /// Output format; default: by the output file's extension, or a table
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<QueryFormat>,

    /// Output file; `-` is standard output
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true,
        conflicts_with = "shell"
    )]
    output: PathBuf,

    /// Exit with code 1 if the result has a row, 3 if it could have none
    #[arg(long, conflicts_with_all = ["shell", "list"])]
    pub expect_empty: bool,

    /// Exit with code 3 if a table that --expect-empty reads has fewer rows of a recording
    ///
    /// By default 1. Tables of problems, such as `inversions` and `findings`, may be empty.
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "expect_empty",
        hide_short_help = true
    )]
    pub min_rows: Option<u64>,

    /// Exit with code 3 if the times of a recording are unknown
    #[arg(long, conflicts_with_all = ["list", "emit"], hide_short_help = true)]
    pub require_clock: bool,

    // Before the options that it inspects.
    #[command(flatten)]
    decode_options: GivenDecodeOptions,

    #[command(flatten)]
    buffer: BufferArgs,

    /// The decoding options.
    #[command(flatten)]
    pub decode: DecodeArgs,

    /// The timing declarations of the recordings.
    #[command(flatten)]
    pub timing: TimingArgs,

    /// The text logs of the only recording.
    #[command(flatten)]
    pub text_logs: TextLogArgs,
}

/// An engine that runs SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SqlDialect {
    /// Apache DataFusion, without rtoscope's functions
    Datafusion,
    /// DuckDB
    Duckdb,
    /// Apache Spark
    Spark,
    /// Trino
    Trino,
}

impl fmt::Display for SqlDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Datafusion => "DataFusion",
            Self::Duckdb => "DuckDB",
            Self::Spark => "Spark",
            Self::Trino => "Trino",
        })
    }
}

/// An output format of query results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    /// Text table
    Table,
    /// Comma-separated values with a header line
    Csv,
    /// One JSON array of objects
    Json,
    /// One JSON object per line
    Jsonl,
    /// Parquet file
    Parquet,
    /// Arrow IPC file
    Arrow,
}

impl QueryFormat {
    /// File extensions by format.
    const EXTENSIONS: [(&'static str, Self); 8] = [
        ("txt", Self::Table),
        ("csv", Self::Csv),
        ("json", Self::Json),
        ("jsonl", Self::Jsonl),
        ("ndjson", Self::Jsonl),
        ("parquet", Self::Parquet),
        ("arrow", Self::Arrow),
        ("feather", Self::Arrow),
    ];

    /// The format for a file name.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let mut formats = Self::EXTENSIONS.iter();
        let found = formats.find(|(name, _)| *name == extension);
        found.map(|(_, format)| *format)
    }

    /// Whether the format is binary.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }
}

/// A query parameter and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryParameter {
    /// The name.
    pub name: String,
    /// The value, as given.
    pub value: String,
}

impl FromStr for QueryParameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok(Self {
                name: name.to_owned(),
                value: value.to_owned(),
            }),
            _ => Err("expected a name, `=` and a value".to_owned()),
        }
    }
}

impl QueryArgs {
    /// Splits the positional arguments into files and the SQL statement, if there
    /// is one.
    ///
    /// # Errors
    ///
    /// If either is missing, or an option does not apply to files.
    pub fn inputs_and_sql(&self) -> anyhow::Result<(Vec<FileArgs>, Option<&str>)> {
        let (files, sql) = match self.words.split_last() {
            Some((last, before)) if !self.has_no_sql() => (before, Some(last)),
            _ => (&self.words[..], None),
        };
        if let Some(only) = sql.filter(|_| files.is_empty()) {
            ensure!(
                !Path::new(only).exists(),
                "no query for {}: add quoted SQL after the files, or use --named or --shell",
                Printable::path(&only)
            );
            bail!("no recording before the SQL {only:?}");
        }
        let sql = match sql {
            Some(sql) => {
                let text = sql.to_str();
                Some(text.with_context(|| format!("the SQL {sql:?} is not UTF-8"))?)
            }
            None => None,
        };
        let stdin = files.iter().filter(|file| *file == "-");
        ensure!(stdin.count() < 2, "standard input can be only one file");
        let mut recordings = Vec::new();
        for file in files {
            recordings.extend(FileArgs::new(file.into(), self.buffer).each()?);
        }
        Ok((recordings, sql))
    }

    /// The folder whose tables a script for another engine creates, if one is given.
    ///
    /// # Errors
    ///
    /// If there are several, or if it has the tables of a fleet.
    pub fn dataset_to_emit(&self) -> anyhow::Result<Option<&Path>> {
        let [folder] = &self.words[..] else {
            ensure!(self.words.is_empty(), "--emit takes one folder");
            return Ok(None);
        };
        ensure!(
            !self.is_of_fleet(),
            "{}: the tables of a fleet need rtoscope-fleet; run `rtoscope query`",
            Printable::path(&folder)
        );
        Ok(Some(Path::new(folder)))
    }

    /// Splits the positional arguments into the place of the tables of a fleet and the SQL
    /// statement, if there is one.
    ///
    /// # Errors
    ///
    /// If there is not exactly one place, or an option does not apply to it.
    pub fn tables_and_sql(&self) -> anyhow::Result<(String, Option<&str>)> {
        let (places, sql) = self.inputs_and_sql()?;
        let [place] = &places[..] else {
            bail!("expected one place with tables, found {}", places.len());
        };
        let place = place.path().and_then(Path::to_str);
        Ok((place.context("no place with tables")?.to_owned(), sql))
    }

    /// Whether the only source is a place with the tables of a fleet: a folder that a Delta table
    /// occupies, or a URL.
    pub fn is_of_fleet(&self) -> bool {
        let sources = match self.has_no_sql() {
            true => &self.words[..],
            false => self
                .words
                .split_last()
                .map_or(&[][..], |(_, sources)| sources),
        };
        sources.iter().any(|source| {
            let is_url = source.to_str().is_some_and(|it| it.contains("://"));
            is_url || Path::new(source).join("_delta_log").is_dir()
        })
    }

    /// Refuses decoding options if no recording is decoded.
    ///
    /// # Errors
    ///
    /// If such an option is set.
    pub fn reject_decode_options(&self) -> anyhow::Result<()> {
        let given = self.decode_options.names();
        ensure!(
            given.is_empty(),
            "{} {} only to decoding; {}",
            given.join(", "),
            if given.len() == 1 { "applies" } else { "apply" },
            match self.emit {
                Some(_) => "--emit reads no recording",
                None => "these recordings were decoded when they were exported",
            }
        );
        Ok(())
    }

    fn has_no_sql(&self) -> bool {
        self.named.is_some() || self.shell || self.list || self.report || self.emit.is_some()
    }

    /// The output file; `None` is standard output.
    pub fn output(&self) -> Option<&Path> {
        Some(&*self.output).filter(|path| *path != Path::new("-"))
    }

    /// The output format.
    ///
    /// # Errors
    ///
    /// If neither the user nor the extension of the output file determines it.
    pub fn format(&self) -> anyhow::Result<QueryFormat> {
        match (self.format, self.output()) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(QueryFormat::Table),
            (None, Some(path)) => QueryFormat::from_path(path).with_context(|| {
                format!(
                    "{}: cannot derive the format; set it with --format",
                    Printable::path(&path)
                )
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        query: QueryArgs,
    }

    fn parse(arguments: &[&str]) -> QueryArgs {
        let arguments = ["query"].iter().chain(arguments);
        Cli::try_parse_from(arguments).map(|cli| cli.query).unwrap()
    }

    #[test]
    fn sql_follows_the_files() {
        let names = |arguments: &[&str]| {
            let query = parse(arguments);
            let (files, sql) = query.inputs_and_sql().unwrap();
            let files: Vec<_> = files.iter().map(FileArgs::name).collect();
            (files, sql.map(str::to_owned))
        };
        let files = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let expected = (files(&["a", "b"]), Some("SELECT 1".to_owned()));
        assert_eq!(names(&["a", "b", "SELECT 1"]), expected);
        assert_eq!(names(&["a", "--format", "csv", "b", "SELECT 1"]), expected);
        assert_eq!(names(&["--shell", "a", "b"]), (files(&["a", "b"]), None));
        assert_eq!(names(&["--named", "x", "a"]), (files(&["a"]), None));
    }

    #[test]
    fn missing_arguments_are_reported() {
        let error = |arguments: &[&str]| {
            let query = parse(arguments);
            query.inputs_and_sql().map(|_| ()).unwrap_err().to_string()
        };
        assert!(error(&["SELECT 1"]).contains("no recording"));
        assert!(error(&["Cargo.toml"]).contains("no query"));
        assert!(error(&["-", "-", "SELECT 1"]).contains("only one"));
    }

    #[test]
    fn output_extension_determines_the_format() {
        let format = |arguments: &[&str]| parse(arguments).format().ok();
        assert_eq!(format(&["a", "b"]), Some(QueryFormat::Table));
        assert_eq!(format(&["a", "b", "-o", "x.CSV"]), Some(QueryFormat::Csv));
        assert_eq!(format(&["a", "b", "-o", "x"]), None);
        let format_of_json = format(&["a", "b", "-o", "x", "--format", "json"]);
        assert_eq!(format_of_json, Some(QueryFormat::Json));
    }

    #[test]
    fn decode_options_are_detected() {
        let reads = |arguments: &[&str]| parse(arguments).reject_decode_options();
        assert!(reads(&["a", "b", "--format", "csv"]).is_ok());
        let given = ["a", "b", "-Onetx=duo", "--buffer", "0", "--clock", "1MHz"];
        let error = reads(&given).unwrap_err().to_string();
        for option in ["-O netx", "--buffer", "--clock"] {
            assert!(error.contains(option), "{error}");
        }
        // They remain available for decoding.
        assert!(parse(&given).inputs_and_sql().is_ok());
        assert!(reads(&["a", "b", "--symbols", "none.elf"]).is_err());
        assert!(reads(&["a", "b", "--config", "app.toml"]).is_err());
        assert!(reads(&["a", "b", "--text-log", "console.txt"]).is_err());
    }

    #[test]
    fn a_script_needs_no_recording() {
        let query = parse(&["--emit", "duckdb", "--schema", "main", "--named", "x"]);
        assert_eq!(query.emit, Some(SqlDialect::Duckdb));
        assert!(query.reject_decode_options().is_ok());
        let given = ["--emit", "spark", "--clock", "1MHz"];
        let error = parse(&given).reject_decode_options().unwrap_err();
        assert!(error.to_string().contains("reads no recording"), "{error}");
        for rejected in [
            &["--emit", "spark", "--format", "csv"][..],
            &["--emit", "spark", "--set", "n=1"],
            &["--schema", "main", "a", "b"],
        ] {
            let rejected = ["query"].iter().chain(rejected);
            assert!(Cli::try_parse_from(rejected).is_err());
        }
        assert_eq!(query.dataset_to_emit().unwrap(), None);
        let folder = parse(&["--emit", "spark", "--named", "x", "a"]);
        assert_eq!(folder.dataset_to_emit().unwrap(), Some(Path::new("a")));
        for rejected in [&["a", "b"][..], &["s3://traces"]] {
            let words = ["--emit", "spark"].iter().chain(rejected);
            let words: Vec<_> = words.copied().collect();
            assert!(parse(&words).dataset_to_emit().is_err(), "{rejected:?}");
        }
    }

    #[test]
    fn parameters_need_a_name() {
        let setting: QueryParameter = "n=a=b".parse().unwrap();
        assert_eq!((&*setting.name, &*setting.value), ("n", "a=b"));
        assert!("=1".parse::<QueryParameter>().is_err());
        assert!("n".parse::<QueryParameter>().is_err());
    }
}
