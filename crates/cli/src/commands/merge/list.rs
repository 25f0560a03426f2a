//! The file that lists recordings with their places on an axis.

use anyhow::{Context as _, ensure};
use rtoscope_analysis::alignment::{Alignment, Drift};
use rtoscope_command::input::{FileArgs, ListEntry};
use rtoscope_command::output::atomic_output;
use rtoscope_trace::Frequency;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Refuses a name by which commands do not recognise the file.
pub(super) fn check_name(output: &Path) -> anyhow::Result<()> {
    ensure!(
        output.extension().is_some_and(|it| it == "toml"),
        "{}: the name must end with .toml, by which commands recognise the file",
        Printable::path(&output)
    );
    Ok(())
}

/// A recording, and its place unless it is the first one.
pub(super) fn entry(
    file: &FileArgs,
    clock: Option<Frequency>,
    place: Option<&Alignment>,
) -> ListEntry {
    let listed = file.listed();
    let drift = place
        .map(|it| it.drift)
        .filter(|drift| *drift != Drift::default());
    ListEntry {
        path: file.file.clone(),
        clock: clock.map(|clock| clock.to_string()),
        symbols: listed.map_or_else(Vec::new, |it| it.symbols.clone()),
        offset: place.map(|it| format!("{} ticks", it.offset.0)),
        drift: drift.map(|drift| drift.to_string()),
        uncertainty: None,
        rules: place.map_or_else(Vec::new, |it| {
            it.matches.iter().map(|it| it.rule.clone()).collect()
        }),
    }
}

/// Writes the list. If the file exists, its other tables are kept.
pub(super) fn write(output: &Path, mut entries: Vec<ListEntry>) -> anyhow::Result<()> {
    let name = || Printable::path(&output).to_string();
    let folder = match output.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folder = folder.canonicalize().with_context(name)?;
    for entry in &mut entries {
        for path in std::iter::once(&mut entry.path).chain(&mut entry.symbols) {
            *path = relative(path, &folder).with_context(|| Printable::path(&path).to_string())?;
        }
    }
    let mut file: toml::Table = match output.exists() {
        true => fs::read_to_string(output)
            .with_context(name)?
            .parse()
            .with_context(name)?,
        false => toml::Table::new(),
    };
    ensure!(
        !file.get("recording").is_some_and(toml::Value::is_table),
        "{}: it has options of recordings in [recording]; write the list to another file",
        name()
    );
    file.insert("recording".to_owned(), toml::Value::try_from(entries)?);
    let text = toml::to_string(&file)?;
    atomic_output::write_file(Some(output), |file| Ok(file.write_all(text.as_bytes())?))
}

/// The path from the folder, if it is below it; otherwise the absolute path.
fn relative(path: &Path, folder: &Path) -> io::Result<PathBuf> {
    let full = path.canonicalize()?;
    Ok(match full.strip_prefix(folder) {
        Ok(below) => below.to_owned(),
        Err(_) => full,
    })
}
