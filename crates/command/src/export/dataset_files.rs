//! The files of a dataset.

use super::dataset::{self, Tag};
use anyhow::Context as _;
use percent_encoding::percent_decode_str;
use rtoscope_trace::printable::Printable;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// A file of a table in a dataset.
#[derive(Debug, Clone)]
pub struct DatasetFile {
    /// The path.
    pub path: PathBuf,
    /// The tags in the names of its folders.
    pub tags: Vec<Tag>,
}

/// Lists the files in a table's folder with this extension, and those in its tag folders. The
/// list is empty if the folder does not exist.
///
/// # Errors
///
/// If a folder cannot be read or its name is not a tag.
pub fn list_files(folder: &Path, extension: &str) -> anyhow::Result<Vec<DatasetFile>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        collect_files(folder, extension, &mut Vec::new(), &mut found)?;
    }
    Ok(found)
}

fn collect_files(
    folder: &Path,
    extension: &str,
    tags: &mut Vec<Tag>,
    found: &mut Vec<DatasetFile>,
) -> anyhow::Result<()> {
    let TableFolder { folders, files } = TableFolder::list(folder, extension)?;
    found.extend(files.into_iter().map(|path| DatasetFile {
        path,
        tags: tags.clone(),
    }));
    for (path, tag) in folders {
        tags.push(tag);
        collect_files(&path, extension, tags, found)?;
        tags.pop();
    }
    Ok(())
}

/// What a folder of a table contains, sorted by name.
#[derive(Debug)]
pub struct TableFolder {
    /// Folders with the tags in their names.
    pub folders: Vec<(PathBuf, Tag)>,
    /// The files of the table.
    pub files: Vec<PathBuf>,
}

impl TableFolder {
    /// Lists a folder with files with this extension.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or the name of a folder in it is not a tag.
    pub fn list(folder: &Path, extension: &str) -> anyhow::Result<Self> {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = entries.with_context(|| Printable::path(&folder).to_string())?;
        entries.sort_by_key(DirEntry::file_name);
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let tag = name.split_once('=');
            // Readers of datasets skip these, too.
            if name.starts_with('.') || name.starts_with('_') && tag.is_none() {
                continue;
            }
            if is_folder(&entry) {
                let (key, value) = tag.with_context(|| {
                    format!(
                        "{}: expected a tag folder such as device=42",
                        Printable::path(&path)
                    )
                })?;
                let value = percent_decode_str(value).decode_utf8_lossy();
                folders.push((path, (key.to_owned(), value.into_owned())));
            } else if path.extension().is_some_and(|it| it == extension) {
                files.push(path);
            }
        }
        Ok(Self { folders, files })
    }
}

/// Whether an entry is a folder or a link to one. Opens and examines only links.
fn is_folder(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Ok(found) if found.is_symlink() => entry.path().is_dir(),
        Ok(found) => found.is_dir(),
        Err(_) => false,
    }
}

/// Whether a table's folder has a file with this extension.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn has_files(folder: &Path, extension: &str) -> anyhow::Result<bool> {
    if !folder.is_dir() {
        return Ok(false);
    }
    for entry in fs::read_dir(folder).with_context(|| Printable::path(&folder).to_string())? {
        let entry = entry?;
        let path = entry.path();
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let found = match is_folder(&entry) {
            true => has_files(&path, extension)?,
            false => !is_hidden && path.extension().is_some_and(|it| it == extension),
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

impl DatasetFile {
    /// Whether the tags have the same keys in the same order.
    pub fn has_tag_keys_of(&self, tags: &[Tag]) -> bool {
        let own = self.tags.iter().map(|(key, _)| key);
        own.eq(tags.iter().map(|(key, _)| key))
    }
}

/// Checks that a recording with these tags can be added to a dataset. It may have
/// new tags; existing files have no value for them. It must not lack a tag that all
/// others have, because that one was probably forgotten.
///
/// # Errors
///
/// If a tag is missing, or two tags cannot be columns of one table.
pub fn check_tags_match(files: &[DatasetFile], tags: &[Tag]) -> anyhow::Result<()> {
    let has = |tags: &[Tag], wanted: &str| tags.iter().any(|(key, _)| key == wanted);
    let mut all = tags.to_vec();
    for file in files {
        for tag in &file.tags {
            if !has(&all, &tag.0) {
                all.push(tag.clone());
            }
        }
    }
    dataset::check_tags(&all)?;
    for (wanted, _) in all {
        let lacks = |file: &DatasetFile| !has(&file.tags, &wanted);
        if let Some(first) = files.first()
            && !has(tags, &wanted)
            && !files.iter().any(lacks)
        {
            anyhow::bail!(
                "the dataset has recordings with {} ({}), but this export has {}; add the tag {wanted}",
                describe_keys(&first.tags),
                Printable::path(&first.path),
                describe_keys(tags)
            );
        }
    }
    Ok(())
}

/// Describes the keys of tags in messages.
pub fn describe_keys(tags: &[Tag]) -> String {
    let keys: Vec<_> = tags.iter().map(|(key, _)| key.as_str()).collect();
    match keys.len() {
        0 => "no tag".to_owned(),
        1 => format!("the tag {}", keys[0]),
        _ => format!("the tags {}", keys.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::export::dataset::{parse_tag, table_path};
    use rtoscope_tables::Table;

    #[test]
    fn written_files_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let tags = ["_site=a/%2B=\"ü\"", "device=2"].map(|text| parse_tag(text).unwrap());
        let file = table_path(folder.path(), Table::Recordings, &tags, "run", "parquet");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        for name in [file.clone(), file.with_extension("csv")] {
            fs::write(name, "").unwrap();
        }
        fs::write(folder.path().join("recordings/_SUCCESS"), "").unwrap();
        let found = list_files(&folder.path().join("recordings"), "parquet").unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((&found[0].path, &found[0].tags[..]), (&file, &tags[..]));
        assert!(
            list_files(&folder.path().join("events"), "parquet")
                .unwrap()
                .is_empty()
        );
        fs::create_dir(folder.path().join("recordings/more")).unwrap();
        assert!(list_files(&folder.path().join("recordings"), "parquet").is_err());
    }

    #[test]
    fn tags_can_be_added_but_not_omitted() {
        let tags = |texts: &[&str]| -> Vec<Tag> {
            texts.iter().map(|it| parse_tag(it).unwrap()).collect()
        };
        let files = |all: &[&[&str]]| -> Vec<DatasetFile> {
            let files = all.iter().map(|texts| DatasetFile {
                path: PathBuf::from("trace.parquet"),
                tags: tags(texts),
            });
            files.collect()
        };
        let old = files(&[&["device=1"], &["device=2"]]);
        assert!(check_tags_match(&[], &tags(&["device=1"])).is_ok());
        assert!(check_tags_match(&old, &tags(&["device=3", "site=1"])).is_ok());
        for bad in [
            &[][..],
            &["site=1"],
            &["Device=1"],
            &["device=1", "DEVICE=1"],
        ] {
            assert!(check_tags_match(&old, &tags(bad)).is_err(), "{bad:?}");
        }
        let mixed = files(&[&["device=1"], &["device=2", "site=1"]]);
        assert!(check_tags_match(&mixed, &tags(&["device=3"])).is_ok());
    }

    #[test]
    fn tag_keys_are_compared_in_order() {
        let tags = |texts: [&str; 2]| texts.map(|text| parse_tag(text).unwrap()).to_vec();
        let found = DatasetFile {
            path: PathBuf::new(),
            tags: tags(["a=1", "b=1"]),
        };
        assert!(found.has_tag_keys_of(&tags(["a=2", "b=2"])));
        assert!(!found.has_tag_keys_of(&tags(["b=1", "a=1"])));
        assert!(!found.has_tag_keys_of(&found.tags[..1]));
    }
}
