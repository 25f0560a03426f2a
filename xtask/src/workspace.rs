//! Builds, lints, documents and tests a workspace with cargo, and with nextest where it is
//! installed.

use crate::{cache, hang, shell};
use anyhow::{Context as _, bail};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A workspace of the repository.
pub(crate) struct Workspace {
    pub(crate) manifest: &'static str,
    /// Its folder in the target folder; none if it uses the target folder itself.
    pub(crate) target: Option<&'static str>,
    /// Whether Clippy's driver compiles its packages, so that each build fails on a lint.
    pub(crate) is_linted_in_builds: bool,
}

/// The workspace at the root.
pub(crate) const ROOT: Workspace = Workspace {
    manifest: "Cargo.toml",
    target: None,
    is_linted_in_builds: false,
};

/// All packages, with what released programs have. Any other selection could select other features
/// of dependencies and compile them again.
pub(crate) const ALL: [&str; 2] = ["--workspace", RELEASED_FEATURES];

/// The features of released programs that are not built by default.
pub(crate) const RELEASED_FEATURES: &str = "--features=rtoscope/mcp";

/// The beginning of the list of the slowest tests, which is printed last.
pub(crate) const SLOWEST: &str = "the slowest of";

/// The slowest tests that are listed.
const LISTED_TESTS: usize = 20;

/// The seed of property tests. With a new one in each run, the checks of one change would fail
/// for a fault of another; `cargo xtask fuzz properties` looks for those.
const PROPERTY_SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// The age of a test at which its stack is printed; `.config/nextest.toml` ends it a little
/// later.
const TEST_LIMIT: Duration = Duration::from_secs(290);

impl Workspace {
    /// A command of cargo; further arguments can follow.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> anyhow::Result<Command> {
        let mut cargo = shell::cargo(arguments);
        cargo.args(["--manifest-path", self.manifest, "--target-dir"]);
        cargo.arg(self.target_folder()?);
        if self.is_linted_in_builds {
            cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
            cargo.env("CLIPPY_ARGS", "-Dwarnings");
        }
        Ok(cargo)
    }

    /// The path of a program, which must have been built.
    pub(crate) fn program(&self, profile: &str, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.target_folder()?.join(profile);
        Ok(folder.join(shell::executable(name)))
    }

    fn target_folder(&self) -> anyhow::Result<PathBuf> {
        let target = shell::target()?;
        Ok(match self.target {
            Some(folder) => target.join(folder),
            None => target,
        })
    }
}

/// Builds all programs and tests of the workspace at the root.
pub(crate) fn build() -> anyhow::Result<()> {
    shell::run(ROOT.cargo(&["test", "--no-run"])?.args(ALL))
}

/// The path of a program of the workspace at the root, built if necessary.
pub(crate) fn program(name: &str) -> anyhow::Result<PathBuf> {
    build()?;
    ROOT.program("debug", name)
}

/// The path of a dynamic library of the workspace at the root, which is built if necessary. With
/// all tests selected, as in [`build`], it shares what that has compiled.
pub(crate) fn library(name: &str) -> anyhow::Result<PathBuf> {
    shell::run(ROOT.cargo(&["build", "--tests", "--lib"])?.args(ALL))?;
    Ok(ROOT.target_folder()?.join("debug").join(name))
}

/// Runs `rtoscope-generate` in the current folder.
pub(crate) fn generate(arguments: &[String]) -> anyhow::Result<()> {
    let mut run = shell::cargo(&[
        "run",
        "--release",
        "--quiet",
        "--package",
        "rtoscope-generate",
    ]);
    run.arg("--").args(arguments);
    shell::run(run.current_dir(std::env::current_dir()?))
}

/// Fails on a lint, on a broken link in documentation, and if the command does not build without
/// the viewer.
pub(crate) fn lint() -> anyhow::Result<()> {
    let strict = ["--", "-D", "warnings"];
    shell::run(
        ROOT.cargo(&["clippy", "--all-targets"])?
            .args(ALL)
            .args(strict),
    )?;
    let without_viewer = ["clippy", "--package", "rtoscope", "--no-default-features"];
    shell::run(ROOT.cargo(&without_viewer)?.args(strict))?;
    shell::run(&mut document(&ROOT)?)
}

/// The command that documents all packages of a workspace and fails on a broken link.
pub(crate) fn document(workspace: &Workspace) -> anyhow::Result<Command> {
    let mut doc = workspace.cargo(&["doc", "--no-deps", "--document-private-items"])?;
    doc.args(ALL).env("RUSTDOCFLAGS", "-D warnings");
    Ok(doc)
}

/// Runs all tests at the root with new inputs for their properties, until the time has passed.
pub(crate) fn fuzz_properties(time: Duration) -> anyhow::Result<()> {
    let start = Instant::now();
    while start.elapsed() < time {
        shell::run(ROOT.cargo(&["test", "--tests", "--quiet"])?.args(ALL))?;
    }
    Ok(())
}

/// Runs the tests of packages, and lists the slowest ones if nextest is installed.
pub(crate) fn run_tests(workspace: &Workspace, packages: &[&str]) -> anyhow::Result<()> {
    if !has_nextest() {
        let mut tests = workspace.cargo(&["test", "--no-fail-fast"])?;
        return shell::run(tests.envs([PROPERTY_SEED]).args(packages));
    }
    let times = run_nextest(workspace, packages)?;
    if packages == ALL {
        SlowTests::of(&times).write()?;
    }
    Ok(())
}

/// Runs the tests of packages at the root, but for those that were slow when all tests last
/// passed on this machine.
pub(crate) fn run_fast_tests(packages: &BTreeSet<&str>) -> anyhow::Result<()> {
    if !has_nextest() {
        let packages = packages.iter().flat_map(|package| ["--package", package]);
        let mut tests = ROOT.cargo(&["test", "--no-fail-fast"])?;
        return shell::run(tests.envs([PROPERTY_SEED]).args(packages));
    }
    let packages = packages
        .iter()
        .map(|package| format!("package(={package})"));
    let packages = packages.collect::<Vec<_>>().join(" + ");
    let slow = SlowTests::read();
    eprintln!("{} slow tests are left to `cargo xtask test`", slow.0.len());
    let filter = format!("({packages}){}", slow.exclusions());
    run_nextest(&ROOT, &[&ALL[..], &["--filterset", &filter]].concat())?;
    Ok(())
}

fn has_nextest() -> bool {
    shell::exists("cargo-nextest", "--version")
}

/// Runs the tests that arguments select; returns their times, the slowest first.
fn run_nextest(workspace: &Workspace, selection: &[&str]) -> anyhow::Result<Vec<TestTime>> {
    let mut nextest = workspace.cargo(&["nextest", "run"])?;
    nextest
        .args([
            "--config-file",
            ".config/nextest.toml",
            "--no-fail-fast",
            "--color=never",
        ])
        .args(["--status-level=pass", "--final-status-level=fail"])
        .args(selection)
        .envs([PROPERTY_SEED])
        .stderr(Stdio::piped());
    let mut nextest = nextest.spawn().context("cargo nextest")?;
    let lines = nextest.stderr.take().context("no standard error")?;
    let reader = thread::spawn(move || {
        let mut times = Vec::new();
        for line in BufReader::new(lines).lines().map_while(Result::ok) {
            match TestTime::parse(&line) {
                Some(time) => times.push(time),
                None => eprintln!("{line}"),
            }
        }
        times
    });
    let status = watch(&mut nextest)?;
    let mut times = reader.join().unwrap_or_default();
    times.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    eprintln!("{SLOWEST} {} tests:", times.len());
    for TestTime { seconds, name } in times.iter().take(LISTED_TESTS) {
        eprintln!("{seconds:8.1} s  {name}");
    }
    if !status.success() {
        bail!("tests failed: {status}");
    }
    Ok(times)
}

/// Runs the examples in the documentation of the workspace at the root.
pub(crate) fn run_doc_tests() -> anyhow::Result<()> {
    shell::run(ROOT.cargo(&["test", "--doc", "--quiet"])?.args(ALL))
}

/// Waits for nextest; prints where a test waits that is about to be ended.
fn watch(nextest: &mut Child) -> anyhow::Result<std::process::ExitStatus> {
    let mut starts: HashMap<u32, Option<Instant>> = HashMap::new();
    loop {
        if let Some(status) = nextest.try_wait()? {
            return Ok(status);
        }
        let running: Vec<u32> = hang::children(nextest.id()).collect();
        starts.retain(|test, _| running.contains(test));
        for test in running {
            let start = starts.entry(test).or_insert_with(|| Some(Instant::now()));
            if start.is_some_and(|start| start.elapsed() > TEST_LIMIT) {
                *start = None;
                hang::report(test);
            }
        }
        thread::sleep(Duration::from_secs(1));
    }
}

/// The time that a passed test took.
#[derive(Debug, PartialEq)]
struct TestTime {
    seconds: f64,
    name: String,
}

impl TestTime {
    /// Parses a line of nextest, such as `PASS [   0.009s] ( 1/20) rtoscope-wire crc::tests::sum`.
    fn parse(line: &str) -> Option<Self> {
        let rest = line.trim_start().strip_prefix("PASS [")?;
        let (seconds, name) = rest.split_once("s]")?;
        let name = name.trim_start();
        let without_count = name
            .strip_prefix('(')
            .and_then(|name| name.split_once(") "));
        Some(Self {
            seconds: seconds.trim().parse().ok()?,
            name: without_count.map_or(name, |(_, name)| name).to_owned(),
        })
    }
}

/// The names of slow tests, as nextest prints them: the test program and the test.
#[derive(Debug)]
struct SlowTests(Vec<String>);

impl SlowTests {
    /// A slower test is slow.
    const LIMIT_SECONDS: f64 = 1.0;

    /// Those among all tests, sorted by time, the slowest first.
    fn of(times: &[TestTime]) -> Self {
        let slow = times
            .iter()
            .take_while(|time| time.seconds > Self::LIMIT_SECONDS);
        Self(slow.map(|time| time.name.clone()).collect())
    }

    fn file() -> anyhow::Result<PathBuf> {
        Ok(cache::folder()?.join("slow-tests"))
    }

    fn write(&self) -> anyhow::Result<()> {
        let file = Self::file()?;
        fs::write(&file, self.0.join("\n")).with_context(|| file.display().to_string())
    }

    /// Those of the last run; none if there was none.
    fn read() -> Self {
        let text = Self::file().and_then(|file| Ok(fs::read_to_string(file)?));
        let text = text.unwrap_or_default();
        Self(text.lines().map(str::to_owned).collect())
    }

    /// The end of a filter that excludes them.
    fn exclusions(&self) -> String {
        let names = self.0.iter().filter_map(|name| name.split_once(' '));
        let exclusions =
            names.map(|(program, test)| format!(" - (binary_id(={program}) & test(={test}))"));
        exclusions.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_tests_are_parsed() {
        let line = "        PASS [   0.009s] (  1/208) rtoscope-wire crc::tests::sum";
        let time = TestTime {
            seconds: 0.009,
            name: "rtoscope-wire crc::tests::sum".to_owned(),
        };
        assert_eq!(TestTime::parse(line), Some(time));
        assert_eq!(
            TestTime::parse("        FAIL [   0.009s] rtoscope-wire x"),
            None
        );
    }

    #[test]
    fn slow_tests_are_excluded() {
        let time = |seconds, name: &str| TestTime {
            seconds,
            name: name.to_owned(),
        };
        let times = [
            time(9.0, "cli::integration report::all"),
            time(0.5, "wire crc::sum"),
        ];
        let slow = SlowTests::of(&times);
        assert_eq!(
            slow.exclusions(),
            " - (binary_id(=cli::integration) & test(=report::all))"
        );
    }
}
