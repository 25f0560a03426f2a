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
    pub(super) fn add(&mut self, name: impl Into<String>, counted: impl Into<u64>, found: u64) {
        self.0.push(Figure {
            name: name.into(),
            counted: counted.into(),
            found,
        });
    }

    /// Adds figures of a report, each with the end of its name, its count, and where it is in the
    /// report.
    pub(super) fn add_all<C: Into<u64> + Copy>(
        &mut self,
        prefix: &str,
        report: &Value,
        rows: &[(&str, C, &str)],
    ) -> anyhow::Result<()> {
        for (name, counted, path) in rows {
            let found = number(report, path)?;
            self.add(format!("{prefix}{name}"), *counted, found);
        }
        Ok(())
    }

    /// Adds the figures of an interrupt handler, given its row in a report.
    pub(super) fn handler(
        &mut self,
        name: &str,
        counted: &truth::Handler,
        found: &Value,
    ) -> anyhow::Result<()> {
        let rows = [
            ("", counted.entries, "activations"),
            (" nested", counted.nested, "nested"),
            (" ticks", counted.ticks, "total"),
        ];
        self.add_all(name, found, &rows)
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

/// A number in a report: `performance/dispatches`.
pub(super) fn number(report: &Value, path: &str) -> anyhow::Result<u64> {
    let found = report.pointer(&format!("/{path}")).and_then(Value::as_u64);
    found.with_context(|| format!("the report has no {path}"))
}

/// The entry of a list with this `key`.
pub(super) fn entry<'r>(
    list: &'r Value,
    key: &str,
    is: impl Into<Value>,
) -> anyhow::Result<&'r Value> {
    let is = is.into();
    let found = items(list).find(|entry| entry.get(key) == Some(&is));
    found.with_context(|| format!("no entry with {key} {is}"))
}

/// The entries of a list, none if there is no list.
pub(super) fn items(list: &Value) -> impl Iterator<Item = &Value> + Clone {
    list.as_array().map_or(&[][..], Vec::as_slice).iter()
}

/// An address as reports write it.
pub(super) fn address(address: impl std::fmt::LowerHex) -> Value {
    format!("{address:#x}").into()
}

/// A word: a number as recorded, or hexadecimal where it is decoded.
pub(super) fn word(members: &Value, name: &str) -> Option<u64> {
    let value = members.get(name)?;
    let hexadecimal = || u64::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok();
    value.as_u64().or_else(hexadecimal)
}
