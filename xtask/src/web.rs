//! The viewer's own checks: types, lint and format, unit tests, and the real
//! command in a real browser.

use crate::{packages, shell};
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Paths of a Chromium that the browser tests can drive.
const BROWSERS: [&str; 6] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/snap/bin/chromium",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

pub(crate) fn test() -> anyhow::Result<()> {
    install()?;
    shell::run(&mut npm(&["run", "check"]))?;
    shell::run(&mut npm(&["run", "lint"]))?;
    shell::run(&mut npm(&["test"]))?;
    shell::run(&mut browser_tests()?)
}

/// Updates the reference views of the browser tests.
pub(crate) fn bless() -> anyhow::Result<()> {
    install()?;
    shell::run(browser_tests()?.env("RTOSCOPE_BLESS", "1"))
}

fn npm(arguments: &[&str]) -> Command {
    let mut command = shell::program(NPM, arguments);
    command.current_dir(shell::root().join("web"));
    command
}

/// Installs the packages in `package-lock.json` if it is newer than the
/// installed ones. Building the server does this too, but the lint and the unit
/// tests run first.
fn install() -> anyhow::Result<()> {
    let web = shell::root().join("web");
    let modified = |path| fs::metadata(web.join(path)).and_then(|file| file.modified());
    let locked = modified("package-lock.json")?;
    // npm writes this file last.
    match modified("node_modules/.package-lock.json") {
        Ok(installed) if locked <= installed => Ok(()),
        _ => shell::run(&mut npm(&["ci", "--no-audit", "--no-fund"])),
    }
}

/// The command as users get it, with the viewer in it.
pub(crate) fn command() -> anyhow::Result<PathBuf> {
    let build = ["build", "--release", "--package", "rtoscope"];
    shell::run(&mut shell::cargo(&build))?;
    let folder = shell::target()?.join("release");
    Ok(folder.join(shell::executable("rtoscope")))
}

fn browser_tests() -> anyhow::Result<Command> {
    let binary = command()?;
    let mut command = npm(&["run", "e2e"]);
    command
        .env("RTOSCOPE_BIN", binary)
        .env("CHROMIUM", browser()?);
    Ok(command)
}

fn browser() -> anyhow::Result<String> {
    if let Some(found) = installed() {
        return Ok(found);
    }
    packages::install(&["chromium", "fonts-dejavu-core"])?;
    installed().context(
        "there is no browser for the browser tests; install Chromium or Google Chrome, \
         or set CHROMIUM to the path of one",
    )
}

fn installed() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let usual = BROWSERS.iter().map(|name| (*name).to_owned());
    let mut all = named.into_iter().chain(usual);
    all.find(|path| Path::new(path).is_file())
}
