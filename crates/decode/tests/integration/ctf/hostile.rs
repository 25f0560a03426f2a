//! Metadata and streams that no tracer writes: an error or a trace, never a panic or a hang.

use super::writer::{archive, decode, lines};
use proptest::prelude::*;
use rtoscope_trace::{DiagnosticKind, Frequency};

const SMALL: &str = "typealias integer { size = 8; align = 8; } := u8;\n\
    typealias integer { size = 32; align = 8; } := u32;\n\
    trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; }; };\n\
    stream { packet.context := struct { u32 content_size; u32 packet_size; u32 packet_seq_num; };\n\
    event.header := struct { u8 id; }; };\n\
    event { name = a; id = 1; fields := struct { u8 n; u8 data[n]; }; };\n";

fn problem(metadata: &str, stream: &[u8]) -> String {
    let archive = archive(&[("metadata", metadata.as_bytes()), ("s", stream)]);
    decode(&archive).unwrap_err().to_string()
}

#[test]
fn metadata_are_limited() {
    let deep = format!("{}{}", "struct { ".repeat(1000), "} x;".repeat(1000));
    let wide = "typealias struct { u8 a; u8 b; u8 c; u8 d; u8 e; u8 f; u8 g; u8 h; } := s0;\n";
    let mut bomb = format!("{SMALL}{wide}");
    for number in 1..12 {
        let before = number - 1;
        let fields: String = (0..8).map(|it| format!("s{before} f{it}; ")).collect();
        bomb.push_str(&format!("typealias struct {{ {fields} }} := s{number};\n"));
    }
    bomb.push_str("event { name = b; id = 2; fields := s11; };\n");
    for (metadata, expected) in [
        ("trace {", "expected a name"),
        ("trace { major = 2; };", "line 1: version 2"),
        (
            "typealias integer { size = 65; } := x;",
            "1 to 64 bits, not 65",
        ),
        (
            "typealias integer { size = 8; align = 3; } := x;",
            "power of two",
        ),
        ("event { fields := struct { nope x; }; };", "no type `nope`"),
        ("\n\n/* ", "line 3: a comment does not end"),
        (
            &format!("event {{ fields := {deep}; }};"),
            "nested deeper than 64",
        ),
        (&bomb, "more than 4096 fields"),
        (
            &SMALL.replace("data[n]", "data[missing]"),
            "field `data` refers to `missing`, which is no integer before it",
        ),
    ] {
        let found = problem(metadata, &[1; 8]);
        assert!(found.contains(expected), "{found}");
    }
}

fn packet(content: u32, size: u32, number: u32, rest: &[u8]) -> Vec<u8> {
    let words = [0xC1FC_1FC1, content, size, number];
    let words = words.iter().flat_map(|word: &u32| word.to_le_bytes());
    words.chain(rest.iter().copied()).collect()
}

#[test]
fn sizes_of_packets_are_checked() {
    let good = packet(19 * 8, 24 * 8, 1, &[1, 1, 7, 0, 0, 0, 0, 0]);
    for (name, second, kind) in [
        (
            "beyond the file",
            packet(8000, 8000, 2, &[1, 1, 8]),
            DiagnosticKind::Truncated,
        ),
        (
            "of size 0",
            packet(0, 0, 2, &[1, 1, 8]),
            DiagnosticKind::BadFrame,
        ),
        (
            "with more content",
            packet(900, 24 * 8, 2, &[1, 1, 8, 0, 0, 0, 0, 0]),
            DiagnosticKind::BadFrame,
        ),
        (
            "cut",
            packet(8, 8, 2, &[])[..9].to_vec(),
            DiagnosticKind::Truncated,
        ),
        (
            "another",
            b"something else".to_vec(),
            DiagnosticKind::BadFrame,
        ),
    ] {
        let stream = [good.clone(), second].concat();
        let archive = archive(&[("metadata", SMALL.as_bytes()), ("s", &stream)]);
        let recording = decode(&archive).unwrap();
        let trace = &recording.trace;
        assert_eq!(lines(trace)[0], "0 0 a n=1 data=\"[7]\"", "{name}");
        let found = trace.diagnostics.iter().find(|it| it.kind == kind);
        assert!(
            found.is_some_and(|it| it.offset.is_some()),
            "{name}: {:?}",
            trace.diagnostics
        );
    }
}

/// The messages of the diagnostics of an archive, and the frequency of its clock.
fn messages(files: &[(&str, &[u8])]) -> (Vec<String>, Option<u64>) {
    let trace = decode(&archive(files)).unwrap().trace;
    let found = trace.diagnostics.iter();
    let hertz = trace.clock.frequency().map(Frequency::hertz);
    (found.map(|it| it.message.clone()).collect(), hertz)
}

#[test]
fn files_that_lack_another_are_named() {
    let stream = packet(19 * 8, 24 * 8, 1, &[1, 1, 7, 0, 0, 0, 0, 0]);
    let metadata = ("a/metadata", SMALL.as_bytes());
    let sound = ("a/s", stream.as_slice());
    let index: &[u8] = &[0xC1, 0xF1, 0xDC, 0xC1, 0, 0, 0, 1];
    let others: [(&str, &[u8]); 2] = [("a/index/s.idx", index), ("README", b"notes")];
    assert!(
        messages(&[metadata, sound, others[0], others[1]])
            .0
            .is_empty()
    );
    let (found, _) = messages(&[metadata, sound, ("b/s", &stream)]);
    assert_eq!(
        found,
        ["the stream `b/s` is not read: its folder has no `metadata`"]
    );
    let (found, _) = messages(&[metadata, sound, ("b/s", &stream), ("c", &stream)]);
    assert_eq!(
        found,
        ["the stream `b/s` and 1 more stream are not read: their folders have no `metadata`"]
    );
    let (found, _) = messages(&[metadata, sound, ("b/metadata", SMALL.as_bytes())]);
    assert_eq!(found, ["`b/metadata`: its folder has no stream with data"]);
}

#[test]
fn without_a_valid_frequency_times_are_ticks() {
    let stream = packet(19 * 8, 24 * 8, 1, &[1, 1, 7, 0, 0, 0, 0, 0]);
    let decoded = |clock: &str| {
        let metadata = format!("clock {{ name = c; {clock} }};\n{SMALL}");
        messages(&[("metadata", metadata.as_bytes()), ("s", &stream)])
    };
    let invalid = "`metadata`: the frequency of the clock `c` is not a number above 0: times are \
                   in ticks";
    for frequency in ["freq = 0;", "freq = -5;", "freq = fast;"] {
        let found = decoded(frequency);
        assert_eq!(found, (vec![invalid.to_owned()], None), "{frequency}");
    }
    assert_eq!(decoded("freq = 32768;"), (Vec::new(), Some(32768)));
    // The default of the specification.
    assert_eq!(decoded(""), (Vec::new(), Some(1_000_000_000)));
}

#[test]
fn events_without_content_end() {
    let metadata = "trace { major = 1; minor = 8; byte_order = le; };\n\
                    event { name = nothing; fields := struct { }; };\n";
    let found = problem(metadata, &[0; 100]);
    assert!(found.contains("without content"), "{found}");
    let header = "typealias integer { size = 8; align = 8; } := u8;\n\
                  stream { event.header := struct { u8 none[0]; }; };\n";
    let found = problem(&format!("{header}{metadata}"), &[0; 100]);
    assert!(found.contains("without content"), "{found}");
}

proptest! {
    #[test]
    fn any_stream_is_decoded_or_refused(stream in proptest::collection::vec(any::<u8>(), 1..200)) {
        let with_magic = [&packet(800, 800, 1, &[]), stream.as_slice()].concat();
        for stream in [&stream, &with_magic] {
            let archive = archive(&[("metadata", SMALL.as_bytes()), ("s", stream)]);
            let _ = decode(&archive);
        }
    }

    #[test]
    fn any_change_of_metadata_is_read_or_refused(at in 0..SMALL.len(), byte in 32_u8..127) {
        let mut metadata = SMALL.as_bytes().to_vec();
        metadata[at] = byte;
        let stream = packet(19 * 8, 24 * 8, 1, &[1, 1, 7, 0, 0, 0, 0, 0]);
        let _ = decode(&archive(&[("metadata", &metadata), ("s", &stream)]));
    }
}
