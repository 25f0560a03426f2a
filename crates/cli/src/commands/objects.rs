//! `rtoscope objects`: lists the object registry.

use clap::{Args, ValueEnum};
use rtoscope_command::input::{DecodeArgs, FileArgs};
use rtoscope_command::output;
use rtoscope_trace::{Address, Object, ObjectClass, Trace};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Args)]
pub(crate) struct ObjectsArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: ObjectsFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ObjectsFormat {
    Text,
    Json,
    Csv,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ObjectsDocument<'a> {
    schema: &'static str,
    objects: Vec<ObjectDocument<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct ObjectDocument<'a> {
    slot: Option<u32>,
    class: &'a str,
    type_number: u8,
    address: String,
    /// The escaped name.
    name: String,
    /// The name's bytes in hexadecimal.
    name_bytes: String,
    priority: Option<u16>,
    parameters: Option<[String; 2]>,
    deleted: bool,
}

pub(crate) fn run(arguments: &ObjectsArgs) -> anyhow::Result<()> {
    let recording = arguments.file.recording(&arguments.decode)?;
    arguments
        .file
        .hint_at_diagnostics(&recording.trace.diagnostics);
    let objects = recording.trace.objects.iter();
    match arguments.format {
        ObjectsFormat::Json => output::write_json(&ObjectsDocument {
            schema: "rtoscope/objects/1",
            objects: objects.map(object_document).collect(),
        }),
        ObjectsFormat::Csv => output::write_csv(
            &[
                "slot",
                "class",
                "address",
                "name",
                "priority",
                "parameter1",
                "parameter2",
                "deleted",
            ],
            objects.map(|object| {
                let document = object_document(object);
                let [first, second] = document.parameters.unwrap_or_default();
                vec![
                    object.slot.map(|it| it.to_string()).unwrap_or_default(),
                    object.class.to_string(),
                    document.address,
                    document.name,
                    object.priority.map(|it| it.to_string()).unwrap_or_default(),
                    first,
                    second,
                    object.deleted.to_string(),
                ]
            }),
        ),
        ObjectsFormat::Text => {
            let table = render_text(&recording.trace);
            output::write_text(&table)
        }
    }
}

/// Renders the objects as a text table.
pub(super) fn render_text(trace: &Trace) -> String {
    let rows = trace.objects.iter().map(|object| {
        vec![
            object.slot.map(|it| it.to_string()).unwrap_or_default(),
            class_name(object),
            object.address.to_string(),
            object.name.to_string(),
            object.priority.map(|it| it.to_string()).unwrap_or_default(),
            parameter_text(object),
            if object.deleted { "deleted" } else { "" }.to_owned(),
        ]
    });
    let header = [
        "slot",
        "class",
        "address",
        "name",
        "priority",
        "parameters",
        "",
    ];
    output::format_table(&header, &["slot", "priority"], rows)
}

fn object_document(object: &Object) -> ObjectDocument<'_> {
    let bytes = object.name.as_bytes().iter();
    ObjectDocument {
        slot: object.slot,
        class: object.class.name(),
        type_number: object.type_number,
        address: object.address.to_string(),
        name: object.name.to_string(),
        name_bytes: bytes.map(|byte| format!("{byte:02x}")).collect(),
        priority: object.priority,
        parameters: object
            .parameters
            .map(|words| words.map(|word| format!("{word:#x}"))),
        deleted: object.deleted,
    }
}

fn class_name(object: &Object) -> String {
    match object.class {
        ObjectClass::Unknown => format!("type {}", object.type_number),
        class => class.to_string(),
    }
}

/// The defined parameters with their names.
fn parameter_text(object: &Object) -> String {
    let texts = object.named_parameters().map(|(name, value)| match name {
        "stack start" | "active object" => format!("{name} {}", Address(value)),
        _ => format!("{name} {value}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}
