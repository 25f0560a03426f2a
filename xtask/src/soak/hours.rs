//! A compact stream of hours: a program in C records it, a decoder checks each event as it comes.

use crate::firmware::c::board::{INCLUDE, STRICT};
use crate::shell;
use anyhow::{Context as _, ensure};
use clap::Args;
use std::fs;
use std::process::{Command, Stdio};

/// The program that records, and the one that checks.
const GENERATOR: &str = "crates/record-c/test/soak.c";
const CHECKER: &str = "soak";

/// The events of a second.
const EVENTS_PER_SECOND: f64 = 15_000.0;

/// Hours of the short check, which the tests contain.
const SHORT_HOURS: f64 = 0.02;

#[derive(Args)]
pub(crate) struct HoursArgs {
    /// Hours of the target's time
    #[arg(long, default_value_t = 24.0)]
    hours: f64,
}

pub(super) fn run(arguments: &HoursArgs) -> anyhow::Result<()> {
    check(arguments.hours, "release")
}

/// A minute, with the checker as the tests build it.
pub(crate) fn run_short() -> anyhow::Result<()> {
    check(SHORT_HOURS, "debug")
}

/// Records a stream of that many hours and checks each event of it.
fn check(hours: f64, profile: &str) -> anyhow::Result<()> {
    ensure!(
        (0.0..=1e6).contains(&hours),
        "hours between 0 and a million are possible"
    );
    let target = shell::target()?;
    let folder = target.join("soak");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let generator = folder.join(shell::executable("generator"));
    let mut compile = shell::program("cc", &STRICT);
    compile.args([INCLUDE, GENERATOR, "-o"]).arg(&generator);
    shell::run(&mut compile)?;
    let mut build = shell::cargo(&[
        "build",
        "--package",
        "rtoscope-decode",
        "--example",
        CHECKER,
    ]);
    if profile == "release" {
        build.arg("--release");
    }
    shell::run(&mut build)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked above"
    )]
    let events = (hours * 3600.0 * EVENTS_PER_SECOND) as u64;
    let mut recording = Command::new(&generator)
        .arg(events.max(1).to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| generator.display().to_string())?;
    let stream = recording.stdout.take().context("no output")?;
    let checker = target.join(profile).join("examples");
    let mut check = Command::new(checker.join(shell::executable(CHECKER)));
    let checked = shell::output(check.stdin(stream));
    let recorded = recording.wait_with_output()?;
    let checked = String::from_utf8(checked?)?;
    ensure!(recorded.status.success(), "the program that records failed");
    let recorded = String::from_utf8(recorded.stderr)?;
    let counts = |text: &str| {
        let (events, lost) = text.trim().split_once(' ')?;
        Some((events.parse::<u64>().ok()?, lost.parse::<u64>().ok()?))
    };
    let (recorded, lost) = counts(&recorded).context("the counts of the program")?;
    let (events, missing) = counts(&checked).context("the counts of the checker")?;
    // An event that is lost has at least one entry.
    ensure!(
        lost == missing && events <= recorded && events + lost >= recorded,
        "{recorded} events were recorded and {lost} entries lost; {events} were found and {missing} \
         entries are missing"
    );
    Ok(())
}
