//! Where the shell keeps what was asked.

use std::env;
use std::path::PathBuf;

/// The file, in the folder that the system has for such things; `None` if it
/// has none.
pub(super) fn file() -> Option<PathBuf> {
    Some(folder()?.join("rtoscope").join("query-history"))
}

#[cfg(windows)]
fn folder() -> Option<PathBuf> {
    absolute("LOCALAPPDATA")
}

/// As the XDG Base Directory Specification says.
#[cfg(not(windows))]
fn folder() -> Option<PathBuf> {
    absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local").join("state")))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(variable)?);
    path.is_absolute().then_some(path)
}
