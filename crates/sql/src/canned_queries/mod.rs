//! Canned queries: SQL files that are part of the program.

mod parameters;

pub(crate) use parameters::BoundSql;

use crate::script::SqlScript;
use anyhow::Context as _;
use rtoscope_command::query::QueryParameter;
use std::fmt::Write as _;

macro_rules! canned_queries {
    ($($name:literal)*) => {
        /// The name and the SQL of each query.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".sql")))),*];
    };
}

canned_queries! {
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
}

/// A canned query.
#[derive(Debug)]
pub(crate) struct CannedQuery(pub(crate) SqlScript);

impl CannedQuery {
    /// All canned queries.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let scripts = FILES
            .iter()
            .map(|(name, text)| SqlScript::parse(name, text));
        scripts.map(Self)
    }

    /// The canned query with a name.
    pub(crate) fn by_name(name: &str) -> anyhow::Result<Self> {
        let found = Self::all().find(|query| query.0.name == name);
        found.with_context(|| format!("unknown canned query {name:?}; use --list to list them"))
    }

    /// The names and titles of all canned queries.
    pub(crate) fn list() -> String {
        let width = FILES.iter().map(|(name, _)| name.len()).max();
        let width = width.unwrap_or_default();
        let mut list = String::new();
        for Self(script) in Self::all() {
            let _ = write!(list, "{:width$}  {}", script.name, script.title);
            let parameters = script.parameters.iter().map(|parameter| parameter.name);
            let parameters: Vec<_> = parameters.collect();
            if !parameters.is_empty() {
                let _ = write!(list, " ({})", parameters.join(", "));
            }
            list.push('\n');
        }
        list
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
