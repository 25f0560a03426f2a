//! The viewer's own checks: types, lint and format, unit tests, and the real
//! command in a real browser.

use crate::{fleet, npm, packages, page, shell, workspace};
use anyhow::Context as _;
use std::path::Path;
use std::process::Command;

/// Paths of a Chromium that the browser tests can drive. The first has no window of its own, and
/// takes two thirds of the others' processor time.
const BROWSERS: [&str; 7] = [
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/snap/bin/chromium",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/// Types, lint and format, and unit tests.
pub(crate) fn test() -> anyhow::Result<()> {
    install()?;
    shell::run(&mut npm(&["run", "check"]))?;
    shell::run(&mut npm(&["run", "lint"]))?;
    shell::run(&mut npm(&["test"]))
}

/// The command in a browser.
pub(crate) fn browser_test() -> anyhow::Result<()> {
    install()?;
    shell::run(&mut browser_tests()?)
}

/// The page that needs no server, in browsers.
pub(crate) fn page_test() -> anyhow::Result<()> {
    let file = page::build()?;
    let mut command = npm(&["run", "page-test"]);
    command
        .env("RTOSCOPE_PAGE", file)
        .env("RTOSCOPE_SITE", page::site()?)
        .env("RTOSCOPE_BIN", workspace::program("rtoscope")?)
        .env("CHROMIUM", browser()?)
        .env("FIREFOX", firefox()?);
    shell::run(&mut command)
}

/// Updates the reference views of the browser tests.
pub(crate) fn bless() -> anyhow::Result<()> {
    install()?;
    shell::run(browser_tests()?.env("RTOSCOPE_BLESS", "1"))
}

/// npm in the folder of the viewer.
pub(crate) fn npm(arguments: &[&str]) -> Command {
    let mut command = shell::program(npm::NPM, arguments);
    command.current_dir(shell::root().join("web"));
    command
}

/// A build of the page that needs no server.
pub(crate) fn vite(mode: &str) -> Command {
    npm(&["run", "page", "--", "--mode", mode])
}

/// Installs the packages in `package-lock.json` if it is newer than the installed ones.
pub(crate) fn install() -> anyhow::Result<()> {
    npm::check_node().map_err(anyhow::Error::msg)?;
    npm::install(&shell::root().join("web")).map_err(anyhow::Error::msg)
}

fn browser_tests() -> anyhow::Result<Command> {
    let mut command = npm(&["run", "e2e"]);
    // The command finds the program for SQL on the path.
    let sql = fleet::sql_program()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = sql.parent().map(Path::to_owned).into_iter();
    let path = std::env::join_paths(folders.chain(std::env::split_paths(&path)))?;
    command
        .env("PATH", path)
        .env("RTOSCOPE_BIN", workspace::program("rtoscope")?)
        .env("CHROMIUM", browser()?);
    Ok(command)
}

/// The path of a browser, installed where this is allowed.
pub(crate) fn browser() -> anyhow::Result<String> {
    if let Some(found) = installed() {
        return Ok(found);
    }
    // Older distributions have the whole browser alone.
    let fonts = "fonts-dejavu-core";
    if packages::install(&["chromium-headless-shell", fonts]).is_err() {
        packages::install(&["chromium", fonts])?;
    }
    installed().context(
        "there is no browser for the browser tests; install Chromium or Google Chrome, \
         or set CHROMIUM to the path of one",
    )
}

/// Firefox: the path in `FIREFOX`, or Debian's, installed where this is allowed.
fn firefox() -> anyhow::Result<String> {
    if let Ok(path) = std::env::var("FIREFOX") {
        return Ok(path);
    }
    let debian = "firefox-esr";
    packages::require(debian, &[debian])?;
    Ok(debian.to_owned())
}

fn installed() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let usual = BROWSERS.iter().map(|name| (*name).to_owned());
    let mut all = named.into_iter().chain(usual);
    all.find(|path| Path::new(path).is_file())
}
