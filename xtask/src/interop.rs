//! Interoperability: the receiving tools read what rtoscope exports (`interop/`).

use crate::{packages, shell, web};
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Tools that are not Python packages; the Debian packages have the same names.
const TOOLS: [&str; 2] = ["babeltrace2", "sigrok-cli"];

const REQUIREMENTS: &str = "interop/requirements.txt";

pub(crate) fn test() -> anyhow::Result<()> {
    let target = shell::target()?;
    let python = python(&target)?;
    for tool in TOOLS {
        if !shell::exists(tool, "--version") {
            packages::install(&[tool])?;
        }
    }
    // The debug build of `rtoscope-sql` that the workspace's tests use. A build of this
    // package alone would select other features of DataFusion and compile it again, and
    // an optimised one takes half an hour.
    shell::run(&mut shell::cargo(&["test", "--workspace", "--no-run"]))?;
    let words = [
        "-m",
        "pytest",
        "interop",
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

/// The Python of a virtual environment in the target folder, with the required packages.
fn python(target: &Path) -> anyhow::Result<PathBuf> {
    let environment = target.join("interop");
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
        make().context("the interoperability tests need Python 3 with venv")?;
    }
    let install = ["-m", "pip", "install", "--quiet", "-r", REQUIREMENTS];
    let mut pip = shell::program(&python.to_string_lossy(), &install);
    shell::run(&mut pip)?;
    fs::write(installed, wanted)?;
    Ok(python)
}
