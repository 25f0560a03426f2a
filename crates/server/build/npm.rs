//! Runs Node and npm: for the build of the web app, and for the checks of `xtask`.

use crate::lock;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The oldest supported Node; `engines` in package.json states the same version.
const MIN_NODE_VERSION: (u32, u32) = (20, 19);

pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Fails if Node is missing or too old.
pub(crate) fn check_node() -> Result<(), String> {
    let (major, minor) = MIN_NODE_VERSION;
    let install = format!(
        "install Node.js {major}.{minor} or later with npm, from https://nodejs.org \
         or your system's packages"
    );
    let output = Command::new("node").arg("--version").output();
    let output = output.map_err(|error| format!("`node` does not run ({error}); {install}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.trim();
    match parse_version(version) {
        Some(found) if found >= MIN_NODE_VERSION => Ok(()),
        _ => Err(format!("`node` is {version:?}; {install}")),
    }
}

/// Parses `v20.19.1` to (20, 19).
fn parse_version(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.strip_prefix('v')?.split('.');
    let major = numbers.next()?.parse().ok()?;
    Some((major, numbers.next()?.parse().ok()?))
}

/// Installs the packages of package-lock.json if it is newer than the installed ones.
pub(crate) fn install(web: &Path) -> Result<(), String> {
    // Two concurrent builds would install into the same folder.
    let _lock = lock::acquire(&web.join(".build-lock"))?;
    let modified = |path| fs::metadata(web.join(path)).and_then(|file| file.modified());
    let wanted = modified("package-lock.json");
    // npm writes this file when it has finished.
    let installed = modified("node_modules/.package-lock.json");
    match (wanted, installed) {
        (Ok(wanted), Ok(installed)) if wanted <= installed => Ok(()),
        _ => run(
            web,
            Command::new(NPM).args(["ci", "--no-audit", "--no-fund"]),
        ),
    }
}

/// Builds the web app into a folder.
pub(crate) fn build(web: &Path, out: &Path) -> Result<(), String> {
    let mut command = Command::new(NPM);
    command.args(["run", "build"]).env("RTOSCOPE_WEB_OUT", out);
    run(web, &mut command)
}

fn run(web: &Path, command: &mut Command) -> Result<(), String> {
    let words: Vec<_> = command
        .get_args()
        .map(|word| word.to_string_lossy())
        .collect();
    let shown = format!("npm {}", words.join(" "));
    command
        .current_dir(web)
        .env("NO_COLOR", "1")
        .env_remove("FORCE_COLOR");
    let output = command.output();
    let output = output.map_err(|error| {
        format!("`npm` does not run ({error}); install npm, which comes with Node.js")
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "`{shown}` in {} failed ({}):\n{}{}",
        web.display(),
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}
