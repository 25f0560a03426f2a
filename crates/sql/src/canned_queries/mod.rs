//! Canned queries: runs those of [`rtoscope_tables::sql`].

mod parameters;

pub(crate) use parameters::BoundSql;

use ::arrow::datatypes::Schema;
use anyhow::{Context as _, ensure};
use rtoscope_command::query::QueryParameter;
use rtoscope_tables::sql::{DocumentedName, SqlScript, canned_queries};
use std::fmt::Write as _;

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
        canned_queries::for_recordings().map(Self)
    }

    /// The canned queries for recordings of many devices, which have [`SqlScript::tags`].
    pub(crate) fn for_fleets() -> impl Iterator<Item = Self> {
        canned_queries::for_fleets().map(Self)
    }

    /// All canned queries.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Self::for_recordings().chain(Self::for_fleets())
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

    /// The tags that the query uses and the columns of the table `recordings` lack.
    pub(crate) fn missing_tags(&self, recordings: &Schema) -> Vec<&'static str> {
        let tags = self.0.tags.iter().map(|tag| tag.name);
        tags.filter(|name| recordings.column_with_name(name).is_none())
            .collect()
    }

    /// Rejects recordings without the tags that the query uses.
    ///
    /// # Errors
    ///
    /// If the columns of the table `recordings` lack a tag.
    pub(crate) fn require_tags(&self, recordings: &Schema) -> anyhow::Result<()> {
        let missing = self.missing_tags(recordings);
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

    /// The statement, if there is one, whose rows say what a check by this query cannot decide,
    /// with the given values in place of its parameters.
    ///
    /// # Errors
    ///
    /// See [`Self::bind`].
    pub(crate) fn undecided(&self, set: &[QueryParameter]) -> anyhow::Result<Option<String>> {
        let undecided = self.0.undecided.as_deref();
        let bound = undecided.map(|sql| self.bind(sql, set));
        Ok(bound.transpose()?.map(|bound| bound.sql))
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
