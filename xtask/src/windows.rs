//! The command on Windows: cross-built, and tested under Wine.

use crate::toolchain::{self, Toolchain};
use crate::{packages, shell};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const TARGET: &str = "x86_64-pc-windows-gnu";
pub(crate) const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// Debian's packages of the compiler, and of what runs its programs here.
pub(crate) const PACKAGES: [&str; 3] = ["gcc-mingw-w64-x86-64", "wine", "wine64"];

/// Tests that cannot run under Wine, and why.
const SKIPPED: [(&str, &str); 3] = [
    ("live::truncated_end_is_not_damage", NO_CONSOLE),
    ("view::view_prints_its_url_and_stops_on_signal", NO_CONSOLE),
    (
        "check_live::a_dropped_connection_decides_nothing",
        "a connection that is reset looks closed",
    ),
];

const NO_CONSOLE: &str = "Ctrl+Break needs a console";

/// The library that Rust's standard library takes random numbers from, which Wine lacks before
/// version 9.
const RANDOM_LIBRARY: &str = "bcryptprimitives.dll";
const RANDOM_SOURCE: &str = "
unsigned char __stdcall SystemFunction036(void *bytes, unsigned long count);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, unsigned long long count)
{
    return SystemFunction036(bytes, (unsigned long)count);
}
";

/// Runs the integration tests of the command.
pub(crate) fn test() -> anyhow::Result<()> {
    packages::require(COMPILER, &PACKAGES)?;
    let runner = format!("target.{TARGET}.runner = 'wine'");
    let mut tests = vec!["test", "--package", "rtoscope", "--test", "integration"];
    tests.extend(["--config", &runner, "--", "--exact"]);
    tests.extend(SKIPPED.iter().flat_map(|(test, _)| ["--skip", *test]));
    let mut tests = Toolchain::find(TARGET)?.cargo("Cargo.toml", TARGET, &tests)?;
    let passed = shell::run(tests.envs(environment(&prefix()?)));
    for (test, reason) in SKIPPED {
        eprintln!("skipped: {test}: {reason}");
    }
    passed
}

/// The command that runs a program.
pub(crate) fn command(program: &Path) -> anyhow::Result<Command> {
    let mut command = Command::new("wine");
    command.arg(program).envs(environment(&prefix()?));
    Ok(command)
}

/// The environment of programs under Wine.
fn environment(prefix: &Path) -> [(&'static str, PathBuf); 3] {
    [
        ("WINEPREFIX", prefix.to_owned()),
        ("WINEDEBUG", "-all".into()),
        // Insta asks cargo otherwise, which Windows programs do not find.
        ("INSTA_WORKSPACE_ROOT", shell::root()),
    ]
}

/// The folder of a simulated Windows, made if necessary.
fn prefix() -> anyhow::Result<PathBuf> {
    let folder = toolchain::folder()?.join("wine");
    let library = folder.join("drive_c/windows/system32").join(RANDOM_LIBRARY);
    if library.exists() {
        return Ok(folder);
    }
    packages::require("wine", &PACKAGES)?;
    fs::create_dir_all(&folder)?;
    let boot = &mut shell::program("wineboot", &["--init"]);
    shell::run(boot.envs(environment(&folder)))?;
    let source = folder.join("random.c");
    fs::write(&source, RANDOM_SOURCE)?;
    let mut compile = Command::new(COMPILER);
    compile.args(["-shared", "-s", "-o"]).arg(&library);
    shell::run(compile.arg(&source).arg("-ladvapi32"))?;
    Ok(folder)
}
