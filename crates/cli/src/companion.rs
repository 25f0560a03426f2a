//! Separate programs for what takes longer to build than everything else: `rtoscope-sql` for SQL,
//! Parquet and Arrow, `rtoscope-fleet` for the tables of many devices, and `rtoscope-cluster` for
//! queries on them that a cluster runs.

use anyhow::Context as _;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::sql_process::RecordingFile;
use rtoscope_trace::Frequency;
use rtoscope_trace::printable::Printable;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that has some of the subcommands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Companion {
    name: &'static str,
    /// The installation command; the book has the same.
    install: &'static str,
    /// The minimum Rust version.
    min_rust_version: &'static str,
}

/// SQL, Parquet and Arrow.
pub(crate) const SQL: Companion = Companion {
    name: "rtoscope-sql",
    install: "cargo install --path crates/sql",
    min_rust_version: "1.94",
};

/// Tables of many devices.
pub(crate) const FLEET: Companion = Companion {
    name: "rtoscope-fleet",
    install: "cargo install --path fleet/tables",
    min_rust_version: "1.95",
};

/// Queries on the tables of many devices, run by a cluster.
pub(crate) const CLUSTER: Companion = Companion {
    name: "rtoscope-cluster",
    install: "cargo install --path fleet/cluster",
    min_rust_version: "1.95",
};

/// The build time of each.
const TYPICAL_BUILD_TIME: &str = "a quarter of an hour or more on 2 cores";

impl Companion {
    /// Runs the program, which has the same subcommands, with all arguments, and exits with its
    /// exit code.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut command = self.command()?;
        command.args(rtoscope_command::arguments());
        let path = PathBuf::from(command.get_program());
        let error = become_it(command);
        Err(error).with_context(|| Printable::path(&path).to_string())
    }

    /// The command that runs the program, to which the caller adds arguments.
    ///
    /// # Errors
    ///
    /// How to install it, if it is not found.
    pub(crate) fn command(self) -> anyhow::Result<Command> {
        let Self {
            name,
            install,
            min_rust_version,
        } = self;
        let path = find_program(name).with_context(|| {
            format!(
                "this needs {name}, which is not installed; to install it, run \
                 `{install}` in the sources of rtoscope. \
                 It needs Rust {min_rust_version} or later, and building it takes {TYPICAL_BUILD_TIME}"
            )
        })?;
        let mut command = Command::new(path);
        // It refuses to run for another version.
        command.env("RTOSCOPE_VERSION", env!("CARGO_PKG_VERSION"));
        Ok(command)
    }
}

/// The command that answers SQL queries on a recording.
///
/// # Errors
///
/// If the program is not installed, or the file of the recording is gone or has changed.
pub(crate) fn serve_sql(
    recording: &AnalyzedRecording,
    file: &RecordingFile,
) -> anyhow::Result<Command> {
    let mut command = SQL.command()?;
    command.arg("serve");
    let trace = &recording.trace;
    let frequency_hz = trace.clock.frequency().map(Frequency::hertz);
    let (title, events) = (&recording.info.name, trace.events.len());
    let added = file.add_to(&mut command, title, events, frequency_hz);
    added.map_err(anyhow::Error::msg)?;
    Ok(command)
}

/// Looks beside this program and on the path.
fn find_program(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
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

    /// The book and the package manifests must agree with these constants.
    #[test]
    fn book_has_the_same_install_command() {
        let read = |file| fs::read_to_string(rtoscope_fixtures::repository_path(file)).unwrap();
        for (companion, manifest, page) in [
            (SQL, "crates/sql/Cargo.toml", "docs/src/export/export.md"),
            (FLEET, "fleet/Cargo.toml", "docs/src/fleet/ingest.md"),
            (CLUSTER, "fleet/Cargo.toml", "docs/src/fleet/cluster.md"),
        ] {
            let version = format!("rust-version = \"{}\"", companion.min_rust_version);
            assert!(read(manifest).contains(&version), "{version}");
            // The book wraps lines anywhere.
            let words: Vec<_> = read(page).split_whitespace().map(str::to_owned).collect();
            let book = words.join(" ");
            for part in [
                companion.install,
                TYPICAL_BUILD_TIME,
                &format!("Rust {}", companion.min_rust_version),
            ] {
                assert!(book.contains(part), "{page}: {part}");
            }
        }
    }
}
