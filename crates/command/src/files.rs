//! The files that arguments name: those on disk or, in a page that has no disk, those that the
//! user gave to it.

use rtoscope_decode::DecodeError;
use rtoscope_decode::source::Source;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

type Take = fn(&mut BTreeMap<PathBuf, Vec<u8>>, &Path) -> Option<Vec<u8>>;

/// `None`: files are on disk.
static GIVEN: Mutex<Option<BTreeMap<PathBuf, Vec<u8>>>> = Mutex::new(None);

/// Replaces the files on disk, for the whole process, by the given ones.
pub fn give(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) {
    let files = files.into_iter().collect();
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(files);
}

/// Opens a file.
pub(crate) fn open(path: &Path) -> Result<Source, DecodeError> {
    source(path, |files, name| files.get(name).cloned())
}

/// Opens the file of a recording, which is read once: a given one is not copied.
pub(crate) fn open_once(path: &Path) -> Result<Source, DecodeError> {
    source(path, BTreeMap::remove)
}

fn source(path: &Path, take: Take) -> Result<Source, DecodeError> {
    match find(path, take) {
        None => Source::open(path),
        Some(Some(bytes)) if bytes.is_empty() => Err(DecodeError::Empty),
        Some(Some(bytes)) => Ok(Source::from_bytes(bytes)),
        Some(None) => Err(DecodeError::Io {
            path: path.to_owned(),
            source: missing(),
        }),
    }
}

/// Whether there is such a file or folder.
pub(crate) fn exists(path: &Path) -> bool {
    let given = find(path, |files, name| files.contains_key(name).then(Vec::new));
    given.map_or_else(|| path.exists(), |given| given.is_some())
}

/// Reads a file.
pub(crate) fn reader(path: &Path) -> io::Result<Box<dyn Read>> {
    match find(path, |files, name| files.get(name).cloned()) {
        None => Ok(Box::new(File::open(path)?)),
        Some(bytes) => Ok(Box::new(Cursor::new(bytes.ok_or_else(missing)?))),
    }
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file.
pub(crate) fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    reader(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// The given file of a path, or of its name, because a page knows no folders. `None` if files are
/// on disk.
fn find(path: &Path, take: Take) -> Option<Option<Vec<u8>>> {
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let files = given.as_mut()?;
    Some(take(files, path).or_else(|| take(files, Path::new(path.file_name()?))))
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "this file was not given")
}
