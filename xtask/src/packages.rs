//! Installs the packages that tests need, where this is allowed.

use crate::{cache, lock, shell};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Installs Debian packages if this is Debian and the user is root; returns
/// whether it did. Otherwise the caller reports what is missing.
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

/// Fails without a program; installs Debian packages with it where this is allowed.
pub(crate) fn require(program: &str, packages: &[&str]) -> anyhow::Result<()> {
    let found = || shell::exists(program, "--version");
    if found() || (install(packages)? && found()) {
        return Ok(());
    }
    bail!("{program} is missing; install {}", packages.join(" and "))
}

/// The folder in which Cargo unpacks crates.
pub(crate) fn crate_sources() -> anyhow::Result<PathBuf> {
    let home = std::env::home_dir().map(|home| home.join(".cargo"));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or(home);
    Ok(home
        .context("there is no home folder")?
        .join("registry/src"))
}

/// Installs a program from its crate into the cache, unless this version is there, and returns
/// its path.
pub(crate) fn cargo_install(name: &str, version: &str) -> anyhow::Result<PathBuf> {
    let folder = cache::version_folder("tools", name, version)?;
    let program = folder.join("bin").join(shell::executable(name));
    // Cargo moves it there when it is complete.
    if program.exists() {
        return Ok(program);
    }
    let install = [
        "install",
        name,
        "--version",
        version,
        "--locked",
        "--no-default-features",
        // They run for seconds, and an optimised build takes minutes.
        "--debug",
        "--root",
        &folder.to_string_lossy(),
    ];
    let mut install = shell::cargo(&install);
    install.env("CARGO_PROFILE_DEV_DEBUG", "false");
    // Not in the checkout's target folder, in which other builds wait for this one.
    shell::run(install.env_remove("CARGO_TARGET_DIR"))?;
    Ok(program)
}

/// A virtual environment of Python in the cache.
pub(crate) struct PythonEnvironment {
    folder: PathBuf,
}

impl PythonEnvironment {
    /// The path of a program in the environment.
    pub(crate) fn program(&self, name: &str) -> String {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        let path = self.folder.join(folder).join(shell::executable(name));
        path.to_string_lossy().into_owned()
    }
}

/// Makes a virtual environment with the packages that a file requires, unless it is there.
pub(crate) fn python_environment(
    name: &str,
    requirements: &str,
) -> anyhow::Result<PythonEnvironment> {
    let required = fs::read(shell::root().join(requirements)).context(requirements.to_owned())?;
    let version = shell::output(&mut shell::program("python3", &["--version"]))?;
    let version = cache::key(&[&required, &version]);
    let folder = cache::version_folder("python", name, &version)?;
    let _lock = lock::acquire(&folder.join(".lock")).map_err(anyhow::Error::msg)?;
    let environment = PythonEnvironment {
        folder: folder.join("environment"),
    };
    let complete = folder.join("complete");
    if complete.exists() {
        return Ok(environment);
    }
    create_python_environment(&environment.folder)?;
    let pip = ["-m", "pip", "install", "--quiet", "-r", requirements];
    shell::run(&mut shell::program(&environment.program("python"), &pip))?;
    fs::write(complete, "")?;
    Ok(environment)
}

fn create_python_environment(folder: &Path) -> anyhow::Result<()> {
    let folder = folder.to_string_lossy();
    let create = || shell::run(&mut shell::program("python3", &["-m", "venv", &folder]));
    if create().is_err() {
        install(&["python3-venv"])?;
        create().context("the tests need Python 3 with venv")?;
    }
    Ok(())
}
