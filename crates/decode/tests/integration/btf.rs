//! Files in the Best Trace Format: what lines mean, damage, and the same result live.

use crate::live_text;
use proptest::prelude::*;
use rtoscope_decode::btf::FORMAT;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeError, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_trace::{
    ContextId, DiagnosticKind, Interpret, ObjectClass, SchedEvent, SwitchModel, Trace, WaitReason,
};

/// Two cores, an ISR that interrupts, a runnable, a mutex, a stimulus, and an event of a tool.
const FILE: &str = "\
#version 2.2.0
#creator by hand
#creationDate 2024-01-01T00:00:00Z
#timeScale us
#entityTable
#-1 Core_0
# a comment
0,Core_0,0,C,Core_0,0,idle
0,STI_A,0,T,A,0,activate
10,Core_0,0,C,Core_0,0,execute
10,Core_0,0,T,A,0,start
11,A,0,R,step,0,start
12,A,0,SEM,m,0,requestsemaphore,1
12,A,0,SEM,m,0,assigned,1
12,m,0,SEM,m,0,lock,1
15,Core_0,0,T,A,0,preempt
15,STI_I,0,I,tick,0,activate
15,Core_0,0,I,tick,0,start
17,Core_0,0,I,tick,0,terminate
17,Core_0,0,T,A,0,resume
18,Core_1,0,T,B,3,resume
19,B,3,SEM,m,0,waiting,2
19,Core_1,0,T,B,3,wait
20,A,0,R,step,0,terminate
21,A,0,SEM,m,0,released,1
21,B,3,SEM,m,0,assigned,1
21,Core_1,0,T,B,3,release
22,Core_0,0,T,A,0,terminate
22,Core_0,0,C,Core_0,0,idle
23,Core_1,0,T,B,3,resume
24,OS,-1,SCHED,OS,-1,schedule
";

fn decode(text: &[u8]) -> Result<DecodedRecording, DecodeError> {
    let input = UnpackedInput::open(Input::new(text), BufferChoice::First, Some(FORMAT))?;
    input.decode(&DecodeOptions::default())
}

/// The scheduler events with their times and cores.
fn sched_events(recording: &DecodedRecording) -> Vec<(u64, u8, SchedEvent)> {
    let trace = &recording.trace;
    let mut interpreter = recording.format_info.interpreter(trace);
    let events = trace.events.iter().filter_map(|event| {
        let sched_event = interpreter.sched_event(trace, &event);
        (sched_event != SchedEvent::None).then_some((event.time.0, event.core, sched_event))
    });
    events.collect()
}

fn task(trace: &Trace, name: &str) -> ContextId {
    let mut tasks = trace.contexts.threads();
    tasks
        .find(|it| trace.context_name(it.id) == name)
        .unwrap()
        .id
}

#[test]
fn a_file_is_detected_and_says_what_runs() {
    let input = UnpackedInput::open(Input::new(FILE.as_bytes()), BufferChoice::First, None);
    let input = input.unwrap();
    assert_eq!(input.format(), FORMAT);
    let recording = input.decode(&DecodeOptions::default()).unwrap();
    let trace = &recording.trace;
    assert!(trace.diagnostics.is_empty(), "{:?}", trace.diagnostics);
    assert_eq!(trace.cores, [0, 1]);
    assert_eq!(trace.clock.frequency().unwrap().hertz(), 1_000_000);
    let model = SwitchModel::Explicit {
        records_returns: true,
        records_states: true,
        ends_handlers: false,
    };
    assert_eq!(trace.switch_model, model);
    let [a, b] = ["A", "B"].map(|name| task(trace, name));
    let events = sched_events(&recording);
    let has = |time, core, event| {
        let found = events.contains(&(time, core, event));
        assert!(found, "{event:?} at {time} in {events:?}");
    };
    let switch = |to, preempted| SchedEvent::Switch { to, preempted };
    has(10, 0, switch(a, false));
    // The interrupted task keeps its core.
    assert!(!events.contains(&(15, 0, switch(ContextId::UNKNOWN, false))));
    has(15, 0, SchedEvent::IsrEnter { number: 0 });
    has(17, 0, SchedEvent::IsrExit { number: 0 });
    has(17, 0, SchedEvent::Return { to: a });
    // Nothing follows on its core.
    let (thread, wait_reason) = (b, WaitReason::Mutex);
    has(
        19,
        1,
        SchedEvent::Stop {
            thread,
            wait_reason,
            next: ContextId::UNKNOWN,
        },
    );
    let acquires = events
        .iter()
        .filter(|(.., it)| matches!(it, SchedEvent::Acquire { .. }));
    assert_eq!(acquires.count(), 2);
    let mutex = trace.objects.iter().find(|it| it.name.to_string() == "m");
    assert_eq!(mutex.unwrap().class, ObjectClass::Mutex);
    let last = trace.events.iter().last().unwrap();
    assert_eq!(trace.catalogue.name(last.kind), "SCHED:schedule");
}

#[test]
fn bad_lines_are_described_and_skipped() {
    let damaged = FILE.replace(
        "17,Core_0,0,T,A,0,resume\n",
        "17,Core_0,0,T\nlogger started\n",
    );
    let trace = decode(damaged.as_bytes()).unwrap().trace;
    let message = |kind| {
        let mut diagnostics = trace.diagnostics.iter();
        let found = diagnostics.find(|it| it.kind == kind).unwrap();
        (found.offset.unwrap(), found.message.clone())
    };
    let line = "line 20: no event: it has 4 of the 7 fields of an event: `17,Core_0,0,T`";
    let offset = damaged.find("17,Core_0,0,T\n").unwrap() as u64;
    assert_eq!(
        message(DiagnosticKind::BadRecord),
        (offset, line.to_owned())
    );
    let (_, other) = message(DiagnosticKind::OtherText);
    assert_eq!(other, "ignored 1 line of other text, first line 21");
    // The line might have been a switch.
    assert_eq!(trace.gaps.len(), 1);
}

/// The messages of the rejected lines of a damaged file, and its trace.
fn rejected(text: &[u8]) -> (Vec<String>, Trace) {
    let trace = decode(text).unwrap().trace;
    let mut messages = Vec::new();
    for diagnostic in trace.diagnostics.iter() {
        assert_eq!(diagnostic.kind, DiagnosticKind::BadRecord, "{diagnostic:?}");
        messages.push(diagnostic.message.clone());
    }
    (messages, trace)
}

#[test]
fn events_that_a_type_does_not_have_are_rejected() {
    let damaged = FILE
        .replace(
            "15,STI_I,0,I,tick,0,activate",
            "15,STI_X,0,I,tick,0,atcivate",
        )
        .replace("20,A,0,R,step,0,terminate", "20,A,0,R,step,0,terminXte");
    let (messages, trace) = rejected(damaged.as_bytes());
    assert_eq!(
        messages,
        [
            "line 17: no event: BTF has no such event of the type `isr`: \
             `15,STI_X,0,I,tick,0,atcivate`",
            "line 24: no event: BTF has no such event of the type `runnable`: \
             `20,A,0,R,step,0,terminXte`",
        ]
    );
    assert_eq!(trace.gaps.len(), 2);
    // What only the damaged line names does not exist.
    assert_eq!(trace.cores, [0, 1]);
    assert!(
        !trace
            .objects
            .iter()
            .any(|it| it.name.to_string() == "STI_X")
    );
}

#[test]
fn lines_with_bytes_that_are_no_text_are_rejected() {
    let at = FILE.find("Core_0,0,T,A,0,preempt").unwrap();
    let end = FILE.find("17,Core_0,0,T,A,0,resume").unwrap();
    for byte in [0, 0xFF, 7] {
        let mut damaged = FILE.as_bytes().to_vec();
        damaged[at..end - 2].fill(byte);
        damaged[end - 2] = b',';
        let (messages, trace) = rejected(&damaged);
        let [message] = messages.as_slice() else {
            panic!("{messages:?}");
        };
        let expected = "line 16: no event: it has bytes that are no text: `15,";
        assert!(message.starts_with(expected), "{message}");
        assert_eq!(trace.gaps.len(), 1);
    }
    // Colours of a logger are no damage, and one letter of Latin-1 is none.
    let sound = FILE.replace("# a comment", "# \x1B[0m\ta comment");
    let mut sound = sound.into_bytes();
    let tick = sound.windows(4).position(|it| it == b"tick").unwrap();
    sound[tick] = 0xFF;
    assert_eq!(decode(&sound).unwrap().trace.gaps.len(), 0);
}

#[test]
fn a_file_that_ends_within_a_line_says_so() {
    let end = FILE.find("ume\n24,OS").unwrap();
    let (messages, _) = rejected(&FILE.as_bytes()[..end]);
    assert_eq!(
        messages,
        [
            "line 30: no event: BTF has no such event of the type `task`; the file ends within the \
          line: `23,Core_1,0,T,B,3,res`"
        ]
    );
    // The end of the last line may be missing.
    let whole = FILE.trim_end().as_bytes();
    assert!(rejected(whole).0.is_empty());
}

#[test]
fn earlier_times_are_reported() {
    let swapped = FILE.replace("18,Core_1", "1,Core_1");
    let trace = decode(swapped.as_bytes()).unwrap().trace;
    let mut diagnostics = trace.diagnostics.iter();
    let backward = diagnostics.find(|it| it.kind == DiagnosticKind::BackwardStep);
    assert!(backward.unwrap().message.contains("first in line 21"));
    assert!(trace.events.times().is_sorted());
}

#[test]
fn without_a_unit_times_are_ticks() {
    let plain = FILE.replace("#timeScale us\n", "");
    let trace = decode(plain.as_bytes()).unwrap().trace;
    assert_eq!(trace.clock.frequency(), None);
}

#[test]
fn loggers_of_freertos_write_only_switches() {
    let text = "\
#timeScale us
0,Core_0,0,C,Core_0,0,set_frequency,20000000
0,Core_0,0,T,[0/0001]main,0,preempt,create pri:4
5,[0/0000],0,T,[0/0001]main,0,resume,
9,Core_0,0,STI,sem,0,trigger,create 0x80021ad0
9,Core_0,0,T,[0/0001]main,0,preempt,
9,[0/0001]main,0,T,[0/0002]IDLE,0,resume,
12,[1/0003]IDLE,0,T,[1/0001]main,0,resume,
";
    let recording = decode(text.as_bytes()).unwrap();
    let trace = &recording.trace;
    assert_eq!(trace.cores, [0, 1]);
    let names = trace.contexts.threads().map(|it| trace.context_name(it.id));
    assert_eq!(names.collect::<Vec<_>>(), ["main", "IDLE"]);
    // Nothing shows whether a task that does not run is ready.
    assert!(!trace.switch_model.records_states());
    let (main, idle) = (task(trace, "main"), task(trace, "IDLE"));
    let preempted = true;
    let switches: Vec<_> = sched_events(&recording)
        .into_iter()
        .filter(|(.., event)| matches!(event, SchedEvent::Switch { .. }))
        .collect();
    let to = |to| SchedEvent::Switch { to, preempted };
    assert_eq!(
        switches,
        [(5, 0, to(main)), (9, 0, to(idle)), (12, 1, to(main))]
    );
}

#[test]
fn the_task_before_the_first_one_keeps_its_whole_name() {
    let text = "#timeScale us\n1,[0/0000],0,T,[0/0002]IDLE0,0,resume,\n";
    let trace = decode(text.as_bytes()).unwrap().trace;
    let mut names = trace.objects.iter().map(|object| object.name.to_string());
    assert!(names.any(|name| name == "[0/0000]"));
}

#[test]
fn a_file_without_an_event_is_an_error() {
    for text in ["#timeScale ns\n", "1,2,3\n", "text\n"] {
        let error = decode(text.as_bytes()).unwrap_err();
        assert!(matches!(error, DecodeError::NoEvent { .. }), "{error}");
    }
    assert!(
        decode(b"1,2,3\n")
            .unwrap_err()
            .to_string()
            .contains("line 1: no event")
    );
}

proptest! {
    #[test]
    fn live_is_as_a_file(chunks in live_text::chunks_and_cuts(FILE.len())) {
        live_text::check_equals_file(FORMAT, FILE, chunks)?;
    }
}
