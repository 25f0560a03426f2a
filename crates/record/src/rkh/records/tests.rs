use super::{framework, machines, names, objects};
use crate::rkh::ExpectedEvent;
use rtoscope_wire::rkh::record::{record_spec, record_specs};
use rtoscope_wire::rkh::{ArgumentKind, ArgumentLayout, Dialect, FilterLevel, Group};
use std::collections::BTreeMap;

/// A line of the lists in this module.
pub(super) struct MethodSpec {
    pub(super) id: u8,
    pub(super) name: &'static str,
    pub(super) filter: FilterLevel,
    pub(super) arguments: &'static [ArgumentKind],
}

/// Records with hand-written methods, and records that only the host sends.
const HAND_WRITTEN: [u8; 4] = [0xAB, 0xAC, 0xAD, 0xE4];
const FROM_HOST: [u8; 2] = [0xE8, 0xE9];

#[test]
fn methods_match_the_table_of_records() {
    let tables = [
        objects::TABLE,
        machines::TABLE,
        framework::TABLE,
        names::TABLE,
    ];
    let lines = tables.into_iter().flatten();
    let mut lines: BTreeMap<u8, &MethodSpec> = lines.map(|line| (line.id, line)).collect();
    for spec in record_specs(Dialect::V3) {
        let by_hand = HAND_WRITTEN.contains(&spec.id) || FROM_HOST.contains(&spec.id);
        if spec.layout == ArgumentLayout::Items || by_hand {
            continue;
        }
        let line = lines.remove(&spec.id).unwrap();
        let name = format!("{}_{}", spec.group.name(), spec.name).to_lowercase();
        assert_eq!(line.name, name);
        assert_eq!(line.filter, spec.filter, "{name}");
        let kinds: Vec<_> = spec
            .arguments
            .iter()
            .map(|argument| argument.kind)
            .collect();
        assert_eq!(line.arguments, kinds, "{name}");
    }
    assert!(lines.is_empty());
}

#[test]
fn ids_need_no_escape() {
    // The fast path does not check ids.
    let ids = record_specs(Dialect::V3).iter().map(|spec| spec.id);
    assert!(ids.clone().all(|id| !matches!(id, 0x7D | 0x7E)));
    assert_eq!(ids.count(), 105);
}

#[test]
fn every_record_of_a_machine_can_be_expected() {
    use crate::rkh::{ActionRole, Address};
    let none = Address::NONE;
    let all = [
        ExpectedEvent::Init(none),
        ExpectedEvent::Clrh(none),
        ExpectedEvent::Trn(none, none),
        ExpectedEvent::State(none),
        ExpectedEvent::Enstate(none),
        ExpectedEvent::Exstate(none),
        ExpectedEvent::Nenex(0, 0),
        ExpectedEvent::Ntrnact(0, 0),
        ExpectedEvent::TsState(none),
        ExpectedEvent::EvtProc,
        ExpectedEvent::EvtNfound(0),
        ExpectedEvent::GrdFalse,
        ExpectedEvent::CndNfound,
        ExpectedEvent::UnknState,
        ExpectedEvent::ExHlevel,
        ExpectedEvent::ExTseg,
        ExpectedEvent::ExeAct(ActionRole::Effect, none, none),
        ExpectedEvent::Dch(0, none),
    ];
    let spec = record_specs(Dialect::V3);
    let machines = spec.iter().filter(|spec| spec.group == Group::Sm);
    let expected = machines.map(|spec| spec.id);
    assert!(all.iter().map(|event| event.id()).eq(expected));
    for event in all {
        let spec = record_spec(Dialect::V3, event.id()).unwrap();
        let shown = format!("{event:?}").to_uppercase();
        let name = shown.split('(').next().unwrap();
        assert_eq!(name, spec.name.replace('_', ""));
    }
}
