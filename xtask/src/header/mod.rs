//! The headers of the recorders' C interface.

mod ids;
mod rkh;
mod rkhtrc;
mod switches;

use crate::shell;
use anyhow::{Context as _, bail};
use std::fs;
use std::path::PathBuf;

/// Writes the headers.
pub(crate) fn bless() -> anyhow::Result<()> {
    for (file, text) in generate()? {
        fs::write(&file, text).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Fails if a header is out of date.
pub(crate) fn check() -> anyhow::Result<()> {
    for (file, text) in generate()? {
        let found = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        if found != text {
            bail!("{} is out of date; run `cargo xtask bless`", file.display());
        }
    }
    Ok(())
}

fn folder() -> PathBuf {
    shell::root().join("crates/record-c")
}

/// The headers with their content.
fn generate() -> anyhow::Result<[(PathBuf, String); 4]> {
    let mut header = Vec::new();
    cbindgen::generate(folder())?.write(&mut header);
    let header = String::from_utf8(header).context("rtoscope.h")?;
    let include = folder().join("include");
    let inline = include.join("rtoscope_inline.h");
    let inline = fs::read_to_string(&inline).with_context(|| inline.display().to_string())?;
    let records = rkh::generate();
    Ok([
        (
            include.join("rtoscope.h"),
            switches::append(&header, &[&inline, &records])?,
        ),
        (include.join("rtoscope_rkh.h"), records),
        (include.join("rtoscope_ids.h"), ids::generate()?),
        (include.join("rtoscope_rkhtrc.h"), rkhtrc::generate()),
    ])
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
