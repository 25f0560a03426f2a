//! Archives of the static library for C, for machines without Rust.

use crate::firmware::c::board;
use crate::toolchain::{self, Toolchain};
use crate::{packages, shell};
use anyhow::{Context as _, ensure};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A target with an archive, and the C compiler that checks it.
struct Target {
    name: &'static str,
    compiler: Compiler,
    flags: &'static [&'static str],
}

struct Compiler {
    program: &'static str,
    packages: &'static [&'static str],
}

const ARM: Compiler = Compiler {
    program: board::COMPILER,
    packages: &board::PACKAGES,
};
const RISCV: Compiler = Compiler {
    program: "riscv64-unknown-elf-gcc",
    packages: &["gcc-riscv64-unknown-elf"],
};
const HARD_M4: [&str; 4] = [
    "-mcpu=cortex-m4",
    "-mthumb",
    "-mfloat-abi=hard",
    "-mfpu=fpv4-sp-d16",
];
const HARD_M33: [&str; 4] = [
    "-mcpu=cortex-m33",
    "-mthumb",
    "-mfloat-abi=hard",
    "-mfpu=fpv5-sp-d16",
];

const TARGETS: [Target; 7] = [
    arm("thumbv6m-none-eabi", &["-mcpu=cortex-m0", "-mthumb"]),
    arm(TESTED, &["-mcpu=cortex-m3", "-mthumb"]),
    arm(
        "thumbv7em-none-eabi",
        &["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft"],
    ),
    arm("thumbv7em-none-eabihf", &HARD_M4),
    arm(
        "thumbv8m.main-none-eabi",
        &["-mcpu=cortex-m33", "-mthumb", "-mfloat-abi=soft"],
    ),
    arm("thumbv8m.main-none-eabihf", &HARD_M33),
    Target {
        name: "riscv32imac-unknown-none-elf",
        compiler: RISCV,
        flags: &["-march=rv32imac", "-mabi=ilp32"],
    },
];

/// The target whose archive the tests build and check.
const TESTED: &str = "thumbv7m-none-eabi";

const fn arm(name: &'static str, flags: &'static [&'static str]) -> Target {
    Target {
        name,
        compiler: ARM,
        flags,
    }
}

#[derive(Args)]
pub(crate) struct ArchiveArgs {
    /// Rust target of the library; all without this option
    #[arg(long = "target")]
    targets: Vec<String>,
}

/// Builds and checks the archives of the given targets, or of all.
pub(crate) fn run(arguments: &ArchiveArgs) -> anyhow::Result<()> {
    let targets = &arguments.targets;
    for name in targets {
        ensure!(
            TARGETS.iter().any(|target| target.name == name),
            "no archive is made for {name}"
        );
    }
    let is_chosen =
        |target: &&Target| targets.is_empty() || targets.iter().any(|name| name == target.name);
    for target in TARGETS.iter().filter(is_chosen) {
        let archive = target.archive().context(target.name)?;
        eprintln!("{}", archive.display());
    }
    Ok(())
}

/// Builds and checks one archive.
pub(crate) fn test() -> anyhow::Result<()> {
    let target = TARGETS.iter().find(|target| target.name == TESTED);
    target.context(TESTED)?.archive().map(|_| ())
}

impl Target {
    /// Builds and checks the archive, and returns its path.
    fn archive(&self) -> anyhow::Result<PathBuf> {
        let manifest = format!("{}/Cargo.toml", board::FOLDER);
        let toolchain = Toolchain::find(self.name)?;
        shell::run(&mut toolchain.cargo(&manifest, self.name, &["build", "--release"])?)?;
        let stem = format!("rtoscope-{VERSION}-{}", self.name);
        let folder = toolchain::folder()?.join("archives");
        let staging = folder.join("staging");
        let _ = fs::remove_dir_all(&staging);
        self.stage(&staging.join(&stem))?;
        let bytes = pack(&staging, &stem)?;
        ensure!(
            bytes == pack(&staging, &stem)?,
            "the archive differs each time"
        );
        let path = folder.join(format!("{stem}.tar.gz"));
        fs::write(&path, bytes)?;
        self.check(&path, &stem)?;
        Ok(path)
    }

    /// Writes the files of the archive to a folder.
    fn stage(&self, folder: &Path) -> anyhow::Result<()> {
        let interface = shell::root().join(board::FOLDER);
        copy(&interface.join("include"), &folder.join("include"))?;
        // The module for Zephyr finds the headers beside its folder.
        for kernel in ["threadx", "zephyr", "nuttx", "rkh"] {
            copy(&interface.join(kernel), &folder.join(kernel))?;
        }
        for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "rtoscope.x"] {
            fs::copy(interface.join(name), folder.join(name)).context(name)?;
        }
        let library = Toolchain::outputs(self.name, "release")?.join("librtoscope_record_c.a");
        let lib = folder.join("lib");
        fs::create_dir_all(lib.join("cmake/rtoscope"))?;
        fs::create_dir_all(lib.join("pkgconfig"))?;
        fs::copy(&library, lib.join("librtoscope_record_c.a"))?;
        let cmake = lib.join("cmake/rtoscope");
        let prefix =
            "get_filename_component(prefix \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)";
        let values = [
            ("@PACKAGE_INIT@", prefix),
            ("@PACKAGE_CMAKE_INSTALL_LIBDIR@", "${prefix}/lib"),
            ("@PACKAGE_CMAKE_INSTALL_INCLUDEDIR@", "${prefix}/include"),
            ("@RTOSCOPE_RUST_TARGET@", self.name),
        ];
        let template = interface.join("cmake/rtoscope-config.cmake.in");
        configure(&template, &cmake.join("rtoscope-config.cmake"), &values)?;
        let version = format!(
            "set(PACKAGE_VERSION \"{VERSION}\")\n\
             if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)\n  \
             set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
             endif()\n"
        );
        fs::write(cmake.join("rtoscope-config-version.cmake"), version)?;
        let values = [
            ("@CMAKE_INSTALL_PREFIX@", "${pcfiledir}/../.."),
            ("@CMAKE_INSTALL_LIBDIR@", "lib"),
            ("@CMAKE_INSTALL_INCLUDEDIR@", "include"),
            ("@PROJECT_VERSION@", VERSION),
            (" @pkg_config_libraries@", ""),
        ];
        let template = interface.join("cmake/rtoscope.pc.in");
        configure(&template, &lib.join("pkgconfig/rtoscope.pc"), &values)
    }

    /// Links a C program with the unpacked archive, as found by pkg-config and by CMake.
    fn check(&self, archive: &Path, stem: &str) -> anyhow::Result<()> {
        let folder = toolchain::folder()?.join("archives/check");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let mut unpack = Command::new("tar");
        unpack.arg("-xzf").arg(archive).arg("-C").arg(&folder);
        shell::run(&mut unpack)?;
        let unpacked = folder.join(stem);
        let Compiler { program, packages } = self.compiler;
        packages::require(program, packages)?;
        let source = folder.join("main.c");
        fs::write(&source, PROGRAM)?;
        fs::write(folder.join("CMakeLists.txt"), PROJECT)?;
        let mut compile = Command::new(program);
        compile.args(self.flags).args(LINK).arg(&source);
        compile.args(board::installed_flags(&unpacked)?);
        shell::run(compile.arg("-o").arg(folder.join("with-pkg-config.elf")))?;
        let build = folder.join("build");
        let mut configure = Command::new("cmake");
        configure
            .arg("-S")
            .arg(&folder)
            .arg("-B")
            .arg(&build)
            .args([
                "-DCMAKE_SYSTEM_NAME=Generic",
                "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",
            ]);
        configure
            .arg(format!("-DCMAKE_C_COMPILER={program}"))
            .arg(format!("-DCMAKE_C_FLAGS={}", self.flags.join(" ")))
            .arg(format!("-DCMAKE_EXE_LINKER_FLAGS={}", LINK.join(" ")))
            .arg(format!(
                "-Drtoscope_DIR={}/lib/cmake/rtoscope",
                unpacked.display()
            ));
        shell::run(&mut configure)?;
        shell::run(Command::new("cmake").arg("--build").arg(&build))
    }
}

/// No start-up code: a program's entry is its own.
const LINK: [&str; 3] = [
    "-nostartfiles",
    "-nostdlib",
    "-Wl,--gc-sections,--entry=start",
];

/// It calls functions of the library, not only inline ones.
const PROGRAM: &str = "#include \"rtoscope.h\"

static struct rto_cswitch_entry entries[64];

void *memcpy(void *to, const void *from, size_t count)
{
    char *byte = to;
    while (count-- > 0) {
        *byte++ = *(const char *)from;
        from = (const char *)from + 1;
    }
    return to;
}

void start(void)
{
    rto_cswitch_init(&rtoscope_cswitch_log, RTO_CORE_COUNTER);
    rto_cswitch_start(&rtoscope_cswitch_log, entries, 64, true);
    rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, 0, \"main\");
}
";

const PROJECT: &str = "cmake_minimum_required(VERSION 3.16)
project(check C)
find_package(rtoscope REQUIRED)
add_executable(with-cmake main.c)
target_link_libraries(with-cmake PRIVATE rtoscope::record)
";

/// The bytes of the archive of a folder: the same for the same files.
pub(crate) fn pack(staging: &Path, stem: &str) -> anyhow::Result<Vec<u8>> {
    let mut tar = Command::new("tar");
    tar.args([
        "--sort=name",
        "--mtime=@0",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=u=rwX,go=rX",
        "--format=ustar",
        "-cf",
        "-",
        "-C",
    ]);
    let archive = shell::output(tar.arg(staging).arg(stem))?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&archive)?;
    Ok(encoder.finish()?)
}

/// Copies a folder, without its tests.
pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for path in shell::files_below(from)? {
        let inner = path.strip_prefix(from)?;
        if inner.starts_with("test") {
            continue;
        }
        let target = to.join(inner);
        fs::create_dir_all(target.parent().context("no folder")?)?;
        fs::copy(&path, &target).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Writes a template of CMake with its variables replaced.
fn configure(template: &Path, to: &Path, values: &[(&str, &str)]) -> anyhow::Result<()> {
    let mut text = fs::read_to_string(template).context(template.display().to_string())?;
    for (variable, value) in values {
        text = text.replace(variable, value);
    }
    ensure!(
        !text.contains('@'),
        "{} has other variables",
        template.display()
    );
    fs::write(to, text).with_context(|| to.display().to_string())
}
