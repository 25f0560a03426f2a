//! `rtoscope_rkhtrc.h`: RKH's own macros on rtoscope's recorder.

use rtoscope_wire::rkh::record::record_specs;
use rtoscope_wire::rkh::{ArgumentKind, Dialect, FilterLevel, Group, RecordSpec};
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
        if matches!(
            record.group,
            Group::Mp | Group::Que | Group::Sma | Group::Sm | Group::Tmr
        ) {
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
    let mut arguments = String::new();
    let (mut object, mut signal) = ("0".to_owned(), "0".to_owned());
    for (index, argument) in record.arguments.iter().enumerate() {
        let name = format!("a{index}_");
        let value = match argument.kind {
            ArgumentKind::Signal if has_event => format!("(({name})->e)"),
            _ => name.clone(),
        };
        match argument.kind {
            ArgumentKind::Signal => signal.clone_from(&value),
            ArgumentKind::Object(rtoscope_wire::rkh::ObjectClass::ActiveObject) => {
                object = format!("RKH_SMA_ACCESS_CONST({name}, prio)");
            }
            _ => {}
        }
        let _ = writeln!(arguments, "        {}({value}); \\", writer(argument.kind));
        parameters.push(name);
    }
    let id = format!("RKH_TE_{}_{}", record.group.name(), record.name);
    let begin = match record.filter {
        FilterLevel::Never => format!("RKH_TRC_BEGIN_WOFIL({id})"),
        FilterLevel::Group => format!("RKH_TRC_BEGIN_WOAOSIG({id})"),
        FilterLevel::Object => format!("RKH_TRC_BEGIN_WOSIG({id}, {object})"),
        FilterLevel::Signal => format!("RKH_TRC_BEGIN({id}, {object}, {signal})"),
    };
    format!(
        "#define RKH_TR_{}_{}({}) \\\n    {begin} \\\n{arguments}    RKH_TRC_END()\n",
        record.group.name(),
        record.name,
        parameters.join(", "),
    )
}

/// The macro that writes an argument.
fn writer(kind: ArgumentKind) -> &'static str {
    match kind {
        ArgumentKind::Object(_) => "RKH_TRC_SYM",
        ArgumentKind::Sender(_) => "RKH_TRC_SNDR",
        ArgumentKind::Function | ArgumentKind::FunctionSymbol => "RKH_TRC_FUN",
        ArgumentKind::Signal => "RKH_TRC_SIG",
        ArgumentKind::Blocks => "RKH_TRC_NBLK",
        ArgumentKind::BlocksMinimum => "RKH_TRC_MP_NMIN",
        ArgumentKind::BlockSize => "RKH_TRC_BSIZE",
        ArgumentKind::Elements => "RKH_TRC_NE",
        ArgumentKind::ElementsMinimum => "RKH_TRC_QUE_NMIN",
        ArgumentKind::Ticks => "RKH_TRC_NTICK",
        ArgumentKind::EventSize => "RKH_TRC_ES",
        _ => "RKH_TRC_UI8",
    }
}
