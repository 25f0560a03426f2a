//! The platforms of the archives, and how the command is built and run for each.

use super::components::{Component, rust_library};
use crate::toolchain::{self, Toolchain, add_flag};
use crate::workspace::RELEASED_FEATURES;
use crate::{packages, shell, windows};
use anyhow::Context as _;
use regex::bytes::Regex;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A platform with an archive.
pub(super) struct Platform {
    pub(super) target: &'static str,
    /// The C compiler that links, and Debian's packages of it and of what runs its programs here.
    compiler: &'static str,
    packages: &'static [&'static str],
    /// Separates the debug information.
    objcopy: &'static str,
    /// Debian's packages of the libraries that become a part of programs, and their licences.
    libraries: &'static [(&'static str, &'static str)],
}

const MUSL: &str = "x86_64-unknown-linux-musl";
const ARM: &str = "aarch64-unknown-linux-gnu";

/// Extension modules need the C library of the interpreter.
const GNU: &str = "x86_64-unknown-linux-gnu";

/// Runs programs for [`ARM`].
const EMULATOR: &str = "qemu-aarch64-static";

const GCC_LICENSE: &str = "GPL-3.0-or-later WITH GCC-exception-3.1";

pub(super) const PLATFORMS: [Platform; 3] = [
    Platform {
        target: MUSL,
        compiler: "musl-gcc",
        packages: &["musl-tools"],
        objcopy: "objcopy",
        libraries: &[("musl-dev", "MIT"), ("libgcc-12-dev", GCC_LICENSE)],
    },
    Platform {
        target: windows::TARGET,
        compiler: windows::COMPILER,
        packages: &windows::PACKAGES,
        objcopy: "x86_64-w64-mingw32-objcopy",
        libraries: &[
            ("mingw-w64-x86-64-dev", "ZPL-2.1"),
            ("gcc-mingw-w64-x86-64-win32-runtime", GCC_LICENSE),
        ],
    },
    Platform {
        target: ARM,
        compiler: "aarch64-linux-gnu-gcc",
        packages: &[
            "gcc-aarch64-linux-gnu",
            "libc6-dev-arm64-cross",
            "qemu-user-static",
        ],
        objcopy: "aarch64-linux-gnu-objcopy",
        libraries: &[],
    },
];

impl Platform {
    pub(super) fn is_windows(&self) -> bool {
        self.target == windows::TARGET
    }

    /// Whether its programs run on this machine as they are.
    pub(super) fn is_native(&self) -> bool {
        self.target == MUSL && cfg!(all(target_os = "linux", target_arch = "x86_64"))
    }

    /// The file name of a program.
    pub(super) fn executable(&self, name: &str) -> String {
        format!("{name}{}", if self.is_windows() { ".exe" } else { "" })
    }

    /// Builds the command, and returns its path. The same sources become the same bytes in any
    /// folder.
    pub(super) fn build(&self) -> anyhow::Result<PathBuf> {
        let (toolchain, mut build) = self.cargo_build(self.target, "rtoscope")?;
        if !self.links_itself(&toolchain) {
            add_flag(&mut build, &format!("-Clinker={}", self.compiler));
            if self.target == MUSL {
                let unwinder = build_unwinder()?;
                add_flag(&mut build, &format!("-Lnative={}", unwinder.display()));
                // Debian's compiler for musl links no position-independent static programs.
                add_flag(&mut build, "-Crelocation-model=static");
                add_flag(&mut build, "-Clink-self-contained=no");
            }
        }
        shell::run(&mut build)?;
        Ok(Toolchain::outputs(self.target, "release")?.join(self.executable("rtoscope")))
    }

    /// Builds the extension module of the Python package, and returns its path; none if the
    /// platform has no such module.
    pub(super) fn build_module(&self) -> anyhow::Result<Option<PathBuf>> {
        let target = match self.target {
            MUSL => GNU,
            ARM => ARM,
            _ => return Ok(None),
        };
        let (_, mut build) = self.cargo_build(target, "rtoscope-python")?;
        if target != GNU {
            add_flag(&mut build, &format!("-Clinker={}", self.compiler));
        }
        // The module is for any interpreter from 3.9 on, not for that of this machine.
        shell::run(build.env("PYO3_NO_PYTHON", "1"))?;
        Ok(Some(
            Toolchain::outputs(target, "release")?.join("librtoscope_python.so"),
        ))
    }

    /// Cargo for a release of a package.
    fn cargo_build(&self, target: &str, package: &str) -> anyhow::Result<(Toolchain, Command)> {
        packages::require(self.compiler, self.packages)?;
        let toolchain = Toolchain::find(target)?;
        let build = ["build", "--release", "--locked", "--package", package];
        let mut build = toolchain.cargo("Cargo.toml", target, &build)?;
        if package == "rtoscope" {
            build.arg(RELEASED_FEATURES);
        }
        for (folder, name) in [
            (shell::root(), "rtoscope"),
            (packages::crate_sources()?, "crates"),
            (toolchain.library_source()?, "rust"),
        ] {
            for folder in [
                fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone()),
                folder,
            ] {
                let map = format!("--remap-path-prefix={}={name}", folder.display());
                add_flag(&mut build, &map);
            }
        }
        Ok((toolchain, build))
    }

    /// Copies a program without its debug information, which goes to a file of its own.
    pub(super) fn strip(&self, program: &Path, to: &Path, debug: &Path) -> anyhow::Result<()> {
        let run = |arguments: &[&OsStr]| shell::run(Command::new(self.objcopy).args(arguments));
        let (program, to, debug) = (program.as_os_str(), to.as_os_str(), debug.as_os_str());
        run(&["--only-keep-debug".as_ref(), program, debug])?;
        let mut link = OsString::from("--add-gnu-debuglink=");
        link.push(debug);
        run(&["--strip-all".as_ref(), &link, program, to])
    }

    /// The command that runs a program of the platform on this machine.
    pub(super) fn runner(&self, program: &Path) -> anyhow::Result<Command> {
        match self.target {
            MUSL => Ok(Command::new(program)),
            ARM => {
                packages::require(EMULATOR, self.packages)?;
                let mut command = Command::new(EMULATOR);
                command.args(["-L", "/usr/aarch64-linux-gnu"]).arg(program);
                Ok(command)
            }
            _ => windows::command(program),
        }
    }

    /// The platform in the name of a wheel.
    pub(super) fn wheel_platform(&self, program: &Path) -> anyhow::Result<String> {
        Ok(match self.target {
            // It needs no library at all.
            MUSL => "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64".to_owned(),
            ARM => format!("manylinux_2_{}_aarch64", glibc(program)?),
            _ => "win_amd64".to_owned(),
        })
    }

    /// The platform in the name of a wheel with an extension module.
    pub(super) fn module_platform(&self, program: &Path, module: &Path) -> anyhow::Result<String> {
        Ok(match self.target {
            MUSL => format!("manylinux_2_{}_x86_64", glibc(module)?),
            _ => format!(
                "manylinux_2_{}_aarch64",
                glibc(module)?.max(glibc(program)?)
            ),
        })
    }

    /// The libraries that the compilers add.
    pub(super) fn libraries(&self) -> anyhow::Result<Vec<Component>> {
        let toolchain = Toolchain::find(self.target)?;
        let mut found = vec![rust_library(&toolchain)?];
        if self.links_itself(&toolchain) {
            return Ok(found);
        }
        for (name, license) in self.libraries {
            let version = ["--show", "--showformat=${Version}", name];
            let version = shell::output(&mut shell::program("dpkg-query", &version))?;
            let text = Path::new("/usr/share/doc").join(name).join("copyright");
            let version = String::from_utf8(version)?;
            found.push(Component::library(name, &version, license, &text)?);
        }
        Ok(found)
    }

    /// Whether the compiler brings the C library.
    fn links_itself(&self, toolchain: &Toolchain) -> bool {
        self.target == MUSL && matches!(toolchain, Toolchain::Installed)
    }
}

/// The minor version of the oldest glibc 2 that has all functions that a program needs.
fn glibc(program: &Path) -> anyhow::Result<u32> {
    let bytes = fs::read(program)?;
    let versions = Regex::new(r"GLIBC_2\.(\d+)\x00")?;
    let versions = versions
        .captures_iter(&bytes)
        .filter_map(|version| std::str::from_utf8(&version[1]).ok()?.parse().ok());
    versions.max().context("the program needs no glibc")
}

/// Makes a library for exceptions from GCC's, and returns its folder.
fn build_unwinder() -> anyhow::Result<PathBuf> {
    let folder = toolchain::folder()?.join("unwinder");
    fs::create_dir_all(&folder)?;
    let found = shell::output(Command::new("gcc").arg("-print-file-name=libgcc_eh.a"))?;
    let library = folder.join("libunwind.a");
    fs::copy(String::from_utf8(found)?.trim_end(), &library)?;
    let object = folder.join("find_object.o");
    let mut compile = shell::program(
        "musl-gcc",
        &["-O2", "-c", "xtask/src/dist/find_object.c", "-o"],
    );
    shell::run(compile.arg(&object))?;
    shell::run(Command::new("ar").arg("rD").arg(&library).arg(&object))?;
    Ok(folder)
}
