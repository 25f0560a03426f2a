//! TypeScript declarations of the reports, for the viewer. The schemas describe the members.

use super::ReportDocument;
use super::critical_path::CriticalPathReport;
use crate::compare::{ComparisonDocument, FigureDetails, OverlaidHistogram, RecordingFigures};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use std::fmt::Write as _;

#[test]
fn typescript_types_are_current() {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.into_generator();
    generator.subschema_for::<ReportDocument>();
    generator.subschema_for::<CriticalPathReport>();
    generator.subschema_for::<ComparisonDocument>();
    generator.subschema_for::<RecordingFigures>();
    generator.subschema_for::<FigureDetails>();
    generator.subschema_for::<OverlaidHistogram>();
    let types = generator.take_definitions(true);
    let mut text =
        "// Written by `cargo xtask check` from crates/analysis: change it there.\n".to_owned();
    for (name, schema) in &types {
        write!(text, "\nexport type {name} = {};\n", typescript(schema, "")).unwrap();
    }
    rtoscope_fixtures::assert_current("web/src/session/documents.ts", &text);
}

/// The type that a schema describes.
fn typescript(schema: &Value, indent: &str) -> String {
    let of = |key| schema.get(key);
    if let Some(Value::String(to)) = of("$ref") {
        return to.rsplit('/').next().unwrap().to_owned();
    }
    if let Some(value) = of("const") {
        return value.to_string();
    }
    if let Some(Value::Array(values)) = of("enum") {
        return union(values.iter().map(Value::to_string));
    }
    if let Some(Value::Array(choices)) = of("anyOf").or(of("oneOf")) {
        return union(choices.iter().map(|choice| typescript(choice, indent)));
    }
    match of("type") {
        Some(Value::Array(names)) => union(names.iter().map(|name| named(schema, name, indent))),
        Some(name) => named(schema, name, indent),
        None => "unknown".to_owned(),
    }
}

fn union(choices: impl Iterator<Item = String>) -> String {
    choices.collect::<Vec<_>>().join(" | ")
}

fn named(schema: &Value, name: &Value, indent: &str) -> String {
    match name.as_str().unwrap() {
        "integer" | "number" => "number".to_owned(),
        "array" => match schema.get("prefixItems") {
            Some(Value::Array(items)) => {
                let items: Vec<_> = items.iter().map(|it| typescript(it, indent)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => format!("({})[]", typescript(&schema["items"], indent)),
        },
        "object" => match schema.get("properties") {
            Some(Value::Object(properties)) => members(schema, properties, indent),
            _ => {
                let of = schema.get("additionalProperties").unwrap_or(&Value::Null);
                format!("Record<string, {}>", typescript(of, indent))
            }
        },
        other => other.to_owned(),
    }
}

fn members(schema: &Value, properties: &Map<String, Value>, indent: &str) -> String {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let inner = format!("{indent}  ");
    let mut lines = String::new();
    for (name, member) in properties {
        let member = typescript(member, &inner);
        // What is not required is absent rather than `null`.
        let (mark, member) = match required.iter().any(|it| it == name) {
            true => ("", member.as_str()),
            false => ("?", member.trim_end_matches(" | null")),
        };
        writeln!(lines, "{inner}{name}{mark}: {member};").unwrap();
    }
    format!("{{\n{lines}{indent}}}")
}
