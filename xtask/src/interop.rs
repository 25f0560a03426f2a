//! Interoperability: the receiving tools read what rtoscope exports (`interop/`).

use crate::{packages, shell, web};

/// Tools that are not Python packages; the Debian packages have the same names.
const TOOLS: [&str; 2] = ["babeltrace2", "sigrok-cli"];

const REQUIREMENTS: &str = "interop/requirements.txt";

pub(crate) fn test() -> anyhow::Result<()> {
    let target = shell::target()?;
    let python = packages::python_environment("interop", REQUIREMENTS)?.program("python");
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
    let mut command = shell::program(&python, &words);
    let sql = target.join("debug").join(shell::executable("rtoscope-sql"));
    command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("RTOSCOPE_BIN", web::command()?)
        .env("RTOSCOPE_SQL_BIN", sql);
    shell::run(&mut command)
}
