//! Interoperability: the receiving tools read what rtoscope exports (`interop/`).

use crate::packages::PythonEnvironment;
use crate::{fleet, packages, python, shell, workspace};
use std::path::Path;
use std::process::Command;

/// Tools that are not Python packages; the Debian packages have the same names.
const TOOLS: [&str; 2] = ["babeltrace2", "sigrok-cli"];

const REQUIREMENTS: &str = "interop/requirements.txt";

/// The Debian package of the Java that Spark needs.
const JAVA: &str = "openjdk-17-jre-headless";

const FLEET_REQUIREMENTS: &str = "interop/fleet/requirements.txt";

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
    let words = [
        "interop",
        "--ignore=interop/fleet",
        "--numprocesses=auto",
        "--durations=20",
        "--durations-min=1",
        // A test that hangs fails with its name and its stack after 120 seconds. Native code
        // is not interrupted; in it, the stacks are shown and the process ends after 150.
        "--timeout=120",
        "--override-ini=faulthandler_timeout=150",
        "--override-ini=faulthandler_exit_on_timeout=true",
    ];
    pytest(&install()?, &words)
}

/// Installs the engines and servers of a fleet where this is allowed.
pub(crate) fn install_fleet() -> anyhow::Result<PythonEnvironment> {
    if !shell::exists("java", "-version") {
        packages::install(&[JAVA])?;
    }
    packages::python_environment("fleet-engines", FLEET_REQUIREMENTS)
}

/// Tests with the engines of a fleet, which take minutes; `fleet` is the program for fleets.
pub(crate) fn test_fleet(python: &PythonEnvironment, fleet: &Path) -> anyhow::Result<()> {
    let mut command = pytest_command(python, &["interop/fleet"])?;
    shell::run(command.env("RTOSCOPE_FLEET_BIN", fleet))
}

fn pytest(python: &PythonEnvironment, words: &[&str]) -> anyhow::Result<()> {
    shell::run(&mut pytest_command(python, words)?)
}

fn pytest_command(python: &PythonEnvironment, words: &[&str]) -> anyhow::Result<Command> {
    let common = [
        "-m",
        "pytest",
        "--quiet",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:rtoscope",
    ];
    let mut command = shell::program(&python.program("python"), &common);
    command
        .args(words)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONPATH", python::install()?)
        .env("RTOSCOPE_BIN", workspace::program("rtoscope")?)
        .env("RTOSCOPE_SQL_BIN", fleet::sql_program()?);
    Ok(command)
}
