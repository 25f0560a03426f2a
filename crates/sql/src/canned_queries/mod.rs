//! Canned queries: SQL files that are part of the program.

mod parameters;

pub(crate) use parameters::BoundSql;

use crate::script::{DocumentedName, SqlScript};
use ::arrow::datatypes::Schema;
use anyhow::{Context as _, ensure};
use rtoscope_command::query::QueryParameter;
use std::fmt::Write as _;

macro_rules! canned_queries {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!($folder, $name, ".sql")))),*]
    };
}

/// The name and the SQL of each query for any recordings.
const RECORDINGS: &[(&str, &str)] = canned_queries! { "":
    "cpu-by-thread"
    "cpu-over-time"
    "worst-wakeup"
    "wakeup-percentiles"
    "longest-ready"
    "running-while-ready"
    "unbounded-inversions"
    "devices-with-unbounded-inversion"
    "mutex-hold-times"
    "longest-isr"
    "isr-load"
    "interrupts-off"
    "queue-high-water"
    "queue-full"
    "slow-message"
    "busiest-services"
    "service-rate"
    "lost-events"
    "state-residency"
    "slowest-steps"
    "signal-counts"
};

/// The same for recordings of many devices, which need tags.
const FLEET: &[(&str, &str)] = canned_queries! { "fleet/":
    "recordings-by-firmware"
    "worst-devices"
    "findings-by-firmware"
    "new-findings"
    "latency-by-firmware"
    "firmware-regressions"
    "device-history"
};

/// The names of parameters or tags, for a message.
fn names(items: &[DocumentedName]) -> String {
    let names: Vec<_> = items.iter().map(|item| item.name).collect();
    names.join(", ")
}

/// A canned query.
#[derive(Debug)]
pub(crate) struct CannedQuery(pub(crate) SqlScript);

impl CannedQuery {
    /// The canned queries for any recordings.
    pub(crate) fn for_recordings() -> impl Iterator<Item = Self> {
        RECORDINGS.iter().map(Self::parse)
    }

    /// The canned queries for recordings of many devices, which have [`SqlScript::tags`].
    pub(crate) fn for_fleets() -> impl Iterator<Item = Self> {
        FLEET.iter().map(Self::parse)
    }

    /// All canned queries.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Self::for_recordings().chain(Self::for_fleets())
    }

    fn parse((name, text): &(&'static str, &'static str)) -> Self {
        Self(SqlScript::parse(name, text))
    }

    /// The canned query with a name.
    pub(crate) fn by_name(name: &str) -> anyhow::Result<Self> {
        let found = Self::all().find(|query| query.0.name == name);
        found.with_context(|| format!("unknown canned query {name:?}; use --list to list them"))
    }

    /// The names, titles, parameters and tags of all canned queries.
    pub(crate) fn list() -> String {
        let width = Self::all().map(|query| query.0.name.len()).max();
        let width = width.unwrap_or_default();
        let mut list = String::new();
        for Self(script) in Self::all() {
            let _ = write!(list, "{:width$}  {}", script.name, script.title);
            if !script.parameters.is_empty() {
                let _ = write!(list, " ({})", names(&script.parameters));
            }
            if !script.tags.is_empty() {
                let _ = write!(list, " [tags {}]", names(&script.tags));
            }
            list.push('\n');
        }
        list
    }

    /// Rejects recordings without the tags that the query uses.
    ///
    /// # Errors
    ///
    /// If the columns of the table `recordings` lack a tag.
    pub(crate) fn require_tags(&self, recordings: &Schema) -> anyhow::Result<()> {
        let tags = self.0.tags.iter().map(|tag| tag.name);
        let missing: Vec<_> = tags
            .filter(|name| recordings.column_with_name(name).is_none())
            .collect();
        ensure!(
            missing.is_empty(),
            "{} compares recordings by the tags {}; these recordings have no tag {}. \
             `rtoscope ingest` and `rtoscope export --tag` add tags",
            self.0.name,
            names(&self.0.tags),
            missing.join(", ")
        );
        Ok(())
    }

    /// A statement with parameters of this query, its own or an edited one, with the
    /// given values in their place.
    ///
    /// # Errors
    ///
    /// If there is no such parameter, or if a numeric parameter gets a value
    /// that is not a number.
    pub(crate) fn bind(&self, sql: &str, set: &[QueryParameter]) -> anyhow::Result<BoundSql> {
        parameters::bind_parameters(&self.0, sql, set)
    }

    /// Its own statement with the given values in place of its parameters.
    ///
    /// # Errors
    ///
    /// See [`Self::bind`].
    pub(crate) fn bound(&self, set: &[QueryParameter]) -> anyhow::Result<String> {
        Ok(self.bind(self.0.sql, set)?.sql)
    }
}

#[cfg(test)]
mod fleet_tests;
