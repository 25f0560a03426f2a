//! Tests on this machine, with the library installed by CMake and found by
//! pkg-config.

use super::{FOLDER, STRICT};
use crate::firmware::toolchain;
use crate::{packages, shell};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGES: [&str; 3] = ["gcc", "cmake", "pkg-config"];
const PROGRAMS: [&str; 3] = ["cc", "cmake", "pkg-config"];

/// Builds and runs the example; returns the folder of its output.
pub(super) fn example(library: &Path) -> anyhow::Result<PathBuf> {
    let folder = toolchain::folder()?.join("c/host");
    let source = shell::root().join(FOLDER);
    run(library, &folder, &[&source.join("examples/record.c")], &[])?;
    Ok(folder)
}

/// Builds and runs the test of rejected calls.
pub(super) fn limits(library: &Path) -> anyhow::Result<()> {
    let source = shell::root().join(FOLDER).join("test/limits.c");
    let folder = toolchain::folder()?.join("c/limits");
    run(library, &folder, &[&source], &[])
}

/// Builds and runs the test of a log that is sent while it records; returns the folder of
/// its output.
pub(super) fn stream(library: &Path) -> anyhow::Result<PathBuf> {
    let source = shell::root().join(FOLDER).join("test/stream.c");
    let folder = toolchain::folder()?.join("c/stream");
    run(library, &folder, &[&source], &[])?;
    Ok(folder)
}

/// Builds and runs the test of a trace that is sent while it records; returns the folder of
/// its output.
pub(super) fn trace(library: &Path) -> anyhow::Result<PathBuf> {
    let source = shell::root().join(FOLDER).join("test/trace.c");
    let folder = toolchain::folder()?.join("c/trace");
    run(library, &folder, &[&source], &[])?;
    Ok(folder)
}

/// Builds and runs the test of the header that drains ThreadX's own trace; returns the folder
/// of its output.
pub(super) fn drain() -> anyhow::Result<PathBuf> {
    let model = "threadx/test/drain";
    single_header("drain", &["threadx/test/drain/drain.c"], &[model])
}

/// Builds and runs the tests of the compact stream, which need no library; returns the folder
/// of their output.
pub(super) fn packed() -> anyhow::Result<PathBuf> {
    for source in ["test/packed.c", "test/flight.c", "test/cores.c"] {
        single_header("packed", &[source], &[])?;
    }
    // It writes the stream of the first one through a simulated ITM.
    single_header("packed", &["test/itm.c"], &[])
}

/// Builds and runs a test that needs no library; returns the folder of its output.
pub(super) fn single_header(
    name: &str,
    sources: &[&str],
    include: &[&str],
) -> anyhow::Result<PathBuf> {
    let interface = shell::root().join(FOLDER);
    let folder = toolchain::folder()?.join("c").join(name);
    fs::create_dir_all(&folder)?;
    let program = folder.join("program");
    let mut compile = Command::new("cc");
    compile.args(STRICT);
    for folder in ["include"].iter().chain(include) {
        compile.arg("-I").arg(interface.join(folder));
    }
    compile
        .args(sources.iter().map(|source| interface.join(source)))
        .arg("-o")
        .arg(&program);
    shell::run(&mut compile)?;
    shell::run(Command::new(&program).current_dir(&folder))?;
    Ok(folder)
}

/// Builds and runs the test of RKH's macros, masks and callbacks; returns the folder of its
/// output.
pub(super) fn macros(library: &Path) -> anyhow::Result<PathBuf> {
    let source = shell::root().join(FOLDER).join("test/macros.c");
    let folder = toolchain::folder()?.join("c/macros");
    run(library, &folder, &[&source], &[])?;
    Ok(folder)
}

/// Checks that the switches leave nothing of a recorder: the object file is the same as
/// without any call.
pub(super) fn removed() -> anyhow::Result<()> {
    let folder = shell::root().join(FOLDER);
    let output = toolchain::folder()?.join("c");
    let compile = |name: &str, more: &[&str]| {
        let object = output.join(name).with_extension("o");
        let mut compile = Command::new("cc");
        compile.args(STRICT).args(more).arg("-c").arg("-I");
        compile.arg(folder.join("include"));
        compile.arg(folder.join("test/removed.c")).arg("-o");
        shell::run(compile.arg(&object))?;
        let bytes = fs::read(&object).with_context(|| object.display().to_string())?;
        anyhow::Ok(bytes)
    };
    if compile("removed", &[])? != compile("without", &["-DNO_CALLS"])? {
        bail!("the object file of test/removed.c differs from one without calls");
    }
    Ok(())
}

/// Builds and runs the test of the hooks for ThreadX, which includes them.
pub(super) fn hooks(library: &Path) -> anyhow::Result<()> {
    let model = shell::root().join(FOLDER).join("threadx/test");
    let folder = toolchain::folder()?.join("c/hooks");
    run(library, &folder, &[&model.join("hooks.c")], &[&model])
}

fn run(library: &Path, folder: &Path, sources: &[&Path], include: &[&Path]) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let program = folder.join("program");
    let mut compile = Command::new("cc");
    compile.args(STRICT).args(sources);
    for folder in include {
        compile.arg("-I").arg(folder);
    }
    compile.args(flags(library)?).arg("-o").arg(&program);
    shell::run(&mut compile)?;
    shell::run(Command::new(&program).current_dir(folder))
}

/// Builds the library with CMake and installs it; returns the folder.
pub(super) fn install() -> anyhow::Result<PathBuf> {
    let missing = || {
        PROGRAMS
            .iter()
            .find(|name| !shell::exists(name, "--version"))
    };
    if missing().is_some() {
        packages::install(&PACKAGES)?;
    }
    if let Some(name) = missing() {
        bail!("{name}, which builds the C interface, is missing; install it");
    }
    let folder = toolchain::folder()?.join("c");
    let (build, installed) = (folder.join("build"), folder.join("installed"));
    // CMake refuses the folder of another checkout.
    let _ = fs::remove_dir_all(&build);
    let mut configure = Command::new("cmake");
    configure
        .arg("-S")
        .arg(shell::root().join(FOLDER))
        .arg("-B")
        .arg(&build)
        .arg(format!("-DCMAKE_INSTALL_PREFIX={}", installed.display()))
        .arg("-DCMAKE_INSTALL_LIBDIR=lib");
    shell::run(&mut configure)?;
    shell::run(Command::new("cmake").arg("--build").arg(&build))?;
    shell::run(Command::new("cmake").arg("--install").arg(&build))?;
    Ok(installed)
}

/// The compiler flags for the installed library.
fn flags(installed: &Path) -> anyhow::Result<Vec<String>> {
    let mut ask = Command::new("pkg-config");
    ask.env("PKG_CONFIG_PATH", installed.join("lib/pkgconfig"));
    ask.args(["--cflags", "--libs", "rtoscope"]);
    let flags = String::from_utf8(shell::output(&mut ask)?).context("pkg-config")?;
    Ok(flags.split_whitespace().map(str::to_owned).collect())
}
