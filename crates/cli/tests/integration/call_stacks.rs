//! Recorded call stacks in events and tables.

use crate::common::TestFolder;
use serde_json::Value;

const STACKS: TestFolder = TestFolder("firmware/stacks");
const SYMBOLS: [&str; 3] = ["dwarf.cswl", "--symbols", "dwarf.elf"];

fn output(options: &[&str]) -> String {
    STACKS.stdout(&[options, &SYMBOLS].concat())
}

#[test]
fn events_show_functions_and_why_a_stack_ends() {
    let text = output(&["events", "--columns", "event,stack", "--range", "1..2"]);
    assert!(
        text.contains("record < middle < outer < thread_entry < Reset (end of the stack)"),
        "{text}"
    );
    let json = output(&["events", "--format", "json"]);
    let events: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let with_stack = events.iter().filter(|event| event.get("stack").is_some());
    let with_stack: Vec<_> = with_stack.map(|event| &event["event"]).collect();
    assert_eq!(with_stack, [1, 18]);
    let stack = &events[18]["stack"];
    assert_eq!(stack["stop"], "end-of-stack");
    assert_eq!(stack["frames"].as_array().unwrap().len(), 6);
    let handler = &stack["frames"][1];
    assert_eq!(handler["function"], "in_handler");
    assert_eq!(handler["source"], "./stacks.c");
    assert_eq!(
        (&handler["line"], &handler["address"]),
        (&66.into(), &"0x134".into())
    );
}

#[test]
fn the_table_has_a_row_for_each_frame() {
    let table = ["export", "--to", "csv", "--table", "call_stack_frames"];
    insta::assert_snapshot!(output(&table));
    let without_firmware = STACKS.stdout(&[&table[..], &["dwarf.cswl"]].concat());
    insta::assert_snapshot!("frames_without_firmware", without_firmware);
}
