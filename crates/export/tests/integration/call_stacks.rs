//! Call stacks reach every format that has arguments of events.

use crate::common::{self, AnalyzedRecording};
use crate::ctf_reader::{CtfTrace, Value as Field, get, number};
use crate::perfetto_reader::packets;
use rtoscope_export::chrome::ChromeWriter;
use rtoscope_export::ctf;
use rtoscope_export::perfetto::PerfettoWriter;
use rtoscope_trace::call_stack::{CallStacksBuilder, StackStop};
use rtoscope_trace::{Address, CodeLocation, EventIndex, Name};
use std::collections::HashMap;
use tempfile::TempDir;

const EVENT: u32 = 40;

/// A recording with a stack of two frames at [`EVENT`], and one without frames.
fn recording() -> AnalyzedRecording {
    let mut opened = common::open("threadx/cm3_system.trx");
    let mut stacks = CallStacksBuilder::default();
    stacks.begin(EventIndex(EVENT));
    for (address, function) in [(0x100, "send"), (0x200, "task \"a\"")] {
        stacks.push(Address(address), address == 0x200, || CodeLocation {
            address: Address(address),
            function: Some(Name::new(function.as_bytes())),
            file: Some(Name::new(b"queue.c")),
            line: Some(41),
        });
    }
    stacks.end(StackStop::Truncated);
    stacks.begin(EventIndex(EVENT + 1));
    stacks.end(StackStop::NoFirmware);
    opened.trace.call_stacks = stacks.finish();
    opened
}

const ARGUMENTS: [(&str, &str); 3] = [
    ("frame 0", "send (queue.c:41) at 0x100"),
    ("frame 1", "task \"a\" (queue.c:41) at 0x200"),
    ("stack ends", "the recorded words end here"),
];

#[test]
fn chrome_shows_frames_as_arguments() {
    let recording = recording();
    let mut writer = ChromeWriter::new(Vec::new()).unwrap();
    writer.add_recording(&recording, &mut |_| ()).unwrap();
    let text = writer.finish().unwrap();
    let all: Vec<serde_json::Value> = serde_json::from_slice(&text).unwrap();
    let of_stacks = |event: &&serde_json::Value| event["args"].get("stack ends").is_some();
    let stacks: Vec<_> = all.iter().filter(of_stacks).collect();
    assert_eq!(stacks.len(), 2);
    let number = recording.trace.recording_event(EventIndex(EVENT));
    assert_eq!(stacks[0]["args"]["event"], number);
    for (name, text) in ARGUMENTS {
        assert_eq!(stacks[0]["args"][name], text);
    }
    assert_eq!(stacks[1]["args"]["stack ends"], "no firmware file");
}

#[test]
fn perfetto_shows_frames_as_arguments() {
    let recording = recording();
    let mut writer = PerfettoWriter::new(Vec::new()).unwrap();
    writer.add_recording(&recording, &mut |_| ()).unwrap();
    let mut names = HashMap::new();
    let mut stacks = Vec::new();
    for (_, packet) in packets(&writer.finish().unwrap()) {
        let sequence = packet.number(10);
        for data in packet.messages(12) {
            for name in data.messages(3) {
                names.insert((sequence, name.number(1)), name.text(2).unwrap());
            }
        }
        for event in packet.messages(11) {
            let arguments = event.messages(4).into_iter().filter_map(|argument| {
                let name = names.get(&(sequence, argument.number(1)))?;
                Some((name.clone(), argument.text(6)?))
            });
            let arguments: Vec<_> = arguments.collect();
            if arguments.iter().any(|(name, _)| name == "stack ends") {
                stacks.push(arguments);
            }
        }
    }
    assert_eq!(stacks.len(), 2);
    for (name, text) in ARGUMENTS {
        assert!(stacks[0].contains(&(name.to_owned(), text.to_owned())));
    }
}

#[test]
fn ctf_has_a_field_for_the_stack() {
    let recording = recording();
    let folder = TempDir::new().unwrap();
    ctf::write(&recording, folder.path(), &mut |_| ()).unwrap();
    let read = CtfTrace::new(folder.path());
    let mut stacks = HashMap::new();
    for event in read.events() {
        if event.fields.iter().any(|(name, _)| name == "call_stack") {
            let stack = get(&event.fields, "call_stack").clone();
            stacks.insert(number(&event.common, "number"), stack);
        }
    }
    let number = |event| recording.trace.recording_event(EventIndex(event));
    let text = |text: &str| Field::Text(text.to_owned());
    let expected = [
        (
            number(EVENT),
            text(
                "send (queue.c:41) at 0x100 < task \"a\" (queue.c:41) at 0x200 \
                 (the recorded words end here)",
            ),
        ),
        (number(EVENT + 1), text("(no firmware file)")),
    ];
    assert_eq!(stacks, HashMap::from(expected));
}
