//! Installing what tests need, on machines where this may be done.

use crate::shell;

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
