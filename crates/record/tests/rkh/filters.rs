//! The filter against the format's model of RKH's.

use crate::record::{PRIORITY, Record};
use crate::setups::*;
use proptest::prelude::*;
use proptest::sample::select;
use rtoscope_record::port::{Spin, Stopped};
use rtoscope_record::rkh::filter::{FilterError, Selection};
use rtoscope_record::rkh::{Configuration, Recorder, Setup, Unfiltered};
use rtoscope_wire::rkh::filter::Filter;
use rtoscope_wire::rkh::record::{record, records};
use rtoscope_wire::rkh::{ArgumentKind, Dialect, Width};

fn selection() -> impl Strategy<Value = Selection> {
    let ids: Vec<u8> = records(Dialect::V3).iter().map(|known| known.id).collect();
    prop_oneof![
        4 => select(ids).prop_map(Selection::Event),
        1 => any::<u8>().prop_map(Selection::Event),
        1 => Just(Selection::AllEvents),
        2 => (0..10_u8).prop_map(Selection::Group),
        2 => (0..10_u8).prop_map(Selection::GroupEvents),
        1 => Just(Selection::AllGroups),
        3 => select(vec![0, PRIORITY, 63, 64, 255]).prop_map(Selection::Object),
        1 => Just(Selection::AllObjects),
        3 => select(vec![0, 7, 0xFE, 0xFF, 0x100, u32::MAX]).prop_map(Selection::Signal),
        1 => Just(Selection::AllSignals),
    ]
}

/// The record of that id with that signal, wherever it has one.
fn of_signal(id: u8, signal: u32) -> Record {
    let known = record(Dialect::V3, id).unwrap();
    let numbers = known.arguments.iter().map(|argument| match argument.kind {
        ArgumentKind::Signal => signal,
        _ => 0,
    });
    let mut numbers: Vec<_> = numbers.collect();
    if id == 0xE4 {
        numbers[1] = 0x69;
    }
    Record {
        id,
        numbers,
        text: vec![],
        items: vec![],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_pass_as_with_rkh(
        changes in proptest::collection::vec((any::<bool>(), selection()), 0..30),
        signal in select(vec![0_u32, 7, 0xFE, 0xFF]),
    ) {
        let target = Target::<Base>::new(Spin::new(), Box::leak(Box::new(Hand::new())));
        target.start(memory(4096)).unwrap();
        let mut model = Filter::new([0_u8; 8], [0_u8; 32]);
        for (pass, selection) in changes {
            if pass {
                prop_assert_eq!(target.pass(selection), model.pass(selection));
            } else {
                prop_assert_eq!(target.suppress(selection), model.suppress(selection));
            }
        }
        drain(&target, 100);
        for known in records(Dialect::V3).iter().filter(|known| !known.bare) {
            of_signal(known.id, signal).record(&target);
            let recorded = !drain(&target, 100).is_empty();
            let passes = model.passes(known, PRIORITY, signal, Width::One).unwrap();
            prop_assert_eq!(recorded, passes, "{} {:?}", known.name, known.group);
        }
    }
}

enum Open {}

impl Setup for Open {
    const CONFIGURATION: Configuration = Configuration::DEFAULT;
    const FILTERS: bool = false;
    type Objects = Unfiltered;
    type Signals = Unfiltered;
}

#[test]
fn without_filters_everything_passes() {
    let target = Recorder::<Open, _, _>::new(Spin::new(), Stopped);
    let all = || records(Dialect::V3).iter().filter(|known| !known.bare);
    let record = |id| of_signal(id, 3).record(&target);
    assert!(all().all(|known| record(known.id)));
    assert_eq!(target.waiting(), 0);
    target.start(memory(4096)).unwrap();
    for known in all() {
        let before = target.waiting();
        record(known.id);
        assert!(target.waiting() > before, "{}", known.name);
    }
    target.stop();
    let before = target.waiting();
    assert!(all().all(|known| record(known.id)));
    target.fwk_tcfg();
    assert_eq!(target.waiting(), before);
    let entries = 0;
    assert_eq!(
        target.pass(Selection::Object(0)),
        Err(FilterError::Object {
            priority: 0,
            entries
        })
    );
    let signal = 0;
    assert_eq!(
        target.suppress(Selection::Signal(signal)),
        Err(FilterError::Signal { signal, entries })
    );
}

/// Beyond the first 256 signals RKH would look for another's bit.
#[test]
fn every_signal_has_its_own_bit() {
    let (target, _) = started::<Widest>(200);
    drain(&target, 100);
    target.suppress(Selection::Signal(300)).unwrap();
    for (signal, passes) in [(300, false), (44, true), (511, true), (512, true)] {
        of_signal(0x6A, signal).record(&target);
        assert_eq!(!drain(&target, 100).is_empty(), passes, "{signal}");
    }
}
