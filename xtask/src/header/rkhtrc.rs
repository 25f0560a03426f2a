//! `rtoscope_rkhtrc.h`: RKH's own macros on rtoscope's recorder.

use super::rkh;
use rtoscope_wire::rkh::record::record_specs;
use rtoscope_wire::rkh::{ArgumentKind, Dialect, Group, ObjectClass, RecordSpec};
use std::fmt::Write as _;

/// The part that does not depend on the records.
const MACROS: &str = include_str!("rkhtrc.h");

/// The line of [`MACROS`] after which the names of records follow.
const NAMES: &str = "/* Names of records. */\n";

/// The line of [`MACROS`] after which the macros of records follow.
const RECORDS: &str = "/* Records. */\n";

pub(super) fn generate() -> String {
    let specs = record_specs(Dialect::V3);
    let mut names = NAMES.to_owned();
    for record in specs.iter().filter(|record| record.group != Group::Usr) {
        let name = format!("RKH_TE_{}_{}", record.group.name(), record.name);
        let _ = writeln!(names, "#define {name} RTO_{name}");
    }
    let mut records = RECORDS.to_owned();
    for record in specs {
        let has_macro = matches!(
            record.group,
            Group::Mp | Group::Que | Group::Sma | Group::Sm | Group::Tmr
        );
        if has_macro && rkh::has_function(record) {
            records.push_str(&definition(record));
        }
    }
    MACROS.replace(NAMES, &names).replace(RECORDS, &records)
}

/// `RKH_TR_…` of a record.
fn definition(record: &RecordSpec) -> String {
    // RKH's macros take an event in these groups, and a signal elsewhere.
    let has_event = matches!(record.group, Group::Sma | Group::Sm);
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    for (index, argument) in record.arguments.iter().enumerate() {
        let name = format!("a{index}_");
        arguments.push(match argument.kind {
            ArgumentKind::Signal if has_event => format!("({name})->e"),
            ArgumentKind::Object(_)
            | ArgumentKind::Sender(_)
            | ArgumentKind::Function
            | ArgumentKind::FunctionSymbol => format!("(uintptr_t)({name})"),
            _ => format!("(uint32_t)({name})"),
        });
        if rkh::has_priority(record)
            && argument.kind == ArgumentKind::Object(ObjectClass::ActiveObject)
        {
            arguments.push(format!("RKH_SMA_ACCESS_CONST({name}, prio)"));
        }
        parameters.push(name);
    }
    format!(
        "#define RKH_TR_{}_{}({}) \\\n    {}({})\n",
        record.group.name(),
        record.name,
        parameters.join(", "),
        rkh::name(record),
        arguments.join(", "),
    )
}
