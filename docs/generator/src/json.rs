//! The members of the report's JSON document, from its schema.

use crate::{cell, sentence};
use rtoscope_analysis::report::{ReportDocument, ReportKind};
use rtoscope_command::output::json_schema;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The document of `report`: a table of its members, a section for each report, and the objects
/// that several reports have.
pub(crate) fn report() -> String {
    let document = Document::new(json_schema::<ReportDocument>());
    let is_report = |name: &str| {
        let name = name.replace('_', "-");
        name == "findings" || ReportKind::ALL.iter().any(|kind| kind.name() == name)
    };
    let members = document.members(&document.schema);
    let (reports, general): (Vec<_>, Vec<_>) =
        members.iter().partition(|(name, _)| is_report(name));
    let mut text = String::from(HEADER);
    for (name, member) in general {
        document.write_member(&mut text, name, member, &document.schema);
    }
    for (name, member) in reports {
        let kind = ReportKind::ALL
            .iter()
            .find(|kind| kind.name() == name.replace('_', "-"));
        let about = kind.map_or("what to look at first", |kind| kind.description());
        let _ = write!(text, "\n### {name}\n\n{}", sentence(about));
        let (row, is_array) = document.resolve(member);
        let form = if is_array { "An array" } else { "An object" };
        let about = row.get("description").and_then(Value::as_str);
        let about = about.unwrap_or_default().replace("\n\n", " ");
        let _ = write!(text, " {form}: {}\n\n{HEADER}", about.trim_end_matches('.'));
        document.write_members(&mut text, "", row);
    }
    for name in &document.shared {
        let Some((_, definition)) = document.definition(&format!("#/$defs/{name}")) else {
            continue;
        };
        let about = definition.get("description").and_then(Value::as_str);
        let _ = write!(
            text,
            "\n### {name}\n\n{}\n\n{HEADER}",
            about.unwrap_or_default()
        );
        document.write_members(&mut text, "", definition);
    }
    text
}

const HEADER: &str = "| member | type | meaning |\n|---|---|---|\n";

/// The schema of a document.
struct Document {
    schema: Value,
    /// The names of objects with members that are at more than one place.
    shared: BTreeSet<String>,
}

impl Document {
    fn new(schema: Value) -> Self {
        let mut document = Self {
            schema,
            shared: BTreeSet::new(),
        };
        document.shared = document.find_shared();
        document
    }

    fn members<'d>(&self, object: &'d Value) -> Vec<(&'d String, &'d Value)> {
        let members = object.get("properties").and_then(Value::as_object);
        members.map(Map::iter).into_iter().flatten().collect()
    }

    fn definition(&self, reference: &str) -> Option<(&str, &Value)> {
        let name = reference.strip_prefix("#/$defs/")?;
        let (name, definition) = self.schema.get("$defs")?.as_object()?.get_key_value(name)?;
        Some((name, definition))
    }

    /// The definition that a schema refers to, through arrays and beside null, by name.
    fn reference<'d>(&'d self, schema: &'d Value) -> Option<(&'d str, &'d Value)> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.definition(reference);
        }
        let any = schema.get("anyOf").and_then(Value::as_array);
        let inner = any.into_iter().flatten().chain(schema.get("items"));
        inner.into_iter().find_map(|inner| self.reference(inner))
    }

    /// What a member holds, and whether it is an array of it.
    fn resolve<'d>(&'d self, schema: &'d Value) -> (&'d Value, bool) {
        let is_array = self.kind(schema) == "array";
        let found = self.reference(schema).map(|(_, definition)| definition);
        (found.unwrap_or(schema), is_array)
    }

    /// See [`shared`](Self::shared).
    fn find_shared(&self) -> BTreeSet<String> {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        let definitions = self.schema.get("$defs").and_then(Value::as_object);
        let definitions = definitions.map(Map::values).into_iter().flatten();
        for object in definitions.chain([&self.schema]) {
            for (_, member) in self.members(object) {
                if let Some((name, definition)) = self.reference(member)
                    && definition.get("properties").is_some()
                {
                    *uses.entry(name).or_default() += 1;
                }
            }
        }
        let shared = uses.into_iter().filter(|(_, count)| *count > 1);
        shared.map(|(name, _)| name.to_owned()).collect()
    }

    /// The type of a value other than null: a type of JSON, or the name of a shared object.
    fn kind(&self, schema: &Value) -> String {
        match schema.get("type") {
            Some(Value::String(kind)) => kind.replace("integer", "number"),
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                let kinds = kinds.filter(|kind| *kind != "null");
                kinds
                    .collect::<Vec<_>>()
                    .join(" or ")
                    .replace("integer", "number")
            }
            _ => match self.reference(schema) {
                Some((name, _)) if self.shared.contains(name) => {
                    format!("[{name}](#{})", name.to_lowercase())
                }
                Some((_, definition)) if definition.get("properties").is_some() => "object".into(),
                _ => "string".into(),
            },
        }
    }

    fn is_nullable(schema: &Value) -> bool {
        let types = schema.get("type").and_then(Value::as_array);
        let any = schema.get("anyOf").and_then(Value::as_array);
        let is_null = |value: &Value| value == "null" || value.get("type") == Some(&"null".into());
        types.into_iter().chain(any).flatten().any(is_null)
    }

    fn write_members(&self, text: &mut String, prefix: &str, object: &Value) {
        for (name, member) in self.members(object) {
            self.write_member(text, &format!("{prefix}{name}"), member, object);
        }
    }

    fn write_member(&self, text: &mut String, path: &str, member: &Value, object: &Value) {
        let name = path.rsplit('.').next().unwrap_or(path);
        let required = object.get("required").and_then(Value::as_array);
        let is_required = required.is_some_and(|names| names.iter().any(|it| it == name));
        let mut kind = self.kind(member);
        if Self::is_nullable(member) && is_required {
            kind.push_str(" or null");
        }
        if !is_required {
            kind.push_str(", or absent");
        }
        let about = member.get("description").and_then(Value::as_str);
        let mut about = about.unwrap_or_default().replace("\n\n", " ");
        let reference = self.reference(member);
        let values = reference.map(|(_, it)| Self::constants(it));
        if let Some(values) = values.filter(|values| !values.is_empty()) {
            let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
            about = format!("{}: {}.", about.trim_end_matches('.'), values.join(", "));
        }
        let _ = writeln!(text, "| `{path}` | {kind} | {} |", cell(&about));
        let Some((name, definition)) = reference else {
            return;
        };
        if !self.shared.contains(name) {
            let (_, is_array) = self.resolve(member);
            let dot = if is_array { "[]." } else { "." };
            self.write_members(text, &format!("{path}{dot}"), definition);
        }
    }

    /// The values of a definition that lists them.
    fn constants(definition: &Value) -> Vec<&str> {
        let listed = definition.get("enum").and_then(Value::as_array);
        let described = definition.get("oneOf").and_then(Value::as_array);
        let described = described.into_iter().flatten();
        let described =
            described.filter_map(|it| it.get("const").or_else(|| it.get("enum")?.get(0)));
        let values = listed.into_iter().flatten().chain(described);
        values.filter_map(Value::as_str).collect()
    }
}
