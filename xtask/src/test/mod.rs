//! Runs all checks.

use crate::{bless, book, cost, firmware, fuzz, interop, recorders, shell, web, words};
use anyhow::bail;

pub(crate) fn run() -> anyhow::Result<()> {
    check_tools()?;
    words::test()?;
    shell::run(&mut shell::cargo(&["fmt", "--all", "--", "--check"]))?;
    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    shell::run(&mut shell::cargo(&clippy))?;
    let without_viewer = [
        "clippy",
        "--package",
        "rtoscope",
        "--no-default-features",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    shell::run(&mut shell::cargo(&without_viewer))?;
    let mut docs = shell::cargo(&[
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ]);
    shell::run(docs.env("RUSTDOCFLAGS", "-D warnings"))?;
    shell::run(&mut shell::cargo(&["test", "--workspace"]))?;
    recorders::test()?;
    bless::check()?;
    book::test()?;
    firmware::run()?;
    cost::check()?;
    web::test()?;
    interop::test()?;
    fuzz::replay()
}

/// Reports missing components of the Rust installation before a check fails for
/// that reason.
fn check_tools() -> anyhow::Result<()> {
    for (program, component) in [("cargo-fmt", "rustfmt"), ("cargo-clippy", "clippy")] {
        if !shell::exists(program, "--version") {
            bail!("{component} is missing; run `rustup component add {component}`");
        }
    }
    if !shell::exists("c++", "--version") {
        bail!("a C++ compiler is missing (libFuzzer is built from source); install g++ or clang");
    }
    Ok(())
}
