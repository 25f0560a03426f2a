//! Compares the filter with the format's model of RKH's filter.

use super::record::{PRIORITY, SampleRecord};
use super::setups::*;
use proptest::prelude::*;
use proptest::sample::select;
use rtoscope_record::port::{NullClock, SpinLock};
use rtoscope_record::rkh::filter::{FilterError, FilterSelection};
use rtoscope_record::rkh::{RkhRecorder, StreamConfiguration, StreamSetup, Unfiltered};
use rtoscope_wire::rkh::filter::RuntimeFilter;
use rtoscope_wire::rkh::record::{record_spec, record_specs};
use rtoscope_wire::rkh::{ArgumentKind, Dialect, FieldWidth};

pub(crate) fn selection() -> impl Strategy<Value = FilterSelection> {
    let ids: Vec<u8> = record_specs(Dialect::V3)
        .iter()
        .map(|spec| spec.id)
        .collect();
    prop_oneof![
        4 => select(ids).prop_map(FilterSelection::Event),
        1 => any::<u8>().prop_map(FilterSelection::Event),
        1 => Just(FilterSelection::AllEvents),
        2 => (0..10_u8).prop_map(FilterSelection::Group),
        2 => (0..10_u8).prop_map(FilterSelection::GroupEvents),
        1 => Just(FilterSelection::AllGroups),
        3 => select(vec![0, PRIORITY, 63, 64, 255]).prop_map(FilterSelection::Object),
        1 => Just(FilterSelection::AllObjects),
        3 => select(vec![0, 7, 0xFE, 0xFF, 0x100, u32::MAX]).prop_map(FilterSelection::Signal),
        1 => Just(FilterSelection::AllSignals),
    ]
}

/// The record with this id and this signal, in every argument that is a signal.
fn record_with_signal(id: u8, signal: u32) -> SampleRecord {
    let spec = record_spec(Dialect::V3, id).unwrap();
    let numbers = spec.arguments.iter().map(|argument| match argument.kind {
        ArgumentKind::Signal => signal,
        _ => 0,
    });
    let mut numbers: Vec<_> = numbers.collect();
    if id == 0xE4 {
        numbers[1] = 0x69;
    }
    SampleRecord {
        id,
        numbers,
        text: vec![],
        items: vec![],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_pass_as_in_rkh(
        changes in proptest::collection::vec((any::<bool>(), selection()), 0..30),
        signal in select(vec![0_u32, 7, 0xFE, 0xFF]),
    ) {
        let target = TestRecorder::<Base>::new(SpinLock::new(), Box::leak(Box::new(ManualClock::new())));
        target.start(memory(4096)).unwrap();
        let mut model = RuntimeFilter::new([0_u8; 8], [0_u8; 32]);
        for (pass, selection) in changes {
            if pass {
                prop_assert_eq!(target.pass(selection), model.pass(selection));
            } else {
                prop_assert_eq!(target.suppress(selection), model.suppress(selection));
            }
        }
        drain(&target, 100);
        for spec in record_specs(Dialect::V3).iter().filter(|spec| !spec.headerless) {
            record_with_signal(spec.id, signal).record(&target);
            let recorded = !drain(&target, 100).is_empty();
            let passes = model.passes(spec, PRIORITY, signal, FieldWidth::One).unwrap();
            prop_assert_eq!(recorded, passes, "{} {:?}", spec.name, spec.group);
        }
    }
}

enum UnfilteredSetup {}

impl StreamSetup for UnfilteredSetup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
    const FILTERS: bool = false;
    type Objects = Unfiltered;
    type Signals = Unfiltered;
}

#[test]
fn without_filters_everything_passes() {
    let target = RkhRecorder::<UnfilteredSetup, _, _>::new(SpinLock::new(), NullClock);
    let all = || {
        record_specs(Dialect::V3)
            .iter()
            .filter(|spec| !spec.headerless)
    };
    let record = |id| record_with_signal(id, 3).record(&target);
    assert!(all().all(|spec| record(spec.id)));
    assert_eq!(target.available(), 0);
    target.start(memory(4096)).unwrap();
    for spec in all() {
        let before = target.available();
        record(spec.id);
        assert!(target.available() > before, "{}", spec.name);
    }
    target.stop();
    let before = target.available();
    assert!(all().all(|spec| record(spec.id)));
    target.fwk_tcfg();
    assert_eq!(target.available(), before);
    let entries = 0;
    assert_eq!(
        target.pass(FilterSelection::Object(0)),
        Err(FilterError::Object {
            priority: 0,
            entries
        })
    );
    let signal = 0;
    assert_eq!(
        target.suppress(FilterSelection::Signal(signal)),
        Err(FilterError::Signal { signal, entries })
    );
}

/// Above 255, RKH would use the bit of another signal.
#[test]
fn every_signal_has_its_own_bit() {
    let (target, _) = started::<Widest>(200);
    drain(&target, 100);
    target.suppress(FilterSelection::Signal(300)).unwrap();
    for (signal, passes) in [(300, false), (44, true), (511, true), (512, true)] {
        record_with_signal(0x6A, signal).record(&target);
        assert_eq!(!drain(&target, 100).is_empty(), passes, "{signal}");
    }
}
