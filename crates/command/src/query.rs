//! What `rtoscope query` is asked, and how it answers.

use crate::input::{BufferArgs, DecodeArgs, FileArgs};
use anyhow::{Context as _, bail, ensure};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use rtoscope_trace::printable::Printable;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What is asked of recordings in SQL.
#[derive(Args)]
#[command(override_usage = "rtoscope query [OPTIONS] <FILE>... <SQL>\n       \
        rtoscope query [OPTIONS] --named <NAME> [--set <NAME=VALUE>]... <FILE>...\n       \
        rtoscope query [OPTIONS] --shell <FILE>...\n       \
        rtoscope query --list")]
pub struct QueryArgs {
    /// The recordings, as for the other commands, or folders that `rtoscope
    /// export --to parquet` wrote; and behind them, unless --named or --shell
    /// says what is asked, one statement in SQL
    #[arg(value_name = "FILE|SQL", num_args = 1.., required_unless_present = "list")]
    words: Vec<OsString>,

    /// Answer a question that comes with rtoscope; --list tells which there are
    #[arg(long, value_name = "NAME", conflicts_with = "shell")]
    pub named: Option<String>,

    /// Give a parameter of a named question a value; can be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "named")]
    pub set: Vec<QueryParameter>,

    /// Tell which questions come with rtoscope
    #[arg(long, conflicts_with_all = ["named", "shell", "words"])]
    pub list: bool,

    /// Ask one question after the other; from a pipe, up to the first that fails
    #[arg(long)]
    pub shell: bool,

    /// How to write the answer; what the name of the output file ends with, or
    /// a table
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<QueryFormat>,

    /// Where to write the answer; `-` is standard output
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true,
        conflicts_with = "shell"
    )]
    output: PathBuf,

    /// Fail, with exit status 1, if the answer has a row
    #[arg(long, conflicts_with_all = ["shell", "list"])]
    pub expect_empty: bool,

    // Before those it looks at, which take what was given away.
    #[command(flatten)]
    decode_options: GivenDecodeOptions,

    #[command(flatten)]
    buffer: BufferArgs,

    /// What the user knows better than the recordings.
    #[command(flatten)]
    pub decode: DecodeArgs,
}

/// Which options the user gave that say how recordings are read.
struct GivenDecodeOptions(Vec<String>);

impl FromArgMatches for GivenDecodeOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let options = BufferArgs::augment_args(Command::new("reading"));
        let options = DecodeArgs::augment_args(options);
        let is_given = |option: &&Arg| {
            let source = matches.value_source(option.get_id().as_str());
            source == Some(ValueSource::CommandLine)
        };
        let given = options.get_arguments().filter(is_given);
        let given = given.filter_map(|option| option.get_long());
        Ok(Self(given.map(|name| format!("--{name}")).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenDecodeOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    /// For people
    Table,
    /// Values separated by commas, behind a line of names
    Csv,
    /// One JSON array of objects
    Json,
    /// A JSON object a line
    Jsonl,
    /// Parquet
    Parquet,
    /// Arrow's IPC file
    Arrow,
}

impl QueryFormat {
    /// What files of the format have behind the point.
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

    /// The format of a file of this name.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let mut formats = Self::EXTENSIONS.iter();
        let found = formats.find(|(name, _)| *name == extension);
        found.map(|(_, format)| *format)
    }

    /// Whether it is no text.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }
}

/// A parameter and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryParameter {
    /// Its name.
    pub name: String,
    /// Its value, as it was written.
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
    /// What is asked: the files, and the statement where there is one.
    ///
    /// # Errors
    ///
    /// If one of the two is missing.
    pub fn inputs_and_sql(&self) -> anyhow::Result<(Vec<FileArgs>, Option<&str>)> {
        let (files, sql) = match self.words.split_last() {
            Some((last, before)) if !self.has_no_sql() => (before, Some(last)),
            _ => (&self.words[..], None),
        };
        if let Some(only) = sql.filter(|_| files.is_empty()) {
            ensure!(
                !Path::new(only).exists(),
                "nothing is asked of {}: behind the files comes SQL in quotes, or say --named or --shell",
                Printable::path(&only)
            );
            bail!("no recording is named before the SQL {only:?}");
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
        let files = files.iter().map(PathBuf::from);
        let files = files.map(|file| FileArgs::new(file, self.buffer));
        Ok((files.collect(), sql))
    }

    /// Refuses options that say how recordings are read, of which none are.
    ///
    /// # Errors
    ///
    /// If such an option was given.
    pub fn reject_decode_options(&self) -> anyhow::Result<()> {
        let GivenDecodeOptions(given) = &self.decode_options;
        ensure!(
            given.is_empty(),
            "{} {} how recordings are read; these were read when they were exported",
            given.join(", "),
            if given.len() == 1 { "says" } else { "say" }
        );
        Ok(())
    }

    fn has_no_sql(&self) -> bool {
        self.named.is_some() || self.shell || self.list
    }

    /// Where the answer is written; `None` is standard output.
    pub fn output(&self) -> Option<&Path> {
        Some(&*self.output).filter(|path| *path != Path::new("-"))
    }

    /// How the answer is written.
    ///
    /// # Errors
    ///
    /// If neither the user nor the name of the output file tells.
    pub fn format(&self) -> anyhow::Result<QueryFormat> {
        match (self.format, self.output()) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(QueryFormat::Table),
            (None, Some(path)) => QueryFormat::from_path(path).with_context(|| {
                format!(
                    "{}: --format has to tell how to write it",
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
    fn sql_comes_behind_the_files() {
        let names = |arguments: &[&str]| {
            let query = parse(arguments);
            let (files, sql) = query.inputs_and_sql().unwrap();
            let files: Vec<_> = files.iter().map(FileArgs::name).collect();
            (files, sql.map(str::to_owned))
        };
        let files = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let asked = (files(&["a", "b"]), Some("SELECT 1".to_owned()));
        assert_eq!(names(&["a", "b", "SELECT 1"]), asked);
        assert_eq!(names(&["a", "--format", "csv", "b", "SELECT 1"]), asked);
        assert_eq!(names(&["--shell", "a", "b"]), (files(&["a", "b"]), None));
        assert_eq!(names(&["--named", "x", "a"]), (files(&["a"]), None));
    }

    #[test]
    fn what_is_missing_is_told() {
        let error = |arguments: &[&str]| {
            let query = parse(arguments);
            query.inputs_and_sql().map(|_| ()).unwrap_err().to_string()
        };
        assert!(error(&["SELECT 1"]).contains("no recording"));
        assert!(error(&["Cargo.toml"]).contains("nothing is asked"));
        assert!(error(&["-", "-", "SELECT 1"]).contains("only one"));
    }

    #[test]
    fn the_name_of_the_output_tells_the_format() {
        let format = |arguments: &[&str]| parse(arguments).format().ok();
        assert_eq!(format(&["a", "b"]), Some(QueryFormat::Table));
        assert_eq!(format(&["a", "b", "-o", "x.CSV"]), Some(QueryFormat::Csv));
        assert_eq!(format(&["a", "b", "-o", "x"]), None);
        let said = format(&["a", "b", "-o", "x", "--format", "json"]);
        assert_eq!(said, Some(QueryFormat::Json));
    }

    #[test]
    fn options_of_reading_are_noticed() {
        let reads = |arguments: &[&str]| parse(arguments).reject_decode_options();
        assert!(reads(&["a", "b", "--format", "csv"]).is_ok());
        let given = ["a", "b", "--netx=duo", "--buffer", "0", "--clock", "1MHz"];
        let error = reads(&given).unwrap_err().to_string();
        for option in ["--netx", "--buffer", "--clock"] {
            assert!(error.contains(option), "{error}");
        }
        // They are there for those that read.
        assert!(parse(&given).inputs_and_sql().is_ok());
        assert!(reads(&["a", "b", "--symbols", "none.elf"]).is_err());
    }

    #[test]
    fn parameters_have_names() {
        let setting: QueryParameter = "n=a=b".parse().unwrap();
        assert_eq!((&*setting.name, &*setting.value), ("n", "a=b"));
        assert!("=1".parse::<QueryParameter>().is_err());
        assert!("n".parse::<QueryParameter>().is_err());
    }
}
