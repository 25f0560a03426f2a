//! `rtoscope-sql`, the separate program for SQL, Parquet and Arrow, which take
//! longer to build than everything else.

use anyhow::Context as _;
use rtoscope_trace::printable::Printable;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMPANION_NAME: &str = "rtoscope-sql";

/// The installation command; the book has the same.
const INSTALL_COMMAND: &str = "cargo install --path crates/sql";

/// The minimum Rust version.
const MIN_RUST_VERSION: &str = "1.94";

/// The build time.
const TYPICAL_BUILD_TIME: &str = "half an hour or more on 2 cores";

/// Runs `rtoscope-sql`, which has the same subcommands, with all arguments, and
/// exits with its exit code.
pub(crate) fn run_companion() -> anyhow::Result<()> {
    let mut command = companion_command()?;
    command.args(env::args_os().skip(1));
    let path = PathBuf::from(command.get_program());
    let error = become_it(command);
    Err(error).with_context(|| Printable::path(&path).to_string())
}

/// The command that runs `rtoscope-sql`, to which the caller adds arguments.
///
/// # Errors
///
/// How to install it, if it is not found.
pub(crate) fn companion_command() -> anyhow::Result<Command> {
    let path = find_companion().with_context(|| {
        format!(
            "this needs {COMPANION_NAME}, which is not installed; to install it, run \
             `{INSTALL_COMMAND}` in the sources of rtoscope. \
             It needs Rust {MIN_RUST_VERSION} or later, and building it takes {TYPICAL_BUILD_TIME}"
        )
    })?;
    let mut command = Command::new(path);
    // It refuses to run for another version.
    command.env("RTOSCOPE_VERSION", env!("CARGO_PKG_VERSION"));
    Ok(command)
}

/// Looks beside this program and on the path.
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

/// Returns only on failure.
#[cfg(unix)]
fn become_it(mut command: Command) -> anyhow::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec().into()
}

/// Returns only on failure.
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

    /// The book and the package manifest must agree with these constants.
    #[test]
    fn book_has_the_same_install_command() {
        let read = |file| fs::read_to_string(rtoscope_fixtures::repository_path(file)).unwrap();
        let manifest = read("crates/sql/Cargo.toml");
        let version = format!("rust-version = \"{MIN_RUST_VERSION}\"");
        assert!(manifest.contains(&version), "{version}");
        // The book wraps lines anywhere.
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
