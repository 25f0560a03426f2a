//! `rtoscope objects`: lists the object registry.

use clap::{Args, ValueEnum};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::input::{DecodeArgs, FileArgs};
use rtoscope_command::output;
use rtoscope_decode::DecodedRecording;
use rtoscope_export::table_lines::{LineFormat, TableWriter};
use rtoscope_tables::Table;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Address, Object, ObjectClass, Trace};

#[derive(Args)]
pub(crate) struct ObjectsArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output format; csv and json are the table `objects`, json with one object per line
    #[arg(short, long, default_value = "text")]
    format: ObjectsFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ObjectsFormat {
    Text,
    Csv,
    #[value(aliases = ["jsonl", "json-lines", "ndjson"])]
    Json,
}

pub(crate) fn run(arguments: &ObjectsArgs) -> anyhow::Result<()> {
    let DecodedRecording { trace, format_info } = arguments.file.recording(&arguments.decode)?;
    arguments.file.hint_at_diagnostics(&trace.diagnostics);
    let lines = match arguments.format {
        ObjectsFormat::Text => return output::write_text(&render_text(&trace)),
        ObjectsFormat::Csv => LineFormat::Csv,
        ObjectsFormat::Json => LineFormat::Json,
    };
    let name = Printable::text(&arguments.file.source_name()).to_string();
    let recording = AnalyzedRecording::new(name, "", trace, &format_info);
    let mut writer = TableWriter::new(output::stdout(), Table::Objects, lines, &[])?;
    writer.add(&recording, &mut |_| ())?;
    writer.finish()?;
    Ok(())
}

/// Renders the objects as a text table.
fn render_text(trace: &Trace) -> String {
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
