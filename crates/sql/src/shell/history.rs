//! The history file.

use std::env;
use std::path::PathBuf;

/// The path of the history file; `None` if the system has no folder for it.
pub(super) fn file() -> Option<PathBuf> {
    Some(folder()?.join("rtoscope").join("query-history"))
}

#[cfg(windows)]
fn folder() -> Option<PathBuf> {
    absolute("LOCALAPPDATA")
}

/// According to the XDG Base Directory Specification.
#[cfg(not(windows))]
fn folder() -> Option<PathBuf> {
    absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local").join("state")))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(variable)?);
    path.is_absolute().then_some(path)
}
