//! What entries mean.

use super::make::{CODE, Cswl, LAYOUTS, complete, open, open_unknown, story};
use rtoscope_decode::cswitch::{self, Interpreter};
use rtoscope_trace::{Act, Address, Contexts, Interpret, Telling};
use rtoscope_wire::cswitch::CoreHeader;

#[test]
fn entries_say_who_executes_from_then_on() {
    let (pointer, order) = LAYOUTS[0];
    let trace = open_unknown(&complete(pointer, order)).unwrap().trace;
    assert_eq!(trace.telling, Telling::Switches { returns: true });
    let mut interpreter = Interpreter::new(&trace);
    let threads: Vec<_> = trace.contexts.threads().map(|thread| thread.id).collect();
    let acts: Vec<_> = trace
        .events
        .iter()
        .take(12)
        .map(|event| interpreter.act(&event))
        .collect();
    let to = |to| Act::Switch { to };
    assert_eq!(
        acts,
        [
            to(Contexts::INTERRUPT),
            Act::IsrEnter { number: 0 },
            Act::IsrExit { number: 0 },
            to(threads[0]),
            Act::IsrEnter { number: 1 },
            Act::IsrExit { number: 1 },
            Act::Return { to: threads[0] },
            to(threads[1]),
            Act::InterruptsDisabled { already: false },
            Act::InterruptsDisabled { already: true },
            Act::InterruptsRestored,
            to(Contexts::IDLE),
        ]
    );
    let routines = interpreter.routines();
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
    let mut log = story(4, 0);
    log.iter_mut().for_each(|entry| entry.counter &= 0xFF);
    let file = Cswl::new(pointer, order, 1)
        .core(CoreHeader::default(), &log)
        .end();
    let options = cswitch::Options {
        counter_bits: Some(8),
        ..cswitch::Options::default()
    };
    let trace = open(&file, options).unwrap().trace;
    assert_eq!(trace.events.span().0, 4 * 292 - 40);
    assert_eq!(trace.clock.period, Some(256));
}
