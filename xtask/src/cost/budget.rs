//! Budgets of all cases.

use super::build::{Measured, ProfileCosts};
use super::original::Originals;
use crate::shell;
use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;
use std::fs;

const FILE: &str = "firmware/cost/budgets.toml";

/// All budgets, in the order of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Budgets {
    pub(crate) case: Vec<Case>,
    pub(crate) memory: Vec<Memory>,
}

/// The budget of one record in instructions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// The function is named `cost_` plus this.
    pub(crate) name: String,
    /// A description for readers.
    pub(crate) title: String,
    /// The goal.
    goal: Option<u32>,
    /// The goal as a percentage of the original's best figure.
    goal_percent: Option<u32>,
    /// Maximum with `opt-level = "z"`.
    size: u32,
    /// Maximum with `opt-level = 3`.
    speed: u32,
}

/// The budget of one recorder in bytes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    pub(crate) recorder: String,
    pub(crate) title: String,
    /// Flash with `opt-level = "z"`.
    flash_size: u32,
    /// Flash with `opt-level = 3`.
    flash_speed: u32,
    ram: u32,
}

impl Case {
    /// The goal in instructions.
    pub(crate) fn goal(&self, originals: &Originals) -> anyhow::Result<Option<u32>> {
        let Some(percent) = self.goal_percent else {
            return Ok(self.goal);
        };
        let original = originals.instructions.get(&self.name);
        let original = original.with_context(|| format!("{} has no original", self.name))?;
        Ok(Some(original.best() * percent / 100))
    }
}

impl Budgets {
    pub(crate) fn read() -> anyhow::Result<Self> {
        let text = fs::read_to_string(shell::root().join(FILE)).context(FILE)?;
        toml::from_str(&text).context(FILE)
    }

    /// Fails if a figure exceeds its budget, or if a figure has no budget or a
    /// budget no figure. Reports budgets that could be tightened. A compiler
    /// other than the one of the budgets may exceed them by a tenth.
    pub(crate) fn check(&self, measured: &Measured, same_compiler: bool) -> anyhow::Result<()> {
        let spare = |budget: u32| if same_compiler { 0 } else { budget / 10 + 2 };
        let mut exceeded = Vec::new();
        let mut loose = Vec::new();
        for (what, found, budget) in self.pairs(measured)? {
            if found > budget + spare(budget) {
                exceeded.push(format!("{what}: {found}, budget {budget}"));
            } else if found + slack(budget) < budget {
                loose.push(format!("{what}: {found}, budget {budget}"));
            }
        }
        if !loose.is_empty() {
            eprintln!("These budgets can be tightened:\n  {}", loose.join("\n  "));
        }
        if !exceeded.is_empty() {
            bail!(
                "Budgets of {FILE} are exceeded:\n  {}",
                exceeded.join("\n  ")
            );
        }
        Ok(())
    }

    /// Everything with a budget: description, figure, budget.
    fn pairs(&self, measured: &Measured) -> anyhow::Result<Vec<(String, u32, u32)>> {
        let mut pairs = Vec::new();
        for built in [&measured.size, &measured.speed] {
            let known = |name: &String| self.case.iter().any(|case| case.name == *name);
            let unknown = built.instructions.keys().find(|name| !known(name));
            ensure!(unknown.is_none(), "{unknown:?} has no budget in {FILE}");
        }
        for case in &self.case {
            let counted = |built: &ProfileCosts| {
                let found = built.instructions.get(&case.name).copied();
                found.with_context(|| format!("{} of {FILE} is not counted", case.name))
            };
            let name = &case.name;
            pairs.push((format!("{name}, z"), counted(&measured.size)?, case.size));
            pairs.push((format!("{name}, 3"), counted(&measured.speed)?, case.speed));
        }
        for memory in &self.memory {
            let name = &memory.recorder;
            let taken = |built: &ProfileCosts| {
                let found = built.memory.get(name.as_str()).copied();
                found.with_context(|| format!("{name} of {FILE} is not measured"))
            };
            let (size, speed) = (taken(&measured.size)?, taken(&measured.speed)?);
            pairs.push((format!("flash of {name}, z"), size.flash, memory.flash_size));
            pairs.push((
                format!("flash of {name}, 3"),
                speed.flash,
                memory.flash_speed,
            ));
            pairs.push((
                format!("RAM of {name}"),
                size.ram.max(speed.ram),
                memory.ram,
            ));
        }
        Ok(pairs)
    }
}

/// How far a figure may be below its budget before that is reported.
fn slack(budget: u32) -> u32 {
    (budget / 20).max(1)
}
