//! What recordings of datasets are called.

use super::super::dataset::told_apart;
use anyhow::Context as _;
use parquet::file::metadata::ParquetMetaDataReader;
use rtoscope_command::export::found::Found;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The rows that a recording has in a table.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) recording: Recording,
    pub(super) found: Found,
}

/// A recording: the number of its dataset, and where it lies in every table.
pub(super) type Recording = (usize, PathBuf);

/// What is in the column `file` of recordings instead of what their files have
/// there, so that no two are called the same: the tags and the name. Files that
/// do not say that they have one recording only, such as those that somebody
/// else made of several, stay as they are.
///
/// # Errors
///
/// If a file is no Parquet file.
pub(super) fn unique<'a>(
    parts: impl Iterator<Item = &'a Part>,
) -> anyhow::Result<BTreeMap<Recording, String>> {
    let mut names = BTreeMap::new();
    for Part { recording, found } in parts {
        if !names.contains_key(recording) {
            let name = name(&found.path).with_context(|| found.path.display().to_string())?;
            names.insert(recording.clone(), name);
        }
    }
    let mut times: HashMap<&str, usize> = HashMap::new();
    for name in names.values().flatten() {
        *times.entry(name).or_default() += 1;
    }
    let again = names.iter().filter_map(|(recording, name)| {
        let name = name.as_deref()?;
        (times[name] > 1).then(|| (recording.clone(), tagged(&recording.1, name)))
    });
    let (again, tagged): (Vec<_>, Vec<_>) = again.unzip();
    let taken = names
        .values()
        .flatten()
        .filter(|name| times[name.as_str()] == 1);
    let taken: Vec<_> = taken.cloned().collect();
    let count = taken.len();
    let told = told_apart(taken.into_iter().chain(tagged).collect());
    Ok(again
        .into_iter()
        .zip(told.into_iter().skip(count))
        .collect())
}

/// A name behind the folders of the tags.
fn tagged(path: &Path, name: &str) -> String {
    let folders = path.parent().into_iter().flat_map(Path::components);
    let folders = folders.map(|folder| folder.as_os_str().to_string_lossy().into_owned());
    let name = name.trim_start_matches('/');
    let parts: Vec<_> = folders.chain([name.to_owned()]).collect();
    parts.join("/")
}

/// The name of the only recording of which a file has rows, if it says so.
fn name(path: &Path) -> anyhow::Result<Option<String>> {
    #[derive(Deserialize)]
    struct Named {
        file: String,
    }
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&File::open(path)?)?;
    let pairs = metadata.file_metadata().key_value_metadata();
    let mut pairs = pairs.into_iter().flatten();
    let recordings = pairs.find(|pair| pair.key == "rtoscope.recordings");
    let Some(text) = recordings.and_then(|pair| pair.value.as_deref()) else {
        return Ok(None);
    };
    let recordings: [Named; 1] = match serde_json::from_str::<Vec<Named>>(text)?.try_into() {
        Ok(only) => only,
        Err(_) => return Ok(None),
    };
    let [Named { file }] = recordings;
    Ok(Some(file))
}
