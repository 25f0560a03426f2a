//! The TSDL metadata, which describe the streams.

use super::classes::EventClass;
use super::clock::CtfClock;
use super::digest::Uuid;
use super::field::{self, CtfField, FieldType};
use super::labels::LabelSet;
use super::packets;
use super::trace_folder;
use super::tsdl_text::{IdentifierScope, quoted};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::{Name, Trace};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// The contents of the metadata.
pub(super) struct TraceMetadata<'m> {
    pub(super) source: &'m AnalyzedRecording,
    pub(super) identity: Uuid,
    pub(super) clock: &'m CtfClock,
    /// Additional environment entries.
    pub(super) environment: &'m [(&'m str, &'m str)],
    /// The fields of every event's context.
    pub(super) context: &'m [CtfField],
    /// The classes, by number.
    pub(super) classes: &'m [EventClass],
}

impl TraceMetadata<'_> {
    /// Renders the metadata.
    pub(super) fn write(&self) -> String {
        let mut to = format!("{}\n", trace_folder::METADATA_SIGNATURE);
        // Writing to a `String` cannot fail.
        let _ = self.append(&mut to);
        to
    }

    fn append(&self, to: &mut String) -> std::fmt::Result {
        write!(
            to,
            "{types}\n\
             trace {{\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"{uuid}\";\n\tbyte_order = le;\n{head}}};\n\n\
             env {{\n",
            types = field::TSDL_TYPES,
            uuid = self.identity,
            head = packets::PACKET_HEADER,
        )?;
        self.environment(to)?;
        write!(
            to,
            "}};\n\n\
             clock {{\n\tname = target_clock;\n\tuuid = \"{identity}\";\n\tdescription = {description};\n\
             \tfreq = {frequency};\n\toffset_s = 0;\n\toffset = 0;\n\tabsolute = FALSE;\n}};\n\n\
             typealias integer {{ size = 64; align = 8; signed = false; \
             map = clock.target_clock.value; }} := clock_t;\n\n",
            identity = CtfClock::uuid(),
            description = quoted(&self.clock.description),
            frequency = self.clock.frequency,
        )?;
        let types = self.enumerations(to)?;
        write!(to, "stream {{\n\tid = 0;\n{}", packets::PACKET_CONTEXT)?;
        if !self.context.is_empty() {
            structure(to, "event.context", self.context, &types)?;
        }
        to.push_str("};\n");
        for (class, number) in self.classes.iter().zip(0..) {
            let name = quoted(&class.name);
            write!(
                to,
                "\nevent {{\n\tname = {name};\n\tid = {number};\n\tstream_id = 0;\n"
            )?;
            if !class.context.is_empty() {
                structure(to, "context", &class.context, &types)?;
            }
            structure(to, "fields", &class.fields, &types)?;
            to.push_str("};\n");
        }
        Ok(())
    }

    /// The tracer and the source of the trace.
    fn environment(&self, to: &mut String) -> std::fmt::Result {
        let name = Name::new(self.source.info.name.as_bytes()).to_string();
        let file = Path::new(&self.source.info.name)
            .file_name()
            .unwrap_or_default();
        let host = Name::new(file.as_encoded_bytes()).to_string();
        let unit = self.clock.unit;
        let version = env!("CARGO_PKG_VERSION");
        // Readers print the host name before every event.
        let texts = [
            ("hostname", host.as_str()),
            ("recording", name.as_str()),
            ("tracer_name", "rtoscope"),
            ("tracer_version", version),
            ("format", self.source.info.format),
            ("time_unit", unit),
        ];
        for (name, value) in texts.iter().chain(self.environment) {
            writeln!(to, "\t{name} = {};", quoted(value))?;
        }
        let numbers = ["tracer_major", "tracer_minor", "tracer_patch"];
        for (name, number) in numbers.iter().zip(version.split(['.', '-'])) {
            writeln!(to, "\t{name} = {};", number.parse().unwrap_or(0_u32))?;
        }
        Ok(())
    }

    /// Declares the label types of the fields; returns the TSDL name of each.
    fn enumerations(&self, to: &mut String) -> Result<HashMap<FieldType, String>, std::fmt::Error> {
        let of_classes = self.classes.iter();
        let of_classes = of_classes.flat_map(|class| class.context.iter().chain(&class.fields));
        let mut names = IdentifierScope::default();
        let mut types = HashMap::new();
        for CtfField {
            field_type: form, ..
        } in self.context.iter().chain(of_classes)
        {
            let FieldType::Labelled(labels, bits) = *form else {
                continue;
            };
            if types.contains_key(form) {
                continue;
            }
            let name = names.unique(labels.name());
            let name = format!("labels{name}_t");
            // A label set without labels is not an enumeration.
            if enumeration(to, &self.source.trace, &name, labels, bits)? {
                types.insert(*form, name);
            }
        }
        Ok(types)
    }
}

/// Declares a number type with labels, if there are any.
fn enumeration(
    to: &mut String,
    trace: &Trace,
    name: &str,
    labels: LabelSet,
    bits: u8,
) -> Result<bool, std::fmt::Error> {
    let all = labels.labels_in(trace, bits);
    if all.is_empty() {
        return Ok(false);
    }
    let plain = FieldType::Labelled(labels, bits).tsdl_type();
    writeln!(to, "typealias enum : {plain} {{")?;
    let hexadecimal = labels.are_addresses();
    for (number, label) in all {
        let label = quoted(&label);
        if hexadecimal {
            writeln!(to, "\t{label} = {number:#x},")?;
        } else {
            writeln!(to, "\t{label} = {number},")?;
        }
    }
    writeln!(to, "}} := {name};\n")?;
    Ok(true)
}

fn structure(
    to: &mut String,
    member: &str,
    fields: &[CtfField],
    types: &HashMap<FieldType, String>,
) -> std::fmt::Result {
    writeln!(to, "\t{member} := struct {{")?;
    for CtfField {
        name,
        field_type: form,
        length_field: length,
    } in fields
    {
        let kind = types.get(form).map_or(form.tsdl_type(), String::as_str);
        match length {
            None => writeln!(to, "\t\t{kind} {name};")?,
            Some(length) => {
                writeln!(to, "\t\tuint32_t {length};\n\t\t{kind} {name}[{length}];")?;
            }
        }
    }
    to.push_str("\t};\n");
    Ok(())
}
