//! Fuzzing with cargo-fuzz, and of the properties in tests; the time that shapes take.

use crate::{shell, workspace};
use clap::Args;
use std::fs;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct FuzzArgs {
    /// Fuzz target, or `properties` for those in tests, or `shapes` for the time against the size
    /// of recordings; all targets if omitted
    target: Option<String>,

    /// Seconds to fuzz each target
    #[arg(long, default_value_t = 300)]
    seconds: u64,
}

/// Not a target: the properties in the tests of all packages.
const PROPERTIES: &str = "properties";

/// Not a target: the test of `fuzz/tests/shapes.rs`, which measures time.
const SHAPES: &str = "shapes";

pub(crate) fn run(arguments: &FuzzArgs) -> anyhow::Result<()> {
    if arguments.target.as_deref() == Some(PROPERTIES) {
        return workspace::fuzz_properties(Duration::from_secs(arguments.seconds));
    }
    if arguments.target.as_deref() == Some(SHAPES) {
        let words = [
            "test",
            "--release",
            "--package",
            "rtoscope-fuzz",
            "--test",
            SHAPES,
        ];
        let mut shapes = shell::cargo(&words);
        shapes.env("CARGO_PROFILE_RELEASE_LTO", "off");
        return shell::run(shapes.args(["--", "--ignored", "--nocapture"]));
    }
    if !shell::exists("cargo-fuzz", "--version") {
        shell::run(&mut shell::cargo(&["install", "cargo-fuzz", "--locked"]))?;
    }
    let targets = match &arguments.target {
        Some(target) => vec![target.clone()],
        None => targets()?,
    };
    for target in targets {
        let corpus = format!("fuzz/corpus/{target}");
        let seeds = format!("fuzz/seeds/{target}");
        fs::create_dir_all(shell::root().join(&corpus))?;
        let words = [
            "fuzz",
            "run",
            "--features",
            "libfuzzer",
            "fuzz",
            &corpus,
            &seeds,
            "--",
            &format!("-max_total_time={}", arguments.seconds),
            "-rss_limit_mb=2048",
        ];
        let mut fuzz = shell::cargo(&words);
        // Sanitizers are unstable; this enables them in the stable toolchain.
        fuzz.env("RUSTC_BOOTSTRAP", "1");
        // The targets run without it, and their build takes minutes with it.
        fuzz.env("CARGO_PROFILE_RELEASE_LTO", "off");
        shell::run(fuzz.env("FUZZ_TARGET", target))?;
    }
    Ok(())
}

/// The names of the targets, from the folders of their seeds.
fn targets() -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(shell::root().join("fuzz/seeds"))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
