//! Installing what tests need, on machines where this may be done.

use crate::shell;
use std::path::PathBuf;

/// Installs Debian packages if this is Debian and we are root, and says
/// whether it did; else it is for the caller to say what is missing.
pub(crate) fn install(packages: &[&str]) -> anyhow::Result<bool> {
    let root = shell::output(&mut shell::program("id", &["-u"])).is_ok_and(|id| id == b"0\n");
    if !root || !shell::exists("apt-get", "--version") {
        return Ok(false);
    }
    shell::run(&mut shell::program("apt-get", &["update"]))?;
    let install = ["install", "-y", "--no-install-recommends"];
    shell::run(&mut shell::program(
        "apt-get",
        &[&install[..], packages].concat(),
    ))?;
    Ok(true)
}

/// Installs a program from its crate into the target folder, unless this version is there,
/// and returns its path.
pub(crate) fn cargo_install(name: &str, version: &str) -> anyhow::Result<PathBuf> {
    let tools = shell::target()?.join("tools");
    let program = tools.join("bin").join(shell::executable(name));
    let path = program.to_string_lossy();
    if shell::exists(&path, "--version") {
        let printed = shell::output(&mut shell::program(&path, &["--version"]))?;
        let printed = String::from_utf8_lossy(&printed);
        if printed
            .trim()
            .trim_start_matches(name)
            .trim()
            .trim_start_matches('v')
            == version
        {
            return Ok(program);
        }
    }
    let install = [
        "install",
        name,
        "--version",
        version,
        "--locked",
        "--no-default-features",
        "--root",
        &tools.to_string_lossy(),
    ];
    shell::run(&mut shell::cargo(&install))?;
    Ok(program)
}
