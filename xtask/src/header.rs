//! The header of the recorders' C interface.

use crate::shell;
use anyhow::{Context as _, bail};
use std::fs;
use std::path::PathBuf;

/// Writes the header.
pub(crate) fn bless() -> anyhow::Result<()> {
    let file = file();
    fs::write(&file, generate()?).with_context(|| file.display().to_string())
}

/// Fails if the header is out of date.
pub(crate) fn check() -> anyhow::Result<()> {
    let file = file();
    let found = fs::read(&file).with_context(|| file.display().to_string())?;
    if found != generate()? {
        bail!("{} is out of date; run `cargo xtask bless`", file.display());
    }
    Ok(())
}

fn folder() -> PathBuf {
    shell::root().join("crates/record-c")
}

fn file() -> PathBuf {
    folder().join("include/rtoscope.h")
}

fn generate() -> anyhow::Result<Vec<u8>> {
    let mut header = Vec::new();
    cbindgen::generate(folder())?.write(&mut header);
    Ok(header)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_header_is_up_to_date() {
        if std::env::var_os("RTOSCOPE_BLESS").is_some() {
            super::bless().unwrap();
        }
        super::check().unwrap();
    }
}
