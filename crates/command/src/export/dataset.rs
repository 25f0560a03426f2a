//! Datasets: folders of tables of many recordings.
//!
//! A dataset has a folder for each table, in it folders `key=value` for the
//! tags, one in the other, as Hive made them and DuckDB, Spark and Arrow read
//! them, and in these a file for each recording.

use anyhow::ensure;
use rtoscope_tables::Table;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What all rows of an export are told apart by in a dataset: a column's name (a
/// letter or `_`, then letters, digits or `_`), and what stands in it in each row.
pub type Tag = (String, String);

/// Reads a tag such as `device=42`.
///
/// # Errors
///
/// What is wrong with it.
pub fn parse_tag(text: &str) -> Result<Tag, String> {
    let expected = || "expected a tag such as device=42".to_owned();
    let (key, value) = text.split_once('=').ok_or_else(expected)?;
    let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
    let goes_on = |next: char| next.is_ascii_alphanumeric() || next == '_';
    if !key.starts_with(starts) || !key.chars().all(goes_on) {
        return Err(format!(
            "{key:?} is no name for a column; expected letters, digits and _"
        ));
    }
    if value.is_empty() {
        return Err(format!("{key} has no value"));
    }
    Ok((key.to_owned(), value.to_owned()))
}

/// Checks that the tags can be columns beside those of any table.
///
/// # Errors
///
/// If a tag is there twice, or is called as a column. Case does not count, as it
/// does not in SQL.
pub fn check_tags(tags: &[Tag]) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    for (key, _) in tags {
        ensure!(
            seen.insert(key.to_ascii_lowercase()),
            "the tag {key} is there twice (upper and lower case are the same)"
        );
        let mut columns = Table::ALL.iter().flat_map(|table| table.columns());
        ensure!(
            columns.all(|column| !column.name.eq_ignore_ascii_case(key)),
            "the tag {key} has the name of a column"
        );
    }
    Ok(())
}

/// The path of a recording's rows of a table in a dataset. `stem` names the
/// recording, `extension` the format.
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

/// What identifies a recording in a dataset: the path of its rows of any table,
/// without what names the format.
pub fn recording_id(tags: &[Tag], stem: &str) -> String {
    let folders = tags
        .iter()
        .map(|(key, value)| format!("{key}={}/", percent_encoded(value)));
    folders.chain([stem.to_owned()]).collect()
}

/// Names for the files of recordings in a dataset: what the recordings' files
/// are called without what behind the last dot says of their format, and a
/// number behind it where that is the same.
pub fn file_stems<'a>(files: impl IntoIterator<Item = &'a Path>) -> Vec<String> {
    let mut taken = HashSet::new();
    // The number of the last of that name.
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

/// A text as a part of a path, as Hive escapes it. Readers of datasets skip what
/// begins with a dot or an underscore.
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
    use std::time::{Duration, Instant};

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
    fn files_of_the_same_name_are_told_apart() {
        let files = ["a/run.trx", "b/run.bin", "-", "..", "c/run-2"].map(Path::new);
        assert_eq!(
            file_stems(files),
            ["run", "run-2", "stdin", "stdin-2", "run-2-2"]
        );
    }

    #[test]
    fn as_many_files_as_there_are_may_have_the_same_name() {
        let began = Instant::now();
        let stems = file_stems(vec![Path::new("run.trx"); 10_000]);
        assert_eq!(stems.last().unwrap(), "run-10000");
        // Half a minute, if each counted from the first.
        assert!(began.elapsed() < Duration::from_secs(5));
    }
}
