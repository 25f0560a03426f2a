//! Symbol files, which map addresses to names.

use anyhow::Context as _;
use clap::Args;
use rtoscope_decode::files;
use rtoscope_decode::rkh;
use rtoscope_symbols::{Firmware, Symbols};
use rtoscope_trace::printable::Printable;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Symbol files, which map addresses to names.
#[derive(Clone, Args)]
pub(super) struct SymbolArgs {
    /// Firmware's ELF file, for names and types; repeatable
    ///
    /// Also the output of nm, or, for an RKH stream, another stream with symbol records.
    #[arg(long, value_name = "FILE", alias = "elf", help_heading = "Input")]
    symbols: Vec<PathBuf>,
}

impl SymbolArgs {
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.symbols.iter().map(PathBuf::as_path)
    }

    /// The same files and others.
    pub(super) fn with(&self, others: &[PathBuf]) -> Self {
        let symbols = self.symbols.iter().chain(others);
        Self {
            symbols: symbols.cloned().collect(),
        }
    }

    /// Loads the symbols for an RKH stream with these options.
    pub(super) fn load_symbols(&self, options: &rkh::RkhOptions) -> anyhow::Result<Symbols> {
        let mut names = Vec::new();
        for path in &self.symbols {
            let name = Printable::path(&path).to_string();
            let bytes = files::read(path).with_context(|| name.clone())?;
            let symbols = rkh::read_symbols(&bytes, options).context(name)?;
            names.extend(symbols.iter().cloned());
        }
        Ok(Symbols::new(names))
    }

    /// Loads the ELF files for the memory of a target.
    pub(super) fn load_firmware(&self) -> anyhow::Result<Vec<Arc<Firmware>>> {
        let open = |path: &PathBuf| {
            open_firmware(path).with_context(|| Printable::path(&path).to_string())
        };
        self.symbols.iter().map(open).collect()
    }

    /// Loads the files that are ELF files, and skips the others.
    pub(super) fn load_available_firmware(&self) -> Vec<Arc<Firmware>> {
        self.symbols
            .iter()
            .filter_map(|path| open_firmware(path).ok())
            .collect()
    }
}

fn open_firmware(path: &Path) -> anyhow::Result<Arc<Firmware>> {
    Ok(Arc::new(Firmware::read(files::source(path)?)?))
}
