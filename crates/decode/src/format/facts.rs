//! Facts of a recording that only its format has, as data.

use super::FORMATS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// What a format has to say about a recording, in addition to its trace.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FormatFacts {
    /// The format and its variant, for people: starts with the format's title.
    pub description: String,
    /// For people: labels of at most 10 characters, and values.
    pub lines: Vec<(&'static str, String)>,
    /// For people: details, each with a title.
    pub sections: Vec<FactSection>,
    /// For machines: all facts by name, in order. Addresses are text such as
    /// `"0x20001a40"`.
    pub members: Map<String, Value>,
}

/// Details with a title.
#[derive(Debug, Clone, PartialEq)]
pub struct FactSection {
    /// The title.
    pub title: String,
    /// The details.
    pub table: FactTable,
}

/// Details as text lines or as a table.
#[derive(Debug, Clone, PartialEq)]
pub enum FactTable {
    /// Lines, each with its end.
    Lines(String),
    /// Rows with a value for each column.
    Rows {
        /// The columns.
        columns: Vec<FactColumn>,
        /// The rows.
        rows: Vec<Vec<String>>,
    },
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactColumn {
    /// The title.
    pub title: &'static str,
    /// Whether the values are numbers, which are right-aligned.
    pub is_number: bool,
}

impl FactColumn {
    /// A column of numbers.
    pub(crate) const fn number(title: &'static str) -> Self {
        Self {
            title,
            is_number: true,
        }
    }

    /// A column of text.
    pub(crate) const fn text(title: &'static str) -> Self {
        Self {
            title,
            is_number: false,
        }
    }
}

/// The members that a format's document has.
pub(crate) fn members(document: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(document) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// The schema of [`FormatFacts::members`]: those of all formats, each optional: a document has
/// those of its format.
#[derive(Debug)]
pub struct FormatMembers;

impl JsonSchema for FormatMembers {
    fn schema_name() -> Cow<'static, str> {
        "FormatMembers".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for format in FORMATS {
            let mut schema = format.members_schema(generator);
            let Some(Value::Object(own)) = schema.remove("properties") else {
                continue;
            };
            for (name, own) in own {
                let known = properties.entry(name).or_insert_with(|| own.clone());
                // Other formats can have a member of this name.
                if *known != own {
                    *known = json!({ "anyOf": [known.take(), own] });
                }
            }
        }
        json_schema!({ "type": "object", "properties": properties })
    }
}
