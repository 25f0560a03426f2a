//! Generated sources of the recorders: the headers of their C interface, and the functions of
//! ThreadX's events.

mod ids;
mod rkh;
mod rkhtrc;
mod switches;
mod threadx_events;

use crate::shell;
use anyhow::Context as _;
use std::fs;
use std::path::PathBuf;

/// Writes the headers that are out of date, and reports them.
pub(crate) fn renew() -> anyhow::Result<()> {
    for (file, text) in outdated()? {
        fs::write(&file, text).with_context(|| file.display().to_string())?;
        eprintln!("renewed {}", file.display());
    }
    Ok(())
}

fn outdated() -> anyhow::Result<Vec<(PathBuf, String)>> {
    let is_outdated = |(file, text): &(PathBuf, String)| {
        let found = fs::read_to_string(file);
        !found.is_ok_and(|found| found == *text)
    };
    Ok(generate()?.into_iter().filter(is_outdated).collect())
}

fn folder() -> PathBuf {
    shell::root().join("crates/record-c")
}

/// The files with their content.
fn generate() -> anyhow::Result<[(PathBuf, String); 5]> {
    let mut header = Vec::new();
    cbindgen::generate(folder())?.write(&mut header);
    let header = String::from_utf8(header).context("rtoscope.h")?;
    let include = folder().join("include");
    let inline = include.join("rtoscope_inline.h");
    let inline = fs::read_to_string(&inline).with_context(|| inline.display().to_string())?;
    let records = rkh::generate();
    let events = shell::root().join("crates/decode/src/threadx/catalogue/threadx.tsv");
    let events = fs::read_to_string(&events).with_context(|| events.display().to_string())?;
    Ok([
        (
            include.join("rtoscope.h"),
            switches::append(&header, &[&inline, &records])?,
        ),
        (include.join("rtoscope_rkh.h"), records),
        (include.join("rtoscope_ids.h"), ids::generate()?),
        (include.join("rtoscope_rkhtrc.h"), rkhtrc::generate()),
        (
            shell::root().join("crates/record/src/threadx/event_list.rs"),
            threadx_events::generate(&events)?,
        ),
    ])
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_headers_are_up_to_date() {
        let outdated = super::outdated().unwrap();
        let files: Vec<_> = outdated.iter().map(|(file, _)| file).collect();
        assert!(files.is_empty(), "`cargo xtask check` renews {files:?}");
    }
}
