//! `rtoscope-sql`, the program that has SQL, Parquet and Arrow: they take longer
//! to build than all the rest.

use anyhow::Context as _;
use rtoscope_trace::printable::Printable;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMPANION_NAME: &str = "rtoscope-sql";

/// How it is installed; the book says the same.
const INSTALL_COMMAND: &str = "cargo install --path crates/sql";

/// The oldest Rust that builds it.
const MIN_RUST_VERSION: &str = "1.94";

/// How long that takes.
const TYPICAL_BUILD_TIME: &str = "half an hour or more on 2 cores";

/// Hands all that this command was told to `rtoscope-sql`, which has the same
/// subcommands, and ends as that does.
pub(crate) fn run_companion() -> anyhow::Result<()> {
    let path = find_companion().with_context(|| {
        format!(
            "this needs {COMPANION_NAME}, which is not installed; in the sources of rtoscope, \
             `{INSTALL_COMMAND}` installs it beside rtoscope. \
             It needs Rust {MIN_RUST_VERSION} or later, and building it takes {TYPICAL_BUILD_TIME}"
        )
    })?;
    let mut command = Command::new(&path);
    command
        .args(env::args_os().skip(1))
        .env("RTOSCOPE_VERSION", env!("CARGO_PKG_VERSION"));
    let error = become_it(command);
    Err(error).with_context(|| Printable::path(&path).to_string())
}

/// Beside this program, or on the path.
fn find_companion() -> Option<PathBuf> {
    let file = format!("{COMPANION_NAME}{}", env::consts::EXE_SUFFIX);
    let this = env::current_exe().ok();
    let beside = this.as_deref().and_then(Path::parent).map(Path::to_owned);
    let paths = env::var_os("PATH");
    let paths = paths.iter().flat_map(env::split_paths);
    let mut candidates = beside
        .into_iter()
        .chain(paths)
        .map(|folder| folder.join(&file));
    candidates.find(|path| path.is_file())
}

/// Only returns if that cannot be.
#[cfg(unix)]
fn become_it(mut command: Command) -> anyhow::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec().into()
}

/// Only returns if that cannot be.
#[cfg(not(unix))]
fn become_it(mut command: Command) -> anyhow::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use std::fs;

    /// What is said here, the book and the package's manifest say, too.
    #[test]
    fn the_book_installs_it_the_same_way() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
        let manifest = read("crates/sql/Cargo.toml");
        let version = format!("rust-version = \"{MIN_RUST_VERSION}\"");
        assert!(manifest.contains(&version), "{version}");
        // Lines of the book end anywhere.
        let words: Vec<_> = read("docs/src/export/export.md")
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let book = words.join(" ");
        for part in [
            INSTALL_COMMAND,
            TYPICAL_BUILD_TIME,
            &format!("Rust {MIN_RUST_VERSION}"),
        ] {
            assert!(book.contains(part), "{part}");
        }
    }
}
