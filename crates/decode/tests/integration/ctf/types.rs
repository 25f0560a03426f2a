//! Types of fields, both byte orders, and CTF 2.

use super::writer::{BitWriter, archive, decode, lines};

const TYPES: &str = r#"/* CTF 1.8 */
typealias integer { size = 3; align = 1; signed = false; } := u3;
typealias integer { size = 13; align = 1; signed = true; } := s13;
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 16; align = 16; signed = false; base = hex; } := x16;
typealias integer { size = 8; align = 8; encoding = ASCII; } := letter;
typealias integer { size = 64; align = 8; signed = true; } := s64;
typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; } := float;
typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double;
typedef u3 flags_t;
enum state : u8 { IDLE, BUSY = 4, DONE, "OTHER ONE" = 10 ... 20 };
struct point { u8 x; u8 y; };

trace { major = 1; minor = 8; byte_order = ORDER; };
stream { event.header := struct { u8 id; }; event.context := struct { u8 _ctx; u8 a; }; };

event {
	name = "all"; id = 1;
	fields := struct {
		flags_t a;
		s13 b;
		x16 c;
		float d;
		double e;
		enum state f;
		struct point g;
		u8 h[2][2];
		u8 count;
		letter text[count];
		struct point points[count];
		enum : u8 { first = 1, second = 2 } which;
		variant <which> { u8 first; struct point second; } v;
		string s;
		s64 wide;
	};
};
"#;

fn bytes(is_big: bool) -> Vec<u8> {
    let mut bits = BitWriter::new(is_big);
    bits.put(1, 8).put(77, 8).put(78, 8);
    // The structure is aligned like its fields.
    bits.align(16)
        .put(5, 3)
        .put(-3_i64 as u64, 13)
        .align(16)
        .put(0xBEEF, 16);
    bits.put(1.5_f32.to_bits().into(), 32);
    bits.put((-0.25_f64).to_bits(), 64);
    bits.put(4, 8).put(1, 8).put(2, 8);
    bits.bytes_of(3..7);
    bits.put(2, 8).put(b'o'.into(), 8).put(b'k'.into(), 8);
    bits.bytes_of(10..14);
    bits.put(2, 8).put(21, 8).put(22, 8);
    bits.text("end").put(1 << 40, 64);
    bits.bytes
}

#[test]
fn all_types_are_read_in_both_byte_orders() {
    for (is_big, order) in [(false, "le"), (true, "be")] {
        let metadata = TYPES.replace("ORDER", order);
        let archive = archive(&[
            ("metadata", metadata.as_bytes()),
            ("stream", &bytes(is_big)),
        ]);
        let recording = decode(&archive).unwrap();
        let expected = "0 0 all a=5 b=-3 c=0xbeef d=\"1.5\" e=\"-0.25\" f=BUSY g.x=1 g.y=2 \
                        h=\"[[3, 4], [5, 6]]\" count=2 text=\"ok\" \
                        points=\"[{x=10, y=11}, {x=12, y=13}]\" which=second v=\"{x=21, y=22}\" \
                        s=\"end\" wide=\"1099511627776\" ctx=77 context.a=78";
        assert_eq!(lines(&recording.trace), [expected]);
    }
}

const JSON: &str = r#"[
{"type": "preamble", "version": 2, "uuid": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]},
{"type": "trace-class", "environment": {"tracer_name": "test", "level": 3},
 "packet-header-field-class": {"type": "structure", "member-classes": [
  {"name": "magic", "field-class": {"type": "fixed-length-unsigned-integer", "length": 32, "byte-order": "little-endian", "alignment": 8, "roles": ["packet-magic-number"]}},
  {"name": "uuid", "field-class": {"type": "static-length-blob", "length": 16, "roles": ["metadata-stream-uuid"]}}
 ]}},
{"type": "clock-class", "name": "main", "frequency": 1000000, "offset-from-origin": {"seconds": 10}},
{"type": "field-class-alias", "name": "u8", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8}},
{"type": "data-stream-class", "id": 0, "default-clock-class-name": "main",
 "packet-context-field-class": {"type": "structure", "member-classes": [
  {"name": "content", "field-class": {"type": "fixed-length-unsigned-integer", "length": 16, "byte-order": "big-endian", "alignment": 8, "roles": ["packet-content-length"]}},
  {"name": "total", "field-class": {"type": "fixed-length-unsigned-integer", "length": 16, "byte-order": "big-endian", "alignment": 8, "roles": ["packet-total-length"]}},
  {"name": "lost", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8, "roles": ["discarded-event-record-counter-snapshot"]}}
 ]},
 "event-record-header-field-class": {"type": "structure", "member-classes": [
  {"name": "which", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8, "roles": ["event-record-class-id"]}},
  {"name": "when", "field-class": {"type": "fixed-length-unsigned-integer", "length": 16, "byte-order": "little-endian", "alignment": 8, "roles": ["default-clock-timestamp"]}}
 ]}},
{"type": "event-record-class", "id": 5, "data-stream-class-id": 0, "name": "sample",
 "payload-field-class": {"type": "structure", "member-classes": [
  {"name": "level", "field-class": {"type": "variable-length-signed-integer"}},
  {"name": "size", "field-class": {"type": "variable-length-unsigned-integer"}},
  {"name": "text", "field-class": {"type": "dynamic-length-string", "length-field-location": {"path": ["size"]}}},
  {"name": "more", "field-class": {"type": "optional", "selector-field-location": {"origin": "event-record-payload", "path": ["size"]}, "selector-field-ranges": [[2, 2]], "field-class": "u8"}},
  {"name": "v", "field-class": {"type": "variant", "selector-field-location": {"path": ["size"]}, "options": [
    {"name": "one", "selector-field-ranges": [[1, 1]], "field-class": "u8"},
    {"name": "two", "selector-field-ranges": [[2, 9]], "field-class": {"type": "null-terminated-string"}}]}},
  {"name": "items", "field-class": {"type": "static-length-array", "length": 2, "element-field-class": "u8"}},
  {"name": "named", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8, "mappings": {"up": [[1, 1]], "down": [[2, 2]]}}}
 ]}}
]"#;

/// The texts with their separators.
fn json(texts: &str) -> Vec<u8> {
    let values: serde_json::Value = serde_json::from_str(texts).unwrap();
    let values = values.as_array().unwrap().iter();
    values
        .flat_map(|value| format!("\u{1E}{value}\n").into_bytes())
        .collect()
}

/// A trace with the metadata in JSON; its packets have this UUID.
fn json_archive(texts: &str, uuid: [u8; 16]) -> Vec<u8> {
    let packet = |lost: u8, events: &[u8]| {
        let mut packet = 0xC1FC_1FC1_u32.to_le_bytes().to_vec();
        packet.extend(uuid);
        let bits = (25 + events.len() as u16) * 8;
        packet.extend(bits.to_be_bytes());
        packet.extend((bits + 16).to_be_bytes());
        packet.push(lost);
        packet.extend(events);
        packet.extend([0xAA; 2]);
        packet
    };
    let first = [5, 0xF0, 0xFF, 0x7F, 2, b'h', b'i', 9, b'x', 0, 1, 2, 2];
    let second = [5, 0x10, 0x00, 0x80, 0x01, 1, b'!', 7, 3, 4, 1];
    let stream = [packet(0, &first), packet(2, &second)].concat();
    archive(&[("a/metadata", &json(texts)), ("a/data", &stream)])
}

/// The UUID in the metadata.
const UUID: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

#[test]
fn metadata_of_version_2_are_json() {
    let recording = decode(&json_archive(JSON, UUID)).unwrap();
    let expected = [
        "0 0 sample size=2 level=\"-1\" text=\"hi\" more=\"9\" v=\"x\" items=\"[1, 2]\" named=down",
        // The timestamp has wrapped.
        "32 0 sample size=1 level=\"128\" text=\"!\" more=\"\" v=\"7\" items=\"[3, 4]\" named=up",
    ];
    let trace = &recording.trace;
    let mut found = lines(trace);
    for line in &mut found {
        // The order of arguments depends on their width.
        assert!(line.contains("size="), "{line}");
        *line = line.replace("level=\"-1\" size=2", "size=2 level=\"-1\"");
        *line = line.replace("level=\"128\" size=1", "size=1 level=\"128\"");
    }
    assert_eq!(found, expected);
    assert_eq!(trace.gaps.first().and_then(|gap| gap.missing), Some(2));
    assert_eq!(trace.clock.frequency().unwrap().to_string(), "1 MHz");
}

#[test]
fn drafts_of_version_2_are_read() {
    let with_enumerations = JSON
        .replace(
            r#""fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8, "mappings""#,
            r#""fixed-length-unsigned-enumeration", "length": 8, "byte-order": "little-endian", "alignment": 8, "mappings""#,
        )
        .replace(
            r#"{"origin": "event-record-payload", "path": ["size"]}"#,
            r#"["event-record-payload", "size"]"#,
        );
    assert!(with_enumerations.contains("enumeration") && with_enumerations.contains("[\"event"));
    let read = |texts| lines(&decode(&json_archive(texts, UUID)).unwrap().trace);
    assert_eq!(read(&with_enumerations), read(JSON));
}

#[test]
fn packets_with_the_uuid_of_another_trace_are_read_with_one_diagnostic() {
    let trace = decode(&json_archive(JSON, [9; 16])).unwrap().trace;
    assert_eq!(trace.events.len(), 2);
    let mut messages = trace.diagnostics.iter().map(|it| it.message.as_str());
    let first = messages.next().unwrap();
    assert!(first.contains("the UUID of another trace"), "{first}");
    assert!(messages.all(|it| !it.contains("UUID")));
}

#[test]
fn a_trace_without_events_has_its_own_error() {
    let archive = archive(&[
        ("metadata", b"/* CTF 1.8 */ trace { major = 9; };"),
        ("s", &[1]),
    ]);
    let error = decode(&archive).unwrap_err().to_string();
    assert!(error.starts_with("the CTF trace of "), "{error}");
    assert!(error.contains("has no event: metadata, line 1:"), "{error}");
}
