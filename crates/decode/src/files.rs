//! The files that a program reads: those on disk or, in a page that has no disk, those that the
//! user gave to it.

use crate::DecodeError;
use crate::container::archive;
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

type GivenFiles = BTreeMap<PathBuf, GivenBytes>;

/// `None`: files are on disk.
static GIVEN: Mutex<Option<GivenFiles>> = Mutex::new(None);

/// The bytes of a given file.
#[derive(Debug, Clone)]
pub struct GivenBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for GivenBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// An open file.
#[derive(Debug)]
pub enum FileReader {
    /// On disk.
    Disk(File),
    /// Given.
    Given(Cursor<GivenBytes>),
}

impl Read for FileReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Disk(file) => file.read(buffer),
            Self::Given(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for FileReader {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Disk(file) => file.seek(place),
            Self::Given(bytes) => bytes.seek(place),
        }
    }
}

/// Replaces the files on disk, for the whole process, by the given ones. Their paths are relative.
pub fn give(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) {
    let files = files.into_iter();
    let files = files.map(|(path, bytes)| (path, GivenBytes(Arc::new(bytes))));
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(files.collect());
}

/// Opens a file.
///
/// # Errors
///
/// If there is none, or it cannot be read.
pub fn open(path: &Path) -> io::Result<FileReader> {
    match with_given(|files| find(files, path)) {
        None => Ok(FileReader::Disk(File::open(path)?)),
        Some(found) => Ok(FileReader::Given(Cursor::new(found?))),
    }
}

/// The bytes of a file.
///
/// # Errors
///
/// If there is none, or it cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
///
/// If there is none, or it cannot be read.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// The length of a regular file in bytes.
///
/// # Errors
///
/// If there is none, or it cannot be read.
pub fn length(path: &Path) -> io::Result<u64> {
    match with_given(|files| find(files, path)) {
        Some(found) => Ok(found?.0.len() as u64),
        None => match fs::metadata(path)? {
            file if file.is_file() => Ok(file.len()),
            _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "is no file")),
        },
    }
}

/// Opens the file of a recording.
///
/// # Errors
///
/// As [`Source::open`].
pub fn source(path: &Path) -> Result<Source, DecodeError> {
    source_of(path, with_given(|files| find(files, path)))
}

/// Opens the file of a recording, which is read once: a given one is not copied.
///
/// # Errors
///
/// As [`Source::open`].
pub fn source_once(path: &Path) -> Result<Source, DecodeError> {
    source_of(
        path,
        with_given(|files| {
            let key = key(files, path).ok_or_else(missing)?;
            files.remove(&key).ok_or_else(missing)
        }),
    )
}

fn source_of(path: &Path, given: Option<io::Result<GivenBytes>>) -> Result<Source, DecodeError> {
    if is_dir(path)
        && let Some(bytes) = trace_folder(path)?
    {
        return Ok(Source::from_bytes(bytes));
    }
    match given {
        None => Source::open(path),
        Some(Ok(GivenBytes(bytes))) if bytes.is_empty() => Err(DecodeError::Empty),
        Some(Ok(GivenBytes(bytes))) => Ok(Source::from_bytes(Arc::unwrap_or_clone(bytes))),
        Some(Err(source)) => Err(DecodeError::Io {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Whether a folder, or one in it, has a trace: a file with its metadata beside those of its
/// streams.
pub fn is_trace_folder(path: &Path) -> bool {
    let is_recording = path.join("rtoscope.json");
    is_dir(path) && !exists(&is_recording) && !trace_folders(path).is_empty()
}

/// Maximum number of folders to look into, and how deep.
const MAX_FOLDERS: usize = 1 << 10;
const MAX_DEPTH: usize = 8;

/// The folders with the metadata of a trace, and their paths in `root`.
fn trace_folders(root: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![(root.to_owned(), String::new(), 0)];
    let mut looked = 0;
    while let Some((folder, path, depth)) = open.pop() {
        looked += 1;
        if looked > MAX_FOLDERS {
            break;
        }
        let Ok(names) = names_in(&folder) else {
            continue;
        };
        let names: BTreeSet<OsString> = names.filter_map(Result::ok).collect();
        for name in names.iter().rev() {
            let child = folder.join(name);
            if depth < MAX_DEPTH && is_dir(&child) {
                let path = format!("{path}{}/", name.to_string_lossy());
                open.push((child, path, depth + 1));
            }
        }
        if names.contains(OsStr::new(archive::METADATA)) {
            found.push((folder, path));
        }
    }
    found
}

/// The files of a folder with traces as an archive; `None` for another folder.
fn trace_folder(root: &Path) -> Result<Option<Vec<u8>>, DecodeError> {
    let folders = trace_folders(root);
    if folders.is_empty() {
        return Ok(None);
    }
    let mut files = Vec::new();
    let mut total = 0_u64;
    for (folder, path) in folders {
        let failed = |path: &Path, source| DecodeError::Io {
            path: path.to_owned(),
            source,
        };
        for name in names_in(&folder).map_err(|error| failed(&folder, error))? {
            let name = name.map_err(|error| failed(&folder, error))?;
            let file = folder.join(&name);
            let name = name.to_string_lossy();
            if is_dir(&file) || name.starts_with('.') {
                continue;
            }
            let length = length(&file).map_err(|error| failed(&file, error))?;
            total = total.saturating_add(length);
            if total > MAX_FOLDER_BYTES {
                return Err(DecodeError::EndlessStream {
                    path: root.to_owned(),
                    limit: MAX_FOLDER_BYTES,
                });
            }
            let bytes = read(&file).map_err(|error| failed(&file, error))?;
            files.push((format!("{path}{name}"), bytes));
        }
    }
    let files = files
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    let archive = archive::to_tar(files).map_err(|source| DecodeError::Io {
        path: root.to_owned(),
        source,
    })?;
    Ok(Some(archive))
}

/// Maximum number of bytes of the files of a folder, which are read into memory.
const MAX_FOLDER_BYTES: u64 = 4 << 30;

/// Whether there is such a file or folder.
pub fn exists(path: &Path) -> bool {
    let given = with_given(|files| key(files, path).is_some());
    given.map_or_else(|| path.exists(), |is_file| is_file || is_dir(path))
}

/// Whether there is such a folder.
pub fn is_dir(path: &Path) -> bool {
    let given = with_given(|files| files_below(files, path).next().is_some());
    given.unwrap_or_else(|| path.is_dir())
}

/// The names of the files and folders in a folder, in no particular order.
///
/// # Errors
///
/// If there is no such folder, or it cannot be read.
pub fn names_in(folder: &Path) -> io::Result<Box<dyn Iterator<Item = io::Result<OsString>>>> {
    let given = with_given(|files| {
        let names = files_below(files, folder).map(ToOwned::to_owned);
        names.collect::<BTreeSet<OsString>>()
    });
    Ok(match given {
        Some(names) => Box::new(names.into_iter().map(Ok)),
        None => Box::new(fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()))),
    })
}

fn with_given<T>(look: impl FnOnce(&mut GivenFiles) -> T) -> Option<T> {
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    given.as_mut().map(look)
}

fn find(files: &mut GivenFiles, path: &Path) -> io::Result<GivenBytes> {
    let found = key(files, path).and_then(|key| files.get(&key).cloned());
    found.ok_or_else(missing)
}

/// The given file of a path, or else of its name: a file that was given alone has no folder.
fn key(files: &GivenFiles, path: &Path) -> Option<PathBuf> {
    let name = Path::new(path.file_name()?);
    let mut keys = [path, name].into_iter();
    let found = keys.find(|key| files.contains_key(*key));
    found.map(Path::to_owned)
}

fn files_below<'f>(files: &'f GivenFiles, folder: &'f Path) -> impl Iterator<Item = &'f OsStr> {
    let has_name = !folder.as_os_str().is_empty();
    files
        .keys()
        .filter(move |_| has_name)
        .filter_map(move |path| {
            let below = path.strip_prefix(folder).ok()?;
            Some(below.components().next()?.as_os_str())
        })
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "this file was not given")
}
