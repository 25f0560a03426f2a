//! Fuzzing with cargo-fuzz, and replaying the seeds as part of the tests.

use crate::shell;
use anyhow::Context as _;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct FuzzArgs {
    /// Fuzz target; all targets if omitted
    target: Option<String>,

    /// Seconds to fuzz each target
    #[arg(long, default_value_t = 300)]
    seconds: u64,
}

pub(crate) fn run(arguments: &FuzzArgs) -> anyhow::Result<()> {
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
        let time = format!("-max_total_time={}", arguments.seconds);
        let words = [
            "fuzz",
            "run",
            &target,
            &corpus,
            &seeds,
            "--",
            &time,
            "-rss_limit_mb=2048",
        ];
        // Sanitizers are unstable; this enables them in the stable toolchain.
        shell::run(shell::cargo(&words).env("RUSTC_BOOTSTRAP", "1"))?;
    }
    Ok(())
}

/// Runs every target once over its seeds, without instrumentation.
pub(crate) fn replay() -> anyhow::Result<()> {
    shell::run(&mut shell::cargo(&[
        "build",
        "--manifest-path",
        "fuzz/Cargo.toml",
        // Overrides the environment, so that the programs are found.
        "--target-dir",
        "fuzz/target",
    ]))?;
    for target in targets()? {
        let program = shell::root().join("fuzz/target/debug").join(&target);
        let mut seeds = files(&shell::root().join("fuzz/seeds").join(&target))?;
        seeds.sort();
        let mut command = shell::program(&program.to_string_lossy(), &[]);
        command.args(&seeds).arg("-rss_limit_mb=2048");
        let output = command.output().with_context(|| target.clone())?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr);
            anyhow::bail!("fuzz target {target} fails on its seeds:\n{log}");
        }
        eprintln!("fuzz target {target}: {} seeds pass", seeds.len());
    }
    Ok(())
}

/// The names of the targets, from their source files.
fn targets() -> anyhow::Result<Vec<String>> {
    let sources = files(&shell::root().join("fuzz/fuzz_targets"))?;
    let names = sources.iter().filter_map(|path| path.file_stem());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry?.path());
    }
    Ok(files)
}
