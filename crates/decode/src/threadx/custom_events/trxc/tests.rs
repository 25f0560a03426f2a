use super::*;

const COLOURS: &str = "(255,0,0),(0,255,0)";

fn parse_lines(lines: &[&str]) -> Result<Vec<EventKind>, CustomEventsError> {
    let text = format!("Start\n{}\nEnd\n", lines.join("\n"));
    parse(text.as_bytes())
}

fn message(lines: &[&str]) -> String {
    parse_lines(lines).unwrap_err().to_string()
}

#[test]
fn a_definition_becomes_a_kind() {
    let text = "anything, even this\r\nStart\r\n\r\n4096,First,FE,(255,0,0),(0,255,0),One,Two words,Three,Four\r\nEnd\r\nignored";
    let kinds = parse(text.as_bytes()).unwrap();
    let [kind] = kinds.as_slice() else {
        panic!("{kinds:?}");
    };
    assert_eq!(kind.id, EventKindId(4096));
    assert_eq!((&*kind.symbol, &*kind.name), ("", "First"));
    assert_eq!((&*kind.component, kind.internal), ("user", false));
    assert_eq!(&*kind.icon.letters, "FE");
    assert_eq!(kind.icon.colour, Colour([255, 0, 0]));
    assert_eq!(kind.icon.second_colour, Colour([0, 255, 0]));
    let labels = kind.arguments.iter().flatten();
    let labels: Vec<_> = labels.map(|a| (&*a.name, a.meaning)).collect();
    let hex = |name| (name, Meaning::Hex);
    assert_eq!(labels, ["One", "Two words", "Three", "Four"].map(hex));
}

#[test]
fn numbers_may_be_hexadecimal_and_names_quoted() {
    let line = r#" 0x1001 , "Frame, ""late""" , X , ( 1 , 2 , 3 ),(4,5,6), "a, b" ,c,d,e"#;
    let kinds = parse_lines(&[line]).unwrap();
    assert_eq!(kinds[0].id, EventKindId(0x1001));
    assert_eq!(kinds[0].name, "Frame, \"late\"");
    assert_eq!(kinds[0].icon.colour, Colour([1, 2, 3]));
    assert_eq!(kinds[0].arguments[0].as_ref().unwrap().name, "a, b");
}

#[test]
fn no_definition_is_no_mistake() {
    assert_eq!(parse(b"Start\nEnd"), Ok(vec![]));
    assert_eq!(parse(b"End\nStart\nEnd"), Ok(vec![]));
    assert_eq!(parse(b"Start\r\nEnd\r\n"), Ok(vec![]));
}

#[test]
fn both_ends_are_needed() {
    let text = |text: &[u8]| parse(text).unwrap_err().to_string();
    assert_eq!(
        text(b"4096\n"),
        "line 1: no line `Start` before the end of the file"
    );
    assert_eq!(
        text(b""),
        "line 1: no line `Start` before the end of the file"
    );
    assert_eq!(text(b"x\nEnd\n"), "line 2: no line `Start` before `End`");
    assert_eq!(
        text(b"x\nStart\n\n"),
        "line 3: no line `End` after the definitions"
    );
}

#[test]
fn each_part_is_checked() {
    for (line, expected) in [
        (
            format!("4x,N,AB,{COLOURS},a,b,c,d"),
            "expected a number, decimal or 0x and hexadecimal, found `4x`",
        ),
        (
            format!("+4096,N,AB,{COLOURS},a,b,c,d"),
            "expected a number, decimal or 0x and hexadecimal, found `+4096`",
        ),
        (
            format!("4294967296,N,AB,{COLOURS},a,b,c,d"),
            "expected a number, decimal or 0x and hexadecimal, found `4294967296`",
        ),
        (
            "4096".to_owned(),
            "expected a comma and a name after the number, found nothing",
        ),
        (
            format!("4096,,AB,{COLOURS},a,b,c,d"),
            "expected a name, found nothing",
        ),
        (
            format!("4096,N,ABCD,{COLOURS},a,b,c,d"),
            "expected an abbreviation of one to three characters, found `ABCD`",
        ),
        (
            "4096,N,AB,(256,0,0),(0,0,0),a,b,c,d".to_owned(),
            "expected a colour `(red,green,blue)`, each 0 to 255, found `(256,0,0),(0,0,0),a,b,c,d`",
        ),
        (
            "4096,N,AB,(1,0,0),(0,0,0,0),a,b,c,d".to_owned(),
            "expected a colour `(red,green,blue)`, each 0 to 255, found `(0,0,0,0),a,b,c,d`",
        ),
        (
            format!("4096,N,AB,{COLOURS},a,b,c"),
            "expected a comma and four labels after the colours, found nothing",
        ),
        (
            format!("4096,N,AB,{COLOURS},a,b,,d"),
            "expected a label, found nothing",
        ),
        (
            format!("4096,N,AB,{COLOURS},a,b,c,d,e"),
            "expected the end of the line after four labels (one with a comma needs quotation marks), found `,e`",
        ),
        (
            "4096,\"N".to_owned(),
            "expected a name with a closing quotation mark, found `\\\"N`",
        ),
        (
            format!("4096,\"N\"x,AB,{COLOURS},a,b,c,d"),
            "expected a comma and an abbreviation after the name, found `x,AB,(255,0,0),(0,255,0),a,b,c,d`",
        ),
        (
            "; a comment".to_owned(),
            "expected a number, decimal or 0x and hexadecimal, found `; a comment`",
        ),
        (
            format!("10,N,AB,{COLOURS},a,b,c,d"),
            "event 10 is tx_block_allocate, which cannot be redefined",
        ),
    ] {
        assert_eq!(message(&[&line]), format!("line 2: {expected}"), "{line}");
    }
    let text = b"Start\n4096,\xFF\nEnd";
    let error = parse(text).unwrap_err().to_string();
    assert_eq!(error, "line 2: not UTF-8 from byte 6 of the line on");
}

#[test]
fn mistakes_are_reported_up_to_a_limit() {
    let good = format!("4096,N,AB,{COLOURS},a,b,c,d");
    let expected = "line 3: expected a number, decimal or 0x and hexadecimal, found `x`\n\
        line 4: event 4096 is already defined on line 2";
    assert_eq!(message(&[&good, "x", &good]), expected);
    let error = parse_lines(&["x"; 50]).unwrap_err();
    assert_eq!((error.mistakes.len(), error.further_mistakes), (20, 30));
}
