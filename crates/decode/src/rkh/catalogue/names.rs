//! Named values of RKH, and abbreviations of records.

use rtoscope_trace::catalogue::{NamedValues, UnnamedFormat};
use rtoscope_wire::rkh::{Group, RecordSpec};

/// The kind of a state machine's action (`RKH_SUBTE_SM_EXE_ACT_…`).
pub(super) static ACTION: NamedValues = NamedValues {
    name: "action",
    bits: false,
    values: &[
        (0, "effect"),
        (1, "entry"),
        (2, "exit"),
        (3, "initial"),
        (4, "preprocessor"),
        (5, "guard"),
    ],
    unnamed: UnnamedFormat::Number,
};

/// A group of records (`RKH_TG_…`).
pub(super) static GROUP: NamedValues = NamedValues {
    name: "record-group",
    bits: false,
    values: &[
        (0, "MP"),
        (1, "QUE"),
        (2, "SMA"),
        (3, "SM"),
        (4, "TMR"),
        (5, "FWK"),
        (6, "USR"),
        (7, "UT"),
    ],
    unnamed: UnnamedFormat::Number,
};

/// The records that unit tests expect: those of group SM (`rkhtrc_define.h` of
/// RKH 3.4.00).
pub(super) static EXPECTED: NamedValues = NamedValues {
    name: "record",
    bits: false,
    values: &[
        (0x60, "INIT"),
        (0x61, "CLRH"),
        (0x62, "TRN"),
        (0x63, "STATE"),
        (0x64, "ENSTATE"),
        (0x65, "EXSTATE"),
        (0x66, "NENEX"),
        (0x67, "NTRNACT"),
        (0x68, "TS_STATE"),
        (0x69, "EVT_PROC"),
        (0x6A, "EVT_NFOUND"),
        (0x6B, "GRD_FALSE"),
        (0x6C, "CND_NFOUND"),
        (0x6D, "UNKN_STATE"),
        (0x6E, "EX_HLEVEL"),
        (0x6F, "EX_TSEG"),
        (0x70, "EXE_ACT"),
        (0x71, "DCH"),
    ],
    unnamed: UnnamedFormat::Hex,
};

/// Abbreviates a record in one or two letters within its group: its number, the
/// initials of its words, or the first and the last letter of its only word.
pub(super) fn abbreviation(record: &RecordSpec) -> String {
    if record.group == Group::Usr {
        return record.name.to_owned();
    }
    let two = match record.name {
        "ENSTATE" => "NS",
        "EXSTATE" => "XS",
        "SYNC_EVT" => "SY",
        "TUSR" => "TU",
        name => {
            let initials = name.split('_').filter_map(|word| word.chars().next());
            let last = name.chars().next_back().filter(|_| !name.contains('_'));
            return initials.take(2).chain(last).collect();
        }
    };
    two.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::rkh::record::record_specs;
    use rtoscope_wire::rkh::{Dialect, record::ActionRole};

    #[test]
    fn the_formats_own_tables_say_the_same() {
        let machine = record_specs(Dialect::V3)
            .iter()
            .filter(|record| record.group == Group::Sm);
        let machine: Vec<_> = machine
            .map(|record| (u64::from(record.id), record.name))
            .collect();
        assert_eq!(EXPECTED.values, machine);
        let groups = Group::ALL.map(|group| (u64::from(group.number()), group.name()));
        assert_eq!(GROUP.values, groups);
        let roles = ActionRole::ALL.map(|role| (role as u64, role.name()));
        assert_eq!(ACTION.values, roles);
    }
}
