//! Generates a Rust table of the built files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a table of the files in a folder: their paths and contents.
pub(crate) fn write(folder: &Path, table: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        let relative = file
            .strip_prefix(folder)
            .map_err(|error| error.to_string())?;
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        let path = format!("/{}", parts.join("/"));
        let _ = writeln!(text, "    ({path:?}, include_bytes!({file:?})),");
    }
    text.push_str("]\n");
    fs::write(table, text).map_err(|error| format!("{}: {error}", table.display()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(named)? {
        let path = entry.map_err(named)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
