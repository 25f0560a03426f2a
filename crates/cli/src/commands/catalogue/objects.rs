//! The types of objects in a format's registry.

use super::CatalogueFormat;
use rtoscope_command::output;
use rtoscope_decode::{RegistryType, RegistryTypes};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize, JsonSchema)]
pub(crate) struct RegistryDocument {
    schema: &'static str,
    /// Where the kernel's source differs from the manual for all types.
    difference: &'static str,
    objects: Vec<RegistryTypeDocument>,
}

#[derive(Serialize, JsonSchema)]
struct RegistryTypeDocument {
    type_number: u8,
    class: &'static str,
    /// The names of the two parameters; null for an unused one.
    parameters: [Option<&'static str>; 2],
    /// Where the kernel's source differs from the manual.
    difference: Option<&'static str>,
}

impl From<RegistryType> for RegistryTypeDocument {
    fn from(registry_type: RegistryType) -> Self {
        let names = registry_type.class.parameter_names();
        Self {
            type_number: registry_type.number,
            class: registry_type.class.name(),
            parameters: names.map(|name| Some(name).filter(|name| !name.is_empty())),
            difference: registry_type.difference,
        }
    }
}

const COLUMNS: [&str; 4] = ["type", "class", "parameter1", "parameter2"];

pub(super) fn write(registry: RegistryTypes, format: CatalogueFormat) -> anyhow::Result<()> {
    let RegistryTypes { difference, types } = registry;
    let types: Vec<_> = types.into_iter().map(RegistryTypeDocument::from).collect();
    match format {
        CatalogueFormat::Json => output::write_json(&RegistryDocument {
            schema: "rtoscope/registry-types/1",
            difference,
            objects: types,
        }),
        CatalogueFormat::Csv => {
            let header: Vec<_> = COLUMNS.into_iter().chain(["difference"]).collect();
            let rows = types.iter().map(|it| {
                let difference = it.difference.unwrap_or_default().to_owned();
                cells(it).into_iter().chain([difference]).collect()
            });
            output::write_csv(&header, rows)
        }
        CatalogueFormat::Text => output::write_text(&render_text(difference, &types)),
    }
}

fn cells(registry_type: &RegistryTypeDocument) -> Vec<String> {
    let [first, second] = registry_type.parameters.map(Option::unwrap_or_default);
    let number = registry_type.type_number.to_string();
    [number.as_str(), registry_type.class, first, second]
        .map(str::to_owned)
        .to_vec()
}

/// The differences with their subjects.
fn differences(
    all: &'static str,
    types: &[RegistryTypeDocument],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_types = types
        .iter()
        .filter_map(|it| Some((it.class, it.difference?)));
    [("all", all)].into_iter().chain(of_types)
}

fn render_text(difference: &'static str, types: &[RegistryTypeDocument]) -> String {
    let mut text = output::format_table(&COLUMNS, &["type"], types.iter().map(cells));
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        text,
        "\nWhere the kernel's source, which rtoscope follows, differs from the manual"
    );
    for (class, difference) in differences(difference, types) {
        let _ = writeln!(text, "  {class}: {difference}");
    }
    text
}
