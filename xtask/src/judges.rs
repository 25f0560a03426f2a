//! Exports, judged by the tools that they are for: `judges/`.

use crate::{packages, shell, web};
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Tools that are no Python packages, and the Debian packages of the same names.
const TOOLS: [&str; 2] = ["babeltrace2", "sigrok-cli"];

const REQUIREMENTS: &str = "judges/requirements.txt";

pub(crate) fn test() -> anyhow::Result<()> {
    let target = shell::target()?;
    let python = python(&target)?;
    for tool in TOOLS {
        if !shell::exists(tool, "--version") {
            packages::install(&[tool])?;
        }
    }
    // Built already, as it is here: alone it would get other features of its
    // engine, and for users all of that half an hour of optimisation.
    shell::run(&mut shell::cargo(&["test", "--workspace", "--no-run"]))?;
    let words = [
        "-m",
        "pytest",
        "judges",
        "--quiet",
        "--numprocesses=auto",
        "-p",
        "no:cacheprovider",
    ];
    let mut command = shell::program(&python.to_string_lossy(), &words);
    let sql = target.join("debug").join(shell::executable("rtoscope-sql"));
    command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("RTOSCOPE_BIN", web::command()?)
        .env("RTOSCOPE_SQL_BIN", sql);
    shell::run(&mut command)
}

/// A Python that has the packages, of an environment in the target folder.
fn python(target: &Path) -> anyhow::Result<PathBuf> {
    let environment = target.join("judges");
    let python = match cfg!(windows) {
        true => environment.join("Scripts/python.exe"),
        false => environment.join("bin/python"),
    };
    let wanted = fs::read(shell::root().join(REQUIREMENTS)).context(REQUIREMENTS)?;
    let installed = environment.join("requirements.txt");
    if fs::read(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let folder = environment.to_string_lossy();
    let make = || shell::run(&mut shell::program("python3", &["-m", "venv", &folder]));
    if make().is_err() {
        packages::install(&["python3-venv"])?;
        make().context("Python 3 with venv is needed for the judges of exports")?;
    }
    let install = ["-m", "pip", "install", "--quiet", "-r", REQUIREMENTS];
    let mut pip = shell::program(&python.to_string_lossy(), &install);
    shell::run(&mut pip)?;
    fs::write(installed, wanted)?;
    Ok(python)
}
