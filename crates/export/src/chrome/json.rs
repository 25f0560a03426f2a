//! Trace events as lines of JSON.

use super::microseconds::{append_duration, append_time};
use super::tracks::Track;
use std::fmt;
use std::io::{self, Write};

/// Bytes that are buffered before they are written.
const FLUSH_BYTES: usize = 1 << 17;

/// The largest integer that every JSON reader keeps exactly.
const MAX_EXACT_INTEGER: u64 = (1 << 53) - 1;

/// An array of trace events, one per line.
pub(super) struct TraceEventWriter<W> {
    output: W,
    text: Vec<u8>,
    /// Whether no event has been written yet.
    is_empty: bool,
}

impl TraceEventWriter<io::Sink> {
    /// Collects events that follow others.
    pub(super) fn part() -> Self {
        Self {
            output: io::sink(),
            text: Vec::new(),
            is_empty: false,
        }
    }
}

impl<W: Write> TraceEventWriter<W> {
    pub(super) fn new(output: W) -> io::Result<Self> {
        let mut json = Self {
            output,
            text: b"[".to_vec(),
            is_empty: true,
        };
        json.flush()?;
        Ok(json)
    }

    /// Writes the events of a [part](Self::part).
    pub(super) fn append(&mut self, part: &TraceEventWriter<io::Sink>) -> io::Result<()> {
        self.flush()?;
        self.output.write_all(&part.text)
    }

    /// Writes the buffer to the output if it is full; call it regularly.
    pub(super) fn flush_if_full(&mut self) -> io::Result<()> {
        if self.text.len() < FLUSH_BYTES {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        self.text.extend_from_slice(b"\n]\n");
        self.flush()?;
        self.output.flush()?;
        Ok(self.output)
    }

    /// Writes a slice; times are in nanoseconds.
    pub(super) fn slice(
        &mut self,
        track: Track,
        [from, to]: [u64; 2],
        category: &str,
        name: &str,
        arguments: impl FnOnce(&mut ArgumentWriter<'_>),
    ) {
        self.begin("X", track, category, name);
        self.time(",\"ts\":", from);
        self.text.extend_from_slice(b",\"dur\":");
        append_duration(&mut self.text, [from, to]);
        self.end(arguments);
    }

    /// Writes an instant at a time in nanoseconds.
    pub(super) fn instant(
        &mut self,
        track: Track,
        at: u64,
        category: &str,
        name: &str,
        arguments: impl FnOnce(&mut ArgumentWriter<'_>),
    ) {
        self.begin("i", track, category, name);
        self.text.extend_from_slice(b",\"s\":\"t\"");
        self.time(",\"ts\":", at);
        self.end(arguments);
    }

    /// Writes counter values from a time in nanoseconds on.
    pub(super) fn counter(
        &mut self,
        track: Track,
        at: u64,
        name: &str,
        values: impl FnOnce(&mut ArgumentWriter<'_>),
    ) {
        self.begin("C", track, "level", name);
        self.time(",\"ts\":", at);
        self.end(values);
    }

    /// Starts a flow at a time in nanoseconds.
    pub(super) fn flow_start(&mut self, track: Track, at: u64, name: &str, id: u32) {
        self.begin("s", track, "flow", name);
        self.flow(at, id);
    }

    /// Ends a flow at a time in nanoseconds: in the enclosing slice, not in the
    /// following one.
    pub(super) fn flow_end(&mut self, track: Track, at: u64, name: &str, id: u32) {
        self.begin("f", track, "flow", name);
        self.text.extend_from_slice(b",\"bp\":\"e\"");
        self.flow(at, id);
    }

    fn flow(&mut self, at: u64, id: u32) {
        self.time(",\"ts\":", at);
        self.text.extend_from_slice(b",\"id\":");
        number(&mut self.text, id.into());
        self.text.push(b'}');
    }

    /// Writes the name or the sort index of a process or track.
    pub(super) fn metadata(
        &mut self,
        track: Track,
        name: &str,
        arguments: impl FnOnce(&mut ArgumentWriter<'_>),
    ) {
        self.begin("M", track, "__metadata", name);
        self.end(arguments);
    }

    fn begin(&mut self, phase: &str, track: Track, category: &str, name: &str) {
        let separator: &[u8] = if self.is_empty { b"\n" } else { b",\n" };
        self.is_empty = false;
        self.text.extend_from_slice(separator);
        self.text.extend_from_slice(b"{\"ph\":\"");
        self.text.extend_from_slice(phase.as_bytes());
        self.text.extend_from_slice(b"\",\"pid\":");
        number(&mut self.text, track.process.into());
        self.text.extend_from_slice(b",\"tid\":");
        number(&mut self.text, track.number.into());
        self.text.extend_from_slice(b",\"cat\":");
        string_literal(&mut self.text, category);
        self.text.extend_from_slice(b",\"name\":");
        string_literal(&mut self.text, name);
    }

    fn end(&mut self, arguments: impl FnOnce(&mut ArgumentWriter<'_>)) {
        let mut all = ArgumentWriter {
            text: &mut self.text,
            is_empty: true,
        };
        arguments(&mut all);
        let closing: &[u8] = if all.is_empty { b"}" } else { b"}}" };
        self.text.extend_from_slice(closing);
    }

    /// Writes nanoseconds as the format's microseconds, exactly.
    fn time(&mut self, key: &str, nanoseconds: u64) {
        self.text.extend_from_slice(key.as_bytes());
        append_time(&mut self.text, nanoseconds);
    }
}

/// Writes the arguments of an event, in call order.
pub(super) struct ArgumentWriter<'j> {
    text: &'j mut Vec<u8>,
    is_empty: bool,
}

impl ArgumentWriter<'_> {
    fn key(&mut self, key: &str) {
        let before: &[u8] = if self.is_empty { b",\"args\":{" } else { b"," };
        self.is_empty = false;
        self.text.extend_from_slice(before);
        string_literal(self.text, key);
        self.text.push(b':');
    }

    pub(super) fn text(&mut self, key: &str, value: impl fmt::Display) {
        self.key(key);
        string(self.text, value);
    }

    /// Adds a text that is quoted and escaped.
    pub(super) fn escaped(&mut self, key: &str, value: &[u8]) {
        self.key(key);
        self.text.extend_from_slice(value);
    }

    /// Adds a text that needs no formatting.
    pub(super) fn literal(&mut self, key: &str, value: &str) {
        self.key(key);
        string_literal(self.text, value);
    }

    /// Adds a number, as text if readers might not keep it exactly.
    pub(super) fn number(&mut self, key: &str, value: u64) {
        if value > MAX_EXACT_INTEGER {
            self.text(key, value);
        } else {
            self.key(key);
            number(self.text, value);
        }
    }

    /// Adds a signed number in the same way.
    pub(super) fn signed(&mut self, key: &str, value: i64) {
        if value.unsigned_abs() > MAX_EXACT_INTEGER {
            self.text(key, value);
        } else {
            self.key(key);
            if value < 0 {
                self.text.push(b'-');
            }
            number(self.text, value.unsigned_abs());
        }
    }

    pub(super) fn flag(&mut self, key: &str, value: bool) {
        self.key(key);
        let word: &[u8] = if value { b"true" } else { b"false" };
        self.text.extend_from_slice(word);
    }
}

pub(super) fn number(text: &mut Vec<u8>, value: u64) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a quoted and escaped string.
pub(super) fn string(text: &mut Vec<u8>, value: impl fmt::Display) {
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(text, &format_args!("{value}"));
}

/// Appends a quoted and escaped string that needs no formatting.
fn string_literal(text: &mut Vec<u8>, value: &str) {
    // Looking at all bytes is faster than ending at the first, and most strings are plain.
    let escapes = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    if value
        .as_bytes()
        .iter()
        .fold(false, |any, byte| any | escapes(byte))
    {
        let _ = serde_json::to_writer(text, value);
        return;
    }
    text.reserve(value.len() + 2);
    text.push(b'"');
    text.extend_from_slice(value.as_bytes());
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACK: Track = Track {
        process: 1,
        number: 2,
    };

    fn written(write: impl FnOnce(&mut TraceEventWriter<Vec<u8>>)) -> String {
        let mut json = TraceEventWriter::new(Vec::new()).unwrap();
        write(&mut json);
        String::from_utf8(json.finish().unwrap()).unwrap()
    }

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        let text = written(|json| {
            json.slice(TRACK, [290, 1_234_567], "c", "n", |_| ());
            json.slice(TRACK, [u64::MAX, u64::MAX], "c", "n", |_| ());
        });
        assert!(text.contains(r#""ts":0.290,"dur":1234.277}"#), "{text}");
        let latest = r#""ts":4611686018427387.904,"dur":0.000}"#;
        assert!(text.contains(latest), "{text}");
    }

    #[test]
    fn strings_are_escaped() {
        let text = written(|json| {
            json.instant(TRACK, 0, "a\"b", "\\\n\u{0}ü", |arguments| {
                arguments.text("key\"", "]}");
                arguments.number("most", u64::MAX);
                arguments.number("exact", MAX_EXACT_INTEGER);
                arguments.signed("least", i64::MIN);
                arguments.signed("below", -40);
                arguments.flag("yes", true);
            });
        });
        let expected = r#"[
{"ph":"i","pid":1,"tid":2,"cat":"a\"b","name":"\\\n\u0000ü","s":"t","ts":0.000,"args":{"key\"":"]}","most":"18446744073709551615","exact":9007199254740991,"least":"-9223372036854775808","below":-40,"yes":true}}
]
"#;
        assert_eq!(text, expected);
        assert_eq!(written(|_| ()), "[\n]\n");
    }
}
