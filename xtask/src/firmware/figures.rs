//! Compares the program's counters with the figures that `rtoscope` reports.

use anyhow::{Context as _, bail};
use serde_json::Value;
use std::fmt::Write as _;

/// Pairs of figures that should be equal.
#[derive(Debug, Default)]
pub(super) struct Figures(Vec<Figure>);

#[derive(Debug)]
struct Figure {
    name: String,
    counted: u64,
    found: u64,
}

impl Figures {
    /// Adds a figure.
    pub(super) fn add(&mut self, name: impl Into<String>, counted: u32, found: u64) {
        self.0.push(Figure {
            name: name.into(),
            counted: counted.into(),
            found,
        });
    }

    /// Adds the figures of an interrupt handler, given its row in a report.
    pub(super) fn handler(
        &mut self,
        name: &str,
        counted: &truth::Handler,
        found: &Value,
    ) -> anyhow::Result<()> {
        let found = |figure| number(found, &[figure]);
        self.add(name, counted.entries, found("activations")?);
        self.add(format!("{name} nested"), counted.nested, found("nested")?);
        self.add(format!("{name} ticks"), counted.ticks, found("ticks")?);
        Ok(())
    }

    /// The table of all figures, with differences marked.
    pub(super) fn table(&self, title: &str) -> String {
        let width = self.0.iter().map(|figure| figure.name.len()).max();
        let width = width.unwrap_or_default();
        let mut table = format!("{title:width$}     counted       found\n");
        for Figure {
            name,
            counted,
            found,
        } in &self.0
        {
            let mark = if counted == found { "" } else { "  differs" };
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{name:width$}  {counted:>10}  {found:>10}{mark}");
        }
        table
    }

    /// Prints the table, and fails if a figure differs or if there are no
    /// figures.
    pub(super) fn check(&self, title: &str) -> anyhow::Result<()> {
        eprint!("{}", self.table(title));
        let different = self
            .0
            .iter()
            .filter(|figure| figure.counted != figure.found);
        match different.count() {
            0 if self.0.iter().any(|figure| figure.counted > 0) => Ok(()),
            0 => bail!("{title}: nothing was counted"),
            count => bail!("{title}: {count} figures differ"),
        }
    }
}

/// A number in a report: `["performance", "dispatches"]`.
pub(super) fn number(report: &Value, path: &[&str]) -> anyhow::Result<u64> {
    let found = path.iter().try_fold(report, |value, key| value.get(key));
    found
        .and_then(Value::as_u64)
        .with_context(|| format!("the report has no {}", path.join(".")))
}

/// The entry of a list with this `key`.
pub(super) fn entry<'r>(list: &'r Value, key: &str, is: &Value) -> anyhow::Result<&'r Value> {
    let entries = list.as_array().context("no list")?;
    let found = entries.iter().find(|entry| entry.get(key) == Some(is));
    found.with_context(|| format!("no entry with {key} {is}"))
}
