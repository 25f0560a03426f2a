//! JSON schemas of documents, from the types that are serialised.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schema of a document. The documentation of types and members becomes descriptions.
pub fn json_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    describe(&mut schema, "null");
    schema
}

/// Turns the documentation of Rust into descriptions of JSON, in a schema and those in it.
/// `missing` is what a missing value is in JSON.
fn describe(schema: &mut Value, missing: &str) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = description(text, missing);
            }
            let required = members.get("required").cloned();
            let is_required = |name: &str| {
                let names = required.as_ref().and_then(Value::as_array);
                names.is_some_and(|names| names.iter().any(|it| it == name))
            };
            for (key, inner) in members.iter_mut() {
                match (key.as_str(), inner) {
                    ("properties", Value::Object(properties)) => {
                        describe_members(properties, is_required);
                    }
                    (_, inner) => describe(inner, "null"),
                }
            }
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(|inner| describe(inner, "null")),
        _ => {}
    }
}

fn describe_members(properties: &mut Map<String, Value>, is_required: impl Fn(&str) -> bool) {
    for (name, member) in properties {
        let missing = if is_required(name) { "null" } else { "absent" };
        describe(member, missing);
    }
}

/// Documentation without line breaks and links to code.
fn description(documentation: &str, missing: &str) -> String {
    let paragraphs = documentation.split("\n\n");
    let paragraphs = paragraphs.map(|paragraph| paragraph.replace('\n', " "));
    let text = paragraphs.collect::<Vec<_>>().join("\n\n");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find("[`") {
        let (before, link) = rest.split_at(start);
        plain.push_str(before);
        let Some((name, after)) = link.get(1..).and_then(|link| link.split_once(']')) else {
            plain.push_str(link);
            rest = "";
            break;
        };
        plain.push_str(name);
        // The place in the code that the link leads to.
        rest = match after.strip_prefix('(').and_then(|to| to.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    plain.push_str(rest);
    plain.replace("`None`", missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    /// A row of [`Document`](some::Type), with
    /// a line break.
    #[derive(Serialize, JsonSchema)]
    struct Row {
        /// `None` if unknown, see [`Row`].
        known: Option<u64>,
        /// `None` if unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        shown: Option<u64>,
    }

    #[test]
    fn documentation_becomes_descriptions() {
        let schema = json_schema::<Row>();
        assert_eq!(
            schema["description"],
            "A row of `Document`, with a line break."
        );
        let of = |name: &str| schema["properties"][name]["description"].clone();
        assert_eq!(of("known"), "null if unknown, see `Row`.");
        assert_eq!(of("shown"), "absent if unknown.");
        assert_eq!(schema["required"], serde_json::json!(["known"]));
    }
}
