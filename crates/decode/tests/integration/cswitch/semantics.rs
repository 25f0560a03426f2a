//! The interpretation of entries.

use super::builders::{
    CODE, Cswl, ISR, LAYOUTS, LOGGER, WORKER, complete, example_log, kinds, open, open_unknown,
};
use rtoscope_decode::cswitch::{self, CswitchInterpreter};
use rtoscope_trace::{
    Address, ContextId, Contexts, DiagnosticKind, Frequency, Interpret, ObjectClass, SchedEvent,
    SwitchModel,
};
use rtoscope_wire::cswitch::{CoreHeader, LogEntry};

#[test]
fn entries_say_who_executes_from_then_on() {
    let (pointer, order) = LAYOUTS[0];
    let trace = open_unknown(&complete(pointer, order)).unwrap().trace;
    assert_eq!(
        trace.switch_model,
        SwitchModel::Explicit {
            ends_handlers: false,
            records_returns: true,
            records_states: false,
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
    let to = |to| SchedEvent::Switch {
        to,
        preempted: false,
    };
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
            SchedEvent::Switch {
                to: threads[1],
                preempted: true,
            },
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

#[test]
fn a_given_frequency_does_not_replace_that_of_the_container() {
    let (pointer, order) = LAYOUTS[0];
    let file = Cswl::new(pointer, order, 1)
        .core(CoreHeader::default(), &example_log(4, 0))
        .end();
    let decoded = |hertz: u64, overrides_frequency: bool| {
        let mut options = cswitch::CswitchOptions::default();
        options.clock.frequency = Frequency::from_hertz(hertz);
        options.clock.overrides_frequency = overrides_frequency;
        let trace = open(&file, options).unwrap().trace;
        let mismatch = trace.diagnostics.iter();
        let mismatch = mismatch.filter(|it| it.kind == DiagnosticKind::ClockMismatch);
        let messages: Vec<_> = mismatch.map(|it| it.message.clone()).collect();
        (
            trace.clock.frequency().unwrap().hertz(),
            messages.join("\n"),
        )
    };
    let message = "--clock sets 25 MHz, but the recording contains 240 MHz: 240 MHz is used; \
                   override it with -O clock-override";
    assert_eq!(
        decoded(25_000_000, false),
        (240_000_000, message.to_owned())
    );
    let message = "--clock sets 25 MHz, but the recording contains 240 MHz: 25 MHz is used";
    assert_eq!(decoded(25_000_000, true), (25_000_000, message.to_owned()));
    assert_eq!(decoded(240_000_000, false), (240_000_000, String::new()));
}

#[test]
fn markers_have_names_values_and_the_running_context() {
    const UNNAMED: u64 = 0x0800_0F00;
    let entries = [
        (16, 1, LOGGER),
        (2, CODE, WORKER),
        (16, 7, LOGGER),
        (5, CODE + 0x400, ISR),
        (18, 9, UNNAMED),
        (6, CODE + 0x400, ISR),
        (17, 7, LOGGER),
        (1, CODE, 0),
        (18, u64::from(u32::MAX), LOGGER),
        (0, CODE, 0),
        (18, 0, LOGGER),
    ];
    for (pointer, order) in LAYOUTS {
        let entries = entries.into_iter().zip((1..).map(|step| step * step * 7));
        let log: Vec<_> = entries
            .map(|((kind, address, name), counter)| LogEntry {
                kind,
                counter,
                address,
                name,
            })
            .collect();
        let core = CoreHeader::default();
        let file = Cswl::new(pointer, order, 1).core(core, &log).names().end();
        let trace = open_unknown(&file).unwrap().trace;
        assert_eq!(kinds(&trace), [DiagnosticKind::UnresolvedName]);
        let worker = ContextId(3);
        assert_eq!(
            trace.contexts.threads().count(),
            1,
            "markers are no threads"
        );
        let markers: Vec<_> = trace
            .events
            .iter()
            .filter(|event| event.kind.0 >= 16)
            .map(|event| (event.kind.0, event.arguments[1], event.context))
            .collect();
        assert_eq!(
            markers,
            [
                (16, 1, ContextId::UNKNOWN),
                (16, 7, worker),
                (18, 9, Contexts::INTERRUPT),
                (17, 7, worker),
                (18, u64::from(u32::MAX), Contexts::IDLE),
                (18, 0, Contexts::INTERRUPT),
            ]
        );
        let named = |address| {
            let object = trace
                .objects
                .find_class(Address(address), ObjectClass::Marker);
            object.map(|object| object.name.to_string())
        };
        assert_eq!(named(LOGGER).as_deref(), Some("logger"));
        assert_eq!(named(UNNAMED), None);
    }
}
