//! Budgets of all cases.

use super::build::Measured;
use super::original::Originals;
use crate::shell;
use anyhow::{Context as _, bail};
use serde::Deserialize;
use std::fs;

const FILE: &str = "firmware/cost/budgets.toml";

/// All budgets, in the order of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Budgets {
    /// The version of the Rust compiler that they are for.
    pub(crate) rust_compiler: String,
    /// The version of the C compiler.
    pub(crate) c_compiler: String,
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
    /// Rust: maximum with `opt-level = "z"` and 3.
    rust: Option<[u32; 2]>,
    /// C: maximum with `-Os` and `-O2`.
    c: Option<[u32; 2]>,
}

/// The budget of one recorder in bytes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    pub(crate) recorder: String,
    pub(crate) title: String,
    /// Flash of programs in Rust, with `opt-level` "z" and 3.
    rust: Option<[u32; 2]>,
    /// Flash of programs in C, with `-Os` and `-O2`.
    c: [u32; 2],
    /// RAM of programs in Rust and in C.
    ram: [u32; 2],
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

    /// The budgets of Rust, then of C.
    pub(crate) fn budgets(&self) -> [Option<u32>; 4] {
        let [size, speed] = optional(self.rust);
        let [c_size, c_speed] = optional(self.c);
        [size, speed, c_size, c_speed]
    }
}

impl Memory {
    /// The budgets of flash in Rust, then in C, then of RAM in both.
    pub(crate) fn budgets(&self) -> [Option<u32>; 6] {
        let [size, speed] = optional(self.rust);
        let [c_size, c_speed] = self.c.map(Some);
        let [ram, c_ram] = self.ram;
        [
            size,
            speed,
            c_size,
            c_speed,
            self.rust.map(|_| ram),
            Some(c_ram),
        ]
    }
}

fn optional(budgets: Option<[u32; 2]>) -> [Option<u32>; 2] {
    budgets.map_or([None; 2], |budgets| budgets.map(Some))
}

impl Budgets {
    pub(crate) fn read() -> anyhow::Result<Self> {
        let text = fs::read_to_string(shell::root().join(FILE)).context(FILE)?;
        toml::from_str(&text).context(FILE)
    }

    /// Fails if a figure exceeds its budget, or if a figure has no budget or a
    /// budget no figure. Reports budgets that could be tightened. A compiler
    /// other than the one of the budgets may exceed them by a tenth.
    pub(crate) fn check(&self, measured: &Measured) -> anyhow::Result<()> {
        let same_compiler =
            self.rust_compiler == measured.compiler && self.c_compiler == measured.c_compiler;
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
        let options = ["z", "3", "C -Os", "C -O2"];
        for (column, (built, option)) in measured.profiles.iter().zip(options).enumerate() {
            let mut counted = built.instructions.clone();
            for case in &self.case {
                let Some(budget) = case.budgets()[column] else {
                    continue;
                };
                let name = &case.name;
                let found = counted.remove(name);
                let found = found.with_context(|| format!("{name}, {option} is not counted"))?;
                pairs.push((format!("{name}, {option}"), found, budget));
            }
            if let Some(name) = counted.keys().next() {
                bail!("{name}, {option} has no budget in {FILE}");
            }
            for memory in &self.memory {
                let (name, budgets) = (&memory.recorder, memory.budgets());
                // The optimisations of a language share the budget of RAM.
                let (Some(flash), Some(ram)) = (budgets[column], budgets[4 + column / 2]) else {
                    continue;
                };
                let found = built.memory.get(name.as_str()).copied();
                let found = found.with_context(|| format!("{name} of {FILE} is not measured"))?;
                pairs.push((format!("flash of {name}, {option}"), found.flash, flash));
                pairs.push((format!("RAM of {name}, {option}"), found.ram, ram));
            }
        }
        Ok(pairs)
    }
}

/// How far a figure may be below its budget before that is reported.
fn slack(budget: u32) -> u32 {
    (budget / 20).max(1)
}
