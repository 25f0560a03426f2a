//! `rtoscope.toml`: what a project says once about its recordings. It lies beside a recording or
//! in a folder above it. Its options are put before those of the command line.

use crate::input::{is_list_of_recordings, settings};
use anyhow::{Context as _, anyhow, bail, ensure};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use rtoscope_analysis::check::{RuleError, RuleSet};
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_decode::Format;
use rtoscope_decode::files;
use rtoscope_recording::Recording;
use rtoscope_trace::printable::Printable;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

/// The name of the file.
const FILE_NAME: &str = "rtoscope.toml";

/// A larger file is refused.
const MAX_BYTES: u64 = 1 << 20;

/// The options that the file can have, for all recordings of a project.
const OPTIONS: [&str; 4] = ["clock", "symbols", INPUT_FORMAT, TEXT_LOG];

const INPUT_FORMAT: &str = "input-format";

/// Only for a single recording.
const TEXT_LOG: &str = "text-log";

/// Names of the arguments with recordings.
const RECORDING_ARGUMENTS: [&str; 4] = ["file", "files", "sources", QUERY_WORDS];

/// Recordings, exported tables, and a query.
const QUERY_WORDS: &str = "words";

/// The file of a project.
#[derive(Clone, Args)]
pub(crate) struct ConfigArgs {
    /// Project's file; default: the nearest `rtoscope.toml`
    ///
    /// It has the clock, symbols, settings, declared timing, text logs and tags of a project. By
    /// default, it is looked for in the folder of the first recording, or the working folder for a
    /// live source, and then in the folders above.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    config: Option<PathBuf>,

    /// Use no such file
    #[arg(long, conflicts_with = "config", help_heading = "Input")]
    no_config: bool,
}

impl ConfigArgs {
    pub(crate) fn file(&self) -> Option<&Path> {
        self.config.as_deref()
    }
}

/// The parts of the file that stand for options. [`TimingDeclarations`] has the others.
#[derive(Debug, Default, Deserialize)]
struct ConfigFile {
    /// Options by name. A list of recordings has none: each entry has its own.
    #[serde(default, deserialize_with = "options_of_recordings")]
    recording: BTreeMap<String, Values>,
    /// Settings by key, see [`settings`].
    #[serde(default)]
    settings: BTreeMap<String, Values>,
    /// Tags of the recordings that are added to the tables of a fleet.
    #[serde(default)]
    tags: BTreeMap<String, Value>,
}

fn options_of_recordings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Values>, D::Error> {
    struct OptionsVisitor;

    impl<'de> Visitor<'de> for OptionsVisitor {
        type Value = BTreeMap<String, Values>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("options, or a list of recordings")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Deserialize::deserialize(MapAccessDeserializer::new(map))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(BTreeMap::new())
        }
    }

    deserializer.deserialize_any(OptionsVisitor)
}

#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a text, a number, true or false, or a list of them"
)]
enum Values {
    One(Value),
    Several(Vec<Value>),
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text, a number, true or false")]
enum Value {
    Text(String),
    Integer(i64),
    Flag(bool),
}

impl Values {
    fn iter(&self) -> impl Iterator<Item = String> {
        let values = match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Several(values) => values,
        };
        values.iter().map(Value::to_string)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
        }
    }
}

/// Reads the declared timing of a file.
///
/// # Errors
///
/// If it cannot be read or has a mistake.
pub(crate) fn read_timing(path: &Path) -> anyhow::Result<TimingDeclarations> {
    let name = || Printable::path(&path).to_string();
    TimingDeclarations::parse(&read(path).with_context(name)?).with_context(name)
}

/// Reads rules from a file with `parse`.
///
/// # Errors
///
/// If it cannot be read or has a mistake.
pub fn read_rules(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<RuleSet, RuleError>,
) -> anyhow::Result<RuleSet> {
    let name = || Printable::path(&path).to_string();
    parse(&read(path).with_context(name)?).with_context(name)
}

/// Reads the file.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    files::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    ensure!(
        text.len() as u64 <= MAX_BYTES,
        "more than {MAX_BYTES} bytes"
    );
    Ok(text)
}

/// A mistake in the file, with its line.
pub(crate) fn located(text: &str, error: &toml::de::Error) -> anyhow::Error {
    let before = text.get(..error.span().unwrap_or_default().start);
    let line = before.map_or(0, |before| before.matches('\n').count()) + 1;
    anyhow!("line {line}: {}", error.message())
}

/// The arguments with the options of a project's file, if there is one for this command.
///
/// # Errors
///
/// If the file cannot be read or has a mistake.
pub(crate) fn expand(
    command: &Command,
    matches: &ArgMatches,
    arguments: &[OsString],
) -> anyhow::Result<Option<Vec<OsString>>> {
    let (mut command, mut matches, mut depth) = (command, matches, 1);
    while let Some((name, inner)) = matches.subcommand() {
        let inner_command = command
            .find_subcommand(name)
            .context("no such subcommand")?;
        (command, matches, depth) = (inner_command, inner, depth + 1);
    }
    let line = CommandLine { command, matches };
    let has_option = line.option("config").is_some();
    if !has_option || matches.get_flag("no_config") {
        return Ok(None);
    }
    let given = matches.get_one::<PathBuf>("config").cloned();
    let list = line.list_of_recordings();
    let is_limited = given.is_none() && list.is_none();
    let is_added = given.is_none();
    let Some(path) = given
        .or(list)
        .or_else(|| line.recording_folder().as_deref().and_then(discover))
    else {
        return Ok(None);
    };
    let name = || Printable::path(&path).to_string();
    let text = read(&path).with_context(name)?;
    // It also checks the keys of all tables.
    TimingDeclarations::parse(&text).with_context(name)?;
    let file: ConfigFile = toml::from_str(&text)
        .map_err(|error| located(&text, &error))
        .with_context(name)?;
    // One that lies beside a foreign recording reads only files below it.
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let paths = Paths { folder, is_limited };
    let mut expanded: Vec<OsString> = arguments.iter().take(depth).cloned().collect();
    if is_added {
        if is_limited {
            crate::message!("using {}", Printable::path(&path));
        }
        for other in line.other_files(&path) {
            crate::message!(
                "not using {}: one file applies to all recordings",
                Printable::path(&other)
            );
        }
        expanded.push(option("config", path.as_os_str()));
    }
    expanded.extend(line.options(&file, &paths).with_context(name)?);
    expanded.extend(arguments.iter().skip(depth).cloned());
    Ok(Some(expanded))
}

/// `--name=value`.
fn option(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut argument = OsString::from(format!("--{name}="));
    argument.push(value);
    argument
}

/// The file in a folder or the next folder above it.
fn discover(folder: &Path) -> Option<PathBuf> {
    let here = folder.join(FILE_NAME);
    if here.is_file() {
        return Some(here);
    }
    let full = real_folder(folder).ok()?;
    let mut above = full
        .ancestors()
        .skip(1)
        .map(|folder| folder.join(FILE_NAME));
    above.find(|path| path.is_file())
}

/// The absolute path of a folder, which is empty for the working folder.
fn real_folder(folder: &Path) -> io::Result<PathBuf> {
    let folder = match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    };
    folder.canonicalize()
}

/// The command that runs, and what the user gave it.
struct CommandLine<'c> {
    command: &'c Command,
    matches: &'c ArgMatches,
}

impl CommandLine<'_> {
    fn option(&self, name: &str) -> Option<&Arg> {
        let mut options = self.command.get_arguments();
        options.find(|option| option.get_long() == Some(name))
    }

    fn values(&self, id: &str) -> Option<Vec<&OsStr>> {
        let values = self.matches.try_get_raw(id).ok()??;
        Some(values.collect())
    }

    /// The option, if the command has it and the user did not give it.
    fn open_option(&self, name: &str) -> Option<&Arg> {
        let option = self.option(name)?;
        let source = self.matches.value_source(option.get_id().as_str());
        (source != Some(ValueSource::CommandLine)).then_some(option)
    }

    /// The project's file that is given in place of recordings.
    fn list_of_recordings(&self) -> Option<PathBuf> {
        let values = RECORDING_ARGUMENTS.iter().find_map(|id| self.values(id));
        let first = values?.first().map(PathBuf::from)?;
        is_list_of_recordings(&first).then_some(first)
    }

    /// The folder of the first recording; the working folder for a live source, or if no
    /// recording is given.
    fn recording_folder(&self) -> Option<PathBuf> {
        let here = Some(PathBuf::from(""));
        let known = |id: &&str| self.matches.try_contains_id(id).is_ok();
        let Some(id) = RECORDING_ARGUMENTS.into_iter().find(|id| known(id)) else {
            return here;
        };
        let values = self.values(id).unwrap_or_default();
        let Some(first) = values.first() else {
            return here.filter(|_| id != QUERY_WORDS);
        };
        if *first == "-" {
            return here;
        }
        let path = Path::new(first);
        if path.is_dir() {
            let holds_tables = id == QUERY_WORDS && !Recording::is_one(path);
            return (!holds_tables).then(|| path.to_owned());
        }
        path.parent().filter(|_| path.exists()).map(Path::to_owned)
    }

    /// The files that the other recordings would use if each were opened alone.
    fn other_files(&self, used: &Path) -> BTreeSet<PathBuf> {
        let values = RECORDING_ARGUMENTS.iter().find_map(|id| self.values(id));
        let values = values
            .unwrap_or_default()
            .into_iter()
            .skip(1)
            .map(Path::new);
        let folders = values.filter(|path| path.exists()).map(|path| {
            let folder = if path.is_dir() {
                Some(path)
            } else {
                path.parent()
            };
            folder.unwrap_or(Path::new(""))
        });
        // Thousands of recordings are in few folders.
        let folders: BTreeSet<_> = folders.collect();
        let real = |path: &Path| path.canonicalize().ok();
        let files = folders.into_iter().filter_map(discover);
        files.filter(|path| real(path) != real(used)).collect()
    }

    fn has_one_recording(&self) -> bool {
        let values = RECORDING_ARGUMENTS.iter().find_map(|id| self.values(id));
        let values = values.unwrap_or_default();
        let is_recording = |value: &&&OsStr| **value == "-" || files::exists(Path::new(value));
        values.iter().filter(is_recording).count() == 1 && self.list_of_recordings().is_none()
    }

    /// The input format that the user or the file sets.
    fn input_format(&self, file: &ConfigFile) -> Option<String> {
        let given = self.values("input_format").unwrap_or_default();
        let given = given
            .first()
            .map(|name| name.to_string_lossy().into_owned());
        given.or_else(|| file.recording.get(INPUT_FORMAT)?.iter().next())
    }

    /// The options of the file that the command has and the user did not give.
    fn options(&self, file: &ConfigFile, paths: &Paths<'_>) -> anyhow::Result<Vec<OsString>> {
        let mut options = Vec::new();
        for (name, values) in &file.recording {
            if !OPTIONS.contains(&name.as_str()) {
                bail!(
                    "unknown key `recording.{name}`, expected {}",
                    OPTIONS.join(", ")
                );
            }
            let Some(known) = self.open_option(name) else {
                continue;
            };
            if name == TEXT_LOG && !self.has_one_recording() {
                continue;
            }
            for value in values.iter() {
                let value = paths
                    .resolve(value, is_path(known))
                    .with_context(|| name.clone())?;
                options.push(option(name, value));
            }
        }
        let given = self.values("settings").unwrap_or_default();
        let given: Vec<_> = given.into_iter().map(settings::key_of).collect();
        if self.option(settings::OPTION).is_some() {
            let input_format = self.input_format(file);
            let open = file.settings.iter().filter(|(key, _)| !given.contains(key));
            // Others would choose the format of every recording.
            let open = open.filter(|(key, _)| {
                let implied = settings::implied_format(key).map(Format::name);
                implied.is_none_or(|implied| input_format.as_deref() == Some(implied))
            });
            for (key, values) in open {
                for value in values.iter() {
                    let value = paths.resolve(value, settings::is_path(key));
                    let mut setting = OsString::from(format!("{key}="));
                    setting.push(value.with_context(|| key.clone())?);
                    options.push(option(settings::OPTION, setting));
                }
            }
        }
        // Exports to other tools have no tags.
        let tag = self.option("tag");
        if let Some(tag) = tag.filter(|_| self.command.get_name() == "ingest") {
            let given = self.values(tag.get_id().as_str()).unwrap_or_default();
            let given: Vec<_> = given.into_iter().map(settings::key_of).collect();
            let open = file.tags.iter().filter(|(key, _)| !given.contains(key));
            options.extend(open.map(|(key, value)| option("tag", format!("{key}={value}"))));
        }
        Ok(options)
    }
}

/// Whether the values of an option are paths.
pub(crate) fn is_path(option: &Arg) -> bool {
    option.get_value_parser().type_id() == clap::builder::ValueParser::path_buf().type_id()
}

/// Paths in a file are relative to it.
struct Paths<'f> {
    folder: &'f Path,
    /// Whether other files than those below the folder are refused.
    is_limited: bool,
}

impl Paths<'_> {
    fn resolve(&self, value: String, is_path: bool) -> anyhow::Result<OsString> {
        if !is_path {
            return Ok(value.into());
        }
        let path = self.folder.join(&value);
        ensure!(
            !self.is_limited || is_below(&value, self.folder),
            "{value:?} is not below the folder of this file; name the file with --config to \
             allow it"
        );
        Ok(path.into())
    }
}

/// Whether a path of a file in this folder leads to a file below the folder.
fn is_below(path: &str, folder: &Path) -> bool {
    let mut parts = Path::new(path).components();
    if !parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return false;
    }
    // A link can lead out of it.
    match (fs::canonicalize(folder.join(path)), real_folder(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        // The command reports that it does not exist.
        _ => true,
    }
}
