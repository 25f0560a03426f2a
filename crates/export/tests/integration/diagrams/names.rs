//! Names from a target can contain anything, and are escaped in every format.

use super::common::TraceBuilder;
use super::common::traces::{SERVER, nested, work};
use proptest::prelude::*;
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_export::sequence::{self, RowOptions, SequenceOptions};
use rtoscope_export::{SequenceDiagram, StateMachine, machine};
use rtoscope_trace::{Name, Objects, Trace};
use std::io::Write;
use std::process::{Command, Stdio};

/// Names with syntax of the formats.
const NASTY: &[&[u8]] = &[
    b"end",
    b"END note",
    b"a;b",
    b"\"quoted\\\"",
    b"x\ny\r\tz",
    b"<b>&amp;</b>",
    b"]]>--><!--",
    b"%%{init}%%",
    b"#59;#",
    b"{\\n}[a=b]",
    b"p0->p1: x",
    b"@enduml",
    b"!include x",
    b"'comment",
    b"state s0 {",
    b"wrap: x",
    b" ",
    b"\\",
    b"\\N\\l",
    b"\xFF\x00\x1B[31m",
    "日本語 Ü \u{202e}".as_bytes(),
    b"-- strike -- // slant // __under__ ~~ ** $x",
];

fn rename(story: TraceBuilder, names: &[Vec<u8>]) -> (Trace, ActiveObjects) {
    let (mut trace, active) = story.analyse();
    let mut objects: Vec<_> = trace.objects.iter().cloned().collect();
    for (object, name) in objects.iter_mut().zip(names.iter().cycle()) {
        object.name = Name::new(name);
    }
    trace.objects = Objects::new(objects);
    (trace, active)
}

fn sequence(names: &[Vec<u8>]) -> SequenceDiagram {
    let (trace, active) = rename(work(), names);
    let show = RowOptions {
        actions: true,
        ..RowOptions::default()
    };
    SequenceDiagram::new(
        &trace,
        &active,
        &SequenceOptions {
            show,
            ..SequenceOptions::default()
        },
    )
}

fn lamp(names: &[Vec<u8>]) -> StateMachine {
    let (trace, active) = rename(nested(), names);
    StateMachine::new(&trace, &active, SERVER)
}

/// The lines without their texts: only the format's own syntax is left.
fn bones(text: &str, is_text: impl Fn(&str) -> Option<usize>) -> Vec<String> {
    let bone = |line: &str| {
        is_text(line)
            .map_or(line, |start| &line[..start])
            .to_owned()
    };
    text.lines().map(bone).collect()
}

/// The start of a text, after the first of these marks.
fn position_after(line: &str, marks: &[&str]) -> Option<usize> {
    let found = marks
        .iter()
        .filter_map(|mark| Some(line.find(mark)? + mark.len()));
    found.min()
}

fn check(names: &[Vec<u8>]) {
    let plain = [b"plain".to_vec()];
    let (named, known) = (sequence(names), sequence(&plain));
    let svg = sequence::svg::render(&named);
    let parsed = roxmltree::Document::parse(&svg).unwrap();
    let shown: Vec<_> = parsed
        .descendants()
        .filter(|node| node.has_tag_name("g"))
        .collect();
    assert!(shown.len() > 30);

    let marks = [": ", " as ", " \""];
    let lines = |text: &str| bones(text, |line| position_after(line, &marks));
    let render = sequence::text_formats::mermaid;
    assert_eq!(lines(&render(&named)), lines(&render(&known)));
    is_plain(&render(&named), &marks, "#;");
    assert!(!render(&named).to_lowercase().contains("end"));
    let render = sequence::text_formats::plantuml;
    assert_eq!(lines(&render(&named)), lines(&render(&known)));
    is_plain(&render(&named), &marks, "<>\"+");
    let render = sequence::text_formats::msc_generator;
    let lines = |text: &str| bones(text, |line| position_after(line, &["\""]));
    assert_eq!(lines(&render(&named)), lines(&render(&known)));
    for line in render(&named).lines() {
        assert!(quotes(line) == 0 || quotes(line) == 2, "{line}");
    }

    let (named, known) = (lamp(names), lamp(&plain));
    let render = machine::mermaid::render;
    // Transitions are in the order of signals, not of names.
    let marks = [": ", "state \""];
    let lines = |text: &str| bones(text, |line| position_after(line, &marks));
    assert_eq!(lines(&render(&named)), lines(&render(&known)));
    is_plain(&render(&named), &[": "], "#;");
    let render = machine::dot::render;
    assert_eq!(
        render(&named).lines().count(),
        render(&known).lines().count()
    );
    for line in render(&named).lines() {
        assert_eq!(quotes(line) % 2, 0, "{line}");
    }
}

/// Unescaped quotation marks.
pub(super) fn quotes(line: &str) -> usize {
    let mut escaped = false;
    let mut count = 0;
    for letter in line.chars() {
        count += usize::from(letter == '"' && !escaped);
        escaped = letter == '\\' && !escaped;
    }
    count
}

/// Texts contain only letters, digits, blanks and these signs.
fn is_plain(text: &str, marks: &[&str], signs: &str) {
    for line in text.lines() {
        let Some(start) = position_after(line, marks) else {
            continue;
        };
        let plain = |letter: char| {
            letter.is_alphanumeric() || " _(),.+-/=·×".contains(letter) || signs.contains(letter)
        };
        assert!(line[start..].chars().all(plain), "{line}");
    }
}

#[test]
fn nasty_names_are_escaped() {
    for name in NASTY {
        check(&[name.to_vec()]);
    }
    check(&NASTY.iter().map(|name| name.to_vec()).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_name_is_escaped(names in proptest::collection::vec(any::<Vec<u8>>(), 1..8)) {
        check(&names);
    }
}

#[test]
fn graphviz_reads_them() {
    let dot = |text: &str| {
        let mut child = Command::new("dot")
            .arg("-Tcanon")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        child.stdin.take().unwrap().write_all(text.as_bytes())?;
        child.wait_with_output()
    };
    for name in NASTY {
        let text = machine::dot::render(&lamp(&[name.to_vec()]));
        let Ok(output) = dot(&text) else {
            eprintln!("Graphviz is not installed: skipped");
            return;
        };
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() && complaints.is_empty(),
            "{complaints}\n{text}"
        );
    }
}
