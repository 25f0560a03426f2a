//! Builds programs in C, and runs them: on this machine, and on a Cortex-M3 and a Cortex-R5 in
//! QEMU, which write files on this machine by semihosting.

use crate::firmware::qemu::{self, Board, Model, SEMIHOSTING};
use crate::toolchain::{self, Toolchain};
use crate::{packages, shell};
use anyhow::Context as _;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the interface.
pub(crate) const FOLDER: &str = "crates/record-c";

/// Compiler flags: C99 and all warnings as errors.
pub(crate) const STRICT: [&str; 6] = [
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    "-O2",
];

/// The folder of the headers.
pub(crate) const INCLUDE: &str = "-Icrates/record-c/include";

/// The compiler for boards, and Debian's packages of it.
pub(crate) const COMPILER: &str = "arm-none-eabi-gcc";
pub(crate) const PACKAGES: [&str; 2] = ["gcc-arm-none-eabi", "libnewlib-arm-none-eabi"];

/// A processor that programs are built for and run on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Core {
    /// With the vectors and the linker script of the examples.
    CortexM3,
    /// With those of the C library.
    CortexR5,
}

impl Core {
    fn target(self) -> &'static str {
        match self {
            Self::CortexM3 => "thumbv7m-none-eabi",
            Self::CortexR5 => "armv7r-none-eabi",
        }
    }

    fn model(self) -> Model {
        match self {
            Self::CortexM3 => qemu::MPS2,
            Self::CortexR5 => qemu::CORTEX_R5,
        }
    }

    /// The compiler, in the root of the repository.
    pub(super) fn compiler(self) -> anyhow::Result<Command> {
        packages::require(COMPILER, &PACKAGES)?;
        let flags = match self {
            Self::CortexM3 => ["-mcpu=cortex-m3", "-mthumb"],
            Self::CortexR5 => ["-mcpu=cortex-r5", "-marm"],
        };
        Ok(shell::program(COMPILER, &flags))
    }

    /// Builds the library.
    pub(crate) fn build_library(self) -> anyhow::Result<()> {
        let manifest = format!("{FOLDER}/Cargo.toml");
        let toolchain = Toolchain::find(self.target())?;
        shell::run(&mut toolchain.cargo(&manifest, self.target(), &["build", "--release"])?)
    }

    /// The built library.
    pub(crate) fn library(self) -> anyhow::Result<PathBuf> {
        Ok(Toolchain::outputs(self.target(), "release")?.join("librtoscope_record_c.a"))
    }
}

/// What a program is built for, and where it runs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Platform<'a> {
    /// This machine, without the library.
    Host,
    /// This machine, with the library and the headers that CMake installed into this folder.
    Installed(&'a Path),
    /// A board with the library.
    Board(Core),
}

const BOARD: [&str; 5] = [
    "-g",
    "-ffunction-sections",
    "-fdata-sections",
    "-Wl,--gc-sections,-z,noexecstack",
    // The C library's system calls: by semihosting.
    "--specs=rdimon.specs",
];

const CORTEX_M3: [&str; 3] = [
    "-Tcrates/record-c/examples/board/mps2.ld",
    "-Tcrates/record-c/rtoscope.x",
    "crates/record-c/examples/board/vectors.c",
];

impl Platform<'_> {
    /// Builds a program from sources and folders of headers, which are relative to the interface,
    /// and runs it. Returns the folder that it runs in, with the program named as its first source.
    pub(super) fn run(self, sources: &[&str], include: &[&str]) -> anyhow::Result<PathBuf> {
        let name = sources.first().context("no source")?;
        let name = Path::new(name).file_stem().context("no name")?;
        let mut arguments: Vec<_> = STRICT.map(OsString::from).into();
        let include = include.iter().map(|folder| format!("-I{FOLDER}/{folder}"));
        let sources = sources.iter().map(|source| format!("{FOLDER}/{source}"));
        arguments.extend(include.chain(sources).map(OsString::from));
        self.run_compiled(Path::new(name), &arguments)
    }

    /// Builds a program by these arguments of the compiler, and runs it. Returns the folder that it
    /// runs in, with the program.
    pub(super) fn run_compiled(
        self,
        name: &Path,
        arguments: &[OsString],
    ) -> anyhow::Result<PathBuf> {
        let (folder, mut compile) = match self {
            Self::Host | Self::Installed(_) => ("host", shell::program("cc", &[])),
            Self::Board(core) => (core.target(), core.compiler()?),
        };
        let folder = toolchain::folder()?.join("c").join(folder);
        fs::create_dir_all(&folder)?;
        let program = folder.join(name).with_extension("elf");
        if let Self::Board(core) = self {
            compile.args(BOARD);
            if let Core::CortexM3 = core {
                compile.args(CORTEX_M3);
            }
        }
        compile.args(arguments);
        match self {
            Self::Host => compile.arg(INCLUDE),
            Self::Installed(library) => compile.args(installed_flags(library)?),
            Self::Board(core) => compile.arg(INCLUDE).arg(core.library()?),
        };
        shell::run(compile.arg("-o").arg(&program))?;
        let mut run = match self {
            Self::Host | Self::Installed(_) => Command::new(&program),
            Self::Board(core) => Board {
                more: &SEMIHOSTING,
                ..Board::new(core.model(), &program)
            }
            .command()?,
        };
        shell::run(run.current_dir(&folder))?;
        Ok(folder)
    }
}

/// Compiles a source file alone; returns the object file.
pub(super) fn object(
    mut compiler: Command,
    source: &Path,
    more: &[String],
) -> anyhow::Result<PathBuf> {
    let object = toolchain::folder()?.join("c/object.o");
    compiler.args(STRICT).arg(INCLUDE).args(more);
    compiler.arg("-c").arg(source);
    shell::run(compiler.arg("-o").arg(&object)).with_context(|| source.display().to_string())?;
    Ok(object)
}

/// Builds the library with CMake and installs it; returns the folder.
pub(super) fn install() -> anyhow::Result<PathBuf> {
    for (program, package) in [
        ("cc", "gcc"),
        ("cmake", "cmake"),
        ("pkg-config", "pkg-config"),
    ] {
        packages::require(program, &[package])?;
    }
    let folder = toolchain::folder()?.join("c");
    let (build, installed) = (folder.join("build"), folder.join("installed"));
    // CMake refuses the folder of another checkout.
    let _ = fs::remove_dir_all(&build);
    let mut configure = shell::program("cmake", &["-S", FOLDER, "-B"]);
    configure
        .arg(&build)
        .arg(format!("-DCMAKE_INSTALL_PREFIX={}", installed.display()))
        .arg("-DCMAKE_INSTALL_LIBDIR=lib");
    shell::run(&mut configure)?;
    shell::run(Command::new("cmake").arg("--build").arg(&build))?;
    shell::run(Command::new("cmake").arg("--install").arg(&build))?;
    Ok(installed)
}

/// The compiler flags for an installed library, by pkg-config.
pub(crate) fn installed_flags(installed: &Path) -> anyhow::Result<Vec<String>> {
    let mut ask = Command::new("pkg-config");
    ask.env("PKG_CONFIG_PATH", installed.join("lib/pkgconfig"));
    ask.args(["--cflags", "--libs", "rtoscope"]);
    let flags = String::from_utf8(shell::output(&mut ask)?).context("pkg-config")?;
    Ok(flags.split_whitespace().map(str::to_owned).collect())
}
