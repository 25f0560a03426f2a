use super::*;
use crate::clock::ClockOptions;
use rtoscope_trace::catalogue::MarkerAction;
use rtoscope_trace::{
    ContextId, Contexts, Diagnostics, Event, EventIndex, Interpret, ObjectClass, SchedEvent,
    SwitchModel, TextEncoding, Trace, WaitReason,
};
use std::collections::BTreeMap;

/// A value of a test event, with the name of its field.
enum Value {
    Number(u64),
    Signed(i64),
    Text(&'static str),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Signed(number.into())
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl Value {
    fn field_type(&self) -> FieldType {
        match self {
            Self::Number(_) => FieldType::Unsigned,
            Self::Signed(_) => FieldType::Signed,
            Self::Text(_) => FieldType::Text,
        }
    }

    fn value(&self) -> FieldValue<'_> {
        match self {
            Self::Number(number) => FieldValue::Unsigned(*number),
            Self::Signed(number) => FieldValue::Signed(*number),
            Self::Text(text) => FieldValue::Text(text.as_bytes()),
        }
    }
}

macro_rules! event {
    ($name:literal $(, $field:ident = $value:expr)*) => {
        ($name, vec![$((stringify!($field), Value::from($value))),*])
    };
}

type TestEvent = (&'static str, Vec<(&'static str, Value)>);

fn trace_with(tables: &[&str], bits: u8, events: &[TestEvent]) -> (Trace, MappedEvents) {
    let add = |known: MappingTables, text: &&str| known.with_user_table(text).unwrap();
    let tables = tables.iter().fold(MappingTables::default(), add);
    let mut mapper = EventMapper::new(tables, TextEncoding::default());
    for ((name, fields), time) in events.iter().zip(10..) {
        let defs = fields.iter().map(|(name, value)| FieldDef {
            name: (*name).to_owned(),
            field_type: value.field_type(),
            bits,
        });
        let defs: Vec<_> = defs.collect();
        let class = mapper.add_class(name, &defs, "test", &BTreeMap::new());
        let values: Vec<_> = fields.iter().map(|(_, value)| value.value()).collect();
        mapper.push(class.unwrap(), EventTime { time, core: None }, &values);
    }
    let page = mapper.take_page();
    let clock = ClockInfo {
        options: ClockOptions::default(),
        frequency: None,
    };
    build(page, &mapper, clock, Diagnostics::default())
}

fn trace(events: &[TestEvent]) -> (Trace, MappedEvents) {
    trace_with(&[], 32, events)
}

/// The scheduler events, and the events.
fn interpreted((trace, mapped): &(Trace, MappedEvents)) -> Vec<(Event, SchedEvent)> {
    let mut mapped = mapped.clone();
    let events = (0..trace.events.len() as u32).map(|number| {
        let event = trace.events.get(EventIndex(number)).unwrap();
        (event, mapped.sched_event(trace, &event))
    });
    events.collect()
}

fn sched_events(trace: &(Trace, MappedEvents)) -> Vec<SchedEvent> {
    interpreted(trace).into_iter().map(|(_, it)| it).collect()
}

const A: ContextId = ContextId(3);
const B: ContextId = ContextId(4);

fn switch(to: ContextId) -> SchedEvent {
    SchedEvent::Switch {
        to,
        preempted: false,
    }
}

#[test]
fn built_in_tables_are_valid() {
    assert_eq!(MappingTables::default().iter().count(), 7);
}

#[test]
fn a_switch_says_what_becomes_of_the_thread_before() {
    let found = trace(&[
        event!(
            "sched_switch",
            prev_comm = "swapper/0",
            prev_tid = 0,
            prev_state = 0,
            next_comm = "a",
            next_tid = 7,
            next_prio = 20
        ),
        event!(
            "sched_switch",
            prev_comm = "a",
            prev_tid = 7,
            prev_state = 1,
            next_comm = "b",
            next_tid = 8,
            next_prio = 19
        ),
        event!(
            "sched_waking",
            comm = "a",
            tid = 7,
            prio = 20,
            target_cpu = 0
        ),
        event!(
            "sched_switch",
            prev_comm = "b",
            prev_tid = 8,
            prev_state = 16,
            next_comm = "swapper/0",
            next_tid = 0,
            next_prio = 20
        ),
    ]);
    let stop = |thread, wait_reason, next| SchedEvent::Stop {
        thread,
        wait_reason,
        next,
    };
    let ready = SchedEvent::Resume {
        thread: A,
        wait_reason: WaitReason::Other,
        next: ContextId::UNKNOWN,
    };
    let expected = [
        switch(A),
        stop(A, WaitReason::Other, B),
        ready,
        stop(B, WaitReason::Completed, Contexts::IDLE),
    ];
    assert_eq!(sched_events(&found), expected);
    let (trace, _) = &found;
    assert_eq!([A, B].map(|it| trace.context_name(it)), ["a", "b"]);
    assert!(trace.switch_model.records_states());
    let contexts = interpreted(&found)
        .into_iter()
        .map(|(event, _)| event.context);
    assert_eq!(contexts.collect::<Vec<_>>(), [A, B, B, Contexts::IDLE]);
}

#[test]
fn calls_before_a_wait_are_its_reason() {
    let found = trace(&[
        event!("thread_switched_in", thread_id = 0x100_u64, name = "rx"),
        event!("semaphore_take_blocking", id = 0x900_u64, timeout = 5_u64),
        event!("thread_pending", thread_id = 0x100_u64, name = "rx"),
        event!("thread_switched_out", thread_id = 0x100_u64, name = "rx"),
        event!("thread_switched_in", thread_id = 0x50_u64, name = "idle 00"),
        event!("isr_enter"),
        event!("semaphore_give_enter", id = 0x900_u64),
        event!("thread_ready", thread_id = 0x100_u64, name = "rx"),
        event!("isr_exit"),
        event!("thread_switched_in", thread_id = 0x100_u64, name = "rx"),
        event!(
            "semaphore_take_exit",
            id = 0x900_u64,
            timeout = 5_u64,
            ret = 0
        ),
    ]);
    let events = interpreted(&found);
    let reason = |number: usize| match events[number].1 {
        SchedEvent::Suspend { wait_reason, .. } | SchedEvent::Resume { wait_reason, .. } => {
            wait_reason
        }
        other => panic!("{other:?}"),
    };
    assert_eq!([2, 7].map(reason), [WaitReason::Semaphore; 2]);
    assert_eq!(events[4].1, switch(Contexts::IDLE));
    assert_eq!(events[5].1, SchedEvent::IsrEnter { number: 0 });
    assert_eq!(events[6].0.context, Contexts::INTERRUPT);
    assert_eq!(events[8].1, SchedEvent::IsrExit { number: 0 });
    // The call that waited is counted once.
    assert_eq!(events[10].1, SchedEvent::None);
    let (trace, mapped) = &found;
    assert_eq!(mapped.resources()[0].class, ObjectClass::Semaphore);
    assert_eq!(trace.contexts.threads().count(), 1);
}

#[test]
fn mutexes_have_owners() {
    let found = trace(&[
        event!("thread_switched_in", thread_id = 1_u64, name = "a"),
        event!("mutex_lock_exit", id = 9_u64, timeout = 5_u64, ret = 0),
        event!("mutex_lock_exit", id = 9_u64, timeout = 5_u64, ret = 0),
        event!("thread_switched_in", thread_id = 2_u64, name = "b"),
        event!("mutex_lock_blocking", id = 9_u64, timeout = 5_u64),
        event!("thread_switched_in", thread_id = 1_u64, name = "a"),
        event!("mutex_unlock_enter", id = 9_u64),
        event!("mutex_unlock_enter", id = 9_u64),
        event!("mutex_unlock_enter", id = 8_u64),
    ]);
    let acquires: Vec<_> = sched_events(&found)
        .into_iter()
        .filter_map(|event| match event {
            SchedEvent::Acquire {
                owner,
                count,
                waits,
                ..
            } => Some((owner, count, waits)),
            SchedEvent::Release { owner, count, .. } => Some((owner, count, false)),
            _ => None,
        })
        .collect();
    let expected = [
        (Contexts::IDLE, 0, false),
        (A, 1, false),
        (A, 2, true),
        (A, 2, false),
        (A, 1, false),
        // It was locked before the trace.
        (A, u8::MAX, false),
    ];
    assert_eq!(acquires, expected);
}

#[test]
fn events_without_a_rule_keep_their_fields() {
    let found = trace(&[event!(
        "temperature",
        sensor = "outside",
        value = -5,
        raw = 300_u64
    )]);
    let (trace, _) = &found;
    assert_eq!(sched_events(&found), [SchedEvent::None]);
    let event = trace.events.get(EventIndex(0)).unwrap();
    assert_eq!(trace.catalogue.name(event.kind), "temperature");
    let line = trace.arguments_line(&event).to_string();
    assert_eq!(line, "sensor=\"outside\" value=-5 raw=300");
    assert_eq!(event.context, ContextId::UNKNOWN);
    let model = SwitchModel::Explicit {
        records_returns: false,
        records_states: false,
        ends_handlers: false,
    };
    assert_eq!(trace.switch_model, model);
}

#[test]
fn wide_values_are_kept() {
    let events = [event!(
        "numbers",
        a = 1_u64,
        b = 2_u64,
        c = 3_u64,
        d = 4_u64,
        e = u64::MAX,
        f = -1
    )];
    let (trace, _) = trace_with(&[], 64, &events);
    let event = trace.events.get(EventIndex(0)).unwrap();
    let line = trace.arguments_line(&event).to_string();
    assert_eq!(line, format!("a=1 b=2 c=3 d=4 e=\"{}\" f=\"-1\"", u64::MAX));
}

const USER_TABLE: &str = r#"
name = "mine"

[[rule]]
event = "span"
when = { phase = ["B", "BEGIN"] }
meaning = "marker-begin"
fields = { marker = "label", value = "id" }

[[rule]]
event = "span"
when = { phase = "E*" }
meaning = "marker-end"
fields = { marker = "label", value = "id" }

[[rule]]
event = "sched_switch"
meaning = "none"

[[rule]]
event = "run"
meaning = "switch-in"
fields = { thread = "who", core = "on" }
"#;

#[test]
fn user_tables_come_first() {
    let events = [
        event!("span", phase = "B", id = 4_u64, label = "frame"),
        event!("span", phase = "END", id = 4_u64, label = "frame"),
        event!("span", phase = "?", id = 4_u64, label = "frame"),
        event!("sched_switch", prev_tid = 1, prev_state = 1, next_tid = 2),
        event!("run", who = "control", on = 3_u64),
    ];
    let found = trace_with(&[USER_TABLE], 32, &events);
    let (trace, _) = &found;
    let events = interpreted(&found);
    let role = |number: usize| {
        let kind = trace.catalogue.get(events[number].0.kind).unwrap();
        kind.marker.as_ref().map(|marker| marker.action)
    };
    let expected = [Some(MarkerAction::Begin), Some(MarkerAction::End), None];
    assert_eq!([0, 1, 2].map(role), expected);
    // The marker is the first argument, its value the second.
    let [marker, value, ..] = events[0].0.arguments;
    let marker = trace
        .objects
        .find_class(rtoscope_trace::Address(marker), ObjectClass::Marker);
    assert_eq!(
        (marker.unwrap().display_name(), value),
        ("frame".to_owned(), 4)
    );
    assert_eq!(events[3].1, SchedEvent::None);
    assert_eq!(events[4].1, switch(A));
    assert_eq!(
        (events[4].0.core, trace.context_name(A)),
        (3, "control".to_owned())
    );
}

#[test]
fn a_created_thread_is_another_one() {
    let found = trace(&[
        event!("thread_switched_in", thread_id = 1_u64, name = "old"),
        event!("thread_abort", thread_id = 1_u64, name = "old"),
        event!("thread_create", thread_id = 1_u64, name = "new"),
        event!("thread_switched_in", thread_id = 1_u64, name = "new"),
    ]);
    assert_eq!(sched_events(&found)[1], SchedEvent::Delete { thread: A });
    assert_eq!(sched_events(&found)[3], switch(B));
    let (trace, _) = &found;
    assert_eq!([A, B].map(|it| trace.context_name(it)), ["old", "new"]);
}

#[test]
fn mistakes_have_their_line() {
    for (text, expected) in [
        ("name = 1", "TOML parse error"),
        (
            "name = 'x'\n[[rule]]\nevent = 'e'\nmeaning = 'switch'\n",
            "line 2: rule for `e`: meaning Switch needs the field Next",
        ),
        (
            "name = 'x'\n[[rule]]\nevent = 'e'\nmeaning = 'waiting'\nreason = 'tea'\n",
            "line 2: rule for `e`: no reason `tea`; expected",
        ),
        (
            "name = 'x'\n[[rule]]\nevent = 'e'\nmeaning = 'marker'\n",
            "line 2: rule for `e`: a marker needs a name",
        ),
    ] {
        let error = MappingTables::default()
            .with_user_table(text)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
