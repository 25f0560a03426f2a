//! The interpretation of entries.

use super::builders::{CODE, Cswl, LAYOUTS, complete, example_log, open, open_unknown};
use rtoscope_decode::cswitch::{self, CswitchInterpreter};
use rtoscope_trace::{Address, Contexts, Interpret, SchedEvent, SwitchModel};
use rtoscope_wire::cswitch::CoreHeader;

#[test]
fn entries_say_who_executes_from_then_on() {
    let (pointer, order) = LAYOUTS[0];
    let trace = open_unknown(&complete(pointer, order)).unwrap().trace;
    assert_eq!(
        trace.switch_model,
        SwitchModel::Explicit {
            records_returns: true
        }
    );
    let mut interpreter = CswitchInterpreter::default();
    let threads: Vec<_> = trace.contexts.threads().map(|thread| thread.id).collect();
    let acts: Vec<_> = trace
        .events
        .iter()
        .take(12)
        .map(|event| interpreter.sched_event(&trace, &event))
        .collect();
    let to = |to| SchedEvent::Switch { to };
    assert_eq!(
        acts,
        [
            to(Contexts::INTERRUPT),
            SchedEvent::IsrEnter { number: 0 },
            SchedEvent::IsrExit { number: 0 },
            to(threads[0]),
            SchedEvent::IsrEnter { number: 1 },
            SchedEvent::IsrExit { number: 1 },
            SchedEvent::Return { to: threads[0] },
            to(threads[1]),
            SchedEvent::InterruptsDisabled {
                already_disabled: false
            },
            SchedEvent::InterruptsDisabled {
                already_disabled: true
            },
            SchedEvent::InterruptsRestored,
            to(Contexts::IDLE),
        ]
    );
    let routines = interpreter.isr_functions();
    assert_eq!(routines[0].to_string(), "tick_isr");
    assert_eq!(routines[1].address, Address(CODE + 0x500));
    assert_eq!(routines.len(), 2);
    for event in trace.events.iter() {
        let expected = match event.kind.0 {
            0 | 5 | 6 => Contexts::INTERRUPT,
            1 => Contexts::IDLE,
            2 | 4 => threads[0],
            _ => threads[1],
        };
        assert_eq!(event.context, expected);
        assert_eq!(event.priority(), None);
        assert_eq!(
            trace.code_address(&event),
            Some(Address(event.arguments[0]))
        );
    }
}

#[test]
fn counters_may_be_narrow() {
    let (pointer, order) = LAYOUTS[2];
    let mut log = example_log(4, 0);
    log.iter_mut().for_each(|entry| entry.counter &= 0xFF);
    let file = Cswl::new(pointer, order, 1)
        .core(CoreHeader::default(), &log)
        .end();
    let options = cswitch::CswitchOptions {
        counter_bits: Some(8),
        ..cswitch::CswitchOptions::default()
    };
    let trace = open(&file, options).unwrap().trace;
    assert_eq!(trace.events.span().0, 4 * 292 - 40);
    assert_eq!(trace.clock.period, Some(256));
}
