//! Datasets: folders with the tables of many recordings.
//!
//! A dataset has one folder per table. Below it are nested folders `key=value` for
//! the tags, in the layout of Hive, which DuckDB, Spark and Arrow read; in these is
//! one file per recording.

use anyhow::ensure;
use rtoscope_tables::Table;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A partition key added to every row of an export: a column name (a letter or `_`,
/// then letters, digits or `_`) and its value.
pub type Tag = (String, String);

/// The column of Parquet files in a dataset with the frequency of the clock in Hz, from which
/// columns in nanoseconds follow.
pub const TICKS_PER_SECOND: &str = "ticks_per_second";

/// Parses a tag such as `device=42`.
///
/// # Errors
///
/// If the text is not a valid tag.
pub fn parse_tag(text: &str) -> Result<Tag, String> {
    let expected = || "expected a tag such as device=42".to_owned();
    let (key, value) = text.split_once('=').ok_or_else(expected)?;
    let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
    let goes_on = |next: char| next.is_ascii_alphanumeric() || next == '_';
    if !key.starts_with(starts) || !key.chars().all(goes_on) {
        return Err(format!(
            "{key:?} is not a valid column name; expected letters, digits and _"
        ));
    }
    if value.is_empty() {
        return Err(format!("{key} has no value"));
    }
    Ok((key.to_owned(), value.to_owned()))
}

/// The tags of one recording: `{name}` in a value is the name of its file without the
/// extension, `{folder}` that of its folder.
///
/// # Errors
///
/// If a value becomes empty, because the path names no folder.
pub fn tags_of_file(tags: &[Tag], file: Option<&Path>) -> anyhow::Result<Vec<Tag>> {
    let text = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let absolute = || std::path::absolute(file?).ok();
    let expanded = tags.iter().map(|(key, value)| {
        let mut expanded = value.clone();
        if value.contains(NAME_FIELD) {
            let name = match file {
                Some(file) => text(file.file_stem()).unwrap_or_default(),
                None => "stdin".to_owned(),
            };
            expanded = expanded.replace(NAME_FIELD, &name);
        }
        if value.contains(FOLDER_FIELD) {
            let path = absolute();
            let folder = path.as_deref().and_then(Path::parent);
            let folder = text(folder.and_then(Path::file_name));
            expanded = expanded.replace(FOLDER_FIELD, &folder.unwrap_or_default());
        }
        ensure!(
            !expanded.is_empty(),
            "{key} has no value for a recording: {value}"
        );
        Ok((key.clone(), expanded))
    });
    expanded.collect()
}

/// Whether a tag depends on the recording.
pub fn is_per_file((_, value): &Tag) -> bool {
    value.contains(NAME_FIELD) || value.contains(FOLDER_FIELD)
}

const NAME_FIELD: &str = "{name}";
const FOLDER_FIELD: &str = "{folder}";

/// Checks that the tags can be columns of every table.
///
/// # Errors
///
/// If a tag occurs twice or has the name of a column. Case is ignored, as in SQL.
pub fn check_tags(tags: &[Tag]) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    for (key, _) in tags {
        ensure!(
            seen.insert(key.to_ascii_lowercase()),
            "the tag {key} occurs twice (case is ignored)"
        );
        let mut columns = Table::ALL.iter().flat_map(|table| table.columns());
        ensure!(
            columns.all(|column| !column.name.eq_ignore_ascii_case(key))
                && !key.eq_ignore_ascii_case(TICKS_PER_SECOND),
            "the tag {key} has the name of a column"
        );
    }
    Ok(())
}

/// The path of a table's file in a dataset. `stem` is the name of the recording,
/// `extension` that of the format.
pub fn table_path(
    dataset: &Path,
    table: Table,
    tags: &[Tag],
    stem: &str,
    extension: &str,
) -> PathBuf {
    let mut path = dataset.join(table.name());
    for (key, value) in tags {
        path.push(format!("{key}={}", percent_encoded(value)));
    }
    path.push(format!("{stem}.{extension}"));
    path
}

/// Identifies a recording in a dataset: the path of its file below any table,
/// without the extension.
pub fn recording_id(tags: &[Tag], stem: &str) -> String {
    let folders = tags
        .iter()
        .map(|(key, value)| format!("{key}={}/", percent_encoded(value)));
    folders.chain([stem.to_owned()]).collect()
}

/// Unique stems for the files of recordings in a dataset: the file name without its
/// extension, followed by a number if it is taken.
pub fn file_stems<'a>(files: impl IntoIterator<Item = &'a Path>) -> Vec<String> {
    let mut taken = HashSet::new();
    // The last number used for a name.
    let mut counts = HashMap::new();
    let name = |file: &Path| match file.file_stem() {
        Some(stem) if stem != "-" => percent_encoded(&stem.to_string_lossy()),
        _ => "stdin".to_owned(),
    };
    let stems = files.into_iter().map(|file| {
        let first = name(file);
        let mut stem = first.clone();
        let number = counts.entry(first.clone()).or_insert(1_u64);
        while !taken.insert(stem.clone()) {
            *number += 1;
            stem = format!("{first}-{number}");
        }
        stem
    });
    stems.collect()
}

/// Escapes text for a path component, as Hive does. Readers of datasets skip names
/// that start with a dot or an underscore, so a leading one is escaped, too.
fn percent_encoded(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        let reserved = "\"#%'*/:=?\\{}[]^<>|".contains(character) || character.is_control();
        let mut bytes = [0; 4];
        match reserved || escaped.is_empty() && matches!(character, '.' | '_') {
            true => character.encode_utf8(&mut bytes).bytes().for_each(|byte| {
                let _ = write!(escaped, "%{byte:02X}");
            }),
            false => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use rtoscope_fixtures::ProcessorTimer;
    use std::time::Duration;

    #[test]
    fn tags_are_columns_and_folders() {
        let tags = ["device=a/b", "firmware=1.2.3"].map(|text| parse_tag(text).unwrap());
        let tags = tags.to_vec();
        let made = table_path(Path::new("out"), Table::Events, &tags, "run", "parquet");
        let expected = "out/events/device=a%2Fb/firmware=1.2.3/run.parquet";
        assert_eq!(made, Path::new(expected));
        let id = recording_id(&tags, "run");
        assert_eq!(id, "device=a%2Fb/firmware=1.2.3/run");
        for bad in ["device", "=1", "a b=1", "9=1", "a="] {
            assert!(parse_tag(bad).is_err(), "{bad}");
        }
        assert!(check_tags(&tags).is_ok());
        let named = |text: &str| check_tags(&[parse_tag(text).unwrap()]);
        assert!(named("file=1").is_err());
        assert!(check_tags(&[tags.clone(), tags].concat()).is_err());
        let differ = |texts: [&str; 2]| check_tags(&texts.map(|text| parse_tag(text).unwrap()));
        assert!(differ(["a=1", "b=1"]).is_ok());
        assert!(differ(["a=1", "A=2"]).is_err());
    }

    #[test]
    fn tags_can_depend_on_the_recording() {
        let tags = ["device={name}", "site=x {folder}"].map(|text| parse_tag(text).unwrap());
        let of = |path: &str| {
            let tags = tags_of_file(&tags, Some(Path::new(path))).unwrap();
            tags.into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        };
        assert_eq!(of("/fleet/a/{folder} 7.trx"), ["{folder} 7", "x a"]);
        assert!(of("7.trx")[1].len() > 2);
        assert_eq!(tags.iter().filter(|tag| is_per_file(tag)).count(), 2);
        let folder = [parse_tag("site={folder}").unwrap()];
        assert!(tags_of_file(&folder, Some(Path::new("/7.trx"))).is_err());
        assert!(tags_of_file(&folder, None).is_err());
    }

    #[test]
    fn equal_file_names_get_numbers() {
        let files = ["a/run.trx", "b/run.bin", "-", "..", "c/run-2"].map(Path::new);
        assert_eq!(
            file_stems(files),
            ["run", "run-2", "stdin", "stdin-2", "run-2-2"]
        );
    }

    #[test]
    fn many_equal_file_names_are_fast() {
        let timer = ProcessorTimer::start();
        let stems = file_stems(vec![Path::new("run.trx"); 10_000]);
        assert_eq!(stems.last().unwrap(), "run-10000");
        // This takes half a minute if each name starts counting at 1.
        assert!(timer.elapsed() < Duration::from_secs(5));
    }
}
