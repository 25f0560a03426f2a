//! Interoperability: the receiving tools read what rtoscope exports (`interop/`).

use crate::packages::PythonEnvironment;
use crate::{packages, shell, workspace};

/// Tools that are not Python packages; the Debian packages have the same names.
const TOOLS: [&str; 2] = ["babeltrace2", "sigrok-cli"];

const REQUIREMENTS: &str = "interop/requirements.txt";

/// Installs the receiving tools where this is allowed.
pub(crate) fn install() -> anyhow::Result<PythonEnvironment> {
    for tool in TOOLS {
        if !shell::exists(tool, "--version") {
            packages::install(&[tool])?;
        }
    }
    packages::python_environment("interop", REQUIREMENTS)
}

pub(crate) fn test() -> anyhow::Result<()> {
    let python = install()?.program("python");
    let words = [
        "-m",
        "pytest",
        "interop",
        "--quiet",
        "--numprocesses=auto",
        "-p",
        "no:cacheprovider",
    ];
    let mut command = shell::program(&python, &words);
    command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("RTOSCOPE_BIN", workspace::program("rtoscope")?)
        .env("RTOSCOPE_SQL_BIN", workspace::program("rtoscope-sql")?);
    shell::run(&mut command)
}
