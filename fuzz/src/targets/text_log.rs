//! Text logs on the time of a small trace. The first line may be the format of the others.

use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_generate::{ThreadXOptions, write};
use rtoscope_trace::text_log::TextLogOptions;
use rtoscope_trace::{Frequency, TextEncoding, TextLog, Trace};
use std::sync::LazyLock;

static TRACE: LazyLock<Trace> = LazyLock::new(|| {
    let settings = ThreadXOptions {
        events: 300,
        ..ThreadXOptions::default()
    };
    let mut buffer = Vec::new();
    write(&settings, &mut buffer, &mut |_| ()).expect("the settings are possible");
    let opened = open(Input::new(buffer), BufferChoice::First).expect("a sound buffer");
    let recording = opened.decode(&threadx::ThreadXOptions::default());
    let mut trace = recording.expect("a sound buffer").trace;
    trace.clock.set_frequency(Frequency::from_hertz(1_000_000));
    trace
});

pub(crate) fn run(data: &[u8]) {
    let mut lines = data.splitn(2, |byte| *byte == b'\n');
    let first = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    let format = first.and_then(|line| line.parse().ok());
    let text = match format {
        Some(_) => lines.next().unwrap_or_default(),
        None => data,
    };
    let options = TextLogOptions {
        format,
        offset_ns: 0,
        encoding: TextEncoding::default(),
    };
    match TextLog::read("log", text, &options, &TRACE) {
        Ok(log) => {
            let times: Vec<_> = log.timed_lines().map(|line| line.time).collect();
            assert!(times.is_sorted() && times.len() == log.timed_len());
            assert!(times.len() <= log.len() && log.lines_within(&TRACE) <= times.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
