//! Texts with an event per line: what they mean, the user's tables, and damage.

use rtoscope_decode::mapping::MappingOptions;
use rtoscope_decode::mapping::MappingTables;
use rtoscope_decode::source::Input;
use rtoscope_decode::text_events::FORMAT;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_trace::{
    ContextId, DiagnosticKind, Frequency, Interpret, SchedEvent, Trace, WaitReason,
};

const TABLE: &str = "\
time_us,core,event,thread,priority,object,reason
0,0,create,sensor,3,,
0,0,create,ui,9,,
1,0,switch_in,ui,,,
2.5,0,lock,ui,,bus,
4,0,isr_enter,,,timer,
5,0,ready,sensor,,,
6,0,isr_exit,,,timer,
7,0,switch_out,ui,,,
7,0,switch_in,sensor,,,
8,0,lock_wait,sensor,,bus,
9,0,switch_out,sensor,,,mutex
9,0,switch_in,ui,,,
10,0,unlock,ui,,bus,
10,0,ready,sensor,,,
12,0,custom,,,\"a, b\",
";

fn decode_with(text: &str, tables: MappingTables) -> DecodedRecording {
    let input = UnpackedInput::open(
        Input::new(text.as_bytes()),
        BufferChoice::First,
        Some(FORMAT),
    );
    let options = DecodeOptions {
        mapping: MappingOptions {
            tables,
            ..MappingOptions::default()
        },
        ..DecodeOptions::default()
    };
    input.unwrap().decode(&options).unwrap()
}

fn decode(text: &str) -> DecodedRecording {
    decode_with(text, MappingTables::default())
}

fn sched_events(recording: &DecodedRecording) -> Vec<(u64, SchedEvent)> {
    let trace = &recording.trace;
    let mut interpreter = recording.format_info.interpreter(trace);
    let events = trace.events.iter().filter_map(|event| {
        let sched_event = interpreter.sched_event(trace, &event);
        (sched_event != SchedEvent::None).then_some((event.time.0, sched_event))
    });
    events.collect()
}

fn thread(trace: &Trace, name: &str) -> ContextId {
    let mut threads = trace.contexts.threads();
    let found = threads.find(|it| trace.context_name(it.id) == name);
    found.unwrap().id
}

#[test]
fn rows_are_events_of_the_scheduler() {
    let input = UnpackedInput::open(Input::new(TABLE.as_bytes()), BufferChoice::First, None);
    assert_eq!(input.unwrap().format(), FORMAT);
    let recording = decode(TABLE);
    let trace = &recording.trace;
    assert!(trace.diagnostics.is_empty(), "{:?}", trace.diagnostics);
    assert_eq!(trace.clock.frequency().unwrap().hertz(), 1_000_000_000);
    let [sensor, ui] = ["sensor", "ui"].map(|name| thread(trace, name));
    let events = sched_events(&recording);
    let has = |time, event| {
        assert!(events.contains(&(time, event)), "{event:?} in {events:?}");
    };
    let switch = |to| SchedEvent::Switch {
        to,
        preempted: false,
    };
    has(1_000, switch(ui));
    has(4_000, SchedEvent::IsrEnter { number: 0 });
    has(6_000, SchedEvent::IsrExit { number: 0 });
    let handlers = recording.format_info.interpreter(trace);
    let name = handlers.isr_functions()[0].name.clone();
    assert_eq!(name.unwrap().to_string(), "timer");
    has(7_000, switch(ContextId::UNKNOWN));
    has(7_000, switch(sensor));
    let is_wait = |event: &SchedEvent| {
        matches!(event, SchedEvent::Stop { thread, wait_reason, .. }
        if *thread == sensor && *wait_reason == WaitReason::Mutex)
    };
    assert!(
        events
            .iter()
            .any(|(time, event)| *time == 9_000 && is_wait(event))
    );
    let holds = events
        .iter()
        .filter(|(_, it)| matches!(it, SchedEvent::Acquire { .. }));
    assert_eq!(holds.count(), 2);
    let priorities = trace.objects.iter().filter_map(|it| it.priority);
    assert_eq!(priorities.collect::<Vec<_>>(), [3, 9]);
}

#[test]
fn texts_of_windows_are_as_others() {
    let lines = TABLE.replace('\n', "\r\n");
    let units = lines.encode_utf16().flat_map(u16::to_le_bytes);
    let wide = [0xFF, 0xFE].into_iter().chain(units).collect();
    let expected = decode(TABLE);
    for bytes in [lines.into_bytes(), wide] {
        let input = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        assert_eq!(input.format(), FORMAT);
        let recording = input.decode(&DecodeOptions::default()).unwrap();
        assert_eq!(sched_events(&recording), sched_events(&expected));
        assert_eq!(recording.trace.objects, expected.trace.objects);
        assert!(recording.trace.diagnostics.is_empty());
    }
}

#[test]
fn threads_have_the_priority_of_each_of_their_rows() {
    let trace = decode(
        "\
time_us,event,thread,priority,object
0,create,ui,9,
1,switch_in,ui,9,
2,give,ui,,done
3,give,ui,4,done
4,switch_out,ui,4,
",
    )
    .trace;
    let priorities: Vec<_> = trace.events.iter().map(|event| event.priority()).collect();
    assert_eq!(priorities, [None, Some(9), None, Some(4), None]);
    let registered = trace.objects.iter().map(|object| object.priority);
    assert_eq!(registered.collect::<Vec<_>>(), [Some(9), None]);
}

#[test]
fn json_lines_are_as_rows() {
    let mut lines = TABLE.lines();
    let names: Vec<_> = lines.next().unwrap().split(',').collect();
    let lines = lines.map(|line| {
        let cells = line.replace("\"a, b\"", "a b");
        let members = names
            .iter()
            .zip(cells.split(','))
            .filter(|(_, cell)| !cell.is_empty());
        let members = members.map(|(name, cell)| match cell.parse::<f64>() {
            Ok(_) => format!("\"{name}\":{cell}"),
            Err(_) => format!("\"{name}\":\"{cell}\""),
        });
        format!("{{{}}}\n", members.collect::<Vec<_>>().join(","))
    });
    let lines: String = lines.collect();
    let json = decode(&lines);
    let rows = decode(TABLE);
    assert_eq!(sched_events(&json), sched_events(&rows));
    assert_eq!(json.trace.objects, rows.trace.objects);
    let input = UnpackedInput::open(Input::new(lines.as_bytes()), BufferChoice::First, None);
    assert_eq!(input.unwrap().format(), FORMAT);
}

#[test]
fn a_missing_switch_out_is_unknown_time() {
    let missing = TABLE.replace("7,0,switch_out,ui,,,\n", "");
    let trace = decode(&missing).trace;
    assert_eq!(trace.gaps.len(), 1);
    let gap = trace
        .diagnostics
        .iter()
        .find(|it| it.kind == DiagnosticKind::Gap);
    assert!(gap.unwrap().message.contains("was not switched out"));
    // A log without any has no such rule.
    let lines = TABLE.lines().filter(|line| !line.contains("switch_out"));
    let without: String = lines.map(|line| format!("{line}\n")).collect();
    assert!(decode(&without).trace.gaps.is_empty());
}

#[test]
fn other_names_are_mapped_by_a_table() {
    let text = "when (ms);what;who\n1.0;RUN;a\n2.0;RUN;b\n";
    let table = "name = \"mine\"\n[columns]\ntime = [\"when\"]\nevent = [\"what\"]\n\
                 [[rule]]\nevent = \"RUN\"\nmeaning = \"switch-in\"\nfields = { thread = \"who\" }\n";
    let mapping = MappingTables::default().with_user_table(table).unwrap();
    let recording = decode_with(text, mapping);
    let b = thread(&recording.trace, "b");
    let switch = SchedEvent::Switch {
        to: b,
        preempted: false,
    };
    assert!(sched_events(&recording).contains(&(1_000_000, switch)));
}

#[test]
fn damage_is_a_gap() {
    let damaged = TABLE
        .replace("5,0,ready,sensor,,,", "5,0,ready")
        .replace("6,0,", "x,0,");
    let trace = decode(&damaged).trace;
    let bad = trace
        .diagnostics
        .iter()
        .filter(|it| it.kind == DiagnosticKind::BadRecord);
    let bad: Vec<_> = bad.map(|it| it.message.as_str()).collect();
    assert_eq!(
        bad,
        [
            "line 7: no event: another number of columns than names: `5,0,ready`",
            "line 8: no event: the time is no number: `x,0,isr_exit,,,timer,`",
        ]
    );
    assert_eq!(trace.gaps.len(), 1);
}

/// The times of a table with these times in a column without a unit, and its frequency.
fn times(column: &[&str]) -> (Vec<u64>, Option<u64>) {
    let rows = column.iter().map(|time| format!("{time},switch_in,a\n"));
    let trace = decode(&format!("time,event,thread\n{}", rows.collect::<String>())).trace;
    let hertz = trace.clock.frequency().map(Frequency::hertz);
    (trace.events.times().map(|it| it.0).collect(), hertz)
}

#[test]
fn a_fraction_in_any_row_makes_times_seconds() {
    const SECOND: Option<u64> = Some(1_000_000_000);
    let expected = vec![0, 1_000_000, 1_250_000_000, 2_000_000_000];
    for first in ["0", "0.0", "0e0"] {
        let found = times(&[first, "0.001", "1.25", "2"]);
        assert_eq!(found, (expected.clone(), SECOND), "{first}");
    }
    // The times before the fraction are seconds, too.
    let found = times(&["7", "8", "9.5"]);
    assert_eq!(found, (vec![0, 1_000_000_000, 2_500_000_000], SECOND));
    // What is no number says nothing about the unit.
    assert_eq!(times(&["7", "1.x", "9"]), (vec![0, 2], None));
    let json = decode(
        "{\"time\":0,\"event\":\"switch_in\",\"thread\":\"a\"}\n\
         {\"time\":0.25,\"event\":\"switch_in\",\"thread\":\"b\"}\n",
    );
    assert!(
        json.trace
            .events
            .times()
            .map(|it| it.0)
            .eq([0, 250_000_000])
    );
}

/// The messages of a kind.
fn messages(text: &str, kind: DiagnosticKind) -> Vec<String> {
    let trace = decode(text).trace;
    let found = trace.diagnostics.iter().filter(|it| it.kind == kind);
    found.map(|it| it.message.clone()).collect()
}

#[test]
fn the_newest_line_first_is_reported() {
    let reversed = "time_us,event\n9,c\n5,b\n5,b\n1,a\n";
    assert_eq!(
        messages(reversed, DiagnosticKind::BackwardStep),
        [
            "3 events are earlier than one before: they have its time instead; more times fall \
             than rise: the events seem to be in reverse order, the newest first"
        ]
    );
    // One time that is too late makes all others earlier, but not the order reverse.
    let late = "time_us,event\n0,a\n99,a\n1,b\n2,b\n3,b\n";
    assert_eq!(
        messages(late, DiagnosticKind::BackwardStep),
        ["3 events are earlier than one before: they have its time instead"]
    );
}

#[test]
fn a_repeated_column_is_named() {
    let bad = |header| messages(&format!("{header}\n0,a,1,2\n"), DiagnosticKind::BadRecord);
    assert_eq!(
        bad("time_us,event,thread,thread"),
        ["several columns have the name `thread`: only the last of them is read"]
    );
    // Spreadsheets write empty columns.
    assert!(bad("time_us,event,,").is_empty());
}

#[test]
fn a_core_that_is_no_number_is_rejected() {
    let text = "time_us,core,event\n0,0,a\n1,x,b\n2,-1,b\n3,,c\n4,0x1,d\n";
    let trace = decode(text).trace;
    assert_eq!(trace.cores, [0, 1]);
    assert_eq!(trace.events.len(), 3);
    assert_eq!(
        messages(text, DiagnosticKind::BadRecord),
        [
            "line 3: no event: the core is no number: `1,x,b`",
            "line 4: no event: the core is no number: `2,-1,b`",
        ]
    );
    assert_eq!(trace.gaps.len(), 1);
    // The lines are described, not their bytes.
    assert!(messages(text, DiagnosticKind::BadFrame).is_empty());
}
