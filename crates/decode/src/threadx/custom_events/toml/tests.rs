use super::*;
use rtoscope_trace::ObjectClass;
use rtoscope_trace::catalogue::Meaning;

const SMALL: &str = "[[event]]\nid = 4096\nname = 'n'\nicon = 'N'\ncolour = '#010203'\n";

fn message(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn an_event_becomes_a_kind() {
    let text = r##"
        [[event]]
        id = 0x1000
        name = "frame start"
        icon = "FS"
        colour = "#3296c8"
        second_colour = "#000000"
        component = "display"
        arguments = [
            { name = "frame", meaning = "count" },
            { name = "source", meaning = "queue", position = 3 },
            { name = "state", meaning = "thread-state" },
        ]
    "##;
    let kinds = parse(text.as_bytes()).unwrap();
    let [kind] = kinds.as_slice() else {
        panic!("{kinds:?}");
    };
    assert_eq!(kind.id, EventKindId(4096));
    assert_eq!((&*kind.name, &*kind.component), ("frame start", "display"));
    assert_eq!(kind.icon.second_colour, Colour::default());
    let names = kind.arguments.iter().map(|a| a.as_ref().map(|a| &*a.name));
    assert!(names.eq([Some("frame"), None, Some("source"), Some("state")]));
    let meaning = |index: usize| kind.arguments[index].as_ref().map(|a| a.meaning);
    assert_eq!(meaning(0), Some(Meaning::Count));
    assert_eq!(meaning(2), Some(Meaning::Object(ObjectClass::Queue)));
    assert!(matches!(meaning(3), Some(Meaning::Named(_))));
}

#[test]
fn most_parts_may_be_left_out() {
    let kinds = parse(SMALL.as_bytes()).unwrap();
    assert_eq!(kinds[0].component, "user");
    assert_eq!(kinds[0].icon.second_colour, Colour([1, 2, 3]));
    assert_eq!(kinds[0].arguments, [const { None }; 4]);
    assert_eq!(parse(b"# nothing yet\n"), Ok(vec![]));
}

#[test]
fn each_part_is_checked() {
    let long = SMALL.replace("'N'", "'FOUR'");
    assert_eq!(
        message(&long),
        "line 4: expected one to three characters, found `FOUR`"
    );
    for (line, expected) in [
        ("colors = 1", "line 6: unknown field `colors`"),
        (
            "second_colour = 'red'",
            "line 6: expected a colour `#rrggbb`, found `red`",
        ),
        (
            "component = ' '",
            "line 6: expected the name of a component, found ` `",
        ),
        (
            "arguments = [{ name = 'a', meaning = 'tick' }]",
            "line 6: expected the name of a meaning, found `tick`",
        ),
        (
            "arguments = [{ name = '', meaning = 'ticks' }]",
            "line 6: expected an argument's name, found nothing",
        ),
        (
            "arguments = [{ name = 'a', meaning = 'ticks', position = 0 }]",
            "line 6: expected an argument's position from 1 to 4, found `position 0`",
        ),
        (
            "arguments = [\n{ name = 'a', meaning = 'ticks', position = 4 },\n{ name = 'b', meaning = 'ticks' }]",
            "line 8: expected an argument's position from 1 to 4, found `position 5`",
        ),
        (
            "arguments = [\n{ name = 'a', meaning = 'hex', position = 2 },\n{ name = 'b', meaning = 'hex', position = 1 },\n{ name = 'c', meaning = 'hex' }]",
            "line 9: expected one argument at each position, found `position 2`",
        ),
    ] {
        let found = message(&format!("{SMALL}{line}"));
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn a_missing_part_is_named() {
    let found = message("\n\n[[event]]\nid = 4096\n");
    assert_eq!(found, "line 3: missing field `name`");
    assert!(message("= 1").starts_with("line 1: "));
    assert!(message("\n[[event]]\nid = -1").starts_with("line 3: "));
    let error = parse(b"# a\n# \xFF").unwrap_err().to_string();
    assert_eq!(error, "line 2: not UTF-8 from byte 3 of the line on");
}

#[test]
fn numbers_are_taken_once() {
    let twice = format!("{SMALL}\n{SMALL}");
    assert_eq!(
        message(&twice),
        "line 8: event 4096 is already defined on line 2"
    );
    let built_in = SMALL.replace("4096", "109");
    assert_eq!(
        message(&built_in),
        "line 2: event 109 is tx_thread_relinquish, which cannot be redefined"
    );
}

#[test]
fn each_mistake_of_a_large_file_has_its_line() {
    // With a search from the start of the file for each event this takes
    // minutes.
    let event =
        |id: u32| format!("[[event]]\nid = {id}\nname = 'n'\nicon = 'N'\ncolour = '#010203'\n");
    let mut text: String = (0..10_000).map(|number| event(100_000 + number)).collect();
    assert_eq!(parse(text.as_bytes()).unwrap().len(), 10_000);
    text += &event(100_001);
    text += &event(100_000);
    assert_eq!(
        message(&text),
        "line 50002: event 100001 is already defined on line 7\n\
         line 50007: event 100000 is already defined on line 2"
    );
}

#[test]
fn lines_are_counted_as_newlines_before_the_offset() {
    let text = b"\na\n\n\nbc\r\n\nd";
    let lines = LineIndex::new(text);
    for offset in 0..=text.len() {
        let newlines = text[..offset].iter().filter(|byte| **byte == b'\n');
        assert_eq!(lines.line_of(offset), newlines.count() + 1, "{offset}");
    }
}
