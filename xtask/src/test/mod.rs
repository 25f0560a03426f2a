//! The checks of a change, in stages.

mod schedule;
mod table;

use crate::{
    book, cost, dependencies, dist, firmware, fleet, interop, macos, recorders, shell, vscode, web,
    windows, words, workspace,
};
use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

#[derive(Args)]
pub(crate) struct TestArgs {
    /// Stages to run; all but the optional ones, such as `fleet`, if omitted
    #[arg(value_name = "STAGE", value_parser = PossibleValuesParser::new(names()))]
    stages: Vec<String>,
}

#[derive(Args)]
pub(crate) struct StageArgs {
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    stage: String,
}

/// A part of the checks.
#[derive(Debug)]
struct TestStage {
    name: &'static str,
    /// Stages that have to be finished before it starts, if they run at all.
    after: &'static [&'static str],
    run: fn() -> anyhow::Result<()>,
    /// Whether it runs only if it is named: it takes minutes, and needs what few have.
    is_optional: bool,
}

impl TestStage {
    const fn optional(self) -> Self {
        Self {
            is_optional: true,
            ..self
        }
    }

    /// Whether it runs if the user names these stages, or none.
    fn is_wanted(&self, names: &[String]) -> bool {
        match names {
            [] => !self.is_optional,
            names => names.iter().any(|name| name == self.name),
        }
    }
}

/// All stages. Two run at a time, and the first in this list that can start is the next. The
/// longest are at the beginning, so that both processors are busy to the end.
const STAGES: &[TestStage] = &[
    stage("format", &[], format),
    stage("build", &[], workspace::build),
    // Without a cache it builds the database engine, for longer than everything else.
    stage("sql", &[], fleet::test_sql),
    stage("tools", &[], tools),
    stage("firmware", &["build"], firmware::run),
    stage("tests", &["build"], tests),
    stage("browser", &["build", "sql", "tools"], web::browser_test),
    stage("lint", &["build"], workspace::lint),
    stage("interop", &["build", "sql", "tools"], interop::test),
    stage("web", &[], web::test),
    stage("dependencies", &[], dependencies::test),
    stage("recorders", &[], recorders::test),
    stage("cost", &[], cost::check),
    stage("book", &["build"], book::test),
    stage("words", &[], words::test),
    stage("fleet", &["build", "sql"], fleet::test).optional(),
    stage("windows", &[], windows::test).optional(),
    stage("macos", &[], macos::check).optional(),
    stage("dist", &[], dist::test).optional(),
    stage("page", &["build", "tools"], web::page_test).optional(),
    stage("vscode", &["tools", "page"], vscode::test).optional(),
];

const fn stage(
    name: &'static str,
    after: &'static [&'static str],
    run: fn() -> anyhow::Result<()>,
) -> TestStage {
    TestStage {
        name,
        after,
        run,
        is_optional: false,
    }
}

fn names() -> Vec<&'static str> {
    STAGES.iter().map(|stage| stage.name).collect()
}

/// Runs the given stages, or all that are not optional.
pub(crate) fn run(arguments: &TestArgs) -> anyhow::Result<()> {
    check_tools()?;
    let is_wanted = |stage: &&TestStage| stage.is_wanted(&arguments.stages);
    schedule::run(&STAGES.iter().filter(is_wanted).collect::<Vec<_>>())
}

/// Runs one stage in this process.
pub(crate) fn run_stage(arguments: &StageArgs) -> anyhow::Result<()> {
    let mut stages = STAGES.iter();
    let stage = stages.find(|stage| stage.name == arguments.stage);
    (stage.context("no such stage")?.run)()
}

/// Fails if a file is not formatted.
pub(crate) fn format() -> anyhow::Result<()> {
    for manifest in ["Cargo.toml", fleet::FLEET.manifest] {
        let format = ["fmt", "--manifest-path", manifest, "--all", "--", "--check"];
        shell::run(&mut shell::cargo(&format))?;
    }
    Ok(())
}

fn tests() -> anyhow::Result<()> {
    workspace::run_tests(&workspace::ROOT, &workspace::ALL)?;
    workspace::run_doc_tests()
}

/// Installs what later stages need, where this is allowed.
fn tools() -> anyhow::Result<()> {
    interop::install()?;
    web::browser()?;
    web::install()
}

/// Reports missing components of the Rust installation before a check fails for
/// that reason.
fn check_tools() -> anyhow::Result<()> {
    for (program, component) in [("cargo-fmt", "rustfmt"), ("cargo-clippy", "clippy")] {
        if !shell::exists(program, "--version") {
            bail!("{component} is missing; run `rustup component add {component}`");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_stages_run_only_if_named() {
        let named = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            let wanted = STAGES.iter().filter(|stage| stage.is_wanted(&names));
            wanted.map(|stage| stage.name).collect::<Vec<_>>()
        };
        assert!(named(&[]).contains(&"interop") && !named(&[]).contains(&"fleet"));
        assert_eq!(named(&["fleet", "build"]), ["build", "fleet"]);
    }

    #[test]
    fn stages_wait_for_earlier_ones() {
        for (at, stage) in STAGES.iter().enumerate() {
            for name in stage.after {
                let earlier = STAGES[..at].iter().any(|other| other.name == *name);
                assert!(earlier, "{} waits for {name}", stage.name);
            }
        }
    }
}
