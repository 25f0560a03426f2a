//! The minimum Rust version of the crates for targets.

use crate::shell;
use crate::toolchain;
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version in Debian 12; `rust-version` of these crates.
const VERSION: &str = "1.63";

/// The packages of that compiler. They cannot be installed next to a newer
/// compiler, but they can be unpacked.
const PACKAGES: [&str; 4] = [
    "rustc=1.63*",
    "libstd-rust-1.63",
    "libstd-rust-dev=1.63*",
    "libllvm14",
];

/// Builds the crates with Rust 1.63, or reports why that is not possible here.
pub(super) fn check() -> anyhow::Result<()> {
    let Some(compiler) = Compiler::find()? else {
        eprintln!(
            "skipped the build with Rust {VERSION}; run `rustup toolchain install {VERSION}`"
        );
        return Ok(());
    };
    let folder = toolchain::folder()?.join("msrv");
    fs::create_dir_all(&folder)?;
    compiler.build("wire", &folder, None)?;
    compiler.build("record", &folder, Some("wire"))?;
    compiler.build("record-c", &folder, Some("record"))?;
    eprintln!("built with Rust {VERSION}: wire, record, record-c");
    Ok(())
}

/// A compiler of that version.
enum Compiler {
    Rustup,
    /// Unpacked into this folder.
    Unpacked(PathBuf),
}

impl Compiler {
    fn find() -> anyhow::Result<Option<Self>> {
        if shell::exists("rustup", "--version") {
            let mut run = shell::program("rustup", &["run", VERSION, "rustc", "--version"]);
            if run.output().is_ok_and(|output| output.status.success()) {
                return Ok(Some(Self::Rustup));
            }
        }
        if !has_packages() {
            return Ok(None);
        }
        let folder = toolchain::folder()?.join("rustc-1.63");
        if !folder.join("usr/bin/rustc").exists() {
            unpack(&folder)?;
        }
        Ok(Some(Self::Unpacked(folder)))
    }

    fn command(&self) -> Command {
        match self {
            Self::Rustup => shell::program("rustup", &["run", VERSION, "rustc"]),
            Self::Unpacked(folder) => {
                let compiler = folder.join("usr/bin/rustc");
                let mut command = shell::program(&compiler.to_string_lossy(), &[]);
                let architecture = std::env::consts::ARCH;
                let libraries = folder.join(format!("usr/lib/{architecture}-linux-gnu"));
                command.env("LD_LIBRARY_PATH", libraries);
                command.arg("--sysroot").arg(folder.join("usr"));
                command
            }
        }
    }

    /// Builds a crate's library, without features, into a folder that has its
    /// dependencies.
    fn build(&self, name: &str, folder: &Path, uses: Option<&str>) -> anyhow::Result<()> {
        let library = |name: &str| format!("rtoscope_{}", name.replace('-', "_"));
        let mut command = self.command();
        let source = format!("crates/{name}/src/lib.rs");
        command.args(["--edition", "2021", "--crate-type", "lib"]);
        command.args(["--crate-name", &library(name), &source, "-L"]);
        command.arg(folder).arg("--out-dir").arg(folder);
        if let Some(uses) = uses {
            command.args(["--extern", &library(uses)]);
        }
        // Newer compilers have more lints.
        shell::run(command.args(["--cap-lints", "allow"]))
    }
}

/// Whether the distribution has that compiler.
fn has_packages() -> bool {
    let mut policy = shell::program("apt-cache", &["policy", "rustc"]);
    let candidate = format!("Candidate: {VERSION}.");
    policy
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&candidate))
}

/// Downloads and unpacks the packages without installing them.
fn unpack(folder: &Path) -> anyhow::Result<()> {
    let packages = folder.join("packages");
    fs::create_dir_all(&packages)?;
    let mut download = shell::program("apt-get", &["download"]);
    shell::run(download.args(PACKAGES).current_dir(&packages))?;
    for package in fs::read_dir(&packages)? {
        let mut unpack = shell::program("dpkg", &["-x"]);
        shell::run(unpack.arg(package?.path()).arg(folder))?;
    }
    if !folder.join("usr/bin/rustc").exists() {
        bail!("the packages contain no compiler");
    }
    fs::remove_dir_all(&packages).context("the packages' files")
}
