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

/// The first line of the headers, as of all files that programs copy.
const LICENCE: &str = "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n";

/// The files with their content.
fn generate() -> anyhow::Result<[(PathBuf, String); 5]> {
    let mut header = Vec::new();
    cbindgen::generate(folder())?.write(&mut header);
    let header = LICENCE.to_owned() + str::from_utf8(&header).context("rtoscope.h")?;
    let include = folder().join("include");
    let inline = include.join("rtoscope_inline.h");
    let inline = fs::read_to_string(&inline).with_context(|| inline.display().to_string())?;
    let records = LICENCE.to_owned() + &rkh::generate();
    let events = shell::root().join("crates/decode/src/threadx/catalogue/threadx.tsv");
    let events = fs::read_to_string(&events).with_context(|| events.display().to_string())?;
    Ok([
        (
            include.join("rtoscope.h"),
            switches::append(&header, &[&inline, &records])?,
        ),
        (include.join("rtoscope_rkh.h"), records),
        (
            include.join("rtoscope_ids.h"),
            LICENCE.to_owned() + &ids::generate()?,
        ),
        (
            include.join("rtoscope_rkhtrc.h"),
            LICENCE.to_owned() + &rkhtrc::generate(),
        ),
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

    /// All but the sources and descriptions of the package itself, and the tests.
    #[test]
    fn files_that_programs_copy_name_their_licence() {
        let own = [
            "src",
            "test",
            "README.md",
            "Cargo.toml",
            "build.rs",
            "cbindgen.toml",
        ];
        let folder = super::folder();
        for file in crate::shell::files_below(&folder).unwrap() {
            let path = file.strip_prefix(&folder).unwrap();
            let mut parts = path.iter().map(|part| part.to_str().unwrap());
            if parts.any(|part| own.contains(&part) || part.starts_with("LICENSE")) {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let first = text.lines().next().unwrap_or_default();
            let is_named = first.contains("SPDX-License-Identifier: MIT OR Apache-2.0");
            assert!(is_named, "{} begins with {first}", path.display());
        }
    }
}
