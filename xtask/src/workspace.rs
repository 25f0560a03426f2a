//! The one build of the workspace: lints, documentation, tests, and the programs that
//! browser and interoperability tests run, with all dependencies compiled once.

use crate::{compiler, shell};
use anyhow::{Context as _, bail};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use std::{fs, thread};

/// All packages. Any other selection could select other features of dependencies and
/// compile them again.
const ALL: &[&str] = &["--workspace"];
const WITHOUT_SQL: &[&str] = &["--workspace", "--exclude", "rtoscope-sql"];

/// A selection of packages to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    All,
    /// All but the SQL engine, which takes minutes to compile.
    WithoutSql,
}

impl Selection {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::All => ALL,
            Self::WithoutSql => WITHOUT_SQL,
        }
    }
}

/// A test program.
#[derive(Debug)]
pub(crate) struct TestProgram {
    pub(crate) package: String,
    /// `integration`, or the name of the library or program whose unit tests it has.
    target: String,
    path: PathBuf,
    /// The folder of the package.
    folder: PathBuf,
}

/// Builds everything, and fails on a lint and on a broken link in documentation.
pub(crate) fn build(selection: Selection) -> anyhow::Result<()> {
    let build = [
        &["build", "--all-targets", "--keep-going"],
        selection.arguments(),
    ]
    .concat();
    shell::run(&mut cargo(&build)?)
}

/// The same for the variant of the command without the viewer. This replaces the program:
/// the other build has to follow.
pub(crate) fn build_without_viewer() -> anyhow::Result<()> {
    let build = [
        "build",
        "--all-targets",
        "--keep-going",
        "--no-default-features",
    ];
    // With the same features as in the other build, it is compiled once.
    let features = ["--features", "rtoscope-sql/default"];
    shell::run(&mut cargo(&[&build, ALL, &features].concat())?)
}

/// The path of a program of the workspace, built if necessary.
pub(crate) fn program(name: &str) -> anyhow::Result<PathBuf> {
    build(Selection::All)?;
    Ok(shell::target()?.join("debug").join(shell::executable(name)))
}

/// Cargo with the compiler that checks lints and documentation.
pub(crate) fn cargo(arguments: &[&str]) -> anyhow::Result<Command> {
    let mut command = shell::cargo(arguments);
    compiler::set(&mut command)?;
    Ok(command)
}

/// Builds the test programs, unless they are up to date.
pub(crate) fn test_programs(selection: Selection) -> anyhow::Result<Vec<TestProgram>> {
    let test = [
        "test",
        "--no-run",
        "--message-format=json-render-diagnostics",
    ];
    let test = [&test, selection.arguments()].concat();
    let messages = shell::output(&mut cargo(&test)?)?;
    let mut programs = Vec::new();
    for line in messages.split(|byte| *byte == b'\n') {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            continue;
        };
        if message["profile"]["test"] == true {
            programs.extend(TestProgram::parse(&message));
        }
    }
    if programs.is_empty() {
        bail!("cargo built no test programs");
    }
    Ok(programs)
}

impl TestProgram {
    /// A program from cargo's message about it.
    fn parse(message: &Value) -> Option<Self> {
        let path = PathBuf::from(message["executable"].as_str()?);
        let manifest = PathBuf::from(message["manifest_path"].as_str()?);
        let id = message["package_id"].as_str()?;
        // Such as `path+file:///…/crates/cli#rtoscope@0.1.0`, or `…/xtask#0.1.0`.
        let (folder, name) = id.split_once('#')?;
        let package = match name.split_once('@') {
            Some((package, _)) => package,
            None => folder.rsplit('/').next()?,
        };
        Some(Self {
            package: package.to_owned(),
            target: message["target"]["name"].as_str()?.to_owned(),
            path,
            folder: manifest.parent()?.to_owned(),
        })
    }

    /// Runs all its tests. Prints the time, and on failure the output.
    fn run(&self) -> anyhow::Result<bool> {
        let start = Instant::now();
        let mut command = Command::new(&self.path);
        command
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_PKG_NAME", &self.package);
        let name = format!("{} {}", self.package, self.target);
        let output = command.output().with_context(|| name.clone())?;
        let seconds = start.elapsed().as_secs_f64();
        let printed = String::from_utf8_lossy(&output.stdout);
        let result = printed
            .lines()
            .rev()
            .find(|line| line.starts_with("test result: "));
        let result = result.unwrap_or("no result");
        eprintln!("{seconds:6.1} s  {name}: {result}");
        if !output.status.success() {
            eprintln!("{printed}{}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(output.status.success())
    }
}

/// Runs test programs, as many at a time as there are processors: many of their tests
/// wait.
pub(crate) fn run_tests(mut programs: Vec<TestProgram>) -> anyhow::Result<()> {
    // Those that run longest should not be the last to start, and are usually large.
    programs.sort_by_key(|program| fs::metadata(&program.path).map_or(0, |file| file.len()));
    let queue = Mutex::new(programs);
    let failed = AtomicBool::new(false);
    let workers = thread::available_parallelism().map_or(2, usize::from);
    let work = || -> anyhow::Result<()> {
        loop {
            let Some(program) = queue.lock().ok().and_then(|mut queue| queue.pop()) else {
                return Ok(());
            };
            if !program.run()? {
                failed.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            let done = worker.join();
            done.unwrap_or_else(|_| bail!("a thread that runs tests panicked"))
        })
    })?;
    if failed.into_inner() {
        bail!("tests failed");
    }
    Ok(())
}

/// Runs the examples in the documentation.
pub(crate) fn run_doc_tests() -> anyhow::Result<()> {
    shell::run(&mut cargo(&[&["test", "--doc", "--quiet"], ALL].concat())?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use serde_json::json;

    #[test]
    fn programs_are_named_after_their_packages() {
        let program = |id: &str| {
            let message = json!({
                "executable": "target/debug/deps/integration-1",
                "manifest_path": "crates/cli/Cargo.toml",
                "package_id": id,
                "target": { "name": "integration" },
            });
            TestProgram::parse(&message).unwrap().package
        };
        assert_eq!(
            program("path+file:///a/crates/cli#rtoscope@0.1.0"),
            "rtoscope"
        );
        assert_eq!(program("path+file:///a/xtask#0.1.0"), "xtask");
    }
}
