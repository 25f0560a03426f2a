//! Captures of logic analysers: what changes mean, damage, and the same result live.

use crate::live_text;
use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_decode::logic::FORMAT;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeError, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_trace::{DiagnosticKind, Trace};

const DUMP: &str = "\
$date today $end
$version by hand $end
$timescale 10 ns $end
$scope module board $end
$var wire 1 ! isr $end
$var wire 1 \" busy $end
$scope module bus $end
$var wire 8 d data [7:0] $end
$var real 64 r volts $end
$var wire 1 ! alias $end
$upscope $end
$upscope $end
$enddefinitions $end
#0 $dumpvars 0! x\" b1x d r0.5 r $end
#10 1! 1\"
#12 0!
#20 b101 d 0\"
#30 b110 d 1!
#31
#35 z!
#40 0! 1!
#50
";

const ROWS: &str = "\
Time [s],isr,busy,level
-0.000000010,0,1,3.3
0.000000000,1,1,3.2
0.000000025,0,1,3.1
0.00000005,1,0,3.1
0.0000001,1,0,3.0
";

fn decode(bytes: &[u8]) -> Result<DecodedRecording, DecodeError> {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, Some(FORMAT))?;
    input.decode(&DecodeOptions::default())
}

fn detected(text: &str) -> Trace {
    let input = UnpackedInput::open(Input::new(text.as_bytes()), BufferChoice::First, None);
    let input = input.unwrap();
    assert_eq!(input.format(), FORMAT);
    input.decode(&DecodeOptions::default()).unwrap().trace
}

/// The timestamps, kinds and signals of all events.
fn events(trace: &Trace) -> Vec<String> {
    let events = trace.events.iter().map(|event| {
        let kind = trace.catalogue.get(event.kind).unwrap();
        let arguments = trace.arguments(kind, &event);
        let arguments: Vec<_> = arguments.map(|(_, value)| value.to_string()).collect();
        let arguments = arguments.join(" ").replace('"', "");
        format!("{} {} {arguments}", event.timestamp, kind.name)
    });
    events.collect()
}

fn messages(trace: &Trace, kind: DiagnosticKind) -> Vec<String> {
    let found = trace.diagnostics.iter().filter(|it| it.kind == kind);
    found.map(|it| it.message.clone()).collect()
}

#[test]
fn changes_of_a_dump_are_events() {
    let trace = detected(DUMP);
    assert!(trace.diagnostics.is_empty(), "{:?}", trace.diagnostics);
    assert_eq!(trace.clock.frequency().unwrap().hertz(), 100_000_000);
    let expected = [
        "0 low isr",
        "0 level unknown busy 0 x",
        "0 value unknown bus.data[7:0] 0 1x",
        "0 text value bus.volts 1 0.5",
        "10 rising edge isr 1",
        "10 high busy 1",
        "12 falling edge isr 1",
        "20 first value bus.data[7:0] 5",
        "20 falling edge busy 1",
        "30 value bus.data[7:0] 6",
        "30 rising edge isr 2",
        "35 level unknown isr 2 z",
        "40 low isr",
        "40 rising edge isr 3",
        "50 end of capture ",
    ];
    assert_eq!(events(&trace), expected);
}

#[test]
fn rows_of_a_table_are_events() {
    let text = ROWS.replace(",level\n", "\n");
    let text: String = text
        .lines()
        .map(|line| {
            let cells: Vec<_> = line.split(',').take(3).collect();
            cells.join(",") + "\n"
        })
        .collect();
    let trace = detected(&text);
    assert_eq!(trace.clock.frequency().unwrap().hertz(), 1_000_000_000_000);
    let expected = [
        "0 low isr",
        "0 high busy 0",
        "10000 rising edge isr 1",
        "35000 falling edge isr 1",
        "60000 rising edge isr 2",
        "60000 falling edge busy 0",
        "110000 end of capture ",
    ];
    assert_eq!(events(&trace), expected);
    // An analogue column is no proof, and skipped.
    let trace = decode(ROWS.as_bytes()).unwrap().trace;
    assert_eq!(events(&trace), expected);
    assert_eq!(messages(&trace, DiagnosticKind::OtherText).len(), 1);
}

#[test]
fn dumps_that_pause_have_no_edges_in_between() {
    let text = "$timescale 1us $end\n$var wire 1 ! a $end\n$enddefinitions $end\n\
                #0 $dumpvars 0! $end\n#5 $dumpoff x! $end\n#9 $dumpon 1! $end\n#10 0!\n";
    let trace = detected(text);
    let expected = ["0 low a", "9 high a 1", "10 falling edge a 1"];
    assert_eq!(events(&trace), expected);
    assert_eq!(trace.gaps.len(), 1);
    assert_eq!(messages(&trace, DiagnosticKind::SuppressedEntries).len(), 1);
}

#[test]
fn damage_makes_levels_unknown() {
    let damaged = DUMP.replace("#12 0!\n", "#12 0?\n#11 0!\n");
    let trace = decode(damaged.as_bytes()).unwrap().trace;
    let bad = messages(&trace, DiagnosticKind::BadRecord);
    assert_eq!(bad, ["line 16: no signal has this code: `0?`"]);
    assert!(messages(&trace, DiagnosticKind::BackwardStep)[0].contains("first in line 17"));
    assert!(events(&trace).contains(&"12 low isr".to_owned()));
    assert_eq!(trace.gaps.len(), 1);

    let damaged = ROWS.replace("0.000000025,0,1", "0.000000025,0");
    let trace = decode(damaged.as_bytes()).unwrap().trace;
    let bad = messages(&trace, DiagnosticKind::BadRecord);
    assert_eq!(
        bad,
        ["line 4: another number of columns than the header: `0.000000025,0,3.1`"]
    );
}

#[test]
fn a_cut_file_ends_before_the_last_word() {
    let cut = &DUMP[..DUMP.len() - 2];
    let trace = decode(cut.as_bytes()).unwrap().trace;
    assert_eq!(events(&trace).last().unwrap(), "40 rising edge isr 3");
    assert_eq!(messages(&trace, DiagnosticKind::CutFrame).len(), 1);
}

#[test]
fn values_of_any_width_are_bounded() {
    let head = "$timescale 1ns $end\n$var wire 64 v value $end\n$var wire 100000 w wide $end\n\
                $enddefinitions $end\n";
    let text = format!(
        "{head}#0 b0 v\n#1 b{} v\n#2 b{} w\n#3 b{} w\n#4 b{} w\n",
        "1".repeat(64),
        "1".repeat(65),
        "10".repeat(20_000),
        "1".repeat(200_000),
    );
    let trace = detected(&text);
    let events = events(&trace);
    assert_eq!(events[1], format!("1 value value {}", u64::MAX));
    assert!(events[2].ends_with(&"1".repeat(65)), "{}", events[2]);
    assert_eq!(events.len(), 4);
    assert_eq!(messages(&trace, DiagnosticKind::Truncated).len(), 1);
    assert_eq!(messages(&trace, DiagnosticKind::BadRecord).len(), 1);
}

#[test]
fn a_file_without_a_change_is_an_error() {
    for text in [
        "",
        "$timescale 1ns $end\n",
        "Time [s],a\n",
        "text\n",
        "PK\u{3}\u{4}",
    ] {
        assert!(decode(text.as_bytes()).is_err(), "{text}");
    }
    let error = decode(b"Time,a\nnow,1\n").unwrap_err().to_string();
    assert!(error.contains("line 2: the time is no number"), "{error}");
}

/// The events of a stream that is resumed before its last event of the first part.
fn decode_resumed(text: &[u8], at: usize) -> Option<Vec<String>> {
    let settings = live_text::options(FORMAT);
    let (first, _) = text.split_at(at.min(text.len()));
    let mut live = LiveDecoder::new(settings.clone());
    live.push(first, HostTime(0));
    live.next_update().unwrap()?;
    let checkpoint = live.checkpoint_before(u64::MAX)?.clone();
    let mut resumed = LiveDecoder::resume(settings, &checkpoint);
    let rest = text.get(checkpoint.offset() as usize..)?;
    resumed.push(rest, HostTime(0));
    resumed.connection_lost();
    resumed.next_update().unwrap();
    let trace = resumed.window(u64::MAX)?.decode().unwrap().trace;
    Some(events(&trace))
}

proptest! {
    #[test]
    fn live_is_as_a_file(
        text in prop::sample::select(vec![DUMP, ROWS]),
        chunks in live_text::chunks_and_cuts(DUMP.len()),
    ) {
        live_text::check_equals_file(FORMAT, text, chunks)?;
    }

    #[test]
    fn a_resumed_stream_continues(
        text in prop::sample::select(vec![DUMP, ROWS]),
        at in 0_usize..DUMP.len(),
    ) {
        let whole = events(&decode(text.as_bytes()).unwrap().trace);
        if let Some(resumed) = decode_resumed(text.as_bytes(), at) {
            let from = whole.len() - resumed.len();
            prop_assert_eq!(&resumed, &whole[from..]);
        }
    }
}

#[test]
fn times_with_fractions_are_seconds_also_after_a_zero() {
    let rows = "Time,isr\n0,0\n0.001,1\n1.25,0\n";
    let trace = decode(rows.as_bytes()).unwrap().trace;
    let expected = decode(rows.replace("\n0,", "\n0.0,").as_bytes()).unwrap();
    assert_eq!(events(&trace), events(&expected.trace));
    assert_eq!(trace.events.span().0, 1_250_000_000_000);
    let late = decode(b"Time,isr\n0,0\n1,1\n1.5,0\n3,1\n").unwrap().trace;
    let kinds = late.diagnostics.iter().map(|it| it.kind);
    assert!(
        kinds
            .into_iter()
            .any(|kind| kind == DiagnosticKind::BadRecord)
    );
    assert_eq!(late.events.span().0, 3);
}

#[test]
fn a_dump_can_end_anywhere() {
    for end in 1..DUMP.len() {
        match decode(&DUMP.as_bytes()[..end]) {
            Ok(found) => assert!(!found.trace.events.is_empty()),
            Err(error) => assert!(
                matches!(error, DecodeError::NoEvent { .. }),
                "{end}: {error}"
            ),
        }
    }
}
