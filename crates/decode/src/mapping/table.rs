//! Reads tables of rules.

use super::rule::{
    Condition, Expected, LeaveState, Meaning, NamePattern, Role, Rule, SpecialThreads,
    ThreadPattern,
};
use rtoscope_trace::{ObjectClass, WaitReason};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use toml::Spanned;

/// The tables whose rules apply to a recording, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct MappingTables(Vec<Arc<Table>>);

/// A table of rules.
#[derive(Debug, PartialEq)]
pub(super) struct Table {
    pub(super) name: String,
    /// What the recording must say of itself.
    environment: BTreeMap<String, NamePattern>,
    columns: ColumnsEntry,
    pub(super) threads: SpecialThreads,
    /// Whether 0 is the highest priority, as in the model.
    pub(super) zero_is_highest: bool,
    pub(super) rules: Vec<Rule>,
}

impl Table {
    /// Whether its rules are for a recording that says this of itself.
    pub(super) fn is_for(&self, environment: &BTreeMap<String, String>) -> bool {
        self.environment.iter().all(|(key, pattern)| {
            environment
                .get(key)
                .is_some_and(|value| pattern.matches(value))
        })
    }
}

/// Why a table is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    /// It is not TOML, or has other keys.
    #[error("{0}")]
    Toml(String),
    /// A rule has a mistake.
    #[error("line {line}: rule for `{event}`: {problem}")]
    Rule {
        /// The line, from 1.
        line: usize,
        /// The event.
        event: String,
        /// The mistake.
        problem: String,
    },
}

static BUILT_IN: LazyLock<Vec<Arc<Table>>> = LazyLock::new(|| {
    let texts = [
        include_str!("tables/text_events.toml"),
        include_str!("tables/tonbandgeraet.toml"),
        include_str!("tables/rtoscope_events.toml"),
        include_str!("tables/rtoscope_schedule.toml"),
        include_str!("tables/zephyr.toml"),
        include_str!("tables/lttng.toml"),
        include_str!("tables/generic.toml"),
    ];
    // A test parses each of them.
    texts
        .into_iter()
        .filter_map(|it| parse(it).ok())
        .map(Arc::new)
        .collect()
});

impl Default for MappingTables {
    fn default() -> Self {
        Self(BUILT_IN.clone())
    }
}

impl MappingTables {
    /// Reads a table, whose rules come before these.
    ///
    /// # Errors
    ///
    /// If the text is not a table.
    pub fn with_user_table(self, text: &str) -> Result<Self, MappingError> {
        let mut tables = self.0;
        tables.insert(0, Arc::new(parse(text)?));
        Ok(Self(tables))
    }

    /// Whether a table names this column of times of a text.
    pub(crate) fn is_time(&self, column: &str) -> bool {
        self.has_column(column, |columns| &columns.time)
    }

    /// Whether a table names this column of names of events of a text.
    pub(crate) fn is_event(&self, column: &str) -> bool {
        self.has_column(column, |columns| &columns.event)
    }

    fn has_column(&self, column: &str, of: fn(&ColumnsEntry) -> &Vec<String>) -> bool {
        let mut names = self.iter().flat_map(|table| of(&table.columns));
        names.any(|name| name.eq_ignore_ascii_case(column))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.0.iter()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    name: String,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    columns: ColumnsEntry,
    #[serde(default)]
    threads: ThreadsEntry,
    #[serde(default)]
    zero_is_highest: bool,
    #[serde(default)]
    rule: Vec<Spanned<RuleEntry>>,
}

/// The columns of a text that are no fields of events.
#[derive(Debug, PartialEq, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ColumnsEntry {
    /// Without their units.
    time: Vec<String>,
    event: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ThreadsEntry {
    idle: PatternEntry,
    interrupt: PatternEntry,
    initialisation: PatternEntry,
    unknown: PatternEntry,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct PatternEntry {
    ids: Vec<i64>,
    names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    event: OneOrMany<String>,
    meaning: Meaning,
    /// Fields that the event must have.
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    when: BTreeMap<String, ConditionEntry>,
    #[serde(default)]
    fields: BTreeMap<Role, OneOrMany<String>>,
    state: Option<LeaveState>,
    reason: Option<String>,
    class: Option<String>,
    marker: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    fn into_vec(self) -> Vec<T> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ExpectedEntry {
    Number(i64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ConditionEntry {
    Is(OneOrMany<ExpectedEntry>),
    Not { not: OneOrMany<ExpectedEntry> },
    Bits { bits: u64 },
}

impl From<ConditionEntry> for Condition {
    fn from(entry: ConditionEntry) -> Self {
        let expected = |values: OneOrMany<ExpectedEntry>| {
            let values = values.into_vec().into_iter().map(|value| match value {
                ExpectedEntry::Number(number) => Expected::Number(number.into()),
                ExpectedEntry::Text(text) => Expected::Text(NamePattern::new(&text)),
            });
            values.collect()
        };
        match entry {
            ConditionEntry::Is(values) => Self::Is(expected(values)),
            ConditionEntry::Not { not } => Self::IsNot(expected(not)),
            ConditionEntry::Bits { bits } => Self::HasBits(bits),
        }
    }
}

impl From<PatternEntry> for ThreadPattern {
    fn from(entry: PatternEntry) -> Self {
        Self {
            ids: entry.ids.into_iter().map(Into::into).collect(),
            names: entry.names.iter().map(|it| NamePattern::new(it)).collect(),
        }
    }
}

fn parse(text: &str) -> Result<Table, MappingError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let file: File = toml::from_str(text).map_err(|error| MappingError::Toml(error.to_string()))?;
    let threads = file.threads;
    let rules = file.rule.into_iter().map(|entry| {
        let start = entry.span().start;
        let before = text.get(..start).unwrap_or_default();
        rule(entry.into_inner(), before.matches('\n').count() + 1)
    });
    let environment = file.environment.into_iter();
    Ok(Table {
        name: file.name,
        environment: environment
            .map(|(key, it)| (key, NamePattern::new(&it)))
            .collect(),
        columns: file.columns,
        threads: SpecialThreads {
            idle: threads.idle.into(),
            interrupt: threads.interrupt.into(),
            initialisation: threads.initialisation.into(),
            unknown: threads.unknown.into(),
        },
        zero_is_highest: file.zero_is_highest,
        rules: rules.collect::<Result<_, _>>()?,
    })
}

fn rule(entry: RuleEntry, line: usize) -> Result<Rule, MappingError> {
    let events = entry.event.into_vec();
    let mistake = |problem: String| MappingError::Rule {
        line,
        event: events.join(", "),
        problem,
    };
    let one_of = |names: Vec<&str>| names.join(", ");
    let reason = match &entry.reason {
        None => None,
        Some(name) => {
            let mut all = WaitReason::ALL.iter().copied();
            let found = all.find(|reason| reason.name() == name);
            let expected = || one_of(WaitReason::ALL.iter().map(|it| it.name()).collect());
            let unknown = || mistake(format!("no reason `{name}`; expected {}", expected()));
            Some(found.ok_or_else(unknown)?)
        }
    };
    let class = match &entry.class {
        None => None,
        Some(name) => {
            let expected = || one_of(ObjectClass::ALL.iter().map(|it| it.name()).collect());
            let unknown = || mistake(format!("no class `{name}`; expected {}", expected()));
            Some(ObjectClass::from_name(name).ok_or_else(unknown)?)
        }
    };
    let fields = entry.fields.into_iter();
    let fields: BTreeMap<_, _> = fields
        .map(|(role, names)| (role, names.into_vec()))
        .collect();
    for role in entry.meaning.required() {
        if !fields.contains_key(role) {
            return Err(mistake(format!(
                "meaning {:?} needs the field {role:?}",
                entry.meaning
            )));
        }
    }
    let is_marker = matches!(
        entry.meaning,
        Meaning::MarkerBegin | Meaning::MarkerEnd | Meaning::Marker
    );
    if is_marker && entry.marker.is_none() && !fields.contains_key(&Role::Marker) {
        return Err(mistake(
            "a marker needs a name: `marker`, or the field `marker`".to_owned(),
        ));
    }
    Ok(Rule {
        events: events.iter().map(|it| NamePattern::new(it)).collect(),
        required: entry.has,
        conditions: entry
            .when
            .into_iter()
            .map(|(field, it)| (field, it.into()))
            .collect(),
        meaning: entry.meaning,
        fields,
        state: entry.state,
        reason,
        class,
        marker: entry.marker,
    })
}
