//! Generated files: writes them and checks that they are up to date.

use crate::{cost, firmware, glossary, header, shell, web, workspace};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::PathBuf;

/// A chapter of the book that lists all events of a format.
struct Chapter {
    path: &'static str,
    format: &'static str,
    heading: &'static str,
}

const THREADX: &str = "\
# ThreadX events

All events that ThreadX, FileX, NetX Duo and USBX log, with the name and the meaning of
each information field. `cargo xtask bless` generates this page from the tables of
`rtoscope-decode`; `rtoscope catalogue` prints the same tables.
";

pub(crate) fn run() -> anyhow::Result<()> {
    for chapter in &CHAPTERS {
        fs::write(chapter.file(), chapter.events()?).with_context(|| chapter.path)?;
    }
    for arguments in [
        &[
            "test",
            "--package",
            "rtoscope-tables",
            "--test",
            "integration",
            "reference_docs",
        ][..],
        &[
            "test",
            "--package",
            "rtoscope-sql",
            "--lib",
            "reference_docs",
        ],
        // The types of its answers to the viewer.
        &["test", "--package", "rtoscope-sql", "--lib", "protocol"],
        // A view as SQL for other engines.
        &["test", "--package", "rtoscope-sql", "--lib", "dialects"],
    ] {
        let mut test = shell::cargo(arguments);
        test.env("INSTA_UPDATE", "always");
        shell::run(test.env("RTOSCOPE_BLESS", "1"))?;
    }
    // After the lists of tables and views, which it indexes.
    glossary::bless()?;
    header::bless()?;
    // Before the snapshots, which contain these recordings.
    firmware::bless()?;
    let mut snapshots = shell::cargo(&["test", "--package", "rtoscope"]);
    snapshots.env("INSTA_UPDATE", "always");
    shell::run(snapshots.env("RTOSCOPE_BLESS", "1"))?;
    // Before the viewer is built, which contains the files.
    for (package, test) in [("analysis", "typescript"), ("session", "wire")] {
        let package = format!("rtoscope-{package}");
        let mut types = shell::cargo(&["test", "--package", &package, "--lib", test]);
        shell::run(types.env("RTOSCOPE_BLESS", "1"))?;
    }
    cost::bless()?;
    web::bless()
}

const RKH: &str = "\
# RKH records

All records of RKH 3, with the name and the meaning of each argument. Senders and
low-water marks depend on the target's configuration. User records (USR) contain items
with their own types. `cargo xtask bless` generates this page from the tables of
`rtoscope-wire`; `rtoscope catalogue --of rkh` prints the same tables.
";

const CSWITCH: &str = "\
# Context-switch events

All kinds of entries of a [context-switch log](../cswitch/log.md), with the name and the
meaning of each field. The symbols are those of the article that defines the log. `cargo
xtask bless` generates this page from a table of `rtoscope-decode`; `rtoscope catalogue
--of cswitch` prints the same table.
";

const CHAPTERS: [Chapter; 3] = [
    Chapter {
        path: "docs/src/reference/threadx-events.md",
        format: "threadx",
        heading: THREADX,
    },
    Chapter {
        path: "docs/src/reference/rkh-records.md",
        format: "rkh",
        heading: RKH,
    },
    Chapter {
        path: "docs/src/reference/cswitch-events.md",
        format: "cswitch",
        heading: CSWITCH,
    },
];

/// Fails if a generated file is out of date.
pub(crate) fn check() -> anyhow::Result<()> {
    header::check()?;
    for chapter in &CHAPTERS {
        let found = fs::read(chapter.file()).with_context(|| chapter.path)?;
        if found != chapter.events()? {
            bail!("{} is out of date; run `cargo xtask bless`", chapter.path);
        }
    }
    Ok(())
}

impl Chapter {
    fn file(&self) -> PathBuf {
        shell::root().join(self.path)
    }

    fn events(&self) -> anyhow::Result<Vec<u8>> {
        let program = workspace::program("rtoscope")?;
        let list = ["catalogue", "--of", self.format, "--format", "markdown"];
        let mut list = shell::program(&program.to_string_lossy(), &list);
        let mut page = self.heading.as_bytes().to_vec();
        page.extend(shell::output(&mut list)?);
        Ok(page)
    }
}
