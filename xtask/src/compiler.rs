//! The compiler of a workspace's crates in all checks: builds a crate, and in the same
//! step checks its lints with Clippy and its documentation with rustdoc.
//!
//! `cargo clippy` and `cargo doc` would each compile all dependencies once more.

use crate::shell;
use anyhow::Context as _;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::{env, fs, io};

/// This program under this name is the compiler.
const NAME: &str = "rustc-with-lints";

/// Makes a cargo command compile the workspace's crates with the compiler.
pub(crate) fn set(cargo: &mut Command) -> anyhow::Result<()> {
    cargo.env("RUSTC_WORKSPACE_WRAPPER", install()?);
    Ok(())
}

/// Whether cargo has started this process as its compiler.
pub(crate) fn is_this_process() -> bool {
    env::current_exe().is_ok_and(|path| path.file_stem() == Some(NAME.as_ref()))
}

/// Copies this program: cargo replaces the original while it compiles.
fn install() -> anyhow::Result<PathBuf> {
    let this = fs::read(shell::this_program()?)?;
    let path = shell::target()?.join(shell::executable(NAME));
    if fs::read(&path).is_ok_and(|installed| installed == this) {
        return Ok(path);
    }
    let new = path.with_extension(std::process::id().to_string());
    let copy = fs::copy(shell::this_program()?, &new).and_then(|_| fs::rename(&new, &path));
    copy.with_context(|| path.display().to_string())?;
    Ok(path)
}

/// Compiles what the arguments of this process say: the path of `rustc`, and its
/// arguments.
pub(crate) fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match compile(&arguments) {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{NAME}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compile(arguments: &[OsString]) -> io::Result<ExitStatus> {
    let mut driver = Command::new("clippy-driver");
    driver.args(arguments);
    let starts = |start: &str| {
        let mut texts = arguments.iter().map(|argument| argument.to_string_lossy());
        texts.any(|text| text.starts_with(start))
    };
    // Cargo also asks the compiler about itself.
    let compiles = starts("--emit");
    if compiles {
        driver.args(["-D", "warnings"]);
    }
    let status = driver.status()?;
    if !status.success() || !compiles || starts("--test") || !is_documented(arguments) {
        return Ok(status);
    }
    rustdoc(arguments)?.status()
}

/// Whether `cargo doc` would document a crate: not benchmarks and build scripts.
fn is_documented(arguments: &[OsString]) -> bool {
    let roots = ["src/lib.rs", "src/main.rs"];
    let mut paths = arguments.iter().map(Path::new);
    paths.any(|path| roots.iter().any(|root| path.ends_with(root)))
}

/// Documents the crate that `rustc` compiles with these arguments.
fn rustdoc(arguments: &[OsString]) -> io::Result<Command> {
    let mut command = Command::new("rustdoc");
    let mut words = Vec::new();
    let mut arguments = arguments.iter().skip(1);
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        match &*text {
            "-C" | "--out-dir" => _ = arguments.next(),
            text if text.starts_with("-C") || text.starts_with("--emit") => {}
            "--crate-name" | "--crate-type" => {
                let value = arguments.next();
                words.extend(value.map(|value| value.to_string_lossy().into_owned()));
                command.arg(argument).args(value);
            }
            _ => _ = command.arg(argument),
        }
    }
    // A folder for each crate: a library and a program can have the same name.
    let folder = env::current_exe()?.with_file_name("checked-docs");
    command.arg("--out-dir").arg(folder.join(words.join("-")));
    command.args(["--document-private-items", "-D", "warnings"]);
    Ok(command)
}
