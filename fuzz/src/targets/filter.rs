//! Filters, on a small trace.

use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_generate::{ThreadXOptions, write};
use rtoscope_trace::Trace;
use rtoscope_trace::filter::Filter;
use std::sync::LazyLock;

static TRACE: LazyLock<Trace> = LazyLock::new(|| {
    let settings = ThreadXOptions {
        events: 300,
        cores: 2,
        ..ThreadXOptions::default()
    };
    let mut buffer = Vec::new();
    write(&settings, &mut buffer, &mut |_| ()).expect("the settings are possible");
    let opened = open(Input::new(buffer), BufferChoice::First).expect("a sound buffer");
    let recording = opened.decode(&threadx::ThreadXOptions::default());
    recording.expect("a sound buffer").trace
});

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Filter::parse(&text) {
        Ok(filter) => {
            let shown = filter.to_string();
            assert_eq!(Filter::parse(&shown).as_ref(), Ok(&filter), "{shown}");
            match filter.bind(&TRACE) {
                Ok(bound) => assert!(bound.matching().count() <= TRACE.events.len()),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        Err(error) => assert!(error.column() <= text.len() && !error.to_string().is_empty()),
    }
}
