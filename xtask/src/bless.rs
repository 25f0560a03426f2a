//! Generated files, and whether they are up to date.

use crate::{shell, web};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::PathBuf;

/// The chapter of the book that lists all events.
const EVENTS: &str = "docs/src/reference/threadx-events.md";

const HEADING: &str = "\
# ThreadX events

All events that ThreadX, FileX, NetX Duo and USBX log, with the name and the
meaning of each information field. This page is made from the tables of
`rtoscope-decode` by `cargo xtask bless`; `rtoscope catalogue` shows the same.
";

pub(crate) fn run() -> anyhow::Result<()> {
    let path = path();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, events()?).with_context(|| EVENTS)?;
    let mut snapshots = shell::cargo(&["test", "--package", "rtoscope"]);
    snapshots.env("INSTA_UPDATE", "always");
    shell::run(snapshots.env("RTOSCOPE_BLESS", "1"))?;
    // Before the viewer is built: it contains the file.
    let mut types = shell::cargo(&["test", "--package", "rtoscope-session", "wire"]);
    shell::run(types.env("RTOSCOPE_BLESS", "1"))?;
    web::bless()
}

/// Fails if a generated file is out of date.
pub(crate) fn check() -> anyhow::Result<()> {
    let found = fs::read(path()).with_context(|| EVENTS)?;
    if found != events()? {
        bail!("{EVENTS} is out of date; run `cargo xtask bless`");
    }
    Ok(())
}

fn path() -> PathBuf {
    shell::root().join(EVENTS)
}

fn events() -> anyhow::Result<Vec<u8>> {
    let list = [
        "run",
        "--quiet",
        "--package",
        "rtoscope",
        "--",
        "catalogue",
        "--format",
        "markdown",
    ];
    let mut page = HEADING.as_bytes().to_vec();
    page.extend(shell::output(&mut shell::cargo(&list))?);
    Ok(page)
}
