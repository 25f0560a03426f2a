//! The settings of formats with named events.

use anyhow::Context as _;
use clap::Args;
use rtoscope_decode::files;
use rtoscope_decode::mapping::MappingTables;
use rtoscope_trace::printable::Printable;
use std::path::{Path, PathBuf};

/// The settings of formats with named events.
#[derive(Clone, Args)]
pub(super) struct MappingSettings {
    /// Table in TOML of what named events mean, such as those of CTF, before the built-in tables;
    /// repeatable
    #[arg(long, value_name = "FILE", help_heading = "Events")]
    mapping: Vec<PathBuf>,
}

impl MappingSettings {
    /// The files that these settings name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.mapping.iter().map(PathBuf::as_path)
    }

    /// The tables, those of the user first.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is no table.
    pub(super) fn tables(&self) -> anyhow::Result<MappingTables> {
        let mut tables = MappingTables::default();
        for path in self.mapping.iter().rev() {
            let name = || Printable::path(path).to_string();
            let text = files::read_to_string(path).with_context(name)?;
            tables = tables.with_user_table(&text).with_context(name)?;
        }
        Ok(tables)
    }
}
