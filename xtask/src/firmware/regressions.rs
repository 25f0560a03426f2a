//! Regressions put into the camera on purpose: the script that the book recommends for builds finds
//! and names each of them.

use super::command::Command;
use super::run::{HOST_WORDS_SET, Run};
use super::{RUN, build_package, camera::CameraRun};
use crate::{shell, toolchain};
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process;
use truth::camera::Regression;

/// Runs on each side of a comparison. With fewer, a single figure of some hundred cannot differ by
/// enough.
const RUNS: u32 = 8;

/// What the book recommends.
const SCRIPT: &str = "docs/src/commands/check-timing.sh";

/// By how much figures may exceed those of good runs, in percent.
const MARGIN: &str = "20";

/// A regression, the recorder that shows it, and the subject and the column of a rule and of a
/// comparison that name it.
type ExpectedResult = (Regression, Recorder, &'static str, &'static str);

const EXPECTED: [ExpectedResult; 4] = [
    (
        Regression::CriticalSection,
        Recorder::Log,
        "context_switches",
        "interrupts_off.duration.max",
    ),
    (
        Regression::Priority,
        Recorder::Trace,
        "decoder",
        "wake_up.max",
    ),
    (Regression::Stage, Recorder::Trace, "filter", "cpu_time.max"),
    (
        Regression::Jitter,
        Recorder::Trace,
        "decoder",
        "cpu_time.max",
    ),
];

/// The recorders of the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recorder {
    Trace,
    Log,
}

impl Recorder {
    /// The options of `rtoscope` for its recordings.
    fn options(self, run: &CameraRun) -> Vec<String> {
        let mut options = match self {
            Self::Trace => vec!["--input-format=threadx".to_owned()],
            Self::Log => run.log_options().to_vec(),
        };
        options.push(format!("--clock={}", run.truth.totals.frequency));
        options
    }
}

/// Checks that good runs pass, and that each regression is found.
pub(super) fn compare(command: &Command, target: &str) -> anyhow::Result<()> {
    let good = record(target, Regression::Nothing, 1..=RUNS)?;
    let again = record(target, Regression::Nothing, RUNS + 1..=2 * RUNS)?;
    for recorder in [Recorder::Trace, Recorder::Log] {
        let timing = TimingCheck::new(command, &good, recorder)?;
        let result = timing.run(&again)?;
        ensure!(
            result.outcomes("failed").is_empty(),
            "{target}: a failure without a regression: {:?}",
            result.outcomes("failed")
        );
        for (regression, _, subject, column) in EXPECTED.iter().filter(|it| it.1 == recorder) {
            let worse = record(target, *regression, 1..=RUNS)?;
            let result = timing.run(&worse)?;
            let name = regression.name();
            ensure!(
                result.code == Some(1),
                "{name}: exit code {:?}",
                result.code
            );
            let is_named = |text: &String| text.contains(subject) && text.contains(column);
            for outcome in ["failed", "changed"] {
                let found = result.outcomes(outcome);
                ensure!(found.iter().any(is_named), "{name}: {outcome}: {found:#?}");
            }
        }
    }
    Ok(())
}

/// Compares pairs of groups of runs without a regression; prints how many have an alarm.
#[expect(
    clippy::print_stdout,
    reason = "the figures are the result of the command"
)]
pub(crate) fn count_false_alarms(pairs: u32) -> anyhow::Result<()> {
    let command = Command::build()?;
    build_package(RUN[0], "camera", &[])?;
    let mut alarms = 0;
    for pair in 0..pairs {
        let first = pair * 2 * RUNS + 1;
        let good = record(RUN[0], Regression::Nothing, first..=first + RUNS - 1)?;
        let again = record(
            RUN[0],
            Regression::Nothing,
            first + RUNS..=first + 2 * RUNS - 1,
        )?;
        let mut compare = command.process();
        compare.args(["compare", "--format", "json"]);
        compare.args(Recorder::Trace.options(first_of(&good)?));
        for run in &good {
            compare.arg("--baseline").arg(&run.memory);
        }
        compare.args(again.iter().map(|run| &run.memory));
        let document: Value = serde_json::from_slice(&shell::output(&mut compare)?)?;
        let figures = document["figures"].as_array().context("no figures")?;
        let is_changed = |figure: &&Value| figure["verdict"] == "changed";
        let changed = figures.iter().filter(is_changed).count();
        alarms += u32::from(changed > 0);
        println!(
            "pair {pair}: {changed} of {} figures changed",
            figures.len()
        );
        for run in good.iter().chain(&again) {
            fs::remove_dir_all(run.memory.parent().context("no folder")?)?;
        }
    }
    println!("{alarms} of {pairs} pairs have a false alarm");
    Ok(())
}

/// Runs the camera once for each seed.
fn record(
    target: &str,
    regression: Regression,
    seeds: RangeInclusive<u32>,
) -> anyhow::Result<Vec<CameraRun>> {
    let run = |seed| {
        let words = [HOST_WORDS_SET, seed, regression as u32];
        let name = format!("{}-{seed}", regression.name());
        Run::new(target, &name, &[("VARIATION", &words)])
    };
    seeds.map(run).collect()
}

fn first_of(runs: &[CameraRun]) -> anyhow::Result<&CameraRun> {
    runs.first().context("no runs")
}

/// The rules and the baseline of good runs.
struct TimingCheck<'c> {
    command: &'c Command,
    /// For its files.
    folder: PathBuf,
    recorder: Recorder,
}

/// What a check of runs found.
struct TimingResult {
    code: Option<i32>,
    /// The summary for a merge request.
    summary: String,
}

impl<'c> TimingCheck<'c> {
    fn new(command: &'c Command, good: &[CameraRun], recorder: Recorder) -> anyhow::Result<Self> {
        let folder = toolchain::folder()?.join("timing");
        fs::create_dir_all(&folder)?;
        let this = Self {
            command,
            folder,
            recorder,
        };
        let options = recorder.options(first_of(good)?);
        let memories = || good.iter().map(|run| &run.memory);
        let mut learn = command.process();
        learn
            .args(["check", "--learn", MARGIN])
            .args(&options)
            .args(memories());
        fs::write(this.folder.join("rules.toml"), shell::output(&mut learn)?)?;
        let mut save = command.process();
        save.args(["compare", "--save-baseline"])
            .arg(this.folder.join("baseline.json"));
        shell::output(save.args(&options).args(memories()))?;
        Ok(this)
    }

    /// Runs the script.
    fn run(&self, runs: &[CameraRun]) -> anyhow::Result<TimingResult> {
        let program = self.command.process();
        let folder = Path::new(program.get_program()).parent();
        let folder = folder.context("the command has no folder")?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
        let mut script = process::Command::new("sh");
        script
            .arg(shell::root().join(SCRIPT))
            .args(["rules.toml", "baseline.json"])
            .args(runs.iter().map(|run| &run.memory))
            .current_dir(&self.folder)
            .env("PATH", std::env::join_paths(path)?)
            .env(
                "RTOSCOPE_OPTIONS",
                self.recorder.options(first_of(runs)?).join(" "),
            );
        let output = script.output().context(SCRIPT)?;
        Ok(TimingResult {
            code: output.status.code(),
            summary: fs::read_to_string(self.folder.join("summary.md"))?,
        })
    }
}

impl TimingResult {
    /// The rows of the summary with an outcome or a verdict.
    fn outcomes(&self, outcome: &str) -> Vec<String> {
        let cell = format!("| {outcome} |");
        let rows = self.summary.lines().filter(|line| line.contains(&cell));
        // Markdown escapes the underscores of names.
        rows.map(|row| row.replace('\\', "")).collect()
    }
}
