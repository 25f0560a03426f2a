//! The compiler for other targets than this machine: a target installed by rustup, or a
//! compiler of the distribution that builds the standard library from source.

use crate::{packages, shell};
use anyhow::{Context as _, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The targets of all programs.
pub(crate) const TARGETS: [&str; 3] = [
    "thumbv7m-none-eabi",
    "thumbv6m-none-eabi",
    "riscv32imac-unknown-none-elf",
];

/// WebAssembly in a browser.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Debian's newer compiler, which is packaged for its browsers, and the source
/// of its libraries.
const COMPILER: &str = "/usr/bin/rustc";
const SOURCE: &str = "lib/rustlib/src/rust";
const COMPILER_PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// The environment variable with the compiler's flags.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// How cargo builds for a target.
#[derive(Debug, Clone)]
pub(crate) enum Toolchain {
    /// The default compiler has the target.
    Installed,
    /// [`COMPILER`] also builds its libraries; the default toolchain provides the
    /// linker.
    Distribution {
        /// The folder of `rust-lld`.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// Finds a toolchain for `target` on this machine. Installs packages where
    /// this is allowed, but never a rustup toolchain.
    pub(crate) fn find(target: &str) -> anyhow::Result<Self> {
        if is_installed(target)? {
            return Ok(Self::Installed);
        }
        if !builds_core()? && (!packages::install(&COMPILER_PACKAGES)? || !builds_core()?) {
            bail!("the Rust target {target} is missing; run `rustup target add {target}`");
        }
        let host = sysroot("rustc")?.join("lib/rustlib");
        let linker = host.join(host_target()?).join("bin");
        if !linker.join("rust-lld").exists() {
            bail!(
                "{} has no rust-lld; run `rustup target add {target}`",
                linker.display()
            );
        }
        Ok(Self::Distribution { linker })
    }

    /// Cargo for a manifest below the root and a target. The arguments start
    /// with the subcommand. The output is in [`Toolchain::outputs`].
    pub(crate) fn cargo(
        &self,
        manifest: &str,
        target: &str,
        arguments: &[&str],
    ) -> anyhow::Result<Command> {
        let (verb, rest) = arguments
            .split_first()
            .context("cargo needs a subcommand")?;
        let mut command = shell::cargo(&[verb, "--manifest-path", manifest, "--target", target]);
        command.arg("--target-dir").arg(folder()?);
        // Replaces flags set for host programs: warnings are errors.
        command.env(FLAGS, "-Dwarnings");
        if let Self::Distribution { linker } = self {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let all = std::iter::once(linker.clone()).chain(std::env::split_paths(&path));
            command
                .arg(format!("-Zbuild-std={}", libraries(target)))
                .env("RUSTC", COMPILER)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("PATH", std::env::join_paths(all)?);
        }
        command.args(rest);
        Ok(command)
    }

    /// The folder in which the compiler says the source of the libraries is.
    pub(crate) fn library_source(&self) -> anyhow::Result<PathBuf> {
        Ok(sysroot(self.compiler())?.join(SOURCE))
    }

    /// The version of the compiler and of its libraries.
    pub(crate) fn version(&self) -> anyhow::Result<String> {
        let version = printed(self.compiler(), &["--version"])?;
        let number = version.split(' ').nth(1);
        Ok(number.context("rustc has no version")?.to_owned())
    }

    /// The file with the licence of the libraries.
    pub(crate) fn copyright(&self) -> anyhow::Result<PathBuf> {
        Ok(match self {
            Self::Installed => sysroot("rustc")?.join("share/doc/rust/COPYRIGHT-library.html"),
            Self::Distribution { .. } => self.library_source()?.join("COPYRIGHT"),
        })
    }

    fn compiler(&self) -> &'static str {
        match self {
            Self::Installed => "rustc",
            Self::Distribution { .. } => COMPILER,
        }
    }

    /// The folder of a target's programs with a profile.
    pub(crate) fn outputs(target: &str, profile: &str) -> anyhow::Result<PathBuf> {
        Ok(folder()?.join(target).join(profile))
    }
}

/// Adds a compiler flag to those of a command.
pub(crate) fn add_flag(cargo: &mut Command, flag: &str) {
    let mut set = cargo.get_envs().filter(|(name, _)| *name == FLAGS);
    let mut flags = match set.next() {
        Some((_, Some(flags))) => flags.to_owned(),
        _ => OsString::new(),
    };
    if !flags.is_empty() {
        flags.push("\u{1f}");
    }
    flags.push(flag);
    cargo.env(FLAGS, flags);
}

/// The libraries to build for a target.
fn libraries(target: &str) -> &'static str {
    match target {
        WASM => "std,panic_abort",
        target if target.contains("-none") => "core",
        _ => "std,panic_unwind",
    }
}

/// The folder of everything built for targets and of the results of runs,
/// within the target folder of this program.
pub(crate) fn folder() -> anyhow::Result<PathBuf> {
    Ok(shell::target()?.join("firmware"))
}

/// Whether the default compiler has the target's `core`.
fn is_installed(target: &str) -> anyhow::Result<bool> {
    let libraries = printed("rustc", &["--print", "target-libdir", "--target", target])?;
    Ok(Path::new(&libraries).is_dir())
}

/// Whether the distribution's compiler is new enough and has the source of
/// `core`.
fn builds_core() -> anyhow::Result<bool> {
    if !Path::new(COMPILER).exists() {
        return Ok(false);
    }
    let version = printed(COMPILER, &["--version"])?;
    let mut numbers = version.trim_start_matches("rustc ").split('.');
    let minor: Option<u32> = numbers.nth(1).and_then(|minor| minor.parse().ok());
    let needed = env!("CARGO_PKG_RUST_VERSION").split('.').nth(1);
    let needed = needed.and_then(|minor| minor.parse().ok());
    Ok(minor >= needed && sysroot(COMPILER)?.join(SOURCE).join("library").exists())
}

fn sysroot(compiler: &str) -> anyhow::Result<PathBuf> {
    Ok(PathBuf::from(printed(compiler, &["--print", "sysroot"])?))
}

/// The target triple of this machine.
fn host_target() -> anyhow::Result<OsString> {
    let version = printed("rustc", &["--version", "--verbose"])?;
    let mut lines = version.lines();
    let host = lines.find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.into())
}

fn printed(compiler: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let printed = shell::output(&mut shell::program(compiler, arguments))?;
    Ok(String::from_utf8(printed)?.trim_end().to_owned())
}
